//! Links to cells by another name than their text: singular for plural, names of a country or a state for one another,
//! words of the same meaning, words cut short, and typing errors. Words of mere grammar are not names at all.

use super::columns::{Said, is_typo};
use super::vocabulary::{Key, singular};
use super::words::runs;
use super::{ColumnKind, ColumnLink, Link, LinkKind, Vocabulary};
use crate::graph::{ColumnId, Graph};
use crate::text::Token;
use crate::text::stem::same_stem;
use crate::value::{EntityId, Value};
use crate::words::{Place, Relation, Words};
use std::ops::Range;

/// Number of tokens of the longest run that is tried.
const LONGEST: usize = 4;
/// Number of cells by which a column is judged.
const SAMPLE: usize = 100;
/// Number of cells with a word that are compared with a run of words.
const MOST_COMPARED: usize = 64;
/// Letters of a word that are enough to know it by if they are no word themselves, and if they are.
const LEAST_CODE: usize = 3;
const LEAST_WORD: usize = 5;
/// Number of entities of a table in which typing errors are looked for.
const MOST_SPELLED: usize = 20_000;

/// A question and its table.
pub(super) struct Scene<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) said: &'a [Said<'a>],
    pub(super) graph: &'a Graph,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) words: &'a Words,
}

impl Scene<'_> {
    /// The words as they were asked.
    fn original(&self, tokens: &Range<usize>) -> &str {
        &self.text[self.tokens[tokens.start].start..self.tokens[tokens.end - 1].end]
    }

    /// Tells if the words of a link to a cell are meant as its name: a number if it is the same; words of mere grammar and
    /// single letters only if they are written as it is, and in quotation marks if they look like ordinary words.
    pub(super) fn is_meant(&self, link: &Link) -> bool {
        let Value::Entity(entity) = link.value else { return true };
        let (asked, name) = (self.original(&link.tokens), self.graph.name(entity));
        if is_other_number(asked, name) {
            return false;
        }
        let is_mere = |at: usize| {
            let text = self.tokens[at].text.as_str();
            self.words.is_function(text) || text.len() == 1 && text.chars().all(char::is_alphabetic)
        };
        if !link.tokens.clone().all(is_mere) {
            return true;
        }
        let before = link.tokens.start.checked_sub(1).map(|at| self.tokens[at].text.as_str());
        if before == Some("the") && asked.eq_ignore_ascii_case("us") && name.eq_ignore_ascii_case("us") {
            return true;
        }
        let is_quoted = matches!(before, Some("``" | "''" | "'" | "`" | "\""));
        let is_code = asked.len() > 1 && asked.chars().all(char::is_uppercase);
        let is_distinct = asked.chars().any(char::is_uppercase) && (before.is_some() || is_code);
        asked == name && (is_quoted || is_distinct)
    }

    /// Tells if the words of a link by words are meant as such: not if they are an ordinary word that has another use in
    /// the question, as a cue, a number or the name of a column.
    pub(super) fn is_telling(&self, link: &Link, columns: &[ColumnLink]) -> bool {
        let is_column = |at: usize| columns.iter().any(|l| l.kind == ColumnKind::Header && l.tokens.contains(&at));
        let is_plain = |at: usize| {
            let said = &self.said[at];
            !said.is_content || !said.is_capital && (said.is_cue || is_column(at))
        };
        !link.tokens.clone().all(is_plain) && self.said[link.tokens.clone()].iter().all(|said| said.is_content)
    }

    /// Links by other names and forms of cells, longer runs first.
    pub(super) fn name_links(&self, named: &[Link]) -> Vec<Link> {
        let mut links: Vec<Link> = Vec::new();
        for run in runs(self.said.len(), LONGEST) {
            if !self.said[run.start].is_content || !self.said[run.end - 1].is_content {
                continue;
            }
            let is_linked = |entity: &EntityId, found: &[Link]| {
                named.iter().chain(found).any(|link| covers(link, &run) && link.value == Value::Entity(*entity))
            };
            for (entity, kind) in self.other_names(&run, named) {
                if !is_linked(&entity, &links) {
                    let value = Value::Entity(entity);
                    links.push(Link { tokens: run.clone(), value, others: Vec::new(), kind });
                }
            }
        }
        links
    }

    /// Entities that a run of tokens names in another way than by their text.
    fn other_names(&self, run: &Range<usize>, named: &[Link]) -> Vec<(EntityId, LinkKind)> {
        let mut found: Vec<(EntityId, LinkKind)> = Vec::new();
        if let Some(key) = self.key(run.clone()) {
            found.extend(self.vocabulary.marked(key).iter().map(|entity| (*entity, LinkKind::Cell)));
        }
        let mut kin: Vec<EntityId> = self.forms(run);
        let is_named = named.iter().any(|link| link.kind != LinkKind::Value && covers(link, run));
        kin.extend(self.places(run, named));
        if !is_named {
            kin.extend(self.cut_short(run));
        }
        if run.len() == 1 && !is_named {
            kin.extend(self.kin_cells(run.start));
        }
        found.extend(kin.into_iter().map(|entity| (entity, LinkKind::Kin)));
        let mut seen = Vec::new();
        found.retain(|(entity, _)| {
            !seen.contains(entity) && {
                seen.push(*entity);
                true
            }
        });
        found
    }

    fn key(&self, run: Range<usize>) -> Option<u64> {
        let mut key = Key::default();
        key.push(self.original(&run));
        key.value()
    }

    /// Entities whose text is the singular or the plural of a run.
    fn forms(&self, run: &Range<usize>) -> Vec<EntityId> {
        let mut key = Key::default();
        self.said[run.clone()].iter().for_each(|said| key.push(&singular(said.text)));
        let whole = self.key(run.clone());
        let lemma = self.said[run.start].lemmas.first().filter(|_| run.len() == 1).and_then(|lemma| {
            let mut key = Key::default();
            key.push(lemma);
            key.value()
        });
        let mut found = Vec::new();
        for key in [key.value(), lemma].into_iter().flatten() {
            let plain = self.vocabulary.entities(key).iter().filter(|_| Some(key) != whole);
            found.extend(plain.chain(self.vocabulary.plurals(key)).copied());
            found.extend(self.vocabulary.marked(key).iter().filter(|_| Some(key) != whole));
        }
        // A number is no form of another text.
        found.retain(|entity| self.graph.name(*entity).chars().any(char::is_alphabetic));
        found
    }

    /// Entities that are another name of the country, state or continent that a run names. A place that is named as in
    /// the table, and a name within another one ("American" in "South American"), need no other names.
    fn places(&self, run: &Range<usize>, named: &[Link]) -> Vec<EntityId> {
        let asked = self.original(run);
        let singular = asked.strip_suffix('s').filter(|name| name.len() > 3);
        let is_named = |place: &Place| {
            named.iter().any(|link| match link.value {
                Value::Entity(entity) => link.tokens == *run && self.is_among(entity, place),
                _ => false,
            })
        };
        let mut found = Vec::new();
        for place in [Some(asked), singular].into_iter().flatten().flat_map(|name| self.words.places(name)) {
            // Codes are written in capitals.
            let is_lower_code = is_code(asked, place) && asked.chars().any(char::is_lowercase);
            if is_lower_code || self.is_within_name(run) || is_named(place) {
                continue;
            }
            for name in &place.names {
                let mut key = Key::default();
                key.push(name);
                let entities = key.value().map_or(&[][..], |key| self.vocabulary.entities(key));
                found.extend(entities.iter().filter(|entity| self.is_among(**entity, place)).copied());
            }
        }
        found
    }

    /// Tells if a run with the token before or after it names a place.
    fn is_within_name(&self, run: &Range<usize>) -> bool {
        let before = run.start.checked_sub(1).map(|start| start..run.end);
        let after = (run.end < self.said.len()).then_some(run.start..run.end + 1);
        let mut larger =
            before.into_iter().chain(after).filter(|run| self.said[run.clone()].iter().all(|s| s.is_content));
        larger.any(|run| self.words.places(self.original(&run)).next().is_some())
    }

    /// Tells if an entity stands in a column of such places.
    fn is_among(&self, entity: EntityId, place: &Place) -> bool {
        let is_apt = |column: ColumnId| {
            let cells = &self.graph.column(column).cells;
            let mut distinct: Vec<EntityId> = cells.iter().take(SAMPLE).copied().collect();
            distinct.sort_unstable();
            distinct.dedup();
            let is_place =
                |entity: &&EntityId| self.words.places(self.graph.name(**entity)).any(|other| other.kind == place.kind);
            distinct.iter().filter(is_place).count() * 2 >= distinct.len()
        };
        self.columns_with(entity).any(is_apt)
    }

    /// Tells if a column has the cell that is linked.
    pub(super) fn holds(&self, link: &Link, column: ColumnId) -> bool {
        matches!(link.value, Value::Entity(entity) if self.vocabulary.is_in(entity, column))
    }

    fn columns_with(&self, entity: EntityId) -> impl Iterator<Item = ColumnId> + '_ {
        self.graph.column_ids().filter(move |column| self.vocabulary.is_in(entity, *column))
    }

    /// Entities of columns of classes that are kin of a token: "women" of Female or F, "resigned" of Resignation.
    fn kin_cells(&self, at: usize) -> Vec<EntityId> {
        let said = &self.said[at];
        let is_class = |entity: &EntityId| self.columns_with(*entity).any(|column| self.vocabulary.repeats(column));
        let relations = [Relation::Same, Relation::Of, Relation::Form];
        let kin = said.lemmas.iter().flat_map(|lemma| self.words.kin(lemma));
        let kin = kin.filter(|(_, relation)| relations.contains(relation)).map(|(kin, _)| kin);
        let mut found = Vec::new();
        for name in kin.filter(|name| name.len() > 2) {
            let mut key = Key::default();
            key.push(name);
            let entities = key.value().map_or(&[][..], |key| self.vocabulary.entities(key));
            found.extend(entities.iter().copied().filter(is_class));
        }
        found.extend(self.sex(said));
        if found.is_empty() {
            found.extend(self.codes(said));
        }
        found
    }

    /// Entities of columns of classes that are the beginning of a word: `crit` of "critical". A beginning that is a word itself, or of
    /// less than three letters, counts only if the word is kin of the header: `man` of "manual" in the column *gearbox*.
    fn codes(&self, said: &Said) -> Vec<EntityId> {
        if !said.is_content || said.is_cue || said.text.len() < 4 || !said.text.is_ascii() {
            return Vec::new();
        }
        let is_of = |column: &ColumnId| {
            let own = |kin: &str| self.vocabulary.header_words(*column).content().any(|word| word.lemma == kin);
            let kin = said.lemmas.iter().flat_map(|lemma| self.words.kin(lemma));
            kin.filter(|(_, how)| matches!(how, Relation::Same | Relation::Kind | Relation::Of))
                .any(|(kin, _)| own(kin))
        };
        let mut found = Vec::new();
        for end in 1..said.text.len() - 1 {
            let start = &said.text[..end];
            let mut key = Key::default();
            key.push(start);
            let is_telling = end >= LEAST_CODE && !self.words.is_known(start) || end >= LEAST_WORD;
            let is_named = |column: ColumnId| self.vocabulary.repeats(column) && (is_telling || is_of(&column));
            let entities = key.value().map_or(&[][..], |key| self.vocabulary.entities(key));
            found.extend(entities.iter().copied().filter(|entity| self.columns_with(*entity).any(is_named)));
        }
        found
    }

    /// The cell F or M of a column of both.
    fn sex(&self, said: &Said) -> Option<EntityId> {
        let names = |sex: &str| {
            let is_kin =
                |lemma: &String| lemma == sex || self.words.kin(lemma).any(|(kin, r)| kin == sex && r == Relation::Of);
            said.lemmas.iter().any(is_kin)
        };
        let own = if names("female") {
            "F"
        } else if names("male") {
            "M"
        } else {
            return None;
        };
        let [own, other] = [own, if own == "F" { "M" } else { "F" }].map(|name| self.graph.entity_named(name));
        let (own, other) = (own?, other?);
        let is_sex = self.columns_with(own).any(|column| self.vocabulary.is_in(other, column));
        is_sex.then_some(own)
    }

    /// Entities whose words are cut short: "military dictatorships" of `Military Dict`.
    fn cut_short(&self, run: &Range<usize>) -> Vec<EntityId> {
        if run.len() < 2 || !self.said[run.clone()].iter().all(|said| said.is_content) {
            return Vec::new();
        }
        let said = &self.said[run.clone()];
        let mut found: Vec<EntityId> = Vec::new();
        for with in said.iter().map(|said| self.vocabulary.entities_of(said.text)) {
            let is_it = |entity: &&EntityId| {
                let words: Vec<String> = words_of(self.graph.name(**entity)).collect();
                words.len() == said.len() && words.iter().zip(said).all(|(word, said)| is_cut(word, said))
            };
            found.extend(with.iter().take(MOST_COMPARED).filter(is_it));
        }
        found
    }

    /// Links by typing errors, of tokens that nothing else is known of.
    pub(super) fn typo_links(&self, links: &[Link], columns: &[ColumnLink]) -> Vec<Link> {
        let is_open = |at: &usize| {
            let said = &self.said[*at];
            let is_word = said.text.len() >= 5 && said.text.chars().all(char::is_alphabetic);
            let is_linked = links.iter().any(|link| link.tokens.contains(at))
                || columns.iter().any(|link| link.tokens.contains(at))
                || self.words.places(said.text).next().is_some();
            is_word && !said.is_known && !is_linked
        };
        let open: Vec<usize> = (0..self.said.len()).filter(is_open).collect();
        if open.is_empty() || self.graph.entity_count() > MOST_SPELLED {
            return Vec::new();
        }
        let found = self.graph.entities().flat_map(|entity| self.typo_link(entity, &open));
        found.collect()
    }

    /// Link to an entity by a token that is misspelt, with its other words beside it.
    fn typo_link(&self, entity: EntityId, open: &[usize]) -> Option<Link> {
        let name = self.graph.name(entity);
        if name.len() > 40 || !name.chars().any(char::is_alphabetic) {
            return None;
        }
        let may_fit = |word: &str| open.iter().any(|at| self.said[*at].text.len().abs_diff(word.len()) <= 2);
        if !name.split(|c: char| !c.is_alphanumeric()).any(may_fit) {
            return None;
        }
        let words: Vec<String> = words_of(name).collect();
        let run = |at: usize| {
            let place = words.iter().position(|word| is_typo(self.said[at].text, word))?;
            let run = at.checked_sub(place)?..at - place + words.len();
            let others = (run.end <= self.said.len()).then(|| self.said[run.clone()].iter().zip(&words))?;
            let is_said = others.enumerate().all(|(i, (said, word))| i == place || said.text == word.as_str());
            is_said.then_some(run)
        };
        let tokens = open.iter().find_map(|at| run(*at))?;
        Some(Link { tokens, value: Value::Entity(entity), others: Vec::new(), kind: LinkKind::Typo })
    }
}

/// Tells if two texts are different numbers, though they have the same digits: 2006 and 200.6.
fn is_other_number(a: &str, b: &str) -> bool {
    let number = |text: &str| text.replace(',', "").parse::<f64>().ok();
    number(a).zip(number(b)).is_some_and(|(a, b)| a != b)
}

fn covers(link: &Link, run: &Range<usize>) -> bool {
    link.tokens.start <= run.start && run.end <= link.tokens.end
}

/// Tells if a name of a place is a code: up to three capitals.
fn is_code(name: &str, place: &Place) -> bool {
    let is_capitals = |name: &str| name.len() <= 3 && name.chars().all(|c| c.is_ascii_uppercase());
    place.names.iter().any(|own| own.eq_ignore_ascii_case(name) && is_capitals(own))
}

fn words_of(name: &str) -> impl Iterator<Item = String> + '_ {
    name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Tells if a word of a cell is a token, a form of it or its beginning.
fn is_cut(word: &str, said: &Said) -> bool {
    said.text == word
        || said.lemmas.iter().any(|lemma| lemma == word)
        || singular(said.text) == singular(word)
        || same_stem(said.text, word)
        || word.len() >= 4 && said.text.starts_with(word)
}
