//! Answers: the plain record that leaves the library, and the one call that makes it. An answer says what it is, how sure
//! it is, the formula behind it, the same in English and step by step, the cells it was read from, and what else the
//! question might have meant.
//!
//! ```
//! use tabwise::model::Model;
//! use tabwise::table::Table;
//!
//! let table = Table::from_csv("City,Year\nAthens,1896\nParis,1900\n")?;
//! let answer = Model::embedded().ask(&table, "which city was last?");
//! assert_eq!(answer.meanings[0].english, answer.english);
//! # Ok::<(), tabwise::table::TableError>(())
//! ```

mod knowledge;
mod record;
mod unused;

pub use knowledge::{Knowledge, KnowledgeError};
pub use record::{Answer, Listed, Meaning, Unused};
pub use unused::unused;

use crate::confidence::{Pool, Signals, pools, probabilities};
use crate::execute::{Denotation, Evidence, distinct, evidence};
use crate::explain::Explainer;
use crate::features::Scene;
use crate::formula::notation;
use crate::graph::{Cell, Graph};
use crate::model::Model;
use crate::parse::{Parse, parse};
use crate::question::{Question, Vocabulary};
use crate::table::Table;
use crate::value::{Date, Value, show_number};

/// What is wanted of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Below this confidence the answer abstains.
    pub min_confidence: f64,
    /// How many meanings are explained.
    pub meanings: usize,
    /// How many candidates are listed.
    pub candidates: usize,
}

impl Wanted {
    /// Below this confidence an answer is wrong more than four times in five, which is more of a guess than is useful: of
    /// held-out questions, about 13 % are answered so unsurely, about 17 % of those rightly (`tabwise eval` prints what
    /// thresholds do).
    pub const MIN_CONFIDENCE: f64 = 0.2;
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted { min_confidence: Wanted::MIN_CONFIDENCE, meanings: 4, candidates: 10 }
    }
}

/// A table made ready for questions: the work that is the same for each of them is done once.
pub struct PreparedTable {
    pub graph: Graph,
    pub vocabulary: Vocabulary,
}

impl PreparedTable {
    pub fn new(table: &Table, knowledge: &Knowledge) -> PreparedTable {
        let graph = Graph::new(table, &knowledge.words);
        let vocabulary = Vocabulary::new(&graph, &knowledge.annotator);
        PreparedTable { graph, vocabulary }
    }

    /// Annotates a question about this table.
    pub fn question(&self, text: &str, knowledge: &Knowledge, model: &Model) -> Question {
        let (graph, vocabulary) = (&self.graph, &self.vocabulary);
        Question::new(text, graph, vocabulary, &knowledge.annotator, &knowledge.words, model.settings.linking)
    }

    /// The candidates for a question, ranked.
    pub fn candidates<'a>(&'a self, question: &'a Question, knowledge: &Knowledge, model: &Model) -> Parse<'a> {
        let scene = Scene { graph: &self.graph, vocabulary: &self.vocabulary, question };
        parse(scene, &knowledge.grammar, &model.settings.for_rows(self.graph.row_count()), model)
    }
}

/// Knowledge and a model: all that answering needs besides a table and a question.
pub struct Asker {
    pub knowledge: Knowledge,
    pub model: Model,
}

impl Asker {
    /// The knowledge and the model that are part of the program.
    pub fn embedded() -> Asker {
        Asker { knowledge: Knowledge::embedded(), model: Model::embedded() }
    }

    /// Makes a table ready for questions.
    pub fn prepare(&self, table: &Table) -> PreparedTable {
        PreparedTable::new(table, &self.knowledge)
    }

    /// Answers a question about a table.
    pub fn ask(&self, table: &PreparedTable, question: &str, wanted: &Wanted) -> Answer {
        ask(table, question, &self.knowledge, &self.model, wanted)
    }
}

/// Answers a question about a table.
pub fn ask(table: &PreparedTable, question: &str, knowledge: &Knowledge, model: &Model, wanted: &Wanted) -> Answer {
    let question = table.question(question, knowledge, model);
    let parse = table.candidates(&question, knowledge, model);
    Teller { knowledge, model, question: &question, wanted, parse }.tell()
}

impl Model {
    /// Answers one question about a table with the knowledge that is part of the program. For several questions make an
    /// [`Asker`] and a [`PreparedTable`], which cost more than a question.
    pub fn ask(&self, table: &Table, question: &str) -> Answer {
        let knowledge = Knowledge::embedded();
        ask(&PreparedTable::new(table, &knowledge), question, &knowledge, self, &Wanted::default())
    }
}

/// Makes the record of what a parse found.
struct Teller<'a> {
    knowledge: &'a Knowledge,
    model: &'a Model,
    question: &'a Question,
    wanted: &'a Wanted,
    parse: Parse<'a>,
}

impl Teller<'_> {
    fn tell(mut self) -> Answer {
        let pools = pools(&self.parse.candidates, self.parse.executor.graph());
        let Some(signals) = Signals::of(&self.parse, &pools) else { return self.nothing() };
        let confidence = self.model.calibration.confidence(&signals);
        let shown = &pools[..pools.len().min(self.wanted.meanings.max(1))];
        let shares = shares(confidence, shown);
        let meanings: Vec<Meaning> =
            shown.iter().zip(shares).map(|(pool, confidence)| self.meaning(pool, confidence)).collect();
        let abstains = confidence < self.wanted.min_confidence;
        let unused = self.unused(pools[0].best());
        let hint = abstains.then(|| self.hint(&unused));
        let count = self.parse.candidates.len();
        Answer::new(self.question, meanings, abstains, hint, unused, self.listed(), count)
    }

    fn nothing(&self) -> Answer {
        let words = self.knowledge.phrases.hints();
        let hint = match self.parse.executor.graph().row_count() {
            0 => words.no_rows.clone(),
            _ => words.no_candidate.clone(),
        };
        Answer::new(self.question, Vec::new(), true, Some(hint), Vec::new(), Vec::new(), 0)
    }

    fn hint(&self, unused: &[Unused]) -> String {
        let words = self.knowledge.phrases.hints();
        match unused {
            [] => words.unsure.clone(),
            _ => {
                let list: Vec<&str> = unused.iter().map(|word| word.text.as_str()).collect();
                words.unused.fill(&[("words", &list.join(", "))])
            }
        }
    }

    fn meaning(&mut self, pool: &Pool, confidence: f64) -> Meaning {
        let candidate = self.parse.candidates[pool.best()].clone();
        let Parse { formulas, executor, .. } = &mut self.parse;
        let Evidence { answer, used, columns } = evidence(executor, formulas, candidate.formula);
        let graph = executor.graph();
        let answer_cells = match (&*candidate.denotation, candidate.derivation) {
            (Denotation::Values(items), None) => items.iter().filter_map(|item| item.cell).collect(),
            _ => answer,
        };
        let formula = notation::show(formulas, graph, candidate.formula);
        let paper = notation::paper(formulas, graph, candidate.formula);
        let mut explainer = Explainer::new(&self.knowledge.phrases, formulas, executor);
        Meaning {
            answer: answer_of(graph, &candidate.denotation),
            confidence,
            english: explainer.english(candidate.formula),
            steps: explainer.steps(candidate.formula),
            formula,
            paper,
            cells: places(&answer_cells),
            used: places(&used),
            columns: columns.iter().map(|column| column.0).collect(),
        }
    }

    fn unused(&self, candidate: usize) -> Vec<Unused> {
        let candidate = &self.parse.candidates[candidate];
        unused(&self.parse, candidate, self.model, &self.knowledge.words)
    }

    fn listed(&self) -> Vec<Listed> {
        let graph = self.parse.executor.graph();
        let all = self.parse.candidates.iter().zip(probabilities(&self.parse.candidates));
        let listed = all.take(self.wanted.candidates).map(|(candidate, probability)| Listed {
            formula: notation::show(&self.parse.formulas, graph, candidate.formula),
            answer: answer_of(graph, &candidate.denotation),
            score: candidate.score,
            probability,
        });
        listed.collect()
    }
}

/// The confidence of each meaning: what the first leaves is shared among the others by their probability, and none is
/// surer than a more probable one.
fn shares(confidence: f64, pools: &[Pool]) -> Vec<f64> {
    let left = (1.0 - pools[0].probability).max(f64::MIN_POSITIVE);
    let odds = confidence / pools[0].probability.max(f64::MIN_POSITIVE);
    let share = |pool: &Pool| ((1.0 - confidence) * pool.probability / left).min(odds * pool.probability);
    std::iter::once(confidence).chain(pools[1..].iter().map(share)).collect()
}

fn places(cells: &[Cell]) -> Vec<[u32; 2]> {
    cells.iter().map(|cell| [cell.row, u32::from(cell.column.0)]).collect()
}

/// The values of an answer as they are printed, each once.
pub fn answer_of(graph: &Graph, denotation: &Denotation) -> Vec<String> {
    match denotation {
        Denotation::Values(items) => distinct(items).into_iter().map(|value| show_value(graph, value)).collect(),
        _ => Vec::new(),
    }
}

/// A value as it is printed in an answer: a text as it stands in the table, a number without noise, a date as
/// `yyyy-mm-dd` with `xx` for what is unknown, or as its year when nothing else is known.
pub fn show_value(graph: &Graph, value: Value) -> String {
    match value {
        Value::Entity(entity) => graph.name(entity).to_string(),
        Value::Number(n) => show_number(n),
        Value::Date(date) => show_date(date),
    }
}

fn show_date(date: Date) -> String {
    match (date.year(), date.month(), date.day()) {
        (Some(year), None, None) => year.to_string(),
        _ => date.to_string().to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_meaning_is_surer_than_a_more_probable_one() {
        let pool = |probability| Pool { members: vec![0], probability };
        let pools = [pool(0.55), pool(0.44), pool(0.01)];
        for confidence in [0.1, 0.37, 0.9] {
            let shares = shares(confidence, &pools);
            assert!(shares.is_sorted_by(|a, b| a >= b), "{shares:?}");
            assert!(shares.iter().sum::<f64>() <= 1.0 + 1e-9, "{shares:?}");
        }
    }
}
