//! English for values: [`Explainer::values`] describes any unary as a noun phrase, such as "the Year of the last row
//! where Country is Greece".

use super::clauses::{Clause, Condition, Subject};
use super::{Explainer, Order, Referent, Source};
use crate::formula::{FormulaId, Node, Relation, Way};
use crate::graph::{ColumnId, Reading};
use crate::value::Value;

impl Explainer<'_, '_> {
    /// Describes a unary as a noun phrase.
    pub(super) fn values(&mut self, id: FormulaId) -> String {
        let words = self.phrases;
        if self.spend().is_none() {
            return words.lists.more.clone();
        }
        if self.is_rows(id) {
            return self.rows(id, &words.rows.row, &words.rows.rows);
        }
        match self.node(id) {
            Node::Value(value) => self.value(value),
            Node::Join(binary, unary) => self.joined_values(id, binary, unary),
            Node::And(a, b) => self.both(a, b),
            Node::Or(..) => self.either(id),
            Node::Aggregate(op, part) => self.aggregate(op, part),
            Node::Superlative(op, of, key) => match self.ranked(id) {
                Some(ranked) => self.ranked_value(&ranked),
                None => self.best_values(op, of, key),
            },
            Node::Arithmetic(op, a, b) => self.arithmetic(op, a, b),
            Node::Mark(var, body) => {
                let condition = self.bind(var, Referent::Value, |this| this.holds(var, body));
                let condition = condition.map(|condition| self.say(&condition)).unwrap_or_default();
                words.values.anything_for_which.fill(&[("condition", &condition)])
            }
            Node::Top(op, of, key, n) => self.several_values(op, of, key, n),
            Node::Group(of, key) => self.group(of, key),
            Node::Having(of, key, wanted) => self.having(of, key, wanted),
            Node::Except(a, b) => {
                let values = self.values(a);
                let other = match self.atoms(b) {
                    Some(atoms) => {
                        let said: Vec<String> = atoms.into_iter().map(|value| self.value(value)).collect();
                        self.list(&said, &words.lists.and)
                    }
                    None => self.values(b),
                };
                words.values.except.fill(&[("values", &values), ("other", &other)])
            }
            Node::Exists(of) => self.exists(of),
            Node::Test(op, a, b) => self.test(op, a, b),
            Node::Text(..) => self.anything(id),
            Node::Var(_) | Node::Rows | Node::Missing(_) => words.values.it.clone(),
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => words.values.it.clone(),
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => words.values.it.clone(),
        }
    }

    /// Describes a join that denotes values.
    fn joined_values(&mut self, id: FormulaId, binary: FormulaId, unary: FormulaId) -> String {
        let words = &self.phrases.values;
        if let Some(source) = self.source(id) {
            return self.looked_up(id, &source);
        }
        match self.relation(binary) {
            Some((Relation::Lambda(var, body), Way::Back)) => match self.applied(var, body, unary) {
                Some(applied) => self.values(applied),
                None => self.phrases.lists.more.clone(),
            },
            Some((Relation::Lambda(var, body), Way::Forth)) => {
                let subject = self.bind(var, Referent::Value, |this| this.values(body));
                let condition = self.clause(&Subject::plain(&subject), unary);
                words.anything_for_which.fill(&[("condition", &self.say(&condition))])
            }
            Some((Relation::Reading(_), Way::Back)) => {
                let value = self.values(unary);
                words.reading_as.fill(&[("value", &value)])
            }
            Some((Relation::Reading(reading), Way::Forth)) => {
                let values = self.values(unary);
                let template = match reading {
                    Reading::Number | Reading::Date | Reading::Duration => return values,
                    Reading::Number2 => &words.second_number_of,
                    Reading::Date2 => &words.second_date_of,
                    Reading::Year => &words.year_of,
                    Reading::Month => &words.month_of,
                    Reading::Weekday => &words.weekday_of,
                    Reading::Part => &words.items_of,
                };
                template.fill(&[("values", &values)])
            }
            _ => self.anything(id),
        }
    }

    /// Describes a filter on its own: "anything that is more than 5".
    fn anything(&mut self, id: FormulaId) -> String {
        let words = &self.phrases.values;
        match self.clause(&Subject::plain(&words.it), id) {
            Condition::One(Clause { verb, complement, .. }) => {
                words.anything.fill(&[("verb", &verb), ("complement", &complement)])
            }
            condition => words.anything_for_which.fill(&[("condition", &self.say(&condition))]),
        }
    }

    /// Describes a column looked up in rows.
    fn looked_up(&mut self, id: FormulaId, source: &Source) -> String {
        if self.is_row_referent(source.rows) {
            return source.noun.clone();
        }
        if let Some(best) = self.best_of_itself(source).or_else(|| self.several_of_itself(source)) {
            return best;
        }
        let words = &self.phrases.values;
        let template = if self.is_one(id) { &words.the } else { &words.every };
        let behind = self.behind_noun(&source.noun, source.rows);
        template.fill(&[("noun", &source.noun), ("behind", &behind)])
    }

    /// Restriction behind a noun: "of ..", or "in .." if the noun already has an "of".
    fn behind_noun(&mut self, noun: &str, rows: FormulaId) -> String {
        let behind = self.behind(rows);
        let words = &self.phrases.behind;
        let (of, within) = (words.of.fill(&[("rows", "")]), words.within.fill(&[("rows", "")]));
        match behind.strip_prefix(of.as_str()) {
            Some(rest) if noun.contains(of.as_str()) => format!("{within}{rest}"),
            _ => behind,
        }
    }

    /// Source of a formula that looks up a column, a reading of one, a run or the row number in rows.
    pub(super) fn source(&mut self, id: FormulaId) -> Option<Source> {
        let (relation, unary) = self.executor.formulas().looked_up(id)?;
        let words = &self.phrases.columns;
        match relation {
            Relation::Column(column) => {
                let noun = match self.is_numeric(column) && !self.is_repeated(column) {
                    true => words.entry.fill(&[("column", &self.column(column))]),
                    false => self.column(column),
                };
                Some(Source { noun, column: Some(column), reading: None, rows: unary, order: self.order_in(column) })
            }
            Relation::Reading(reading) => {
                let source = self.source(unary)?;
                let noun = match source.column.is_some_and(|column| self.is_repeated(column)) {
                    true => self
                        .reading_of(&self.phrases.values.the.fill(&[("noun", &source.noun), ("behind", "")]), reading),
                    false => self.reading_of(&source.noun, reading),
                };
                let noun = match source.column {
                    Some(column) if is_plain(reading) => self.read_as(&source.noun, column, reading),
                    _ => noun,
                };
                let is_of_times = source.column.is_some_and(|column| self.executor.graph().column(column).is_of_times);
                let order = match reading {
                    Reading::Number => source.order,
                    Reading::Duration if is_of_times => Order::Date,
                    _ => Order::of(reading),
                };
                Some(Source { noun, reading: Some(reading), order, ..source })
            }
            Relation::Run(column) => {
                let noun = words.run.fill(&[("column", &self.column(column))]);
                Some(Source { noun, column: None, reading: None, rows: unary, order: Order::Length })
            }
            Relation::Index => {
                let noun = words.row_number.clone();
                Some(Source { noun, column: None, reading: None, rows: unary, order: Order::Number })
            }
            Relation::Across(op, a, b) => {
                let noun = self.across_noun(op, a, b);
                Some(Source { noun, column: None, reading: None, rows: unary, order: Order::Number })
            }
            Relation::Next | Relation::Compare(_) | Relation::Lambda(..) => None,
        }
    }

    /// Order of the values of a formula.
    pub(super) fn order(&mut self, id: FormulaId) -> Order {
        if self.is_date(id) { Order::Date } else { Order::Number }
    }

    /// Describes `A & B` of values.
    fn both(&mut self, a: FormulaId, b: FormulaId) -> String {
        let words = &self.phrases.values;
        let (of, test) = if self.is_comparison(a) { (b, a) } else { (a, b) };
        if self.is_comparison(test) {
            let values = self.values(of);
            return self.tested(values, test);
        }
        if let Some((of, var, body)) = self.marked(a, b) {
            let values = self.values(of);
            let condition = self.bind(var, Referent::Value, |this| this.holds(var, body));
            let condition = condition.map(|condition| self.say(&condition)).unwrap_or_default();
            return words.for_which.fill(&[("values", &values), ("condition", &condition)]);
        }
        let (atoms, other) = if self.atoms(b).is_some() { (b, a) } else { (a, b) };
        let template = if self.atoms(atoms).is_some() { &words.whichever_is } else { &words.also };
        let (values, other) = (self.values(atoms), self.one_of(other));
        template.fill(&[("values", &values), ("other", &other)])
    }

    /// Describes one of several values: "a Name where Position is Center".
    pub(super) fn one_of(&mut self, id: FormulaId) -> String {
        match self.source(id) {
            Some(source) if !self.is_one(id) => self.some(&source),
            _ => self.values(id),
        }
    }

    /// Describes any of the values of a column: "a Name where Position is Center".
    pub(super) fn some(&mut self, source: &Source) -> String {
        let words = &self.phrases.values;
        let has_vowel = source.noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
        let template = if has_vowel { &words.an } else { &words.a };
        let behind = self.behind(source.rows);
        template.fill(&[("noun", &source.noun), ("behind", &behind)])
    }

    /// Other operand, variable and body of an intersection with a mark.
    fn marked(&self, a: FormulaId, b: FormulaId) -> Option<(FormulaId, crate::formula::Var, FormulaId)> {
        match (self.node(a), self.node(b)) {
            (_, Node::Mark(var, body)) => Some((a, var, body)),
            (Node::Mark(var, body), _) => Some((b, var, body)),
            _ => None,
        }
    }

    /// Appends a filter to values: "which is more than 5", "other than Greece".
    fn tested(&mut self, values: String, test: FormulaId) -> String {
        let words = self.phrases;
        let condition = self.clause(&Subject::plain(&words.values.it), test);
        let is_not = &words.conditions.is_not;
        match condition {
            Condition::One(Clause { verb, complement, .. }) if verb == *is_not => {
                words.values.other_than.fill(&[("values", &values), ("value", &complement)])
            }
            Condition::One(Clause { verb, complement, .. }) => {
                words.values.that.fill(&[("values", &values), ("verb", &verb), ("complement", &complement)])
            }
            condition => words.values.for_which.fill(&[("values", &values), ("condition", &self.say(&condition))]),
        }
    }

    /// Values of a formula that is a plain list of them.
    pub(super) fn atoms(&self, id: FormulaId) -> Option<Vec<Value>> {
        match self.node(id) {
            Node::Value(value) => Some(vec![value]),
            Node::Or(a, b) => Some([self.atoms(a)?, self.atoms(b)?].concat()),
            _ => None,
        }
    }

    /// Describes `A | B` of values.
    fn either(&mut self, id: FormulaId) -> String {
        let lists = &self.phrases.lists;
        if let Some(atoms) = self.atoms(id) {
            let said: Vec<String> = atoms.into_iter().map(|value| self.value(value)).collect();
            return self.list(&said, &lists.or);
        }
        let parts = self.parts_of_union(id);
        if let Some(said) = self.columns_of_same_rows(&parts) {
            return said;
        }
        let said: Vec<String> = parts.into_iter().map(|part| self.values(part)).collect();
        self.list(&said, &lists.and)
    }

    fn parts_of_union(&self, id: FormulaId) -> Vec<FormulaId> {
        match self.node(id) {
            Node::Or(a, b) => [self.parts_of_union(a), self.parts_of_union(b)].concat(),
            _ => vec![id],
        }
    }

    /// Describes several columns of the same rows: "the Driver and the Co-driver where Points is 8".
    fn columns_of_same_rows(&mut self, parts: &[FormulaId]) -> Option<String> {
        let sources: Vec<Source> = parts.iter().map(|part| self.source(*part)).collect::<Option<_>>()?;
        let rows = sources.first()?.rows;
        if sources.iter().any(|source| source.rows != rows) {
            return None;
        }
        let words = &self.phrases.values;
        let is_one = parts.iter().all(|part| self.is_one(*part));
        let template = if is_one { &words.the } else { &words.every };
        let named = sources.iter().map(|source| template.fill(&[("noun", &source.noun), ("behind", "")]));
        let named: Vec<String> = named.collect();
        Some(format!("{}{}", self.list(&named, &self.phrases.lists.and), self.behind(rows)))
    }

    /// Order of the numbers of a column: years are later, not higher.
    fn order_in(&self, column: ColumnId) -> Order {
        if self.holds_years(column) { Order::Date } else { Order::Number }
    }

    /// Tells if the numbers of a column are years, which are "later" than others and not "more".
    pub(super) fn holds_years(&self, column: ColumnId) -> bool {
        let graph = self.executor.graph();
        let cells = graph.column(column).cells.iter().take(SAMPLE);
        let mut numbers = cells.filter_map(|entity| graph.read(*entity, Reading::Number));
        let year = |value: Value| matches!(value, Value::Number(n) if is_year(n));
        numbers.next().is_some_and(year) && numbers.all(year)
    }
}

/// Tells if a reading needs no mention: the number or date of a cell is called by the column's name.
pub(super) fn is_plain(reading: Reading) -> bool {
    matches!(reading, Reading::Number | Reading::Date | Reading::Duration)
}

/// Number of cells examined to tell years from other numbers.
const SAMPLE: usize = 50;

/// Tells if a number may be a year.
pub(super) fn is_year(n: f64) -> bool {
    n.fract() == 0.0 && (1000.0..2200.0).contains(&n)
}
