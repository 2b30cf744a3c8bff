//! Products with the instructions of 64-bit ARM CPUs.

use super::super::float::OFFSET;
use super::{Matrix, PANEL, Rows, STEP, TILE, Tile, for_each_tile};
use std::arch::aarch64::*;

#[target_feature(enable = "neon")]
pub(super) fn multiply(rows: &Rows, matrix: &Matrix, out: &mut [f32]) {
    for_each_tile!(rows, matrix, out, tile);
}

/// Multiplies signed numbers of 8 bits, for four outputs at a time.
#[target_feature(enable = "neon")]
fn tile<const ROWS: usize>(tile: &Tile, inputs: &[u8], scales: &[f32], out: &mut [f32]) {
    const WIDE: usize = 4;
    // Takes the offset off four inputs.
    const SIGNED: i32 = i32::from_ne_bytes([OFFSET as u8; STEP]);
    let (width, steps) = (tile.width, tile.width / STEP);
    assert!(inputs.len() >= ROWS * width && tile.weights.len() >= steps * PANEL, "a tile is whole");
    let mut sums = [[0; PANEL]; ROWS];
    for first in (0..PANEL).step_by(WIDE) {
        // Each half has two outputs with two sums each.
        let mut halves = [[vdupq_n_s32(0); 2]; ROWS];
        for step in 0..steps {
            // SAFETY: `step < steps`, and there are PANEL weights for each step.
            let four = unsafe { tile.weights.as_ptr().add(step * PANEL + first) };
            // SAFETY: as above; two weights are loaded at a time.
            let load = |at: usize| unsafe { vld1_s8(four.add(at).cast()) };
            let four = [load(0), load(WIDE / 2)];
            for (row, halves) in halves.iter_mut().enumerate() {
                // SAFETY: `row < ROWS`, and a row has STEP inputs for each step.
                let input = unsafe { inputs.as_ptr().add(row * width + step * STEP).cast::<i32>().read_unaligned() };
                let input = vreinterpret_s8_s32(vdup_n_s32(input ^ SIGNED));
                for (half, four) in halves.iter_mut().zip(four) {
                    *half = vpadalq_s16(*half, vmull_s8(input, four));
                }
            }
        }
        for (sums, [low, high]) in sums.iter_mut().zip(halves) {
            let place: &mut [i32; WIDE] = &mut sums.as_chunks_mut().0[first / WIDE];
            // SAFETY: the place has four numbers.
            unsafe { vst1q_s32(place.as_mut_ptr(), vpaddq_s32(low, high)) };
        }
    }
    tile.finish(&sums, scales, out);
}
