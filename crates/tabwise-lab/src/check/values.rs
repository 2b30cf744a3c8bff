//! `tabwise lab check values`: compares the numbers and dates found in the tagged questions with the reference. A value
//! of the reference counts as found if we find the same value on overlapping tokens.

use super::data::DataArgs;
use crate::outcome::Outcome;
use crate::tagged::{self, Columns};
use anyhow::Result;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use tabwise::answer::Knowledge;
use tabwise::text::Token;
use tabwise::text::escapes::unescape;
use tabwise::text::values::{ValueSpan, find_values};
use tabwise::value::Value;
use tabwise::words::Words;

/// Minimum share of values found, not counting words that only the reference takes for numbers.
const BAR: f64 = 0.97;
/// Tags of values in the reference.
const TAGS: [&str; 5] = ["NUMBER", "ORDINAL", "PERCENT", "MONEY", "DATE"];

/// A value of the reference.
struct ReferenceValue<'a> {
    tag: &'a str,
    tokens: Range<usize>,
    /// The value in the format of [`shown`].
    value: String,
    words: String,
}

/// Counts for one tag.
#[derive(Default)]
struct Tally {
    values: usize,
    same_tokens: usize,
    overlapping: usize,
    /// Words without digits or number words that the reference takes for a number: "score" is 20, "years" is 0.
    no_numbers: usize,
    missed: Vec<String>,
}

/// Annotates every question and prints the share of values found.
pub(super) fn run(args: DataArgs, knowledge: &Knowledge, out: &mut impl Write) -> Result<Outcome> {
    let Knowledge { words, annotator, .. } = knowledge;
    let content = tagged::questions(&args.data)?;
    let columns = Columns::of(&content);
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for line in content.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let tokens = annotator.annotate(&unescape(columns.get(&fields, "utterance")));
        let ours = find_values(&tokens, words);
        for reference in references(&columns, &fields, &tokens) {
            tallies.entry(reference.tag).or_default().add(&reference, &ours, words);
        }
    }
    tallies.iter().try_for_each(|(tag, tally)| tally.print(tag, args.verbose, out))?;
    let (found, all) = tallies.values().fold((0, 0), |(f, a), t| (f + t.found(), a + t.values - t.no_numbers));
    let share = 100.0 * found as f64 / all.max(1) as f64;
    writeln!(out, "all: {found} of {all} values found, {share:.2} % (bar {:.0} %)", BAR * 100.0)?;
    Ok(if share >= BAR * 100.0 { Outcome::Done } else { Outcome::BelowBar })
}

/// The values of the reference in a question, if its tokens are equal to ours. A run of tokens with the same tag and
/// value is one value.
fn references<'a>(columns: &Columns, fields: &[&'a str], tokens: &[Token]) -> Vec<ReferenceValue<'a>> {
    let list = |name| columns.get(fields, name).split('|').collect::<Vec<_>>();
    let (tags, values) = (list("nerTags"), list("nerValues"));
    let mut found = Vec::new();
    let mut at = 0;
    while at < tags.len() && tags.len() == values.len() && tags.len() == tokens.len() {
        let same = |i: &usize| tags[*i] == tags[at] && values[*i] == values[at];
        let end = (at + 1..tags.len()).find(|i| !same(i)).unwrap_or(tags.len());
        if TAGS.contains(&tags[at])
            && let Some(value) = canonical(values[at], tags[at])
        {
            let words = tokens[at..end].iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
            found.push(ReferenceValue { tag: tags[at], tokens: at..end, value, words });
        }
        at = end;
    }
    found
}

/// A value of the reference in the format of [`shown`]; `None` if it is not a single number or date ("THIS P1Y",
/// "2000/2010").
fn canonical(value: &str, tag: &str) -> Option<String> {
    if tag != "DATE" {
        let number: f64 = value.trim_start_matches(['<', '>', '=', '~', '%', '$', '£']).parse().ok()?;
        return Some(number.to_string());
    }
    let mut fields = value.split('-');
    let year = fields.next().filter(|year| is_field(year, 4, "XXXX"))?;
    let rest: Vec<&str> = fields.collect();
    let fits = rest.len() <= 2 && rest.iter().all(|field| is_field(field, 2, "XX"));
    let part = |at: usize| rest.get(at).copied().unwrap_or("XX");
    fits.then(|| format!("{year}-{}-{}", part(0), part(1)))
}

fn is_field(text: &str, digits: usize, unknown: &str) -> bool {
    text == unknown || (text.len() == digits && text.bytes().all(|b| b.is_ascii_digit()))
}

fn shown(value: Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Date(date) => date.to_string(),
        Value::Entity(_) | Value::Truth(_) => String::new(),
    }
}

impl Tally {
    fn add(&mut self, reference: &ReferenceValue, ours: &[ValueSpan], words: &Words) {
        self.values += 1;
        let same = |span: &&ValueSpan| shown(span.value) == reference.value;
        let overlaps =
            |span: &ValueSpan| span.tokens.start < reference.tokens.end && reference.tokens.start < span.tokens.end;
        let mut candidates = ours.iter().filter(same);
        if candidates.clone().any(|span| span.tokens == reference.tokens) {
            self.same_tokens += 1;
        } else if candidates.any(overlaps) {
            self.overlapping += 1;
        } else if reference.tag == "NUMBER" && !names_number(&reference.words, words) {
            self.no_numbers += 1;
        } else {
            self.missed.push(format!("{:?} = {}", reference.words, reference.value));
        }
    }

    fn found(&self) -> usize {
        self.same_tokens + self.overlapping
    }

    fn print(&self, tag: &str, verbose: bool, out: &mut impl Write) -> Result<()> {
        let (same, part, other) = (self.same_tokens, self.overlapping, self.no_numbers);
        write!(out, "{tag}: {} values, {same} found on the same tokens, {part} on others", self.values)?;
        writeln!(
            out,
            ", {} missed, {other} only the reference takes for one (\"score\", \"years\")",
            self.missed.len()
        )?;
        let most = if verbose { usize::MAX } else { 12 };
        self.missed.iter().take(most).try_for_each(|missed| writeln!(out, "    {missed}"))?;
        Ok(())
    }
}

/// True if a text has a digit or a number word.
fn names_number(text: &str, words: &Words) -> bool {
    let named = |word: &str| words.number(word).is_some() || words.magnitude(word).is_some();
    text.bytes().any(|b| b.is_ascii_digit()) || text.split(' ').any(named)
}
