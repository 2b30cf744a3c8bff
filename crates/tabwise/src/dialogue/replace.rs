//! A piece of a question put in the place of something of the same kind in the question before it: "and in Paris?" after
//! "how many games were in London?" is "how many games were in Paris?".

use super::words::{DialogueWords, is_one};
use crate::graph::{ColumnId, Graph};
use crate::question::{ColumnKind, ColumnLink, Link, LinkKind, Question};
use crate::text::Tag;
use crate::value::{EntityId, Value};
use crate::words::{Form, Words};
use std::ops::Range;

/// The last question and the piece that goes on from it.
pub(super) struct Pair<'a> {
    pub last: &'a Question,
    pub next: &'a Question,
    /// Tokens of the piece, without its leader and its question mark.
    pub piece: Range<usize>,
    pub graph: &'a Graph,
    pub words: &'a Words,
    pub dialogue: &'a DialogueWords,
}

impl Pair<'_> {
    /// The last question with the piece in it; `None` if it has no place for the piece.
    pub(super) fn question(&self) -> Option<String> {
        let changes = self.comparison().map(|change| vec![change]);
        let changes = changes.or_else(|| self.values()).or_else(|| self.columns_and_degree())?;
        Some(self.changed(changes))
    }

    /// "and more than 100?": the bound and its value take the place of another bound and its value.
    fn comparison(&self) -> Option<Change> {
        let new = self.bounded(self.next).into_iter().find(|tokens| self.is_in_piece(tokens))?;
        let old = self.bounded(self.last).into_iter().next_back()?;
        Some(Change { old, new: text(self.next, &new) })
    }

    /// Numbers and dates with the words that make bounds of them.
    fn bounded(&self, question: &Question) -> Vec<Range<usize>> {
        let numbers = question
            .links
            .iter()
            .filter(|link| !matches!(link.value, Value::Entity(_)) || is_digits(question, &link.tokens));
        let mut found: Vec<Range<usize>> = numbers.filter_map(|link| self.with_bound(question, &link.tokens)).collect();
        found.sort_by_key(|tokens| (tokens.start, tokens.end));
        found.dedup();
        found
    }

    /// Tokens from the word that makes a bound of a value to the value.
    fn with_bound(&self, question: &Question, value: &Range<usize>) -> Option<Range<usize>> {
        const REACH: usize = 3;
        let from = value.start.saturating_sub(REACH);
        let is_bound = |at: &usize| {
            let token = &question.tokens[*at];
            let compares = self.words.degree(&token.text).is_some_and(|degree| degree.form == Form::Comparative);
            compares || self.words.bound(&token.text).is_some() || [Tag::Jjr, Tag::Rbr].contains(&token.tag)
        };
        let start = (from..value.start).find(is_bound)?;
        let with_at = start.checked_sub(1).filter(|before| question.tokens[*before].text == "at");
        Some(with_at.unwrap_or(start)..value.end)
    }

    /// "and in Paris?": a cell, a number or a date takes the place of another one of its column or kind. Where there is
    /// none, the piece is a further condition.
    fn values(&self) -> Option<Vec<Change>> {
        let new = self.value_links(self.next).into_iter().find(|link| self.is_in_piece(&link.tokens))?;
        let mut old: Vec<&Link> =
            self.value_links(self.last).into_iter().filter(|link| self.is_of_a_kind(link, new)).collect();
        old.sort_by_key(|link| (!self.shares_column(link, new), link.kind, std::cmp::Reverse(link.tokens.len())));
        let said = text(self.next, &new.tokens);
        Some(match old.first() {
            Some(old) => {
                vec![self.negation(old, new).unwrap_or_else(|| self.with_article(&old.tokens, new, said))]
            }
            None => {
                let end = self.end_of_last();
                let piece = text(self.next, &self.piece);
                let begins_with_value = new.tokens.start <= self.piece.start + 1;
                let is_bare = begins_with_value && self.next.tokens[self.piece.start].tag != Tag::In;
                let new = if is_bare { format!(" for {piece}") } else { format!(" {piece}") };
                vec![Change { old: end..end, new }]
            }
        })
    }

    /// The change of some words, together with an article before them: "in the USA" becomes "in France".
    fn with_article(&self, old: &Range<usize>, new: &Link, said: String) -> Change {
        let has_article = |question: &Question, tokens: &Range<usize>| {
            tokens.start > 0 && question.tokens[tokens.start - 1].text == "the"
        };
        match (has_article(self.last, old), has_article(self.next, &new.tokens)) {
            (true, false) => Change { old: old.start - 1..old.end, new: said },
            (false, true) => Change { old: old.clone(), new: format!("the {said}") },
            _ => Change { old: old.clone(), new: said },
        }
    }

    /// "and not in Rome?": the piece takes the place of "in Paris", with its preposition; `None` if it negates nothing.
    fn negation(&self, old: &Link, new: &Link) -> Option<Change> {
        let said = self.with_place(self.next, &new.tokens);
        let not = said.start.checked_sub(1).filter(|at| is_one(self.next, *at, &self.dialogue.negations))?;
        let has_place = said.start < new.tokens.start;
        let old = if has_place { self.with_place(self.last, &old.tokens) } else { old.tokens.clone() };
        Some(Change { old, new: text(self.next, &(not..said.end)) })
    }

    /// Tokens with the preposition and the article before them.
    fn with_place(&self, question: &Question, tokens: &Range<usize>) -> Range<usize> {
        let leads = |at: &usize| {
            let token = &question.tokens[*at];
            matches!(token.tag, Tag::In | Tag::To) || token.text == "the"
        };
        let start = (0..tokens.start).rev().take_while(leads).last();
        start.unwrap_or(tokens.start)..tokens.end
    }

    /// Tokens with a negation right before them.
    fn negated(&self, question: &Question, tokens: &Range<usize>) -> Range<usize> {
        let not = tokens.start.checked_sub(1).filter(|at| is_one(question, *at, &self.dialogue.negations));
        not.unwrap_or(tokens.start)..tokens.end
    }

    /// Links to values, the longest first, without those inside longer ones.
    fn value_links<'q>(&self, question: &'q Question) -> Vec<&'q Link> {
        let mut links: Vec<&Link> = question.links.iter().filter(|link| link.kind != LinkKind::Part).collect();
        links.sort_by_key(|link| (std::cmp::Reverse(link.tokens.len()), link.kind, link.tokens.start));
        let mut kept: Vec<&Link> = Vec::new();
        for link in links {
            let is_inside = |outer: &&Link| {
                outer.tokens != link.tokens
                    && outer.tokens.start <= link.tokens.start
                    && link.tokens.end <= outer.tokens.end
            };
            if !kept.iter().any(is_inside) {
                kept.push(link);
            }
        }
        kept
    }

    fn is_of_a_kind(&self, a: &Link, b: &Link) -> bool {
        match (a.value, b.value) {
            (Value::Entity(_), Value::Entity(_)) => self.shares_column(a, b),
            (a, b) => std::mem::discriminant(&a) == std::mem::discriminant(&b),
        }
    }

    fn shares_column(&self, a: &Link, b: &Link) -> bool {
        let (Value::Entity(a), Value::Entity(b)) = (a.value, b.value) else { return false };
        let has = |column: ColumnId, entity: EntityId| self.graph.column(column).cells.contains(&entity);
        self.columns().any(|column| has(column, a) && has(column, b))
    }

    fn columns(&self) -> impl Iterator<Item = ColumnId> {
        (0..self.graph.columns().len()).map(|at| ColumnId(at as u16))
    }

    /// "and the lowest?", "and the average salary?", "and per product?": words of degree and names of columns take the
    /// places of others.
    fn columns_and_degree(&self) -> Option<Vec<Change>> {
        let mut changes = Vec::new();
        let new_degree = self.degrees(self.next).into_iter().find(|at| self.piece.contains(at));
        let old_degree = self.degrees(self.last).into_iter().next();
        if let (Some(new), Some(old)) = (new_degree, old_degree) {
            changes.push(Change { old: old..old + 1, new: text(self.next, &(new..new + 1)) });
        }
        let new_column = self.named_columns(self.next).into_iter().find(|(tokens, _)| self.is_in_piece(tokens));
        if let Some((new, divides)) = new_column {
            let named = self.named_columns(self.last);
            let same_use = |(_, divided): &&(Range<usize>, bool)| *divided == divides;
            if let Some((old, _)) = named.iter().rev().find(same_use) {
                let new = text(self.next, &self.negated(self.next, &new));
                changes.push(Change { old: self.negated(self.last, old), new });
            } else if divides {
                // The leader "and for" has a word of "for each region".
                let start = self.piece.start;
                let with_for = start.checked_sub(1).filter(|at| is_one(self.next, *at, &["for".to_owned()]));
                let said = text(self.next, &(with_for.unwrap_or(start)..new.end));
                let end = self.end_of_last();
                changes.push(Change { old: end..end, new: format!(" {said}") });
            }
        }
        (!changes.is_empty()).then_some(changes)
    }

    /// Words of degree, and words that compute.
    fn degrees(&self, question: &Question) -> Vec<usize> {
        let is_degree = |at: &usize| {
            let token = &question.tokens[*at];
            [Tag::Jjs, Tag::Rbs].contains(&token.tag)
                || self.words.degree(&token.text).is_some_and(|degree| degree.form == Form::Superlative)
                || is_one(question, *at, &self.dialogue.operations)
        };
        (0..question.tokens.len()).filter(is_degree).collect()
    }

    /// Words that name a column, each with whether they make groups. Where several links overlap, the longest counts.
    fn named_columns(&self, question: &Question) -> Vec<(Range<usize>, bool)> {
        // "Oldest" may be a link to a column of ages, but it is a word of degree here.
        let degrees = self.degrees(question);
        let is_name = |link: &&ColumnLink| {
            link.kind != ColumnKind::Typo && !degrees.iter().any(|degree| link.tokens.contains(degree))
        };
        let mut links: Vec<Range<usize>> =
            question.columns.iter().filter(is_name).map(|link| link.tokens.clone()).collect();
        links.sort_by_key(|tokens| std::cmp::Reverse(tokens.len()));
        let mut kept: Vec<Range<usize>> = Vec::new();
        for tokens in links {
            if !kept.iter().any(|other| other.start < tokens.end && tokens.start < other.end) {
                kept.push(tokens);
            }
        }
        kept.sort_by_key(|tokens| tokens.start);
        let divides = |tokens: &Range<usize>| {
            tokens.start.checked_sub(1).is_some_and(|before| is_one(question, before, &self.dialogue.dividers))
        };
        kept.into_iter().map(|tokens| (tokens.clone(), divides(&tokens))).collect()
    }

    fn is_in_piece(&self, tokens: &Range<usize>) -> bool {
        self.piece.start <= tokens.start && tokens.end <= self.piece.end
    }

    /// Place behind the last word of the last question.
    fn end_of_last(&self) -> usize {
        let is_word = |token: &crate::text::Token| token.text.chars().any(char::is_alphanumeric);
        self.last.tokens.iter().rposition(is_word).map_or(0, |at| at + 1)
    }

    /// The text of the last question with changes.
    fn changed(&self, mut changes: Vec<Change>) -> String {
        changes.sort_by_key(|change| std::cmp::Reverse(change.old.start));
        let mut question = self.last.text.clone();
        for Change { old, new } in changes {
            let span = match old.is_empty() {
                true => {
                    let end = self.last.tokens[..old.start].last().map_or(0, |token| token.end);
                    end..end
                }
                false => self.last.tokens[old.start].start..self.last.tokens[old.end - 1].end,
            };
            question.replace_range(span, &new);
        }
        question
    }
}

/// A change of the last question: these tokens become this text.
struct Change {
    old: Range<usize>,
    new: String,
}

/// Text of some tokens, as it was written.
pub(super) fn text(question: &Question, tokens: &Range<usize>) -> String {
    match question.tokens.get(tokens.clone()) {
        Some([first, .., last]) => question.text[first.start..last.end].to_string(),
        Some([only]) => question.text[only.start..only.end].to_string(),
        _ => String::new(),
    }
}

fn is_digits(question: &Question, tokens: &Range<usize>) -> bool {
    text(question, tokens).chars().all(|c| c.is_ascii_digit())
}
