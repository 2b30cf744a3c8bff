//! Derivations: how a formula was built. Each knows the rule that made it, its parts, the words of the question it used,
//! its predicates and its score so far.

use crate::features::GroupId;
use crate::formula::FormulaId;
use crate::grammar::{Category, Grammar, RuleId};
use std::ops::Range;

/// A derivation, by its position in [`Derivations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DerivationId(u32);

/// One way to build a formula.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// Rule that was applied last.
    pub rule: RuleId,
    /// Parts that it was applied to; a base rule has none.
    pub parts: [Option<DerivationId>; 3],
    /// Category of the formula.
    pub category: Category,
    /// The formula.
    pub formula: FormulaId,
    /// Number of rules applied.
    pub size: usize,
    /// Tokens of the question that were used, as bits.
    pub tokens: u128,
    /// Sum of the scores of its predicates.
    pub score: f64,
}

/// Predicates of a derivation by how a larger one uses it, each list sorted and without repeats.
#[derive(Clone, Debug, Default)]
struct Predicates {
    /// As it stands.
    plain: Range<u32>,
    /// Turned round; empty when that is no different.
    reversed: Range<u32>,
    /// With rows put in its order; empty when that is no different.
    ordering: Range<u32>,
    /// With rows grouped by it; empty when that is no different.
    grouping: Range<u32>,
}

/// Use that a rule makes of one of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// As it stands.
    Plain,
    /// Turned round.
    Reversed,
    /// Rows are put in its order.
    Ordering,
    /// Rows are grouped by it.
    Grouping,
}

/// All derivations of a search, with their predicates.
#[derive(Clone, Debug, Default)]
pub struct Derivations {
    all: Vec<Derivation>,
    predicates: Vec<Predicates>,
    /// Lists of predicates, one after the other.
    lists: Vec<GroupId>,
}

impl Derivations {
    /// An empty collection with room for `count` derivations.
    pub fn with_capacity(count: usize) -> Derivations {
        let (all, predicates) = (Vec::with_capacity(count), Vec::with_capacity(count));
        Derivations { all, predicates, lists: Vec::with_capacity(8 * count) }
    }

    /// The id that the next derivation will have.
    pub fn next_id(&self) -> DerivationId {
        DerivationId(self.all.len() as u32)
    }

    /// Adds a derivation whose predicates are the same however it is used.
    pub fn push(&mut self, derivation: Derivation, predicates: &[GroupId]) {
        let predicates = Predicates { plain: self.list(predicates), ..Predicates::default() };
        self.all.push(derivation);
        self.predicates.push(predicates);
    }

    /// Adds a relation, whose predicates depend on how it is used.
    pub fn push_relation(&mut self, derivation: Derivation, lists: [&[GroupId]; 4]) {
        let [plain, reversed, ordering, grouping] = lists.map(|list| self.list(list));
        self.all.push(derivation);
        self.predicates.push(Predicates { plain, reversed, ordering, grouping });
    }

    fn list(&mut self, predicates: &[GroupId]) -> Range<u32> {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(predicates);
        start..self.lists.len() as u32
    }

    /// A derivation.
    pub fn get(&self, id: DerivationId) -> &Derivation {
        &self.all[id.0 as usize]
    }

    /// A derivation as text: its rule, then its parts in parentheses; base rules with the formula that they gave.
    pub fn show(&self, id: DerivationId, grammar: &Grammar, formula: &dyn Fn(FormulaId) -> String) -> String {
        let derivation = self.get(id);
        let rule = grammar.rule(derivation.rule);
        let parts = derivation.parts.iter().flatten().map(|part| self.show(*part, grammar, formula));
        let parts: Vec<String> = parts.collect();
        let name = format!("{} {}", rule.group, rule.name);
        match (rule.group.as_str(), parts.as_slice()) {
            ("base", _) => format!("{name} {}", formula(derivation.formula)),
            (_, []) => name,
            _ => format!("{name} ({})", parts.join(", ")),
        }
    }

    /// Predicates that a derivation brings to a larger one, sorted.
    pub fn predicates(&self, id: DerivationId, used: Use) -> &[GroupId] {
        let lists = &self.predicates[id.0 as usize];
        let list = match used {
            Use::Reversed if !lists.reversed.is_empty() => &lists.reversed,
            Use::Ordering if !lists.ordering.is_empty() => &lists.ordering,
            Use::Grouping if !lists.grouping.is_empty() => &lists.grouping,
            _ => &lists.plain,
        };
        &self.lists[list.start as usize..list.end as usize]
    }
}
