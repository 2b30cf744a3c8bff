//! Features: everything the ranking can see of a candidate. They come in groups, and all features of a group appear
//! together: a group for each predicate of the formula, for each thing that the question names and the formula leaves out,
//! for the kind of the denotation, for its size, for the shape of the formula. A group's features are listed once for a
//! question, so a candidate's score is a short sum.
//!
//! Each file has a *topic*, the thing that a group is about: how to find it in a candidate, what it is called, and which
//! features it has. [`Family`], [`Topic`] and the table `WHOLE` are the wiring.

mod accord;
mod denotation;
mod echo;
mod extent;
mod heed;
mod link;
mod near;
mod order;
mod predicate;
mod sense;
mod shape;

pub use accord::{Accord, accord, is_contrary};
pub use denotation::{Kind, Size};
pub use echo::Echo;
pub use extent::{Extent, Reach};
pub use heed::{Heed, Unprompted};
pub use near::Near;
pub use order::Order;
pub use predicate::{Missing, Predicate};
pub use sense::Sense;
pub use shape::Shape;

use crate::execute::Denotation;
use crate::formula::{FormulaId, Formulas};
use crate::graph::{ColumnId, Graph};
use crate::hash::StableHash;
use crate::named::{Set, named};
use crate::question::{Question, Vocabulary};
use rustc_hash::FxHashMap;

named! {
    /// A family of features: the unit that is switched on and off. The ids are part of every stored model: a new family
    /// gets a new id, and the id of one that is gone is not used again.
    pub enum Family is "family of features" {
        /// a phrase of the question with a predicate of the formula
        Lexical = 0 => "lexical",
        /// likeness of a phrase and a predicate
        Match = 1 => "match",
        /// things that the question names and the formula leaves out
        Missing = 2 => "missing",
        /// the kind and the size of the denotation
        Denotation = 3 => "denotation",
        /// a phrase of the question with the kind of the denotation
        PhraseDenotation = 4 => "phrase-denotation",
        /// the question word and the headword with the kind of the denotation
        HeadwordDenotation = 5 => "headword-denotation",
        /// a phrase of the question with the shape of the formula
        Shape = 6 => "shape",
        /// number of words of a column's or cell's name that the question says, by the role in which it is used
        Cover = 7 => "cover",
        /// the question word and the headword's number with the size of the denotation
        AskedSize = 8 => "asked-size",
        /// a phrase of the question with how much of the answer the question already says
        Echo = 9 => "echo",
        /// a phrase of the question with the column that a superlative compares, or that is added or subtracted
        Order = 10 => "order",
        /// a phrase of the question with the look of the denotation's column
        ColumnClass = 11 => "column-class",
        /// the words next to a value of the question with the condition that it is in
        Near = 12 => "near",
        /// number of words of the question that the formula leaves unused, and its size
        Extent = 13 => "extent",
        /// in `lexical` and `match`, the role of a column: it chooses rows, gives values or puts rows in order
        Role = 14 => "role",
        /// words that suggest an operation, and if the formula has it
        Heed = 15 => "heed",
        /// how surely the question names a column or text that the formula uses, and the words beside its name
        Link = 16 => "link",
        /// agreement of the formula with what general words say: the form of the question, degrees, bounds, order of names
        Sense = 17 => "sense",
    }
}

/// Weights of features: a model, or the weights of a training under way.
pub trait Weights {
    /// The weight of a feature; 0 when it is unknown.
    fn weight(&self, feature: u64) -> f64;

    /// The sum of the weights of some features.
    fn sum(&self, features: &[u64]) -> f64 {
        features.iter().map(|feature| self.weight(*feature)).sum()
    }

    /// Part of that sum which corrections have added to the weights of a model.
    fn taught(&self, _: &[u64]) -> f64 {
        0.0
    }
}

/// No weights: all features count 0.
impl Weights for () {
    fn weight(&self, _: u64) -> f64 {
        0.0
    }
}

/// The subject of a group of features.
trait Describe {
    /// Names the subject, for people.
    fn label(self, scene: &Scene) -> String;

    /// Lists the features of a candidate that the subject belongs to.
    fn describe(self, scene: &Scene, list: &mut List);
}

macro_rules! topics {
    ($($Topic:ident,)+) => {
        /// Subject of a group of features: one variant for each type of subject.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Topic {
            $($Topic($Topic),)+
        }

        impl Describe for Topic {
            fn label(self, scene: &Scene) -> String {
                match self {
                    $(Topic::$Topic(topic) => topic.label(scene),)+
                }
            }

            fn describe(self, scene: &Scene, list: &mut List) {
                match self {
                    $(Topic::$Topic(topic) => topic.describe(scene, list),)+
                }
            }
        }
    };
}

topics! {
    Predicate,
    Missing,
    Kind,
    Size,
    Shape,
    Echo,
    Order,
    Extent,
    Near,
    Heed,
    Unprompted,
    Sense,
}

/// A candidate as a whole, as topics see it.
pub struct Whole<'w> {
    /// Table and question.
    pub scene: Scene<'w>,
    /// Arena of the formula.
    pub formulas: &'w Formulas,
    /// Formula of the candidate.
    pub formula: FormulaId,
    /// Denotation of the formula.
    pub denotation: &'w Denotation,
    /// Use that the candidate makes of the question's words.
    pub extent: Extent,
    /// Words that suggest the operations it has, as bits.
    pub cued: u128,
    /// Operations it has that no word suggests.
    pub unprompted: &'w [Unprompted],
}

/// Finds the topics of one kind in a candidate.
type Find = fn(&Whole, &mut dyn FnMut(Topic));

/// Topics of whole candidates: the families that they serve, and how they are found. Predicates and what is missing of
/// them are not here: the search knows those of every derivation.
const WHOLE: [(&[Family], Find); 10] = [
    (&[Family::Shape], shape::find),
    (&[Family::Order], order::find),
    (&[Family::Near], near::find),
    (&[Family::Echo], echo::find),
    (&[Family::Extent], extent::find),
    (&[Family::Heed], heed::find),
    (&[Family::Heed], heed::find_unprompted),
    (&[Family::Sense], sense::find),
    (
        &[Family::Denotation, Family::PhraseDenotation, Family::HeadwordDenotation, Family::ColumnClass],
        denotation::find_kind,
    ),
    (&[Family::Denotation, Family::AskedSize], denotation::find_size),
];

/// A group, by its position in [`Groups`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupId(u32);

/// The table and the question that features look at.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// Graph of the table.
    pub graph: &'a Graph,
    /// Table-side strings.
    pub vocabulary: &'a Vocabulary,
    /// Annotated question.
    pub question: &'a Question,
}

impl<'a> Scene<'a> {
    /// Columns without those of other years than the question names.
    pub fn meant_columns(self) -> impl Iterator<Item = ColumnId> + use<'a> {
        self.graph.column_ids().filter(move |column| !self.question.passed.contains(column))
    }
}

/// The groups of one question: the features of each, and their score together.
pub struct Groups<'a> {
    scene: Scene<'a>,
    families: Set<Family>,
    ids: FxHashMap<Topic, GroupId>,
    topics: Vec<Topic>,
    /// The features of all groups, one group after the other, and where those of each begin.
    features: Vec<u64>,
    starts: Vec<usize>,
    scores: Vec<f64>,
}

impl<'a> Groups<'a> {
    /// No groups yet, for the families in use.
    pub fn new(scene: Scene<'a>, families: Set<Family>) -> Groups<'a> {
        Groups {
            scene,
            families,
            ids: FxHashMap::default(),
            topics: Vec::new(),
            features: Vec::new(),
            starts: vec![0],
            scores: Vec::new(),
        }
    }

    /// The table and the question.
    pub fn scene(&self) -> Scene<'a> {
        self.scene
    }

    /// The group about a topic, made when it is new.
    pub fn id(&mut self, topic: Topic, weights: &impl Weights) -> GroupId {
        if let Some(&id) = self.ids.get(&topic) {
            return id;
        }
        let id = GroupId(self.topics.len() as u32);
        let mut list = List { families: self.families, hashes: std::mem::take(&mut self.features), names: None };
        topic.describe(&self.scene, &mut list);
        self.features = list.hashes;
        self.starts.push(self.features.len());
        self.scores.push(weights.sum(self.features(id)));
        self.topics.push(topic);
        self.ids.insert(topic, id);
        id
    }

    /// Adds the groups that are about a candidate as a whole.
    pub fn add_whole(&mut self, whole: &Whole, weights: &impl Weights, groups: &mut Vec<GroupId>) {
        for (families, find) in WHOLE {
            if families.iter().any(|family| self.families.has(*family)) {
                find(whole, &mut |topic| groups.push(self.id(topic, weights)));
            }
        }
    }

    /// Score of a group: the sum of its features' weights.
    pub fn score(&self, id: GroupId) -> f64 {
        self.scores[id.0 as usize]
    }

    /// The features of a group.
    pub fn features(&self, id: GroupId) -> &[u64] {
        &self.features[self.starts[id.0 as usize]..self.starts[id.0 as usize + 1]]
    }

    /// Sums shares by group, and then by feature: for each candidate's groups and share, each feature gets the shares of
    /// the candidates that have it. The features come in the order of the groups, some of them repeatedly.
    pub fn shared<'g>(&self, shares: impl Iterator<Item = (&'g [GroupId], f64)>, least: f64) -> Vec<(u64, f64)> {
        let mut by_group = vec![0.0; self.topics.len()];
        for (groups, share) in shares {
            groups.iter().for_each(|group| by_group[group.0 as usize] += share);
        }
        let large = (0..).map(GroupId).zip(by_group).filter(|(_, share)| share.abs() > least);
        large.flat_map(|(id, share)| self.features(id).iter().map(move |feature| (*feature, share))).collect()
    }

    /// The subject of a group.
    pub fn topic(&self, id: GroupId) -> Topic {
        self.topics[id.0 as usize]
    }

    /// The subject of a group, for people.
    pub fn label(&self, id: GroupId) -> String {
        self.topic(id).label(&self.scene)
    }

    /// The features of a group with their names, for people.
    pub fn named(&self, id: GroupId) -> Vec<(u64, String)> {
        let mut list = List { families: self.families, hashes: Vec::new(), names: Some(Vec::new()) };
        self.topic(id).describe(&self.scene, &mut list);
        list.hashes.into_iter().zip(list.names.unwrap_or_default()).collect()
    }
}

/// Features as they are listed: hashes, and names where a person will read them.
struct List {
    families: Set<Family>,
    hashes: Vec<u64>,
    names: Option<Vec<String>>,
}

impl List {
    /// Adds the feature named by these pieces, if its family is in use.
    fn add(&mut self, family: Family, pieces: &[&str]) {
        if !self.wants(family) {
            return;
        }
        let mut hash = StableHash::new(family as u64);
        pieces.iter().for_each(|piece| hash.write(piece.as_bytes()));
        self.hashes.push(hash.finish());
        if let Some(names) = &mut self.names {
            names.push(format!("{}: {}", family.name(), pieces.join(" · ")));
        }
    }

    /// Tells if a family is in use.
    fn wants(&self, family: Family) -> bool {
        self.families.has(family)
    }
}
