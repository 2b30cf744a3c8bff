//! Candidates as the reader sees them, the sentence of a formula and the answer it gives; and the headers of the columns that the
//! candidates speak of, from which a teacher learns. The reader does without them: they would cost it as much as the rest.

use super::Printer;
use crate::explain::{Explainer, Phrases};
use crate::formula::Node;
use crate::graph::ColumnId;
use crate::rank::{Pool, Ranking};
use std::collections::BTreeSet;

/// Number of values of an answer that are shown.
const VALUES: usize = 3;

/// Number of answers whose candidates give the headers, however few of them are read.
const SPOKEN: usize = 20;

/// Texts of the best candidates of the first `count` answers: `SENTENCE = ANSWER`.
pub fn texts(ranking: &mut Ranking, pools: &[Pool], count: usize, phrases: &Phrases) -> Vec<String> {
    pools.iter().take(count).map(|pool| sentence(ranking, pool.best(), phrases)).collect()
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

/// Headers of the columns that the best candidates of the first answers speak of, in the order of the table: `HEADER | HEADER`.
pub fn headers(ranking: &Ranking, pools: &[Pool]) -> String {
    let pools = &pools[..pools.len().min(SPOKEN)];
    let (formulas, graph) = (ranking.executor.formulas(), ranking.executor.graph());
    let mut columns: BTreeSet<ColumnId> = BTreeSet::new();
    for pool in pools {
        for part in formulas.parts(ranking.candidates[pool.best()].formula) {
            if let Node::Column(column) = formulas.node(part) {
                columns.insert(column);
            }
        }
    }
    columns.iter().map(|column| graph.column(*column).header.as_str()).collect::<Vec<_>>().join(" | ")
}
