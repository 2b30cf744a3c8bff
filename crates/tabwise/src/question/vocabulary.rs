//! The words of a table. A [`Vocabulary`] has the names of cells and headers in the forms that questions are compared
//! with. It is made once for a table and used for every question about it.

use super::header::{Header, HeaderWord};
use super::series::{Edition, editions};
use crate::graph::{Cells, ColumnId, Graph, Reading};
use crate::text::Annotator;
use crate::text::normalise::normalise;
use crate::value::EntityId;
use crate::words::Words;
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

/// Names of a table's cells, parts and columns, with facts about columns that links and features need.
pub struct Vocabulary {
    /// For each column, the lemmas of its header.
    headers: Vec<String>,
    /// For each column, the words of its header.
    header_words: Vec<Header>,
    /// Entities by the collapsed form of their text.
    entities: Keyed,
    /// Entities whose text begins with an ordering number, by the rest of it: `1. White`.
    marked: Keyed,
    /// Entities with a plural, by their text in the singular.
    plurals: Keyed,
    /// For each column that has but two values, these.
    pairs: Vec<Option<[EntityId; 2]>>,
    /// For each column of yes and no, its two values.
    flags: Vec<Option<Flag>>,
    /// Entities of several words, by each of their words.
    words: Keyed,
    /// For each entity, the places where it occurs.
    places: Vec<Places>,
    /// Cells of a table with so many columns that places do not tell them apart; empty for others.
    wide: FxHashSet<(EntityId, ColumnId)>,
    /// For each column, the readings that at least one of its cells has.
    readings: Vec<Vec<Reading>>,
    /// For each column, the class of its cells.
    classes: Vec<String>,
    /// For each column, true if some text occurs twice.
    repeats: Vec<bool>,
    /// For each column, true if its cells are numbers that go up or down by one.
    runs: Vec<bool>,
    /// For each column, its place in a series of years.
    editions: Vec<Option<Edition>>,
    /// Words of the table's names, in the singular: what its rows may be called.
    nouns: Vec<String>,
}

/// Entities by a key. Sorted lists take a fifth of the memory of a hash table with a list for each key.
#[derive(Default)]
struct Keyed {
    keys: Vec<u64>,
    entities: Vec<EntityId>,
}

impl Keyed {
    fn new(mut all: Vec<(u64, EntityId)>) -> Keyed {
        all.sort_unstable();
        all.dedup();
        Keyed { keys: all.iter().map(|(key, _)| *key).collect(), entities: all.iter().map(|(_, id)| *id).collect() }
    }

    /// Entities with a key, in ascending order.
    fn get(&self, key: u64) -> &[EntityId] {
        let start = self.keys.partition_point(|own| *own < key);
        let count = self.keys[start..].iter().take_while(|own| **own == key).count();
        &self.entities[start..start + count]
    }
}

/// Set of places where values occur: columns, parts of cells, numbers and dates. A join of formulas whose places do not
/// meet is empty, so the search can skip it without executing it. Columns beyond the 60th share bits, which makes the
/// test less sharp but never wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Places(u64);

impl Places {
    const COLUMNS: u16 = 60;
    /// No place.
    pub const NONE: Places = Places(0);
    /// Every place.
    pub const ANY: Places = Places(!0);
    /// Parts of cells.
    pub const PART: Places = Places(1 << 60);
    /// Numbers.
    pub const NUMBER: Places = Places(1 << 61);
    /// Dates.
    pub const DATE: Places = Places(1 << 62);

    /// Cells of a column.
    pub fn column(column: ColumnId) -> Places {
        Places(1 << (column.0 % Places::COLUMNS))
    }

    /// Places of either.
    pub fn or(self, other: Places) -> Places {
        Places(self.0 | other.0)
    }

    /// Tells if both have a place in common.
    pub fn meets(self, other: Places) -> bool {
        self.0 & other.0 != 0
    }
}

/// The two values of a column of yes and no, such as 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Value for yes.
    pub yes: EntityId,
    /// Value for no.
    pub no: EntityId,
}

impl Vocabulary {
    /// Collects the words of a table.
    pub fn new(graph: &Graph, annotator: &Annotator, known: &Words) -> Vocabulary {
        let headers = graph.columns().iter().map(|column| lemmas(&column.header, annotator)).collect();
        let header_words = graph.columns().iter().map(|column| Header::new(&column.header, annotator, known)).collect();
        let [marked, plurals] = other_forms(graph);
        let pairs: Vec<_> = graph.columns().iter().map(|column| pair(graph, &column.cells)).collect();
        let flags = pairs.iter().map(|pair| flag(graph, (*pair)?, known)).collect();
        let readings = graph.columns().iter().map(|column| readings(graph, &column.cells)).collect();
        let classes = graph.columns().iter().enumerate().map(|(at, column)| class(graph, at, &column.cells)).collect();
        let repeats = graph.columns().iter().map(|column| repeats(graph, &column.cells)).collect();
        let runs = graph.columns().iter().map(|column| is_run(graph, &column.cells)).collect();
        Vocabulary {
            headers,
            header_words,
            entities: texts(graph),
            marked,
            plurals,
            pairs,
            flags,
            words: words(graph),
            places: places(graph),
            wide: wide(graph),
            readings,
            classes,
            repeats,
            runs,
            editions: editions(graph, known),
            nouns: Vec::new(),
        }
    }

    /// The words of a table with a further name: that of its file, its sheet or its caption.
    pub fn named(self, name: &str) -> Vocabulary {
        let words = name.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
        let nouns = words.filter(|word| word.len() > 2).map(|word| singular(&word).into_owned());
        Vocabulary { nouns: self.nouns.into_iter().chain(nouns.take(LONGEST_TITLE)).collect(), ..self }
    }

    /// Tells if the name of the table has a word, which then stands for its rows: flights in a table of flights.
    pub fn is_row(&self, word: &str) -> bool {
        let word = singular(word);
        self.nouns.iter().any(|noun| *noun == word)
    }

    /// Bytes of memory that the words of a table take, at most, while they are collected.
    pub fn memory(graph: &Graph) -> usize {
        /// Entries of each list while it is sorted and grows.
        const ENTITY: usize = 320;
        /// Tokens, lemmas and keys of a letter of a header.
        const LETTER: usize = 128;
        let header: usize = graph.columns().iter().map(|column| column.header.len()).sum();
        let wide = if graph.columns().len() > usize::from(Places::COLUMNS) { 32 } else { 0 };
        let cells = graph.row_count().saturating_mul(graph.columns().len()).saturating_mul(wide);
        (graph.entity_count() * ENTITY).saturating_add(cells).saturating_add(header * LETTER)
    }

    /// Lemmas of a column's header, with single spaces.
    pub fn header(&self, column: ColumnId) -> &str {
        &self.headers[usize::from(column.0)]
    }

    /// Words of a column's header, cut as programmers write them.
    pub fn header_words(&self, column: ColumnId) -> &Header {
        &self.header_words[usize::from(column.0)]
    }

    /// Entities whose text has this key.
    pub fn entities(&self, key: u64) -> &[EntityId] {
        self.entities.get(key)
    }

    /// Entities whose text has this key without the ordering number before it.
    pub fn marked(&self, key: u64) -> &[EntityId] {
        self.marked.get(key)
    }

    /// Entities with a plural whose text in the singular has this key.
    pub fn plurals(&self, key: u64) -> &[EntityId] {
        self.plurals.get(key)
    }

    /// Tells if the header of a column says that it has percentages, which have no sum.
    pub fn is_percentage(&self, column: ColumnId) -> bool {
        let is_sign = |word: &HeaderWord| matches!(word.lemma.as_str(), "pct" | "percent" | "percentage");
        self.header(column).contains('%') || self.header_words(column).words.iter().any(is_sign)
    }

    /// The values of a column that has but two, and cells without a value.
    pub fn pair(&self, column: ColumnId) -> Option<[EntityId; 2]> {
        self.pairs[usize::from(column.0)]
    }

    /// The values of a column of yes and no.
    pub fn flag(&self, column: ColumnId) -> Option<Flag> {
        self.flags[usize::from(column.0)]
    }

    /// Entities of several words that contain a word.
    pub fn entities_of(&self, word: &str) -> &[EntityId] {
        word_key(word).map_or(&[], |key| self.words.get(key))
    }

    /// Entities of several words that contain all of these words, in the order of the table.
    pub fn entities_with(&self, keys: &[u64]) -> Vec<EntityId> {
        let lists: Vec<&[EntityId]> = keys.iter().map(|key| self.words.get(*key)).collect();
        let Some((first, rest)) = lists.split_first() else { return Vec::new() };
        first.iter().filter(|entity| rest.iter().all(|list| list.binary_search(entity).is_ok())).copied().collect()
    }

    /// Readings that at least one cell of a column has; parts of dates only if most of its cells are dates with a month.
    pub fn readings(&self, column: ColumnId) -> &[Reading] {
        &self.readings[usize::from(column.0)]
    }

    /// Class of a column's cells, for features: their kind ("date", "number", "name", ..), whether they repeat, and the
    /// column's place.
    pub fn class(&self, column: ColumnId) -> &str {
        &self.classes[usize::from(column.0)]
    }

    /// Tells if texts occur twice in a column; in a long one, if many do.
    pub fn repeats(&self, column: ColumnId) -> bool {
        self.repeats[usize::from(column.0)]
    }

    /// Tells if a column numbers the rows: its cells go up or down by one, as ranks, rounds and years do.
    pub fn is_run(&self, column: ColumnId) -> bool {
        self.runs[usize::from(column.0)]
    }

    /// Place of a column in a series of columns for several years, if it is in one.
    pub fn edition(&self, column: ColumnId) -> Option<Edition> {
        self.editions[usize::from(column.0)]
    }

    /// Tells if an entity occurs in a column.
    pub fn is_in(&self, entity: EntityId, column: ColumnId) -> bool {
        let may_be = self.places(entity).meets(Places::column(column));
        may_be && (self.wide.is_empty() || self.wide.contains(&(entity, column)))
    }

    /// Places where an entity occurs.
    pub fn places(&self, entity: EntityId) -> Places {
        self.places[entity.0 as usize]
    }
}

/// Number of words of a title that the rows may be called by.
const LONGEST_TITLE: usize = 12;
/// Number of entities beyond which words are not indexed: only whole cells and parts are linked in such a table.
const MOST_ENTITIES: usize = 50_000;
/// Length in bytes beyond which a text is not indexed by its words: a single word of prose says little.
const LONGEST_NAME: usize = 60;

/// Entities by the collapsed form of their text, as it is and as answers are compared.
fn texts(graph: &Graph) -> Keyed {
    let mut keys = Vec::with_capacity(graph.entity_count());
    for entity in graph.entities() {
        let name = graph.name(entity);
        let whole = collapsed(name);
        // Of plain letters and digits only those of notes in brackets are left out.
        let is_plain = name.is_ascii() && !name.contains([']', ')']);
        let kept = if is_plain { whole } else { collapsed(&normalise(name)) };
        keys.extend(whole.map(|key| (key, entity)));
        keys.extend(kept.filter(|_| kept != whole).map(|key| (key, entity)));
    }
    Keyed::new(keys)
}

/// Entities of several words by each of their words. In a table of very many texts only those with letters are, and none
/// if these are too many as well.
fn words(graph: &Graph) -> Keyed {
    let is_many = graph.entity_count() > MOST_ENTITIES;
    let is_indexed = |entity: &EntityId| {
        let name = graph.name(*entity);
        name.len() <= LONGEST_NAME && (!is_many || is_worded(name))
    };
    let entities = || graph.entities().filter(is_indexed);
    if is_many && entities().take(MOST_ENTITIES + 1).count() > MOST_ENTITIES {
        return Keyed::default();
    }
    let mut all = Vec::new();
    for entity in entities() {
        let name = graph.name(entity);
        let keys: Vec<u64> = name.split(|c: char| !c.is_alphanumeric()).filter_map(word_key).collect();
        all.extend(keys.iter().filter(|_| keys.len() > 1).map(|key| (*key, entity)));
    }
    Keyed::new(all)
}

/// Tells if a text has letters and more than one word.
fn is_worded(name: &str) -> bool {
    name.contains(char::is_alphabetic) && name.contains(|c: char| !c.is_alphanumeric())
}

/// Entities by the key of another form of their text: without an ordering number, and in the singular.
fn other_forms(graph: &Graph) -> [Keyed; 2] {
    let (mut marked, mut plurals) = (Vec::new(), Vec::new());
    for entity in graph.entities().filter(|entity| graph.name(*entity).len() <= LONGEST_NAME) {
        let name = graph.name(entity);
        let rest = without_mark(name);
        marked.extend(rest.and_then(collapsed).map(|key| (key, entity)));
        let is_plural = |word: &str| matches!(singular(word), Cow::Owned(_));
        let name = rest.unwrap_or(name);
        // A plural has an s.
        if name.contains('s') && name.split_whitespace().any(is_plural) {
            let singulars: String = name.split_whitespace().map(|word| singular(word).into_owned()).collect();
            plurals.extend(collapsed(&singulars).map(|key| (key, entity)));
        }
    }
    [marked, plurals].map(Keyed::new)
}

/// The text after an ordering number, if there is one: `White` of `1. White`.
fn without_mark(name: &str) -> Option<&str> {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let rest = name.get(digits..)?.strip_prefix(['.', ')', ':'])?.strip_prefix(' ')?.trim_start();
    let is_name = (1..=3).contains(&digits) && rest.chars().next().is_some_and(char::is_alphabetic);
    is_name.then_some(rest)
}

/// Singular of a word with a plural ending; other words as they are.
pub(super) fn singular(word: &str) -> Cow<'_, str> {
    let lower = word.as_bytes();
    let stem = |length: usize| &word[..word.len() - length];
    match lower {
        _ if lower.len() < 4 || !word.is_ascii() => Cow::Borrowed(word),
        [.., b'i', b'e', b's'] if lower.len() > 4 => Cow::Owned(format!("{}y", stem(3))),
        [.., b's' | b'x' | b'z', b'e', b's'] | [.., b'c' | b's', b'h', b'e', b's'] => Cow::Owned(stem(2).to_owned()),
        [.., b's' | b'u' | b'i', b's'] => Cow::Borrowed(word),
        [.., b's'] => Cow::Owned(stem(1).to_owned()),
        _ => Cow::Borrowed(word),
    }
}

/// The values of a column that has but two, and cells without a value.
fn pair(graph: &Graph, cells: &[EntityId]) -> Option<[EntityId; 2]> {
    let mut distinct: Vec<EntityId> = Vec::new();
    for entity in cells {
        if !distinct.contains(entity) && !graph.is_missing(*entity) {
            distinct.push(*entity);
        }
        if distinct.len() > 2 {
            return None;
        }
    }
    <[EntityId; 2]>::try_from(distinct).ok()
}

/// Two values as those for yes and no.
fn flag(graph: &Graph, [first, second]: [EntityId; 2], words: &Words) -> Option<Flag> {
    let text = |entity: EntityId| {
        let name = graph.name(entity);
        without_mark(name).unwrap_or(name).to_lowercase()
    };
    let pairs = [[first, second], [second, first]].into_iter();
    let mut flags = pairs.filter(|[yes, no]| words.are_yes_and_no(&text(*yes), &text(*no)));
    flags.next().map(|[yes, no]| Flag { yes, no })
}

/// Key of a word, the same for singular and plural in -s.
pub(super) fn word_key(word: &str) -> Option<u64> {
    let singular = word.strip_suffix('s').filter(|stem| stem.len() >= 3 && !stem.ends_with('s'));
    collapsed(singular.unwrap_or(word))
}

/// Readings that a cell of a column has. Parts of dates need a column of dates with a month: a year is a number as it is.
fn readings(graph: &Graph, cells: &[EntityId]) -> Vec<Reading> {
    let dated = cells.iter().filter(|entity| graph.has_reading(**entity, Reading::Month)).count();
    let missing = cells.iter().filter(|entity| graph.is_missing(**entity)).count();
    let of_dates = dated * 10 >= (cells.len() - missing) * 7;
    let may_have = |reading: &Reading| of_dates || !reading.is_of_date();
    let has = |reading: &Reading| may_have(reading) && is_read(graph, cells, *reading);
    Reading::ALL.into_iter().filter(has).collect()
}

/// Number of cells from which a column is long.
const LONG: usize = 30;
/// Number of cells below which one cell decides the readings of a column.
const FEW: usize = 10;
/// Number of cells by which the readings of a column are judged.
const SAMPLE: usize = 300;

/// Tells if a reading belongs to a column: some cell has it; of a column of more than a few cells that is read as a whole,
/// a fifth of them. The titles of a thousand films are no numbers because of *12 Monkeys*.
fn is_read(graph: &Graph, cells: &[EntityId], reading: Reading) -> bool {
    let has = |entity: &&EntityId| graph.has_reading(**entity, reading);
    if graph.cells() == Cells::Alone || cells.len() < FEW {
        return cells.iter().any(|entity| has(&entity));
    }
    let sample: Vec<&EntityId> = cells.iter().filter(|entity| !graph.is_missing(**entity)).take(SAMPLE).collect();
    let count = sample.iter().filter(|entity| has(entity)).count();
    count > 0 && count * 5 >= sample.len()
}

/// Tells if a column has texts twice: any, or in a long column a tenth of its cells.
fn repeats(graph: &Graph, cells: &[EntityId]) -> bool {
    let mut seen = vec![false; graph.entity_count()];
    let known = cells.iter().filter(|entity| !graph.is_missing(**entity));
    let mut again = known.filter(|entity| std::mem::replace(&mut seen[entity.0 as usize], true));
    match cells.len() {
        ..LONG => again.next().is_some(),
        len => again.count() * 10 >= len,
    }
}

/// Tells if numbers go up or down by one from most cells of a column to the next.
fn is_run(graph: &Graph, cells: &[EntityId]) -> bool {
    let number = |entity: &EntityId| graph.name(*entity).parse::<i64>().ok();
    let first: Vec<i64> = cells.iter().take(100).filter_map(number).collect();
    let steps = first.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) == 1).count();
    first.len() * 5 >= cells.len().min(100) * 4 && steps * 5 >= (first.len().max(1) - 1) * 4 && steps > 0
}

/// Class of a column, judged by its first cells.
fn class(graph: &Graph, at: usize, cells: &[EntityId]) -> String {
    let mut distinct: Vec<EntityId> = cells.iter().filter(|e| !graph.is_missing(**e)).take(100).copied().collect();
    let count = distinct.len();
    distinct.sort_unstable();
    distinct.dedup();
    let most = |holds: &dyn Fn(&str, EntityId) -> bool| {
        distinct.iter().filter(|entity| holds(graph.name(**entity), **entity)).count() * 10 >= distinct.len() * 7
    };
    let has_letters = |name: &str, _: EntityId| name.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let is_of_times = graph.columns().get(at).is_some_and(|column| column.is_of_times);
    let kind = if is_of_times || most(&|_, entity| graph.has_reading(entity, Reading::Date)) {
        "date"
    } else if most(&|_, entity| graph.has_reading(entity, Reading::Number)) {
        if most(&has_letters) { "amount" } else { "number" }
    } else if most(&|name, _| name.split_whitespace().count() == 1) {
        "word"
    } else if most(&|name, _| name.split_whitespace().count() <= 3) {
        "name"
    } else {
        "text"
    };
    let repeats = match distinct.len() {
        n if n == count => "unique",
        n if n * 2 > count => "some repeated",
        _ => "repeated",
    };
    let place = ["first", "second"].get(at).unwrap_or(&"later");
    format!("{kind} {repeats} {place}")
}

/// Cells of a table with more columns than places.
fn wide(graph: &Graph) -> FxHashSet<(EntityId, ColumnId)> {
    let is_wide = graph.columns().len() > usize::from(Places::COLUMNS);
    let cells = |id: ColumnId| graph.column(id).cells.iter().map(move |entity| (*entity, id));
    graph.column_ids().filter(|_| is_wide).flat_map(cells).collect()
}

/// Places of each entity.
fn places(graph: &Graph) -> Vec<Places> {
    let mut places = vec![Places::NONE; graph.entity_count()];
    for id in graph.column_ids() {
        for entity in &graph.column(id).cells {
            let at = &mut places[entity.0 as usize];
            *at = at.or(Places::column(id));
        }
    }
    for entity in graph.entities() {
        for part in graph.parts(entity) {
            let at = &mut places[part.0 as usize];
            *at = at.or(Places::PART);
        }
    }
    places
}

/// Returns the lemmas of a text in lower case, with single spaces.
pub fn lemmas(text: &str, annotator: &Annotator) -> String {
    let tokens = annotator.annotate(text);
    tokens.iter().map(|token| token.lemma.to_lowercase()).collect::<Vec<_>>().join(" ")
}

/// Key of a text's letters and digits. Case, accents and all other characters are ignored; `None` if nothing is left.
fn collapsed(text: &str) -> Option<u64> {
    let mut key = Key::default();
    key.push(text);
    key.value()
}

/// Hash of a text that can be extended: pushing two pieces gives the key of the whole text. It is FNV-1a, which works
/// on one unit at a time.
#[derive(Clone, Copy)]
pub(super) struct Key {
    hash: u64,
    empty: bool,
}

impl Default for Key {
    fn default() -> Key {
        Key { hash: 0xcbf2_9ce4_8422_2325, empty: true }
    }
}

impl Key {
    /// Extends the key by a piece of text.
    pub(super) fn push(&mut self, text: &str) {
        if text.is_ascii() {
            return text
                .bytes()
                .filter(u8::is_ascii_alphanumeric)
                .for_each(|b| self.add(u32::from(b.to_ascii_lowercase())));
        }
        // Decomposition splits accents from their letters; letters of other scripts are kept.
        let letters = text.nfd().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
        letters.for_each(|c| self.add(c as u32));
    }

    fn add(&mut self, unit: u32) {
        self.empty = false;
        self.hash = (self.hash ^ u64::from(unit)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    /// Returns the key; `None` if there were no letters or digits.
    pub(super) fn value(self) -> Option<u64> {
        (!self.empty).then_some(self.hash)
    }
}
