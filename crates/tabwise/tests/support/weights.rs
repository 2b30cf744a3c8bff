//! Weights files of the reader with random numbers, written from the description of the layout and not by the code that
//! reads it.

#![allow(dead_code, reason = "each test uses a part")]

/// Sizes of an encoder.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub layers: usize,
    pub hidden: usize,
    pub heads: usize,
    pub ff: usize,
    /// Number of words besides the special pieces.
    pub words: usize,
}

/// An encoder that is read in no time.
pub const TINY: Sizes = Sizes { layers: 2, hidden: 48, heads: 4, ff: 96, words: 50 };

/// Version of the layout.
const VERSION: u32 = 1;
/// Number of positions.
const POSITIONS: usize = 96;

/// A file of these sizes.
pub fn random_file(sizes: Sizes, seed: u64) -> Vec<u8> {
    let Sizes { layers, hidden, heads, ff, words } = sizes;
    let pieces: Vec<String> =
        ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map(str::to_owned).into_iter().chain(names(words)).collect();
    let header = format!(
        r#"{{"layers":{layers},"hidden":{hidden},"heads":{heads},"ff":{ff},"positions":{POSITIONS},"vocabulary":{},"w":0.25,"bias":0.5,"made":"at random"}}"#,
        pieces.len()
    );
    let mut dice = Dice(seed);
    let mut file = b"TWREADER".to_vec();
    file.extend(VERSION.to_le_bytes());
    for text in [header, pieces.join("\n")] {
        file.extend((text.len() as u32).to_le_bytes());
        file.extend(text.bytes());
    }
    dice.bytes(&mut file, pieces.len() * hidden);
    dice.floats(&mut file, pieces.len(), 0.0, 0.002);
    dice.floats(&mut file, (POSITIONS + 2) * hidden, 0.0, 0.1);
    dice.norm(&mut file, hidden);
    for _ in 0..layers {
        dice.matrix(&mut file, 3 * hidden, hidden);
        dice.matrix(&mut file, hidden, hidden);
        dice.norm(&mut file, hidden);
        dice.matrix(&mut file, ff, hidden);
        dice.matrix(&mut file, hidden, ff);
        dice.norm(&mut file, hidden);
    }
    dice.floats(&mut file, hidden, 0.0, 0.3);
    seal(file)
}

/// Adds the checksum.
pub fn seal(mut file: Vec<u8>) -> Vec<u8> {
    file.extend(crc32fast::hash(&file).to_le_bytes());
    file
}

/// Names of words: letters, digits and continuations first.
fn names(count: usize) -> impl Iterator<Item = String> {
    let letters = ('a'..='z').flat_map(|c| [c.to_string(), format!("##{c}")]);
    letters.chain((0..).map(|n| format!("word{n}"))).take(count)
}

struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    fn bytes(&mut self, file: &mut Vec<u8>, count: usize) {
        file.extend((0..count).map(|_| (self.next() % 255) as u8 ^ 0x81));
    }

    /// Numbers around a middle.
    fn floats(&mut self, file: &mut Vec<u8>, count: usize, middle: f32, spread: f32) {
        for _ in 0..count {
            let number = middle + spread * (self.next() as f32 / u32::MAX as f32 * 2.0 - 1.0);
            file.extend(number.to_le_bytes());
        }
    }

    fn norm(&mut self, file: &mut Vec<u8>, hidden: usize) {
        self.floats(file, hidden, 1.0, 0.3);
        self.floats(file, hidden, 0.0, 0.3);
    }

    /// Weights, scales that keep outputs near 1, and biases.
    fn matrix(&mut self, file: &mut Vec<u8>, outs: usize, ins: usize) {
        let scale = 1.0 / (73.0 * (ins as f32).sqrt());
        self.bytes(file, outs * ins);
        self.floats(file, outs, scale, scale / 5.0);
        self.floats(file, outs, 0.0, 0.1);
    }
}
