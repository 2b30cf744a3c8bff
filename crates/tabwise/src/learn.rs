//! Learning from answers: parse a question, see which candidates are right, and move the weights so that right ones score
//! higher. Examples of a batch are parsed side by side with the same weights and then applied in order, so the result is
//! the same for any number of threads.

use crate::confidence::probabilities;
use crate::evaluate::{Item, Prediction, Target};
use crate::features::Scene;
use crate::grammar::Grammar;
use crate::graph::Graph;
use crate::model::{Model, Weights};
use crate::parse::{Parse, parse};
use crate::settings::{Average, Objective, Settings};
use crate::value::{EntityId, Value};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Which candidates of a parse are right.
pub fn judge(parse: &Parse, graph: &Graph, target: &Target) -> Vec<bool> {
    let mut items: FxHashMap<EntityId, Item> = FxHashMap::default();
    let mut right = Vec::with_capacity(parse.candidates.len());
    for candidate in &parse.candidates {
        let values = candidate.values();
        for value in &values {
            if let Value::Entity(entity) = value {
                items.entry(*entity).or_insert_with(|| Item::predicted(graph.name(*entity)));
            }
        }
        right.push(target.matches(values.iter().map(|value| match value {
            Value::Number(n) => Prediction::Number(*n),
            Value::Date(date) => Prediction::Date(*date),
            Value::Entity(entity) => Prediction::Item(&items[entity]),
        })));
    }
    right
}

/// A move of the weights, sorted by feature.
pub type Gradient = Vec<(u64, f64)>;

/// What one example taught.
pub struct Lesson {
    pub gradient: Gradient,
    /// Whether the best candidate was right.
    pub is_right: bool,
    /// Whether any candidate was right.
    pub is_possible: bool,
}

/// Weights in training.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learner {
    settings: Settings,
    weights: FxHashMap<u64, Weight>,
    updates: u64,
    /// How many passes are done, those of all orders together.
    passes: usize,
    /// What the orders that are done add to the mean.
    mean: FxHashMap<u64, f64>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Weight {
    value: f64,
    /// The sum of the squares of its gradients.
    squares: f64,
    /// The update at which the penalty was last paid.
    paid: u64,
    /// The values it had, summed over the updates.
    sum: f64,
}

impl Weight {
    fn step(&self) -> f64 {
        1.0 / (1.0 + self.squares).sqrt()
    }

    /// Pays the penalty for the updates it was not part of, and counts the values it had meanwhile.
    fn pay(&mut self, updates: u64, l1: f64) {
        let value = self.at(updates, l1);
        self.sum += (self.value + value) / 2.0 * (updates - self.paid) as f64;
        self.value = value;
        self.paid = updates;
    }

    /// The value after the penalty for the updates it was not part of.
    fn at(&self, updates: u64, l1: f64) -> f64 {
        if self.value == 0.0 {
            return 0.0;
        }
        let penalty = l1 * (updates - self.paid) as f64 * self.step();
        if self.value > 0.0 { (self.value - penalty).max(0.0) } else { (self.value + penalty).min(0.0) }
    }
}

impl Weights for Learner {
    fn weight(&self, feature: u64) -> f64 {
        self.weights.get(&feature).map_or(0.0, |weight| weight.at(self.updates, self.settings.l1))
    }
}

/// After so many updates, features whose weight has come to 0 are forgotten.
const SWEEP: u64 = 5_000;
/// Smaller moves are not made: they cost more than they teach.
const SMALLEST: f64 = 1e-6;

impl Learner {
    pub fn new(settings: Settings) -> Learner {
        Learner { settings, weights: FxHashMap::default(), updates: 0, passes: 0, mean: FxHashMap::default() }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The pass that is under way, from 1, and how many there are in all; `None` when training is done.
    pub fn pass(&self) -> Option<(usize, usize)> {
        let all = self.settings.passes * self.settings.orders;
        (self.passes < all).then_some((self.passes + 1, all))
    }

    /// The order in which a pass goes through so many examples: the same in all passes over one order.
    pub fn order(&self, count: usize) -> Vec<usize> {
        shuffled(count, (self.passes / self.settings.passes.max(1)) as u64)
    }

    /// Ends a pass. After the last one over an order, its weights go into the mean, and the next order begins anew.
    pub fn end_pass(&mut self) {
        self.passes += 1;
        if self.passes.is_multiple_of(self.settings.passes) {
            for (key, value) in self.values() {
                *self.mean.entry(key).or_default() += value / self.settings.orders as f64;
            }
            self.weights = FxHashMap::default();
            self.updates = 0;
        }
    }

    /// Parses an example and says how the weights should move.
    pub fn learn(&self, scene: Scene, grammar: &Grammar, target: &Target) -> Lesson {
        let parse = parse(scene, grammar, &self.settings, self);
        let right = judge(&parse, scene.graph, target);
        let is_possible = right.contains(&true);
        let is_right = right.first() == Some(&true);
        let shares = match self.settings.objective {
            Objective::Likelihood => likelihood(&parse, &right),
            Objective::Best => best(&right),
        };
        Lesson { gradient: gradient(&parse, &shares), is_right, is_possible }
    }

    /// Moves the weights.
    pub fn apply(&mut self, gradient: &Gradient) {
        if gradient.is_empty() {
            return;
        }
        self.updates += 1;
        for (feature, slope) in gradient {
            let new = Weight { value: 0.0, squares: 0.0, paid: self.updates, sum: 0.0 };
            let weight = self.weights.entry(*feature).or_insert(new);
            weight.pay(self.updates, self.settings.l1);
            weight.squares += slope * slope;
            weight.value += slope * weight.step();
        }
        if self.updates.is_multiple_of(SWEEP) {
            self.sweep();
        }
    }

    fn sweep(&mut self) {
        let (updates, l1) = (self.updates, self.settings.l1);
        self.weights.retain(|_, weight| weight.at(updates, l1) != 0.0);
    }

    /// All that is needed to go on later.
    pub fn write(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("weights are plain data")
    }

    /// Reads what [`Learner::write`] wrote.
    pub fn read(bytes: &[u8]) -> Option<Learner> {
        postcard::from_bytes(bytes).ok()
    }

    /// The model: the mean over all orders.
    pub fn model(&self) -> Model {
        Model::new(self.settings.clone(), self.mean.iter().map(|(key, value)| (*key, *value)).collect())
    }

    /// The weights of this order: as they stand, or averaged over its updates.
    fn values(&self) -> Vec<(u64, f64)> {
        let value = |weight: &Weight| {
            let mut weight = *weight;
            weight.pay(self.updates, self.settings.l1);
            match self.settings.average {
                _ if weight.value == 0.0 => 0.0,
                Average::Last => weight.value,
                Average::All => weight.sum / self.updates.max(1) as f64,
            }
        };
        self.weights.iter().map(|(key, weight)| (*key, value(weight))).collect()
    }
}

/// For each candidate, its share among the right ones less its share among all.
fn likelihood(parse: &Parse, right: &[bool]) -> Vec<f64> {
    let all = probabilities(&parse.candidates);
    let sum: f64 = all.iter().zip(right).filter(|(_, right)| **right).map(|(p, _)| p).sum();
    if sum <= 0.0 {
        return Vec::new();
    }
    all.iter().zip(right).map(|(p, right)| if *right { p / sum - p } else { -p }).collect()
}

/// The best right candidate up, the best wrong one down.
fn best(right: &[bool]) -> Vec<f64> {
    let (Some(up), Some(down)) = (right.iter().position(|r| *r), right.iter().position(|r| !*r)) else {
        return Vec::new();
    };
    let mut shares = vec![0.0; right.len()];
    shares[up] = 1.0;
    shares[down] = -1.0;
    shares
}

/// The features of all candidates, each times its candidate's share: first summed by group, then by feature.
fn gradient(parse: &Parse, shares: &[f64]) -> Gradient {
    let mut by_group = vec![0.0; parse.groups.len()];
    for (candidate, share) in parse.candidates.iter().zip(shares).filter(|(_, share)| **share != 0.0) {
        for group in &candidate.groups {
            by_group[*group as usize] += share;
        }
    }
    let mut slopes: Gradient = Vec::new();
    for (group, share) in by_group.iter().enumerate().filter(|(_, share)| share.abs() > SMALLEST) {
        slopes.extend(parse.groups.features(group as u32).iter().map(|feature| (*feature, *share)));
    }
    slopes.sort_by_key(|(feature, _)| *feature);
    slopes.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    slopes.retain(|(_, slope)| slope.abs() > SMALLEST);
    slopes
}

/// The numbers up to a count, shuffled: the same way for the same seed.
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut state = 1 + seed;
    for at in (1..count).rev() {
        order.swap(at, (random(&mut state) % (at as u64 + 1)) as usize);
    }
    order
}

/// The next number of a fixed sequence (splitmix64).
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
