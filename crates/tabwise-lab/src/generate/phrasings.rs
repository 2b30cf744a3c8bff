//! Phrasings: the files of `phrasings/`, from which questions are made. A file of a kind of questions has templates, each
//! with formulas and wordings; `conditions.toml` has ways to choose rows, `words.toml` words that all files share,
//! and `spoken.toml` other ways to speak of headers.

use super::pattern::Pattern;
use super::speech::{Speech, SpokenHeaders, read_spoken};
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The files, by name.
const KINDS: [(&str, &str); 17] = [
    ("lookup", include_str!("../../phrasings/lookup.toml")),
    ("two-conditions", include_str!("../../phrasings/two-conditions.toml")),
    ("count", include_str!("../../phrasings/count.toml")),
    ("count-distinct", include_str!("../../phrasings/count-distinct.toml")),
    ("sum-average-median", include_str!("../../phrasings/sum-average-median.toml")),
    ("min-max", include_str!("../../phrasings/min-max.toml")),
    ("top-n", include_str!("../../phrasings/top-n.toml")),
    ("comparison", include_str!("../../phrasings/comparison.toml")),
    ("most-frequent", include_str!("../../phrasings/most-frequent.toml")),
    ("group-aggregate", include_str!("../../phrasings/group-aggregate.toml")),
    ("date", include_str!("../../phrasings/date.toml")),
    ("yes-no", include_str!("../../phrasings/yes-no.toml")),
    ("share", include_str!("../../phrasings/share.toml")),
    ("superlative-in-filter", include_str!("../../phrasings/superlative-in-filter.toml")),
    ("negation", include_str!("../../phrasings/negation.toml")),
    ("next-previous", include_str!("../../phrasings/next-previous.toml")),
    ("list-all", include_str!("../../phrasings/list-all.toml")),
];
const UNANSWERABLE: &str = include_str!("../../phrasings/unanswerable.toml");
const CONDITIONS: &str = include_str!("../../phrasings/conditions.toml");
const WORDS: &str = include_str!("../../phrasings/words.toml");
const SPOKEN: &str = include_str!("../../phrasings/spoken.toml");

/// Name of the kind of questions that the table does not answer.
pub(super) const NO_ANSWER: &str = "unanswerable";

/// All phrasings.
pub(super) struct Phrasings {
    /// Kinds of questions that have an answer, with their templates.
    pub kinds: Vec<(&'static str, Vec<Template>)>,
    /// Questions that the table does not answer.
    pub unanswerable: Unanswerable,
    /// Ways to choose rows.
    pub conditions: Vec<Condition>,
    /// Words that all files share, by name.
    pub shared: BTreeMap<String, Vec<Pattern>>,
    /// Adjectives of columns.
    pub adjectives: Vec<Adjective>,
    /// Verbs of columns.
    pub verbs: Vec<Verb>,
    /// Other ways to speak of headers.
    pub spoken: Vec<SpokenHeaders>,
    /// General words for a row.
    pub rows: Vec<String>,
    /// Words of a header that say nothing about the rows: "name".
    pub vague: Vec<String>,
    /// Words of a header whose numbers are no amounts: "rank".
    pub ordinals: Vec<String>,
    /// Words for persons.
    pub people: Vec<String>,
    /// Words for things that are counted: "goals".
    pub counted: Vec<String>,
    /// Plurals that do not follow the rule.
    pub plurals: BTreeMap<String, String>,
}

/// A question: formulas with slots, and its wordings.
#[derive(Debug)]
pub(super) struct Template {
    /// Position in its file.
    pub number: usize,
    /// Formulas that mean the same, the best first.
    pub formulas: Vec<String>,
    /// Wordings.
    pub say: Vec<Pattern>,
    /// Form of the answer.
    pub answer: Form,
    /// How often it is chosen, compared with the others of its file.
    pub weight: usize,
    /// Number that the answer must be above, so that "how many more" is asked only if it is more.
    pub above: Option<f64>,
}

/// Requirement on an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    /// Any number of values.
    #[default]
    Any,
    /// One value.
    One,
    /// Two values or more.
    Several,
}

/// A way to choose rows by a column.
#[derive(Debug)]
pub(super) struct Condition {
    /// Kind of the column, as in a slot.
    pub column: String,
    /// Formulas that mean the same, the best first.
    pub formulas: Vec<String>,
    /// Wordings by their place in a sentence: after a noun, before it, as a verb, as a clause, as a question.
    pub say: BTreeMap<String, Vec<Pattern>>,
    /// Name of a family, by which templates ask for it.
    pub family: String,
    /// How often it is chosen, compared with others of its family.
    pub weight: usize,
}

/// Questions that the table does not answer.
pub(super) struct Unanswerable {
    /// Questions for a column that the table does not have.
    pub column: Vec<Pattern>,
    /// Questions about something that is in no cell.
    pub cell: Vec<Pattern>,
    /// Questions on the topic of the table for what no table says: reasons, opinions, the future, another year.
    pub topic: Vec<Pattern>,
    /// Questions about something else altogether.
    pub other: Vec<Pattern>,
    /// Columns that a table could have: the words for one, and beginnings of words that no header may have then.
    pub columns: Vec<Vec<String>>,
    /// Names that are in few tables.
    pub names: Vec<String>,
}

/// Adjectives of a column: "oldest" of an age.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Adjective {
    /// Words of a header.
    pub words: Vec<String>,
    /// The most: "oldest".
    pub most: Vec<String>,
    /// The least: "youngest".
    pub least: Vec<String>,
    /// More: "older".
    #[serde(default)]
    pub more: Vec<String>,
    /// Less: "younger".
    #[serde(default)]
    pub less: Vec<String>,
    /// Question for the value: "how old is".
    #[serde(default)]
    pub ask: Vec<String>,
}

/// What one does with the things that a column counts: goals are scored.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Verb {
    /// Last words of a header.
    pub words: Vec<String>,
    /// The verb: "score".
    pub base: Vec<String>,
    /// Its past: "scored".
    pub past: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KindFile {
    template: Vec<TemplateText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TemplateText {
    formulas: Vec<String>,
    say: Vec<String>,
    #[serde(default)]
    answer: Form,
    #[serde(default = "two")]
    weight: usize,
    above: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConditionsFile {
    condition: Vec<ConditionText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConditionText {
    column: String,
    #[serde(default)]
    family: String,
    #[serde(default = "one")]
    weight: usize,
    formulas: Vec<String>,
    say: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnanswerableText {
    column: Vec<String>,
    cell: Vec<String>,
    topic: Vec<String>,
    other: Vec<String>,
    columns: Vec<Vec<String>>,
    names: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WordsFile {
    rows: Vec<String>,
    vague: Vec<String>,
    ordinals: Vec<String>,
    people: Vec<String>,
    counted: Vec<String>,
    plurals: BTreeMap<String, String>,
    adjective: Vec<Adjective>,
    verb: Vec<Verb>,
    say: BTreeMap<String, Vec<String>>,
}

impl Phrasings {
    /// The files that are part of the program.
    pub(super) fn embedded() -> Result<Phrasings> {
        let words: WordsFile = toml::from_str(WORDS).context("words.toml")?;
        let conditions: ConditionsFile = toml::from_str(CONDITIONS).context("conditions.toml")?;
        let none: UnanswerableText = toml::from_str(UNANSWERABLE).context("unanswerable.toml")?;
        let kind = |(name, text)| Ok((name, templates(text).with_context(|| format!("{name}.toml"))?));
        Ok(Phrasings {
            kinds: KINDS.into_iter().map(kind).collect::<Result<_>>()?,
            unanswerable: Unanswerable {
                column: patterns(&none.column)?,
                cell: patterns(&none.cell)?,
                topic: patterns(&none.topic)?,
                other: patterns(&none.other)?,
                columns: none.columns,
                names: none.names,
            },
            conditions: conditions.condition.into_iter().map(condition).collect::<Result<_>>()?,
            shared: named_patterns(words.say).context("words.toml")?,
            adjectives: words.adjective,
            verbs: words.verb,
            spoken: read_spoken(SPOKEN).context("spoken.toml")?,
            rows: words.rows,
            vague: words.vague,
            ordinals: words.ordinals,
            people: words.people,
            counted: words.counted,
            plurals: words.plurals,
        })
    }
}

impl Phrasings {
    /// Other ways to speak of a header.
    pub(super) fn speech(&self, header: &str) -> Option<&Speech> {
        let header = header.to_lowercase();
        let is_for = |spoken: &&SpokenHeaders| spoken.headers.contains(&header);
        self.spoken.iter().find(is_for).map(|spoken| &spoken.speech)
    }

    /// Tells if one says "most" and "how many" of a column.
    pub(super) fn is_countable(&self, said: &str) -> bool {
        self.counted.iter().any(|word| said.split(' ').any(|said| said == word))
    }
}

fn templates(text: &str) -> Result<Vec<Template>> {
    let file: KindFile = toml::from_str(text)?;
    file.template.into_iter().enumerate().map(|(number, text)| template(number, text)).collect()
}

fn template(number: usize, text: TemplateText) -> Result<Template> {
    ensure!(!text.formulas.is_empty() && !text.say.is_empty(), "a template needs formulas and wordings");
    let TemplateText { formulas, say, answer, weight, above } = text;
    Ok(Template { number, say: patterns(&say)?, formulas, answer, weight, above })
}

fn condition(text: ConditionText) -> Result<Condition> {
    ensure!(text.say.contains_key("after"), "a condition needs wordings after a noun");
    let ConditionText { column, family, weight, formulas, say } = text;
    Ok(Condition { column, family, weight, formulas, say: named_patterns(say).context("conditions.toml")? })
}

fn one() -> usize {
    1
}

fn two() -> usize {
    2
}

fn patterns(texts: &[String]) -> Result<Vec<Pattern>> {
    texts.iter().map(|text| Pattern::read(text).with_context(|| text.clone())).collect()
}

fn named_patterns(texts: BTreeMap<String, Vec<String>>) -> Result<BTreeMap<String, Vec<Pattern>>> {
    texts.into_iter().map(|(name, texts)| Ok((name, patterns(&texts)?))).collect()
}
