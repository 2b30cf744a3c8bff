//! Questions: a template filled on a table, executed, and put into words. One that has no certain answer, or whose
//! conditions change nothing, is not made.

use super::columns::{Kind, is_missing};
use super::dice::Dice;
use super::english::polished;
use super::fill::{Extent, Filling, slots_of};
use super::pattern::Pattern;
use super::phrasings::{Form, NO_ANSWER, Phrasings, Template};
use super::tables::Known;
use tabwise::answer::Printer;
use tabwise::execute::{Denotation, Executor};
use tabwise::formula::Formulas;
use tabwise::formula::notation::read;

/// A generated question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// Kind of the question.
    pub kind: &'static str,
    /// Path of the table.
    pub table: String,
    /// The question.
    pub text: String,
    /// Items of the right answer; none if the table does not answer it.
    pub answer: Vec<String>,
    /// Right formulas, the best first.
    pub formulas: Vec<String>,
    /// Name of the wording that it was made from.
    pub wording: String,
}

/// Name of the kind of questions whose conditions may hold for all rows or for none.
const YES_NO: &str = "yes-no";

/// Most values of an answer.
const MOST_VALUES: usize = 40;

/// Makes a question of a template about a table; `None` if they do not fit.
pub(super) fn question(
    kind: &'static str,
    template: &Template,
    known: &Known,
    phrasings: &Phrasings,
    dice: &mut Dice,
) -> Option<Question> {
    let extent = if kind == YES_NO { Extent::Beyond } else { Extent::Inside };
    let slots = template.formulas.iter().flat_map(|text| slots_of(text));
    let filling = Filling::new(known, phrasings, slots, extent, dice)?;
    let mut executor = Executor::new(&known.graph, Formulas::new());
    if !conditions_matter(&filling, kind, &mut executor) {
        return None;
    }
    let mut formulas = filling.formulas(&template.formulas);
    let answers: Vec<Option<Vec<String>>> = formulas.iter().map(|text| answer(text, &mut executor)).collect();
    let right = answers.iter().flatten().next()?.clone();
    let mut same = answers.iter().map(|answer| answer.as_ref() == Some(&right));
    formulas.retain(|_| same.next().unwrap_or(false));
    let is_above = template.above.is_none_or(|least| is_above(&right, least));
    if !is_clear(&right, template.answer) || !is_above || right == ["0"] {
        return None;
    }
    let order = dice.shuffled(template.say.len());
    let (at, text) = order.into_iter().find_map(|at| Some((at, template.say[at].expand(&filling, dice)?)))?;
    let wording = format!("{kind} {} {at}", template.number);
    Some(Question {
        kind,
        table: known.path.clone(),
        text: finished(&text, phrasings, dice),
        answer: right,
        formulas,
        wording,
    })
}

/// Makes a question that the table does not answer: of seven in turn, two are about a column, two about a name, two on the
/// topic of the table, and one about something else. The turn is fixed before tables are tried, or the sorts that fit few tables would be rare.
pub(super) fn unanswerable(
    turn: usize,
    known: &Known,
    elsewhere: &Known,
    phrasings: &Phrasings,
    dice: &mut Dice,
) -> Option<Question> {
    let all = &phrasings.unanswerable;
    let sort = [0, 1, 2, 0, 1, 2, 3][turn % 7];
    let patterns = [&all.column, &all.cell, &all.topic, &all.other][sort];
    let at = dice.below(patterns.len());
    let pattern: &Pattern = patterns.get(at)?;
    let mut filling = Filling::new(known, phrasings, pattern.slots().into_iter(), Extent::Inside, dice)?;
    filling.stranger = stranger(known, elsewhere, phrasings, dice)?;
    filling.absent = absent(known, phrasings, dice);
    filling.far_year = far_year(known, dice);
    let text = finished(&pattern.expand(&filling, dice)?, phrasings, dice);
    let wording = format!("{NO_ANSWER} {sort} {at}");
    Some(Question {
        kind: NO_ANSWER,
        table: known.path.clone(),
        text,
        answer: Vec::new(),
        formulas: Vec::new(),
        wording,
    })
}

/// Words for a column that the table does not have: one that was left out, or one that other tables have.
fn absent(known: &Known, phrasings: &Phrasings, dice: &mut Dice) -> Option<String> {
    if !known.removed.is_empty() && dice.chance(50) {
        return dice.pick(&known.removed).cloned();
    }
    let said = known.columns.iter().flat_map(|column| &column.said).map(String::as_str);
    let headers: String = said.chain(known.csv.lines().next()).collect::<Vec<_>>().join(" ").to_lowercase();
    let words = dice.pick(&phrasings.unanswerable.columns)?;
    let is_there = words.iter().any(|word| headers.contains(word.as_str()));
    if is_there { None } else { words.first().cloned() }
}

/// A year that is in no cell, years before or after those of the table.
fn far_year(known: &Known, dice: &mut Dice) -> Option<String> {
    let is_time = |kind: Kind| matches!(kind, Kind::Year | Kind::Date);
    let years: Vec<f64> =
        known.columns.iter().filter(|c| is_time(c.kind)).flat_map(|c| c.numbers.iter().copied()).collect();
    let away = 3.0 + dice.below(25) as f64;
    let is_later = dice.chance(50);
    let year = match years.iter().copied().reduce(if is_later { f64::max } else { f64::min }) {
        Some(last) if is_later => last + away,
        Some(first) => first - away,
        None => 1940.0 + dice.below(95) as f64,
    };
    let text = format!("{year:.0}");
    (!known.csv.contains(&text)).then_some(text)
}

/// A name that is in no cell: one of another table, or a general one.
fn stranger(known: &Known, elsewhere: &Known, phrasings: &Phrasings, dice: &mut Dice) -> Option<String> {
    let is_named = |kind: Kind| matches!(kind, Kind::Name | Kind::Category);
    let columns: Vec<_> = elsewhere.columns.iter().filter(|column| is_named(column.kind)).collect();
    let own = dice.pick(&columns).and_then(|column| dice.pick(&column.cells));
    let name = if dice.chance(50) { own } else { dice.pick(&phrasings.unanswerable.names) }?;
    let said = name.to_lowercase();
    let is_word_of = |cell: &str| cell.to_lowercase().contains(&said) || said.contains(&cell.to_lowercase());
    let is_known = known.graph.entities().any(|entity| is_word_of(known.graph.name(entity)));
    (!is_known && name.chars().any(char::is_alphabetic)).then(|| name.clone())
}

/// Tells if every condition keeps some rows and drops some, and two of them fewer than each.
fn conditions_matter(filling: &Filling, kind: &str, executor: &mut Executor) -> bool {
    let rows = filling.known.graph.row_count();
    let mut sets = Vec::new();
    for chosen in filling.conditions.values() {
        let formulas = filling.condition_formulas(chosen);
        let Some(text) = formulas.iter().find(|text| count(text, executor).is_some()) else { return false };
        let matters = |count: usize| kind == YES_NO || (1..rows).contains(&count);
        if !count(text, executor).is_some_and(matters) {
            return false;
        }
        sets.push(text.clone());
    }
    let [first, second] = sets.as_slice() else { return true };
    let both = count(&format!("{first} & {second}"), executor).unwrap_or(0);
    let least = [first, second].into_iter().filter_map(|text| count(text, executor)).min().unwrap_or(0);
    kind == YES_NO || (1..least).contains(&both)
}

/// The number of rows of a formula; `None` if it is undefined.
fn count(text: &str, executor: &mut Executor) -> Option<usize> {
    match denote(text, executor)? {
        Denotation::Rows(rows) => Some(rows.count()),
        _ => None,
    }
}

fn denote(text: &str, executor: &mut Executor) -> Option<Denotation> {
    let graph = executor.graph();
    let id = read(text, graph, executor.formulas_mut()).ok()?;
    executor.denote(id).ok().map(|denotation| (*denotation).clone())
}

/// The answer of a formula; `None` if there is none.
fn answer(text: &str, executor: &mut Executor) -> Option<Vec<String>> {
    let denotation = denote(text, executor)?;
    Some(Printer::plain(executor.graph()).answer(&denotation)).filter(|answer| !answer.is_empty())
}

/// Tells if an answer has the form that the question asks for, and no missing values.
fn is_clear(answer: &[String], form: Form) -> bool {
    let fits = match form {
        Form::Any => answer.len() <= MOST_VALUES,
        Form::One => answer.len() == 1,
        Form::Several => (2..=MOST_VALUES).contains(&answer.len()),
    };
    fits && !answer.iter().any(|item| is_missing(item))
}

fn is_above(answer: &[String], least: f64) -> bool {
    answer.iter().all(|item| item.parse().is_ok_and(|n: f64| n > least))
}

/// Words before a question that say nothing.
const POLITE: [&str; 16] = [
    "can you tell me",
    "could you tell me",
    "please tell me",
    "tell me",
    "i'd like to know",
    "i want to know",
    "i was wondering",
    "do you know",
    "could you say",
    "quick question:",
    "just curious,",
    "hey,",
    "hi,",
    "so",
    "according to the table,",
    "based on this data,",
];

/// A sentence as people type it: politely or not, with a capital and a question mark or without, and now and then with
/// a slip of the fingers.
fn finished(sentence: &str, phrasings: &Phrasings, dice: &mut Dice) -> String {
    let mut text = polished(sentence, &phrasings.counted);
    let is_question = text.ends_with('?');
    text = text.trim_end_matches('?').trim_end().to_owned();
    let asks =
        ["how ", "which ", "who ", "what ", "when ", "in which ", "on "].iter().any(|word| text.starts_with(word));
    if asks && dice.chance(6) {
        text = format!("{} {text}", dice.pick(&POLITE).unwrap_or(&""));
    } else if dice.chance(3) {
        text.push_str(dice.pick(&[", please", " please", " pls", ", thanks"]).unwrap_or(&""));
    }
    if dice.chance(2) {
        text = slipped(&text, dice);
    }
    if dice.chance(20) {
        text = text.replace(['\'', '’'], "");
    }
    if dice.chance(12) {
        text = text.to_lowercase();
    } else if dice.chance(50) {
        let mut chars = text.chars();
        text = chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default();
    }
    let mark = if is_question { dice.chance(75) } else { dice.chance(8) };
    if mark { text + "?" } else { text }
}

/// A sentence in which two letters of a long word are swapped, or one is left out.
fn slipped(text: &str, dice: &mut Dice) -> String {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let is_long = |at: &usize| words[*at].len() > 6 && words[*at].chars().all(|c| c.is_ascii_lowercase());
    let long: Vec<usize> = (0..words.len()).filter(is_long).collect();
    if let Some(at) = dice.pick(&long) {
        let mut letters: Vec<char> = words[*at].chars().collect();
        let place = 2 + dice.below(letters.len() - 4);
        if dice.chance(50) {
            letters.swap(place, place + 1);
        } else {
            letters.remove(place);
        }
        words[*at] = letters.into_iter().collect();
    }
    words.join(" ")
}
