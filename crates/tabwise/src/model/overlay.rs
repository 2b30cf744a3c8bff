//! An overlay: changes of weights that corrections make on top of a model, which itself stays as it is. It is the sum of
//! one bounded [`Step`] for each correction, so taking a correction back leaves no trace of it.

use super::Model;
use crate::features::Weights;
use rustc_hash::FxHashMap;
use serde::de::{Deserializer, Error};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

/// Change of weights that one correction makes, sorted by feature.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step(Vec<(u64, f32)>);

/// Length of the longest step: the square root of the sum of its squares.
pub const LONGEST_STEP: f64 = 1.0;
/// Largest change of one weight by all corrections together.
const LARGEST_CHANGE: f64 = 0.5;

impl Step {
    /// A step in a direction, of a length that is at most [`LONGEST_STEP`].
    pub fn new(mut direction: Vec<(u64, f64)>, length: f64) -> Step {
        direction.retain(|(_, change)| change.is_finite() && *change != 0.0);
        direction.sort_by_key(|(feature, _)| *feature);
        let norm = direction.iter().map(|(_, change)| change * change).sum::<f64>().sqrt();
        let scale = length.clamp(0.0, LONGEST_STEP) / norm.max(f64::MIN_POSITIVE);
        let changes = direction.into_iter().map(|(feature, change)| (feature, (change * scale) as f32));
        Step(changes.filter(|(_, change)| *change != 0.0).collect())
    }

    /// Features and their changes.
    pub fn changes(&self) -> &[(u64, f32)] {
        &self.0
    }

    /// Length of the step.
    pub fn length(&self) -> f64 {
        self.0.iter().map(|(_, change)| f64::from(*change).powi(2)).sum::<f64>().sqrt()
    }
}

/// A feature is written as sixteen hexadecimal digits: many programs that read JSON cannot hold the number.
impl Serialize for Step {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !to.is_human_readable() {
            return self.0.serialize(to);
        }
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (feature, change) in &self.0 {
            map.serialize_entry(&format!("{feature:016x}"), change)?;
        }
        map.end()
    }
}

/// A step that was made longer by hand is shortened.
impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Step, D::Error> {
        if !from.is_human_readable() {
            return Ok(Step(Vec::deserialize(from)?));
        }
        let written: BTreeMap<String, f32> = BTreeMap::deserialize(from)?;
        let mut changes = Vec::with_capacity(written.len());
        for (feature, change) in written {
            let number = u64::from_str_radix(&feature, 16).ok().filter(|_| feature.len() == 16 && change.is_finite());
            let number = number.ok_or_else(|| D::Error::custom(format_args!("{feature:?} is no feature of a step")))?;
            changes.push((number, change));
        }
        let step = Step(changes);
        match step.length() {
            length if length <= LONGEST_STEP * 1.001 => Ok(step),
            _ => Ok(Step::new(step.0.iter().map(|(f, change)| (*f, f64::from(*change))).collect(), LONGEST_STEP)),
        }
    }
}

/// Sum of steps.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    changes: FxHashMap<u64, f64>,
}

impl Overlay {
    /// The sum of some steps, taken in their order, so that it is the same every time.
    pub fn of<'s>(steps: impl Iterator<Item = &'s Step>) -> Overlay {
        let mut overlay = Overlay::default();
        steps.for_each(|step| overlay.add(step));
        overlay
    }

    /// Adds a step.
    pub fn add(&mut self, step: &Step) {
        for (feature, change) in &step.0 {
            *self.changes.entry(*feature).or_default() += f64::from(*change);
        }
    }

    /// True if nothing was learned.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Sum of the changes of some features, each within its bound.
    fn sum(&self, features: &[u64]) -> f64 {
        let change = |feature: &u64| self.changes.get(feature).map_or(0.0, |c| c.clamp(-LARGEST_CHANGE, LARGEST_CHANGE));
        features.iter().map(change).sum()
    }
}

/// Weights of a model with an overlay on them.
#[derive(Clone, Copy, Debug)]
pub struct Taught<'m> {
    /// The model.
    pub model: &'m Model,
    /// Changes of its weights.
    pub overlay: &'m Overlay,
}

impl Weights for Taught<'_> {
    fn weight(&self, feature: u64) -> f64 {
        self.model.weight(feature) + self.taught(&[feature])
    }

    fn sum(&self, features: &[u64]) -> f64 {
        self.model.sum(features) + self.taught(features)
    }

    fn taught(&self, features: &[u64]) -> f64 {
        if self.overlay.is_empty() { 0.0 } else { self.overlay.sum(features) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_bounded_whatever_it_is_made_of() {
        for direction in [vec![(1, 3.0), (2, -4.0)], vec![(1, 1e300), (2, f64::NAN)], vec![(7, f64::INFINITY)], vec![]] {
            assert!(Step::new(direction, 1e9).length() <= LONGEST_STEP * 1.000_001);
        }
        let step = Step::new(vec![(2, -4.0), (1, 3.0)], 0.5);
        assert_eq!(step.changes(), [(1, 0.3), (2, -0.4)]);
    }

    #[test]
    fn a_written_step_reads_back_and_a_lengthened_one_is_shortened() {
        let step = Step::new(vec![(u64::MAX, 1.0), (3, 0.25)], 1.0);
        let text = serde_json::to_string(&step).expect("plain data");
        assert!(text.contains("\"ffffffffffffffff\""), "{text}");
        assert_eq!(serde_json::from_str::<Step>(&text).expect("just written"), step);
        let long: Step = serde_json::from_str(r#"{"0000000000000001": 1e30}"#).expect("a step");
        assert!((long.length() - LONGEST_STEP).abs() < 1e-6);
        for wrong in [r#"{"1": 1}"#, r#"{"000000000000000x": 1}"#, r#"[1]"#] {
            assert!(serde_json::from_str::<Step>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn many_steps_in_one_direction_change_a_weight_no_further_than_its_bound() {
        let steps: Vec<Step> = (0..1000).map(|_| Step::new(vec![(5, 1.0)], 1.0)).collect();
        let (model, overlay) = (Model::embedded(), Overlay::of(steps.iter()));
        let taught = Taught { model: &model, overlay: &overlay };
        assert_eq!(taught.weight(5) - model.weight(5), LARGEST_CHANGE);
        assert_eq!(taught.weight(6), model.weight(6));
    }
}
