//! [`Overlay`]: small changes on top of the weights of a model, which stays as it is. Corrections of users make one.

use super::Model;
use crate::features::Weights;
use rustc_hash::FxHashMap;

/// Changes of weights, by feature.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay {
    changes: FxHashMap<u64, f64>,
}

impl Overlay {
    /// Largest change of one weight, however many corrections ask for more. Weights of the model are about this large.
    pub const BOUND: f64 = 0.5;

    /// True if nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Moves some weights, within the bound.
    pub fn add(&mut self, moves: &[(u64, f64)]) {
        for (feature, change) in moves.iter().filter(|(_, change)| change.is_finite()) {
            let sum = self.changes.entry(*feature).or_default();
            *sum = (*sum + change).clamp(-Overlay::BOUND, Overlay::BOUND);
        }
    }

    /// The weights of a model with the changes.
    pub fn over<'a>(&'a self, model: &'a Model) -> Overlaid<'a> {
        Overlaid { model, overlay: self }
    }
}

/// Weights of a model with changes.
#[derive(Clone, Copy)]
pub struct Overlaid<'a> {
    model: &'a Model,
    overlay: &'a Overlay,
}

impl Weights for Overlaid<'_> {
    fn weight(&self, feature: u64) -> f64 {
        self.model.weight(feature) + self.overlay.changes.get(&feature).copied().unwrap_or(0.0)
    }

    fn sum(&self, features: &[u64]) -> f64 {
        let changes = features.iter().filter_map(|feature| self.overlay.changes.get(feature));
        self.model.sum(features) + changes.sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_bounded_and_add_to_the_model() {
        let model = Model::embedded();
        let mut overlay = Overlay::default();
        assert!(overlay.is_empty());
        overlay.add(&[(7, 0.3), (8, f64::NAN)]);
        overlay.add(&[(7, 0.3), (9, -3.0)]);
        let weights = overlay.over(&model);
        let change = |feature: u64| weights.weight(feature) - model.weight(feature);
        assert_eq!((change(7), change(8), change(9)), (Overlay::BOUND, 0.0, -Overlay::BOUND));
        assert_eq!(weights.sum(&[7, 8, 9]), model.sum(&[7, 8, 9]));
    }
}
