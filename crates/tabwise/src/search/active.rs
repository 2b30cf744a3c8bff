//! Rules in use for one question, with the score that each adds to a formula.

use super::chart::sums;
use crate::features::{GroupId, Groups, Predicate, Scene, Topic, Weights};
use crate::grammar::{Category, Form, Grammar, Rule, RuleId};
use crate::settings::{Operations, Settings};

/// Bits of `asked` for formulas with everything that the question names, and with all but one of three or more things. Those of
/// groups of rules come after them.
pub(super) const NAMED: [u32; 2] = [1, 2];

/// A rule in use.
pub(super) struct ActiveRule<'g> {
    /// Id of the rule.
    pub id: RuleId,
    /// The rule.
    pub rule: &'g Rule,
    /// Predicates that it adds, sorted.
    pub predicates: Vec<GroupId>,
    /// Score of those predicates.
    pub score: f64,
    /// Sum of their negative scores, with the sign turned.
    pub negative: f64,
    /// Bit of its group, if the question asks for the group; 0 for rules that need no word.
    pub asked: u32,
}

/// The rules that the settings and the words of the question allow.
pub(super) fn active_rules<'g>(
    grammar: &'g Grammar,
    settings: &Settings,
    groups: &mut Groups,
    weights: &impl Weights,
) -> Vec<ActiveRule<'g>> {
    let scene = groups.scene();
    let is_active = |rule: &Rule| settings.rules.contains(&rule.group) && is_cued(rule, &scene, settings);
    let mut active: Vec<(RuleId, &Rule)> = grammar.numbered().filter(|(_, rule)| is_active(rule)).collect();
    while let Some(useless) = active.iter().position(|(_, rule)| !is_used(rule.result, &active)) {
        active.remove(useless);
    }
    let mut asked: Vec<&str> = Vec::new();
    let mut bit = |rule: &'g Rule| {
        let at = asked.iter().position(|group| *group == rule.group).unwrap_or(asked.len());
        if at == asked.len() {
            asked.push(&rule.group);
        }
        1u32.checked_shl(at as u32 + NAMED.len() as u32).unwrap_or(0)
    };
    let mut add = |(id, rule): (RuleId, &'g Rule)| {
        let asked = if rule.needs_cue { bit(rule) } else { 0 };
        ActiveRule { asked, ..ActiveRule::new(id, rule, grammar, groups, weights) }
    };
    active.into_iter().map(&mut add).collect()
}

/// Tells if formulas of a category are answers, or if a rule in use makes something of them.
fn is_used(category: Category, active: &[(RuleId, &Rule)]) -> bool {
    matches!(category, Category::Values | Category::Answer)
        || active.iter().any(|(_, rule)| rule.result != category && rule.form.categories().any(|part| part == category))
}

impl<'g> ActiveRule<'g> {
    fn new(
        id: RuleId,
        rule: &'g Rule,
        grammar: &Grammar,
        groups: &mut Groups,
        weights: &impl Weights,
    ) -> ActiveRule<'g> {
        let mut predicates: Vec<GroupId> = match rule.form {
            // The lambda of a reading is no operation: the relation brings its own predicates.
            Form::Reading => Vec::new(),
            _ => {
                let found = Predicate::in_template(grammar.templates(), rule.template);
                found.into_iter().map(|predicate| groups.id(Topic::Predicate(predicate), weights)).collect()
            }
        };
        predicates.sort_unstable();
        predicates.dedup();
        let (score, negative) = sums(&predicates, groups);
        ActiveRule { id, rule, predicates, score, negative, asked: 0 }
    }
}

/// Tells if a rule may be used: always when operations float, else when some word suggests it. Looking things up needs no
/// word of its own, and neither does an order: it does nothing until an operation uses it.
fn is_cued(rule: &Rule, scene: &Scene, settings: &Settings) -> bool {
    let is_function = matches!(rule.result, Category::RecordFn | Category::ValueFn);
    let floats = match settings.operations {
        Operations::Floating => !rule.needs_cue,
        Operations::Cued => is_function || matches!(rule.group.as_str(), "base" | "join"),
    };
    floats || scene.question.has_cue(&rule.group, &rule.name)
}
