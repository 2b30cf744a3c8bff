//! Questions that go on from the one before: "and in Paris?", "of those, the largest?", "how old is he?". [`Dialogue`]
//! remembers the last question and its answer, and makes of such a piece a question that stands on its own, or one about
//! the rows of the last answer. The model never sees the piece itself.

mod replace;
mod words;

use crate::answer::{Answer, Asker, Meaning, PreparedTable, Wanted};
use crate::question::{ColumnKind, LinkKind, Question};
use crate::table::Table;
use crate::text::Tag;
use crate::value::Value;
use replace::{Pair, text};
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use words::{DialogueWords, at, find, is_one};

/// Questions about one table, each understood in sight of the one before it.
pub struct Dialogue {
    words: DialogueWords,
    /// Questions that were asked, the last one at the end.
    turns: VecDeque<Turn>,
}

/// A question that was asked, and its answer.
#[derive(Clone)]
struct Turn {
    question: String,
    answer: Answer,
}

/// Meaning of a question after the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Understood {
    /// The question stands on its own.
    Alone,
    /// It means this one.
    As(String),
    /// It means this one, asked of some rows of the table.
    Among {
        /// Question that stands on its own.
        question: String,
        /// Rows of the last answer, from 0.
        rows: Vec<usize>,
    },
}

/// Most questions that are remembered.
const MOST_TURNS: usize = 100;
/// Most words of a piece without a leader such as "and".
const LONGEST_PIECE: usize = 5;

impl Default for Dialogue {
    fn default() -> Dialogue {
        Dialogue { words: DialogueWords::embedded(), turns: VecDeque::new() }
    }
}

impl Dialogue {
    /// Answers a question in sight of the last one. `prepared` must be the same table, made ready by the same asker.
    pub fn ask(
        &mut self,
        asker: &Asker,
        (table, prepared): (&Table, &PreparedTable),
        question: &str,
        wanted: &Wanted,
    ) -> (Answer, Understood) {
        let understood = self.understand(asker, prepared, question);
        let (asked, answer) = match &understood {
            Understood::Alone => (question.to_string(), asker.ask(prepared, question, wanted)),
            Understood::As(asked) => (asked.clone(), asker.ask(prepared, asked, wanted)),
            Understood::Among { question, rows } => {
                let part = asker.prepare(&rows_of(table, rows));
                let answer = asker.ask(&part, question, wanted);
                (question.clone(), in_whole_table(answer, rows, asker))
            }
        };
        if self.turns.len() == MOST_TURNS {
            self.turns.pop_front();
        }
        self.turns.push_back(Turn { question: asked, answer: answer.clone() });
        (answer, understood)
    }

    /// Puts another answer in the place of the last one, which was corrected.
    pub fn correct(&mut self, answer: Answer) {
        if let Some(turn) = self.turns.back_mut() {
            turn.answer = answer;
        }
    }

    /// Forgets the last question; returns the one before it, as it was understood, with its answer.
    pub fn undo(&mut self) -> Option<(&str, &Answer)> {
        self.turns.pop_back();
        self.turns.back().map(|turn| (turn.question.as_str(), &turn.answer))
    }

    /// Finds what a question means after the last one.
    pub fn understand(&self, asker: &Asker, table: &PreparedTable, question: &str) -> Understood {
        let Some(turn) = self.turns.back() else { return Understood::Alone };
        let (last, next) = (asker.question(table, &turn.question), asker.question(table, question));
        if let Some(group) = find(&next, &self.words.groups) {
            return self.among(&next, group, turn, table).unwrap_or(Understood::Alone);
        }
        let piece = self.piece(&next);
        let referring = self.referring(&last, &next, piece.clone(), turn, table);
        if let Some(question) = referring {
            return Understood::As(question);
        }
        let Some(piece) = piece else { return Understood::Alone };
        if is_one(&next, piece.start, &self.words.openers) {
            return Understood::As(text(&next, &(piece.start..next.tokens.len())));
        }
        let (graph, words) = (&table.graph, &asker.knowledge().words);
        let pair = Pair { last: &last, next: &next, piece, graph, words, dialogue: &self.words };
        pair.question().map_or(Understood::Alone, Understood::As)
    }

    /// The tokens of a piece of a question, without the words that lead it in and without a question mark.
    fn piece(&self, next: &Question) -> Option<Range<usize>> {
        let end = next.tokens.iter().rposition(is_word)? + 1;
        if let Some(leader) = self.words.leader(next).filter(|leader| leader.end < end) {
            return Some(leader.end..end);
        }
        let is_bare = next.links.iter().any(|link| link.tokens == (0..end));
        let is_place = matches!(next.tokens[0].tag, Tag::In | Tag::To);
        let leads = [&self.words.dividers, &self.words.negations].iter().any(|words| is_one(next, 0, words));
        (end <= LONGEST_PIECE && (is_bare || is_place || leads)).then_some(0..end)
    }

    /// A question with words for the thing that the last one was about, such as *it* and *his*.
    fn referring(
        &self,
        last: &Question,
        next: &Question,
        piece: Option<Range<usize>>,
        turn: &Turn,
        table: &PreparedTable,
    ) -> Option<String> {
        let start = piece.map_or(0, |piece| piece.start);
        let place = find(next, &self.words.places).filter(|tokens| {
            tokens.start.checked_sub(1).is_some_and(|before| is_one(next, before, &self.words.place_verbs))
        });
        let found = [find(next, &self.words.things), find(next, &self.words.owners), place];
        let thing = found.iter().any(Option::is_some).then(|| referent(last, turn, table))??;
        let questions = &self.words.questions;
        match found {
            [Some(tokens), ..] => Some(replaced(next, start, tokens, &thing)),
            [_, Some(owner), _] => {
                let end = next.tokens.iter().rposition(is_word)? + 1;
                let noun = text(next, &(owner.end..end));
                let asks = is_one(next, start, &self.words.openers);
                match asks {
                    false => Some(questions.of.replace("{noun}", &noun).replace("{thing}", &thing) + "?"),
                    true => {
                        let column = next.columns.iter().filter(|link| link.tokens.start == owner.end);
                        let end = column.map(|link| link.tokens.end).max().unwrap_or(owner.end + 1);
                        let noun = text(next, &(owner.end..end));
                        Some(replaced(next, start, owner.start..end, &format!("the {noun} of {thing}")))
                    }
                }
            }
            [_, _, Some(tokens)] => Some(replaced(next, start, tokens, &questions.at.replace("{thing}", &thing))),
            _ => None,
        }
    }

    /// A question about the rows of the last answer.
    fn among(&self, next: &Question, group: Range<usize>, turn: &Turn, table: &PreparedTable) -> Option<Understood> {
        let best = turn.answer.meanings.first()?;
        let cells = if best.cells.is_empty() { &best.used } else { &best.cells };
        let rows: BTreeSet<usize> = cells.iter().map(|cell| cell[0] as usize).collect();
        let columns = table.graph.columns();
        // The cells of a number that was counted or computed are not what those rows are called by.
        let is_shown = |[row, column]: &[u32; 2]| {
            let entity = columns[*column as usize].cells.get(*row as usize);
            entity.is_some_and(|entity| best.answer.iter().any(|text| text == table.graph.name(*entity)))
        };
        let named = cells.first().map(|cell| if is_shown(cell) { cell[1] as usize } else { 0 })?;
        let column = &columns[named].header;
        let before = text(next, &(0..group.start));
        let start = (group.end..next.tokens.len()).find(|at| is_word(&next.tokens[*at])).unwrap_or(group.end);
        let start = if is_one(next, start, &["and".to_owned()]) { start + 1 } else { start };
        let after = text(next, &(start..next.tokens.len()));
        let question = match before.is_empty() || self.words.leaders.contains(&before.to_lowercase()) {
            true => self.with_noun(next, start, &after, column),
            false => self.counted(next, group.start, &before, &after, column),
        };
        Some(Understood::Among { question, rows: rows.into_iter().collect() })
    }

    /// The rest of a question that began with "of those": "the largest?", "which had the most?".
    fn with_noun(&self, next: &Question, start: usize, rest: &str, column: &str) -> String {
        let questions = &self.words.questions;
        let which = |verb: &str, rest: &str| {
            let which = questions.which.replace("{column}", column).replace("{verb}", verb);
            which.replace("{rest}", rest.trim())
        };
        if let Some(one) = self.words.one_with.iter().find_map(|phrase| at(next, start, phrase)) {
            return which(&questions.has, &text(next, &(one.end..next.tokens.len())));
        }
        match is_one(next, start, &self.words.openers) {
            true if next.tokens.get(start + 1).is_some_and(is_verb) && next.tokens[start].text == "which" => {
                format!("which {column} {}", text(next, &(start + 1..next.tokens.len())))
            }
            true if at(next, start, "how many").is_some() && next.tokens.get(start + 2).is_some_and(is_verb) => {
                format!("how many rows {}", text(next, &(start + 2..next.tokens.len())))
            }
            true => rest.to_string(),
            false if names_column(next, start) => which(&questions.has, rest),
            false => which(&questions.is, rest),
        }
    }

    /// A question with "of those" inside: "how many of those were in Rome?", "which of them is the oldest?".
    fn counted(&self, next: &Question, group: usize, before: &str, after: &str, column: &str) -> String {
        let is_count = next.tokens[group - 1].text == "many";
        let noun = if is_count { "rows" } else { column };
        match is_one(next, group - 1, &self.words.openers) || is_count {
            true => format!("{before} {noun} {after}"),
            false => format!("{before} {after}"),
        }
    }
}

/// True if a piece names a column after its first word: "the largest price", but not "the oldest", which only means one.
fn names_column(next: &Question, start: usize) -> bool {
    let is_degree = |at: usize| [Tag::Jjs, Tag::Rbs].contains(&next.tokens[at].tag);
    let mut named = next.columns.iter().filter(|link| link.kind != ColumnKind::Typo && link.tokens.start > start);
    named.any(|link| !link.tokens.clone().any(is_degree))
}

/// The thing that the last question was about: its answer, if that is a name, or else a name in the question.
fn referent(last: &Question, turn: &Turn, table: &PreparedTable) -> Option<String> {
    let is_name = |text: &str| text.chars().any(char::is_alphabetic);
    let answer = turn.answer.meanings.first().filter(|best| best.answer.len() == 1).map(|best| best.answer[0].clone());
    if let Some(name) = answer.as_ref().filter(|answer| is_name(answer)) {
        return Some(name.clone());
    }
    let named = last.links.iter().filter(|link| link.kind == LinkKind::Cell);
    let named = named.filter_map(|link| match link.value {
        Value::Entity(entity) => Some((link.tokens.len(), table.graph.name(entity).to_string())),
        _ => None,
    });
    named.filter(|(_, name)| is_name(name)).max_by_key(|(length, _)| *length).map(|(_, name)| name).or(answer)
}

/// The question from a token on, with other words for some of its tokens.
fn replaced(question: &Question, start: usize, tokens: Range<usize>, words: &str) -> String {
    let (from, to) = (question.tokens[tokens.start].start, question.tokens[tokens.end - 1].end);
    let start = question.tokens[start].start.min(from);
    format!("{}{words}{}", &question.text[start..from], &question.text[to..])
}

fn is_word(token: &crate::text::Token) -> bool {
    token.text.chars().any(char::is_alphanumeric)
}

fn is_verb(token: &crate::text::Token) -> bool {
    token.tag == Tag::Aux || ["VB", "MD"].iter().any(|kind| token.tag.as_str().starts_with(kind))
}

/// The table with these rows alone.
fn rows_of(table: &Table, rows: &[usize]) -> Table {
    let mut part = Table::new(table.header().to_vec());
    rows.iter().filter(|row| **row < table.row_count()).for_each(|row| part.push_row(table.row(*row)));
    part
}

/// An answer about some rows, with the places of its cells in the whole table.
fn in_whole_table(mut answer: Answer, rows: &[usize], asker: &Asker) -> Answer {
    let row = |row: u32| rows.get(row as usize).map_or(row, |row| *row as u32);
    let cells = |cells: &mut Vec<[u32; 2]>| cells.iter_mut().for_each(|cell| cell[0] = row(cell[0]));
    let phrases = &asker.knowledge().phrases;
    let steps = |steps: &mut Vec<crate::explain::Step>| {
        for step in steps.iter_mut() {
            cells(&mut step.cells);
            for result in &mut step.result {
                let named = (0..rows.len()).find(|part| phrases.row(part + 1) == *result);
                *result = named.map_or_else(|| result.clone(), |part| phrases.row(rows[part] + 1));
            }
        }
    };
    let whole = |meaning: &mut Meaning| {
        cells(&mut meaning.cells);
        cells(&mut meaning.used);
        steps(&mut meaning.steps);
        (meaning.sql, meaning.sql_note) = no_query();
    };
    answer.meanings.iter_mut().for_each(whole);
    cells(&mut answer.cells);
    cells(&mut answer.used);
    steps(&mut answer.steps);
    (answer.sql, answer.sql_note) = no_query();
    answer
}

/// No query reads the rows of an answer alone, and one of the whole table would mean something else.
fn no_query() -> (Option<String>, Option<String>) {
    (None, Some("there is no query for a question about the rows of the answer before it".to_owned()))
}
