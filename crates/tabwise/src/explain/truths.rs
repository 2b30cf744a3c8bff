//! English for answers that are yes or no: "yes, if there is a row where Country is Greece".

use super::Explainer;
use super::clauses::Subject;
use crate::formula::{Compare, FormulaId, Test};

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
            false => self.one_of(of),
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
        let subject = Subject::plain(&self.values(a));
        let condition = self.compared(&subject, compare, b);
        self.phrases.truths.compares.fill(&[("condition", &self.say(&condition))])
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
        if self.is_comparison(b) {
            let subject = Subject::plain(&self.values(a));
            let condition = self.clause(&subject, b);
            return words.truths.compares.fill(&[("condition", &self.say(&condition))]);
        }
        let (left, right) = (self.values(a), self.values(b));
        words.truths.within.fill(&[("left", &left), ("right", &right)])
    }
}
