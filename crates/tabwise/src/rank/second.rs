//! The second ranking: candidates that a reader has read are ranked by its scores, with a term for the linear model's.

use super::{Candidate, Ranking};

impl Ranking<'_> {
    /// Ranks anew by a reader's scores of some candidates, given by their positions. The score of a candidate becomes the
    /// reader's plus `weight` times the linear one relative to the best. The others stay behind, at their distances.
    pub fn reading(mut self, read: &[usize], scores: &[f32], weight: f32) -> Self {
        let linear = |at: &usize| self.candidates[*at].linear;
        let best = read.iter().map(linear).fold(f64::NEG_INFINITY, f64::max);
        let score = |(at, score): (&usize, &f32)| f64::from(*score) + f64::from(weight) * (linear(at) - best);
        let scores: Vec<f64> = read.iter().zip(scores).map(score).collect();
        let Some(last) = scores.iter().copied().reduce(f64::min) else { return self };
        let others: Vec<usize> = (0..self.candidates.len()).filter(|at| !read.contains(at)).collect();
        let ahead = others.iter().map(linear).fold(f64::NEG_INFINITY, f64::max);
        // No more than the last of those, which a sum from left to right could be.
        let behind: Vec<f64> = others.iter().map(|at| last + (linear(at) - ahead)).collect();
        for (at, score) in read.iter().zip(scores).chain(others.iter().zip(behind)) {
            self.candidates[*at].score = score;
        }
        self.candidates = sorted(self.candidates, read);
        self.is_read = true;
        self
    }
}

/// Candidates by their scores, the best first; of equals, those that were read.
fn sorted(candidates: Vec<Candidate>, read: &[usize]) -> Vec<Candidate> {
    let mut marked: Vec<(bool, Candidate)> =
        candidates.into_iter().enumerate().map(|(at, candidate)| (read.contains(&at), candidate)).collect();
    marked.sort_by(|(a_read, a), (b_read, b)| b.score.total_cmp(&a.score).then(b_read.cmp(a_read)));
    marked.into_iter().map(|(_, candidate)| candidate).collect()
}
