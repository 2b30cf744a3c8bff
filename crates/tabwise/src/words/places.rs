//! [`Places`]: countries, states and continents with all of their names: codes, adjectives, other names.

use super::WordsError;
use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;

/// The `names.txt` that is compiled into the program.
pub const EMBEDDED_NAMES: &str = include_str!("../../knowledge/names.txt");

/// A country, state or continent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Kind of place: "country".
    pub kind: Box<str>,
    /// Names, codes and adjectives.
    pub names: Vec<Box<str>>,
}

/// Places by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    places: Vec<Place>,
    by_name: FxHashMap<Box<str>, Vec<u16>>,
}

impl Places {
    /// Reads a `names.txt`: a kind and names on each line, with ` | ` between them.
    pub(super) fn read(text: &str) -> Result<Places, WordsError> {
        let mut all = Places::default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut fields = line.split(" | ").map(Box::from);
            let kind = fields.next().unwrap_or_default();
            let place = Place { kind, names: fields.collect() };
            if place.names.is_empty() || all.places.len() == usize::from(u16::MAX) {
                return Err(WordsError::Name(line.to_owned()));
            }
            all.add(place);
        }
        Ok(all)
    }

    fn add(&mut self, place: Place) {
        let id = self.places.len() as u16;
        for name in &place.names {
            let ids = self.by_name.entry(plain(name).into()).or_default();
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        self.places.push(place);
    }

    /// Returns the places with this name; letter case, accents and punctuation are ignored.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = &Place> {
        let ids = self.by_name.get(plain(name).as_str()).map_or(&[][..], Vec::as_slice);
        ids.iter().map(|id| &self.places[usize::from(*id)])
    }
}

/// Letters and digits of a name in lower case, without accents.
fn plain(name: &str) -> String {
    match name.is_ascii() {
        true => name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect(),
        false => name.nfd().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_other_names() {
        let places = Places::read(EMBEDDED_NAMES).unwrap();
        let is_named = |name: &str, other: &str| places.named(name).any(|p| p.names.iter().any(|n| **n == *other));
        assert!(is_named("italian", "Italy") && is_named("Texas", "TX") && is_named("u.k.", "United Kingdom"));
        assert!(is_named("Côte d'Ivoire", "Ivory Coast") && !is_named("Italy", "TX"));
    }

    #[test]
    fn a_bad_line_is_named() {
        assert!(matches!(Places::read("country\n"), Err(WordsError::Name(line)) if line == "country"));
    }
}
