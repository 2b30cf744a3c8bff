//! English for answers that are yes or no: "yes, if there is a row where Country is Greece".

use super::Explainer;
use super::clauses::Subject;
use crate::formula::{Aggregate, Compare, FormulaId, Node, Superlative, Test};

impl Explainer<'_, '_> {
    /// Writes a truth.
    pub(super) fn truth(&self, truth: bool) -> String {
        let words = &self.phrases.truths;
        if truth { words.yes.clone() } else { words.no.clone() }
    }

    /// Describes `exists(u)`.
    pub(super) fn exists(&mut self, of: FormulaId) -> String {
        let thing = match self.is_rows(of) && self.condition(of).is_some() {
            true => self.phrases.rows.a.fill(&[("behind", &self.behind(of))]),
            false => match self.source(of) {
                Some(source) => self.some(&source),
                None => {
                    let values = self.values(of);
                    self.phrases.truths.something.fill(&[("values", &values)])
                }
            },
        };
        self.phrases.truths.exists.fill(&[("thing", &thing)])
    }

    /// Describes a test of two values or lists.
    pub(super) fn test(&mut self, op: Test, a: FormulaId, b: FormulaId) -> String {
        let compare = match op {
            Test::Greater => Compare::Greater,
            Test::Less => Compare::Less,
            Test::AtLeast => Compare::AtLeast,
            Test::AtMost => Compare::AtMost,
            Test::Equal => return self.equality(a, b),
            Test::Within => return self.within(a, b),
        };
        let end = match op {
            Test::Greater => Some(Superlative::Argmax),
            Test::Less => Some(Superlative::Argmin),
            _ => None, // "at least as high" is said in full
        };
        if let Some(said) = end.and_then(|end| self.compared_rows(end, a, b)) {
            return said;
        }
        let subject = Subject::plain(&self.values(a));
        let condition = self.compared(&subject, compare, b);
        self.phrases.truths.compares.fill(&[("condition", &self.say(&condition))])
    }

    /// Describes a comparison of one column, or of the number of rows, under two conditions: "yes, if Nations is higher
    /// where City is London than where it is Paris".
    fn compared_rows(&mut self, end: Superlative, a: FormulaId, b: FormulaId) -> Option<String> {
        let words = self.phrases;
        if let (Node::Aggregate(Aggregate::Count, a), Node::Aggregate(Aggregate::Count, b)) =
            (self.node(a), self.node(b))
        {
            let (left, right) = self.two_conditions(a, b)?;
            let more = match end {
                Superlative::Argmax => &words.superlatives.more,
                Superlative::Argmin => &words.superlatives.fewer,
            };
            return Some(words.truths.more_rows.fill(&[("more", more), ("left", &left), ("right", &right)]));
        }
        let (left, right) = (self.source(a)?, self.source(b)?);
        if left.noun != right.noun || left.column.is_none() || left.column != right.column {
            return None;
        }
        let comparative = self.comparative(end, left.order).to_string();
        let noun = left.noun;
        let (left, right) = self.two_conditions(left.rows, right.rows)?;
        let said = [("noun", noun.as_str()), ("comparative", &comparative), ("left", &left), ("right", &right)];
        Some(words.truths.higher_where.fill(&said))
    }

    fn equality(&mut self, a: FormulaId, b: FormulaId) -> String {
        let (left, words) = (self.values(a), self.phrases);
        let right = match self.atoms(b) {
            Some(_) => self.values(b),
            None => words.truths.equal.fill(&[("value", &self.values(b))]),
        };
        let words = [("subject", left.as_str()), ("verb", &words.conditions.is), ("complement", &right)];
        let condition = self.phrases.conditions.clause.fill(&words);
        self.phrases.truths.compares.fill(&[("condition", &condition)])
    }

    fn within(&mut self, a: FormulaId, b: FormulaId) -> String {
        let words = self.phrases;
        if self.is_rows(a)
            && let (Some(_), Some(condition)) = (self.condition(a), self.condition(b))
        {
            let (condition, behind) = (self.say(&condition), self.behind(a));
            return words.truths.every_row.fill(&[("condition", &condition), ("behind", &behind)]);
        }
        if self.is_comparison(b) || self.atoms(b).is_some() {
            let subject = Subject::plain(&self.values(a));
            let condition = self.clause(&subject, b);
            return words.truths.compares.fill(&[("condition", &self.say(&condition))]);
        }
        let (left, right) = (self.values(a), self.values(b));
        words.truths.within.fill(&[("left", &left), ("right", &right)])
    }
}
