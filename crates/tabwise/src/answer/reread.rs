//! Reading: the reader looks at the best candidate of each of the first answers, and they are ranked anew.

use super::reading::texts;
use crate::explain::Phrases;
use crate::features::Weights;
use crate::rank::reader::Reader;
use crate::rank::{Pool, Ranking, pools};
use crate::settings::Settings;

/// Ranks the best candidates a second time, unless the linear model is sure enough.
pub(super) fn reread<'a>(
    mut ranking: Ranking<'a>,
    reader: &Reader,
    phrases: &Phrases,
    settings: &Settings,
    weights: &impl Weights,
) -> Ranking<'a> {
    let pools = pools(&ranking.candidates, ranking.executor.graph());
    // Rounding may take a sum of probabilities beyond 1.
    let is_sure = pools.first().is_none_or(|pool| pool.probability.min(1.0) > settings.read_below);
    if is_sure {
        return ranking;
    }
    let read: Vec<usize> = pools.iter().take(settings.read).map(Pool::best).collect();
    let texts = texts(&mut ranking, &pools, settings.read, phrases);
    let mut scores = reader.scores(&ranking.groups.scene().question.text, &texts);
    read.iter().zip(&mut scores).for_each(|(at, score)| *score += TAUGHT * taught(&ranking, *at, weights));
    ranking.reading(&read, &scores, reader.linear_weight())
}

/// Weight of what corrections say beside the reader's score. The linear score has it in it too, but counts little here.
const TAUGHT: f32 = 0.2;

/// What corrections say of a candidate.
fn taught(ranking: &Ranking, at: usize, weights: &impl Weights) -> f32 {
    let groups = ranking.candidates[at].groups.iter();
    groups.map(|group| weights.taught(ranking.groups.features(*group))).sum::<f64>() as f32
}
