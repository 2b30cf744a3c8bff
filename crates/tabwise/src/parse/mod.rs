//! The floating parser. Cells of the chart are (category, size); rules fill them from smaller cells, whatever the order of
//! words, and each cell keeps its best derivations. Every new derivation goes one way: typed → scored → formula →
//! denotation → pruned, and what the cell would not keep is dropped before the costly steps.

mod candidate;
mod prune;
mod report;

pub use candidate::Candidate;
pub use prune::{Pruner, Pruners};
pub use report::Report;

use crate::derivation::{Derivation, DerivationId};
use crate::execute::{Denotation, Executor, Outcome};
use crate::features::{GroupId, Groups, Predicate, Scene, Topic};
use crate::formula::types::Type;
use crate::formula::{FormulaId, Formulas, Node, Var};
use crate::grammar::{Category, Grammar, Part, Rule};
use crate::graph::{ColumnId, Reading};
use crate::model::Weights;
use crate::question::{LinkKind, Places};
use crate::settings::{Candidates, Settings};
use crate::value::Value;
use rustc_hash::FxHashSet;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Range;

/// What a parse gives: the candidates, best first, and all that stands behind them.
pub struct Parse<'a> {
    pub candidates: Vec<Candidate>,
    pub formulas: Formulas,
    pub executor: Executor<'a>,
    pub groups: Groups<'a>,
    pub derivations: Vec<Derivation>,
    pub report: Report,
}

/// Builds the candidates for a question and ranks them by a model's weights.
pub fn parse<'a>(scene: Scene<'a>, grammar: &Grammar, settings: &Settings, weights: &impl Weights) -> Parse<'a> {
    let mut chart = Chart::new(scene, grammar, settings, weights);
    match settings.candidates {
        Candidates::Formulas => {
            chart.fill();
            chart.candidates()
        }
        Candidates::Cells => chart.cells_of_table(),
    }
}

struct Chart<'a, 's, W> {
    grammar: &'s Grammar,
    settings: &'s Settings,
    weights: &'s W,
    pruners: Pruners,
    rules: Vec<ActiveRule>,
    formulas: Formulas,
    executor: Executor<'a>,
    groups: Groups<'a>,
    derivations: Vec<Derivation>,
    /// Lists of predicates, one after the other.
    predicates: Vec<GroupId>,
    /// Derivations by category and size.
    cells: Vec<Vec<Vec<DerivationId>>>,
    seen: FxHashSet<(Category, FormulaId)>,
    /// The cells of the size being filled, by category.
    filling: Vec<Filling>,
    scratch: Vec<GroupId>,
    report: Report,
}

/// A rule in use, with what it adds to a formula.
struct ActiveRule {
    at: usize,
    predicates: Vec<GroupId>,
    superlatives: u8,
}

/// A cell while it is filled: what came in, and the scores of the best so far.
#[derive(Default)]
struct Filling {
    members: Vec<DerivationId>,
    best: BinaryHeap<Reverse<Score>>,
}

/// A score with a total order; scores are never NaN.
#[derive(Clone, Copy, PartialEq)]
struct Score(f64);

impl Eq for Score {}
impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Filling {
    /// Whether a cell that keeps `beam` would keep a derivation of this score.
    fn would_keep(&self, score: f64, beam: usize) -> bool {
        self.best.len() < beam || self.best.peek().is_some_and(|worst| Score(score) > worst.0)
    }

    fn push(&mut self, id: DerivationId, score: f64, beam: usize) {
        self.members.push(id);
        self.best.push(Reverse(Score(score)));
        if self.best.len() > beam {
            self.best.pop();
        }
    }
}

impl<'a, 's, W: Weights> Chart<'a, 's, W> {
    fn new(scene: Scene<'a>, grammar: &'s Grammar, settings: &'s Settings, weights: &'s W) -> Chart<'a, 's, W> {
        let mut groups = Groups::new(scene, settings);
        let cued = |rule: &Rule| crate::parse::is_cued(rule, &scene, settings);
        let active =
            grammar.rules().iter().enumerate().filter(|(_, rule)| settings.rules.contains(&rule.group) && cued(rule));
        let rules = active.map(|(at, rule)| ActiveRule::new(at, rule, grammar, &mut groups, weights)).collect();
        Chart {
            grammar,
            settings,
            weights,
            pruners: Pruners::new(settings),
            rules,
            formulas: Formulas::new(),
            executor: Executor::new(scene.graph),
            groups,
            derivations: Vec::new(),
            predicates: Vec::new(),
            cells: Category::ALL.map(|_| vec![Vec::new(); settings.size + 1]).to_vec(),
            seen: FxHashSet::default(),
            filling: Category::ALL.map(|_| Filling::default()).into(),
            scratch: Vec::new(),
            report: Report::default(),
        }
    }

    fn scene(&self) -> Scene<'a> {
        self.groups.scene()
    }

    fn fill(&mut self) {
        let limits = reach(self.grammar, self.settings.size);
        for size in 1..=self.settings.size {
            for rule in 0..self.rules.len() {
                let result = self.rule(rule).result;
                if size <= limits[result as usize] {
                    self.apply(rule, size);
                }
            }
            self.close(size);
        }
    }

    fn rule(&self, rule: usize) -> &'s Rule {
        &self.grammar.rules()[self.rules[rule].at]
    }

    /// Sorts the cells of a size and cuts them to the beam.
    fn close(&mut self, size: usize) {
        for category in Category::ALL {
            let filling = std::mem::take(&mut self.filling[category as usize]);
            let mut members = filling.members;
            members.sort_by(|a, b| {
                let (a, b) = (&self.derivations[a.0 as usize], &self.derivations[b.0 as usize]);
                b.score.total_cmp(&a.score)
            });
            self.report.built += members.len();
            self.report.beyond_beam += members.len().saturating_sub(self.settings.beam);
            members.truncate(self.settings.beam);
            self.cells[category as usize][size] = members;
        }
    }

    fn cell(&self, category: Category, size: usize) -> &[DerivationId] {
        &self.cells[category as usize][size]
    }

    /// Applies a rule in every way that gives derivations of this size.
    fn apply(&mut self, rule: usize, size: usize) {
        match self.rule(rule).parts.as_slice() {
            [] if size == 1 => self.attempt(rule, size, &[]),
            [Part::Entity] | [Part::Value] if size == 1 => self.anchor(rule),
            [Part::Column] | [Part::Column, Part::Reading] if size == 1 => self.float(rule),
            &[Part::Of(a)] if size > 1 => self.unary(rule, size, a),
            &[Part::Of(a), Part::Of(b)] => self.binary(rule, size, a, b),
            &[Part::Of(a), Part::Of(b), Part::Of(c)] => self.ternary(rule, size, [a, b, c]),
            _ => {}
        }
    }

    fn unary(&mut self, rule: usize, size: usize, part: Category) {
        for at in 0..self.cell(part, size - 1).len() {
            let id = self.cell(part, size - 1)[at];
            self.attempt(rule, size, &[id]);
        }
    }

    /// Pairs of the best with the best: the further down one part stands in its cell, the higher the other must.
    fn binary(&mut self, rule: usize, size: usize, a: Category, b: Category) {
        for left in 1..size.saturating_sub(1) {
            let right = size - 1 - left;
            let (lefts, rights) = (self.cell(a, left).len(), self.cell(b, right).len());
            let wide =
                a == Category::Relation || b == Category::RecordFn || a == Category::ValueFn || b == Category::ValueFn;
            for i in 0..lefts {
                let most = if wide { rights } else { (PAIRS * self.settings.beam / (i + 1)).min(rights) };
                for j in 0..most {
                    let parts = [self.cell(a, left)[i], self.cell(b, right)[j]];
                    self.attempt(rule, size, &parts);
                }
            }
        }
    }

    fn ternary(&mut self, rule: usize, size: usize, [a, b, c]: [Category; 3]) {
        for first in 1..size.saturating_sub(2) {
            for second in 1..size - 1 - first {
                let third = size - 1 - first - second;
                if third == 0 {
                    continue;
                }
                for i in 0..self.cell(a, first).len() {
                    let function = self.cell(a, first)[i];
                    self.pairs_for(rule, size, function, (b, second), (c, third));
                }
            }
        }
    }

    /// For one function, the pairs of values that it can be applied to.
    fn pairs_for(
        &mut self,
        rule: usize,
        size: usize,
        function: DerivationId,
        (b, second): (Category, usize),
        (c, third): (Category, usize),
    ) {
        let places = self.derivation(function).places;
        let fits = |chart: &Self, id: &DerivationId| chart.derivation(*id).places.meets(places);
        let lefts: Vec<DerivationId> = self.cell(b, second).iter().filter(|id| fits(self, id)).copied().collect();
        let lefts: Vec<DerivationId> =
            lefts.into_iter().filter(|id| self.prefix_holds(rule, function, *id)).take(ARGUMENTS).collect();
        if lefts.is_empty() {
            return;
        }
        let rights: Vec<DerivationId> = match (b, second) == (c, third) {
            true => lefts.clone(),
            false => {
                let rights: Vec<DerivationId> =
                    self.cell(c, third).iter().filter(|id| fits(self, id)).copied().collect();
                rights.into_iter().filter(|id| self.prefix_holds(rule, function, *id)).take(ARGUMENTS).collect()
            }
        };
        for left in &lefts {
            for right in rights.iter().filter(|right| *right != left) {
                self.attempt(rule, size, &[function, *left, *right]);
            }
        }
    }

    /// Whether the piece of a rule that its first two parts decide is one value.
    fn prefix_holds(&mut self, rule: usize, first: DerivationId, second: DerivationId) -> bool {
        let Some(prefix) = self.rule(rule).prefix else { return true };
        let (first, second) = (self.derivation(first).formula, self.derivation(second).formula);
        let value =
            |var: Var| [(1, first), (2, second)].into_iter().find(|(n, _)| Var::slot(*n) == var).map(|(_, f)| f);
        let formula = self.formulas.instantiate(self.grammar.templates(), prefix, &value);
        match self.executor.denote(&self.formulas, formula).as_deref() {
            Ok(denotation) => denotation.count() == Some(1),
            Err(_) => false,
        }
    }

    fn derivation(&self, id: DerivationId) -> &Derivation {
        &self.derivations[id.0 as usize]
    }

    /// Derives from the words that name entities or say values.
    fn anchor(&mut self, rule: usize) {
        let wants_values = self.rule(rule).parts == [Part::Value];
        for link in &self.scene().question.links {
            if (link.kind == LinkKind::Value) != wants_values {
                continue;
            }
            let tokens = link.tokens.clone().fold(0, |bits, at| bits | 1u128 << at.min(127));
            let (kind, places, predicates): (_, _, &[Predicate]) = match link.value {
                Value::Entity(entity) => (Type::ENTITY, self.scene().vocabulary.places(entity), &[]),
                Value::Number(_) => (Type::NUMBER, Places::NUMBER, &[Predicate::AnyNumber]),
                Value::Date(_) => (Type::DATE, Places::DATE, &[Predicate::AnyDate]),
            };
            let predicates = [&[Predicate::Value(link.value)], predicates].concat();
            let formula = self.formulas.intern(Node::Value(link.value));
            self.base(rule, formula, kind, places, tokens, &predicates, &[]);
        }
    }

    /// Derives the columns, and the columns with a reading that some cell of theirs has.
    fn float(&mut self, rule: usize) {
        let with_reading = self.rule(rule).parts.len() == 2;
        for column in self.scene().graph.column_ids() {
            if !with_reading {
                let formula = self.formulas.column(column);
                let (out, back) = ([Predicate::Column(column)], [Predicate::ColumnOf(column)]);
                self.base(rule, formula, Type::ENTITY, Places::column(column), 0, &out, &back);
                continue;
            }
            for reading in Reading::ALL {
                if self.settings.readings.iter().any(|name| name == reading.name()) && self.reads(column, reading) {
                    self.float_reading(rule, column, reading);
                }
            }
        }
    }

    fn float_reading(&mut self, rule: usize, column: ColumnId, reading: Reading) {
        let (kind, places) = match reading {
            Reading::Number | Reading::Number2 | Reading::Duration => (Type::NUMBER, Places::NUMBER),
            Reading::Date | Reading::Date2 => (Type::DATE, Places::DATE),
            Reading::Part => (Type::ENTITY, Places::PART),
        };
        let parts = [self.formulas.column(column), self.formulas.reading(reading)];
        let value = |var: Var| parts.iter().enumerate().find(|(n, _)| Var::slot(n + 1) == var).map(|(_, f)| *f);
        let formula = self.formulas.instantiate(self.grammar.templates(), self.rule(rule).template, &value);
        let out = [Predicate::Column(column), Predicate::Reading(reading)];
        let back = [Predicate::ColumnOf(column), Predicate::ReadingOf(reading)];
        self.base(rule, formula, kind, places, 0, &out, &back);
    }

    fn reads(&self, column: ColumnId, reading: Reading) -> bool {
        let graph = self.scene().graph;
        graph.column(column).cells.iter().any(|entity| graph.has_reading(*entity, reading))
    }

    #[allow(clippy::too_many_arguments)]
    fn base(
        &mut self,
        rule: usize,
        formula: FormulaId,
        kind: Type,
        places: Places,
        tokens: u128,
        out: &[Predicate],
        back: &[Predicate],
    ) {
        let category = self.rule(rule).result;
        let predicates = self.list(out);
        let reversed = self.list(back);
        let score = self.sum(predicates.clone());
        self.push(Derivation {
            rule: self.rules[rule].at as u16,
            parts: [None; 3],
            category,
            formula,
            size: 1,
            tokens,
            kind,
            places,
            superlatives: 0,
            predicates,
            reversed,
            score,
        });
    }

    fn list(&mut self, predicates: &[Predicate]) -> Range<u32> {
        let mut ids: Vec<GroupId> =
            predicates.iter().map(|predicate| self.groups.id(Topic::Predicate(*predicate), self.weights)).collect();
        ids.sort_unstable();
        ids.dedup();
        let start = self.predicates.len() as u32;
        self.predicates.extend(ids);
        start..self.predicates.len() as u32
    }

    fn sum(&self, predicates: Range<u32>) -> f64 {
        let ids = &self.predicates[predicates.start as usize..predicates.end as usize];
        ids.iter().map(|id| self.groups.score(*id)).sum()
    }

    fn push(&mut self, derivation: Derivation) {
        let id = DerivationId(self.derivations.len() as u32);
        self.filling[derivation.category as usize].push(id, derivation.score, self.settings.beam);
        self.derivations.push(derivation);
    }

    /// Builds one derivation, unless something speaks against it.
    fn attempt(&mut self, rule: usize, size: usize, parts: &[DerivationId]) {
        self.report.attempts += 1;
        if !self.fits(rule, parts) {
            return;
        }
        let superlatives =
            parts.iter().map(|id| self.derivation(*id).superlatives).sum::<u8>() + self.rules[rule].superlatives;
        if superlatives > 1 && self.pruners.uses(Pruner::Superlatives) {
            return self.report.prune(Pruner::Superlatives);
        }
        let score = self.merge(rule, parts);
        let category = self.rule(rule).result;
        if !self.filling[category as usize].would_keep(score, self.settings.beam) {
            self.report.beyond_beam += 1;
            return;
        }
        let formula = self.build(rule, parts);
        if !self.seen.insert((category, formula)) {
            return;
        }
        self.keep(rule, size, parts, formula, score, superlatives);
    }

    /// Whether the parts' words do not overlap, their kinds fit the rule, and what is joined can meet.
    fn fits(&self, rule: usize, parts: &[DerivationId]) -> bool {
        let accepts = &self.rule(rule).accepts;
        let mut tokens = 0;
        for (id, accepts) in parts.iter().zip(accepts) {
            let part = self.derivation(*id);
            if part.tokens & tokens != 0 || part.kind.and(*accepts).is_empty() {
                return false;
            }
            tokens |= part.tokens;
        }
        let mut function = None;
        let mut argument = None;
        for id in parts {
            let part = self.derivation(*id);
            match part.category {
                Category::Relation | Category::ValueFn if function.is_none() => function = Some(part.places),
                Category::Values => argument = Some(part.places),
                _ => {}
            }
        }
        match (function, argument) {
            (Some(function), Some(argument)) => function.meets(argument),
            _ => true,
        }
    }

    /// Puts the predicates of a rule and its parts together, each once and in order, and gives their score.
    fn merge(&mut self, rule: usize, parts: &[DerivationId]) -> f64 {
        let mut all = std::mem::take(&mut self.scratch);
        all.clear();
        all.extend(&self.rules[rule].predicates);
        for (at, id) in parts.iter().enumerate() {
            let part = &self.derivations[id.0 as usize];
            let turned = self.rule(rule).reversed[at] && !part.reversed.is_empty();
            let list = if turned { &part.reversed } else { &part.predicates };
            all.extend(&self.predicates[list.start as usize..list.end as usize]);
        }
        all.sort_unstable();
        all.dedup();
        let score = all.iter().map(|id| self.groups.score(*id)).sum();
        self.scratch = all;
        score
    }

    fn build(&mut self, rule: usize, parts: &[DerivationId]) -> FormulaId {
        let mut filled = [FormulaId(0); 3];
        for (at, id) in parts.iter().enumerate() {
            filled[at] = self.derivations[id.0 as usize].formula;
        }
        let value = |var: Var| (1..=parts.len()).find(|n| Var::slot(*n) == var).map(|n| filled[n - 1]);
        self.formulas.instantiate(self.grammar.templates(), self.rule(rule).template, &value)
    }

    fn keep(
        &mut self,
        rule: usize,
        size: usize,
        parts: &[DerivationId],
        formula: FormulaId,
        score: f64,
        superlatives: u8,
    ) {
        let category = self.rule(rule).result;
        if let Some(pruner) = self.pruners.by_form(&self.formulas, formula) {
            return self.report.prune(pruner);
        }
        let (kind, places) = match category {
            Category::Relation | Category::RecordFn | Category::ValueFn => self.of_parts(parts),
            _ => {
                let outcome = self.executor.denote(&self.formulas, formula);
                let pruned = self.pruners.by_denotation(&mut self.executor, &self.formulas, formula, &outcome);
                let pruned = pruned.or_else(|| self.is_mistyped(formula, parts).then_some(Pruner::MistypedMerge));
                if let Some(pruner) = pruned {
                    return self.report.prune(pruner);
                }
                self.of_denotation(&outcome)
            }
        };
        let start = self.predicates.len() as u32;
        self.predicates.extend(&self.scratch);
        let predicates = start..self.predicates.len() as u32;
        let reversed = match parts {
            [only] if self.rule(rule).result == Category::RecordFn => self.derivation(*only).reversed.clone(),
            _ => 0..0,
        };
        let tokens = parts.iter().fold(0, |bits, id| bits | self.derivation(*id).tokens);
        let mut ids = [None; 3];
        parts.iter().zip(&mut ids).for_each(|(id, slot)| *slot = Some(*id));
        self.push(Derivation {
            rule: self.rules[rule].at as u16,
            parts: ids,
            category,
            formula,
            size,
            tokens,
            kind,
            places,
            superlatives,
            predicates,
            reversed,
            score,
        });
    }

    fn is_mistyped(&self, formula: FormulaId, parts: &[DerivationId]) -> bool {
        match (self.formulas.node(formula), parts) {
            (Node::Or(..), [a, b]) if self.pruners.uses(Pruner::MistypedMerge) => {
                !self.derivation(*a).places.meets(self.derivation(*b).places)
            }
            _ => false,
        }
    }

    /// A function's kind is that of what it leads to; what it may be applied to is that of its first part.
    fn of_parts(&self, parts: &[DerivationId]) -> (Type, Places) {
        match parts {
            [] => (Type::NUMBER, Places::ANY),
            [first, ..] => (Type::NUMBER, self.derivation(*first).places),
        }
    }

    fn of_denotation(&self, outcome: &Outcome) -> (Type, Places) {
        let vocabulary = self.scene().vocabulary;
        match outcome.as_deref() {
            Ok(Denotation::Rows(_)) => (Type::ROW, Places::NONE),
            Ok(Denotation::Values(items)) => match items.first().map(|item| item.value) {
                Some(Value::Number(_)) => (Type::NUMBER, Places::NUMBER),
                Some(Value::Date(_)) => (Type::DATE, Places::DATE),
                _ => {
                    let places = items.iter().fold(Places::NONE, |all, item| match item.value {
                        Value::Entity(entity) => all.or(vocabulary.places(entity)),
                        _ => all,
                    });
                    (Type::ENTITY, places)
                }
            },
            Ok(Denotation::Passing(test)) => match test.bound() {
                Some(Value::Date(_)) => (Type::DATE, Places::DATE),
                Some(Value::Number(_)) => (Type::NUMBER, Places::NUMBER),
                _ => (Type::ENTITY, Places::ANY),
            },
            Err(_) => (Type::ANY, Places::ANY),
        }
    }
}

/// How many pairs of a cell with a cell are tried, in beams.
const PAIRS: usize = 2;
/// How many arguments of each side arithmetic is tried with.
const ARGUMENTS: usize = 20;

impl ActiveRule {
    fn new(at: usize, rule: &Rule, grammar: &Grammar, groups: &mut Groups, weights: &impl Weights) -> ActiveRule {
        let found = predicates_in(grammar.templates(), rule.template, false);
        let superlatives = found.iter().filter(|p| matches!(p, Predicate::Superlative(_))).count() as u8;
        let predicates = match rule.parts.as_slice() {
            [Part::Column, Part::Reading] => Vec::new(),
            _ => found.iter().map(|predicate| groups.id(Topic::Predicate(*predicate), weights)).collect(),
        };
        ActiveRule { at, predicates, superlatives }
    }
}

/// What a template adds to the predicates of its parts.
fn predicates_in(templates: &Formulas, id: FormulaId, turned: bool) -> Vec<Predicate> {
    let own = match templates.node(id) {
        Node::Next if turned => Some(Predicate::Next),
        Node::Next => Some(Predicate::Previous),
        Node::Index => Some(Predicate::Index),
        Node::Compare(op) => Some(Predicate::Compare(op)),
        Node::And(..) => Some(Predicate::And),
        Node::Or(..) => Some(Predicate::Or),
        Node::Aggregate(op, _) => Some(Predicate::Aggregate(op)),
        Node::Superlative(op, ..) => Some(Predicate::Superlative(op)),
        Node::Arithmetic(op, ..) => Some(Predicate::Arithmetic(op)),
        Node::Lambda(..) => Some(Predicate::Lambda),
        Node::Reverse(inner) => return predicates_in(templates, inner, !turned),
        _ => None,
    };
    let inner = templates.children(id).flat_map(|child| predicates_in(templates, child, turned));
    own.into_iter().chain(inner).collect()
}

/// Whether a rule may be used: always when operations float, else when the question has a cue of its group.
fn is_cued(_rule: &Rule, _scene: &Scene, _settings: &Settings) -> bool {
    true
}

/// The largest size at which each category can still become part of an answer of the size allowed.
fn reach(grammar: &Grammar, size: usize) -> Vec<usize> {
    let smallest = smallest(grammar);
    let mut limits = vec![0; Category::ALL.len()];
    limits[Category::Values as usize] = size;
    for _ in 0..Category::ALL.len() {
        for rule in grammar.rules() {
            let of = |part: &Part| if let Part::Of(category) = part { Some(*category as usize) } else { None };
            let parts: Vec<usize> = rule.parts.iter().filter_map(of).collect();
            let all: usize = parts.iter().map(|part| smallest[*part]).sum();
            for part in parts {
                let left = limits[rule.result as usize].saturating_sub(1 + all - smallest[part]);
                limits[part] = limits[part].max(left);
            }
        }
    }
    limits
}

/// The smallest size of a derivation of each category.
fn smallest(grammar: &Grammar) -> Vec<usize> {
    let far = 1000;
    let mut sizes = vec![far; Category::ALL.len()];
    for _ in 0..Category::ALL.len() {
        for rule in grammar.rules() {
            let of = |part: &Part| if let Part::Of(category) = part { sizes[*category as usize] } else { 0 };
            let size = 1 + rule.parts.iter().map(of).sum::<usize>();
            let result = rule.result as usize;
            sizes[result] = sizes[result].min(size);
        }
    }
    sizes
}
