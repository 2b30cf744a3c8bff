//! Echoes: whether the question already says the answer. "Which is longer, the Nile or the Amazon?" is answered with one of
//! the two; most questions are not answered with what they name.

use super::{Describe, Family, List, Scene, Topic, Whole};
use crate::execute::Denotation;
use crate::named::named;
use crate::question::Question;
use crate::value::Value;

named! {
    /// Share of an answer that the question says.
    pub enum Echo is "echo" {
        /// none of its values
        Nothing => "nothing",
        /// some of its values
        Some => "some",
        /// all of its values
        All => "all",
    }
}

/// Finds the share of the values that are linked to words of the question.
pub(super) fn find(whole: &Whole, add: &mut dyn FnMut(Topic)) {
    if let Denotation::Values(items) = whole.denotation {
        add(Topic::Echo(echo_of(whole.scene.question, items.iter().map(|item| item.value))));
    }
}

fn echo_of(question: &Question, values: impl Iterator<Item = Value>) -> Echo {
    let is_said = |value: Value| {
        question
            .links
            .iter()
            .any(|link| link.value == value || matches!(value, Value::Entity(entity) if link.others.contains(&entity)))
    };
    let (mut some, mut all) = (false, true);
    for value in values {
        let said = is_said(value);
        some |= said;
        all &= said;
    }
    match (some, all) {
        (true, true) => Echo::All,
        (true, false) => Echo::Some,
        _ => Echo::Nothing,
    }
}

impl Describe for Echo {
    fn label(self, _: &Scene) -> String {
        format!("the question says {} of the answer", self.name())
    }

    fn describe(self, scene: &Scene, list: &mut List) {
        let asks = &scene.question.asks;
        let choice = if scene.question.tokens.iter().any(|token| token.lemma == "or") { "or" } else { "" };
        list.add(Family::Echo, &[self.name()]);
        list.add(Family::Echo, &[self.name(), choice]);
        list.add(Family::Echo, &[self.name(), choice, &asks.words]);
    }
}
