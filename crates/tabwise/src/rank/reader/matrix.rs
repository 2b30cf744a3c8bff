//! Matrices and rows of 8-bit numbers, laid out for fast products. A matrix is cut into panels of [`PANEL`] outputs; a panel
//! has four weights of each output, then the next four of each, so that a product reads memory once and in order. The
//! inputs of a row are stored with [`OFFSET`] added, because the fastest instructions multiply unsigned by signed
//! numbers; the sums begin with what makes up for that.

use super::float::OFFSET;
use super::weights::RawMatrix;

/// Number of outputs of a panel.
pub(super) const PANEL: usize = 64;
/// Number of inputs that are multiplied in one step.
pub(super) const STEP: usize = 4;

/// A matrix of weights, ready for products.
pub(super) struct Matrix {
    /// Number of outputs.
    pub(super) outs: usize,
    /// Number of inputs.
    pub(super) ins: usize,
    panels: Vec<Panel>,
    weights: Vec<[i8; STEP]>,
}

/// Numbers that belong to the outputs of a panel; those after the last output are 0.
pub(super) struct Panel {
    /// Values that the sums begin with.
    pub(super) starts: [i32; PANEL],
    /// Factors of the sums.
    pub(super) scales: [f32; PANEL],
    /// Added at the end.
    pub(super) biases: [f32; PANEL],
}

impl Matrix {
    /// Lays out a matrix of the file.
    pub(super) fn new(raw: &RawMatrix) -> Matrix {
        let (count, steps) = (raw.outs.div_ceil(PANEL), raw.ins / STEP);
        let mut weights = vec![[0; STEP]; count * steps * PANEL];
        let mut panels = Vec::with_capacity(count);
        for (at, panel) in weights.chunks_exact_mut(steps * PANEL).enumerate() {
            let outs = at * PANEL..raw.outs.min((at + 1) * PANEL);
            let rows = &raw.weights[outs.start * raw.ins..outs.end * raw.ins];
            let starts = lay_out(rows, steps, panel);
            panels.push(Panel { starts, scales: padded(&raw.scales[outs.clone()]), biases: padded(&raw.biases[outs]) });
        }
        Matrix { outs: raw.outs, ins: raw.ins, panels, weights }
    }

    /// Panels with their weights: for each step, those of each output.
    pub(super) fn panels(&self) -> impl Iterator<Item = (&Panel, &[[i8; STEP]])> {
        self.panels.iter().zip(self.weights.chunks_exact(self.ins / STEP * PANEL))
    }
}

/// Copies rows of weights into a panel, and returns what the sums begin with.
fn lay_out(rows: &[u8], steps: usize, panel: &mut [[i8; STEP]]) -> [i32; PANEL] {
    let mut starts = [0; PANEL];
    for (out, row) in rows.chunks_exact(steps * STEP).enumerate() {
        let total: i32 = row.iter().map(|weight| i32::from(*weight as i8)).sum();
        starts[out] = -OFFSET * total;
        for (four, to) in row.as_chunks::<STEP>().0.iter().zip(panel[out..].iter_mut().step_by(PANEL)) {
            *to = four.map(|weight| weight as i8);
        }
    }
    starts
}

fn padded(floats: &[f32]) -> [f32; PANEL] {
    let mut padded = [0.0; PANEL];
    padded[..floats.len()].copy_from_slice(floats);
    padded
}

/// Rows of inputs, rounded to 8 bits.
#[derive(Default)]
pub(super) struct Rows {
    /// Number of inputs of a row.
    pub(super) width: usize,
    /// Inputs, with [`OFFSET`] added.
    pub(super) values: Vec<u8>,
    /// Factor of each row.
    pub(super) scales: Vec<f32>,
}

impl Rows {
    /// Makes room for rows of some width. What they hold is not defined.
    pub(super) fn resize(&mut self, count: usize, width: usize) {
        self.width = width;
        self.values.resize(count * width, 0);
        self.scales.resize(count, 0.0);
    }
}
