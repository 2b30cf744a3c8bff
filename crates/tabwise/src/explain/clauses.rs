//! Clauses and how they are put together: "Attendance is at least 1500 and less than 2000", "Country is not Greece or UK".

use super::Explainer;
use crate::graph::ColumnId;

/// What must hold of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition {
    One(Clause),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Clause {
    pub subject: String,
    pub verb: String,
    pub complement: String,
}

impl Clause {
    fn add(&mut self, joint: &str, other: &Clause) {
        self.complement = format!("{}{joint}{}", self.complement, other.complement);
    }
}

/// What a clause is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Subject {
    pub text: String,
    pub column: Option<ColumnId>,
    /// Whether its numbers are years: "before 1990" rather than "less than 1990".
    pub years: bool,
    /// Whether it is how long a column has stayed the same, counted in rows.
    pub run: bool,
}

impl Subject {
    /// A subject without anything special.
    pub fn plain(text: &str) -> Subject {
        Subject { text: text.to_string(), column: None, years: false, run: false }
    }
}

impl Condition {
    /// Whether every row meets it.
    pub fn is_none(&self) -> bool {
        matches!(self, Condition::All(all) if all.is_empty())
    }
}

impl Explainer<'_, '_> {
    /// A condition in words.
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

    /// A part of a conjunction: a disjunction that is not one clause gets "either".
    fn say_in(&self, part: &Condition) -> String {
        let said = self.say(part);
        match part {
            Condition::Any(any) if self.merged(any, &self.phrases.lists.or).len() > 1 => {
                self.phrases.lists.either.fill(&[("list", &said)])
            }
            _ => said,
        }
    }

    fn say_clause(&self, clause: &Clause) -> String {
        let Clause { subject, verb, complement } = clause;
        let words = &self.phrases.conditions;
        words.clause.fill(&[("subject", subject), ("verb", verb), ("complement", complement)])
    }

    /// Neighbouring clauses on one subject become one: "is at least 5 and less than 9", "is not A or B".
    fn merged(&self, parts: &[Condition], joint: &str) -> Vec<Condition> {
        let (words, and) = (&self.phrases.conditions, joint == self.phrases.lists.and);
        let mut merged: Vec<Condition> = Vec::new();
        for part in parts {
            match (merged.last_mut(), self.whole(part)) {
                (Some(Condition::One(last)), Condition::One(clause))
                    if last.subject == clause.subject && last.verb == clause.verb =>
                {
                    let is_negative = last.verb == words.is_not || last.verb == words.does_not_include;
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

    /// A condition whose parts all merge into one clause, as that clause.
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

pub(super) fn one(subject: String, verb: String, complement: String) -> Condition {
    Condition::One(Clause { subject, verb, complement })
}

pub(super) fn all(a: Condition, b: Condition) -> Condition {
    let parts = |condition: Condition| match condition {
        Condition::All(all) => all,
        other => vec![other],
    };
    let mut both = [parts(a), parts(b)].concat();
    if both.len() == 1 { both.pop().expect("there is one") } else { Condition::All(both) }
}

pub(super) fn any(a: Condition, b: Condition) -> Condition {
    let parts = |condition: Condition| match condition {
        Condition::Any(any) => any,
        other => vec![other],
    };
    Condition::Any([parts(a), parts(b)].concat())
}
