//! Base rules: values anchored to the words of the question, and the columns and readings of the table, which float.

use super::cell::Bounds;
use super::chart::{Chart, Members};
use crate::derivation::Derivation;
use crate::features::Predicate;
use crate::formula::types::Type;
use crate::formula::{FormulaId, Node};
use crate::grammar::Part;
use crate::graph::{ColumnId, Reading};
use crate::model::Weights;
use crate::question::{Link, LinkKind, Places};
use crate::value::Value;

/// What a base rule gives.
struct Base<'p> {
    formula: FormulaId,
    kind: Type,
    places: Places,
    tokens: u128,
    predicates: &'p [Predicate],
    /// The predicates when the relation is turned round.
    reversed: &'p [Predicate],
    /// The predicates when rows are put in its order.
    ordering: &'p [Predicate],
}

impl<W: Weights> Chart<'_, '_, W> {
    /// Derives from the words that name entities or say values.
    pub fn anchor(&mut self, rule: usize) {
        let wants_values = self.rule(rule).parts == [Part::Value];
        for link in &self.scene().question.links {
            if (link.kind == LinkKind::Value) == wants_values {
                self.anchor_link(rule, link);
            }
        }
    }

    fn anchor_link(&mut self, rule: usize, link: &Link) {
        let (kind, places, any) = match link.value {
            Value::Entity(entity) if link.kind == LinkKind::Words => {
                let some = if link.others.is_empty() { Predicate::OneByWords } else { Predicate::SomeByWords };
                (Type::ENTITY, self.scene().vocabulary.places(entity), Some(some))
            }
            Value::Entity(entity) => (Type::ENTITY, self.scene().vocabulary.places(entity), None),
            Value::Number(_) => (Type::NUMBER, Places::NUMBER, Some(Predicate::AnyNumber)),
            Value::Date(_) => (Type::DATE, Places::DATE, Some(Predicate::AnyDate)),
        };
        let predicates: Vec<Predicate> = [Predicate::Value(link.value)].into_iter().chain(any).collect();
        let tokens = link.tokens.clone().fold(0, |bits, at| bits | 1u128 << at.min(127));
        let first = self.formulas.intern(Node::Value(link.value));
        let formula = link.others.iter().fold(first, |all, other| {
            let other = self.formulas.entity(*other);
            self.formulas.intern(Node::Or(all, other))
        });
        self.base(rule, Base { formula, kind, places, tokens, predicates: &predicates, reversed: &[], ordering: &[] });
    }

    /// Derives the columns, or the columns with each reading that some cell of theirs has.
    pub fn float(&mut self, rule: usize) {
        let with_reading = self.rule(rule).parts.len() == 2;
        for column in self.scene().graph.column_ids() {
            match with_reading {
                true => self.float_readings(rule, column),
                false => self.float_column(rule, column),
            }
        }
    }

    fn float_column(&mut self, rule: usize, column: ColumnId) {
        let base = Base {
            formula: self.formulas.column(column),
            kind: Type::ENTITY,
            places: Places::column(column),
            tokens: 0,
            predicates: &[Predicate::Column(column)],
            reversed: &[Predicate::ColumnOf(column)],
            ordering: &[Predicate::ColumnBy(column)],
        };
        self.base(rule, base);
    }

    fn float_readings(&mut self, rule: usize, column: ColumnId) {
        let (readings, settings) = (self.scene().vocabulary.readings(column), self.settings);
        for reading in readings.iter().filter(|reading| settings.follows(**reading)) {
            let (kind, places) = match reading {
                Reading::Number | Reading::Number2 | Reading::Duration => (Type::NUMBER, Places::NUMBER),
                Reading::Date | Reading::Date2 => (Type::DATE, Places::DATE),
                Reading::Part => (Type::ENTITY, Places::PART),
            };
            let filled = [self.formulas.column(column), self.formulas.reading(*reading)];
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

    fn base(&mut self, rule: usize, base: Base) {
        let predicates = self.list(base.predicates);
        let reversed = self.list(base.reversed);
        let ordering = self.list(base.ordering);
        let sums = [&predicates, &reversed, &ordering].map(|list| self.sums(list.clone()));
        let score = sums[0].0;
        let derivation = Derivation {
            rule: self.rules[rule].at as u16,
            parts: [None; 3],
            category: self.rule(rule).result,
            formula: base.formula,
            size: 1,
            tokens: base.tokens,
            predicates,
            reversed,
            ordering,
            score,
        };
        let members = Members { kind: base.kind, places: base.places, is_many: false, is_endless: false };
        // However the relation is used, it brings no more than its best list.
        let most = sums.iter().map(|sum| sum.0).fold(score, f64::max);
        let negative = sums.iter().map(|sum| sum.1).fold(0.0, f64::max);
        self.push(derivation, members, Bounds { most, negative }, 0);
    }
}
