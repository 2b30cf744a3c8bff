//! Honesty of confidence: its distance from the share of right answers, and the accuracy of the surest answers.

/// Confidence of an answer, and true if it was right.
pub type Judged = (f64, bool);

/// Number of bins of the expected calibration error.
const BINS: usize = 10;

/// The expected calibration error: answers are sorted into ten bins by confidence, and the distance between mean
/// confidence and share of right answers is averaged over them, weighted by their size. 0 for no answers.
pub fn expected_calibration_error(judged: &[Judged]) -> f64 {
    let mut bins = [(0.0, 0usize); BINS];
    for (confidence, is_right) in judged {
        let bin = &mut bins[((confidence * BINS as f64) as usize).min(BINS - 1)];
        *bin = (bin.0 + confidence, bin.1 + usize::from(*is_right));
    }
    let distance = |(confidence, right): &(f64, usize)| (confidence - *right as f64).abs();
    bins.iter().map(distance).sum::<f64>() / judged.len().max(1) as f64
}

/// The accuracy of the given share of answers that are surest; ties count as they come. 0 for no answers.
pub fn accuracy_at_coverage(judged: &[Judged], share: f64) -> f64 {
    let mut sorted = judged.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let kept = ((judged.len() as f64 * share).round() as usize).clamp(usize::from(!judged.is_empty()), judged.len());
    let right = sorted[..kept].iter().filter(|(_, is_right)| *is_right).count();
    right as f64 / kept.max(1) as f64
}

/// The share of answers that are at least this sure, and how many of those are right: what a threshold does.
pub fn coverage_and_accuracy(judged: &[Judged], least: f64) -> (f64, f64) {
    let kept: Vec<&Judged> = judged.iter().filter(|(confidence, _)| *confidence >= least).collect();
    let right = kept.iter().filter(|(_, is_right)| *is_right).count();
    (kept.len() as f64 / judged.len().max(1) as f64, right as f64 / kept.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn honest_confidence_has_no_error() {
        let honest: Vec<Judged> = (0..100).map(|n| (0.75, n % 4 != 0)).collect();
        assert!(expected_calibration_error(&honest) < 1e-12);
        let boastful: Vec<Judged> = (0..100).map(|n| (0.95, n % 4 != 0)).collect();
        assert!((expected_calibration_error(&boastful) - 0.2).abs() < 1e-9);
        assert_eq!(expected_calibration_error(&[]), 0.0);
    }

    #[test]
    fn the_surest_answers_come_first() {
        let judged = [(0.9, true), (0.8, true), (0.4, false), (0.2, false)];
        assert_eq!(accuracy_at_coverage(&judged, 1.0), 0.5);
        assert_eq!(accuracy_at_coverage(&judged, 0.5), 1.0);
        assert_eq!(coverage_and_accuracy(&judged, 0.3), (0.75, 2.0 / 3.0));
        assert_eq!(accuracy_at_coverage(&[], 0.5), 0.0);
    }
}
