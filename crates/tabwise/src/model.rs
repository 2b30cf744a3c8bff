//! A model: the weight of each feature, the settings it was trained with, and reading and writing it. Features are known
//! by a 64-bit hash of their name.

use crate::settings::Settings;
use serde::{Deserialize, Serialize};

/// What gives features their weights: a model, or the weights of a training under way.
pub trait Weights {
    /// The weight of a feature; 0 when it is unknown.
    fn weight(&self, feature: u64) -> f64;
}

/// Learned weights, ready for use.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub settings: Settings,
    /// How confidence is made of a score; see [`Calibration`].
    pub calibration: Calibration,
    /// The features by the high bits of their hash, sorted.
    keys: Vec<u64>,
    weights: Vec<f32>,
    /// Where the features with each high part begin.
    starts: Vec<u32>,
}

/// A logistic curve from what the ranking knows of its best answer to how often such an answer is right.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The weight of each signal, the constant first; empty when nothing was learned.
    pub weights: Vec<f64>,
}

/// Why a model cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error("this is not a model of tabwise (it should begin with {:?})", String::from_utf8_lossy(MAGIC))]
    Magic,
    #[error("the model is of version {0}, but this program reads version {VERSION}: train it again")]
    Version(u32),
    #[error("the model is cut off or damaged")]
    Damaged,
}

const MAGIC: &[u8] = b"tabwise model\n";
const VERSION: u32 = 2;
const EMBEDDED: &[u8] = include_bytes!("../knowledge/model.bin");
/// How many bits of a hash a model keeps: enough that a feature it does not know is hardly ever taken for one it does.
const KEY: u32 = 40;
/// The high bits of those that the start table is indexed by.
const HIGH: u32 = 16;

impl Model {
    /// A model from weights by feature. Weights are rounded to what the file holds; those that become 0 are left out.
    pub fn new(settings: Settings, weights: Vec<(u64, f64)>) -> Model {
        let short = |(feature, weight): (u64, f64)| (feature >> (64 - KEY), rounded(weight));
        let mut short: Vec<(u64, f32)> = weights.into_iter().map(short).filter(|(_, weight)| *weight != 0.0).collect();
        short.sort_by_key(|(key, _)| *key);
        short.dedup_by_key(|(key, _)| *key);
        let (keys, weights): (Vec<u64>, Vec<f32>) = short.into_iter().unzip();
        let starts = starts(&keys);
        Model { settings, calibration: Calibration::default(), keys, weights, starts }
    }

    /// The model that is part of the program.
    pub fn embedded() -> Model {
        Model::read(EMBEDDED).expect("the embedded model is tested")
    }

    /// How many features have a weight.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The bytes of a model file: a header, the settings as JSON, then each feature as its distance from the one before,
    /// then the weights, two bytes each.
    pub fn write(&self) -> Vec<u8> {
        let head = serde_json::to_vec(&(&self.settings, &self.calibration)).expect("settings are plain data");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((head.len() as u32).to_le_bytes());
        bytes.extend(head);
        bytes.extend((self.keys.len() as u32).to_le_bytes());
        let mut before = 0;
        for key in &self.keys {
            push_distance(&mut bytes, key - before);
            before = *key;
        }
        self.weights.iter().for_each(|weight| bytes.extend(((weight.to_bits() >> 16) as u16).to_le_bytes()));
        bytes
    }

    /// Reads what [`Model::write`] wrote.
    pub fn read(bytes: &[u8]) -> Result<Model, ModelError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(ModelError::Magic)?;
        let version = number(&mut rest)?;
        if version != VERSION {
            return Err(ModelError::Version(version));
        }
        let head_len = number(&mut rest)? as usize;
        let head = take(&mut rest, head_len)?;
        let (settings, calibration) = serde_json::from_slice(head).map_err(|_| ModelError::Damaged)?;
        let len = number(&mut rest)? as usize;
        let mut keys: Vec<u64> = Vec::new();
        for _ in 0..len {
            let before = keys.last().copied().unwrap_or(0);
            keys.push(before.checked_add(distance(&mut rest)?).ok_or(ModelError::Damaged)?);
        }
        let weights = take(&mut rest, len * 2)?;
        let weight = |bytes: &[u8; 2]| f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16);
        let weights: Vec<f32> = weights.as_chunks().0.iter().map(weight).collect();
        let in_order = keys.is_sorted() && keys.last().is_none_or(|last| *last < 1 << KEY);
        if !rest.is_empty() || !in_order || !weights.iter().all(|weight| weight.is_finite()) {
            return Err(ModelError::Damaged);
        }
        let starts = starts(&keys);
        Ok(Model { settings, calibration, keys, weights, starts })
    }
}

impl Weights for Model {
    fn weight(&self, feature: u64) -> f64 {
        let feature = feature >> (64 - KEY);
        let high = (feature >> (KEY - HIGH)) as usize;
        let (start, end) = (self.starts[high] as usize, self.starts[high + 1] as usize);
        let found = self.keys[start..end].iter().position(|key| *key == feature);
        found.map_or(0.0, |at| f64::from(self.weights[start + at]))
    }
}

fn starts(keys: &[u64]) -> Vec<u32> {
    let mut starts = vec![0; (1 << HIGH) + 1];
    for key in keys {
        starts[(key >> (KEY - HIGH)) as usize + 1] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    starts
}

/// A weight as the file holds it: the upper half of its bits, rounded.
fn rounded(weight: f64) -> f32 {
    let bits = (weight as f32).to_bits();
    f32::from_bits(bits.saturating_add(0x8000) & 0xffff_0000)
}

/// Seven bits a byte, the lowest first; the high bit says that more follow.
fn push_distance(bytes: &mut Vec<u8>, mut distance: u64) {
    while distance >= 0x80 {
        bytes.push(distance as u8 | 0x80);
        distance >>= 7;
    }
    bytes.push(distance as u8);
}

fn distance(rest: &mut &[u8]) -> Result<u64, ModelError> {
    let mut distance = 0;
    for shift in (0..KEY).step_by(7) {
        let byte = take(rest, 1)?[0];
        distance |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(distance);
        }
    }
    Err(ModelError::Damaged)
}

fn take<'b>(rest: &mut &'b [u8], len: usize) -> Result<&'b [u8], ModelError> {
    let (taken, left) = rest.split_at_checked(len).ok_or(ModelError::Damaged)?;
    *rest = left;
    Ok(taken)
}

fn number(rest: &mut &[u8]) -> Result<u32, ModelError> {
    let bytes = take(rest, 4)?;
    Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes were taken")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_model_reads_back() {
        let weights = (0..1000u64).map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15), n as f64 / 7.0 - 50.0)).collect();
        let model = Model::new(Settings::paper(), weights);
        assert_eq!(Model::read(&model.write()).expect("just written"), model);
        let weight = model.weight(3u64.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        assert!((weight - (3.0 / 7.0 - 50.0)).abs() < 0.2, "{weight}");
        assert_eq!(model.weight(u64::MAX / 7), 0.0);
    }

    #[test]
    fn damaged_models_are_errors() {
        let bytes = Model::new(Settings::paper(), vec![(u64::MAX / 3, 1.0)]).write();
        assert!(matches!(Model::read(b"PK"), Err(ModelError::Magic)));
        assert!((MAGIC.len()..bytes.len()).all(|end| Model::read(&bytes[..end]).is_err()));
    }
}
