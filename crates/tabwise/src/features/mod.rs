//! Features: what the ranking can see of a candidate. They come in groups, and all features of a group appear together: a
//! group for each predicate of the formula, for each thing that the question names and the formula leaves out, for the
//! kind of the denotation, for its size, for the shape of the formula. A group's features are listed once for a question,
//! so a candidate's score is a short sum.

mod denotation;
mod echo;
mod extent;
mod near;
mod order;
mod predicate;
mod shape;

pub use denotation::{Kind, Size, kind_of, size_of};
pub use echo::{Echo, echo_of};
pub use extent::{Extent, Reach};
pub use near::{Near, for_each_near};
pub use order::{Order, order_of};
pub use predicate::Predicate;
pub use shape::shape;

use crate::graph::Graph;
use crate::model::Weights;
use crate::question::{Question, Vocabulary};
use crate::settings::Settings;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// A family of features: the unit that is switched on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Lexical,
    Match,
    Missing,
    Denotation,
    PhraseDenotation,
    HeadwordDenotation,
    Shape,
    Cover,
    AskedSize,
    Echo,
    Order,
    ColumnClass,
    Near,
    Extent,
    Role,
}

impl Family {
    pub const ALL: [Family; 15] = [
        Family::Lexical,
        Family::Match,
        Family::Missing,
        Family::Denotation,
        Family::PhraseDenotation,
        Family::HeadwordDenotation,
        Family::Shape,
        Family::Cover,
        Family::AskedSize,
        Family::Echo,
        Family::Order,
        Family::ColumnClass,
        Family::Near,
        Family::Extent,
        Family::Role,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Family::Lexical => "lexical",
            Family::Match => "match",
            Family::Missing => "missing",
            Family::Denotation => "denotation",
            Family::PhraseDenotation => "phrase-denotation",
            Family::HeadwordDenotation => "headword-denotation",
            Family::Shape => "shape",
            Family::Cover => "cover",
            Family::AskedSize => "asked-size",
            Family::Echo => "echo",
            Family::Order => "order",
            Family::ColumnClass => "column-class",
            Family::Near => "near",
            Family::Extent => "extent",
            Family::Role => "role",
        }
    }

    /// What the family sees, in a line.
    pub fn doc(self) -> &'static str {
        match self {
            Family::Lexical => "a phrase of the question with a predicate of the formula",
            Family::Match => "whether a phrase and a predicate look alike",
            Family::Missing => "what the question names and the formula leaves out",
            Family::Denotation => "the kind and the size of the denotation",
            Family::PhraseDenotation => "a phrase of the question with the kind of the denotation",
            Family::HeadwordDenotation => "the question word and the headword with the kind of the denotation",
            Family::Shape => "a phrase of the question with the shape of the formula",
            Family::Cover => {
                "how many words of a column's or cell's name the question says, and in which role it is used"
            }
            Family::AskedSize => "the question word and the headword's number with the size of the denotation",
            Family::Echo => "a phrase of the question with whether the question already says the answer",
            Family::Order => "a phrase of the question with what a superlative goes by, or what is added or subtracted",
            Family::Near => "the words next to a value of the question with the condition that it is in",
            Family::Extent => "how many words of the question the formula leaves unused, and its size",
            Family::ColumnClass => "a phrase of the question with what the column of the denotation looks like",
            Family::Role => "whether a column chooses rows, gives values or puts rows in order",
        }
    }
}

/// What all features of a group are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    Predicate(Predicate),
    Missing(Predicate),
    Kind(Kind),
    Size(Size),
    Shape(u64),
    Echo(Echo),
    Order(Order),
    Extent(Extent),
    Near(Near),
}

/// A group, by its position in [`Groups`].
pub type GroupId = u32;

/// The table and the question that features look at.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    pub graph: &'a Graph,
    pub vocabulary: &'a Vocabulary,
    pub question: &'a Question,
}

/// The groups of one question: the features of each, and their score together.
pub struct Groups<'a> {
    scene: Scene<'a>,
    families: [bool; Family::ALL.len()],
    ids: FxHashMap<Topic, GroupId>,
    topics: Vec<Topic>,
    /// The features of all groups, one group after the other, and where those of each begin.
    features: Vec<u64>,
    starts: Vec<usize>,
    scores: Vec<f64>,
}

impl<'a> Groups<'a> {
    pub fn new(scene: Scene<'a>, settings: &Settings) -> Groups<'a> {
        let families = Family::ALL.map(|family| settings.features.iter().any(|name| name == family.name()));
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

    pub fn scene(&self) -> Scene<'a> {
        self.scene
    }

    pub fn has(&self, family: Family) -> bool {
        self.families[family as usize]
    }

    /// The group about a topic, made when it is new.
    pub fn id(&mut self, topic: Topic, weights: &impl Weights) -> GroupId {
        if let Some(&id) = self.ids.get(&topic) {
            return id;
        }
        let id = self.topics.len() as GroupId;
        let mut list = List { families: self.families, hashes: std::mem::take(&mut self.features), names: None };
        describe(&self.scene, topic, &mut list);
        self.features = list.hashes;
        self.starts.push(self.features.len());
        self.scores.push(weights.sum(self.features(id)));
        self.topics.push(topic);
        self.ids.insert(topic, id);
        id
    }

    pub fn score(&self, id: GroupId) -> f64 {
        self.scores[id as usize]
    }

    /// The features of a group.
    pub fn features(&self, id: GroupId) -> &[u64] {
        &self.features[self.starts[id as usize]..self.starts[id as usize + 1]]
    }

    pub fn len(&self) -> usize {
        self.topics.len()
    }

    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// What a group is about.
    pub fn topic(&self, id: GroupId) -> Topic {
        self.topics[id as usize]
    }

    /// What a group is about, for people.
    pub fn label(&self, id: GroupId) -> String {
        match self.topics[id as usize] {
            Topic::Predicate(predicate) => format!("uses {}", predicate::name(&self.scene, predicate)),
            Topic::Missing(predicate) => format!("leaves out {}", predicate::name(&self.scene, predicate)),
            Topic::Kind(kind) => format!("gives {}", denotation::name(&self.scene, kind)),
            Topic::Size(_) => "how many values it gives".to_string(),
            Topic::Shape(_) => "the shape of the formula".to_string(),
            Topic::Echo(echo) => format!("the question says {} of the answer", echo.name()),
            Topic::Order(order) => format!("goes by {}", order::name(&self.scene, order)),
            Topic::Near(_) => "the words next to a value".to_string(),
            Topic::Extent(_) => "how much of the question is used".to_string(),
        }
    }

    /// The features of a group with their names, for people.
    pub fn named(&self, id: GroupId) -> Vec<(u64, String)> {
        let mut list = List { families: self.families, hashes: Vec::new(), names: Some(Vec::new()) };
        describe(&self.scene, self.topics[id as usize], &mut list);
        list.hashes.into_iter().zip(list.names.unwrap_or_default()).collect()
    }
}

fn describe(scene: &Scene, topic: Topic, list: &mut List) {
    match topic {
        Topic::Predicate(predicate) => predicate::describe(scene, predicate, list),
        Topic::Missing(predicate) => predicate::describe_missing(scene, predicate, list),
        Topic::Kind(kind) => denotation::describe_kind(scene, kind, list),
        Topic::Size(size) => denotation::describe_size(scene, size, list),
        Topic::Shape(shape) => shape::describe(scene, shape, list),
        Topic::Echo(echo) => echo::describe(scene, echo, list),
        Topic::Order(order) => order::describe(scene, order, list),
        Topic::Extent(extent) => extent::describe(extent, list),
        Topic::Near(near) => near::describe(scene, near, list),
    }
}

/// Features as they are listed: hashes, and names where a person will read them.
pub struct List {
    families: [bool; Family::ALL.len()],
    hashes: Vec<u64>,
    names: Option<Vec<String>>,
}

impl List {
    /// Adds the feature named by these pieces, if its family is in use.
    pub fn add(&mut self, family: Family, pieces: &[&str]) {
        if !self.families[family as usize] {
            return;
        }
        let mut hasher = FxHasher::default();
        hasher.write_u8(family as u8);
        for piece in pieces {
            hasher.write(piece.as_bytes());
            hasher.write_u8(0xff);
        }
        self.hashes.push(mix(hasher.finish()));
        if let Some(names) = &mut self.names {
            names.push(format!("{}: {}", family.name(), pieces.join(" · ")));
        }
    }

    /// Whether a family is in use.
    pub fn wants(&self, family: Family) -> bool {
        self.families[family as usize]
    }
}

/// Spreads a hash over all its bits, since models are looked up by the high ones.
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 29)
}
