//! Calibration: from what the ranking knows of its best answer to how often such an answer is right. A few named signals
//! go through a logistic curve that was fitted on questions the model had not seen, so that 0.7 means "right in 7 cases
//! of 10". Answers that a reader chose have a curve of their own: its scores mean something else than the linear ones.

use crate::named::{Named, named};
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

named! {
    /// Something that is known of a question's best answer before anyone has judged it.
    pub enum Signal is "signal" {
        /// 1, for the constant term of the curve
        Constant => "constant",
        /// log-odds of the best answer
        Odds => "odds",
        /// log of its lead over the second
        Lead => "lead",
        /// score of the best candidate less that of the best one with another answer
        Margin => "margin",
        /// log of the number of answers
        Answers => "answers",
        /// share of the best candidate in the probability of the best answer
        Share => "share",
        /// score of the best candidate
        Score => "score",
        /// log of the number of values
        Values => "values",
        /// share of the content words that are neither used nor a cue for an operation used
        Idle => "idle",
        /// number of linked words that are neither used nor a cue for an operation used
        Unheard => "unheard",
        /// number of decisive words that are neither used nor a cue for an operation used
        Ignored => "ignored",
        /// number of things about the answer's formula that go against the question
        Contrary => "contrary",
        /// number of words that name a column which is not used
        Named => "named",
        /// number of content words that are linked to nothing and suggest nothing
        Strange => "strange",
        /// number of names that are linked to nothing and suggest nothing
        Foreign => "foreign",
        /// number of columns that rows are put in order by, or numbers are read from, and that no word names
        Guessed => "guessed",
        /// 1 if the noun of the question names another column than that of the answer
        Elsewhere => "elsewhere",
        /// 1 if the noun of the question names nothing in the table
        Unknown => "unknown",
        /// 1 if that is so, and no word names the column of the answer either
        Blind => "blind",
        /// 1 if rows are counted and the noun of the question names nothing
        Nameless => "nameless",
        /// 1 if the answer does not look as the form of the question asks for
        Unlike => "unlike",
        /// 1 if the answer is a number of rows
        Counted => "counted",
        /// 1 if the answer is a table of groups
        Groups => "groups",
        /// 1 if the answer is read from the row with the most or least of something, in a column whose cells repeat
        Several => "several",
        /// log of the number of columns
        Columns => "columns",
        /// 1 if a reader chose the answer that was first without it
        Agreed => "agreed",
        /// linear score of the best candidate less that of the best one with another answer, if a reader chose
        Before => "before",
    }
}

/// A value for each [`Signal`].
#[derive(Clone, Debug, PartialEq)]
pub struct Signals {
    values: [f64; Signal::ALL.len()],
    /// True when a reader chose the answer.
    pub is_read: bool,
}

impl Signals {
    /// Signals whose values a function gives.
    pub fn new(is_read: bool, value: impl FnMut(Signal) -> f64) -> Signals {
        Signals { values: Signal::ALL.map(value), is_read }
    }

    /// The value of a signal.
    pub fn get(&self, signal: Signal) -> f64 {
        self.values[signal as usize]
    }
}

/// Most confidence of an answer without an operation that the question asks for, such as *not* and *percent*; by default it is
/// withheld. Training has too few of them to learn that they are wrong.
const MOST_UNHEEDING: f64 = 0.15;

/// The curves of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Curve for answers of the linear ranking.
    linear: Curve,
    /// Curve for answers that a reader chose.
    read: Curve,
}

impl Calibration {
    /// Probability that an answer with these signals is right; the ranking's own probability when nothing was learned.
    pub fn confidence(&self, signals: &Signals) -> f64 {
        let curve = if signals.is_read { &self.read } else { &self.linear };
        let most = if signals.get(Signal::Ignored) > 0.0 { MOST_UNHEEDING } else { 1.0 };
        curve.confidence(signals).min(most)
    }

    /// Fits the curves to answers that were judged.
    pub fn fit(cases: &[(Signals, bool)]) -> Calibration {
        let (read, linear): (Vec<_>, Vec<_>) = cases.iter().partition(|(signals, _)| signals.is_read);
        Calibration { linear: Curve::fit(&linear), read: Curve::fit(&read) }
    }
}

/// A logistic curve over the signals.
#[derive(Clone, Debug, Default, PartialEq)]
struct Curve {
    /// The weight of each signal; `None` when nothing was learned.
    weights: Option<[f64; Signal::ALL.len()]>,
}

/// Weights are stored by the names of their signals.
impl Serialize for Curve {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let weights = self.weights.iter().flatten();
        let named: BTreeMap<&str, &f64> = Signal::ALL.iter().map(|signal| signal.name()).zip(weights).collect();
        named.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Curve {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Curve, D::Error> {
        let stored: BTreeMap<String, f64> = BTreeMap::deserialize(deserializer)?;
        if stored.is_empty() {
            return Ok(Curve::default());
        }
        let is_known = stored.len() == Signal::ALL.len() && stored.keys().all(|name| Signal::named(name).is_some());
        match is_known {
            true => Ok(Curve { weights: Some(Signal::ALL.map(|signal| stored[signal.name()])) }),
            false => Err(D::Error::custom("the calibration has other signals than this program")),
        }
    }
}

impl Curve {
    fn confidence(&self, signals: &Signals) -> f64 {
        match &self.weights {
            Some(weights) => logistic(dot(weights, &signals.values)),
            None => logistic(signals.get(Signal::Odds)),
        }
    }

    /// Fits the curve to answers that were judged: logistic regression by Newton's method, with a small penalty so that
    /// few answers do not make extreme weights. The same cases give the same curve.
    fn fit(cases: &[&(Signals, bool)]) -> Curve {
        if cases.is_empty() {
            return Curve::default();
        }
        let mut weights = [0.0; Signal::ALL.len()];
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
        Curve { weights: Some(weights) }
    }
}

/// The most steps of Newton's method.
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
fn slopes(cases: &[&(Signals, bool)], weights: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = weights.len();
    let mut gradient: Vec<f64> = weights.iter().map(|weight| -PENALTY * weight).collect();
    let mut hessian = vec![vec![0.0; n]; n];
    (0..n).for_each(|i| hessian[i][i] = PENALTY);
    for (signals, is_right) in cases.iter().copied() {
        let x = &signals.values;
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
        Signals::new(false, |signal| first.get(signal as usize).copied().unwrap_or(0.0))
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
    fn answers_that_a_reader_chose_have_a_curve_of_their_own() {
        let case = |is_read, right| (Signals { is_read, ..signals(&[1.0]) }, right);
        let linear = (0..1000).map(|n| case(false, n % 4 == 0));
        let read = (0..1000).map(|n| case(true, n % 4 != 0));
        let curves = Calibration::fit(&linear.chain(read).collect::<Vec<_>>());
        assert!((curves.confidence(&case(false, true).0) - 0.25).abs() < 0.01);
        assert!((curves.confidence(&case(true, true).0) - 0.75).abs() < 0.01);
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
        assert!(curve.linear.weights.iter().flatten().all(|weight| weight.is_finite()));
    }

    #[test]
    fn a_curve_is_stored_by_the_names_of_its_signals() {
        let curve = Calibration::fit(&[(signals(&[1.0, 2.0]), true), (signals(&[1.0, -2.0]), false)]);
        let mut stored = serde_json::to_value(&curve).unwrap();
        assert_eq!(serde_json::from_value::<Calibration>(stored.clone()).unwrap(), curve);
        stored["linear"].as_object_mut().unwrap().remove("lead");
        assert!(serde_json::from_value::<Calibration>(stored).is_err());
        assert_eq!(serde_json::from_str::<Curve>("{}").unwrap(), Curve::default());
    }
}
