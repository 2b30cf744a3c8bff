//! Base derivations: values and entities anchored to words of the question, and the columns of the table, which float.

use super::cell::Bounds;
use super::chart::{Active, Chart, sums};
use super::members::Members;
use crate::derivation::Derivation;
use crate::features::{GroupId, Predicate, Topic, Weights};
use crate::formula::types::Type;
use crate::formula::{FormulaId, Node};
use crate::graph::{ColumnId, Reading};
use crate::question::{Link, LinkKind, Places};
use crate::value::Value;

/// Result of a base rule.
struct Base<'p> {
    formula: FormulaId,
    kind: Type,
    places: Places,
    tokens: u128,
    /// Predicates as it stands.
    predicates: &'p [Predicate],
    /// Predicates of a relation that is turned round.
    reversed: &'p [Predicate],
    /// Predicates of a relation that rows are put in the order of.
    ordering: &'p [Predicate],
}

impl<W: Weights> Chart<'_, '_, W> {
    /// Derives from the words that name entities.
    pub(super) fn anchor_entities(&mut self, rule: Active) {
        let links = &self.scene().question.links;
        links.iter().filter(|link| link.kind != LinkKind::Value).for_each(|link| self.anchor(rule, link));
    }

    /// Derives from the words that say values.
    pub(super) fn anchor_values(&mut self, rule: Active) {
        let links = &self.scene().question.links;
        links.iter().filter(|link| link.kind == LinkKind::Value).for_each(|link| self.anchor(rule, link));
    }

    fn anchor(&mut self, rule: Active, link: &Link) {
        let (kind, places, any) = match link.value {
            Value::Entity(entity) if link.kind == LinkKind::Words => {
                let some = if link.others.is_empty() { Predicate::OneByWords } else { Predicate::SomeByWords };
                (Type::ENTITY, self.scene().vocabulary.places(entity), Some(some))
            }
            Value::Entity(entity) => (Type::ENTITY, self.scene().vocabulary.places(entity), None),
            Value::Number(_) => (Type::NUMBER, Places::NUMBER, Some(Predicate::AnyNumber)),
            Value::Date(_) => (Type::DATE, Places::DATE, Some(Predicate::AnyDate)),
            Value::Truth(_) => (Type::TRUTH, Places::NONE, None),
        };
        let predicates: Vec<Predicate> = [Predicate::Value(link.value)].into_iter().chain(any).collect();
        let tokens = link.tokens.clone().fold(0, |bits, at| bits | 1u128 << at.min(127));
        let formulas = self.executor.formulas_mut();
        let first = formulas.intern(Node::Value(link.value));
        let formula = link.others.iter().fold(first, |all, other| {
            let other = formulas.entity(*other);
            formulas.intern(Node::Or(all, other))
        });
        self.base(rule, Base { formula, kind, places, tokens, predicates: &predicates, reversed: &[], ordering: &[] });
    }

    /// Derives the columns.
    pub(super) fn float_columns(&mut self, rule: Active) {
        self.scene().graph.column_ids().for_each(|column| self.float_column(rule, column));
    }

    /// Derives the columns with each reading that some cell of theirs has.
    pub(super) fn float_readings(&mut self, rule: Active) {
        self.scene().graph.column_ids().for_each(|column| self.float_column_readings(rule, column));
    }

    fn float_column(&mut self, rule: Active, column: ColumnId) {
        let base = Base {
            formula: self.executor.formulas_mut().column(column),
            kind: Type::ENTITY,
            places: Places::column(column),
            tokens: 0,
            predicates: &[Predicate::Column(column)],
            reversed: &[Predicate::ColumnOf(column)],
            ordering: &[Predicate::ColumnBy(column)],
        };
        self.base(rule, base);
    }

    fn float_column_readings(&mut self, rule: Active, column: ColumnId) {
        let (readings, settings) = (self.scene().vocabulary.readings(column), self.settings);
        for reading in readings.iter().filter(|reading| settings.readings.has(**reading)) {
            let (kind, places) = match reading {
                Reading::Number | Reading::Number2 | Reading::Duration => (Type::NUMBER, Places::NUMBER),
                Reading::Date | Reading::Date2 => (Type::DATE, Places::DATE),
                Reading::Part => (Type::ENTITY, Places::PART),
            };
            let formulas = self.executor.formulas_mut();
            let filled = [formulas.column(column), formulas.reading(*reading)];
            let formula = self.instantiate(self.rule(rule).template, &filled);
            let predicates = [Predicate::Column(column), Predicate::Reading(*reading)];
            let reversed = [Predicate::ColumnOf(column), Predicate::ReadingOf(*reading)];
            let ordering = [Predicate::ColumnBy(column), Predicate::ReadingOf(*reading)];
            let base = Base {
                formula,
                kind,
                places,
                tokens: 0,
                predicates: &predicates,
                reversed: &reversed,
                ordering: &ordering,
            };
            self.base(rule, base);
        }
    }

    fn base(&mut self, rule: Active, base: Base) {
        let lists = [base.predicates, base.reversed, base.ordering].map(|predicates| self.groups_of(predicates));
        let sums = [0, 1, 2].map(|at| sums(&lists[at], &self.groups));
        let score = sums[0].0;
        let derivation = Derivation {
            rule: self.rules[rule.0].id,
            parts: [None; 3],
            category: self.rule(rule).result,
            formula: base.formula,
            size: 1,
            tokens: base.tokens,
            score,
        };
        let members = Members { kind: base.kind, places: base.places, is_many: false, is_endless: false };
        // However the relation is used, it brings no more than its best list.
        let most = sums.iter().map(|sum| sum.0).fold(score, f64::max);
        let negative = sums.iter().map(|sum| sum.1).fold(0.0, f64::max);
        self.enter(&derivation, members, Bounds { most, negative }, 0);
        self.derivations.push_relation(derivation, [&lists[0], &lists[1], &lists[2]]);
    }

    /// The groups of predicates, sorted, each once.
    fn groups_of(&mut self, predicates: &[Predicate]) -> Vec<GroupId> {
        let id = |predicate: &Predicate| self.groups.id(Topic::Predicate(*predicate), self.weights);
        let mut ids: Vec<GroupId> = predicates.iter().map(id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}
