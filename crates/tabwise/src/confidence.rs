//! How sure an answer is. Candidates that give the same answer are pooled, and a pool's probability is the sum of theirs;
//! a few signals of the ranking (how probable, how far ahead, how many rivals, how many words left over) then go through a
//! logistic curve that was fitted on questions the model had not seen, so that 0.7 means "right in 7 cases of 10".

use crate::execute::Values;
use crate::features::Topic;
use crate::graph::Graph;
use crate::model::Calibration;
use crate::parse::{Candidate, Parse};
use crate::value::Value;
use rustc_hash::FxHashMap;

/// Candidates that give the same answer.
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
    let mut places: FxHashMap<Values, usize> = FxHashMap::default();
    let mut pools: Vec<Pool> = Vec::new();
    for (at, probability) in probabilities(candidates).into_iter().enumerate() {
        let place = *places.entry(said(&candidates[at], graph)).or_insert(pools.len());
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
    said.sort_unstable();
    said.dedup();
    said
}

/// What [`crate::value::Date::known`] gives for a date that is a year.
const YEAR: u8 = 4;

fn plain_number(text: &str) -> Option<Value> {
    let starts = text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
    let digits = || if text.contains(',') { text.replace(',', "").parse() } else { text.parse() };
    if starts && text.len() <= 20 { digits().ok().and_then(Value::number) } else { None }
}

/// What is known of a question's best answer before anyone has judged it.
#[derive(Clone, Debug, PartialEq)]
pub struct Signals(pub [f64; Signals::NAMES.len()]);

impl Signals {
    /// What the signals are, in their order.
    pub const NAMES: [&str; 9] = [
        "constant",
        "log-odds of the best answer",
        "log of its lead over the second",
        "log of the number of answers",
        "share of its best candidate",
        "score of its best candidate",
        "log of the number of its values",
        "share of the words that it leaves over",
        "number of linked words that it leaves over",
    ];

    /// The signals of a parse; `None` when there is no candidate.
    pub fn of(parse: &Parse, pools: &[Pool]) -> Option<Signals> {
        let first = pools.first()?;
        let best = &parse.candidates[first.best()];
        let p = first.probability.clamp(1e-6, 1.0 - 1e-6);
        let second = pools.get(1).map_or(0.0, |pool| pool.probability).max(1e-6);
        let own = probabilities(&parse.candidates)[first.best()];
        let extent = best.groups.iter().find_map(|group| match parse.groups.topic(*group) {
            Topic::Extent(extent) => Some(extent),
            _ => None,
        });
        Some(Signals([
            1.0,
            (p / (1.0 - p)).ln(),
            (p / second).ln().clamp(-5.0, 10.0),
            (pools.len() as f64).ln(),
            own / first.probability.max(f64::MIN_POSITIVE),
            (best.score / 10.0).clamp(-5.0, 5.0),
            (best.values().len().max(1) as f64).ln(),
            extent.map_or(0.0, |extent| extent.idle_share()),
            extent.map_or(0.0, |extent| extent.unheard()),
        ]))
    }
}

impl Calibration {
    /// How often an answer with these signals is right; the plain probability when nothing was learned.
    pub fn confidence(&self, signals: &Signals) -> f64 {
        match self.weights.len() == signals.0.len() {
            true => logistic(dot(&self.weights, &signals.0)),
            false => logistic(signals.0[1]),
        }
    }

    /// Fits the curve to answers of which it is known whether they were right: logistic regression by Newton's method,
    /// held back a little so that few answers do not make extreme weights. The same cases give the same curve.
    pub fn fit(cases: &[(Signals, bool)]) -> Calibration {
        let mut weights = vec![0.0; Signals::NAMES.len()];
        if cases.is_empty() {
            return Calibration::default();
        }
        for _ in 0..STEPS {
            let (gradient, hessian) = slopes(cases, &weights);
            let step = solve(hessian, gradient);
            let length = step.iter().map(|s| s * s).sum::<f64>().sqrt();
            let held = (LONGEST / length.max(f64::MIN_POSITIVE)).min(1.0);
            weights.iter_mut().zip(&step).for_each(|(weight, s)| *weight += s * held);
            if length < 1e-10 {
                break;
            }
        }
        Calibration { weights }
    }
}

const STEPS: usize = 100;
/// The longest step of Newton's method.
const LONGEST: f64 = 5.0;
/// The weight of the penalty, in cases.
const PENALTY: f64 = 1.0;

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The gradient of the penalised log-likelihood, and its second derivatives with their sign turned.
fn slopes(cases: &[(Signals, bool)], weights: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = weights.len();
    let mut gradient: Vec<f64> = weights.iter().map(|weight| -PENALTY * weight).collect();
    let mut hessian = vec![vec![0.0; n]; n];
    (0..n).for_each(|i| hessian[i][i] = PENALTY);
    for (Signals(x), is_right) in cases {
        let p = logistic(dot(weights, x));
        for i in 0..n {
            gradient[i] += (f64::from(u8::from(*is_right)) - p) * x[i];
            for j in 0..n {
                hessian[i][j] += p * (1.0 - p) * x[i] * x[j];
            }
        }
    }
    (gradient, hessian)
}

/// Solves `a x = b` for a positive definite `a` by elimination.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for pivot in 0..n {
        let row = a[pivot].clone();
        for below in pivot + 1..n {
            let factor = a[below][pivot] / row[pivot];
            a[below].iter_mut().zip(&row).for_each(|(x, p)| *x -= factor * p);
            b[below] -= factor * b[pivot];
        }
    }
    for at in (0..n).rev() {
        let known: f64 = (at + 1..n).map(|j| a[at][j] * b[j]).sum();
        b[at] = (b[at] - known) / a[at][at];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signals of which only the first are not 0.
    fn signals(first: &[f64]) -> Signals {
        let mut all = [0.0; Signals::NAMES.len()];
        all[..first.len()].copy_from_slice(first);
        Signals(all)
    }

    #[test]
    fn a_fitted_curve_says_how_often_answers_are_right() {
        let case = |odds: f64, right: bool| (signals(&[1.0, odds]), right);
        let sure = (0..1000).map(|n| case(2.0, n % 10 != 0));
        let unsure = (0..1000).map(|n| case(-2.0, n % 10 == 0));
        let curve = Calibration::fit(&sure.chain(unsure).collect::<Vec<_>>());
        assert!((curve.confidence(&case(2.0, true).0) - 0.9).abs() < 0.01);
        assert!((curve.confidence(&case(-2.0, true).0) - 0.1).abs() < 0.01);
    }

    #[test]
    fn without_cases_the_probability_is_the_confidence() {
        let signals = signals(&[1.0, 3f64.ln()]);
        assert!((Calibration::fit(&[]).confidence(&signals) - 0.75).abs() < 1e-9);
    }

    #[test]
    fn always_right_stays_finite() {
        let cases: Vec<_> = (0..50).map(|_| (signals(&[1.0, 5.0, 1.0]), true)).collect();
        let curve = Calibration::fit(&cases);
        assert!(curve.weights.iter().all(|weight| weight.is_finite()));
    }
}
