//! English for groups and for conditions on them: "the average Delay for each Origin", "every City for which the number of
//! rows with that City is at least 3".

use super::clauses::Subject;
use super::phrases::Template;
use super::{Explainer, Order, Referent, Source};
use crate::formula::{Aggregate, Arithmetic, FormulaId, Node, Superlative, Var};

impl Explainer<'_, '_> {
    /// Describes `group(values, key)`. The rows of the list are mostly those of the key: these are said once, at the end.
    pub(super) fn group(&mut self, of: FormulaId, key: FormulaId) -> String {
        let (var, body) = self.body_of(key);
        let (noun, behind) = match self.source(of) {
            Some(Source { noun, rows, .. }) => (noun, self.behind(rows)),
            None => (self.one_of(of), String::new()),
        };
        let words = self.phrases;
        let each = self.bind(var, Referent::Value, |this| this.about_each(body, var));
        let (template, within, behind) = match behind.is_empty() || behind == each.behind {
            _ if each.is_share => (&words.values.share_for_each, each.behind.as_str(), behind.as_str()),
            true => (&words.values.each, "", each.behind.as_str()),
            false => (&words.values.each, each.behind.as_str(), behind.as_str()),
        };
        template.fill(&[("value", &each.value(within)), ("noun", &noun), ("behind", behind)])
    }

    /// Names of the columns of a table of groups; `None` for any other formula.
    pub fn group_header(&mut self, id: FormulaId) -> Option<[String; 2]> {
        let Node::Group(of, key) = self.node(id) else { return None };
        let noun = match self.source(of) {
            Some(source) => source.noun,
            None => self.values(of),
        };
        let (var, body) = self.body_of(key);
        let each = self.bind(var, Referent::Value, |this| this.about_each(body, var));
        let value = each.value(if each.is_share { &each.behind } else { "" });
        let article = self.phrases.values.the.fill(&[("noun", ""), ("behind", "")]);
        Some([noun, value.strip_prefix(&article).unwrap_or(&value).to_string()])
    }

    /// Describes `having(values, key, wanted)`.
    pub(super) fn having(&mut self, of: FormulaId, key: FormulaId, wanted: FormulaId) -> String {
        let values = self.values(of);
        let condition = self.having_condition(key, wanted);
        self.phrases.values.for_which.fill(&[("values", &values), ("condition", &condition)])
    }

    /// Describes the number of values that a condition on groups keeps: "the number of different values of City for which
    /// ..".
    pub(super) fn count_having(&mut self, id: FormulaId) -> Option<String> {
        let Node::Having(of, key, wanted) = self.node(id) else { return None };
        let Source { noun, rows, .. } = self.source(of)?;
        let behind = self.behind(rows);
        let condition = self.having_condition(key, wanted);
        let words = self.phrases;
        let values = words.values.for_which.fill(&[("values", &behind), ("condition", &condition)]);
        Some(words.aggregates.different.fill(&[("noun", &noun), ("behind", &values)]))
    }

    fn having_condition(&mut self, key: FormulaId, wanted: FormulaId) -> String {
        let (var, body) = self.body_of(key);
        let counts_rows = matches!(self.node(body), Node::Aggregate(Aggregate::Count, part) if self.is_rows(part));
        let subject = self.bind(var, Referent::Value, |this| match counts_rows {
            true => this.values(body),
            false => {
                let each = this.about_each(body, var);
                each.value(&each.behind)
            }
        });
        let condition = self.clause(&Subject::plain(&subject), wanted);
        self.say(&condition)
    }

    /// Describes a key of the value of the sentence: "the average Delay", "the number of rows".
    fn about_each(&mut self, body: FormulaId, var: Var) -> Each {
        let found = match self.node(body) {
            Node::Aggregate(op, part) => self.aggregate_of_each(op, part, var),
            Node::Arithmetic(Arithmetic::Share, part, whole) => self.share_of_each(part, whole, var),
            _ => {
                let words = &self.phrases.values;
                self.looked_up_about(body, var).map(|(noun, behind, _)| Each::new(words.the.clone(), &noun, "", behind))
            }
        };
        match found {
            Some(each) => each,
            None => Each::new(self.phrases.values.plain.clone(), &self.values(body), "", String::new()),
        }
    }

    fn aggregate_of_each(&mut self, op: Aggregate, part: FormulaId, var: Var) -> Option<Each> {
        let words = &self.phrases.aggregates;
        if op == Aggregate::Count && self.is_rows(part) {
            let (_, behind) = self.about(part, var)?;
            return Some(Each::new(words.rows.clone(), "", "", behind));
        }
        let (noun, behind, order) = self.looked_up_about(part, var)?;
        let (template, superlative) = match op {
            Aggregate::Max => (&words.best, self.superlative(Superlative::Argmax, order)),
            Aggregate::Min => (&words.best, self.superlative(Superlative::Argmin, order)),
            Aggregate::Count => (&words.different, ""),
            Aggregate::Sum => (&words.sum, ""),
            Aggregate::Avg => (&words.avg, ""),
            Aggregate::Median => (&words.median, ""),
        };
        Some(Each::new(template.clone(), &noun, superlative, behind))
    }

    /// Describes a share of the value's rows, or the share that they are of all rows.
    fn share_of_each(&mut self, part: FormulaId, whole: FormulaId, var: Var) -> Option<Each> {
        let (Node::Aggregate(Aggregate::Count, part), Node::Aggregate(Aggregate::Count, whole)) =
            (self.node(part), self.node(whole))
        else {
            return None;
        };
        let (_, behind) = self.about(part, var).filter(|_| self.is_rows(part))?;
        let words = self.phrases;
        let is_own = matches!(self.about(whole, var), Some((_, rest)) if rest.is_empty());
        if !is_own && self.node(whole) != Node::Rows {
            return None;
        }
        let template = if is_own { &words.values.share_of_its_rows } else { &words.values.share_of_all_rows };
        Some(Each { is_share: true, ..Each::new(template.clone(), "", "", behind) })
    }

    /// Noun, further conditions and order of a column looked up in the rows of the value.
    fn looked_up_about(&mut self, id: FormulaId, var: Var) -> Option<(String, String, Order)> {
        let source = self.source(id)?;
        let (_, behind) = self.about(source.rows, var)?;
        Some((source.noun, behind, source.order))
    }
}

/// Description of a key of each value of a group.
struct Each {
    template: Template,
    noun: String,
    superlative: String,
    /// Conditions on the rows of the value.
    behind: String,
    is_share: bool,
}

impl Each {
    fn new(template: Template, noun: &str, superlative: &str, behind: String) -> Each {
        Each { template, noun: noun.to_string(), superlative: superlative.to_string(), behind, is_share: false }
    }

    fn value(&self, behind: &str) -> String {
        self.template.fill(&[("noun", &self.noun), ("superlative", &self.superlative), ("behind", behind)])
    }
}
