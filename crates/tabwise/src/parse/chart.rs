//! The chart: cells of derivations by category and size, the cells being filled, and the steps that every new derivation
//! goes through.

use super::cell::{Bounds, Cell, Entry, Filling, Origin};
use super::{Pruner, Pruners, Report};
use crate::derivation::{Derivation, DerivationId};
use crate::execute::{Denotation, Executor, Item, Outcome};
use crate::features::{GroupId, Groups, Predicate, Scene, Topic};
use crate::formula::types::Type;
use crate::formula::{FormulaId, Formulas, Node, Var};
use crate::grammar::{Category, Grammar, Part, Rule};
use crate::model::Weights;
use crate::question::Places;
use crate::settings::{Operations, Settings};
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// Room for the formulas and derivations of most questions.
const ROOM: usize = 8192;

pub(super) struct Chart<'a, 's, W> {
    pub grammar: &'s Grammar,
    pub settings: &'s Settings,
    pub weights: &'s W,
    pub pruners: Pruners,
    pub rules: Vec<ActiveRule>,
    /// For each rule of the grammar, the tokens that suggest it.
    pub cue_tokens: Vec<u128>,
    pub formulas: Formulas,
    pub executor: Executor<'a>,
    pub groups: Groups<'a>,
    pub derivations: Vec<Derivation>,
    /// Lists of predicates, one after the other.
    pub predicates: Vec<GroupId>,
    /// Derivations by category and size.
    pub cells: Vec<Vec<Rc<Cell>>>,
    /// For a category and a size, what arithmetic may be done with.
    pub possible_arguments: FxHashMap<(Category, usize), Rc<Cell>>,
    /// For a function and a size, the values of that size that it leads somewhere from.
    pub arguments: FxHashMap<(DerivationId, usize), Rc<Cell>>,
    /// For each formula, the categories it was built as, as bits.
    seen: Vec<u8>,
    /// The cells of the size being filled, by category.
    filling: Vec<Filling>,
    /// The predicates of the derivation being built, and room to merge them in.
    scratch: Vec<GroupId>,
    other: Vec<GroupId>,
    /// The predicates of the rule and the first part that were last put together.
    with_first: Vec<GroupId>,
    first: Option<(usize, DerivationId)>,
    pub report: Report,
}

/// A rule in use, with what it adds to a formula.
pub(super) struct ActiveRule {
    pub at: usize,
    predicates: Vec<GroupId>,
    /// The score of those predicates, and the part of it that is below 0.
    score: f64,
    negative: f64,
    pub superlatives: u8,
    /// Whether the rule makes one thing of many: its first part must be many.
    pub needs_many: bool,
    /// Whether the rule compares with its part, for a condition.
    pub compares: bool,
    /// Whether the rule only merges its two parts.
    is_merge: bool,
}

/// What is known of a derivation before its formula is built.
pub(super) struct Attempt<'p> {
    pub rule: usize,
    pub size: usize,
    pub parts: &'p [&'p Entry],
}

impl<'a, 's, W: Weights> Chart<'a, 's, W> {
    pub fn new(scene: Scene<'a>, grammar: &'s Grammar, settings: &'s Settings, weights: &'s W) -> Chart<'a, 's, W> {
        let mut groups = Groups::new(scene, settings);
        let is_active = |rule: &Rule| settings.rules.contains(&rule.group) && is_cued(rule, &scene, settings);
        let active = grammar.rules().iter().enumerate().filter(|(_, rule)| is_active(rule));
        let rules = active.map(|(at, rule)| ActiveRule::new(at, rule, grammar, &mut groups, weights)).collect();
        let nothing = Rc::new(Cell::default());
        Chart {
            grammar,
            settings,
            weights,
            pruners: Pruners::new(settings),
            rules,
            cue_tokens: grammar.rules().iter().map(|rule| scene.question.cue_tokens(&rule.group, &rule.name)).collect(),
            formulas: Formulas::with_capacity(ROOM),
            executor: Executor::new(scene.graph),
            groups,
            derivations: Vec::with_capacity(ROOM),
            predicates: Vec::with_capacity(8 * ROOM),
            cells: Category::ALL.map(|_| vec![nothing.clone(); settings.size + 1]).to_vec(),
            possible_arguments: FxHashMap::default(),
            arguments: FxHashMap::default(),
            seen: Vec::with_capacity(ROOM),
            filling: Category::ALL.map(|_| Filling::default()).into(),
            scratch: Vec::new(),
            other: Vec::new(),
            with_first: Vec::new(),
            first: None,
            report: Report::default(),
        }
    }

    pub fn scene(&self) -> Scene<'a> {
        self.groups.scene()
    }

    /// Fills all cells, smaller sizes first.
    pub fn fill(&mut self) {
        let limits = reach(self.grammar, self.settings.size);
        for size in 1..=self.settings.size {
            for rule in 0..self.rules.len() {
                if size <= limits[self.rule(rule).result as usize] {
                    self.apply(rule, size);
                }
            }
            self.close(size);
        }
    }

    pub fn rule(&self, rule: usize) -> &'s Rule {
        &self.grammar.rules()[self.rules[rule].at]
    }

    pub fn derivation(&self, id: DerivationId) -> &Derivation {
        &self.derivations[id.0 as usize]
    }

    pub fn formula(&self, entry: &Entry) -> FormulaId {
        self.derivation(entry.id).formula
    }

    pub fn cell(&self, category: Category, size: usize) -> Rc<Cell> {
        self.cells[category as usize][size].clone()
    }

    /// Sorts the cells of a size and cuts them to the beam.
    fn close(&mut self, size: usize) {
        for category in Category::ALL {
            let filling = &mut self.filling[category as usize];
            self.report.built += filling.len();
            let (cell, cut) = filling.close(self.settings.beam);
            self.report.beyond_beam += cut;
            self.cells[category as usize][size] = Rc::new(cell);
        }
    }

    /// Builds one derivation, unless something speaks against it. The parts are known to fit the rule.
    pub fn attempt(&mut self, attempt: &Attempt) {
        self.report.attempts += 1;
        let (rule, parts) = (attempt.rule, attempt.parts);
        let category = self.rule(rule).result;
        if !self.filling[category as usize].would_keep(self.bound(rule, parts), self.settings.beam) {
            self.report.beyond_beam += 1;
            return;
        }
        let superlatives = parts.iter().map(|part| part.superlatives).sum::<u8>() + self.rules[rule].superlatives;
        if superlatives > 1 && self.pruners.uses(Pruner::Superlatives) {
            return self.report.prune(Pruner::Superlatives);
        }
        if let ([a, b], true) = (parts, self.rules[rule].is_merge)
            && let Some(pruner) = self.pruners.by_merged(&self.formulas, self.formula(a), self.formula(b))
        {
            return self.report.prune(pruner);
        }
        let (score, negative) = self.merge(rule, parts);
        if !self.filling[category as usize].would_keep(score, self.settings.beam) {
            self.report.beyond_beam += 1;
            return;
        }
        let formula = self.build(rule, parts);
        if self.is_new(category, formula) {
            self.keep(attempt, formula, superlatives, score, negative);
        }
    }

    /// Whether a formula is built as this category for the first time.
    fn is_new(&mut self, category: Category, formula: FormulaId) -> bool {
        let at = formula.0 as usize;
        if self.seen.len() <= at {
            self.seen.resize(self.formulas.len(), 0);
        }
        let bit = 1 << category as u8;
        let is_new = self.seen[at] & bit == 0;
        self.seen[at] |= bit;
        is_new
    }

    /// The most that a derivation can score: its parts' scores, were nothing that they share below 0.
    fn bound(&self, rule: usize, parts: &[&Entry]) -> f64 {
        let own = &self.rules[rule];
        match parts {
            [] => own.score,
            [only] => own.score + only.bounds.most + own.negative.min(only.bounds.negative),
            [a, b] => {
                let (a, b) = (a.bounds, b.bounds);
                let most = own.negative.max(a.negative).max(b.negative);
                own.score + (a.most + b.most) + (own.negative + (a.negative + b.negative) - most)
            }
            _ => {
                let sum: f64 = parts.iter().map(|part| part.bounds.most).sum();
                let negative: f64 = parts.iter().map(|part| part.bounds.negative).sum();
                let most = parts.iter().map(|part| part.bounds.negative).fold(own.negative, f64::max);
                own.score + sum + (own.negative + negative - most)
            }
        }
    }

    /// Puts the predicates of a rule and its parts together, each once and in order; gives their score, and how much of it
    /// is below 0.
    fn merge(&mut self, rule: usize, parts: &[&Entry]) -> (f64, f64) {
        let (mut all, mut other) = (std::mem::take(&mut self.scratch), std::mem::take(&mut self.other));
        match parts {
            [] => self.rules[rule].predicates.clone_into(&mut all),
            [first, rest @ ..] => {
                self.merge_first(rule, first);
                self.with_first.clone_into(&mut all);
                for (at, part) in (1..).zip(rest) {
                    union(&all, self.predicates_of(rule, at, part), &mut other);
                    std::mem::swap(&mut all, &mut other);
                }
            }
        }
        let sums = sums(&all, &self.groups);
        (self.scratch, self.other) = (all, other);
        sums
    }

    /// Puts the predicates of a rule and its first part together. They are kept, since many second parts are tried with
    /// them, one after the other.
    fn merge_first(&mut self, rule: usize, first: &Entry) {
        if self.first != Some((rule, first.id)) {
            let mut all = std::mem::take(&mut self.with_first);
            union(&self.rules[rule].predicates, self.predicates_of(rule, 0, first), &mut all);
            self.with_first = all;
            self.first = Some((rule, first.id));
        }
    }

    /// The predicates that a part brings to a rule.
    fn predicates_of(&self, rule: usize, at: usize, entry: &Entry) -> &[GroupId] {
        let part = self.derivation(entry.id);
        let list = match self.rule(rule).result {
            Category::RecordFn if !part.ordering.is_empty() => &part.ordering,
            _ if self.rule(rule).reversed[at] && !part.reversed.is_empty() => &part.reversed,
            _ => &part.predicates,
        };
        &self.predicates[list.start as usize..list.end as usize]
    }

    fn build(&mut self, rule: usize, parts: &[&Entry]) -> FormulaId {
        let mut filled = [FormulaId(0); 3];
        for (slot, part) in filled.iter_mut().zip(parts) {
            *slot = self.formula(part);
        }
        self.instantiate(self.rule(rule).template, &filled[..parts.len()])
    }

    /// A template with its slots filled.
    pub fn instantiate(&mut self, template: FormulaId, filled: &[FormulaId]) -> FormulaId {
        self.formulas.instantiate(self.grammar.templates(), template, filled)
    }

    fn keep(&mut self, attempt: &Attempt, formula: FormulaId, superlatives: u8, score: f64, negative: f64) {
        let (rule, parts) = (attempt.rule, attempt.parts);
        let category = self.rule(rule).result;
        if let Some(pruner) = self.pruners.by_form(&self.formulas, formula) {
            return self.report.prune(pruner);
        }
        let members = match category {
            Category::Relation | Category::RecordFn | Category::ValueFn => {
                if let Some(pruner) = self.pruners.by_function(&self.formulas, formula, self.scene().vocabulary) {
                    return self.report.prune(pruner);
                }
                Members::of_function(parts)
            }
            _ => {
                let outcome = self.executor.denote(&self.formulas, formula);
                let pruned = self.pruners.by_denotation(&mut self.executor, &self.formulas, formula, &outcome);
                if let Some(pruner) = pruned {
                    return self.report.prune(pruner);
                }
                Members::of_denotation(&outcome, self.scene())
            }
        };
        let start = self.predicates.len() as u32;
        self.predicates.extend_from_slice(&self.scratch);
        let derivation = Derivation {
            rule: self.rules[rule].at as u16,
            parts: [0, 1, 2].map(|at| parts.get(at).map(|part| part.id)),
            category,
            formula,
            size: attempt.size,
            tokens: parts.iter().fold(0, |bits, part| bits | part.tokens),
            predicates: start..self.predicates.len() as u32,
            reversed: 0..0,
            ordering: 0..0,
            score,
        };
        self.push(derivation, members, Bounds { most: score, negative }, superlatives);
    }

    /// Adds a derivation to the cell of its category.
    pub fn push(&mut self, derivation: Derivation, members: Members, bounds: Bounds, superlatives: u8) {
        let id = DerivationId(self.derivations.len() as u32);
        let entry = Entry {
            id,
            score: derivation.score,
            bounds,
            tokens: derivation.tokens,
            places: members.places,
            kind: members.kind,
            is_many: members.is_many,
            is_endless: members.is_endless,
            superlatives,
            origin: Origin::of(&self.formulas, derivation.formula),
        };
        self.filling[derivation.category as usize].push(entry, self.settings.beam);
        self.derivations.push(derivation);
    }

    /// Lists predicates, each once and in order.
    pub fn list(&mut self, predicates: &[Predicate]) -> Range<u32> {
        let mut ids: Vec<GroupId> =
            predicates.iter().map(|predicate| self.groups.id(Topic::Predicate(*predicate), self.weights)).collect();
        ids.sort_unstable();
        ids.dedup();
        let start = self.predicates.len() as u32;
        self.predicates.extend(ids);
        start..self.predicates.len() as u32
    }

    /// The score of a list of predicates, and how much of it is below 0.
    pub fn sums(&self, list: Range<u32>) -> (f64, f64) {
        sums(&self.predicates[list.start as usize..list.end as usize], &self.groups)
    }
}

/// Both lists in one, each id once; both are sorted and have none twice.
fn union(mut a: &[GroupId], mut b: &[GroupId], all: &mut Vec<GroupId>) {
    all.clear();
    all.reserve(a.len() + b.len());
    while let ([first, rest_a @ ..], [second, rest_b @ ..]) = (a, b) {
        all.push(*first.min(second));
        let (in_a, in_b) = (first <= second, second <= first);
        a = if in_a { rest_a } else { a };
        b = if in_b { rest_b } else { b };
    }
    all.extend_from_slice(a);
    all.extend_from_slice(b);
}

fn sums(predicates: &[GroupId], groups: &Groups) -> (f64, f64) {
    let scores = predicates.iter().map(|id| groups.score(*id));
    scores.fold((0.0, 0.0), |(sum, negative), score| (sum + score, negative - score.min(0.0)))
}

/// What a formula's members are like: of what kind, where they may be found, and whether there are several.
#[derive(Clone, Copy)]
pub(super) struct Members {
    pub kind: Type,
    pub places: Places,
    pub is_many: bool,
    pub is_endless: bool,
}

impl Members {
    /// What a function leads to is a number or date; what it may be applied to is that of its first part.
    fn of_function(parts: &[&Entry]) -> Members {
        let places = parts.first().map_or(Places::ANY, |first| first.places);
        Members { kind: Type::NUMBER, places, is_many: true, is_endless: false }
    }

    fn of_denotation(outcome: &Outcome, scene: Scene) -> Members {
        match outcome.as_deref() {
            Ok(Denotation::Rows(rows)) => {
                Members { kind: Type::ROW, places: Places::NONE, is_many: rows.is_many(), is_endless: false }
            }
            Ok(Denotation::Values(items)) => {
                let (kind, places) = match items.first().map(|item| item.value) {
                    Some(Value::Number(_)) => (Type::NUMBER, Places::NUMBER),
                    Some(Value::Date(_)) => (Type::DATE, Places::DATE),
                    _ => (Type::ENTITY, items.iter().fold(Places::NONE, |all, item| all.or(place(item, scene)))),
                };
                Members { kind, places, is_many: items.len() > 1, is_endless: false }
            }
            Ok(Denotation::Passing(test)) => {
                let (kind, places) = match test.bound() {
                    Some(Value::Date(_)) => (Type::DATE, Places::DATE),
                    Some(Value::Number(_)) => (Type::NUMBER, Places::NUMBER),
                    _ => (Type::ENTITY, Places::ANY),
                };
                Members { kind, places, is_many: true, is_endless: !test.is_about_entities() }
            }
            Err(_) => Members { kind: Type::ANY, places: Places::ANY, is_many: true, is_endless: false },
        }
    }
}

/// The column that an item was read from, or else every column that it stands in.
fn place(item: &Item, scene: Scene) -> Places {
    match (item.cell, item.value) {
        (Some(cell), _) => Places::column(cell.column),
        (None, Value::Entity(entity)) => scene.vocabulary.places(entity),
        _ => Places::NONE,
    }
}

impl ActiveRule {
    fn new(at: usize, rule: &Rule, grammar: &Grammar, groups: &mut Groups, weights: &impl Weights) -> ActiveRule {
        let found = predicates_in(grammar.templates(), rule.template, false);
        let mut predicates: Vec<GroupId> = match rule.parts.as_slice() {
            [Part::Column, Part::Reading] => Vec::new(),
            _ => found.iter().map(|predicate| groups.id(Topic::Predicate(*predicate), weights)).collect(),
        };
        predicates.sort_unstable();
        predicates.dedup();
        let (score, negative) = sums(&predicates, groups);
        let slots = [1, 2].map(|n| Node::Var(Var::slot(n)));
        ActiveRule {
            at,
            score,
            negative,
            predicates,
            superlatives: found.iter().filter(|p| matches!(p, Predicate::Superlative(_))).count() as u8,
            compares: found.iter().any(|p| matches!(p, Predicate::Compare(_))),
            is_merge: match grammar.templates().node(rule.template) {
                Node::And(a, b) | Node::Or(a, b) => [a, b].map(|part| grammar.templates().node(part)) == slots,
                _ => false,
            },
            needs_many: match grammar.templates().node(rule.template) {
                Node::Aggregate(..) | Node::Superlative(..) => true,
                Node::Arithmetic(..) => rule.parts.len() == 1,
                _ => false,
            },
        }
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

/// Whether a rule may be used: always when operations float, else when some word suggests it. Looking things up needs no
/// word of its own, and neither does what things are ordered by: it does nothing until an operation uses it.
fn is_cued(rule: &Rule, scene: &Scene, settings: &Settings) -> bool {
    let is_function = matches!(rule.result, Category::RecordFn | Category::ValueFn);
    let floats = match settings.operations {
        Operations::Floating => !rule.needs_cue,
        Operations::Cued => is_function || matches!(rule.group.as_str(), "base" | "join"),
    };
    floats || scene.question.has_cue(&rule.group, &rule.name)
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
