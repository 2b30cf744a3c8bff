//! Echoes: whether the question already says the answer. "Which is longer, the Nile or the Amazon?" is answered with one of
//! the two; most questions are not answered with what they name.

use super::{Family, List, Scene};
use crate::question::Question;
use crate::value::Value;

/// How much of an answer the question says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Echo {
    Nothing,
    Some,
    All,
}

impl Echo {
    pub fn name(self) -> &'static str {
        match self {
            Echo::Nothing => "nothing",
            Echo::Some => "some",
            Echo::All => "all",
        }
    }
}

/// How many of the values are linked to words of the question.
pub fn echo_of(question: &Question, values: impl Iterator<Item = Value>) -> Echo {
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

/// Lists the features of an echo.
pub fn describe(scene: &Scene, echo: Echo, list: &mut List) {
    if !list.wants(Family::Echo) {
        return;
    }
    let asks = &scene.question.asks;
    let choice = if scene.question.tokens.iter().any(|token| token.lemma == "or") { "or" } else { "" };
    list.add(Family::Echo, &[echo.name()]);
    list.add(Family::Echo, &[echo.name(), choice]);
    list.add(Family::Echo, &[echo.name(), choice, &asks.words]);
}
