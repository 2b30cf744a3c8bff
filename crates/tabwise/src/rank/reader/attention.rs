//! Attention within one text: every token takes a mean of all tokens' values, weighted by how well its query fits their
//! keys. The heads are worked on one after the other, each as two products of small matrices of floats.

use super::float::{LANES, Lanes, exp, fold};
use super::product::{Instructions, TOGETHER};

/// Memory of an attention, reused for each head and each text.
#[derive(Default)]
pub(super) struct Scratch {
    /// Queries of a head: for each token, its numbers.
    queries: Vec<f32>,
    /// Keys of a head: for each of their numbers, that of each token, in lanes.
    keys: Vec<Lanes>,
    /// For each token, the fit of each token, in lanes; then its share.
    fits: Vec<Lanes>,
    /// Values of a head: for each token, its numbers in lanes.
    values: Vec<Lanes>,
    /// Results of a head: for each token, its numbers in lanes.
    mixed: Vec<Lanes>,
}

impl Scratch {
    /// Computes the attention of one text. `projected` has the query, the key and the value of each token; each of these
    /// has a part for each head. `out` gets the results, the heads side by side.
    pub(super) fn attend(
        &mut self,
        projected: &[f32],
        hidden: usize,
        heads: usize,
        set: Instructions,
        out: &mut [f32],
    ) {
        let (tokens, size) = (projected.len() / (3 * hidden), hidden / heads);
        self.resize(tokens, size);
        for from in (0..hidden).step_by(size) {
            self.load(projected, hidden, from, size);
            set.multiply_floats(&self.queries, size, &self.keys, &mut self.fits);
            set.soften(&mut self.fits, tokens);
            set.multiply_floats(self.fits.as_flattened(), tokens, &self.values, &mut self.mixed);
            let parts = self.mixed.chunks_exact(size.div_ceil(LANES));
            for (row, parts) in out.chunks_exact_mut(hidden).zip(parts) {
                copy_lanes(parts.as_flattened(), &mut row[from..from + size]);
            }
        }
    }

    /// Makes room for so many tokens and numbers. Products are computed for some rows together, so there are a few rows
    /// more.
    fn resize(&mut self, tokens: usize, size: usize) {
        let (rows, groups, parts) = (tokens.next_multiple_of(TOGETHER), tokens.div_ceil(LANES), size.div_ceil(LANES));
        self.queries.resize(rows * size, 0.0);
        self.keys.resize(size * groups, [0.0; LANES]);
        self.fits.resize(rows * groups, [0.0; LANES]);
        self.values.resize(tokens * parts, [0.0; LANES]);
        self.mixed.resize(rows * parts, [0.0; LANES]);
    }

    /// Copies the queries, keys and values of a head. What is left of another text is in lanes and rows that are not used.
    fn load(&mut self, projected: &[f32], hidden: usize, from: usize, size: usize) {
        let scale = 1.0 / (size as f32).sqrt();
        let (groups, parts) = (self.keys.len() / size, size.div_ceil(LANES));
        for (token, row) in projected.chunks_exact(3 * hidden).enumerate() {
            let part = |at: usize| &row[at * hidden + from..][..size];
            self.queries[token * size..].iter_mut().zip(part(0)).for_each(|(to, number)| *to = number * scale);
            let keys = self.keys.as_flattened_mut()[token..].iter_mut().step_by(groups * LANES);
            keys.zip(part(1)).for_each(|(to, number)| *to = *number);
            copy_lanes(part(2), self.values[token * parts..].as_flattened_mut());
        }
    }
}

/// Turns the fits of each token into shares that add up to 1.
#[inline(always)]
pub(super) fn soften(fits: &mut [Lanes], tokens: usize) {
    let groups = tokens.div_ceil(LANES);
    // Lanes after the last token become so small that they do not count.
    let beyond: Lanes = std::array::from_fn(|lane| if (groups - 1) * LANES + lane < tokens { 0.0 } else { -1e30 });
    for row in fits.chunks_exact_mut(groups) {
        row.iter_mut().skip(groups - 1).for_each(|last| each(last, &beyond, |fit, added| fit + added));
        let most = over_lanes(row, f32::MIN, |a, b| if a > b { a } else { b });
        row.iter_mut().for_each(|fits| each(fits, &[most; LANES], |fit, most| fit - most));
    }
    fits.as_flattened_mut().iter_mut().for_each(|fit| *fit = exp(*fit));
    for row in fits.chunks_exact_mut(groups) {
        let factor = 1.0 / over_lanes(row, 0.0, |a, b| a + b);
        row.iter_mut().for_each(|fits| each(fits, &[factor; LANES], |fit, factor| fit * factor));
    }
}

/// Changes the number of each lane.
#[inline(always)]
fn each(lanes: &mut Lanes, others: &Lanes, change: impl Fn(f32, f32) -> f32) {
    for at in 0..LANES {
        lanes[at] = change(lanes[at], others[at]);
    }
}

/// Combines the numbers of a row, lane by lane and then the lanes.
#[inline(always)]
fn over_lanes(row: &[Lanes], start: f32, with: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [start; LANES];
    for numbers in row {
        for (lane, number) in lanes.iter_mut().zip(numbers) {
            *lane = with(*lane, *number);
        }
    }
    fold(lanes, with)
}

/// Copies what both have room for, some numbers at a time: faster than copying any number, since they are few.
#[inline(always)]
fn copy_lanes(from: &[f32], to: &mut [f32]) {
    let (from, from_rest) = from.as_chunks::<LANES>();
    let (to, to_rest) = to.as_chunks_mut::<LANES>();
    let whole = from.len().min(to.len());
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    let from = from[whole..].as_flattened().iter().chain(from_rest);
    to[whole..].as_flattened_mut().iter_mut().chain(to_rest).zip(from).for_each(|(to, from)| *to = *from);
}
