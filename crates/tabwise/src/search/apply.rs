//! Applying rules: which derivations of smaller cells are put together. What cannot fit is told apart by the short entries
//! of the cells, without looking at formulas.

use super::cell::{Cell, Entry, Origin};
use super::chart::{Active, Attempt, Chart};
use super::prune::{column_read, undoes};
use crate::execute::Denotation;
use crate::features::{Scene, Weights};
use crate::formula::types::Type;
use crate::formula::{FormulaId, Formulas, Node};
use crate::grammar::{Category, Form};
use crate::graph::ColumnId;
use crate::settings::Pruner;
use crate::value::Value;
use std::rc::Rc;

/// Number of pairs of two cells that are tried, in beams.
const PAIRS: usize = 2;
/// Number of arguments of each side that arithmetic is tried with.
const ARGUMENTS: usize = 20;
/// Group of the rules that compare two things under a further condition.
const WITHIN: &str = "within";
/// Group of the rules that find what comes next by the values of a column.
const ORDER: &str = "order";
/// Largest number of rows or values that a question may ask for by number.
const MOST: f64 = 100.0;

impl<W: Weights> Chart<'_, '_, W> {
    /// Applies a rule in every way that gives derivations of this size.
    pub(super) fn apply(&mut self, rule: Active, size: usize) {
        match (self.rule(rule).form, size) {
            (Form::Unary(_) | Form::Binary(..) | Form::Function(_) | Form::Counted(..), 1) => {}
            (Form::Unary(a), _) => self.unary(rule, size, a),
            (Form::Binary(a, b), _) => self.binary(rule, size, a, b),
            (Form::Function(argument), _) => self.function(rule, size, argument),
            (Form::Counted(a, b), _) => self.counted(rule, size, a, b),
            (Form::Constant, 1) => self.attempt(&Attempt { rule, size, parts: &[] }),
            (Form::Entity, 1) => self.anchor_entities(rule),
            (Form::Value, 1) => self.anchor_values(rule),
            (Form::Column, 1) => self.float_columns(rule),
            (Form::Reading, 1) => self.float_readings(rule),
            (Form::Condition, 1) => self.anchor_conditions(rule),
            (Form::Range, 1) => self.anchor_ranges(rule),
            (Form::Missing, 1) => self.anchor_missing(rule),
            (Form::Constant | Form::Entity | Form::Value | Form::Column | Form::Reading, _) => {}
            (Form::Condition | Form::Range | Form::Missing, _) => {}
        }
    }

    fn unary(&mut self, rule: Active, size: usize, part: Category) {
        let first = self.first_part(rule);
        let compares = self.rule(rule).compares;
        let mut cell = self.cell(part, size - 1);
        match (part, self.rule(rule).result) {
            (Category::Relation, Category::Key) => cell = Rc::new(self.repeated(&cell)),
            (Category::Relation, Category::Records) => {
                cell = Rc::new(self.said(&cell).into_iter().map(|(entry, _)| entry).collect());
            }
            _ => {}
        }
        for entry in cell.iter().filter(|entry| first.fits(entry)) {
            if compares && !self.may_be_condition(entry) {
                continue;
            }
            self.attempt(&Attempt { rule, size, parts: &[entry] });
        }
    }

    fn binary(&mut self, rule: Active, size: usize, a: Category, b: Category) {
        for left in 1..size.saturating_sub(1) {
            let (lefts, rights) = (self.cell(a, left), self.cell(b, size - 1 - left));
            match (a, b) {
                (Category::Records, Category::Records) => self.pairs(rule, size, &lefts, &rights),
                (Category::Relation, Category::Values) => {
                    let rights = rights.iter().filter(|right| self.may_be_condition(right)).copied().collect();
                    match self.rule(rule).result {
                        Category::Answer => self.conditions(rule, size, &lefts, &rights),
                        _ => self.products(rule, size, &lefts, &rights, Joined::Yes),
                    }
                }
                (Category::Relation, Category::Records) if self.rule(rule).group == ORDER => {
                    let one: Cell = rights.iter().filter(|right| !right.is_many).copied().collect();
                    let lefts: Cell = self.said(&lefts).into_iter().map(|(entry, _)| entry).collect();
                    self.products(rule, size, &lefts, &one, Joined::No);
                }
                (Category::Relation, Category::Records) if self.rule(rule).result == Category::Scope => {
                    let is_all = |entry: &&Entry| self.executor.formulas().node(self.formula(entry)) == Node::Rows;
                    let some = rights.iter().filter(|entry| !is_all(entry)).copied().collect();
                    self.pairs(rule, size, &self.repeated(&lefts), &some);
                }
                (Category::Relation, Category::Relation) if self.rule(rule).result != Category::ValueFn => {
                    self.across(rule, size, &lefts, &rights);
                }
                (Category::Relation, Category::Atomic) => {
                    let numbers = rights.iter().filter(|entry| self.is_small_number(entry)).copied().collect();
                    self.products(rule, size, &lefts, &numbers, Joined::No);
                }
                (Category::Values, Category::ValueFn) => self.products(rule, size, &lefts, &rights, Joined::Yes),
                (Category::Scope, Category::Relation) if self.rule(rule).group == WITHIN => {
                    self.products(rule, size, &self.compared(&lefts), &rights, Joined::No);
                }
                (Category::Entity, Category::Entity) if self.pruners.uses(Pruner::MistypedMerge) => {
                    self.count_mistyped(&lefts, &rights);
                    self.products(rule, size, &lefts, &rights, Joined::Yes);
                }
                _ => self.products(rule, size, &lefts, &rights, Joined::No),
            }
        }
    }

    /// Conditions on columns that the question names, whether a row meets them or not.
    fn conditions(&mut self, rule: Active, size: usize, lefts: &Cell, rights: &Cell) {
        for (left, words) in self.said(lefts) {
            let fits = |right: &&Entry| words & right.tokens == 0 && right.kind == left.kind;
            for right in rights.iter().filter(fits) {
                self.attempt(&Attempt { rule, size, parts: &[&left, right] });
            }
        }
    }

    /// Pairs of the best with the best: the further down one part stands in its cell, the higher the other must.
    fn pairs(&mut self, rule: Active, size: usize, lefts: &Cell, rights: &Cell) {
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
    fn products(&mut self, rule: Active, size: usize, lefts: &Cell, rights: &Cell, joined: Joined) {
        let (first, second) = (self.first_part(rule), self.rule(rule).accepts[1]);
        for left in lefts.iter().filter(|left| first.fits(left)) {
            let meets = |right: &Entry| joined == Joined::No || left.places.meets(right.places);
            let fits = |right: &&Entry| meets(right) && !right.kind.and(second).is_empty();
            for right in rights.iter().filter(fits).filter(|right| first.leaves_room(left, right)) {
                if left.tokens & right.tokens != 0 && !self.is_scoped(left, right) {
                    continue;
                }
                self.attempt(&Attempt { rule, size, parts: &[left, right] });
            }
        }
    }

    /// Tells if a function is about the very rows that values were read from: both may use the words for them.
    fn is_scoped(&self, values: &Entry, function: &Entry) -> bool {
        let formulas = self.executor.formulas();
        let rows = column_read(formulas, self.formula(values)).map(|(_, rows)| rows);
        rows.is_some_and(|rows| formulas.walk(self.formula(function)).contains(&rows))
    }

    /// Columns that have some text twice, so that rows can be grouped by them.
    fn repeated(&self, relations: &Cell) -> Cell {
        let vocabulary = self.scene().vocabulary;
        let repeats = |entry: &&Entry| {
            self.reads_part_of_date(entry) || self.column_of(entry).is_some_and(|column| vocabulary.repeats(column))
        };
        let may_group = |entry: &&Entry| entry.kind == Type::ENTITY || self.reads_part_of_date(entry);
        relations.iter().filter(may_group).filter(repeats).copied().collect()
    }

    /// Columns of some rows of which the question names two texts, to be compared.
    fn compared(&self, scopes: &Cell) -> Cell {
        let Scene { question, vocabulary, .. } = self.scene();
        let is_compared =
            |column: ColumnId| question.entities().filter(|one| vocabulary.is_in(*one, column)).nth(1).is_some();
        scopes.iter().filter(|entry| self.column_of(entry).is_some_and(is_compared)).copied().collect()
    }

    /// Tells if a relation leads to the year, the month or the weekday of a date.
    fn reads_part_of_date(&self, entry: &Entry) -> bool {
        let formulas = self.executor.formulas();
        let is_part = |id: FormulaId| matches!(formulas.node(id), Node::Reading(r) if r.is_of_date());
        formulas.walk(self.formula(entry)).into_iter().any(is_part)
    }

    /// Two columns of a row, each of which a word of the question names that does not name the other.
    fn across(&mut self, rule: Active, size: usize, lefts: &Cell, rights: &Cell) {
        let [first, second, _] = self.rule(rule).accepts;
        let (lefts, rights) = (self.said(lefts), self.said(rights));
        for (left, words) in lefts.iter().filter(|(left, _)| !left.kind.and(first).is_empty()) {
            let fits = |(right, others): &&(Entry, u128)| {
                let are_apart = words & !others != 0 && others & !words != 0;
                right.kind == left.kind && are_apart && !right.kind.and(second).is_empty()
            };
            for (right, _) in rights.iter().filter(fits) {
                self.attempt(&Attempt { rule, size, parts: &[left, right] });
            }
        }
    }

    /// Columns that the question names, with the words that do.
    fn said(&self, relations: &Cell) -> Vec<(Entry, u128)> {
        let links = &self.scene().question.columns;
        let words = |column: ColumnId| {
            let own = links.iter().filter(|link| link.column == column).flat_map(|link| link.tokens.clone());
            own.fold(0, |bits, at| bits | 1u128 << at.min(127))
        };
        let named = relations.iter().map(|entry| (*entry, self.column_of(entry).map_or(0, words)));
        named.filter(|(_, words)| *words != 0).collect()
    }

    /// The column that a relation reads.
    fn column_of(&self, entry: &Entry) -> Option<ColumnId> {
        let formulas = self.executor.formulas();
        formulas.walk(self.formula(entry)).into_iter().find_map(|id| match formulas.node(id) {
            Node::Column(column) => Some(column),
            _ => None,
        })
    }

    /// Two parts with a whole number of the question, which says how many there shall be.
    fn counted(&mut self, rule: Active, size: usize, a: Category, b: Category) {
        let numbers = self.cell(Category::Atomic, 1);
        let numbers: Cell = numbers.iter().filter(|entry| self.is_small_number(entry)).copied().collect();
        let (first, room) = (self.first_part(rule), size.saturating_sub(2));
        let joined = b == Category::ValueFn;
        for left in (1..room).filter(|_| !numbers.is_empty()) {
            let (lefts, rights) = (self.cell(a, left), self.cell(b, room - left));
            for left in lefts.iter().filter(|left| first.fits(left)) {
                let fits = |right: &&Entry| !joined || left.places.meets(right.places);
                for right in rights.iter().filter(fits).filter(|right| first.leaves_room(left, right)) {
                    for number in numbers.iter().filter(|number| number.tokens & (left.tokens | right.tokens) == 0) {
                        self.attempt(&Attempt { rule, size, parts: &[left, right, number] });
                    }
                }
            }
        }
    }

    /// Tells if a value of the question may say how many there shall be.
    fn is_small_number(&self, entry: &Entry) -> bool {
        let node = self.executor.formulas().node(self.formula(entry));
        matches!(node, Node::Value(Value::Number(n)) if n.fract() == 0.0 && (1.0..=MOST).contains(&n))
    }

    /// Counts the pairs of texts that share no column, which [`Chart::products`] passes over.
    fn count_mistyped(&mut self, lefts: &Cell, rights: &Cell) {
        for left in lefts {
            let apart = rights.iter().filter(|right| !left.places.meets(right.places));
            apart.for_each(|_| self.report.prune(Pruner::MistypedMerge));
        }
    }

    /// Requirements of a rule on its first part.
    fn first_part(&self, rule: Active) -> FirstPart {
        let rule = self.rule(rule);
        FirstPart {
            kind: rule.accepts[0],
            needs_many: rule.needs_many,
            needs_several: rule.needs_many && self.pruners.uses(Pruner::Singleton),
            superlatives: match self.pruners.uses(Pruner::Superlatives) {
                true => 1u8.saturating_sub(rule.superlatives),
                false => u8::MAX,
            },
        }
    }

    /// Tells if rows may be chosen by these values.
    fn may_be_condition(&self, entry: &Entry) -> bool {
        let pruner = match entry.origin {
            Origin::Said => return true,
            Origin::LookedUp | Origin::Picked => Pruner::Crossing,
            Origin::Computed => Pruner::Computed,
        };
        !self.pruners.uses(pruner)
    }

    /// A function applied to two arguments.
    fn function(&mut self, rule: Active, size: usize, argument: Category) {
        let may: Vec<Rc<Cell>> = (0..size).map(|part| self.may_be_arguments(argument, part)).collect();
        for first in 1..size.saturating_sub(2) {
            let functions = self.cell(Category::ValueFn, first);
            for entry in functions.iter() {
                if self.pruners.uses(Pruner::Reversal) && turns_back(self.executor.formulas(), self.formula(entry)) {
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

    fn differences(&mut self, rule: Active, size: usize, function: &Entry, lefts: &Cell, rights: &Cell) {
        for left in lefts.iter().filter(|left| left.tokens & function.tokens == 0) {
            let used = left.tokens | function.tokens;
            let fits = |right: &&Entry| right.id != left.id && used & right.tokens == 0;
            for right in rights.iter().filter(fits) {
                self.attempt(&Attempt { rule, size, parts: &[function, left, right] });
            }
        }
    }

    /// The values of a size that a function leads to one value from; found once for a function and a size.
    fn arguments_of(&mut self, rule: Active, function: &Entry, may: &Cell, size: usize) -> Rc<Cell> {
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

    /// Tells if arithmetic may be done with the numbers of this value.
    fn may_be_argument(&self, entry: &Entry) -> bool {
        let pruner = match entry.origin {
            Origin::Said => None,
            Origin::Picked if entry.kind == Type::ENTITY => None,
            Origin::Picked | Origin::LookedUp => Some(Pruner::Crossing),
            Origin::Computed => Some(Pruner::Computed),
        };
        !entry.is_many && pruner.is_none_or(|pruner| !self.pruners.uses(pruner))
    }

    /// Tells if the piece of a rule that its first two parts decide is one value.
    fn leads_to_one(&mut self, rule: Active, function: &Entry, argument: &Entry) -> bool {
        let Some(prefix) = self.rule(rule).prefix else { return true };
        let filled = [self.formula(function), self.formula(argument)];
        let formula = self.instantiate(prefix, &filled);
        match self.executor.denote(formula).as_deref() {
            Ok(Denotation::Values(items)) => items.iter().all(|item| item.value == items[0].value) && !items.is_empty(),
            _ => false,
        }
    }
}

/// Requirements of a rule on its first part, known before going through a cell.
#[derive(Clone, Copy)]
struct FirstPart {
    kind: Type,
    /// True if one thing is made of many: they must be there, and not only be described.
    needs_many: bool,
    /// True if there must be more than one of them.
    needs_several: bool,
    /// Largest number of superlatives in the parts.
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

/// Tells if a function only converts its argument, as λx[R[Year].Year.Number.x] does: it looks nothing up.
fn turns_back(formulas: &Formulas, function: FormulaId) -> bool {
    let Node::Lambda(_, body) = formulas.node(function) else { return false };
    let Node::Join(back, of) = formulas.node(body) else { return false };
    matches!(formulas.node(of), Node::Join(column, _) if undoes(formulas, back, column))
}

/// Yes if a rule joins its two parts, so that they must have something in common.
#[derive(Clone, Copy, PartialEq)]
enum Joined {
    Yes,
    No,
}
