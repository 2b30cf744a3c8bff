//! Signals of confidence: how probable the best answer is, how far ahead, how many rivals it has, and how many words of
//! the question it leaves over. They are known of every ranking, whichever families of features are in use.

use super::{Pool, Ranking, probabilities};
use crate::features::accord;
use crate::model::{Signal, Signals};

/// The signals of a ranking; `None` when there is no candidate.
pub(super) fn signals(ranking: &Ranking, pools: &[Pool]) -> Option<Signals> {
    let Ranking { candidates, groups, is_read, .. } = ranking;
    let first = pools.first()?;
    let best = &candidates[first.best()];
    let p = first.probability.clamp(1e-6, 1.0 - 1e-6);
    let second = pools.get(1).map_or(0.0, |pool| pool.probability).max(1e-6);
    let own = probabilities(candidates)[first.best()];
    let others = pools[1..].iter().map(|pool| candidates[pool.best()].score);
    let margin = best.score - others.fold(f64::NEG_INFINITY, f64::max).max(best.score - 100.0);
    let others = pools[1..].iter().map(|pool| candidates[pool.best()].linear);
    let before = best.linear - others.fold(f64::NEG_INFINITY, f64::max).max(best.linear - 100.0);
    let accord = accord(&groups.scene(), best.groups.iter().map(|group| groups.topic(*group)));
    let one_if = |holds: bool| f64::from(u8::from(holds));
    Some(Signals::new(*is_read, |signal| match signal {
        Signal::Constant => 1.0,
        Signal::Odds => (p / (1.0 - p)).ln(),
        Signal::Lead => (p / second).ln().clamp(-5.0, 10.0),
        Signal::Margin => (margin / 10.0).clamp(0.0, 8.0).sqrt(),
        Signal::Answers => (pools.len() as f64).ln(),
        Signal::Share => own / first.probability.max(f64::MIN_POSITIVE),
        Signal::Score => (best.score / 10.0).clamp(-5.0, 5.0),
        Signal::Values => (best.values().len().max(1) as f64).ln(),
        Signal::Idle => best.extent.idle_share(),
        Signal::Unheard => best.extent.unheard(),
        Signal::Ignored => best.extent.ignored(),
        Signal::Contrary => best.contrary as f64,
        Signal::Named => best.extent.named(),
        Signal::Strange => best.extent.strange(),
        Signal::Foreign => best.extent.foreign(),
        Signal::Guessed => f64::from(accord.guessed),
        Signal::Elsewhere => one_if(accord.is_elsewhere),
        Signal::Unknown => one_if(accord.is_unknown),
        Signal::Blind => one_if(accord.is_blind),
        Signal::Nameless => one_if(accord.is_unknown && accord.is_counted),
        Signal::Unlike => one_if(accord.is_unlike),
        Signal::Counted => one_if(accord.is_counted),
        Signal::Groups => one_if(accord.is_table),
        Signal::Several => one_if(accord.is_one_of_several),
        Signal::Columns => (groups.scene().graph.columns().len().max(1) as f64).ln(),
        Signal::Agreed => one_if(*is_read && before >= 0.0),
        Signal::Before if *is_read => (before.abs() / 10.0).clamp(0.0, 8.0).sqrt().copysign(before),
        Signal::Before => 0.0,
    }))
}
