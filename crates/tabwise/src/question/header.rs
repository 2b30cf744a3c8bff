//! The words of a header, as programmers write them: `unit_price`, `firstName`, `Total.Sales`, `gasprice`. A header is cut
//! at signs, at capitals after small letters and between letters and digits; a run of letters that is no English word is
//! cut into words where the dictionary allows it.

use crate::text::stem::stem;
use crate::text::{Annotator, Tag};
use crate::words::{Relation, Words};

/// Words of a column's header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Words that are compared with those of questions.
    pub words: Vec<HeaderWord>,
    /// Letters and digits of the header in lower case.
    pub whole: String,
    /// Pieces between its signs in lower case, where it has several; before each the number of its words in it.
    pub pieces: Vec<(usize, String)>,
    /// Short words side by side, written as one: `wifi` of `hasWiFi`.
    pub joins: Vec<String>,
}

/// Word of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderWord {
    /// The word in lower case.
    pub text: String,
    /// Its dictionary form.
    pub lemma: String,
    /// Its stem.
    pub stem: String,
    /// Words that it is known to abbreviate.
    pub longs: Vec<String>,
    /// True if it is an English word, and so not an abbreviation that nobody listed.
    pub is_known: bool,
    /// True if it is mere grammar: "of".
    pub is_function: bool,
    /// True if it is the sign of a unit: "km".
    pub is_unit: bool,
}

/// Length of words that others may be written together with.
const LONGEST_JOINED: usize = 4;

impl Header {
    /// Reads a header.
    pub fn new(header: &str, annotator: &Annotator, words: &Words) -> Header {
        let pieces = pieces(header).into_iter().flat_map(|piece| segments(&piece, annotator, words));
        let mut found: Vec<HeaderWord> = Vec::new();
        for word in pieces.map(|piece| HeaderWord::new(&piece, annotator, words)) {
            if !found.contains(&word) {
                found.push(word);
            }
        }
        let whole = header.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        let signs = header.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty());
        let count = |piece: &str| found.iter().filter(|word| piece.contains(&word.text)).count();
        let mut pieces: Vec<String> = signs.map(str::to_lowercase).collect();
        if pieces.len() < 2 {
            pieces.clear();
        }
        let pieces = pieces.into_iter().map(|piece| (count(&piece), piece)).collect();
        let is_short = |pair: &&[HeaderWord]| pair.iter().all(|word| word.text.len() <= LONGEST_JOINED);
        let joins = found.windows(2).filter(is_short).map(|pair| format!("{}{}", pair[0].text, pair[1].text)).collect();
        Header { words: found, whole, pieces, joins }
    }

    /// The words that say something.
    pub fn content(&self) -> impl Iterator<Item = &HeaderWord> {
        self.words.iter().filter(|word| !word.is_function)
    }
}

impl HeaderWord {
    fn new(piece: &str, annotator: &Annotator, words: &Words) -> HeaderWord {
        let text = piece.to_lowercase();
        let lemma = lemma(&text, annotator, words);
        let longs = words.kin(&text).filter(|(_, relation)| *relation == Relation::Short);
        HeaderWord {
            longs: longs.map(|(long, _)| long.to_owned()).collect(),
            stem: stem(&lemma).to_owned(),
            is_known: words.is_known(&text) || words.is_known(&lemma),
            // A code such as US is no pronoun.
            is_function: words.is_function(&text) && piece.chars().any(char::is_lowercase),
            is_unit: (words.is_unit(&text) || words.meaning(&text).is_some_and(|m| m.currency))
                && !words.is_known(&text),
            lemma,
            text,
        }
    }
}

/// Dictionary form of a word that stands alone: as a plural if that is at least as frequent as the word itself, or else
/// the first that is known of the word as it is, as a plural, as a verb.
pub(super) fn lemma(word: &str, annotator: &Annotator, words: &Words) -> String {
    let singular = annotator.lemma(word, Tag::Nns);
    if singular != word && words.frequency(&singular) >= words.frequency(word) {
        return singular;
    }
    let verbs = [Tag::Vbd, Tag::Vbg].into_iter().map(|tag| annotator.lemma(word, tag));
    let mut all = [word.to_owned(), singular.clone()].into_iter().chain(verbs);
    all.find(|form| words.is_known(form)).unwrap_or(singular)
}

/// Cuts a header at signs, at capitals and at digits.
fn pieces(header: &str) -> Vec<String> {
    let chars: Vec<char> = header.chars().collect();
    let mut pieces: Vec<String> = Vec::new();
    let mut is_open = false;
    for (at, c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            // An apostrophe stays inside its word.
            is_open &= matches!(c, '\'' | '’');
            continue;
        }
        match pieces.last_mut().filter(|_| is_open && !is_border(&chars, at)) {
            Some(last) => last.push(*c),
            None => pieces.push(c.to_string()),
        }
        is_open = true;
    }
    pieces
}

/// Tells if a new word begins at a character: `unitPrice`, `USState`, `sp500`.
fn is_border(chars: &[char], at: usize) -> bool {
    let (before, c) = (chars[at - 1], chars[at]);
    let next_is_small = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
    before.is_alphabetic() != c.is_alphabetic() && before.is_alphanumeric()
        || before.is_lowercase() && c.is_uppercase()
        || before.is_uppercase() && c.is_uppercase() && next_is_small
}

/// Length of the shortest run of letters that is cut into words, and of the longest.
const CUT: std::ops::RangeInclusive<usize> = 6..=24;
/// Short words that others may be written together with.
const SHORT_WORDS: [&str; 10] = ["of", "in", "by", "to", "id", "no", "tv", "us", "at", "on"];

/// Cuts a run of letters into words, if it is not a word itself.
fn segments(piece: &str, annotator: &Annotator, words: &Words) -> Vec<String> {
    let text = piece.to_lowercase();
    let whole = vec![piece.to_owned()];
    let is_letters = text.bytes().all(|b| b.is_ascii_lowercase()) && CUT.contains(&text.len());
    if !is_letters || words.is_known(&lemma(&text, annotator, words)) || is_short(&text, words) {
        return whole;
    }
    let is_same = text.len() == piece.len();
    let cut = |ends: Vec<usize>| {
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let pieces =
            starts.zip(&ends).map(|(start, end)| if is_same { &piece[start..*end] } else { &text[start..*end] });
        pieces.map(str::to_owned).collect()
    };
    best_ends(&text, annotator, words).map_or(whole, cut)
}

fn is_short(text: &str, words: &Words) -> bool {
    words.kin(text).any(|(_, relation)| relation == Relation::Short)
}

/// Ends of the words in the cheapest way to cut a text, if there is one of at least two words. One piece at an end may
/// be unknown.
fn best_ends(text: &str, annotator: &Annotator, words: &Words) -> Option<Vec<usize>> {
    let mut best: Vec<Option<(u32, Vec<usize>)>> = vec![None; text.len() + 1];
    best[0] = Some((0, Vec::new()));
    for start in 0..text.len() {
        let Some((cost, ends)) = best[start].clone() else { continue };
        for end in start + 2..=text.len() {
            let Some(own) = cost_of(&text[start..end], start == 0 || end == text.len(), annotator, words) else {
                continue;
            };
            if best[end].as_ref().is_none_or(|(known, _)| cost + own < *known) {
                best[end] = Some((cost + own, ends.iter().copied().chain([end]).collect()));
            }
        }
    }
    let (cost, ends) = best.pop()??;
    (ends.len() > 1 && cost <= MOST).then_some(ends)
}

/// Cost of the most expensive way to cut a text that is taken: one unknown piece beside a known one, or four words.
const MOST: u32 = 56;

/// Cost of a piece; unknown ones are taken only at an end.
fn cost_of(piece: &str, is_end: bool, annotator: &Annotator, words: &Words) -> Option<u32> {
    // Words that are never used would cut anything.
    let used = |text: &str| words.frequency(text).filter(|frequency| *frequency > 0);
    let frequency = |text: &str| used(text).or_else(|| used(&lemma(text, annotator, words)));
    match (piece.len(), frequency(piece)) {
        (2, _) => SHORT_WORDS.contains(&piece).then_some(16),
        _ if is_short(piece, words) => Some(15),
        (3.., Some(frequency)) => Some(19 - frequency),
        (4.., None) if words.places(piece).next().is_some() => Some(16),
        (3.., None) if is_end => Some(38),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_cut_into_words() {
        let (annotator, words) = (Annotator::embedded(), Words::embedded());
        let cut = |header: &str| {
            let header = Header::new(header, &annotator, &words);
            header.words.iter().map(|word| word.text.clone()).collect::<Vec<_>>().join(" ")
        };
        for (header, expected) in [
            ("unit_price", "unit price"),
            ("firstName", "first name"),
            ("Total.Sales", "total sales"),
            ("sp500", "sp 500"),
            ("StoreID", "store id"),
            ("USState", "us state"),
            ("PriceCH", "price ch"),
            ("WeekofPurchase", "week of purchase"),
            ("gasprice", "gas price"),
            ("tailnum", "tail num"),
            ("ctryname", "ctry name"),
            ("tvhours", "tv hours"),
            ("Province / Territory", "province territory"),
            ("observed", "observed"),
            ("population", "population"),
            ("mrdrte", "mrdrte"),
            ("unemploy", "unemploy"),
            ("Year's end", "years end"),
            ("", ""),
        ] {
            assert_eq!(cut(header), expected, "{header}");
        }
    }
}
