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
    /// The features, sorted.
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
const VERSION: u32 = 1;
const EMBEDDED: &[u8] = include_bytes!("../knowledge/model.bin");
/// The high bits that the start table is indexed by.
const HIGH: u32 = 16;

impl Model {
    /// A model from weights; those that are 0 are left out.
    pub fn new(settings: Settings, mut weights: Vec<(u64, f64)>) -> Model {
        weights.retain(|(_, weight)| *weight as f32 != 0.0);
        weights.sort_by_key(|(key, _)| *key);
        let (keys, weights): (Vec<u64>, Vec<f32>) = weights.into_iter().map(|(key, w)| (key, w as f32)).unzip();
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

    /// The bytes of a model file: a header, the settings as JSON, then features and weights.
    pub fn write(&self) -> Vec<u8> {
        let head = serde_json::to_vec(&(&self.settings, &self.calibration)).expect("settings are plain data");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((head.len() as u32).to_le_bytes());
        bytes.extend(head);
        bytes.extend((self.keys.len() as u32).to_le_bytes());
        self.keys.iter().for_each(|key| bytes.extend(key.to_le_bytes()));
        self.weights.iter().for_each(|weight| bytes.extend(weight.to_le_bytes()));
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
        let keys = take(&mut rest, len.checked_mul(8).ok_or(ModelError::Damaged)?)?;
        let weights = take(&mut rest, len * 4)?;
        let keys: Vec<u64> = keys.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
        let weights = weights.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        if !rest.is_empty() || !keys.is_sorted() {
            return Err(ModelError::Damaged);
        }
        let starts = starts(&keys);
        Ok(Model { settings, calibration, keys, weights, starts })
    }
}

impl Weights for Model {
    fn weight(&self, feature: u64) -> f64 {
        let high = (feature >> (64 - HIGH)) as usize;
        let (start, end) = (self.starts[high] as usize, self.starts[high + 1] as usize);
        let found = self.keys[start..end].iter().position(|key| *key == feature);
        found.map_or(0.0, |at| f64::from(self.weights[start + at]))
    }
}

fn starts(keys: &[u64]) -> Vec<u32> {
    let mut starts = vec![0; (1 << HIGH) + 1];
    for key in keys {
        starts[(key >> (64 - HIGH)) as usize + 1] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    starts
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
