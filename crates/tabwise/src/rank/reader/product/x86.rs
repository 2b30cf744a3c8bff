//! Products with the instructions of x86-64 CPUs.

use super::super::float::{LANES, Lanes};
use super::{Matrix, PANEL, Rows, STEP, TILE, TOGETHER, Tile, for_each_tile};
use std::arch::x86_64::*;

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
pub(super) fn multiply_avx512(rows: &Rows, matrix: &Matrix, out: &mut [f32]) {
    for_each_tile!(rows, matrix, out, tile_avx512);
}

/// Multiplies with one instruction for four products of each of 16 outputs.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
fn tile_avx512<const ROWS: usize>(tile: &Tile, inputs: &[u8], scales: &[f32], out: &mut [f32]) {
    const WIDE: usize = 16;
    let steps = tile.width / STEP;
    assert!(inputs.len() >= ROWS * tile.width && tile.weights.len() >= steps * PANEL, "a tile is whole");
    // SAFETY: 16 of 64 numbers are loaded.
    let start = |at: usize| unsafe { _mm512_loadu_si512(tile.panel.starts.as_ptr().add(at * WIDE).cast()) };
    let mut sums = [[start(0), start(1), start(2), start(3)]; ROWS];
    for step in 0..steps {
        // SAFETY: `step < steps`, there are PANEL weights for each step, and 16 are loaded at a time.
        let load =
            |at: usize| unsafe { _mm512_loadu_si512(tile.weights.as_ptr().add(step * PANEL + at * WIDE).cast()) };
        let weights = [load(0), load(1), load(2), load(3)];
        for (row, sums) in sums.iter_mut().enumerate() {
            // SAFETY: `row < ROWS`, and a row has STEP inputs for each step.
            let input = unsafe { inputs.as_ptr().add(row * tile.width + step * STEP).cast::<i32>().read_unaligned() };
            let input = _mm512_set1_epi32(input);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum = _mm512_dpbusd_epi32(*sum, input, weights);
            }
        }
    }
    for ((at, sums), scale) in sums.into_iter().enumerate().zip(scales) {
        let out = &mut out[(tile.row + at) * tile.outs..][..tile.outs];
        for (part, sums) in sums.into_iter().enumerate().take((tile.outs - tile.out).div_ceil(WIDE)) {
            // SAFETY: 16 of 64 numbers are loaded.
            let load = |numbers: &[f32; PANEL]| unsafe { _mm512_loadu_ps(numbers.as_ptr().add(part * WIDE)) };
            let factors = _mm512_mul_ps(_mm512_set1_ps(*scale), load(&tile.panel.scales));
            let finished = _mm512_add_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sums), factors), load(&tile.panel.biases));
            let out = &mut out[tile.out + part * WIDE..];
            let mask = u16::MAX >> WIDE.saturating_sub(out.len());
            // SAFETY: the mask has a bit for each place that there is.
            unsafe { _mm512_mask_storeu_ps(out.as_mut_ptr(), mask, finished) };
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn multiply_avx2(rows: &Rows, matrix: &Matrix, out: &mut [f32]) {
    for_each_tile!(rows, matrix, out, tile_avx2);
}

/// Multiplies 16 bits by 16 bits, for eight outputs at a time. (The instruction for 8 bits would not be exact.)
#[target_feature(enable = "avx2")]
fn tile_avx2<const ROWS: usize>(tile: &Tile, inputs: &[u8], scales: &[f32], out: &mut [f32]) {
    const WIDE: usize = 8;
    let (width, steps) = (tile.width, tile.width / STEP);
    assert!(inputs.len() >= ROWS * width && tile.weights.len() >= steps * PANEL, "a tile is whole");
    let wide: Vec<i16> = inputs.iter().map(|input| i16::from(*input)).collect();
    let mut sums = [tile.panel.starts; ROWS];
    for first in (0..PANEL).step_by(WIDE) {
        // Each half has four outputs with two sums each.
        let mut halves = [[_mm256_setzero_si256(); 2]; ROWS];
        for step in 0..steps {
            // SAFETY: `step < steps`, and there are PANEL weights for each step.
            let four = unsafe { tile.weights.as_ptr().add(step * PANEL + first) };
            // SAFETY: as above; four weights are loaded at a time.
            let load = |at: usize| unsafe { _mm256_cvtepi8_epi16(_mm_loadu_si128(four.add(at).cast())) };
            let four = [load(0), load(WIDE / 2)];
            for (row, halves) in halves.iter_mut().enumerate() {
                // SAFETY: `row < ROWS`, and a row has STEP inputs for each step.
                let input = unsafe { wide.as_ptr().add(row * width + step * STEP).cast::<i64>().read_unaligned() };
                let input = _mm256_set1_epi64x(input);
                for (half, four) in halves.iter_mut().zip(four) {
                    *half = _mm256_add_epi32(*half, _mm256_madd_epi16(input, four));
                }
            }
        }
        for (sums, [low, high]) in sums.iter_mut().zip(halves) {
            let added = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_hadd_epi32(low, high));
            let place: &mut [i32; WIDE] = &mut sums.as_chunks_mut().0[first / WIDE];
            // SAFETY: the place has eight numbers.
            unsafe {
                let start = _mm256_loadu_si256(place.as_ptr().cast());
                _mm256_storeu_si256(place.as_mut_ptr().cast(), _mm256_add_epi32(start, added));
            }
        }
    }
    tile.finish(&sums, scales, out);
}

/// Products of floats, 16 lanes in one register.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn multiply_floats_avx512(rows: &[f32], width: usize, matrix: &[Lanes], out: &mut [Lanes]) {
    let parts = matrix.len() / width;
    let stride = rows.len() / (out.len() / parts);
    for (rows, out) in rows.chunks_exact(TOGETHER * stride).zip(out.chunks_exact_mut(TOGETHER * parts)) {
        for part in (0..parts).step_by(4) {
            let (matrix, out) = (&matrix[part..], &mut out[part..]);
            match parts - part {
                1 => floats_avx512::<1>(rows, width, matrix, parts, out),
                2 => floats_avx512::<2>(rows, width, matrix, parts, out),
                3 => floats_avx512::<3>(rows, width, matrix, parts, out),
                _ => floats_avx512::<4>(rows, width, matrix, parts, out),
            }
        }
    }
}

/// Products of some rows and some parts of a matrix, of which each row has `parts`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn floats_avx512<const PARTS: usize>(rows: &[f32], width: usize, matrix: &[Lanes], parts: usize, out: &mut [Lanes]) {
    let stride = rows.len() / TOGETHER;
    assert!(width <= stride && (width - 1) * parts + PARTS <= matrix.len(), "the sizes fit");
    let mut sums = [[_mm512_setzero_ps(); PARTS]; TOGETHER];
    for at in 0..width {
        let mut numbers = [_mm512_setzero_ps(); PARTS];
        for (part, numbers) in numbers.iter_mut().enumerate() {
            // SAFETY: `at < width` and `part < PARTS`, and there are that many.
            *numbers = load_avx512(unsafe { matrix.get_unchecked(at * parts + part) });
        }
        for (row, sums) in sums.iter_mut().enumerate() {
            // SAFETY: `row < TOGETHER` and `at < stride`.
            let input = _mm512_set1_ps(unsafe { *rows.get_unchecked(row * stride + at) });
            for (sum, numbers) in sums.iter_mut().zip(numbers) {
                *sum = _mm512_add_ps(*sum, _mm512_mul_ps(input, numbers));
            }
        }
    }
    for (out, sums) in out.chunks_mut(parts).zip(sums) {
        for (out, sum) in out.iter_mut().zip(sums) {
            // SAFETY: the place has 16 numbers.
            unsafe { _mm512_storeu_ps(out.as_mut_ptr(), sum) };
        }
    }
}

#[target_feature(enable = "avx512f")]
fn load_avx512(lanes: &Lanes) -> __m512 {
    // SAFETY: these are 16 numbers.
    unsafe { _mm512_loadu_ps(lanes.as_ptr()) }
}

/// Products of floats, 16 lanes in two registers.
#[target_feature(enable = "avx2")]
pub(super) fn multiply_floats_avx2(rows: &[f32], width: usize, matrix: &[Lanes], out: &mut [Lanes]) {
    const WIDE: usize = LANES / 2;
    let parts = matrix.len() / width;
    let stride = rows.len() / (out.len() / parts);
    for (rows, out) in rows.chunks_exact(TOGETHER * stride).zip(out.chunks_exact_mut(TOGETHER * parts)) {
        for part in 0..parts {
            let mut sums = [[_mm256_setzero_ps(); 2]; TOGETHER];
            for at in 0..width {
                let numbers: &Lanes = &matrix[at * parts + part];
                // SAFETY: these are the first and the last eight of 16 numbers.
                let load = |from: usize| unsafe { _mm256_loadu_ps(numbers.as_ptr().add(from)) };
                let numbers = [load(0), load(WIDE)];
                for (row, sums) in sums.iter_mut().enumerate() {
                    let input = _mm256_set1_ps(rows[row * stride + at]);
                    for (sum, numbers) in sums.iter_mut().zip(numbers) {
                        *sum = _mm256_add_ps(*sum, _mm256_mul_ps(input, numbers));
                    }
                }
            }
            for (row, sums) in sums.into_iter().enumerate() {
                let halves = out[row * parts + part].as_chunks_mut::<WIDE>().0;
                for (half, sum) in halves.iter_mut().zip(sums) {
                    // SAFETY: the place has eight numbers.
                    unsafe { _mm256_storeu_ps(half.as_mut_ptr(), sum) };
                }
            }
        }
    }
}
