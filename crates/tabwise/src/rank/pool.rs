//! Pools: candidates that give the same answer for the same reason count together. The probability of a pool is the sum of its members'.

use super::Candidate;
use crate::execute::{Denotation, Values};
use crate::graph::Graph;
use crate::value::Value;
use rustc_hash::FxHashMap;

/// Candidates that give the same answer for the same reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Positions among the candidates, the best first.
    pub members: Vec<usize>,
    /// The sum of the members' probabilities.
    pub probability: f64,
}

impl Pool {
    /// The best of its candidates.
    pub fn best(&self) -> usize {
        self.members[0]
    }
}

/// The probability of each candidate by its score; they add up to 1.
pub fn probabilities(candidates: &[Candidate]) -> Vec<f64> {
    let most = candidates.iter().map(|candidate| candidate.score).fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = candidates.iter().map(|candidate| (candidate.score - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The candidates by what they answer, the most probable answer first; of equals, the one with the better candidate.
pub fn pools(candidates: &[Candidate], graph: &Graph) -> Vec<Pool> {
    let mut places: FxHashMap<(Values, u64), usize> = FxHashMap::default();
    let mut pools: Vec<Pool> = Vec::new();
    for (at, probability) in probabilities(candidates).into_iter().enumerate() {
        let place = *places.entry((said(&candidates[at], graph), candidates[at].basis)).or_insert(pools.len());
        if place == pools.len() {
            pools.push(Pool { members: Vec::new(), probability: 0.0 });
        }
        pools[place].members.push(at);
        pools[place].probability += probability;
    }
    pools.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.best().cmp(&b.best())));
    pools
}

/// The values as a reader sees them: a text that is nothing but a number is that number.
fn said(candidate: &Candidate, graph: &Graph) -> Values {
    let plain = |value: Value| match value {
        Value::Entity(entity) => plain_number(graph.name(entity)).unwrap_or(value),
        Value::Date(date) if date.known() == YEAR => date.year().map_or(value, |year| Value::Number(f64::from(year))),
        _ => value,
    };
    let mut said: Values = candidate.values().into_iter().map(plain).collect();
    // The lines of a table of groups stay together.
    if !matches!(&*candidate.denotation, Denotation::Groups(_)) {
        said.sort_unstable();
        said.dedup();
    }
    said
}

/// Value of [`crate::value::Date::known`] for a date that is only a year.
const YEAR: u8 = 4;

fn plain_number(text: &str) -> Option<Value> {
    let starts = text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
    let digits = || if text.contains(',') { text.replace(',', "").parse() } else { text.parse() };
    if starts && text.len() <= 20 { digits().ok().and_then(Value::number) } else { None }
}
