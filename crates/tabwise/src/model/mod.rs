//! A model: the weight of each feature, the settings and the knowledge it was trained with, its calibration, and reading
//! and writing all of that. Features are known by a 64-bit hash of their name ([`crate::hash::StableHash`]).

mod calibration;

pub use calibration::{Calibration, Signal, Signals};

use crate::features::Weights;
use crate::hash::{Fingerprint, StableHash};
use crate::settings::Settings;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::ops::Range;

/// Learned weights, ready for use.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Settings that it was trained with.
    pub settings: Settings,
    /// Fingerprint of the knowledge that it was trained with.
    pub knowledge: Fingerprint,
    /// Curve from signals to confidence.
    pub calibration: Calibration,
    /// The features by the high bits of their hash, sorted, each with its weight beside it in the bits below.
    entries: Vec<Entry>,
    /// First entry of each high part.
    starts: Vec<u32>,
    /// A bit for each higher part that some feature has: most features that are asked for are unknown, and this says so of
    /// nine in ten without a look at the entries.
    present: Vec<u64>,
}

/// A feature's key and its weight in one word: a look-up touches one place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry(u64);

impl Entry {
    /// The weight is rounded to what the file holds: a byte, of which the highest bit is the sign, and the others are the
    /// exponent and the first three bits of the fraction, counted from [`LEAST`] as 1. Less than that is 0.
    fn new(key: u64, weight: f64) -> Entry {
        let bits = (weight.abs() as f32).to_bits().saturating_add(1 << 19) >> 20;
        let size = (bits + 1).saturating_sub(LEAST).min(0x7f);
        let sign = if weight < 0.0 { 0x80 } else { 0 };
        Entry(key << 8 | u64::from(size | sign))
    }

    fn key(self) -> u64 {
        self.0 >> 8
    }

    fn byte(self) -> u8 {
        self.0 as u8
    }

    /// Magnitude of the weight, for comparison with others.
    fn size(self) -> u8 {
        self.byte() & 0x7f
    }

    fn weight(self) -> f32 {
        let size = match self.size() {
            0 => return 0.0,
            size => f32::from_bits((u32::from(size) - 1 + LEAST) << 20),
        };
        if self.byte() & 0x80 == 0 { size } else { -size }
    }
}

/// A model file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Another kind of file.
    #[error("this is not a model of tabwise (it should begin with {:?})", String::from_utf8_lossy(MAGIC))]
    Magic,
    /// A model of another version.
    #[error("the model is of version {0}, but this program reads version {VERSION}: train it again")]
    Version(u32),
    /// Missing or changed bytes.
    #[error("the model is cut off or damaged")]
    Damaged,
    /// Settings or a calibration that this program does not know.
    #[error("the model does not fit this program: {0}; train it again")]
    Header(String),
}

const MAGIC: &[u8] = b"tabwise model\n";
const VERSION: u32 = 4;
const EMBEDDED: &[u8] = include_bytes!("../../knowledge/model.bin");
/// Number of bits of a hash that a model keeps: enough that an unknown feature is hardly ever taken for a known one.
const KEY: u32 = 33;
/// The high bits of those that the start table is indexed by.
const HIGH: u32 = 18;
/// The high bits that [`Model::present`] is indexed by.
const HIGHER: u32 = 24;
/// Number of features that a model keeps, those of the largest weights. They make a file of about 6 MB.
const MOST: usize = 1_900_000;
/// The smallest weight that is not 0, 2⁻⁹, as the upper bits of a float.
const LEAST: u32 = (127 - 9) << 3;

impl Model {
    /// A model from weights by feature. Weights are rounded to what the file holds; those that become 0 are left out, and of
    /// too many the smallest.
    pub fn new(settings: Settings, knowledge: Fingerprint, weights: Vec<(u64, f64)>) -> Model {
        let entry = |(feature, weight): (u64, f64)| Entry::new(feature >> (64 - KEY), weight);
        let mut entries: Vec<Entry> = weights.into_iter().map(entry).filter(|entry| entry.size() != 0).collect();
        if entries.len() > MOST {
            entries.sort_by_key(|entry| (Reverse(entry.size()), entry.key()));
            entries.truncate(MOST);
        }
        entries.sort_by_key(|entry| entry.key());
        entries.dedup_by_key(|entry| entry.key());
        Model::of(Header { settings, knowledge, calibration: Calibration::default() }, entries)
    }

    fn of(header: Header, entries: Vec<Entry>) -> Model {
        let mut present = vec![0; 1 << (HIGHER - 6)];
        for entry in &entries {
            let high = entry.key() >> (KEY - HIGHER);
            present[(high >> 6) as usize] |= 1 << (high & 63);
        }
        let starts = starts(&entries);
        let Header { settings, knowledge, calibration } = header;
        Model { settings, knowledge, calibration, entries, starts, present }
    }

    /// The model that is part of the program.
    pub fn embedded() -> Model {
        Model::read(EMBEDDED).expect("the embedded model is tested")
    }

    /// Number of features with a weight.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if no feature has a weight.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The bytes of a model file: the version, the header as JSON, each feature as its distance from the one before, the
    /// weights, a byte each, and a checksum of all of it.
    pub fn write(&self) -> Vec<u8> {
        let Model { settings, knowledge, calibration, .. } = self.clone();
        let head = serde_json::to_vec(&Header { settings, knowledge, calibration }).expect("settings are plain data");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((head.len() as u32).to_le_bytes());
        bytes.extend(head);
        bytes.extend((self.entries.len() as u32).to_le_bytes());
        let mut before = 0;
        for entry in &self.entries {
            push_distance(&mut bytes, entry.key() - before);
            before = entry.key();
        }
        bytes.extend(self.entries.iter().map(|entry| entry.byte()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`Model::write`] wrote.
    pub fn read(bytes: &[u8]) -> Result<Model, ModelError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(ModelError::Magic)?;
        let version = number(&mut rest)?;
        if version != VERSION {
            return Err(ModelError::Version(version));
        }
        let (content, sum) = bytes.split_last_chunk().ok_or(ModelError::Damaged)?;
        if checksum(content) != u64::from_le_bytes(*sum) {
            return Err(ModelError::Damaged);
        }
        rest = &rest[..rest.len() - sum.len()];
        let head_len = number(&mut rest)? as usize;
        let head = take(&mut rest, head_len)?;
        let header = serde_json::from_slice(head).map_err(|error| ModelError::Header(error.to_string()))?;
        let len = number(&mut rest)? as usize;
        let mut entries: Vec<Entry> = Vec::with_capacity(len.min(rest.len()));
        let mut key = 0u64;
        for _ in 0..len {
            key = key.checked_add(distance(&mut rest)?).ok_or(ModelError::Damaged)?;
            entries.push(Entry(key << 8));
        }
        for (entry, byte) in entries.iter_mut().zip(take(&mut rest, len)?) {
            entry.0 |= u64::from(*byte);
        }
        // The keys cannot go down, so that the last is the largest.
        if !rest.is_empty() || key >= 1 << KEY {
            return Err(ModelError::Damaged);
        }
        Ok(Model::of(header, entries))
    }
}

impl Weights for Model {
    fn weight(&self, feature: u64) -> f64 {
        self.weight_near(feature, &self.near(feature))
    }

    /// Most of the time goes into waiting for memory, so it is asked for the places of all features at once.
    fn sum(&self, features: &[u64]) -> f64 {
        let may_be = features.iter().filter(|feature| self.may_have(**feature));
        let near: SmallVec<[(u64, Near); 64]> = may_be.map(|feature| (*feature, self.near(*feature))).collect();
        near.iter().map(|(feature, near)| self.weight_near(*feature, near)).sum()
    }
}

/// Place of a feature: the first entry that may be it, and the entries with the same high part.
struct Near {
    first: Entry,
    range: Range<u32>,
}

impl Model {
    /// Tells if a feature may have a weight. A wrong yes is possible, a wrong no is not.
    fn may_have(&self, feature: u64) -> bool {
        let high = feature >> (64 - HIGHER);
        self.present[(high >> 6) as usize] >> (high & 63) & 1 == 1
    }

    fn near(&self, feature: u64) -> Near {
        let high = (feature >> (64 - HIGH)) as usize;
        let range = self.starts[high]..self.starts[high + 1];
        let first = self.entries.get(range.start as usize).copied().unwrap_or(Entry(u64::MAX));
        Near { first, range }
    }

    fn weight_near(&self, feature: u64, near: &Near) -> f64 {
        let key = feature >> (64 - KEY);
        if near.first.key() > key {
            return 0.0;
        }
        let range = near.range.start as usize..near.range.end as usize;
        let found = self.entries[range].iter().find(|entry| entry.key() >= key).filter(|entry| entry.key() == key);
        found.map_or(0.0, |entry| f64::from(entry.weight()))
    }
}

/// Everything in a model file besides the weights.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    settings: Settings,
    knowledge: Fingerprint,
    calibration: Calibration,
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = StableHash::new(0);
    hash.write(bytes);
    hash.finish()
}

fn starts(entries: &[Entry]) -> Vec<u32> {
    let mut starts = vec![0; (1 << HIGH) + 1];
    for entry in entries {
        starts[(entry.key() >> (KEY - HIGH)) as usize + 1] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    starts
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
        let model = Model::new(Settings::paper(), Fingerprint::of([b"words".as_slice()]), weights);
        assert_eq!(Model::read(&model.write()).expect("just written"), model);
        let weight = model.weight(3u64.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        assert!((weight / (3.0 / 7.0 - 50.0) - 1.0).abs() < 0.07, "{weight}");
        assert_eq!(model.weight(u64::MAX / 7), 0.0);
    }

    #[test]
    fn weights_are_rounded_to_a_byte() {
        for (weight, kept) in [(1.0, 1.0), (-0.3, -0.3125), (1.06, 1.0), (1e-9, 0.0), (1e9, 112.0), (f64::NAN, 112.0)] {
            assert_eq!(Entry::new(5, weight).weight(), kept, "{weight}");
        }
    }

    #[test]
    fn damaged_models_are_errors() {
        let bytes = Model::new(Settings::paper(), Fingerprint::default(), vec![(u64::MAX / 3, 1.0)]).write();
        assert!(matches!(Model::read(b"PK"), Err(ModelError::Magic)));
        assert!((MAGIC.len()..bytes.len()).all(|end| Model::read(&bytes[..end]).is_err()));
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(Model::read(&flipped).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn an_old_version_says_so() {
        let mut bytes = Model::new(Settings::paper(), Fingerprint::default(), Vec::new()).write();
        bytes[MAGIC.len()] = 3;
        assert!(matches!(Model::read(&bytes), Err(ModelError::Version(3))));
    }
}
