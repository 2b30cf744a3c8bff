//! Arithmetic of the encoder on 32-bit floats. Results are the same bits on every CPU: only operations that IEEE 754 fixes
//! are used (no fused multiply-add, no library functions), and sums run in [`LANES`] lanes that are added up in a fixed
//! order, however wide the vectors are that the compiler makes of them. Functions are always inlined, so that
//! [`super::product`] can compile them for each instruction set.

/// Number of lanes in which sums run.
pub(super) const LANES: usize = 16;

/// A value for each lane.
pub(super) type Lanes = [f32; LANES];

/// Added to the variance by a layer norm.
const EPSILON: f32 = 1e-12;
/// Largest quantised value.
const LARGEST: f32 = 127.0;
/// Quantised values are stored with this added, so that they are not negative.
pub(super) const OFFSET: i32 = 128;

/// Adding this number leaves the nearest integer in the low bits.
const ROUND: f32 = 12_582_912.0;

/// Gain and bias of a layer norm.
pub(super) struct Norm {
    pub(super) gain: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

/// Adds to rows and normalises them: `rows = norm(rows + added)`.
#[inline(always)]
pub(super) fn add_and_normalise(rows: &mut [f32], added: &[f32], norm: &Norm) {
    let width = norm.gain.len();
    for (row, added) in rows.chunks_exact_mut(width).zip(added.chunks_exact(width)) {
        row.iter_mut().zip(added).for_each(|(x, y)| *x += y);
        normalise(row, norm);
    }
}

/// Gives a row the mean 0 and the variance 1, then the norm's gain and bias.
#[inline(always)]
pub(super) fn normalise(row: &mut [f32], norm: &Norm) {
    let count = row.len() as f32;
    let mean = sum(row, |x| x) / count;
    let variance = sum(row, |x| (x - mean) * (x - mean)) / count;
    let scale = 1.0 / (variance + EPSILON).sqrt();
    for ((x, gain), bias) in row.iter_mut().zip(&norm.gain).zip(&norm.bias) {
        *x = (*x - mean) * scale * gain + bias;
    }
}

/// Rounds a row to 8 bits, and returns the size of one step. Halves are rounded to even numbers.
#[inline(always)]
pub(super) fn quantise(row: &[f32], steps: &mut [u8]) -> f32 {
    let most = largest(row);
    let factor = if most > 0.0 { LARGEST / most } else { 0.0 };
    for (step, x) in steps.iter_mut().zip(row) {
        *step = (x * factor + ROUND).to_bits() as u8 ^ OFFSET as u8;
    }
    most / LARGEST
}

/// The Gaussian error linear unit of each value.
#[inline(always)]
pub(super) fn gelu(values: &mut [f32]) {
    for x in values {
        *x = 0.5 * *x * (1.0 + erf(*x * std::f32::consts::FRAC_1_SQRT_2));
    }
}

/// Sum over a row of what `of` makes of its values.
#[inline(always)]
pub(super) fn sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += of(*x);
        }
    }
    for (lane, x) in lanes.iter_mut().zip(rest) {
        *lane += of(*x);
    }
    fold(lanes, |a, b| a + b)
}

/// Sum of products.
#[inline(always)]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for (at, (x, y)) in a.iter().zip(b).enumerate() {
        lanes[at % LANES] += x * y;
    }
    fold(lanes, |a, b| a + b)
}

/// Largest magnitude of a row.
#[inline(always)]
fn largest(row: &[f32]) -> f32 {
    let larger = |a: f32, b: f32| if a > b { a } else { b };
    let mut lanes = [0.0; LANES];
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, x.abs());
        }
    }
    let rest = rest.iter().fold(0.0, |most, x| larger(most, x.abs()));
    larger(fold(lanes, larger), rest)
}

/// Combines the lanes, halves with halves.
#[inline(always)]
pub(super) fn fold(mut lanes: Lanes, with: impl Fn(f32, f32) -> f32) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        for at in 0..half {
            lanes[at] = with(lanes[at], lanes[at + half]);
        }
        half /= 2;
    }
    lanes[0]
}

/// e to the power of x, for x up to 0; less than -87 counts as -87. The relative error is below 2⁻²².
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    let x = if x > -87.0 { x } else { -87.0 };
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    let rest = x - whole * LN_2[0] - whole * LN_2[1];
    let tail = polynomial(rest, [1.987_569_1e-4, 1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5]);
    let power = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    (tail * rest * rest + rest + 1.0) * power
}

/// The error function as a quotient of polynomials; beyond 4 it is 1. The error is below 4e-7.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let x = if x > -4.0 { x } else { -4.0 };
    let x = if x < 4.0 { x } else { 4.0 };
    let square = x * x;
    let above = polynomial(
        square,
        [-2.726_142_3e-10, 2.770_681_4e-8, -2.101_024e-6, -5.692_506_4e-5, -7.349_906e-4, -2.954_6e-3, -1.609_603_3e-2],
    );
    let below = polynomial(square, [-1.456_607_2e-5, -2.133_740_6e-4, -1.682_827e-3, -7.373_329_2e-3, -1.426_473_9e-2]);
    x * above / below
}

/// A polynomial by its coefficients, the highest first.
#[inline(always)]
fn polynomial<const N: usize>(x: f32, coefficients: [f32; N]) -> f32 {
    coefficients.into_iter().reduce(|value, next| value * x + next).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_close() {
        for at in 0..=8700 {
            let x = -at as f32 / 100.0;
            let (given, right) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((given / right - 1.0).abs() < 2.4e-7, "{x}: {given} is not {right}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(f32::NEG_INFINITY) < 1e-37 && exp(f32::NAN) < 1e-37);
    }

    #[test]
    fn erf_is_close() {
        let known = [
            (0.0, 0.0),
            (0.1, 0.112_462_916),
            (0.5, 0.520_499_878),
            (1.0, 0.842_700_793),
            (1.5, 0.966_105_146),
            (2.0, 0.995_322_265),
            (3.0, 0.999_977_910),
            (9.0, 1.0),
        ];
        for (x, right) in known {
            for sign in [1.0, -1.0] {
                assert!((f64::from(erf(sign * x)) - f64::from(sign) * right).abs() < 4e-7, "{x}: {}", erf(x));
            }
        }
    }

    #[test]
    fn halves_are_rounded_to_even_numbers() {
        let mut steps = [0; 6];
        let step = quantise(&[127.0, 0.5, -1.5, 0.51, -126.5, 0.0], &mut steps);
        assert_eq!((step, steps.map(|step| i32::from(step) - OFFSET)), (1.0, [127, 0, -2, 1, -126, 0]));
        assert_eq!((quantise(&[0.0; 6], &mut steps), steps), (0.0, [128; 6]));
    }

    #[test]
    fn a_row_is_normalised() {
        let norm = Norm { gain: vec![2.0; 20], bias: vec![1.0; 20] };
        let mut row: Vec<f32> = (0..20).map(|x| x as f32).collect();
        normalise(&mut row, &norm);
        assert!((sum(&row, |x| x) / 20.0 - 1.0).abs() < 1e-5);
        assert!((sum(&row, |x| (x - 1.0) * (x - 1.0)) / 20.0 - 4.0).abs() < 1e-4);
    }
}
