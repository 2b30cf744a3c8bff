//! Executing a formula that someone wrote: its values, its type, the cells behind them, and the formula in other words.

use super::{Error, Groups, groups_of};
use crate::execute::{Denotation, Evidence, Executor, Undefined, evidence};
use crate::explain::{Explainer, Phrases};
use crate::formula::types::type_of;
use crate::formula::{FormulaId, Formulas, lisp, notation};
use crate::graph::{Cell, Graph};
use serde::Serialize;

/// Result of a formula.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Execution {
    /// Values or rows; rows are counted from 1.
    pub denotation: Vec<String>,
    /// The same as a table, if it is one of groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<Groups>,
    /// Type of the formula.
    #[serde(rename = "type")]
    pub kind: String,
    /// Row and column, from 0, of the cells that the result was read or computed from.
    pub cells: Vec<[u32; 2]>,
    /// Cells that conditions and orderings were evaluated on.
    pub used: Vec<[u32; 2]>,
    /// Formula in the notation that reads back.
    pub formula: String,
    /// Formula with the signs of the paper.
    pub paper: String,
    /// Formula in English.
    pub english: String,
    /// Reason why there is no value, if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

impl Execution {
    /// Executes a formula, in our notation or in that of the dataset.
    ///
    /// # Errors
    ///
    /// If the formula cannot be read or has no type in this table. One that has no value there is no error.
    pub fn new(formula: &str, graph: &Graph, phrases: &Phrases) -> Result<Execution, Error> {
        let mut formulas = Formulas::new();
        let id = read_formula(formula, graph, &mut formulas)?;
        let kind = type_of(&formulas, graph, id)?;
        let (formula, paper) = (notation::show(&formulas, graph, id), notation::paper(&formulas, graph, id));
        let mut executor = Executor::new(graph, formulas);
        let found = executor.denote(id);
        let found = found.as_deref();
        let Evidence { answer, used, .. } = evidence(&mut executor, id);
        let mut explainer = Explainer::new(phrases, &mut executor);
        Ok(Execution {
            denotation: found.map(|denotation| shown(denotation, graph)).unwrap_or_default(),
            table: found.ok().and_then(|denotation| groups_of(&mut explainer, id, denotation)),
            kind: kind.to_string(),
            cells: places(&answer),
            used: places(&used),
            english: explainer.english(id),
            formula,
            paper,
            undefined: why_nothing(found),
        })
    }
}

/// Reads a formula in our notation or in that of the dataset.
///
/// # Errors
///
/// If it is in neither of them, or names something that the table does not have.
pub fn read_formula(text: &str, graph: &Graph, formulas: &mut Formulas) -> Result<FormulaId, Error> {
    match lisp::is_lisp(text) {
        true => Ok(lisp::read(text, graph, formulas)?),
        false => Ok(notation::read(text, graph, formulas)?),
    }
}

/// The values or rows of a denotation; rows are counted from 1.
fn shown(denotation: &Denotation, graph: &Graph) -> Vec<String> {
    let number = |row: usize| format!("row {}", row + 1);
    match denotation {
        Denotation::Rows(rows) => match rows.ranking() {
            Some(ranking) => ranking.iter().map(|row| number(*row as usize)).collect(),
            None => rows.iter().map(number).collect(),
        },
        _ => denotation.show(graph),
    }
}

/// The reason for an empty or undefined result; `None` if there is a value.
fn why_nothing(found: Result<&Denotation, &Undefined>) -> Option<String> {
    match found {
        Err(undefined) => Some(format!("the formula is undefined in this table: {undefined}")),
        Ok(Denotation::Passing(_)) => Some(format!("the formula is undefined in this table: {}", Undefined::Infinite)),
        Ok(denotation) => {
            denotation.is_empty().then(|| "the result is empty: nothing in this table matches the formula".into())
        }
    }
}

fn places(cells: &[Cell]) -> Vec<[u32; 2]> {
    cells.iter().map(|cell| [cell.row, u32::from(cell.column.0)]).collect()
}
