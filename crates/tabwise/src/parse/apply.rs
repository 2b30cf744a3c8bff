//! Applying rules: which derivations of smaller cells are put together. What cannot fit is told apart by the short entries
//! of the cells, without looking at formulas.

use super::Pruner;
use super::cell::{Cell, Entry, Origin};
use super::chart::{Attempt, Chart};
use crate::execute::Denotation;
use crate::formula::types::Type;
use crate::formula::{FormulaId, Formulas, Node};
use crate::grammar::{Category, Part};
use crate::model::Weights;
use std::rc::Rc;

/// How many pairs of a cell with a cell are tried, in beams.
const PAIRS: usize = 2;
/// How many arguments of each side arithmetic is tried with.
const ARGUMENTS: usize = 20;

impl<W: Weights> Chart<'_, '_, W> {
    /// Applies a rule in every way that gives derivations of this size.
    pub fn apply(&mut self, rule: usize, size: usize) {
        match self.rule(rule).parts.as_slice() {
            [] if size == 1 => self.attempt(&Attempt { rule, size, parts: &[] }),
            [Part::Entity] | [Part::Value] if size == 1 => self.anchor(rule),
            [Part::Column] | [Part::Column, Part::Reading] if size == 1 => self.float(rule),
            &[Part::Of(a)] if size > 1 => self.unary(rule, size, a),
            &[Part::Of(a), Part::Of(b)] => self.binary(rule, size, a, b),
            &[Part::Of(a), Part::Of(b), Part::Of(_)] => self.ternary(rule, size, a, b),
            _ => {}
        }
    }

    fn unary(&mut self, rule: usize, size: usize, part: Category) {
        let first = self.first_part(rule);
        let compares = self.rules[rule].compares;
        let cell = self.cell(part, size - 1);
        for entry in cell.iter().filter(|entry| first.fits(entry)) {
            if compares && !self.may_be_condition(entry) {
                continue;
            }
            self.attempt(&Attempt { rule, size, parts: &[entry] });
        }
    }

    fn binary(&mut self, rule: usize, size: usize, a: Category, b: Category) {
        for left in 1..size.saturating_sub(1) {
            let (lefts, rights) = (self.cell(a, left), self.cell(b, size - 1 - left));
            match (a, b) {
                (Category::Records, Category::Records) => self.pairs(rule, size, &lefts, &rights),
                (Category::Relation, Category::Values) => {
                    let rights = rights.iter().filter(|right| self.may_be_condition(right)).copied().collect();
                    self.products(rule, size, &lefts, &rights, Joined::Yes);
                }
                _ => self.products(rule, size, &lefts, &rights, is_joined(a, b)),
            }
        }
    }

    /// Pairs of the best with the best: the further down one part stands in its cell, the higher the other must.
    fn pairs(&mut self, rule: usize, size: usize, lefts: &Cell, rights: &Cell) {
        let first = self.first_part(rule);
        for (i, left) in lefts.iter().enumerate() {
            let most = PAIRS * self.settings.beam / (i + 1);
            let fits = |right: &&Entry| left.tokens & right.tokens == 0 && first.leaves_room(left, right);
            for right in rights.iter().take(most).filter(fits) {
                self.attempt(&Attempt { rule, size, parts: &[left, right] });
            }
        }
    }

    /// Every left part with every right part of the kinds that the rule takes; joined parts must be able to meet.
    fn products(&mut self, rule: usize, size: usize, lefts: &Cell, rights: &Cell, joined: Joined) {
        let (first, second) = (self.first_part(rule), self.rule(rule).accepts[1]);
        for left in lefts.iter().filter(|left| first.fits(left)) {
            let meets = |right: &Entry| joined == Joined::No || left.places.meets(right.places);
            let is_free = |right: &Entry| left.tokens & right.tokens == 0 && first.leaves_room(left, right);
            let fits = |right: &&Entry| meets(right) && is_free(right) && !right.kind.and(second).is_empty();
            for right in rights.iter().filter(fits) {
                self.attempt(&Attempt { rule, size, parts: &[left, right] });
            }
        }
    }

    /// What a rule takes as its first part.
    fn first_part(&self, rule: usize) -> FirstPart {
        let active = &self.rules[rule];
        FirstPart {
            kind: self.rule(rule).accepts[0],
            needs_many: active.needs_many,
            needs_several: active.needs_many && self.pruners.uses(Pruner::Singleton),
            superlatives: match self.pruners.uses(Pruner::Superlatives) {
                true => 1u8.saturating_sub(active.superlatives),
                false => u8::MAX,
            },
        }
    }

    /// Whether rows may be chosen by these values.
    fn may_be_condition(&self, entry: &Entry) -> bool {
        let pruner = match entry.origin {
            Origin::Said => return true,
            Origin::LookedUp | Origin::Picked => Pruner::Crossing,
            Origin::Computed => Pruner::Computed,
        };
        !self.pruners.uses(pruner)
    }

    /// A function applied to two arguments.
    fn ternary(&mut self, rule: usize, size: usize, function: Category, argument: Category) {
        let may: Vec<Rc<Cell>> = (0..size).map(|part| self.may_be_arguments(argument, part)).collect();
        for first in 1..size.saturating_sub(2) {
            let functions = self.cell(function, first);
            for entry in functions.iter() {
                if self.pruners.uses(Pruner::Reversal) && turns_back(&self.formulas, self.formula(entry)) {
                    continue;
                }
                for second in (1..size - 1 - first).filter(|second| !may[*second].is_empty()) {
                    let lefts = self.arguments_of(rule, entry, &may[second], second);
                    if lefts.is_empty() {
                        continue;
                    }
                    let third = size - 1 - first - second;
                    let rights = self.arguments_of(rule, entry, &may[third], third);
                    self.differences(rule, size, entry, &lefts, &rights);
                }
            }
        }
    }

    fn differences(&mut self, rule: usize, size: usize, function: &Entry, lefts: &Cell, rights: &Cell) {
        for left in lefts.iter() {
            let fits = |right: &&Entry| right.id != left.id && left.tokens & right.tokens == 0;
            for right in rights.iter().filter(fits) {
                self.attempt(&Attempt { rule, size, parts: &[function, left, right] });
            }
        }
    }

    /// The values of a size that a function leads to one value from; found once for a function and a size.
    fn arguments_of(&mut self, rule: usize, function: &Entry, may: &Cell, size: usize) -> Rc<Cell> {
        if let Some(known) = self.arguments.get(&(function.id, size)) {
            return known.clone();
        }
        let meeting = may.iter().filter(|entry| entry.places.meets(function.places));
        let fitting = meeting.filter(|entry| self.leads_to_one(rule, function, entry)).take(ARGUMENTS);
        let fitting: Rc<Cell> = Rc::new(fitting.copied().collect());
        self.arguments.insert((function.id, size), fitting.clone());
        fitting
    }

    /// The values of a size that arithmetic may be done with; found once for a size.
    fn may_be_arguments(&mut self, argument: Category, size: usize) -> Rc<Cell> {
        if let Some(known) = self.possible_arguments.get(&(argument, size)) {
            return known.clone();
        }
        let cell = self.cell(argument, size);
        let found: Rc<Cell> = Rc::new(cell.iter().filter(|entry| self.may_be_argument(entry)).copied().collect());
        self.possible_arguments.insert((argument, size), found.clone());
        found
    }

    /// Whether arithmetic may be done with what belongs to this value.
    fn may_be_argument(&self, entry: &Entry) -> bool {
        let pruner = match entry.origin {
            Origin::Said => None,
            Origin::Picked if entry.kind == Type::ENTITY => None,
            Origin::Picked | Origin::LookedUp => Some(Pruner::Crossing),
            Origin::Computed => Some(Pruner::Computed),
        };
        !entry.is_many && pruner.is_none_or(|pruner| !self.pruners.uses(pruner))
    }

    /// Whether the piece of a rule that its first two parts decide is one value.
    fn leads_to_one(&mut self, rule: usize, function: &Entry, argument: &Entry) -> bool {
        let Some(prefix) = self.rule(rule).prefix else { return true };
        let filled = [self.derivation(function.id).formula, self.derivation(argument.id).formula];
        let formula = self.instantiate(prefix, &filled);
        match self.executor.denote(&self.formulas, formula).as_deref() {
            Ok(Denotation::Values(items)) => items.iter().all(|item| item.value == items[0].value) && !items.is_empty(),
            _ => false,
        }
    }
}

/// What a rule takes as its first part, known before going through a cell.
#[derive(Clone, Copy)]
struct FirstPart {
    kind: Type,
    /// Whether one thing is made of many: they must be there, and not only be described.
    needs_many: bool,
    /// Whether there must be more than one of them.
    needs_several: bool,
    /// How many superlatives the parts may have.
    superlatives: u8,
}

impl FirstPart {
    fn fits(self, entry: &Entry) -> bool {
        let is_enough = !(self.needs_many && entry.is_endless || self.needs_several && !entry.is_many);
        is_enough && entry.superlatives <= self.superlatives && !entry.kind.and(self.kind).is_empty()
    }

    fn leaves_room(self, first: &Entry, second: &Entry) -> bool {
        first.superlatives + second.superlatives <= self.superlatives
    }
}

/// Whether a function only reads its argument: λx[R[Year].Year.Number.x] is a reading of a year, and no matter of the row.
fn turns_back(formulas: &Formulas, function: FormulaId) -> bool {
    let Node::Lambda(_, body) = formulas.node(function) else { return false };
    let Node::Join(back, of) = formulas.node(body) else { return false };
    matches!(formulas.node(of), Node::Join(column, _) if formulas.node(back) == Node::Reverse(column))
}

/// Whether a rule joins its two parts, so that they must have something in common.
#[derive(Clone, Copy, PartialEq)]
enum Joined {
    Yes,
    No,
}

fn is_joined(a: Category, b: Category) -> Joined {
    match (a, b) {
        (Category::Relation, Category::Values) | (Category::Values, Category::ValueFn) => Joined::Yes,
        (Category::Entity, Category::Entity) => Joined::Yes,
        _ => Joined::No,
    }
}
