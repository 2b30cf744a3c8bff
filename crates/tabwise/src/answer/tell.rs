//! Telling: from ranked candidates to the record of an answer.

use super::confirm::Confirmed;
use super::execution::read_formula;
use super::print::{Printer, groups_of};
use super::ran::Ran;
use super::unused::{meant, unused};
use super::{Answer, Asker, Listed, Meaning, PreparedTable, Unused, Wanted};
use crate::execute::{Denotation, Evidence, Executor, Item, distinct, evidence};
use crate::explain::Explainer;
use crate::formula::{FormulaId, notation};
use crate::graph::Cell;
use crate::meter::{Budget, Exceeded, Meter};
use crate::rank::{Candidate, Pool, Ranking, probabilities};
use crate::sql::{self, Dialect, Schema};
use crate::value::Value;
use std::rc::Rc;

/// Makes the record of a ranking.
pub(super) struct Teller<'a> {
    asker: &'a Asker,
    wanted: &'a Wanted,
    table: &'a PreparedTable,
    ranking: Ranking<'a>,
    /// What is shown of a ranking that was made by a sample.
    confirmed: Option<Confirmed>,
    /// What is shown of a ranking whose formulas an engine ran.
    ran: Option<Ran>,
}

impl<'a> Teller<'a> {
    pub(super) fn new(
        asker: &'a Asker,
        wanted: &'a Wanted,
        table: &'a PreparedTable,
        ranking: Ranking<'a>,
    ) -> Teller<'a> {
        let shown = wanted.meanings.max(1);
        let (ranking, confirmed) = match ranking.groups.scene().question.sample {
            Some(_) => {
                let (ranking, confirmed) = Confirmed::new(ranking, &table.graph, shown, asker.settings());
                (ranking, Some(confirmed))
            }
            None => (ranking, None),
        };
        Teller { asker, wanted, table, ranking, confirmed, ran: None }
    }

    /// Tells what an engine ran.
    pub(super) fn of_engine(
        asker: &'a Asker,
        wanted: &'a Wanted,
        table: &'a PreparedTable,
        ranking: Ranking<'a>,
        ran: Ran,
    ) -> Teller<'a> {
        Teller { asker, wanted, table, ranking, confirmed: None, ran: Some(ran) }
    }

    /// The answer, its meanings and the words it does not use.
    pub(super) fn tell(mut self) -> Result<Answer, Exceeded> {
        let corrected = self.corrected();
        let answer = self.ranked()?;
        Ok(match corrected {
            Some((meaning, id)) => answer.corrected(meaning, id, self.wanted.meanings.max(1)),
            None => answer,
        })
    }

    /// The answer that someone gave to this question about this table before, and the name of the correction. A formula that
    /// cannot be used any more, because the table has changed, gives none.
    fn corrected(&mut self) -> Option<(Meaning, String)> {
        let question = self.ranking.groups.scene().question;
        let correction = self.asker.corrections().find(self.table, &question.text)?;
        let meaning = match &correction.formula {
            Some(formula) => {
                let formulas = self.ranking.executor.formulas_mut();
                let formula = read_formula(formula, &self.table.graph, formulas).ok()?;
                let denotation = self.ranking.executor.denote(formula).ok().filter(|found| found.is_answer())?;
                self.meaning_of(formula, None, &denotation, 1.0)
            }
            None => Meaning {
                answer: correction.answer.clone(),
                confidence: 1.0,
                english: TYPED.to_string(),
                ..Meaning::none()
            },
        };
        Some((meaning, correction.id.clone()))
    }

    /// The answer by the ranking.
    fn ranked(&mut self) -> Result<Answer, Exceeded> {
        let meter = self.meter()?;
        let (pools, signals) = self.ranking.pooled();
        let Some(signals) = signals else { return Ok(self.nothing()) };
        if self.ranking.candidates[pools[0].best()].extent.is_deaf() {
            return Ok(self.nothing());
        }
        let confidence = self.asker.model().calibration.confidence(&signals);
        let shown = &pools[..pools.len().min(self.wanted.meanings.max(1))];
        let shares = shares(confidence, shown);
        let mut meanings: Vec<Meaning> = Vec::with_capacity(shown.len());
        for (pool, confidence) in shown.iter().zip(shares) {
            meter.take(self.weight(pool)).map_err(|_| self.ranking.executor.graph().exceeded())?;
            meanings.push(self.meaning(pool, confidence));
        }
        self.meter()?;
        let abstains = confidence < self.wanted.min_confidence;
        let unused = self.unused(pools[0].best());
        let hint = abstains.then(|| self.hint(&unused));
        let count = self.ranking.candidates.len();
        let question = &self.ranking.groups.scene().question.text;
        let answer = Answer::new(question, meanings, abstains, hint, unused, self.listed(), count);
        let misspelt = answer.unused.iter().filter_map(|word| self.note_on_misspelt(word));
        let notes = misspelt.chain(self.note_on_sample(abstains)).collect();
        Ok(Answer { notes, ..answer })
    }

    /// A note on a word that is not used and is nearly a cell.
    fn note_on_misspelt(&self, word: &Unused) -> Option<String> {
        let scene = self.ranking.groups.scene();
        let name = meant(word, scene.question, scene.graph)?;
        Some(format!("the table has no \"{}\"; did you mean \"{name}\"?", word.text))
    }

    /// A note on a sample that may have misled: something better by the sample does not hold on all rows, or nothing was
    /// found that is sure.
    fn note_on_sample(&self, abstains: bool) -> Option<String> {
        let scene = self.ranking.groups.scene();
        let (failed, some, all) = match (&self.confirmed, &self.ran) {
            (_, Some(ran)) => (ran.failed, scene.graph.row_count(), ran.rows),
            (Some(confirmed), _) => (confirmed.failed, scene.graph.row_count(), self.table.graph.row_count()),
            (None, None) => return None,
        };
        let misled = some < all && (failed > 0 || abstains);
        misled.then(|| {
            format!(
                "interpretations were looked for in {some} of {all} rows, so one may be missing; the values are computed \
                 from all rows"
            )
        })
    }

    /// Denotation of a candidate, on all rows if it is shown.
    fn denotation(&self, candidate: &Candidate) -> Rc<Denotation> {
        let confirmed = self.confirmed.as_ref().and_then(|confirmed| confirmed.get(candidate));
        confirmed.unwrap_or(&candidate.denotation).clone()
    }

    /// What the search has left of the memory; an error if it had to leave formulas out.
    fn meter(&self) -> Result<Meter, Exceeded> {
        let executor = &self.ranking.executor;
        match executor.is_full() {
            true => Err(executor.graph().exceeded()),
            false => Ok(Meter::new(Budget { memory: executor.room(), ..Budget::UNLIMITED })),
        }
    }

    /// Bytes of memory that a meaning takes, at most: each of its texts is in the answer, in a table, in formulas, in
    /// English and in its steps; each of its cells is in two lists.
    fn weight(&self, pool: &Pool) -> usize {
        const COPIES: usize = 12;
        let graph = self.ranking.executor.graph();
        let length = |value: Value| match value {
            Value::Entity(entity) => graph.name(entity).len() + size_of::<String>(),
            _ => size_of::<String>(),
        };
        let text = |items: &[Item]| distinct(items).into_iter().map(length).sum::<usize>();
        let texts = match &*self.denotation(&self.ranking.candidates[pool.best()]) {
            Denotation::Values(items) => text(items),
            Denotation::Groups(groups) => {
                groups.iter().map(|group| length(group.key.value) + text(&group.values)).sum()
            }
            Denotation::Rows(rows) => rows.count() * size_of::<String>(),
            Denotation::Passing(_) => 0,
        };
        let cells = graph.row_count().saturating_mul(size_of::<Cell>() + size_of::<[u32; 2]>());
        texts.saturating_mul(COPIES).saturating_add(cells)
    }

    fn nothing(&self) -> Answer {
        let words = self.asker.knowledge().phrases.hints();
        let hint = match self.ranking.executor.graph().row_count() {
            0 => &words.no_rows,
            _ => &words.no_candidate,
        };
        let none = Answer::none(&self.ranking.groups.scene().question.text, hint);
        Answer { notes: self.note_on_sample(true).into_iter().collect(), ..none }
    }

    fn hint(&self, unused: &[Unused]) -> String {
        let words = self.asker.knowledge().phrases.hints();
        let unfound = unused.iter().filter(|word| self.note_on_misspelt(word).is_none());
        let list: Vec<&str> = unfound.map(|word| word.text.as_str()).collect();
        match list.is_empty() {
            true => words.unsure.clone(),
            false => words.unused.fill(&[("words", &list.join(", "))]),
        }
    }

    fn meaning(&mut self, pool: &Pool, confidence: f64) -> Meaning {
        let candidate = self.ranking.candidates[pool.best()].clone();
        if let Some(found) = self.ran.as_ref().and_then(|ran| ran.get(&candidate)) {
            let mut explainer = Explainer::new(&self.asker.knowledge().phrases, &mut self.ranking.executor);
            return found.meaning(&mut explainer, candidate.formula, confidence);
        }
        let denotation = self.denotation(&candidate);
        // A cell of the retrieval baseline has no derivation, and its formula tells nothing of its place.
        let cells = match (&*denotation, candidate.derivation) {
            (Denotation::Values(items), None) => Some(items.iter().filter_map(|item| item.cell).collect()),
            _ => None,
        };
        self.meaning_of(candidate.formula, cells, &denotation, confidence)
    }

    /// The meaning of a formula. Its cells are found if they are not known.
    fn meaning_of(
        &mut self,
        id: FormulaId,
        cells: Option<Vec<Cell>>,
        denotation: &Denotation,
        confidence: f64,
    ) -> Meaning {
        let executor = &mut self.ranking.executor;
        let Evidence { answer, used, columns } = evidence(executor, id);
        let graph = executor.graph();
        let cells = cells.unwrap_or(answer);
        let answer = Printer::new(executor, id).answer(denotation);
        let formula = notation::show(executor.formulas(), graph, id);
        let paper = notation::paper(executor.formulas(), graph, id);
        let (sql, sql_note) = query(executor, id, self.table);
        let mut explainer = Explainer::new(&self.asker.knowledge().phrases, executor);
        Meaning {
            answer,
            table: groups_of(&mut explainer, id, denotation),
            confidence,
            english: explainer.english(id),
            steps: explainer.steps(id),
            formula,
            paper,
            sql,
            sql_note,
            cells: places(&cells),
            used: places(&used),
            columns: columns.iter().map(|column| column.0).collect(),
        }
    }

    /// Values of a candidate as they are printed.
    fn values(&self, candidate: &Candidate) -> Vec<String> {
        let printer = Printer::new(&self.ranking.executor, candidate.formula);
        match self.ran.as_ref().and_then(|ran| ran.get(candidate)) {
            Some(found) => found.values(&printer),
            None => printer.answer(&self.denotation(candidate)),
        }
    }

    fn unused(&self, candidate: usize) -> Vec<Unused> {
        unused(&self.ranking, &self.ranking.candidates[candidate], self.asker)
    }

    fn listed(&self) -> Vec<Listed> {
        let executor = &self.ranking.executor;
        // Of a sample, only what is shown was executed on all rows.
        let is_known = |candidate: &Candidate| match (&self.confirmed, &self.ran) {
            (_, Some(ran)) => ran.get(candidate).is_some(),
            (Some(confirmed), _) => confirmed.get(candidate).is_some(),
            (None, None) => true,
        };
        let all = self.ranking.candidates.iter().zip(probabilities(&self.ranking.candidates));
        let all = all.filter(|(candidate, _)| is_known(candidate));
        let listed = all.take(self.wanted.candidates).map(|(candidate, probability)| Listed {
            formula: notation::show(executor.formulas(), executor.graph(), candidate.formula),
            answer: self.values(candidate),
            score: candidate.score,
            probability,
        });
        listed.collect()
    }
}

/// English for an answer that was typed in and that no formula gives.
const TYPED: &str = "the answer that was typed in; no formula that was found gives it";

/// The confidence of each meaning: what the first leaves is shared among the others by their probability, and none is
/// surer than a more probable one.
fn shares(confidence: f64, pools: &[Pool]) -> Vec<f64> {
    let left = (1.0 - pools[0].probability).max(f64::MIN_POSITIVE);
    let odds = confidence / pools[0].probability.max(f64::MIN_POSITIVE);
    let share = |pool: &Pool| ((1.0 - confidence) * pool.probability / left).min(odds * pool.probability);
    std::iter::once(confidence).chain(pools[1..].iter().map(share)).collect()
}

/// A formula as a query, and a sentence on it.
fn query(executor: &Executor, formula: FormulaId, table: &PreparedTable) -> (Option<String>, Option<String>) {
    let graph = executor.graph();
    let schema = Schema::knowing(graph, &table.name, &table.known);
    match sql::query(executor.formulas(), graph, &schema, formula, Dialect::default()) {
        Ok(sql) => {
            let note = sql.note(&schema);
            (Some(sql.text), note)
        }
        Err(reason) => (None, Some(reason.to_string())),
    }
}

fn places(cells: &[Cell]) -> Vec<[u32; 2]> {
    cells.iter().map(|cell| [cell.row, u32::from(cell.column.0)]).collect()
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
