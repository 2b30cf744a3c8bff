//! Candidates as the reader sees them: the sentence of a formula, the answer it gives, and the headers of the columns that
//! the candidates speak of.

use super::Printer;
use crate::explain::{Explainer, Phrases};
use crate::formula::Node;
use crate::graph::ColumnId;
use crate::rank::Ranking;
use std::collections::BTreeSet;

/// Number of values of an answer that are shown.
const VALUES: usize = 3;

/// Texts of some candidates, given by their positions: `SENTENCE = ANSWER ; HEADER | HEADER`.
pub fn texts(ranking: &mut Ranking, read: &[usize], phrases: &Phrases) -> Vec<String> {
    let headers = headers(ranking, read);
    read.iter().map(|at| format!("{} ; {headers}", sentence(ranking, *at, phrases))).collect()
}

/// The sentence of a candidate and its answer.
fn sentence(ranking: &mut Ranking, at: usize, phrases: &Phrases) -> String {
    let candidate = &ranking.candidates[at];
    let english = Explainer::new(phrases, &mut ranking.executor).english(candidate.formula);
    let values = Printer::new(&ranking.executor, candidate.formula).answer(&candidate.denotation);
    let more = if values.len() > VALUES { format!(" ({})", values.len()) } else { String::new() };
    let shown: Vec<&str> = values.iter().take(VALUES).map(String::as_str).collect();
    format!("{english} = {}{more}", shown.join(", "))
}

/// Headers of the columns that candidates speak of, in the order of the table.
fn headers(ranking: &Ranking, read: &[usize]) -> String {
    let (formulas, graph) = (ranking.executor.formulas(), ranking.executor.graph());
    let mut columns: BTreeSet<ColumnId> = BTreeSet::new();
    for at in read {
        for part in formulas.parts(ranking.candidates[*at].formula) {
            if let Node::Column(column) = formulas.node(part) {
                columns.insert(column);
            }
        }
    }
    columns.iter().map(|column| graph.column(*column).header.as_str()).collect::<Vec<_>>().join(" | ")
}
