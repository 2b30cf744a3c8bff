//! A model: the weight of each feature, the settings and the knowledge it was trained with, its calibration, and reading
//! and writing all of that. Features are known by a 64-bit hash of their name ([`crate::hash::StableHash`]).

mod calibration;
mod overlay;

pub use calibration::{Calibration, Signal, Signals};
pub use overlay::{LARGEST_CHANGE, LONGEST_STEP, Overlay, Step, Taught};

use crate::features::Weights;
use crate::hash::Fingerprint;
use crate::settings::Settings;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cmp::Reverse;

/// Learned weights, ready for use.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Settings that it was trained with.
    pub settings: Settings,
    /// Fingerprint of the knowledge that it was trained with.
    pub knowledge: Fingerprint,
    /// Curves from signals to confidence.
    pub calibration: Calibration,
    /// The features by their hash, sorted, [`ENTRY`] bytes each. Those of the embedded model stay where they are.
    entries: Cow<'static, [u8]>,
    /// First entry of each high part of a hash.
    starts: Vec<u32>,
    /// For each high part, a bit for each value of the next six bits that some feature has: most features that are asked
    /// for are unknown, and this says so of nine in ten without a look at the entries.
    present: Vec<u64>,
}

/// A feature's key and its weight in one word.
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

    /// High part of the key.
    fn high(self) -> usize {
        (self.key() >> LOW) as usize
    }

    /// The entry in the file: the low part of the key and the weight.
    fn bytes(self) -> [u8; ENTRY] {
        let [a, b, ..] = (self.key() & LOW_BITS).to_le_bytes();
        [a, b, self.0 as u8]
    }

    /// Magnitude of the weight, for comparison with others.
    fn size(self) -> u8 {
        self.0 as u8 & 0x7f
    }
}

/// The weight that a byte stands for.
fn weight(byte: u8) -> f64 {
    let size = match byte & 0x7f {
        0 => return 0.0,
        size => f32::from_bits((u32::from(size) - 1 + LEAST) << 20),
    };
    f64::from(if byte & 0x80 == 0 { size } else { -size })
}

/// Low part of the key of an entry.
fn low(entry: &[u8; ENTRY]) -> u16 {
    u16::from_le_bytes([entry[0], entry[1]])
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
const VERSION: u32 = 6;
const EMBEDDED: &[u8] = include_bytes!("../../knowledge/model.bin");
/// Number of bits of a hash that a model keeps: enough that an unknown feature is hardly ever taken for a known one.
const KEY: u32 = HIGH + LOW;
/// The high bits of those that the start table is indexed by.
const HIGH: u32 = 18;
/// The low bits, which an entry has in two bytes.
const LOW: u32 = 15;
const LOW_BITS: u64 = (1 << LOW) - 1;
/// Number of bytes of an entry: the low part of its key, and its weight.
const ENTRY: usize = 3;
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
        let mut counts = vec![0u8; 1 << HIGH];
        // Hashes are spread evenly, about seven to a high part, so that a full count is never met.
        entries.retain(|entry| {
            let count = &mut counts[entry.high()];
            let has_room = *count < u8::MAX;
            *count += u8::from(has_room);
            has_room
        });
        let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.bytes()).collect();
        let header = Header { settings, knowledge, calibration: Calibration::default() };
        Model::of(header, &counts, bytes.into())
    }

    fn of(header: Header, counts: &[u8], entries: Cow<'static, [u8]>) -> Model {
        let mut starts = Vec::with_capacity(counts.len() + 1);
        let mut present = Vec::with_capacity(counts.len());
        let (mut start, mut rest) = (0, entries.as_chunks::<ENTRY>().0);
        for count in counts {
            let (own, others) = rest.split_at(usize::from(*count));
            starts.push(start);
            present.push(own.iter().fold(0, |bits, entry| bits | 1u64 << (low(entry) >> (LOW - 6))));
            start += u32::from(*count);
            rest = others;
        }
        starts.push(start);
        let Header { settings, knowledge, calibration } = header;
        Model { settings, knowledge, calibration, entries, starts, present }
    }

    /// The model that is part of the program.
    pub fn embedded() -> Model {
        let file = File::parse(EMBEDDED).expect("the embedded model is tested");
        Model::of(file.header, file.counts, Cow::Borrowed(file.entries))
    }

    /// Number of features with a weight.
    pub fn len(&self) -> usize {
        self.entries.len() / ENTRY
    }

    /// True if no feature has a weight.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The bytes of a model file: the version, the header as JSON, the number of features with each high part of the hash,
    /// the features, and a checksum of all of it.
    pub fn write(&self) -> Vec<u8> {
        let Model { settings, knowledge, calibration, .. } = self.clone();
        let head = serde_json::to_vec(&Header { settings, knowledge, calibration }).expect("settings are plain data");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((head.len() as u32).to_le_bytes());
        bytes.extend(head);
        bytes.extend(self.starts.windows(2).map(|ends| (ends[1] - ends[0]) as u8));
        bytes.extend(&*self.entries);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`Model::write`] wrote.
    pub fn read(bytes: &[u8]) -> Result<Model, ModelError> {
        let File { header, counts, entries } = File::parse(bytes)?;
        Ok(Model::of(header, counts, entries.to_vec().into()))
    }
}

/// Parts of a model file.
struct File<'b> {
    header: Header,
    /// Number of entries with each high part.
    counts: &'b [u8],
    entries: &'b [u8],
}

impl File<'_> {
    fn parse(bytes: &[u8]) -> Result<File<'_>, ModelError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(ModelError::Magic)?;
        let version = number(&mut rest)?;
        if version != VERSION {
            return Err(ModelError::Version(version));
        }
        let (content, sum) = bytes.split_last_chunk().ok_or(ModelError::Damaged)?;
        if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
            return Err(ModelError::Damaged);
        }
        rest = &rest[..rest.len() - sum.len()];
        let head_len = number(&mut rest)? as usize;
        let head = take(&mut rest, head_len)?;
        let header: Header = serde_json::from_slice(head).map_err(|error| ModelError::Header(error.to_string()))?;
        if !header.settings.is_of_use() {
            return Err(ModelError::Header("its beam or its size of derivations is beyond any use".to_owned()));
        }
        let counts = take(&mut rest, 1 << HIGH)?;
        let len: usize = counts.iter().map(|count| usize::from(*count)).sum();
        match rest.len() == len * ENTRY {
            true => Ok(File { header, counts, entries: rest }),
            false => Err(ModelError::Damaged),
        }
    }
}

impl Weights for Model {
    fn weight(&self, feature: u64) -> f64 {
        Model::weight_near(feature, &self.near(feature))
    }

    /// Most of the time goes into waiting for memory, so it is asked for the places of all features at once.
    fn sum(&self, features: &[u64]) -> f64 {
        let may_be = features.iter().filter(|feature| self.may_have(**feature));
        let near: SmallVec<[(u64, Near); 64]> = may_be.map(|feature| (*feature, self.near(*feature))).collect();
        near.iter().map(|(feature, near)| Model::weight_near(*feature, near)).sum()
    }
}

/// Place of a feature: the entries with the same high part, of which the first is already at hand.
struct Near<'m> {
    first: u16,
    all: &'m [[u8; ENTRY]],
}

impl Model {
    /// Tells if a feature may have a weight. A wrong yes is possible, a wrong no is not.
    fn may_have(&self, feature: u64) -> bool {
        let bit = feature >> (64 - HIGH - 6) & 63;
        self.present[(feature >> (64 - HIGH)) as usize] >> bit & 1 == 1
    }

    fn near(&self, feature: u64) -> Near<'_> {
        let high = (feature >> (64 - HIGH)) as usize;
        let range = self.starts[high] as usize..self.starts[high + 1] as usize;
        let all = &self.entries.as_chunks::<ENTRY>().0[range];
        Near { first: all.first().map_or(u16::MAX, low), all }
    }

    fn weight_near(feature: u64, near: &Near) -> f64 {
        let key = (feature >> (64 - KEY) & LOW_BITS) as u16;
        if near.first > key {
            return 0.0;
        }
        let found = near.all.iter().find(|entry| low(entry) >= key).filter(|entry| low(entry) == key);
        found.map_or(0.0, |entry| weight(entry[2]))
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
            assert_eq!(super::weight(Entry::new(5, weight).0 as u8), kept, "{weight}");
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
    fn settings_beyond_any_use_are_errors() {
        for settings in
            [Settings { size: usize::MAX, ..Settings::paper() }, Settings { beam: 1 << 40, ..Settings::paper() }]
        {
            let bytes = Model::new(settings, Fingerprint::default(), Vec::new()).write();
            assert!(matches!(Model::read(&bytes), Err(ModelError::Header(_))));
        }
    }

    #[test]
    fn an_old_version_says_so() {
        let mut bytes = Model::new(Settings::paper(), Fingerprint::default(), Vec::new()).write();
        bytes[MAGIC.len()] = 3;
        assert!(matches!(Model::read(&bytes), Err(ModelError::Version(3))));
    }
}
