//! All instruction sets of this CPU against plain sums, on random numbers.

use super::super::attention::Scratch;
use super::super::float::OFFSET;
use super::super::weights::RawMatrix;
use super::*;
use proptest::prelude::*;

/// A matrix and rows from a seed; the extremes are frequent.
fn random(count: usize, ins: usize, outs: usize, seed: u32) -> (Rows, Matrix, Vec<u8>) {
    let mut state = seed;
    let mut next = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        match state >> 29 {
            0 => 127,
            1 => -127,
            _ => ((state >> 16) as i8).max(-127),
        }
    };
    let weights: Vec<u8> = (0..outs * ins).map(|_| next() as u8).collect();
    let raw = RawMatrix { outs, ins, weights: &weights, scales: vec![0.5; outs], biases: vec![0.25; outs] };
    let values = (0..count * ins).map(|_| (i32::from(next()) + OFFSET) as u8).collect();
    let rows = Rows { width: ins, values, scales: vec![2.0; count] };
    (rows, Matrix::new(&raw), weights)
}

proptest! {
    #[test]
    fn every_set_gives_exact_sums(count in 1usize..20, ins in 1usize..50, outs in 1usize..200, seed: u32) {
        let (rows, matrix, weights) = random(count, ins * STEP, outs, seed);
        let product = |at: usize| {
            let (row, out) = (at / outs * matrix.ins, at % outs * matrix.ins);
            let terms = (0..matrix.ins).map(|at| (i32::from(rows.values[row + at]) - OFFSET) * i32::from(weights[out + at] as i8));
            terms.sum::<i32>() as f32 + 0.25
        };
        let right: Vec<f32> = (0..count * outs).map(product).collect();
        for set in Instructions::available() {
            let mut out = vec![f32::NAN; count * outs];
            set.multiply(&rows, &matrix, &mut out);
            prop_assert_eq!(&out, &right, "{}", set.name());
        }
    }

    #[test]
    fn every_set_gives_the_same_floats(tokens in 1usize..40, heads in 1usize..4, size in 1usize..40, seed: u32) {
        let hidden = heads * size;
        let mut state = u64::from(seed);
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 40) as f32 / (1u64 << 24) as f32 - 0.5) * 20.0
        };
        let projected: Vec<f32> = (0..tokens * 3 * hidden).map(|_| next()).collect();
        let norm = Norm { gain: (0..hidden).map(|_| next()).collect(), bias: (0..hidden).map(|_| next()).collect() };
        let bits = |set: Instructions| {
            let mut out = vec![0.0; tokens * hidden];
            Scratch::default().attend(&projected, hidden, heads, set, &mut out);
            set.add_and_normalise(&mut out, &projected[..tokens * hidden], &norm);
            set.gelu(&mut out);
            let mut rows = Rows::default();
            rows.resize(tokens, hidden);
            set.quantise(&out, &mut rows);
            (out.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), rows.values, rows.scales)
        };
        let all: Vec<_> = Instructions::available().into_iter().map(bits).collect();
        prop_assert!(all.iter().all(|one| *one == all[0]));
    }
}
