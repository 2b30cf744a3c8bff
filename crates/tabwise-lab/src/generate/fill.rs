//! Filling: the slots of a template get columns, cells, numbers and conditions of a table. The formulas follow from them,
//! and [`Filling`] says each slot in words.
//!
//! A slot is `$kind`, a kind and a number (`$num2`), or a part of what fills it: `$name:cell`, `$num:value`.

use super::columns::{Column, Kind};
use super::dice::Dice;
use super::english::MONTHS;
use super::pattern::{Speaker, expand_one};
use super::phrasings::{Adjective, Condition, Phrasings, Verb};
use super::speech::Speech;
use super::tables::Known;
use std::collections::BTreeMap;
use tabwise::formula::Formulas;
use tabwise::formula::notation::show;
use tabwise::value::{Date, show_number};

/// What fills the slots of a template.
pub(super) struct Filling<'a> {
    pub known: &'a Known,
    pub phrasings: &'a Phrasings,
    /// Columns by the names of their slots.
    columns: BTreeMap<String, Bound<'a>>,
    /// Conditions by the names of their slots.
    pub conditions: BTreeMap<String, Chosen<'a>>,
    /// A small number.
    n: usize,
    /// True for the most, false for the least.
    most: bool,
    /// Numbers that conditions compare with.
    extent: Extent,
    /// Something that is in no cell.
    pub stranger: String,
    /// A column that the table does not have.
    pub absent: Option<String>,
    /// A year that is in no cell.
    pub far_year: Option<String>,
    /// A noun for a row: one sentence does not speak of players and of records.
    noun: String,
}

/// Numbers to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Those between the smallest and the largest of a column.
    Inside,
    /// Sometimes a smaller or larger one.
    Beyond,
}

/// A column with cells and numbers of it.
struct Bound<'a> {
    column: &'a Column,
    cells: Vec<&'a str>,
    values: Vec<f64>,
    /// One of its dates.
    date: Option<Date>,
}

/// A condition with what fills its slots.
pub(super) struct Chosen<'a> {
    condition: &'a Condition,
    bound: Bound<'a>,
    operator: Operator,
}

/// A comparison in a condition.
#[derive(Clone, Copy)]
struct Operator {
    sign: &'static str,
    /// Name of its wordings among the shared words, for numbers and for times.
    words: [&'static str; 2],
}

const OPERATORS: [Operator; 4] = [
    Operator { sign: ">", words: ["over", "after"] },
    Operator { sign: "<", words: ["under", "before"] },
    Operator { sign: ">=", words: ["at-least", "since"] },
    Operator { sign: "<=", words: ["at-most", "until"] },
];

impl<'a> Filling<'a> {
    /// Fills slots, the formulas of conditions not yet; `None` if the table has no column for one of them.
    pub(super) fn new<'s>(
        known: &'a Known,
        phrasings: &'a Phrasings,
        slots: impl Iterator<Item = &'s str>,
        extent: Extent,
        dice: &mut Dice,
    ) -> Option<Filling<'a>> {
        let (columns, conditions) = Default::default();
        let (n, most) = (2 + dice.below(4), dice.chance(60));
        let (stranger, noun) = (String::new(), noun(known, phrasings, dice));
        let (absent, far_year) = Default::default();
        let mut filling =
            Filling { known, phrasings, columns, conditions, n, most, extent, stranger, absent, far_year, noun };
        let names: Vec<&str> = slots.map(|slot| slot.split(':').next().unwrap_or(slot)).collect();
        for name in names.iter().filter(|name| kinds_of(name).is_some()) {
            filling.bind(name, dice)?;
        }
        for name in names.iter().filter(|name| !families_of(name).is_empty()) {
            filling.choose(name, dice)?;
        }
        Some(filling)
    }

    fn is_free(&self, column: &Column) -> bool {
        let taken = self.columns.values().chain(self.conditions.values().map(|chosen| &chosen.bound));
        taken.into_iter().all(|bound| bound.column.id != column.id)
    }

    /// Fills the slot of a column.
    fn bind(&mut self, name: &str, dice: &mut Dice) -> Option<()> {
        if !self.columns.contains_key(name) {
            let bound = self.bound(name, dice)?;
            self.columns.insert(name.to_owned(), bound);
        }
        Some(())
    }

    fn bound(&self, slot: &str, dice: &mut Dice) -> Option<Bound<'a>> {
        let kinds = kinds_of(slot)?;
        let rises = |column: &Column| column.is_rising || !slot.starts_with("asc");
        let fits = |column: &&Column| kinds.contains(&column.kind) && rises(column) && self.is_free(column);
        let free: Vec<&Column> = self.known.columns.iter().filter(fits).collect();
        let column = *dice.pick(&free)?;
        let cells = dice.shuffled(column.own).into_iter().take(2).map(|at| column.cells[at].as_str()).collect();
        let date = dice.pick(&column.dates).copied();
        Some(Bound { column, cells, values: values(column, self.extent, dice), date })
    }

    /// Fills the slot of a condition.
    fn choose(&mut self, name: &str, dice: &mut Dice) -> Option<()> {
        if self.conditions.contains_key(name) {
            return Some(());
        }
        let families = families_of(name);
        let fits = |condition: &&Condition| families.contains(&condition.family.as_str());
        let often = |condition: &'a Condition| std::iter::repeat_n(condition, condition.weight);
        let all: Vec<&Condition> = self.phrasings.conditions.iter().filter(fits).flat_map(often).collect();
        let family = *dice.pick(families)?;
        let order = dice.shuffled(all.len());
        let (first, rest): (Vec<usize>, Vec<usize>) = order.into_iter().partition(|at| all[*at].family == family);
        for condition in first.into_iter().chain(rest).map(|at| all[at]) {
            let Some(bound) = self.bound(&condition.column, dice) else { continue };
            let needs_cell = condition.formulas[0].contains("$col:cell");
            let cells = 1 + usize::from(condition.formulas[0].contains("$col:cell2"));
            let needs_range = condition.formulas[0].contains("$col:value2");
            if needs_range && bound.values.first() == bound.values.get(1) {
                continue;
            }
            if needs_cell && bound.column.kind != Kind::Flag && bound.cells.len() < cells {
                continue;
            }
            if condition.formulas[0].contains("$col:day") && bound.date.is_none() {
                continue;
            }
            let operator = OPERATORS[dice.below(OPERATORS.len())];
            self.conditions.insert(name.to_owned(), Chosen { condition, bound, operator });
            return Some(());
        }
        None
    }

    /// The formulas of a template with its slots filled, the best first.
    pub(super) fn formulas(&self, templates: &[String]) -> Vec<String> {
        let mut all: Vec<String> = templates.iter().filter_map(|text| self.substituted(text)).collect();
        // Longer names first: `$where` is the beginning of `$where2`.
        for (name, chosen) in self.conditions.iter().rev() {
            let slot = format!("${name}");
            let conditions = self.condition_formulas(chosen);
            let with = |text: &String| conditions.iter().map(|own| text.replace(&slot, own)).collect::<Vec<_>>();
            all = all.iter().flat_map(with).collect();
        }
        all.truncate(MOST_FORMULAS);
        all
    }

    /// The formulas of a condition alone.
    pub(super) fn condition_formulas(&self, chosen: &Chosen) -> Vec<String> {
        let Chosen { condition, bound, operator } = chosen;
        let own = |slot: &str| match slot {
            "op" => Some(operator.sign.to_owned()),
            _ => self.part(bound, slot.strip_prefix("col")?),
        };
        let tight = |text: String| if text.contains(" & ") { format!("({text})") } else { text };
        condition.formulas.iter().filter_map(|text| substituted(text, own)).map(tight).collect()
    }

    /// A formula with the slots of columns filled; those of conditions stay.
    fn substituted(&self, text: &str) -> Option<String> {
        substituted(text, |slot| {
            let (name, _) = slot.split_once(':').unwrap_or((slot, ""));
            match slot {
                "n" => Some(self.n.to_string()),
                "end" => Some(if self.most { "max" } else { "min" }.to_owned()),
                _ if !families_of(name).is_empty() => Some(format!("${slot}")),
                _ => self.part(self.columns.get(name)?, &slot[name.len()..]),
            }
        })
    }

    /// A column, a cell or a number in the notation.
    fn part(&self, bound: &Bound, part: &str) -> Option<String> {
        let mut formulas = Formulas::new();
        let graph = &self.known.graph;
        let cell = |at: usize| bound.cells.get(at).and_then(|text| graph.entity_named(text));
        let id = match part {
            "" => formulas.column(bound.column.id),
            ":cell" if bound.column.kind == Kind::Flag => formulas.entity(graph.entity_named(&bound.column.cells[0])?),
            ":cell" => formulas.entity(cell(0)?),
            ":cell2" => formulas.entity(cell(1)?),
            ":value" => formulas.number(*bound.values.first()?),
            ":value2" => formulas.number(*bound.values.get(1).filter(|second| bound.values.first() != Some(second))?),
            ":day" => return Some(shown(bound.date?, true)),
            ":daymonth" => return Some(shown(bound.date?, false)),
            ":month" => return Some(format!("XXXX-{:02}-XX", bound.date?.month()?)),
            ":initial" | ":final" | ":word" => {
                return Some(format!("\"{}\"", piece(bound.cells.first()?, &part[1..])?.to_lowercase()));
            }
            _ => return None,
        };
        Some(show(&formulas, graph, id))
    }
}

/// A noun for a row: of this table mostly, else a general one.
fn noun(known: &Known, phrasings: &Phrasings, dice: &mut Dice) -> String {
    match &known.noun {
        Some(noun) if dice.chance(80) => noun.clone(),
        _ => dice.pick(&phrasings.rows).cloned().unwrap_or_default(),
    }
}

/// The first or last letter of a text, or the longest of its words.
fn piece<'t>(text: &'t str, which: &str) -> Option<&'t str> {
    let is_plain = |piece: &&str| !piece.is_empty() && piece.chars().all(|c| c.is_ascii_alphabetic());
    match which {
        "initial" => text.get(..1),
        "final" => text.get(text.len().checked_sub(1)?..),
        _ => text.contains(' ').then(|| text.split(' ').max_by_key(|word| word.len()))?.filter(|word| word.len() > 3),
    }
    .filter(is_plain)
}

/// A date in the notation, with its day or without.
fn shown(date: Date, has_day: bool) -> String {
    let part = |part: Option<u8>| part.map_or("XX".to_owned(), |part| format!("{part:02}"));
    let year = date.year().map_or("XXXX".to_owned(), |year| format!("{year:04}"));
    format!("{year}-{}-{}", part(date.month()), part(date.day().filter(|_| has_day)))
}

/// A date as people type it.
fn say_date(date: Date, part: &str, dice: &mut Dice) -> Option<String> {
    let (year, month, day) = (date.year()?, date.month()?, date.day()?);
    let name = MONTHS.get(usize::from(month).checked_sub(1)?)?;
    Some(match (part, dice.below(6)) {
        ("month", _) => (*name).to_owned(),
        ("daymonth", 0) => format!("{name} of {year}"),
        ("daymonth", _) => format!("{name} {year}"),
        (_, 0) => format!("{year:04}-{month:02}-{day:02}"),
        (_, 1) => format!("{day} {name} {year}"),
        (_, 2) => format!("{} {day}, {year}", &name[..3]),
        _ => format!("{name} {day}, {year}"),
    })
}

/// Limit on the formulas of a question.
const MOST_FORMULAS: usize = 12;

/// The kinds of columns that a slot takes; `None` if it is not for a column.
fn kinds_of(slot: &str) -> Option<&'static [Kind]> {
    Some(match slot.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "name" => &[Kind::Name],
        "cat" => &[Kind::Category],
        "num" => &[Kind::Number],
        "year" | "asc" => &[Kind::Year],
        "date" => &[Kind::Date],
        "time" => &[Kind::Year, Kind::Date],
        "flag" => &[Kind::Flag],
        "any" => &[Kind::Category, Kind::Number, Kind::Year, Kind::Date, Kind::Text],
        _ => return None,
    })
}

/// The families of conditions that a slot takes; none if it is not for a condition.
fn families_of(slot: &str) -> &'static [&'static str] {
    match slot.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "where" => &["is", "is", "is", "amount", "flag", "time"],
        "is" => &["is", "is", "flag"],
        "amount" => &["amount"],
        "when" => &["time"],
        "not" => &["not"],
        _ => &[],
    }
}

/// Two numbers within those of a column, the smaller one first.
fn values(column: &Column, extent: Extent, dice: &mut Dice) -> Vec<f64> {
    let numbers = &column.numbers;
    if numbers.len() < 4 {
        return Vec::new();
    }
    let (least, most) = (numbers[0], numbers[numbers.len() - 1]);
    let one = |dice: &mut Dice| match extent {
        Extent::Beyond if dice.chance(20) => most + ((most - least) / 4.0).ceil(),
        Extent::Beyond if dice.chance(20) => least - ((least.abs()).min(most - least) / 4.0).ceil(),
        _ => numbers[numbers.len() / 10 + dice.below(numbers.len() * 8 / 10)],
    };
    let is_round = column.kind == Kind::Number && dice.chance(60);
    let rounded = |n: f64| if is_round { round(n, most - least) } else { n };
    let mut two: Vec<f64> = (0..2).map(|_| rounded(one(dice))).collect();
    two.sort_by(f64::total_cmp);
    two
}

/// A number as people name it: with one or two digits that matter in numbers of this extent.
fn round(n: f64, extent: f64) -> f64 {
    let unit = 10f64.powf((extent.max(1.0) / 5.0).log10().floor());
    // By its text, or 19 tenths would be 1.9000000000000001.
    format!("{:.6}", (n / unit).round() * unit).parse().unwrap_or(n)
}

/// A text whose slots are replaced; `None` if one of them has no value.
fn substituted(text: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut pieces = text.split('$');
    let mut filled = pieces.next()?.to_owned();
    for piece in pieces {
        let end = piece.find(|c: char| !c.is_ascii_alphanumeric() && c != ':').unwrap_or(piece.len());
        filled.push_str(&value(&piece[..end])?);
        filled.push_str(&piece[end..]);
    }
    Some(filled)
}

/// The slots of a text of the notation.
pub(super) fn slots_of(text: &str) -> impl Iterator<Item = &str> {
    let name = |piece: &'_ str| piece.find(|c: char| !c.is_ascii_alphanumeric() && c != ':').unwrap_or(piece.len());
    text.split('$').skip(1).map(move |piece| &piece[..name(piece)])
}

impl Speaker for Filling<'_> {
    fn say(&self, slot: &str, dice: &mut Dice) -> Option<String> {
        let (name, part) = slot.split_once(':').unwrap_or((slot, ""));
        if let Some(bound) = self.columns.get(name) {
            return self.say_column(bound, part, dice);
        }
        if let Some(chosen) = self.conditions.get(name) {
            return self.say_condition(chosen, part, dice);
        }
        match slot {
            "n" => Some(if dice.chance(50) { self.n.to_string() } else { SMALL[self.n].to_owned() }),
            "nth" => Some(ORDINALS[self.n].to_owned()),
            "row" => Some(self.noun.clone()),
            "rows" => Some(self.phrasings.plural(&self.noun)),
            "who" => self.phrasings.people.contains(&self.noun).then(|| "who".to_owned()),
            "end" => self.shared(if self.most { "most" } else { "least" }, dice),
            "extreme" => self.shared(if self.most { "highest" } else { "lowest" }, dice),
            "time-end" => self.shared(if self.most { "latest" } else { "earliest" }, dice),
            "time-end-adverb" => self.shared(if self.most { "last" } else { "first" }, dice),
            "removed" => self.absent.clone(),
            "removeds" => self.absent.as_ref().map(|absent| self.phrasings.plural(absent)),
            "far-year" => self.far_year.clone(),
            "stranger" => Some(self.stranger.clone()),
            _ => self.shared(slot, dice),
        }
    }
}

/// Slots of wordings that are neither filled nor among the shared words.
#[cfg(test)]
pub(super) const OTHER_SLOTS: [&str; 13] = [
    "n",
    "nth",
    "row",
    "rows",
    "who",
    "end",
    "extreme",
    "time-end",
    "time-end-adverb",
    "removed",
    "removeds",
    "far-year",
    "stranger",
];

const SMALL: [&str; 6] = ["no", "one", "two", "three", "four", "five"];
const ORDINALS: [&str; 6] = ["zeroth", "first", "second", "third", "fourth", "fifth"];

/// Chance in percent that a column is said by its header though there are other ways.
const HEADER: usize = 50;

impl Filling<'_> {
    /// Words that all files share.
    fn shared(&self, name: &str, dice: &mut Dice) -> Option<String> {
        expand_one(self.phrasings.shared.get(name)?, self, dice)
    }

    fn say_column(&self, bound: &Bound, part: &str, dice: &mut Dice) -> Option<String> {
        let Column { said, speech, .. } = bound.column;
        let words = if dice.chance(HEADER) { &said[0] } else { dice.pick(said)? };
        let own = |ways: fn(&Speech) -> &Vec<String>, dice: &mut Dice| dice.pick(ways(speech)).cloned();
        let adjective = |ways: fn(&Speech) -> &Vec<String>, of: fn(&Adjective) -> &Vec<String>, dice: &mut Dice| {
            if let Some(own) = own(ways, dice) {
                return Some(own);
            }
            let is_for = |word: &String| said[0].split(' ').any(|said| said == word);
            let found = self.phrasings.adjectives.iter().find(|adjective| adjective.words.iter().any(is_for))?;
            dice.pick(of(found)).cloned()
        };
        let verb = |ways: fn(&Speech) -> &Vec<String>, of: fn(&Verb) -> &Vec<String>, dice: &mut Dice| {
            if let Some(own) = own(ways, dice) {
                return Some(own);
            }
            let is_for = |word: &String| said[0].rsplit(' ').next() == Some(word);
            let found = self.phrasings.verbs.iter().find(|verb| verb.words.iter().any(is_for))?;
            dice.pick(of(found)).cloned()
        };
        match part {
            "" if matches!(bound.column.kind, Kind::Name | Kind::Category) => Some(self.phrasings.singular(words)),
            "" => Some(words.clone()),
            "s" => Some(self.phrasings.plural(words)),
            "one" => Some(self.phrasings.singular(words)),
            "cell" if bound.column.kind == Kind::Flag => Some(words.clone()),
            "cell" => self.say_cell(bound.cells.first()?, dice),
            "cell2" => self.say_cell(bound.cells.get(1)?, dice),
            "value" => self.say_value(bound, 0, dice),
            "value2" => self.say_value(bound, 1, dice),
            "day" | "daymonth" | "month" => say_date(bound.date?, part, dice),
            "initial" => Some(piece(bound.cells.first()?, part)?.to_uppercase()),
            "final" => Some(piece(bound.cells.first()?, part)?.to_lowercase()),
            "word" => Some(piece(bound.cells.first()?, part)?.to_owned()),
            "est" if self.most => adjective(|s| &s.most, |a| &a.most, dice),
            "est" => adjective(|s| &s.least, |a| &a.least, dice),
            "er" if self.most => adjective(|s| &s.more, |a| &a.more, dice),
            "er" => adjective(|s| &s.less, |a| &a.less, dice),
            "more" => adjective(|s| &s.more, |a| &a.more, dice),
            "less" => adjective(|s| &s.less, |a| &a.less, dice),
            "most" => adjective(|s| &s.most, |a| &a.most, dice),
            "least" => adjective(|s| &s.least, |a| &a.least, dice),
            "ask" => adjective(|s| &s.ask, |a| &a.ask, dice),
            "do" => verb(|s| &s.base, |v| &v.base, dice),
            "did" => verb(|s| &s.past, |v| &v.past, dice),
            "end" => Some(format!("{} {words}", self.shared(if self.most { "most" } else { "least" }, dice)?)),
            "er2" => Some(format!("{} {words}", self.shared(if self.most { "higher" } else { "lower" }, dice)?)),
            "many" if !speech.many.is_empty() => own(|s| &s.many, dice),
            "many" if self.phrasings.is_countable(words) => Some(words.clone()),
            "happened" => own(|s| &s.happened, dice),
            "person" => self.phrasings.people.contains(&self.phrasings.singular(words)).then(|| words.clone()),
            _ => None,
        }
    }

    /// A cell as people type it.
    fn say_cell(&self, text: &str, dice: &mut Dice) -> Option<String> {
        Some(if dice.chance(20) { text.to_lowercase() } else { text.to_owned() })
    }

    fn say_value(&self, bound: &Bound, at: usize, dice: &mut Dice) -> Option<String> {
        let text = show_number(*bound.values.get(at)?);
        let is_long = bound.column.kind == Kind::Number && text.len() > 4 && !text.contains('.');
        Some(if is_long && dice.chance(40) { with_commas(&text) } else { text })
    }

    fn say_condition(&self, chosen: &Chosen, part: &str, dice: &mut Dice) -> Option<String> {
        let place = match part {
            "" | "one" => "after",
            "does" => "verb",
            place => place,
        };
        let said = expand_one(chosen.condition.say.get(place)?, &InCondition { filling: self, chosen }, dice)?;
        let relative = said.split_once(' ').filter(|(first, _)| ["that", "which"].contains(first));
        Some(match (part, relative) {
            ("does", _) => of_one(&said),
            ("one", Some((first, rest))) => format!("{first} {}", of_one(rest)),
            _ => said,
        })
    }
}

/// What several rows do as what one of them does: "are red" as "is red".
fn of_one(said: &str) -> String {
    let (verb, rest) = said.split_once(' ').unwrap_or((said, ""));
    let verb = match verb {
        "are" => "is",
        "aren't" => "isn't",
        "were" => "was",
        "weren't" => "wasn't",
        "have" => "has",
        "do" => "does",
        "don't" => "doesn't",
        "belong" => "belongs",
        "count" => "counts",
        "come" => "comes",
        "date" => "dates",
        "fall" => "falls",
        "lie" => "lies",
        "go" => "goes",
        "show" => "shows",
        "lack" => "lacks",
        other => other,
    };
    format!("{verb} {}", rest.replace(" their ", " its "))
}

/// Says the slots of a condition's wordings.
struct InCondition<'f> {
    filling: &'f Filling<'f>,
    chosen: &'f Chosen<'f>,
}

impl Speaker for InCondition<'_> {
    fn say(&self, slot: &str, dice: &mut Dice) -> Option<String> {
        let bound = &self.chosen.bound;
        match slot {
            // The shared words for comparisons speak of a value; of a day they say the day.
            "value" if self.is_of_day() => say_date(bound.date?, "day", dice),
            "beyond" => {
                let is_time = matches!(bound.column.kind, Kind::Year | Kind::Date);
                let words = self.chosen.operator.words[usize::from(is_time)];
                let words = format!("{words}{}", if self.is_of_day() { "-day" } else { "" });
                expand_one(self.filling.phrasings.shared.get(&words)?, self, dice)
            }
            // A condition that does not name its column needs one that is clear without.
            "clear" => self.is_clear().then(String::new),
            "it" => self.filling.say("name:cell", dice),
            _ => match slot.strip_prefix("col") {
                Some("") => self.filling.say_column(bound, "", dice),
                Some(part) => self.filling.say_column(bound, part.trim_start_matches(':'), dice),
                None if ["cell", "cell2", "value", "value2", "day", "daymonth", "month"].contains(&slot) => {
                    self.filling.say_column(bound, slot, dice)
                }
                None => self.filling.say(slot, dice),
            },
        }
    }
}

impl InCondition<'_> {
    /// Tells if it compares with a day.
    fn is_of_day(&self) -> bool {
        self.chosen.condition.formulas[0].ends_with("$col:day")
    }

    fn is_clear(&self) -> bool {
        let is_time = |column: &&Column| matches!(column.kind, Kind::Year | Kind::Date);
        match self.chosen.bound.column.kind {
            Kind::Year | Kind::Date => self.filling.known.columns.iter().filter(is_time).count() == 1,
            Kind::Number => false,
            Kind::Name | Kind::Category | Kind::Flag | Kind::Text => true,
        }
    }
}

/// `12345` as `12,345`.
fn with_commas(digits: &str) -> String {
    let mut text = String::new();
    for (at, c) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(c);
    }
    text
}
