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
pub const LARGEST_CHANGE: f64 = 0.5;

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
        let change =
            |feature: &u64| self.changes.get(feature).map_or(0.0, |c| c.clamp(-LARGEST_CHANGE, LARGEST_CHANGE));
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
