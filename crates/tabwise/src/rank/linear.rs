//! The linear ranker: a candidate's score is the sum of its features' weights. The features of its predicates are known
//! from the search; those of the candidate as a whole are added here.

use super::basis::basis;
use crate::derivation::{DerivationId, Derivations, Use};
use crate::execute::{Denotation, Executor, Values, distinct};
use crate::features::{
    Extent, GroupId, Groups, Missing, Predicate, Reach, Topic, Unprompted, Weights, Whole, is_contrary,
};
use crate::formula::FormulaId;
use crate::grammar::Grammar;
use crate::graph::Graph;
use crate::question::ColumnKind;
use crate::search::{Found, Report, Search};
use crate::settings::Heed;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// A ranked formula.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The formula.
    pub formula: FormulaId,
    /// Derivation of the formula; `None` for a cell of the retrieval baseline.
    pub derivation: Option<DerivationId>,
    /// Denotation of the formula.
    pub denotation: Rc<Denotation>,
    /// Groups of features, sorted.
    pub groups: Vec<GroupId>,
    /// Use that it makes of the question's words.
    pub extent: Extent,
    /// Words that it uses, or that suggest an operation it has, as bits.
    pub heard: u128,
    /// Number for the rows that it counts or sums over.
    pub basis: u64,
    /// Sum of the scores of its groups; of a ranking for an answer, less the cost of not heeding the question.
    pub linear: f64,
    /// Score that it is ranked by: the linear one, unless a reader gave another.
    pub score: f64,
    /// Cost of not heeding the question, which the linear score has in it.
    pub cost: f64,
    /// Number of things about it that go against the question; of a ranking for an answer.
    pub contrary: usize,
}

impl Candidate {
    /// The different values of the answer, in the order of the table. A table of groups gives the cells of its lines,
    /// one after the other.
    pub fn values(&self) -> Values {
        match &*self.denotation {
            Denotation::Values(items) => distinct(items),
            Denotation::Groups(groups) => {
                let cells = groups.iter().flat_map(|group| std::iter::once(&group.key).chain(&group.values));
                cells.map(|item| item.value).collect()
            }
            _ => Values::new(),
        }
    }
}

/// Ranked candidates, and everything behind them.
pub struct Ranking<'a> {
    /// Candidates, best first; of equals, the smaller derivation first.
    pub candidates: Vec<Candidate>,
    /// Formulas and their denotations.
    pub executor: Executor<'a>,
    /// Groups of features.
    pub groups: Groups<'a>,
    /// All derivations of the search.
    pub derivations: Derivations,
    /// Counts of the search.
    pub report: Report,
    /// True when a reader ranked the best candidates anew.
    pub is_read: bool,
}

impl<'a> Ranking<'a> {
    /// The ranking with its formulas on another graph with the same entities. Denotations of candidates stay as they are.
    pub fn on(self, graph: &'a Graph) -> Ranking<'a> {
        Ranking { executor: self.executor.on(graph), ..self }
    }

    /// Ranks anew with a cost for words that are left out and for what goes against the question. Learning goes by the scores alone; what is answered has to heed
    /// the question.
    pub fn heeding(mut self, heed: &Heed) -> Self {
        let (groups, scene) = (&self.groups, self.groups.scene());
        let mut known: FxHashMap<GroupId, bool> = FxHashMap::default();
        let mut is_contrary =
            |group: GroupId| *known.entry(group).or_insert_with(|| is_contrary(&scene, groups.topic(group)));
        for candidate in &mut self.candidates {
            let topics = candidate
                .groups
                .iter()
                .filter(|group| matches!(groups.topic(**group), Topic::Sense(_) | Topic::Near(_)));
            candidate.contrary = topics.filter(|group| is_contrary(**group)).count();
            candidate.cost = heed.cost(&candidate.extent, candidate.contrary);
            candidate.linear -= candidate.cost;
            candidate.score = candidate.linear;
        }
        self.candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        self
    }
}

/// Ranks the formulas of a search by a model's weights.
pub fn rank<'a>(search: Search<'a>, grammar: &Grammar, weights: &impl Weights) -> Ranking<'a> {
    let Search { found, executor, groups, derivations, report } = search;
    let mut ranker = Linear::new(executor, groups, derivations, grammar, weights);
    let mut candidates: Vec<Candidate> = found.into_iter().map(|found| ranker.candidate(found)).collect();
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    let Linear { executor, groups, derivations, .. } = ranker;
    Ranking { candidates, executor, groups, derivations, report, is_read: false }
}

struct Linear<'a, 'w, W> {
    executor: Executor<'a>,
    groups: Groups<'a>,
    derivations: Derivations,
    grammar: &'w Grammar,
    weights: &'w W,
    reach: Reach,
    mentioned: Vec<Mention>,
    /// Tokens that suggest each rule of the grammar, as bits.
    cue_tokens: Vec<u128>,
    /// Each rule of the grammar as an operation that no word suggests.
    operations: Vec<Unprompted>,
}

/// Something that the question names.
struct Mention {
    /// Groups of the predicates that would use it.
    predicates: Vec<GroupId>,
    /// Group for leaving it out.
    missing: GroupId,
}

impl<'a, 'w, W: Weights> Linear<'a, 'w, W> {
    fn new(
        executor: Executor<'a>,
        mut groups: Groups<'a>,
        derivations: Derivations,
        grammar: &'w Grammar,
        weights: &'w W,
    ) -> Linear<'a, 'w, W> {
        let scene = groups.scene();
        let mentioned = mentioned(&mut groups, weights);
        let cue_tokens =
            grammar.rules().iter().map(|rule| scene.question.cue_tokens(&rule.group, &rule.name)).collect();
        let operations = grammar.rules().iter().map(Unprompted::new).collect();
        let reach = Reach::new(&scene);
        Linear { executor, groups, derivations, grammar, weights, reach, mentioned, cue_tokens, operations }
    }

    fn candidate(&mut self, found: Found) -> Candidate {
        let Found { formula, derivation, denotation } = found;
        let mut groups = derivation.map(|id| self.predicates(id)).unwrap_or_default();
        let mut unprompted = SmallVec::new();
        let cued = derivation.map_or(0, |id| self.cued(id, &mut unprompted));
        let extent = self.extent(derivation, cued);
        let heard = derivation.map_or(0, |id| self.used(id)) | cued;
        let scene = self.groups.scene();
        let whole = Whole {
            scene,
            formulas: self.executor.formulas(),
            formula,
            denotation: &denotation,
            extent,
            cued,
            unprompted: &unprompted,
        };
        self.groups.add_whole(&whole, self.weights, &mut groups);
        groups.sort_unstable();
        groups.dedup();
        let score = groups.iter().map(|group| self.groups.score(*group)).sum();
        let basis = basis(&mut self.executor, formula);
        Candidate {
            formula,
            derivation,
            denotation,
            groups,
            extent,
            heard,
            basis,
            linear: score,
            score,
            cost: 0.0,
            contrary: 0,
        }
    }

    /// The predicates of a derivation, and the things named that it leaves out.
    fn predicates(&self, id: DerivationId) -> Vec<GroupId> {
        let predicates = self.derivations.predicates(id, Use::Plain);
        let mut groups = Vec::with_capacity(predicates.len() + self.mentioned.len() + 8);
        groups.extend_from_slice(predicates);
        let is_used = |group: &GroupId| predicates.binary_search(group).is_ok();
        let missing = self.mentioned.iter().filter(|mention| !mention.predicates.iter().any(is_used));
        groups.extend(missing.map(|mention| mention.missing));
        groups
    }

    fn extent(&self, derivation: Option<DerivationId>, cued: u128) -> Extent {
        match derivation {
            Some(id) => self.reach.extent(self.used(id), cued, self.derivations.get(id).size),
            None => self.reach.extent(0, 0, 1),
        }
    }

    /// Tokens that a derivation uses: those anchored, and those that the names of its columns cover.
    fn used(&self, id: DerivationId) -> u128 {
        let covered = self.derivations.predicates(id, Use::Plain).iter().map(|group| match self.groups.topic(*group) {
            Topic::Predicate(
                Predicate::Column(c) | Predicate::ColumnOf(c) | Predicate::ColumnBy(c) | Predicate::ColumnPer(c),
            ) => self.reach.column(c),
            _ => 0,
        });
        covered.fold(self.derivations.get(id).tokens, |used, tokens| used | tokens)
    }

    /// Tokens that suggest the rules of a derivation. The rules that none suggests are added to `unprompted`.
    fn cued(&self, id: DerivationId, unprompted: &mut SmallVec<[Unprompted; 8]>) -> u128 {
        let derivation = self.derivations.get(id);
        let at = self.grammar.position(derivation.rule);
        if self.cue_tokens[at] == 0 {
            unprompted.push(self.operations[at]);
        }
        let parts = derivation.parts.iter().flatten();
        parts.fold(self.cue_tokens[at], |tokens, part| tokens | self.cued(*part, unprompted))
    }
}

/// The things that the question names, each once.
fn mentioned(groups: &mut Groups, weights: &impl Weights) -> Vec<Mention> {
    let question = groups.scene().question;
    let entities = question.entities().map(|entity| vec![Predicate::Value(Value::Entity(entity))]);
    let columns = question.columns.iter().filter(|link| link.kind == ColumnKind::Header).map(|link| link.column);
    let columns = columns.map(|id| vec![Predicate::ColumnOf(id), Predicate::Column(id), Predicate::ColumnBy(id)]);
    let mut seen = FxHashSet::default();
    let named: Vec<Vec<Predicate>> = entities.chain(columns).filter(|named| seen.insert(named[0])).collect();
    let mention = |named: Vec<Predicate>| Mention {
        missing: groups.id(Topic::Missing(Missing(named[0])), weights),
        predicates: named.into_iter().map(|predicate| groups.id(Topic::Predicate(predicate), weights)).collect(),
    };
    named.into_iter().map(mention).collect()
}
