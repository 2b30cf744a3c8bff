//! English for groups, for conditions on them, and for several of the best: "the average Delay for each Origin", "every
//! City for which the number of rows with that City is at least 3", "the 3 values of City that appear most often".

use super::clauses::Subject;
use super::{Explainer, Quality, Referent, Source};
use crate::formula::{Aggregate, FormulaId, Node, Superlative, Var};

impl Explainer<'_, '_> {
    /// Describes `group(values, key)`.
    pub(super) fn group(&mut self, of: FormulaId, key: FormulaId) -> String {
        let (var, body) = self.body_of(key);
        let value = self.bind(var, Referent::Value, |this| this.about_each(body, var, Mention::Once));
        let (noun, behind) = match self.source(of) {
            Some(source) => {
                let behind = self.behind(source.rows);
                (source.noun, behind)
            }
            None => (self.one_of(of), String::new()),
        };
        // The rows of the list are mostly those of the key, and said once.
        let behind = if value.ends_with(&behind) { "" } else { &behind };
        self.phrases.values.each.fill(&[("value", &value), ("noun", &noun), ("behind", behind)])
    }

    /// Describes `having(values, key, wanted)`.
    pub(super) fn having(&mut self, of: FormulaId, key: FormulaId, wanted: FormulaId) -> String {
        let values = self.values(of);
        let (var, body) = self.body_of(key);
        let subject = self.bind(var, Referent::Value, |this| this.about_each(body, var, Mention::Each));
        let condition = self.clause(&Subject::plain(&subject), wanted);
        self.phrases.values.for_which.fill(&[("values", &values), ("condition", &self.say(&condition))])
    }

    /// Describes a key of the value of the sentence: "the average Delay", "the number of rows".
    fn about_each(&mut self, body: FormulaId, var: Var, mention: Mention) -> String {
        let words = self.phrases;
        let Node::Aggregate(op, part) = self.node(body) else { return self.noun_each(body, var) };
        if op == Aggregate::Count && self.is_rows(part) {
            return match (self.about(part, var), mention) {
                (Some((_, behind)), Mention::Once) => words.aggregates.rows.fill(&[("behind", &behind)]),
                _ => self.values(body),
            };
        }
        let Some((noun, behind, order)) = self.looked_up_about(part, var) else { return self.values(body) };
        let best = |op| {
            let superlative = self.superlative(op, order);
            words.aggregates.best.fill(&[("superlative", superlative), ("noun", &noun), ("behind", &behind)])
        };
        let template = match op {
            Aggregate::Max => return best(Superlative::Argmax),
            Aggregate::Min => return best(Superlative::Argmin),
            Aggregate::Count => &words.aggregates.different,
            Aggregate::Sum => &words.aggregates.sum,
            Aggregate::Avg => &words.aggregates.avg,
            Aggregate::Median => &words.aggregates.median,
        };
        template.fill(&[("noun", &noun), ("behind", &behind)])
    }

    /// Describes a key that is no aggregate.
    fn noun_each(&mut self, body: FormulaId, var: Var) -> String {
        match self.looked_up_about(body, var) {
            Some((noun, behind, _)) => self.phrases.values.the.fill(&[("noun", &noun), ("behind", &behind)]),
            None => self.values(body),
        }
    }

    /// Noun, further conditions and order of a column looked up in the rows of the value.
    fn looked_up_about(&mut self, id: FormulaId, var: Var) -> Option<(String, String, super::Order)> {
        let source = self.source(id)?;
        let (_, behind) = self.about(source.rows, var)?;
        Some((source.noun, behind, source.order))
    }

    /// Describes `argmax(values, key, n)`.
    pub(super) fn several_values(&mut self, op: Superlative, of: FormulaId, key: FormulaId, n: FormulaId) -> String {
        if self.is_number(n, 1.0) {
            return self.best_values(op, of, key);
        }
        let words = self.phrases;
        let (count, quality) = (self.values(n), self.quality(key, Referent::Value));
        let (noun, behind) = match self.source(of) {
            Some(Source { noun, rows, .. }) => (noun, self.behind(rows)),
            None => (self.values(of), String::new()),
        };
        let said = match &quality {
            Quality::Itself(order) => {
                let superlative = self.superlative(op, *order);
                let words =
                    [("count", count.as_str()), ("superlative", superlative), ("noun", &noun), ("behind", &behind)];
                return self.phrases.values.several_best.fill(&words);
            }
            Quality::Often(_, rest) => match op {
                Superlative::Argmax => words.superlatives.several_most_often.fill(&[("behind", rest)]),
                Superlative::Argmin => words.superlatives.several_least_often.fill(&[("behind", rest)]),
            },
            Quality::Has(..) | Quality::Is(..) => self.say_quality(op, &quality),
        };
        let those = match behind.is_empty() || said.ends_with(&behind) {
            true => String::new(),
            false => words.behind.of_those.fill(&[("behind", &behind)]),
        };
        words.values.several.fill(&[("count", &count), ("noun", &noun), ("quality", &format!("{said}{those}"))])
    }

    /// Describes a column of several rows that are best by the same column: "the 3 highest values of Weight".
    pub(super) fn several_of_itself(&mut self, source: &Source) -> Option<String> {
        let Node::Top(op, of, key, n) = self.node(source.rows) else { return None };
        let Quality::Has(noun, order) = self.quality(key, Referent::Row) else { return None };
        if noun != source.noun || self.is_number(n, 1.0) || self.condition(of).is_none() {
            return None;
        }
        let (count, behind) = (self.values(n), self.behind(of));
        let superlative = self.superlative(op, order);
        let words = [("count", count.as_str()), ("superlative", superlative), ("noun", &noun), ("behind", &behind)];
        Some(self.phrases.values.several_best.fill(&words))
    }
}

/// Mention of the value that a key belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Mention {
    /// The sentence names it anyway.
    Once,
    /// The key names it: "the number of rows with that City".
    Each,
}
