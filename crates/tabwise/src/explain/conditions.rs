//! English for conditions on rows: [`Explainer::condition`] turns a formula into clauses, such as "Country is Greece"
//! or "Attendance is at least 1500 and less than 2000".

use super::clauses::{Condition, Subject, all, any, one};
use super::values::is_year;
use super::{Explainer, Referent};
use crate::formula::{Arithmetic, Compare, FormulaId, Node, Relation, TextId, TextTest, Var, Way};
use crate::graph::{ColumnId, Reading};
use crate::value::{Date, Value, show_number};

impl Explainer<'_, '_> {
    /// Condition that a formula puts on rows; `None` if it does more than select rows by their own cells.
    pub(super) fn condition(&mut self, id: FormulaId) -> Option<Condition> {
        self.spend()?;
        match self.node(id) {
            Node::Rows => Some(Condition::All(Vec::new())),
            Node::And(a, b) => Some(all(self.condition(a)?, self.condition(b)?)),
            Node::Or(a, b) => {
                let (a, b) = (self.condition(a)?, self.condition(b)?);
                // "all rows or .." would be true, but nobody says it.
                if a.is_none() || b.is_none() { None } else { Some(any(a, b)) }
            }
            Node::Join(binary, unary) => self.condition_of_join(binary, unary),
            Node::Mark(var, body) if self.is_rows(id) => self.bind(var, Referent::Row, |this| this.holds(var, body)),
            Node::Except(a, b) if self.is_rows(id) => {
                let (of, other) = (self.condition(a)?, self.condition(b)?);
                let other = self.negated(&other)?;
                Some(all(of, other))
            }
            Node::Missing(binary) => Some(self.missing(binary)),
            Node::Mark(..) | Node::Value(_) | Node::Var(_) | Node::Except(..) => None,
            Node::Aggregate(..) | Node::Superlative(..) | Node::Arithmetic(..) | Node::Top(..) => None,
            Node::Group(..) | Node::Having(..) | Node::Exists(_) | Node::Test(..) | Node::Text(..) => None,
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => None,
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => None,
        }
    }

    /// Condition that a row has no partner: "City is missing".
    fn missing(&mut self, binary: FormulaId) -> Condition {
        let words = &self.phrases.conditions;
        let (is, missing) = (words.is.clone(), words.missing.clone());
        one(self.noun_of(binary), is, missing)
    }

    /// Condition on an amount computed across columns: "Home is more than Away", "Home minus Away is at least 3".
    fn amount_clause(&mut self, op: Arithmetic, a: FormulaId, b: FormulaId, unary: FormulaId) -> Condition {
        if op == Arithmetic::Sub
            && let Some(compare) = self.compared_with_zero(unary)
        {
            let (left, right) = (self.noun_of(a), self.noun_of(b));
            let words = &self.phrases.conditions;
            let (verb, template) = match compare {
                None => (&words.is, &words.same_as),
                Some(Compare::NotEqual) => (&words.is_not, &words.same_as),
                Some(Compare::Less) => (&words.is, &words.less),
                Some(Compare::Greater) => (&words.is, &words.greater),
                Some(Compare::AtMost) => (&words.is, &words.at_most),
                Some(Compare::AtLeast) => (&words.is, &words.at_least),
            };
            return one(left, verb.clone(), template.fill(&[("value", &right)]));
        }
        let subject = self.across_noun(op, a, b);
        self.clause(&Subject::plain(&subject), unary)
    }

    /// Comparison of `>.0`; `Some(None)` for 0 itself.
    fn compared_with_zero(&self, id: FormulaId) -> Option<Option<Compare>> {
        let is_zero = |id: FormulaId| self.node(id) == Node::Value(Value::Number(0.0));
        match self.node(id) {
            Node::Join(binary, unary) if is_zero(unary) => self.comparison(binary).map(Some),
            _ => is_zero(id).then_some(None),
        }
    }

    /// Test of a text as a clause: "City contains “york”".
    fn text_clause(&self, subject: &Subject, test: TextTest, text: TextId) -> Condition {
        let words = &self.phrases.conditions;
        let verb = match test {
            TextTest::Contains => &words.contains,
            TextTest::Starts => &words.starts,
            TextTest::Ends => &words.ends,
        };
        let text = super::text::one_line(self.executor.formulas().text(text));
        one(subject.text.clone(), verb.clone(), self.phrases.values.quoted.fill(&[("text", &text)]))
    }

    fn condition_of_join(&mut self, binary: FormulaId, unary: FormulaId) -> Option<Condition> {
        match self.relation(binary)? {
            (Relation::Column(column), Way::Back) => {
                let subject = self.subject(column);
                Some(self.clause(&subject, unary))
            }
            (Relation::Index, Way::Back) => Some(self.index_clause(unary)),
            (Relation::Run(column), Way::Back) => {
                let subject = Subject { run: true, ..self.subject(column) };
                Some(self.clause(&subject, unary))
            }
            (Relation::Across(op, a, b), Way::Back) => Some(self.amount_clause(op, a, b, unary)),
            (Relation::Lambda(var, body), Way::Back) if self.is_rows(body) => {
                let applied = self.applied(var, body, unary)?;
                self.condition(applied)
            }
            (Relation::Lambda(var, body), Way::Forth) if self.is_row_var(var, body) => {
                let subject = self.bind(var, Referent::Row, |this| this.values(body));
                Some(self.clause(&Subject::plain(&subject), unary))
            }
            (Relation::Column(_) | Relation::Index | Relation::Run(_) | Relation::Lambda(..), _) => None,
            (Relation::Reading(_) | Relation::Next | Relation::Compare(_) | Relation::Across(..), _) => None,
        }
    }

    /// Condition that the body of a mark puts on the marked thing.
    pub(super) fn holds(&mut self, var: Var, body: FormulaId) -> Option<Condition> {
        match self.node(body) {
            Node::Join(binary, condition) => match self.node(binary) {
                // `mark x[λy[x].u]` selects the x for which `u` is not empty.
                Node::Lambda(_, itself) if self.node(itself) == Node::Var(var) => Some(self.meets(condition)),
                _ => self.condition(body),
            },
            _ => self.condition(body),
        }
    }

    /// Condition that a list of values is not empty: "A is more than B" for `A & >.B`.
    fn meets(&mut self, id: FormulaId) -> Condition {
        if let Node::And(a, b) = self.node(id) {
            let (value, test) = if self.is_comparison(a) { (b, a) } else { (a, b) };
            let subject = Subject::plain(&self.values(value));
            return self.clause(&subject, test);
        }
        let words = &self.phrases.conditions;
        let (verb, complement) = (words.exists.clone(), words.holds.clone());
        one(self.values(id), verb, complement)
    }

    /// Tells if a formula consists of comparisons alone.
    pub(super) fn is_comparison(&self, id: FormulaId) -> bool {
        match self.node(id) {
            Node::Join(binary, _) => self.comparison(binary).is_some(),
            Node::Text(..) => true,
            Node::And(a, b) | Node::Or(a, b) => self.is_comparison(a) && self.is_comparison(b),
            _ => false,
        }
    }

    pub(super) fn comparison(&self, binary: FormulaId) -> Option<Compare> {
        self.executor.formulas().comparison(binary)
    }

    /// Condition that the subject is one of the values of a formula, or passes its filter.
    pub(super) fn clause(&mut self, subject: &Subject, id: FormulaId) -> Condition {
        if self.spend().is_none() {
            return self.is(subject, self.phrases.lists.more.clone());
        }
        match self.node(id) {
            Node::And(a, b) if self.is_comparison(a) || self.is_read(a) => {
                all(self.clause(subject, a), self.clause(subject, b))
            }
            Node::Or(a, b) => any(self.clause(subject, a), self.clause(subject, b)),
            Node::Text(test, text) => self.text_clause(subject, test, text),
            Node::Except(a, b) => {
                let (of, other) = (self.clause(subject, a), self.clause(subject, b));
                match self.negated(&other) {
                    Some(other) => all(of, other),
                    None => self.equal(subject, id),
                }
            }
            Node::Join(binary, unary) => match (self.node(binary), self.comparison(binary)) {
                (_, Some(op)) => self.compared(subject, op, unary),
                (Node::Reading(Reading::Part), _) => self.included(subject, unary),
                (Node::Reading(reading), _) => {
                    let subject = self.reading_subject(subject, reading);
                    self.clause(&subject, unary)
                }
                _ => self.equal(subject, id),
            },
            _ => self.equal(subject, id),
        }
    }

    /// Column as a subject.
    fn subject(&self, column: ColumnId) -> Subject {
        let words = &self.phrases.values;
        let text = match self.is_repeated(column) {
            true => words.the.fill(&[("noun", &self.column(column)), ("behind", "")]),
            false => self.column(column),
        };
        Subject { text, column: Some(column), years: self.holds_years(column), times: false, run: false }
    }

    /// Reading of a subject; plain readings have the subject's own name.
    fn reading_subject(&self, subject: &Subject, reading: Reading) -> Subject {
        if let Some(column) = subject.column.filter(|_| super::values::is_plain(reading)) {
            let text = self.read_as(&subject.text, column, reading);
            let times = reading == Reading::Duration && self.executor.graph().column(column).is_of_times;
            return Subject { text, times, ..subject.clone() };
        }
        let read = self.reading_of(&subject.text, reading);
        match read == subject.text {
            true => subject.clone(),
            false => Subject::plain(&self.phrases.values.the.fill(&[("noun", &read), ("behind", "")])),
        }
    }

    /// Clause "subject is complement".
    fn is(&self, subject: &Subject, complement: String) -> Condition {
        let words = &self.phrases.conditions;
        match subject.run {
            true => {
                let complement = words.rows_in_a_row.fill(&[("number", &complement)]);
                one(subject.text.clone(), words.stays.clone(), complement)
            }
            false => one(subject.text.clone(), words.is.clone(), complement),
        }
    }

    /// Tells if a formula selects texts by their readings alone.
    fn is_read(&self, id: FormulaId) -> bool {
        match self.node(id) {
            Node::Join(binary, _) => matches!(self.node(binary), Node::Reading(_)),
            Node::And(a, b) | Node::Or(a, b) => self.is_read(a) && self.is_read(b),
            _ => false,
        }
    }

    /// Condition on the parts of a cell: "includes".
    fn included(&mut self, subject: &Subject, id: FormulaId) -> Condition {
        let words = self.phrases;
        match self.node(id) {
            Node::Or(a, b) => any(self.included(subject, a), self.included(subject, b)),
            Node::Join(binary, unary) if self.comparison(binary) == Some(Compare::NotEqual) => {
                one(subject.text.clone(), words.conditions.does_not_include.clone(), self.values(unary))
            }
            _ => one(subject.text.clone(), words.conditions.includes.clone(), self.values(id)),
        }
    }

    /// Condition that the subject equals a formula's value.
    fn equal(&mut self, subject: &Subject, id: FormulaId) -> Condition {
        let words = self.phrases;
        let complement = match self.node(id) {
            Node::Value(Value::Number(_)) if subject.times => self.time(subject, id).unwrap_or_default(),
            Node::Value(Value::Date(date)) => self.on(date),
            Node::Value(Value::Entity(entity)) if self.executor.graph().name(entity).is_empty() => {
                words.conditions.empty.clone()
            }
            Node::Value(_) => self.values(id),
            _ => match self.source(id) {
                Some(source) if self.is_row_referent(source.rows) => {
                    let value = source.column.map_or(source.noun, |column| self.subject(column).text);
                    words.conditions.same_as.fill(&[("value", &value)])
                }
                Some(source) if source.column.is_some() && source.column == subject.column => {
                    let rows = self.rows(source.rows, &words.rows.row, &words.rows.rows);
                    words.conditions.same_as_in.fill(&[("rows", &rows)])
                }
                _ => self.values(id),
            },
        };
        self.is(subject, complement)
    }

    /// Date as a complement: "on May 3, 2010", "in May 2010".
    fn on(&self, date: Date) -> String {
        let words = &self.phrases.conditions;
        let template = if date.day().is_some() { &words.on_day } else { &words.in_period };
        template.fill(&[("value", &self.date(date))])
    }

    /// Condition that the subject compares with a bound: "more than 5", "after 1990".
    pub(super) fn compared(&mut self, subject: &Subject, op: Compare, bound: FormulaId) -> Condition {
        let words = &self.phrases.conditions;
        if op == Compare::NotEqual {
            let Condition::One(clause) = self.equal(subject, bound) else {
                return one(subject.text.clone(), words.is_not.clone(), self.values(bound));
            };
            return one(clause.subject, words.is_not.clone(), clause.complement);
        }
        // `None` for a number; for a date, true if it has a day.
        let time = self.time(subject, bound);
        let has_day = match self.node(bound) {
            _ if time.is_some() => Some(true),
            Node::Value(Value::Date(date)) => Some(date.day().is_some()),
            Node::Value(Value::Number(n)) if subject.years && is_year(n) => Some(false),
            _ => self.is_date(bound).then_some(true),
        };
        let template = match (op, has_day) {
            (Compare::Less, None) => &words.less,
            (Compare::Greater, None) => &words.greater,
            (Compare::AtMost, None) => &words.at_most,
            (Compare::AtLeast | Compare::NotEqual, None) => &words.at_least,
            (Compare::Less, _) => &words.before,
            (Compare::Greater, _) => &words.after,
            (Compare::AtMost, _) if time.is_some() => &words.time_or_before,
            (Compare::AtLeast, _) if time.is_some() => &words.time_or_after,
            (Compare::AtMost, Some(true)) => &words.day_or_before,
            (Compare::AtMost, _) => &words.period_or_before,
            (Compare::AtLeast | Compare::NotEqual, Some(true)) => &words.day_or_after,
            (Compare::AtLeast | Compare::NotEqual, _) => &words.period_or_after,
        };
        let value = match self.node(bound) {
            _ if time.is_some() => time.unwrap_or_default(),
            Node::Value(Value::Number(n)) if has_day.is_some() => show_number(n),
            _ => self.values(bound),
        };
        self.is(subject, template.fill(&[("value", &value)]))
    }

    /// Time of day that a subject is compared with.
    fn time(&self, subject: &Subject, id: FormulaId) -> Option<String> {
        match self.node(id) {
            Node::Value(Value::Number(n)) if subject.times => self.executor.graph().show_time(subject.column?, n),
            _ => None,
        }
    }

    /// Condition on the place of a row: before or after another row, or by its number.
    fn index_clause(&mut self, id: FormulaId) -> Condition {
        let words = self.phrases;
        if let Node::Join(binary, unary) = self.node(id)
            && let Some(op) = self.comparison(binary)
            && let Some((Relation::Index, rows)) = self.executor.formulas().looked_up(unary)
        {
            let template = match op {
                Compare::Less | Compare::AtMost => Some(&words.conditions.comes_before),
                Compare::Greater | Compare::AtLeast => Some(&words.conditions.comes_after),
                Compare::NotEqual => None,
            };
            if let Some(template) = template {
                let rows = self.rows(rows, &words.rows.one, &words.rows.ones);
                let complement = template.fill(&[("rows", &rows)]);
                return one(words.conditions.the_row.clone(), words.conditions.comes.clone(), complement);
            }
        }
        let from_one = self.counted_from_one(id);
        self.clause(&Subject::plain(&words.conditions.row_number), from_one)
    }

    /// Noun phrase for rows at the top of the table, as in `Index.<.3`.
    pub(super) fn top_rows(&self, id: FormulaId, noun: &str, nouns: &str) -> Option<String> {
        let Node::Join(index, condition) = self.node(id) else { return None };
        let Node::Join(less, bound) = self.node(condition) else { return None };
        let Node::Value(Value::Number(count)) = self.node(bound) else { return None };
        let is_top = self.node(index) == Node::Index && self.comparison(less) == Some(Compare::Less);
        let words = &self.phrases.rows;
        match count {
            _ if !is_top || count < 1.0 => None,
            1.0 => Some(words.first.fill(&[("noun", noun), ("of", "")])),
            _ => Some(words.top.fill(&[("count", &show_number(count)), ("noun", nouns), ("of", "")])),
        }
    }

    /// Rewrites a condition on row numbers for people, who count from 1.
    fn counted_from_one(&mut self, id: FormulaId) -> FormulaId {
        match self.node(id) {
            Node::Value(Value::Number(n)) => self.executor.formulas_mut().number(n + 1.0),
            Node::Join(binary, unary) if self.comparison(binary).is_some() => {
                let unary = self.counted_from_one(unary);
                self.executor.formulas_mut().intern(Node::Join(binary, unary))
            }
            Node::And(a, b) => {
                let (a, b) = (self.counted_from_one(a), self.counted_from_one(b));
                self.executor.formulas_mut().intern(Node::And(a, b))
            }
            _ => id,
        }
    }
}
