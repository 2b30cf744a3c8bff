//! The chart: cells of derivations by category and size, the cells being filled, and the steps that every new derivation
//! goes through.

use super::active::{ActiveRule, NAMED, active_rules};
use super::cell::{Bounds, Cell, Entry, Filling, Origin, Room};
use super::members::Members;
use super::{Pruners, Report};
use crate::derivation::{Derivation, DerivationId, Derivations, Use};
use crate::execute::Executor;
use crate::features::{GroupId, Groups, Scene, Weights};
use crate::formula::{FormulaId, Formulas};
use crate::grammar::{Category, Grammar, Rule, reach};
use crate::question::{Linking, Question};
use crate::settings::{Pruner, Settings};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// Room for the formulas and derivations of most questions.
const ROOM: usize = 8192;
/// Each group of rules that the question asks for has one in so many of a cell's places to itself.
const ASKED: usize = 10;

pub(super) struct Chart<'a, 's, W> {
    /// All rules.
    pub grammar: &'s Grammar,
    /// Beam, size, pruners.
    pub settings: &'s Settings,
    /// Weights of features.
    pub weights: &'s W,
    /// Pruners in use.
    pub pruners: Pruners,
    /// Rules in use.
    pub rules: Vec<ActiveRule<'s>>,
    /// Places in the question that name something, each as bits; none if nothing is to be kept for being named.
    named: Vec<u128>,
    /// Formulas and their denotations.
    pub executor: Executor<'a>,
    /// Groups of features.
    pub groups: Groups<'a>,
    /// Everything that was built.
    pub derivations: Derivations,
    /// Derivations by category and size.
    pub cells: Vec<Vec<Rc<Cell>>>,
    /// Cache: values of a category and size that arithmetic may take.
    pub possible_arguments: FxHashMap<(Category, usize), Rc<Cell>>,
    /// Cache: arguments of each size for which a function has one value.
    pub arguments: FxHashMap<(DerivationId, usize), Rc<Cell>>,
    /// Categories that each formula was built as, as bits.
    seen: Vec<u16>,
    /// The cells of the size being filled, by category.
    filling: Vec<Filling>,
    /// The predicates of the derivation being built, and room to merge them in.
    scratch: Vec<GroupId>,
    other: Vec<GroupId>,
    /// The predicates of the rule and the first part that were last put together.
    with_first: Vec<GroupId>,
    first: Option<(Active, DerivationId)>,
    /// Counts of the search.
    pub report: Report,
}

/// An active rule, by its position in the chart.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Active(pub usize);

/// A derivation before its formula is built.
pub(super) struct Attempt<'p> {
    /// Rule to apply.
    pub rule: Active,
    /// Size of the result.
    pub size: usize,
    /// Parts to apply it to.
    pub parts: &'p [&'p Entry],
}

impl<'a, 's, W: Weights> Chart<'a, 's, W> {
    pub(super) fn new(
        scene: Scene<'a>,
        grammar: &'s Grammar,
        settings: &'s Settings,
        weights: &'s W,
    ) -> Chart<'a, 's, W> {
        let mut groups = Groups::new(scene, settings.features);
        let rules = active_rules(grammar, settings, &mut groups, weights);
        let nothing = Rc::new(Cell::default());
        Chart {
            grammar,
            settings,
            weights,
            pruners: Pruners(settings.pruners),
            rules,
            named: if settings.linking == Linking::Kin { named(scene.question) } else { Vec::new() },
            executor: Executor::new(scene.graph, Formulas::with_capacity(ROOM)),
            groups,
            derivations: Derivations::with_capacity(ROOM),
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

    pub(super) fn scene(&self) -> Scene<'a> {
        self.groups.scene()
    }

    /// Fills all cells, smaller sizes first.
    pub(super) fn fill(&mut self) {
        let rules: Vec<&Rule> = self.rules.iter().map(|active| active.rule).collect();
        let limits = reach(&rules, self.settings.size);
        for size in 1..=self.settings.size {
            for rule in (0..self.rules.len()).map(Active) {
                if size <= limits[self.rule(rule).result as usize] {
                    self.apply(rule, size);
                }
            }
            self.close(size);
        }
    }

    pub(super) fn rule(&self, rule: Active) -> &'s Rule {
        self.active(rule).rule
    }

    fn active(&self, rule: Active) -> &ActiveRule<'s> {
        &self.rules[rule.0]
    }

    pub(super) fn formula(&self, entry: &Entry) -> FormulaId {
        self.derivations.get(entry.id).formula
    }

    pub(super) fn cell(&self, category: Category, size: usize) -> Rc<Cell> {
        self.cells[category as usize][size].clone()
    }

    /// Sorts the cells of a size and cuts them to the beam.
    fn close(&mut self, size: usize) {
        for category in Category::ALL {
            let filling = &mut self.filling[category as usize];
            self.report.built += filling.len();
            let (cell, cut) = filling.close(room_of(category, self.settings));
            self.report.beyond_beam += cut;
            self.cells[category as usize][size] = Rc::new(cell);
        }
    }

    /// Builds one derivation unless it is pruned or its cell would not keep it, cheap checks first. The parts are known to
    /// fit the rule.
    pub(super) fn attempt(&mut self, attempt: &Attempt) {
        self.report.attempts += 1;
        let (rule, parts, own) = (attempt.rule, attempt.parts, self.rule(attempt.rule));
        let category = own.result;
        let bound = self.bound(rule, parts);
        let (asked, room) = (self.asked_of(rule, parts), room_of(category, self.settings));
        if !self.filling[category as usize].would_keep(bound, asked, room) {
            self.report.beyond_beam += 1;
            return;
        }
        let superlatives = parts.iter().map(|part| part.superlatives).sum::<u8>() + own.superlatives;
        if superlatives > 1 && self.pruners.uses(Pruner::Superlatives) {
            return self.report.prune(Pruner::Superlatives);
        }
        if let ([a, b], true) = (parts, own.is_merge)
            && let Some(pruner) = self.pruners.by_merged(self.executor.formulas(), self.formula(a), self.formula(b))
        {
            return self.report.prune(pruner);
        }
        let (score, negative) = self.merge(rule, parts);
        debug_assert!(score <= bound + 1e-9, "the bound {bound} is below the score {score}");
        if !self.filling[category as usize].would_keep(score, asked, room) {
            self.report.beyond_beam += 1;
            return;
        }
        let formula = self.build(rule, parts);
        if self.is_new(category, formula) {
            self.keep(attempt, formula, superlatives, score, negative);
        }
    }

    /// What the question asks for that a rule or its parts have, as bits: groups of rules, and [`NAMED`].
    fn asked_of(&self, rule: Active, parts: &[&Entry]) -> u32 {
        let tokens = parts.iter().fold(0, |tokens, part| tokens | part.tokens);
        parts.iter().fold(self.asked(rule, tokens), |asked, part| asked | part.asked)
    }

    /// The same for a rule alone with the tokens that are used.
    pub(super) fn asked(&self, rule: Active, tokens: u128) -> u32 {
        self.active(rule).asked | self.names(tokens)
    }

    /// Bits that tell if the tokens that a formula uses are all that name something, or nearly all.
    fn names(&self, tokens: u128) -> u32 {
        let left = self.named.iter().filter(|named| **named & tokens == 0).count();
        match (left, self.named.len()) {
            (_, 0) => 0,
            (0, _) => NAMED[0],
            (1, 3..) => NAMED[1],
            _ => 0,
        }
    }

    /// Tells if a formula is built as this category for the first time.
    pub(super) fn is_new(&mut self, category: Category, formula: FormulaId) -> bool {
        let at = formula.0 as usize;
        if self.seen.len() <= at {
            self.seen.resize(self.executor.formulas().len(), 0);
        }
        let bit = 1 << category as u8;
        let is_new = self.seen[at] & bit == 0;
        self.seen[at] |= bit;
        is_new
    }

    /// Upper bound on the score of a derivation. The sum of the parts' scores is not one: a predicate that several parts
    /// share counts once, so a shared negative one is charged too often by the sum. The negative scores of all but the
    /// part with the most of them are added back.
    fn bound(&self, rule: Active, parts: &[&Entry]) -> f64 {
        let own = self.active(rule);
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
    fn merge(&mut self, rule: Active, parts: &[&Entry]) -> (f64, f64) {
        let (mut all, mut other) = (std::mem::take(&mut self.scratch), std::mem::take(&mut self.other));
        match parts {
            [] => self.active(rule).predicates.clone_into(&mut all),
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
    fn merge_first(&mut self, rule: Active, first: &Entry) {
        if self.first != Some((rule, first.id)) {
            let mut all = std::mem::take(&mut self.with_first);
            union(&self.active(rule).predicates, self.predicates_of(rule, 0, first), &mut all);
            self.with_first = all;
            self.first = Some((rule, first.id));
        }
    }

    /// The predicates that a part brings to a rule.
    fn predicates_of(&self, rule: Active, at: usize, entry: &Entry) -> &[GroupId] {
        let rule = self.rule(rule);
        let used = match rule.result {
            Category::RecordFn => Use::Ordering,
            Category::Key | Category::Scope if at == 0 => Use::Grouping,
            Category::ValueFn | Category::Answer if rule.groups() && at == 1 => Use::Reversed,
            _ if rule.reversed[at] => Use::Reversed,
            _ => Use::Plain,
        };
        self.derivations.predicates(entry.id, used)
    }

    fn build(&mut self, rule: Active, parts: &[&Entry]) -> FormulaId {
        let mut filled = [FormulaId(0); 3];
        for (slot, part) in filled.iter_mut().zip(parts) {
            *slot = self.formula(part);
        }
        self.instantiate(self.rule(rule).template, &filled[..parts.len()])
    }

    /// A template with its slots filled.
    pub(super) fn instantiate(&mut self, template: FormulaId, filled: &[FormulaId]) -> FormulaId {
        self.executor.formulas_mut().instantiate(self.grammar.templates(), template, filled)
    }

    fn keep(&mut self, attempt: &Attempt, formula: FormulaId, superlatives: u8, score: f64, negative: f64) {
        let (rule, parts) = (attempt.rule, attempt.parts);
        let category = self.rule(rule).result;
        if let Some(pruner) = self.pruners.by_form(self.executor.formulas(), formula) {
            return self.report.prune(pruner);
        }
        let (formulas, vocabulary) = (self.executor.formulas(), self.scene().vocabulary);
        let choice = self.pruners.by_choice(formulas, formula, vocabulary);
        if let Some(pruner) = choice.or_else(|| self.pruners.by_place(formulas, formula, vocabulary)) {
            return self.report.prune(pruner);
        }
        let members = match category.is_function() {
            true => {
                let vocabulary = self.scene().vocabulary;
                if let Some(pruner) = self.pruners.by_function(self.executor.formulas(), formula, vocabulary) {
                    return self.report.prune(pruner);
                }
                Members::of_function(category, parts)
            }
            false => {
                let outcome = self.executor.denote(formula);
                let pruned = self.pruners.by_denotation(&mut self.executor, formula, &outcome);
                if let Some(pruner) = pruned {
                    return self.report.prune(pruner);
                }
                Members::of_denotation(&outcome, self.scene())
            }
        };
        let derivation = Derivation {
            rule: self.active(rule).id,
            category,
            formula,
            parts: [0, 1, 2].map(|at| parts.get(at).map(|part| part.id)),
            size: attempt.size,
            tokens: parts.iter().fold(0, |bits, part| bits | part.tokens),
            score,
        };
        let asked = self.asked_of(rule, parts);
        self.enter(&derivation, members, Bounds { most: score, negative }, superlatives, asked);
        self.derivations.push(derivation, &self.scratch);
    }

    /// Enters a derivation, which is added to the others next, into the cell of its category.
    pub(super) fn enter(
        &mut self,
        derivation: &Derivation,
        members: Members,
        bounds: Bounds,
        superlatives: u8,
        asked: u32,
    ) {
        let entry = Entry {
            id: self.derivations.next_id(),
            score: derivation.score,
            bounds,
            tokens: derivation.tokens,
            places: members.places,
            kind: members.kind,
            is_many: members.is_many,
            is_endless: members.is_endless,
            superlatives,
            origin: Origin::of(self.executor.formulas(), derivation.formula),
            asked,
        };
        let category = derivation.category;
        self.filling[category as usize].push(entry, room_of(category, self.settings));
    }
}

/// Places in a question that name cells, values or conditions, as bits of their tokens. Names that overlap are one place.
fn named(question: &Question) -> Vec<u128> {
    let links = question.links.iter().map(|link| &link.tokens);
    let conditions = question.conditions.iter().map(|link| &link.tokens);
    let mut spans: Vec<Range<usize>> = links.chain(conditions).cloned().collect();
    spans.sort_by_key(|span| (span.start, span.end));
    let mut places: Vec<Range<usize>> = Vec::new();
    for span in spans {
        match places.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => places.push(span),
        }
    }
    places.into_iter().map(|place| place.fold(0, |bits, at| bits | 1u128 << at.min(127))).collect()
}

/// Number of derivations that a cell keeps. Tables of groups and the columns of some rows are costly, and nothing but
/// answers is made of them, so their cells are smaller.
fn room_of(category: Category, settings: &Settings) -> Room {
    let beam = match category {
        Category::Answer | Category::Key | Category::Scope => settings.beam.div_ceil(4),
        _ => settings.beam,
    };
    Room { beam, asked: beam.div_ceil(ASKED) }
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

/// The score of predicates, and the sum of the negative ones with the sign turned.
pub(super) fn sums(predicates: &[GroupId], groups: &Groups) -> (f64, f64) {
    let scores = predicates.iter().map(|id| groups.score(*id));
    scores.fold((0.0, 0.0), |(sum, negative), score| (sum + score, negative - score.min(0.0)))
}
