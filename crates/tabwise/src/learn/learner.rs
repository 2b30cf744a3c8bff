//! Weights in training. Each example gives a lesson, a move of the weights that puts right candidates above wrong ones;
//! steps shrink with the size of past moves (AdaGrad), and an L1 penalty draws weights towards 0.

use crate::features::{GroupId, Weights};
use crate::hash::Fingerprint;
use crate::model::Model;
use crate::rank::{Ranking, probabilities};
use crate::settings::{Average, Objective, Settings};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A move of the weights, sorted by feature.
pub(super) type Gradient = Vec<(u64, f64)>;

/// Weights in training.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Learner {
    settings: Settings,
    weights: FxHashMap<u64, Weight>,
    /// Number of moves in this order.
    updates: u64,
    /// Number of passes that are done, those of all orders together.
    passes: usize,
    /// Sum of the shares of the orders that are done.
    mean: FxHashMap<u64, f64>,
}

/// One weight. The penalty is lazy: a move touches a few thousand of a million weights, so each pays for the updates it
/// was not part of when it is next looked at.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Weight {
    value: f64,
    /// Sum of the squares of its gradients.
    squares: f64,
    /// Update up to which the penalty is paid.
    paid: u64,
    /// Sum of its values over the updates, for the average.
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

/// Number of updates after which features whose weight has come to 0 are forgotten.
const SWEEP: u64 = 5_000;
/// Smaller moves are not made: they cost more than they teach.
const SMALLEST: f64 = 1e-6;

impl Learner {
    pub(super) fn new(settings: Settings) -> Learner {
        Learner { settings, weights: FxHashMap::default(), updates: 0, passes: 0, mean: FxHashMap::default() }
    }

    /// The pass that is under way, from 1, and how many there are in all; `None` when training is done.
    pub(super) fn pass(&self) -> Option<(usize, usize)> {
        let all = self.settings.passes * self.settings.orders;
        (self.passes < all).then_some((self.passes + 1, all))
    }

    /// The order in which a pass goes through `count` examples: the same in all passes over one order.
    pub(super) fn order(&self, count: usize) -> Vec<usize> {
        shuffled(count, (self.passes / self.settings.passes.max(1)) as u64)
    }

    /// Ends a pass. After the last one over an order, its weights go into the mean, and the next order begins anew.
    pub(super) fn end_pass(&mut self) {
        self.passes += 1;
        if self.passes.is_multiple_of(self.settings.passes) {
            for (key, value) in self.values() {
                *self.mean.entry(key).or_default() += value / self.settings.orders as f64;
            }
            self.weights = FxHashMap::default();
            self.updates = 0;
        }
    }

    /// The move that raises the right ones of ranked candidates.
    pub(super) fn gradient(&self, ranking: &Ranking, right: &[bool]) -> Gradient {
        let shares = match self.settings.objective {
            Objective::Likelihood => likelihood(ranking, right),
            Objective::Best => best(right),
        };
        gradient(ranking, &shares)
    }

    /// Moves the weights.
    pub(super) fn apply(&mut self, gradient: &Gradient) {
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

    /// The model: the mean over all orders.
    pub(super) fn model(&self, knowledge: Fingerprint) -> Model {
        Model::new(self.settings.clone(), knowledge, self.mean.iter().map(|(key, value)| (*key, *value)).collect())
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
pub(super) fn likelihood(ranking: &Ranking, right: &[bool]) -> Vec<f64> {
    let all = probabilities(&ranking.candidates);
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

/// The features of all candidates, each times its candidate's share.
pub(super) fn gradient(ranking: &Ranking, shares: &[f64]) -> Gradient {
    let shared = ranking.candidates.iter().zip(shares).filter(|(_, share)| **share != 0.0);
    let shared = shared.map(|(candidate, share)| -> (&[GroupId], f64) { (&candidate.groups, *share) });
    let mut slopes = ranking.groups.shared(shared, SMALLEST);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn learner(average: Average, l1: f64, orders: usize) -> Learner {
        Learner::new(Settings { average, l1, orders, passes: 1, ..Settings::default() })
    }

    /// The weight that a model gets for a feature after these moves, each a slope of feature 7.
    fn after(mut learner: Learner, slopes: &[f64]) -> f64 {
        slopes.iter().for_each(|slope| learner.apply(&vec![(7, *slope)]));
        learner.end_pass();
        learner.mean[&7]
    }

    #[test]
    fn steps_shrink_with_the_squares_of_past_slopes() {
        let two = 1.0 / 2f64.sqrt() + 1.0 / 3f64.sqrt();
        assert!((after(learner(Average::Last, 0.0, 1), &[1.0, 1.0]) - two).abs() < 1e-12);
        assert!(
            (after(learner(Average::Last, 0.0, 1), &[1.0, -1.0]) - (2f64.sqrt().recip() - 3f64.sqrt().recip())).abs()
                < 1e-12
        );
    }

    #[test]
    fn the_average_is_over_the_updates() {
        let first = 1.0 / 2f64.sqrt();
        // The value is `first` during the second update and `first + 1/√3` from then on, which is no update long.
        let mean = after(learner(Average::All, 0.0, 1), &[1.0, 1.0]);
        assert!((mean - first / 2.0).abs() < 1e-12, "{mean}");
        assert_ne!(mean, after(learner(Average::Last, 0.0, 1), &[1.0, 1.0]));
    }

    #[test]
    fn the_penalty_draws_towards_zero_and_stops_there() {
        let mut learner = learner(Average::Last, 0.01, 1);
        learner.apply(&vec![(7, 1.0)]);
        let start = 1.0 / 2f64.sqrt();
        assert_eq!(learner.weight(7), start);
        (0..10).for_each(|_| learner.apply(&vec![(8, 0.5)]));
        let paid = start - 10.0 * 0.01 / 2f64.sqrt();
        assert!((learner.weight(7) - paid).abs() < 1e-12, "{}", learner.weight(7));
        (0..200).for_each(|_| learner.apply(&vec![(8, 0.5)]));
        assert_eq!(learner.weight(7), 0.0);
        learner.apply(&vec![(9, -1.0)]);
        learner.apply(&vec![(8, 0.5)]);
        assert!(learner.weight(9) < 0.0 && learner.weight(9) > -1.0 / 2f64.sqrt());
    }

    #[test]
    fn weights_of_zero_are_swept_away() {
        let mut learner = learner(Average::Last, 0.01, 1);
        learner.apply(&vec![(7, 1.0)]);
        (1..SWEEP).for_each(|_| learner.apply(&vec![(8, 0.5)]));
        assert!(!learner.weights.contains_key(&7) && learner.weights.contains_key(&8));
    }

    #[test]
    fn a_move_without_slopes_is_no_update() {
        let mut learner = learner(Average::Last, 0.01, 1);
        learner.apply(&Vec::new());
        assert_eq!(learner.updates, 0);
    }

    #[test]
    fn the_model_is_the_mean_of_the_orders() {
        let mut learner = learner(Average::Last, 0.0, 2);
        assert_eq!(learner.pass(), Some((1, 2)));
        learner.apply(&vec![(7, 1.0)]);
        learner.end_pass();
        assert_eq!((learner.weight(7), learner.updates), (0.0, 0), "the next order begins anew");
        let order = |learner: &Learner| learner.order(50);
        let second = order(&learner);
        learner.apply(&vec![(7, 1.0)]);
        learner.apply(&vec![(7, 1.0)]);
        learner.end_pass();
        assert_eq!(learner.pass(), None);
        let (one, two) = (2f64.sqrt().recip(), 2f64.sqrt().recip() + 3f64.sqrt().recip());
        assert!((learner.mean[&7] - (one + two) / 2.0).abs() < 1e-12);
        assert_ne!(second, order(&Learner::new(learner.settings.clone())));
    }

    #[test]
    fn orders_are_shuffles() {
        let mut order = shuffled(100, 3);
        assert!(!order.is_sorted() && order != shuffled(100, 4) && order == shuffled(100, 3));
        order.sort_unstable();
        assert_eq!(order, (0..100).collect::<Vec<_>>());
        assert_eq!(shuffled(5, 0), [2, 1, 4, 3, 0], "the order of training must not change in silence");
    }

    #[test]
    fn the_best_right_candidate_goes_up_and_the_best_wrong_one_down() {
        assert_eq!(best(&[false, false, true, true]), [-1.0, 0.0, 1.0, 0.0]);
        assert_eq!(best(&[true, false]), [1.0, -1.0]);
        assert!(best(&[true, true]).is_empty() && best(&[false]).is_empty());
    }
}
