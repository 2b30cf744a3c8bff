//! Base derivations: values and entities anchored to words of the question, and the columns of the table, which float.

use super::cell::Bounds;
use super::chart::{Active, Chart, sums};
use super::members::Members;
use crate::derivation::Derivation;
use crate::execute::Denotation;
use crate::features::{GroupId, Predicate, Topic, Weights};
use crate::formula::types::Type;
use crate::formula::{FormulaId, Node};
use crate::grammar::Category;
use crate::graph::{ColumnId, Reading};
use crate::question::{Link, LinkKind, Places};
use crate::value::Value;
use std::ops::Range;

/// Group of the rule for conditions that words name, as they are.
const CONDITION: &str = "condition";

/// Result of a base rule.
struct Base<'p> {
    formula: FormulaId,
    members: Members,
    tokens: u128,
    /// Predicates as it stands.
    predicates: &'p [Predicate],
    /// Predicates of a relation that is turned round.
    reversed: &'p [Predicate],
    /// Predicates of a relation that rows are put in the order of.
    ordering: &'p [Predicate],
    /// Predicates of a relation that rows are grouped by.
    grouping: &'p [Predicate],
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
        let (kind, places) = match link.value {
            Value::Entity(entity) => (Type::ENTITY, self.scene().vocabulary.places(entity)),
            Value::Number(_) => (Type::NUMBER, Places::NUMBER),
            Value::Date(_) => (Type::DATE, Places::DATE),
            Value::Truth(_) => (Type::TRUTH, Places::NONE),
        };
        let predicates = predicates_of(link);
        let (tokens, members) = (bits(&link.tokens), Members::named(kind, places));
        let formula = self.named(link);
        self.base(
            rule,
            Base { formula, members, tokens, predicates: &predicates, reversed: &[], ordering: &[], grouping: &[] },
        );
    }

    /// The formula of what a link names.
    fn named(&mut self, link: &Link) -> FormulaId {
        let formulas = self.executor.formulas_mut();
        let first = formulas.intern(Node::Value(link.value));
        link.others.iter().fold(first, |all, other| {
            let other = formulas.entity(*other);
            formulas.intern(Node::Or(all, other))
        })
    }

    /// Derives the rows with a cell that is named, for each column that has it. They are small derivations, so that several
    /// conditions fit into a larger one.
    fn anchor_cells(&mut self, rule: Active, link: &Link) {
        let Value::Entity(entity) = link.value else { return };
        let scene = self.scene();
        for column in scene.meant_columns().filter(|column| scene.vocabulary.is_in(entity, *column)) {
            let relation = self.executor.formulas_mut().column(column);
            let named = self.named(link);
            let formula = self.instantiate(self.rule(rule).template, &[relation, named]);
            let mut predicates = predicates_of(link);
            predicates.push(Predicate::Column(column));
            self.anchor_found(rule, formula, &link.tokens, &predicates);
        }
    }

    /// Derives from the words that name a condition on a column. Such rows are executed at once, since nothing else
    /// tells if there are any.
    pub(super) fn anchor_conditions(&mut self, rule: Active) {
        // What several columns have to be is not turned into what each must not be.
        let is_plain = self.rule(rule).group == CONDITION;
        for link in self.scene().question.conditions.iter().filter(|link| is_plain || link.also.is_empty()) {
            let formulas = self.executor.formulas_mut();
            let relation = formulas.relation_to(link.column, link.reading);
            let value = formulas.intern(Node::Value(link.value));
            let mut formula = self.instantiate(self.rule(rule).template, &[relation, value]);
            for (column, value) in &link.also {
                let formulas = self.executor.formulas_mut();
                let relation = formulas.relation_to(*column, Some(Reading::Number));
                let value = formulas.intern(Node::Value(*value));
                let other = self.instantiate(self.rule(rule).template, &[relation, value]);
                formula = self.executor.formulas_mut().intern(Node::And(formula, other));
            }
            let predicates = [Predicate::Column(link.column), Predicate::Value(link.value), Predicate::ByCondition];
            self.anchor_found(rule, formula, &link.tokens, &predicates);
        }
        if is_plain {
            self.scene().question.links.iter().for_each(|link| self.anchor_cells(rule, link));
        }
        for link in &self.scene().question.texts {
            let formulas = self.executor.formulas_mut();
            let (relation, text) = (formulas.column(link.column), formulas.text_id(&link.text));
            let text = formulas.intern(Node::Text(link.test, text));
            let formula = self.instantiate(self.rule(rule).template, &[relation, text]);
            let predicates = [Predicate::Column(link.column), Predicate::Text(link.test)];
            self.anchor_found(rule, formula, &link.tokens, &predicates);
        }
    }

    /// Derives from the words that say a range.
    pub(super) fn anchor_ranges(&mut self, rule: Active) {
        for range in &self.scene().question.ranges {
            let ends = [range.from, range.to].map(|end| self.executor.formulas_mut().intern(Node::Value(end)));
            let formula = self.instantiate(self.rule(rule).template, &ends);
            let any = if let Value::Date(_) = range.from { Predicate::AnyDate } else { Predicate::AnyNumber };
            self.anchor_found(rule, formula, &range.tokens, &[any]);
        }
    }

    /// Derives the rows without a value in a column that the question names.
    pub(super) fn anchor_missing(&mut self, rule: Active) {
        for link in &self.scene().question.columns {
            let formulas = self.executor.formulas_mut();
            let column = formulas.column(link.column);
            let formula = formulas.intern(Node::Missing(column));
            self.anchor_found(rule, formula, &link.tokens, &[Predicate::Column(link.column), Predicate::Blank]);
        }
    }

    /// Enters a formula that words of the question stand for, unless it denotes nothing.
    fn anchor_found(&mut self, rule: Active, formula: FormulaId, tokens: &Range<usize>, own: &[Predicate]) {
        let outcome = self.executor.denote(formula);
        if outcome.as_deref().map_or(true, Denotation::is_empty) {
            return;
        }
        let members = Members::of_denotation(&outcome, self.scene());
        let mut predicates = own.to_vec();
        predicates.extend(Predicate::in_template(self.grammar.templates(), self.rule(rule).template));
        let base = Base {
            formula,
            members,
            tokens: bits(tokens),
            predicates: &predicates,
            reversed: &[],
            ordering: &[],
            grouping: &[],
        };
        self.base(rule, base);
    }

    /// Derives the columns.
    pub(super) fn float_columns(&mut self, rule: Active) {
        self.scene().meant_columns().for_each(|column| self.float_column(rule, column));
    }

    /// Derives the columns with each reading that some cell of theirs has.
    pub(super) fn float_readings(&mut self, rule: Active) {
        self.scene().meant_columns().for_each(|column| self.float_column_readings(rule, column));
    }

    fn float_column(&mut self, rule: Active, column: ColumnId) {
        let grouping = [Predicate::ColumnPer(column)];
        let base = Base {
            formula: self.executor.formulas_mut().column(column),
            members: Members::named(Type::ENTITY, Places::column(column)),
            tokens: 0,
            predicates: &[Predicate::Column(column)],
            reversed: &[Predicate::ColumnOf(column)],
            ordering: &[Predicate::ColumnBy(column)],
            grouping: self.if_grouped(&grouping),
        };
        self.base(rule, base);
    }

    fn float_column_readings(&mut self, rule: Active, column: ColumnId) {
        let (readings, settings) = (self.scene().vocabulary.readings(column), self.settings);
        let is_wanted = |reading: &&Reading| settings.readings.has(**reading) && self.is_asked(**reading);
        for reading in readings.iter().filter(is_wanted).copied().collect::<Vec<_>>().iter() {
            let (kind, places) = match reading {
                Reading::Number
                | Reading::Number2
                | Reading::Duration
                | Reading::Year
                | Reading::Month
                | Reading::Weekday => (Type::NUMBER, Places::NUMBER),
                Reading::Date | Reading::Date2 => (Type::DATE, Places::DATE),
                Reading::Part => (Type::ENTITY, Places::PART),
            };
            let formulas = self.executor.formulas_mut();
            let filled = [formulas.column(column), formulas.reading(*reading)];
            let formula = self.instantiate(self.rule(rule).template, &filled);
            let predicates = [Predicate::Column(column), Predicate::Reading(*reading)];
            let reversed = [Predicate::ColumnOf(column), Predicate::ReadingOf(*reading)];
            let ordering = [Predicate::ColumnBy(column), Predicate::ReadingOf(*reading)];
            let grouping = [Predicate::ColumnPer(column), Predicate::ReadingOf(*reading)];
            let base = Base {
                formula,
                members: Members::named(kind, places),
                tokens: 0,
                predicates: &predicates,
                reversed: &reversed,
                ordering: &ordering,
                grouping: self.if_grouped(&grouping),
            };
            self.base(rule, base);
        }
    }

    /// Tells if the question has a use for a reading: a part of a date only if it says its name.
    fn is_asked(&self, reading: Reading) -> bool {
        let name = reading.name().trim_end_matches("Of");
        !reading.is_of_date() || self.scene().question.tokens.iter().any(|token| token.lemma.eq_ignore_ascii_case(name))
    }

    fn base(&mut self, rule: Active, base: Base) {
        let category = self.rule(rule).result;
        if category == Category::Records && !self.is_new(category, base.formula) {
            return;
        }
        let lists = [base.predicates, base.reversed, base.ordering, base.grouping];
        let lists = lists.map(|predicates| self.groups_of(predicates));
        let sums = [0, 1, 2, 3].map(|at| sums(&lists[at], &self.groups));
        let score = sums[0].0;
        let derivation = Derivation {
            rule: self.rules[rule.0].id,
            parts: [None; 3],
            category,
            formula: base.formula,
            size: 1,
            tokens: base.tokens,
            score,
        };
        // However the relation is used, it brings no more than its best list.
        let most = sums.iter().map(|sum| sum.0).fold(score, f64::max);
        let negative = sums.iter().map(|sum| sum.1).fold(0.0, f64::max);
        self.enter(&derivation, base.members, Bounds { most, negative }, 0, self.asked(rule, base.tokens));
        self.derivations.push_relation(derivation, [&lists[0], &lists[1], &lists[2], &lists[3]]);
    }

    /// The predicates if a rule in use groups rows, and none else.
    fn if_grouped<'p>(&self, predicates: &'p [Predicate]) -> &'p [Predicate] {
        let is_used = self.rules.iter().any(|active| matches!(active.rule.result, Category::Key | Category::Scope));
        if is_used { predicates } else { &[] }
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

/// Tokens as bits.
fn bits(tokens: &Range<usize>) -> u128 {
    tokens.clone().fold(0, |bits, at| bits | 1u128 << at.min(127))
}

/// Predicates of what a link names.
fn predicates_of(link: &Link) -> Vec<Predicate> {
    let is_by_words = matches!(link.kind, LinkKind::Words | LinkKind::Kin | LinkKind::Typo);
    let any = match link.value {
        Value::Entity(_) if is_by_words && link.others.is_empty() => Some(Predicate::OneByWords),
        Value::Entity(_) if is_by_words => Some(Predicate::SomeByWords),
        Value::Number(_) => Some(Predicate::AnyNumber),
        Value::Date(_) => Some(Predicate::AnyDate),
        Value::Entity(_) | Value::Truth(_) => None,
    };
    [Predicate::Value(link.value)].into_iter().chain(any).collect()
}
