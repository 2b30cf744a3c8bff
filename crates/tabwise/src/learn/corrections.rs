//! Corrections: someone says which answer is right, and the next questions are ranked with that in mind. A correction moves
//! the weights of what tells the right candidate from the wrong one, by as little as puts it first and never by more than a
//! bound (a passive-aggressive step), on top of the model. What was learned can be taken back.

use super::learner::gradient;
use crate::answer::{Asker, PreparedTable};
use crate::evaluate::{Target, judge_formulas};
use crate::model::Overlay;
use crate::rank::Ranking;

/// Corrections in the order in which they came, and the changes of weights that they make together.
#[derive(Clone, Debug, Default)]
pub struct Corrections {
    lessons: Vec<Moves>,
    overlay: Overlay,
}

/// Changes of weights by one correction.
pub type Moves = Vec<(u64, f64)>;

/// Effect of a correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corrected {
    /// The answer is right now, or nearer to it.
    Learned,
    /// It was right, and surely so: there was nothing to learn.
    Known,
    /// No formula that the search finds has this answer.
    OutOfReach,
}

/// Scores by which a right candidate should lead.
const MARGIN: f64 = 1.0;
/// Largest step: the share of the difference between two candidates' features that weights move by.
const STEP: f64 = 0.05;
/// Number of steps for a correction; after each, the candidates are searched anew.
const STEPS: usize = 4;

impl Corrections {
    /// The changes of weights that all corrections make together.
    pub fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    /// Number of corrections.
    pub fn count(&self) -> usize {
        self.lessons.len()
    }

    /// Learns that a question about a table has this answer. The lesson, which may be kept, has a place in the list even if
    /// it is empty.
    pub fn learn(
        &mut self,
        asker: &Asker,
        table: &PreparedTable,
        question: &str,
        right: &Target,
    ) -> (Corrected, Moves) {
        let question = asker.question(table, question);
        let mut lesson = Moves::new();
        let mut overlay = self.overlay.clone();
        let mut effect = Corrected::OutOfReach;
        for step in 0..STEPS {
            let weights = overlay.over(asker.model());
            let mut ranking = table.rank(&question, &asker.knowledge().grammar, asker.settings(), &weights);
            let judged = judge_formulas(&mut ranking, &table.graph, right);
            let Some(moves) = moves(&ranking, &judged) else { break };
            effect = if step == 0 && moves.is_empty() { Corrected::Known } else { Corrected::Learned };
            if moves.is_empty() {
                break;
            }
            overlay.add(&moves);
            lesson.extend(moves);
        }
        self.overlay = overlay;
        self.lessons.push(lesson.clone());
        (effect, lesson)
    }

    /// Adds a lesson that was kept.
    pub fn recall(&mut self, lesson: Moves) {
        self.overlay.add(&lesson);
        self.lessons.push(lesson);
    }

    /// Takes the last correction back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let had = self.lessons.pop().is_some();
        self.overlay = Overlay::default();
        self.lessons.iter().for_each(|lesson| self.overlay.add(lesson));
        had
    }
}

/// Changes that put the best right candidate above the best wrong one; none if it leads already, `None` if there is no
/// right one.
fn moves(ranking: &Ranking, right: &[bool]) -> Option<Moves> {
    let up = right.iter().position(|right| *right)?;
    let Some(down) = right.iter().position(|right| !*right) else { return Some(Moves::new()) };
    let lead = ranking.candidates[up].score - ranking.candidates[down].score;
    if lead >= MARGIN {
        return Some(Moves::new());
    }
    let mut shares = vec![0.0; right.len()];
    (shares[up], shares[down]) = (1.0, -1.0);
    let slopes = gradient(ranking, &shares);
    let length: f64 = slopes.iter().map(|(_, slope)| slope * slope).sum();
    let step = ((MARGIN - lead) / length.max(1.0)).min(STEP);
    Some(slopes.into_iter().map(|(feature, slope)| (feature, step * slope)).collect())
}
