//! Clauses, and sentences made of them. A [`Condition`] is a tree of clauses; clauses on one subject are merged:
//! "Attendance is at least 1500 and less than 2000", "Country is not Greece or UK".

use super::Explainer;
use crate::graph::ColumnId;

/// Condition on a row or a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition {
    /// A single clause.
    One(Clause),
    /// All of these hold; an empty list always holds.
    All(Vec<Condition>),
    /// At least one of these holds.
    Any(Vec<Condition>),
}

/// Statement with a subject, a verb and a complement.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Clause {
    pub(super) subject: String,
    pub(super) verb: String,
    pub(super) complement: String,
}

impl Clause {
    /// Appends the complement of another clause with the same subject and verb.
    fn add(&mut self, joint: &str, other: &Clause) {
        self.complement = format!("{}{joint}{}", self.complement, other.complement);
    }
}

/// Subject of a clause.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Subject {
    pub(super) text: String,
    pub(super) column: Option<ColumnId>,
    /// True if its numbers are years: "before 1990" rather than "less than 1990".
    pub(super) years: bool,
    /// True if its numbers are times of day, in seconds: "before 9:00".
    pub(super) times: bool,
    /// True for the length of a run: "stays the same for 3 rows in a row".
    pub(super) run: bool,
}

impl Subject {
    /// Subject that is no column.
    pub(super) fn plain(text: &str) -> Subject {
        Subject { text: text.to_string(), column: None, years: false, times: false, run: false }
    }
}

impl Condition {
    /// Tells if it holds for every row.
    pub(super) fn is_none(&self) -> bool {
        matches!(self, Condition::All(all) if all.is_empty())
    }
}

impl Explainer<'_, '_> {
    /// Writes a condition in English.
    pub(super) fn say(&self, condition: &Condition) -> String {
        let words = &self.phrases.lists;
        match condition {
            Condition::One(clause) => self.say_clause(clause),
            Condition::All(all) => {
                let said: Vec<String> = self.merged(all, &words.and).iter().map(|part| self.say_in(part)).collect();
                self.list(&said, &words.and)
            }
            Condition::Any(any) => {
                let said: Vec<String> = self.merged(any, &words.or).iter().map(|part| self.say(part)).collect();
                let compound = any.iter().any(|part| matches!(part, Condition::All(_)));
                self.list(&said, if compound { &words.comma_or } else { &words.or })
            }
        }
    }

    /// Writes a part of a conjunction: a disjunction of several clauses gets "either".
    fn say_in(&self, part: &Condition) -> String {
        let said = self.say(part);
        match part {
            Condition::Any(any) if self.merged(any, &self.phrases.lists.or).len() > 1 => {
                self.phrases.lists.either.fill(&[("list", &said)])
            }
            _ => said,
        }
    }

    /// Opposite of a condition; `None` if it has a clause that cannot be turned into its opposite.
    pub(super) fn negated(&self, condition: &Condition) -> Option<Condition> {
        let each = |parts: &[Condition]| parts.iter().map(|part| self.negated(part)).collect::<Option<Vec<_>>>();
        match condition {
            Condition::One(clause) => {
                let verb = self.opposite(&clause.verb)?.clone();
                Some(Condition::One(Clause { verb, ..clause.clone() }))
            }
            Condition::All(all) if all.is_empty() => None,
            Condition::All(all) => each(all).map(Condition::Any),
            Condition::Any(any) => each(any).map(Condition::All),
        }
    }

    /// Verb with the opposite meaning.
    fn opposite(&self, verb: &str) -> Option<&String> {
        let words = &self.phrases.conditions;
        let pairs = [
            (&words.is, &words.is_not),
            (&words.includes, &words.does_not_include),
            (&words.contains, &words.does_not_contain),
            (&words.starts, &words.does_not_start),
            (&words.ends, &words.does_not_end),
        ];
        pairs.into_iter().find_map(|(yes, no)| match verb {
            verb if verb == yes => Some(no),
            verb if verb == no => Some(yes),
            _ => None,
        })
    }

    fn say_clause(&self, clause: &Clause) -> String {
        let Clause { subject, verb, complement } = clause;
        let words = &self.phrases.conditions;
        words.clause.fill(&[("subject", subject), ("verb", verb), ("complement", complement)])
    }

    /// Merges neighbouring clauses with the same subject and verb: "is at least 5 and less than 9", "is not A or B".
    fn merged(&self, parts: &[Condition], joint: &str) -> Vec<Condition> {
        let (words, and) = (&self.phrases.conditions, joint == self.phrases.lists.and);
        let mut merged: Vec<Condition> = Vec::new();
        for part in parts {
            match (merged.last_mut(), self.whole(part)) {
                (Some(Condition::One(last)), Condition::One(clause))
                    if last.subject == clause.subject && last.verb == clause.verb =>
                {
                    let negative = [&words.is_not, &words.does_not_include, &words.does_not_contain];
                    let is_negative = negative.contains(&&last.verb)
                        || [&words.does_not_start, &words.does_not_end].contains(&&last.verb);
                    // "is not A and is not B" is "is not A or B"; "is not A or is not B" cannot be shortened.
                    match (is_negative, and) {
                        (true, false) => merged.push(Condition::One(clause)),
                        (true, true) => last.add(&self.phrases.lists.or, &clause),
                        (false, _) => last.add(joint, &clause),
                    }
                }
                (_, part) => merged.push(part),
            }
        }
        merged
    }

    /// Reduces a condition to one clause if all its parts merge.
    fn whole(&self, part: &Condition) -> Condition {
        let merged = match part {
            Condition::One(_) => return part.clone(),
            Condition::All(all) => self.merged(all, &self.phrases.lists.and),
            Condition::Any(any) => self.merged(any, &self.phrases.lists.or),
        };
        match merged.as_slice() {
            [only] => only.clone(),
            _ => part.clone(),
        }
    }
}

/// Condition of one clause.
pub(super) fn one(subject: String, verb: String, complement: String) -> Condition {
    Condition::One(Clause { subject, verb, complement })
}

/// Conjunction of two conditions, flattened.
pub(super) fn all(a: Condition, b: Condition) -> Condition {
    let parts = |condition: Condition| match condition {
        Condition::All(all) => all,
        other => vec![other],
    };
    let mut both = [parts(a), parts(b)].concat();
    if both.len() == 1 { both.pop().expect("there is one") } else { Condition::All(both) }
}

/// Disjunction of two conditions, flattened.
pub(super) fn any(a: Condition, b: Condition) -> Condition {
    let parts = |condition: Condition| match condition {
        Condition::Any(any) => any,
        other => vec![other],
    };
    Condition::Any([parts(a), parts(b)].concat())
}
