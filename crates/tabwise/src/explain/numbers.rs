//! English for aggregates and arithmetic: "the number of rows where Country is Greece", "how many more Nations in the
//! first row than in the last one".

use super::clauses::Condition;
use super::values::is_plain;
use super::{Explainer, Order, Referent, Source};
use crate::formula::{Aggregate, Arithmetic, FormulaId, Node, Superlative};
use crate::graph::Reading;

impl Explainer<'_, '_> {
    /// Describes an aggregate of a list.
    pub(super) fn aggregate(&mut self, op: Aggregate, part: FormulaId) -> String {
        let words = &self.phrases.aggregates;
        if op == Aggregate::Count && self.is_rows(part) {
            return self.count_of_rows(part);
        }
        if let Some(said) = self.count_having(part).filter(|_| op == Aggregate::Count) {
            return said;
        }
        let order = self.order(part);
        let Some(Source { noun, rows, order: by, column, reading }) = self.source(part) else {
            let values = self.values(part);
            let end = |op| words.best_of.fill(&[("superlative", self.superlative(op, order)), ("values", &values)]);
            return match op {
                Aggregate::Count => words.count.fill(&[("values", &values)]),
                Aggregate::Max => end(Superlative::Argmax),
                Aggregate::Min => end(Superlative::Argmin),
                Aggregate::Sum => words.sum_of.fill(&[("values", &values)]),
                Aggregate::Avg => words.avg_of.fill(&[("values", &values)]),
                Aggregate::Median => words.median_of.fill(&[("values", &values)]),
            };
        };
        if matches!(op, Aggregate::Max | Aggregate::Min)
            && let Some(best) = self.source(part).and_then(|source| self.best_of_itself(&source))
        {
            return best;
        }
        let behind = self.behind(rows);
        let end =
            |op| words.best.fill(&[("superlative", self.superlative(op, by)), ("noun", &noun), ("behind", &behind)]);
        let numeric = column
            .filter(|column| self.is_numeric(*column) && reading.is_none_or(is_plain))
            .map(|column| self.column(column));
        match op {
            Aggregate::Count if reading == Some(Reading::Part) => {
                let column = column.map(|column| self.column(column)).unwrap_or_default();
                words.items.fill(&[("column", &column), ("behind", &behind)])
            }
            Aggregate::Count => {
                words.different.fill(&[("noun", numeric.as_ref().unwrap_or(&noun)), ("behind", &behind)])
            }
            Aggregate::Max => end(Superlative::Argmax),
            Aggregate::Min => end(Superlative::Argmin),
            Aggregate::Sum => match &numeric {
                Some(column) => words.sum_of_column.fill(&[("column", column), ("behind", &behind)]),
                None if says_total(&noun) => words.sum_of_column.fill(&[("column", &noun), ("behind", &behind)]),
                None => words.sum.fill(&[("noun", &noun), ("behind", &behind)]),
            },
            Aggregate::Avg => words.avg.fill(&[("noun", &noun), ("behind", &behind)]),
            Aggregate::Median => words.median.fill(&[("noun", &noun), ("behind", &behind)]),
        }
    }

    /// Describes a number of rows.
    fn count_of_rows(&mut self, rows: FormulaId) -> String {
        let words = &self.phrases.aggregates;
        if let Some((column, behind)) = self.about_it(rows) {
            return words.rows_with_it.fill(&[("column", &column), ("behind", &behind)]);
        }
        let is_superlative = matches!(self.node(rows), Node::Superlative(_, _, key) if self.node(key) != Node::Index);
        match self.condition(rows).is_some() || is_superlative {
            true => words.rows.fill(&[("behind", &self.behind(rows))]),
            false => {
                let nouns = &self.phrases.rows.rows;
                words.rows_of.fill(&[("rows", &self.rows(rows, nouns, nouns))])
            }
        }
    }

    /// Describes arithmetic, with an idiom if there is one and otherwise as "a minus b".
    pub(super) fn arithmetic(&mut self, op: Arithmetic, a: FormulaId, b: FormulaId) -> String {
        let special = self.compared_sources(op, a, b).or_else(|| self.compared_counts(op, a, b));
        if let Some(special) = special.or_else(|| self.share_of_rows(op, a, b)) {
            return special;
        }
        let words = &self.phrases.arithmetic;
        let template = match op {
            Arithmetic::Add => &words.add,
            Arithmetic::Sub => &words.sub,
            Arithmetic::Mul => &words.mul,
            Arithmetic::Div => &words.div,
            Arithmetic::Share => &words.share,
            Arithmetic::Days => &words.days,
            Arithmetic::Months => &words.months,
        };
        let (left, right) = (self.values(a), self.values(b));
        template.fill(&[("left", &left), ("right", &right)])
    }

    /// Noun for an amount computed across columns: "Home minus Away".
    pub(super) fn across_noun(&mut self, op: Arithmetic, a: FormulaId, b: FormulaId) -> String {
        let words = &self.phrases.across;
        let template = match op {
            Arithmetic::Add => &words.add,
            Arithmetic::Sub => &words.sub,
            Arithmetic::Mul => &words.mul,
            Arithmetic::Div => &words.div,
            Arithmetic::Share => &words.share,
            Arithmetic::Days => &words.days,
            Arithmetic::Months => &words.months,
        };
        let (left, right) = (self.noun_of(a), self.noun_of(b));
        template.fill(&[("left", &left), ("right", &right)])
    }

    /// Noun for a row's partner in a binary: the name of the column.
    pub(super) fn noun_of(&mut self, binary: FormulaId) -> String {
        let (var, body) = self.body_of(binary);
        self.bind(var, Referent::Row, |this| match this.source(body) {
            Some(source) if this.is_row_referent(source.rows) => source.noun,
            _ => this.values(body),
        })
    }

    /// Describes a share of rows: "the share of rows where .. among rows where .., in percent".
    fn share_of_rows(&mut self, op: Arithmetic, a: FormulaId, b: FormulaId) -> Option<String> {
        let (Node::Aggregate(Aggregate::Count, part), Node::Aggregate(Aggregate::Count, whole)) =
            (self.node(a), self.node(b))
        else {
            return None;
        };
        if op != Arithmetic::Share || !self.is_rows(part) || !self.is_rows(whole) {
            return None;
        }
        let part = match self.node(part) {
            Node::And(a, b) if a == whole => b,
            Node::And(a, b) if b == whole => a,
            _ => part,
        };
        self.condition(part)?;
        let (left, right) = (self.behind(part), self.among(whole));
        Some(self.phrases.arithmetic.share_of_rows.fill(&[("left", &left), ("right", &right)]))
    }

    /// Describes arithmetic on a column in two sets of rows, or on two readings of one cell.
    fn compared_sources(&mut self, op: Arithmetic, a: FormulaId, b: FormulaId) -> Option<String> {
        let (left, right) = (self.source(a)?, self.source(b)?);
        if left.column.is_none() || left.column != right.column {
            return None;
        }
        if left.rows == right.rows {
            return self.two_numbers(op, &left, &right);
        }
        if self.is_row_referent(left.rows) || self.is_row_referent(right.rows) || left.noun != right.noun {
            return None;
        }
        let words = self.phrases;
        let arithmetic = &words.arithmetic;
        let (in_rows, where_it) = match op {
            Arithmetic::Add => (&arithmetic.together, &arithmetic.together_where),
            Arithmetic::Div => (&arithmetic.ratio, &arithmetic.ratio_where),
            Arithmetic::Mul | Arithmetic::Share | Arithmetic::Days | Arithmetic::Months => return None,
            Arithmetic::Sub if left.order == Order::Date && left.reading != Some(Reading::Duration) => {
                (&arithmetic.years_between, &arithmetic.years_where)
            }
            Arithmetic::Sub if is_plural(&left.noun) => (&arithmetic.more, &arithmetic.more_where),
            Arithmetic::Sub => (&arithmetic.higher, &arithmetic.higher_where),
        };
        if let Some((first, second)) = self.two_conditions(left.rows, right.rows) {
            return Some(where_it.fill(&[("noun", &left.noun), ("left", &first), ("right", &second)]));
        }
        let first = self.rows(left.rows, &words.rows.row, &words.rows.rows);
        let second = self.rows(right.rows, &words.rows.one, &words.rows.ones);
        Some(in_rows.fill(&[("noun", &left.noun), ("left", &first), ("right", &second)]))
    }

    /// Writes two conditions, the second with "it" for a common subject: "City is Paris", "it is Athens".
    pub(super) fn two_conditions(&mut self, a: FormulaId, b: FormulaId) -> Option<(String, String)> {
        let (left, mut right) = (self.condition(a)?, self.condition(b)?);
        if left.is_none() || right.is_none() {
            return None;
        }
        if let (Condition::One(first), Condition::One(second)) = (&left, &mut right)
            && first.subject == second.subject
        {
            second.subject = self.phrases.values.it.clone();
        }
        Some((self.say(&left), self.say(&right)))
    }

    /// Describes the difference of the two numbers of a cell: "the first number of Score minus the second".
    fn two_numbers(&mut self, op: Arithmetic, left: &Source, right: &Source) -> Option<String> {
        let words = &self.phrases.arithmetic;
        let template = match (op, left.reading?, right.reading?) {
            (Arithmetic::Sub, Reading::Number, Reading::Number2) => &words.first_minus_second,
            (Arithmetic::Sub, Reading::Number2, Reading::Number) => &words.second_minus_first,
            _ => return None,
        };
        let column = self.column(left.column?);
        Some(template.fill(&[("column", &column), ("behind", &self.behind(left.rows))]))
    }

    /// Describes a difference of counts: "how many more rows there are where .. than where ..".
    fn compared_counts(&mut self, op: Arithmetic, a: FormulaId, b: FormulaId) -> Option<String> {
        let (Node::Aggregate(Aggregate::Count, a), Node::Aggregate(Aggregate::Count, b)) = (self.node(a), self.node(b))
        else {
            return None;
        };
        if op != Arithmetic::Sub {
            return None;
        }
        let (left, right) = self.two_conditions(a, b)?;
        Some(self.phrases.arithmetic.more_rows.fill(&[("left", &left), ("right", &right)]))
    }
}

/// Tells if a header looks like the plural of something that is counted.
fn is_plural(noun: &str) -> bool {
    let last = noun.split_whitespace().last().unwrap_or_default();
    last.len() > 3 && last.ends_with('s') && !last.ends_with("ss") && !last.ends_with("us")
}

/// Tells if a header begins with "total": nobody says "the total Total".
fn says_total(noun: &str) -> bool {
    noun.to_lowercase().starts_with("total")
}
