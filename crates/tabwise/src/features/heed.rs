//! Words that suggest operations, and if the formula has one of the operations that each suggests; and the operations of
//! the formula that no word suggests. A question with *not* and a formula without a negation do not go together, nor do a
//! superlative and a question without a word for it, whatever else they have in common.

use super::{Describe, Family, List, Scene, Topic, Whole};
use crate::grammar::Rule;
use crate::hash::StableHash;

/// A word that suggests operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heed {
    token: u8,
    is_heeded: bool,
}

/// Finds the words that suggest operations.
pub(super) fn find(whole: &Whole, add: &mut dyn FnMut(Topic)) {
    let suggesting = whole.scene.question.cues.iter().fold(0, |all, cue| all | cue.tokens);
    for token in (0..128u8).filter(|at| suggesting >> at & 1 == 1) {
        add(Topic::Heed(Heed { token, is_heeded: whole.cued >> token & 1 == 1 }));
    }
}

/// An operation that no word of the question suggests, as a number for the names of its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unprompted(u64);

impl Unprompted {
    /// Number for a rule.
    pub fn new(rule: &Rule) -> Unprompted {
        let mut hash = StableHash::new(0);
        [&rule.group, &rule.name].iter().for_each(|name| hash.write(name.as_bytes()));
        Unprompted(hash.finish())
    }
}

/// Finds the operations that no word suggests.
pub(super) fn find_unprompted(whole: &Whole, add: &mut dyn FnMut(Topic)) {
    whole.unprompted.iter().for_each(|rule| add(Topic::Unprompted(*rule)));
}

impl Describe for Unprompted {
    fn label(self, _: &Scene) -> String {
        "does what no word suggests".to_string()
    }

    fn describe(self, _: &Scene, list: &mut List) {
        list.add(Family::Heed, &["unprompted", &format!("{:016x}", self.0)]);
    }
}

impl Heed {
    fn name(self) -> &'static str {
        if self.is_heeded { "heeds" } else { "ignores" }
    }

    fn word<'s>(self, scene: &Scene<'s>) -> &'s str {
        scene.question.tokens.get(usize::from(self.token)).map_or("", |token| &token.lemma)
    }
}

impl Describe for Heed {
    fn label(self, scene: &Scene) -> String {
        format!("{} {}", self.name(), self.word(scene))
    }

    fn describe(self, scene: &Scene, list: &mut List) {
        let cues = scene.question.cues.iter().filter(|cue| cue.tokens >> self.token & 1 == 1);
        let suggested: Vec<&str> = cues.map(|cue| &*cue.name).collect();
        list.add(Family::Heed, &[self.name(), &suggested.join(", ")]);
        list.add(Family::Heed, &[self.name(), "word", self.word(scene)]);
    }
}
