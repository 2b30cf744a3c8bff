//! Products of 8-bit rows and matrices, with the widest instructions that the CPU has, and the float functions compiled for
//! the same instructions. Sums of products are exact in 32 bits, and the float functions do the same operations in the
//! same order, so every instruction set gives the same bits. This is the only module of the library with `unsafe` code:
//! calls of functions for instructions that were found to be there, and loads from slices whose length was checked.

#![allow(unsafe_code, reason = "instructions chosen at run time")]

#[cfg(target_arch = "aarch64")]
mod arm;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::attention;
use super::float::{self, LANES, Lanes, Norm};
use super::matrix::{Matrix, PANEL, Panel, Rows, STEP};

/// A set of instructions that this CPU has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions(Set);

/// The sets of instructions that there is code for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    Portable,
}

impl Instructions {
    /// All sets that this CPU has, the fastest first.
    pub fn available() -> Vec<Instructions> {
        let mut sets = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            let has_512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vnni");
            sets.extend(has_512.then_some(Set::Avx512Vnni));
            sets.extend(is_x86_feature_detected!("avx2").then_some(Set::Avx2));
        }
        #[cfg(target_arch = "aarch64")]
        sets.extend(std::arch::is_aarch64_feature_detected!("neon").then_some(Set::Neon));
        sets.push(Set::Portable);
        sets.into_iter().map(Instructions).collect()
    }

    /// The fastest set that this CPU has.
    pub fn best() -> Instructions {
        Instructions::available()[0]
    }

    /// Name of the set.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Vnni => "AVX-512 VNNI",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "AVX2",
            #[cfg(target_arch = "aarch64")]
            Set::Neon => "NEON",
            Set::Portable => "portable",
        }
    }
}

/// Defines a method of [`Instructions`] that runs a float function compiled for the set. On other CPUs than x86-64 the
/// compiler uses the vectors of every CPU of the kind.
macro_rules! compiled_for_each {
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)? = $function:path;) => {
        impl Instructions {
            $(#[$doc])*
            pub(super) fn $name(self, $($arg: $type),*) $(-> $out)? {
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
                fn avx512($($arg: $type),*) $(-> $out)? {
                    $function($($arg),*)
                }
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2")]
                fn avx2($($arg: $type),*) $(-> $out)? {
                    $function($($arg),*)
                }
                match self.0 {
                    // SAFETY: `available` has found these instructions.
                    #[cfg(target_arch = "x86_64")]
                    Set::Avx512Vnni => unsafe { avx512($($arg),*) },
                    // SAFETY: `available` has found these instructions.
                    #[cfg(target_arch = "x86_64")]
                    Set::Avx2 => unsafe { avx2($($arg),*) },
                    #[cfg(target_arch = "aarch64")]
                    Set::Neon => $function($($arg),*),
                    Set::Portable => $function($($arg),*),
                }
            }
        }
    };
}

compiled_for_each! {
    /// Rounds rows of numbers to 8 bits.
    fn quantise(from: &[f32], rows: &mut Rows) = quantise_rows;
}

compiled_for_each! {
    /// Adds to rows and normalises them.
    fn add_and_normalise(rows: &mut [f32], added: &[f32], norm: &Norm) = float::add_and_normalise;
}

compiled_for_each! {
    /// The Gaussian error linear unit of each value.
    fn gelu(values: &mut [f32]) = float::gelu;
}

compiled_for_each! {
    /// Turns the fits of each token into shares that add up to 1.
    fn soften(fits: &mut [Lanes], tokens: usize) = attention::soften;
}

#[inline(always)]
fn quantise_rows(from: &[f32], rows: &mut Rows) {
    let width = rows.width;
    let places = rows.values.chunks_exact_mut(width).zip(&mut rows.scales);
    for (row, (values, scale)) in from.chunks_exact(width).zip(places) {
        *scale = float::quantise(row, values);
    }
}

/// Number of rows of a tile.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const TILE: usize = 6;

impl Instructions {
    /// Multiplies rows by a matrix: `out` gets the outputs of each row.
    pub(super) fn multiply(self, rows: &Rows, matrix: &Matrix, out: &mut [f32]) {
        assert!(rows.width == matrix.ins && out.len() == rows.scales.len() * matrix.outs, "the sizes fit");
        match self.0 {
            // SAFETY: `available` has found these instructions.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Vnni => unsafe { x86::multiply_avx512(rows, matrix, out) },
            // SAFETY: `available` has found these instructions.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::multiply_avx2(rows, matrix, out) },
            // SAFETY: `available` has found these instructions.
            #[cfg(target_arch = "aarch64")]
            Set::Neon => unsafe { arm::multiply(rows, matrix, out) },
            Set::Portable => multiply_portable(rows, matrix, out),
        }
    }
}

/// Goes through the tiles of a product: a panel, and up to [`TILE`] rows.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! for_each_tile {
    ($rows:ident, $matrix:ident, $out:ident, $multiply:ident) => {
        for (number, (panel, weights)) in $matrix.panels().enumerate() {
            let mut tile = Tile { row: 0, out: number * PANEL, outs: $matrix.outs, width: $rows.width, panel, weights };
            for inputs in $rows.values.chunks(TILE * $rows.width) {
                let scales = &$rows.scales[tile.row..];
                match inputs.len() / $rows.width {
                    1 => $multiply::<1>(&tile, inputs, scales, $out),
                    2 => $multiply::<2>(&tile, inputs, scales, $out),
                    3 => $multiply::<3>(&tile, inputs, scales, $out),
                    4 => $multiply::<4>(&tile, inputs, scales, $out),
                    5 => $multiply::<5>(&tile, inputs, scales, $out),
                    _ => $multiply::<TILE>(&tile, inputs, scales, $out),
                }
                tile.row += TILE;
            }
        }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use for_each_tile;

/// A panel and its place in the outputs.
struct Tile<'m> {
    /// First row.
    row: usize,
    /// First output.
    out: usize,
    /// Number of outputs of a row.
    outs: usize,
    /// Number of inputs of a row.
    width: usize,
    panel: &'m Panel,
    /// For each step, the weights of each output.
    weights: &'m [[i8; STEP]],
}

impl Tile<'_> {
    /// Makes outputs of sums.
    #[inline(always)]
    fn finish(&self, sums: &[[i32; PANEL]], scales: &[f32], out: &mut [f32]) {
        let count = PANEL.min(self.outs - self.out);
        for (at, (sums, scale)) in sums.iter().zip(scales).enumerate() {
            let out = &mut out[(self.row + at) * self.outs + self.out..][..count];
            for (to, (out, sum)) in out.iter_mut().zip(sums).enumerate() {
                *out = *sum as f32 * (scale * self.panel.scales[to]) + self.panel.biases[to];
            }
        }
    }
}

/// Multiplies without any particular instructions: plain sums over inputs and weights of 16 bits, of which compilers make
/// good code everywhere.
fn multiply_portable(rows: &Rows, matrix: &Matrix, out: &mut [f32]) {
    let inputs: Vec<i16> = rows.values.iter().map(|value| i16::from(*value)).collect();
    let mut columns = vec![0; rows.width * PANEL];
    for (number, (panel, weights)) in matrix.panels().enumerate() {
        unpack(weights, &mut columns);
        let mut tile = Tile { row: 0, out: number * PANEL, outs: matrix.outs, width: rows.width, panel, weights };
        for (row, scale) in inputs.chunks_exact(rows.width).zip(&rows.scales) {
            let mut sums = panel.starts;
            for (sum, column) in sums.iter_mut().zip(columns.chunks_exact(rows.width)) {
                *sum += row.iter().zip(column).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum::<i32>();
            }
            tile.finish(&[sums], &[*scale], out);
            tile.row += 1;
        }
    }
}

/// Copies the weights of each output of a panel, one output after the other.
fn unpack(weights: &[[i8; STEP]], columns: &mut [i16]) {
    let width = columns.len() / PANEL;
    for (step, weights) in weights.as_chunks::<PANEL>().0.iter().enumerate() {
        for (column, weight) in columns.chunks_exact_mut(width).zip(weights) {
            column[step * STEP..][..STEP].copy_from_slice(&weight.map(i16::from));
        }
    }
}

/// Number of rows of floats that are multiplied together.
pub(super) const TOGETHER: usize = 4;

impl Instructions {
    /// Multiplies the first `width` floats of rows by a matrix in lanes: `out` gets the outputs of each row. The number of
    /// rows is a multiple of [`TOGETHER`]. Sums run in the order of the inputs.
    pub(super) fn multiply_floats(self, rows: &[f32], width: usize, matrix: &[Lanes], out: &mut [Lanes]) {
        let parts = matrix.len() / width;
        let count = out.len() / parts;
        assert!(matrix.len() == width * parts && out.len() == count * parts, "the sizes fit");
        assert!(count.is_multiple_of(TOGETHER) && rows.len().is_multiple_of(count), "the rows are whole");
        assert!(rows.len() >= count * width, "the rows are long enough");
        match self.0 {
            // SAFETY: `available` has found these instructions.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Vnni => unsafe { x86::multiply_floats_avx512(rows, width, matrix, out) },
            // SAFETY: `available` has found these instructions.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::multiply_floats_avx2(rows, width, matrix, out) },
            #[cfg(target_arch = "aarch64")]
            Set::Neon => multiply_floats(rows, width, matrix, out),
            Set::Portable => multiply_floats(rows, width, matrix, out),
        }
    }
}

/// The product of floats without any particular instructions.
fn multiply_floats(rows: &[f32], width: usize, matrix: &[Lanes], out: &mut [Lanes]) {
    let parts = matrix.len() / width;
    let stride = rows.len() / (out.len() / parts);
    for (row, out) in rows.chunks_exact(stride).zip(out.chunks_exact_mut(parts)) {
        for (part, out) in out.iter_mut().enumerate() {
            let mut sums = [0.0; LANES];
            for (input, numbers) in row[..width].iter().zip(matrix[part..].iter().step_by(parts)) {
                for at in 0..LANES {
                    sums[at] += input * numbers[at];
                }
            }
            *out = sums;
        }
    }
}
