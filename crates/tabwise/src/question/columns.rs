//! Links to columns by the words of their headers. A token fits a word of a header by its spelling, its stem, an
//! abbreviation, its kin or a typing error; tokens side by side that fit words of one header are a link. Of links for
//! the same tokens, those that explain a header less well than another one are left out.

use super::header::{Header, HeaderWord, lemma};
use super::{ColumnKind, ColumnLink, Vocabulary};
use crate::graph::{ColumnId, Graph};
use crate::text::stem::stem;
use crate::text::{Annotator, Tag, Token};
use crate::words::{Form, Relation, Words};
use std::ops::Range;
use strsim::osa_distance;

/// Words between two words of one header.
const GLUE: [&str; 14] = ["of", "the", "a", "an", "in", "for", "per", "on", "at", "'s", "-", "&", "/", "to"];
/// Number of glue words between two words of one header.
const MOST_GLUE: usize = 2;
/// Number of tokens that a header without borders may be written as: "S&P 500" for `sp500`.
const MOST_JOINED: usize = 4;
/// Number of columns that the same words may be a part of; words of more headers say too little.
const MOST_COLUMNS: usize = 6;

/// A token of the question, in the forms that headers are compared with.
pub(super) struct Said<'q> {
    /// The token in lower case.
    pub(super) text: &'q str,
    /// Dictionary forms: the lemma, and the positive form of an adjective.
    pub(super) lemmas: Vec<String>,
    stems: Vec<String>,
    /// Kin of the forms.
    kin: Vec<(String, Relation)>,
    /// True if the token may name something.
    pub(super) is_content: bool,
    /// True if the token suggests an operation, or is a month or a number, and says too little of a header alone.
    pub(super) is_cue: bool,
    /// True if the token begins with a capital within the question.
    pub(super) is_capital: bool,
    /// True if the token is part of a name: a capital beside another one.
    is_name: bool,
    /// True if the token may ask for a column: "where" at the start, and not in "cities where".
    may_ask: bool,
    /// True if the token is an English word.
    pub(super) is_known: bool,
    /// True if the token is a comparative or a superlative, which says what it measures: "longest".
    is_degree: bool,
}

/// The tokens of a question in all forms.
pub(super) fn said<'q>(text: &str, tokens: &'q [Token], annotator: &Annotator, words: &Words) -> Vec<Said<'q>> {
    let is_capital = |at: usize| at > 0 && text[tokens[at].start..].starts_with(char::is_uppercase);
    let mut said: Vec<Said> = tokens.iter().map(|token| Said::new(text, token, annotator, words)).collect();
    for at in 0..said.len() {
        said[at].is_capital = is_capital(at);
        said[at].is_name = is_capital(at) && (is_capital(at - 1) || at + 1 < tokens.len() && is_capital(at + 1));
        said[at].may_ask = at == 0 || !said[at - 1].is_content;
        // "the us" is no pronoun.
        said[at].is_content |= at > 0 && said[at].text == "us" && said[at - 1].text == "the";
    }
    said
}

impl<'q> Said<'q> {
    fn new(text: &str, token: &'q Token, annotator: &Annotator, words: &Words) -> Said<'q> {
        let lemmas = lemmas(token, annotator, words);
        let kin = lemmas.iter().flat_map(|lemma| words.kin(lemma)).map(|(kin, relation)| (kin.to_owned(), relation));
        let kin = kin.collect();
        let stems = lemmas.iter().map(|lemma| stem(lemma).to_owned()).collect();
        // A code such as US is no pronoun.
        let is_small = text[token.start..token.end].chars().any(char::is_lowercase);
        let is_function = words.is_function(&token.text) && is_small || token.text.starts_with('\'');
        let is_cue = lemmas.iter().chain([&token.text]).any(|form| !words.cues(form).is_empty());
        let is_value = words.meaning(&token.text).is_some_and(|m| m.month.is_some() || m.number.is_some());
        Said {
            is_content: !is_function && token.text.chars().any(char::is_alphanumeric),
            is_cue: is_cue || is_value,
            is_known: lemmas.iter().any(|lemma| words.is_known(lemma)) || words.is_function(&token.text),
            is_degree: words.degree(&token.text).is_some_and(|degree| degree.form != Form::Plain),
            text: &token.text,
            lemmas,
            stems,
            kin,
            is_capital: false,
            is_name: false,
            may_ask: false,
        }
    }

    /// The way in which the token fits a word of a header.
    fn fits(&self, word: &HeaderWord) -> Option<ColumnKind> {
        let is_kin = |relations: &[Relation]| {
            let mut kin = self.kin.iter().filter(|(_, relation)| relations.contains(relation));
            kin.any(|(kin, _)| *kin == word.lemma || word.longs.contains(kin))
        };
        if !self.is_content {
            return (self.may_ask && is_kin(&[Relation::Asks])).then_some(ColumnKind::Kin);
        }
        if self.text == word.text || self.lemmas.contains(&word.lemma) {
            return Some(ColumnKind::Header);
        }
        if self.is_name {
            return None;
        }
        let has_stem = word.stem.len() >= 5 && self.stems.contains(&word.stem);
        if has_stem || is_kin(&[Relation::Form]) {
            return Some(ColumnKind::Stem);
        }
        if self.is_long_for(word) {
            return Some(ColumnKind::Abbreviation);
        }
        if is_kin(&[Relation::Same, Relation::Of, Relation::Kind]) {
            return Some(ColumnKind::Kin);
        }
        (!self.is_known && is_typo(self.text, &word.text)).then_some(ColumnKind::Typo)
    }

    /// Tells if a word of a header abbreviates the token.
    fn is_long_for(&self, word: &HeaderWord) -> bool {
        let is_listed = |long: &String| self.lemmas.contains(long) || self.stems.iter().any(|own| *own == stem(long));
        word.longs.iter().any(is_listed)
            || !word.is_known && self.lemmas.iter().any(|lemma| abbreviates(&word.text, lemma))
    }

    /// Tells if the token is the opposite of a word of a header.
    pub(super) fn is_opposite(&self, word: &HeaderWord) -> bool {
        let is_negated = |lemma: &String| {
            ["un", "non", "in", "dis"].iter().any(|prefix| lemma.strip_prefix(prefix) == Some(word.lemma.as_str()))
        };
        self.kin.iter().any(|(kin, relation)| *relation == Relation::Not && *kin == word.lemma)
            || word.lemma.len() >= 4 && self.lemmas.iter().any(is_negated)
    }
}

/// Dictionary forms of a token: its lemma, that of the word alone, and the positive of a comparative or superlative.
fn lemmas(token: &Token, annotator: &Annotator, words: &Words) -> Vec<String> {
    let mut lemmas = vec![token.lemma.to_lowercase()];
    let alone = lemma(&token.text, annotator, words);
    // The tagger takes many a verb in the past tense for something else: *spent*, *built*.
    let past = (!token.text.ends_with("ed")).then(|| annotator.lemma(&token.text, Tag::Vbd));
    let past = past.filter(|form| words.is_known(form));
    let degrees = ["er", "est"].iter().filter_map(|ending| token.text.strip_suffix(ending));
    let positives = degrees.flat_map(positives).filter(|form| words.kin(form).any(|(_, r)| r == Relation::Of));
    for form in std::iter::once(alone).chain(past).chain(positives) {
        if !lemmas.contains(&form) {
            lemmas.push(form);
        }
    }
    lemmas
}

/// Adjectives of which a stem with -er or -est may be a form: *old*, *larg(e)*, *heav(y)*, *big(g)*.
fn positives(stem: &str) -> Vec<String> {
    let mut forms = vec![stem.to_owned(), format!("{stem}e")];
    if let Some(stem) = stem.strip_suffix('i') {
        forms.push(format!("{stem}y"));
    }
    if let [.., a, b] = stem.as_bytes()
        && a == b
    {
        forms.push(stem[..stem.len() - 1].to_owned());
    }
    forms
}

/// Tells if a word that is not English abbreviates one that is: by its beginning, or by some of its letters in order.
fn abbreviates(short: &str, long: &str) -> bool {
    let (own, whole) = (short.len(), long.len());
    let least = if own < 5 { own + 2 } else { own + 1 };
    if !short.is_ascii() || !long.is_ascii() || own < 3 || whole < least || short[..1] != long[..1] {
        return false;
    }
    let vowels = short[1..].bytes().filter(|b| b"aeiou".contains(b)).count();
    long.starts_with(short) || is_within(short, long) && whole <= own * 3 && (vowels <= 1 || own * 10 >= whole * 7)
}

/// Tells if the letters of a text are in another one, in the same order.
fn is_within(short: &str, long: &str) -> bool {
    let mut rest = long.bytes();
    short.bytes().all(|b| rest.any(|other| other == b))
}

/// Tells if a word abbreviates two words: `mrdrte` for "murder rate".
fn abbreviates_both(short: &str, first: &str, second: &str) -> bool {
    let fits = |short: &str, long: &str| long.len() >= 3 && short[..1] == long[..1] && is_within(short, long);
    short.len() >= 5
        && [short, first, second].iter().all(|text| text.bytes().all(|b| b.is_ascii_lowercase()))
        && (2..=short.len() - 2).any(|at| fits(&short[..at], first) && fits(&short[at..], second))
}

/// Tells if two words differ by a typing error: one in a word of five letters, two in one of nine.
pub(super) fn is_typo(a: &str, b: &str) -> bool {
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    let most = match shorter {
        0..=4 => return false,
        5..=8 => 1,
        _ => 2,
    };
    let begins_alike = a.as_bytes()[0] == b.as_bytes()[0] || a.as_bytes()[1] == b.as_bytes()[1];
    longer - shorter <= most && begins_alike && a != b && osa_distance(a, b) <= most
}

/// A link with what it is judged by.
#[derive(Clone)]
struct Found {
    link: ColumnLink,
    /// The least sure way in which a token fits.
    weakest: ColumnKind,
    /// Number of words of the header that these tokens fit.
    covered: usize,
    /// Number of words of the header that any token of the question fits.
    heard: usize,
    is_full: bool,
}

/// Finds the links to columns.
pub(super) fn column_links(
    said: &[Said],
    named: Vec<ColumnLink>,
    graph: &Graph,
    vocabulary: &Vocabulary,
) -> Vec<ColumnLink> {
    let joined = joined(said);
    // A lemma of the header alone is not enough: *rating* is no form of "rate".
    let is_said = |link: &ColumnLink| {
        let mut content = vocabulary.header_words(link.column).content().peekable();
        let mut tokens = said[link.tokens.clone()].iter();
        content.peek().is_none() || content.any(|word| tokens.any(|said| said.fits(word) == Some(ColumnKind::Header)))
    };
    let mut found: Vec<Found> = named.into_iter().filter(is_said).map(Found::full).collect();
    for column in graph.column_ids() {
        let header = vocabulary.header_words(column);
        found.extend(whole_links(&joined, header, column));
        found.extend(piece_links(&joined, header, column));
        found.extend(join_links(said, header, column));
        found.extend(particle_links(said, header, column));
        found.extend(run_links(said, header, column));
    }
    found.extend(graph.column_ids().flat_map(|column| pair_links(said, vocabulary.header_words(column), column)));
    let mut kept: Vec<&Found> = found.iter().filter(|one| !found.iter().any(|other| other.beats(one))).collect();
    kept.retain(|one| one.is_full || found.iter().filter(|other| one.ties(other)).count() <= MOST_COLUMNS);
    let mut links: Vec<ColumnLink> = kept.into_iter().map(|one| one.link.clone()).collect();
    links.sort_by_key(|link| (link.column, link.kind, link.tokens.start, link.tokens.end));
    links.dedup_by(|next, kept| next.column == kept.column && next.tokens == kept.tokens);
    links
}

impl Found {
    /// A link by all words of a header.
    fn full(link: ColumnLink) -> Found {
        let covered = link.tokens.len();
        Found { weakest: link.kind, covered, heard: covered, is_full: true, link }
    }

    /// Tells if this link makes another one needless.
    fn beats(&self, other: &Found) -> bool {
        let (own, theirs) = (&self.link.tokens, &other.link.tokens);
        let is_inside = own.start <= theirs.start && theirs.end <= own.end;
        if !is_inside || self.link.column == other.link.column && own == theirs {
            return false;
        }
        let is_as_sure = self.weakest <= other.weakest;
        let is_larger = own != theirs && self.covered > other.covered;
        match (own == theirs, is_larger) {
            (false, false) => false,
            (false, true) => is_as_sure || self.weakest <= ColumnKind::Abbreviation && !other.is_full,
            (true, _) => {
                is_as_sure && !other.is_full && (self.is_full || self.heard > other.heard)
                    || self.is_full && self.weakest <= ColumnKind::Stem && other.weakest > ColumnKind::Stem
                    || self.weakest < ColumnKind::Typo && other.weakest == ColumnKind::Typo
            }
        }
    }

    /// Tells if another link is as good, for the same tokens.
    fn ties(&self, other: &Found) -> bool {
        self.link.tokens == other.link.tokens && self.weakest >= other.weakest && !other.is_full
    }
}

/// Runs of tokens with their letters and digits joined.
fn joined(said: &[Said]) -> Vec<(Range<usize>, String)> {
    let mut runs = Vec::new();
    for start in 0..said.len() {
        let mut text = String::new();
        for end in start + 1..=(start + MOST_JOINED).min(said.len()) {
            text.extend(said[end - 1].text.chars().filter(|c| c.is_alphanumeric()));
            let is_word = |at: usize| said[at].text.chars().any(char::is_alphanumeric);
            if is_word(start) && is_word(end - 1) && said[start..end].iter().any(|said| said.is_content) {
                runs.push((start..end, text.clone()));
            }
        }
    }
    runs
}

/// Links by runs of tokens that are the header, written together.
fn whole_links<'a>(
    joined: &'a [(Range<usize>, String)],
    header: &'a Header,
    column: ColumnId,
) -> impl Iterator<Item = Found> + 'a {
    let is_header = |run: &&(Range<usize>, String)| header.whole.len() > 1 && run.1 == header.whole;
    joined
        .iter()
        .filter(is_header)
        .map(move |(tokens, _)| Found::full(ColumnLink { tokens: tokens.clone(), column, kind: ColumnKind::Header }))
}

/// Links by runs of tokens that are a piece of the header, written together: "E. coli" for `ecoli_detected`, "5G" for
/// `has_5g`.
fn piece_links<'a>(
    joined: &'a [(Range<usize>, String)],
    header: &'a Header,
    column: ColumnId,
) -> impl Iterator<Item = Found> + 'a {
    let words = |run: &String| header.pieces.iter().find(|(_, piece)| piece == run).map(|(words, _)| *words);
    let is_mixed = |text: &str| text.contains(|c: char| c.is_ascii_digit()) && text.contains(char::is_alphabetic);
    let is_written_apart = move |tokens: &Range<usize>, run: &String| tokens.len() > 1 || is_mixed(run);
    joined.iter().filter(move |(tokens, run)| is_written_apart(tokens, run)).filter_map(move |(tokens, run)| {
        let covered = words(run)?;
        let link = ColumnLink { tokens: tokens.clone(), column, kind: ColumnKind::Words };
        Some(Found { weakest: ColumnKind::Header, covered, heard: covered, is_full: false, link })
    })
}

/// Links by tokens that are two short words of the header, written as one: "wifi" for `hasWiFi`.
fn join_links<'a>(said: &'a [Said<'a>], header: &'a Header, column: ColumnId) -> impl Iterator<Item = Found> + 'a {
    let is_joined = |text: &str| header.joins.iter().any(|join| join == text || text.strip_suffix('s') == Some(join));
    let is_join = move |at: &usize| said[*at].is_content && is_joined(said[*at].text);
    (0..said.len()).filter(is_join).map(move |at| {
        let link = ColumnLink { tokens: at..at + 1, column, kind: ColumnKind::Words };
        Found { weakest: ColumnKind::Header, covered: 2, heard: 2, is_full: false, link }
    })
}

/// Links by two tokens that a header of one word abbreviates.
fn pair_links(said: &[Said], header: &Header, column: ColumnId) -> Vec<Found> {
    let [word] = header.words.as_slice() else { return Vec::new() };
    if word.is_known || !word.longs.is_empty() {
        return Vec::new();
    }
    let is_pair = |at: &usize| {
        let (first, second) = (&said[*at], &said[at + 1]);
        first.is_content && second.is_content && abbreviates_both(&word.text, first.text, second.text)
    };
    let link = |tokens: Range<usize>| Found::full(ColumnLink { tokens, column, kind: ColumnKind::Abbreviation });
    let pairs = (0..said.len().saturating_sub(1)).filter(is_pair).map(|at| link(at..at + 2));
    pairs.chain(initials(said, &word.text).into_iter().map(link)).collect()
}

/// Links by a verb and its particle that a header writes as one word: "dropped out" for `dropout`.
fn particle_links<'a>(said: &'a [Said<'a>], header: &'a Header, column: ColumnId) -> impl Iterator<Item = Found> + 'a {
    let is_one = |pair: &[Said], word: &HeaderWord| {
        let rest = |lemma: &String| word.text.strip_prefix(lemma.as_str()).is_some_and(|rest| rest == pair[1].text);
        pair[0].is_content && pair[0].lemmas.iter().any(rest)
    };
    let links = move |at: usize| header.words.iter().any(|word| is_one(&said[at..at + 2], word));
    (0..said.len().saturating_sub(1)).filter(move |at| links(*at)).map(move |at| {
        let link = ColumnLink { tokens: at..at + 2, column, kind: ColumnKind::Words };
        Found { weakest: ColumnKind::Header, covered: 1, heard: 1, is_full: header.words.len() == 1, link }
    })
}

/// Runs of tokens whose first letters are a word: "length of stay" for `los`.
fn initials(said: &[Said], word: &str) -> Vec<Range<usize>> {
    if !(2..=4).contains(&word.len()) || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return Vec::new();
    }
    let run = |start: usize| {
        let mut end = start;
        for letter in word.bytes() {
            end +=
                said[end..].iter().take(MOST_GLUE).take_while(|said| end > start && GLUE.contains(&said.text)).count();
            let next = said.get(end).filter(|said| said.is_content && said.text.len() > 2)?;
            if next.text.as_bytes()[0] != letter {
                return None;
            }
            end += 1;
        }
        Some(start..end)
    };
    (0..said.len()).filter_map(run).collect()
}

/// A token that fits a word of a header.
#[derive(Clone, Copy)]
struct Hit {
    token: usize,
    word: usize,
    kind: ColumnKind,
}

/// Links by tokens side by side that fit words of a header.
fn run_links(said: &[Said], header: &Header, column: ColumnId) -> Vec<Found> {
    let hits: Vec<Hit> = (0..said.len()).filter_map(|token| best_hit(token, &said[token], header)).collect();
    let Some(first) = hits.first() else { return Vec::new() };
    let measured = header.content().filter(|word| !word.is_unit).count();
    let content = if measured > 0 { measured } else { header.content().count() };
    let is_heard = |word: &usize| hits.iter().any(|hit| hit.word == *word);
    let heard = (0..header.words.len()).filter(is_heard).count();
    let mut runs: Vec<Vec<Hit>> = vec![vec![*first]];
    for pair in hits.windows(2) {
        let last = runs.last_mut().expect("there is a first run");
        let is_near = is_glue(&said[pair[0].token + 1..pair[1].token]);
        match is_near && last.iter().all(|hit| hit.word != pair[1].word) {
            true => last.push(pair[1]),
            false => runs.push(vec![pair[1]]),
        }
    }
    runs.iter().filter_map(|run| found(run, said, header, column, content, heard)).collect()
}

fn best_hit(token: usize, said: &Said, header: &Header) -> Option<Hit> {
    let words = header.words.iter().enumerate().filter(|(_, word)| !word.is_function);
    let hits = words.filter_map(|(word, of)| said.fits(of).map(|kind| Hit { token, word, kind }));
    hits.min_by_key(|hit| hit.kind)
}

fn is_glue(between: &[Said]) -> bool {
    between.len() <= MOST_GLUE && between.iter().all(|said| GLUE.contains(&said.text))
}

/// The link by a run of hits, unless it says too little of the header.
fn found(run: &[Hit], said: &[Said], header: &Header, column: ColumnId, content: usize, heard: usize) -> Option<Found> {
    let weakest = run.iter().map(|hit| hit.kind).max()?;
    let (covered, is_full) = (run.len(), run.len() >= content);
    let is_telling = |hit: &Hit| {
        let word = &header.words[hit.word];
        let says_much = !said[hit.token].is_cue || said[hit.token].is_degree && hit.kind == ColumnKind::Kin;
        says_much && word.text.len() > 1 && word.text.chars().any(char::is_alphabetic)
    };
    let asks = run.iter().any(|hit| !said[hit.token].is_content);
    // A number that is all that is left of a header whose other words stand elsewhere: "population of Denver in 1980".
    let is_number = run.iter().all(|hit| said[hit.token].text.len() > 1 && is_digits(said[hit.token].text));
    let is_enough = match weakest {
        _ if asks => false,
        // Letters and digits may say enough together: "S&P 500".
        ColumnKind::Header | ColumnKind::Words | ColumnKind::Stem => {
            run.iter().any(is_telling) || covered >= 3 || is_number && heard >= content
        }
        _ => covered * 2 >= content && run.iter().any(is_telling),
    };
    let kind = if is_full { weakest } else { weakest.max(ColumnKind::Words) };
    let tokens = run[0].token..run[run.len() - 1].token + 1;
    (is_full || is_enough).then_some(Found {
        link: ColumnLink { tokens, column, kind },
        weakest,
        covered,
        heard,
        is_full,
    })
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// Tokens that are part of a column's name of several words, as bits.
pub(super) fn long_names(columns: &[ColumnLink]) -> u128 {
    let is_long =
        |link: &&ColumnLink| link.tokens.len() > 1 && matches!(link.kind, ColumnKind::Header | ColumnKind::Words);
    let tokens = columns.iter().filter(is_long).flat_map(|link| link.tokens.clone());
    tokens.fold(0, |bits, at| bits | 1 << at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations() {
        for (short, long) in [
            ("unem", "unemployment"),
            ("exec", "execution"),
            ("mrdr", "murder"),
            ("qnty", "quantity"),
            ("maritl", "marital"),
            ("educ", "education"),
        ] {
            assert!(abbreviates(short, long), "{short} {long}");
        }
        for (short, long) in [("cat", "cats"), ("rte", "temperature"), ("xyz", "x"), ("lat", "population")] {
            assert!(!abbreviates(short, long), "{short} {long}");
        }
        assert!(abbreviates_both("mrdrte", "murder", "rate") && abbreviates_both("prtystr", "party", "strength"));
    }

    #[test]
    fn typing_errors() {
        assert!(is_typo("populaton", "population") && is_typo("adress", "address") && is_typo("recieved", "received"));
        assert!(!is_typo("form", "from") && !is_typo("price", "price") && !is_typo("height", "weights"));
    }
}
