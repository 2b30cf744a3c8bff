//! Rows as noun phrases ("the last row where Country is Greece"), and as what stands behind a name ("… where Country is
//! Greece", "… with the highest Weight").

use super::{Explainer, Order, Quality, Referent};
use crate::formula::{Aggregate, FormulaId, Node, Superlative, Var};

impl Explainer<'_, '_> {
    /// Rows as a noun phrase; `noun` is what one of them is called, `nouns` what several are.
    pub(super) fn rows(&mut self, id: FormulaId, noun: &str, nouns: &str) -> String {
        let words = self.phrases;
        if self.spend().is_none() {
            return words.lists.more.clone();
        }
        if let Some(condition) = self.condition(id) {
            let noun = if self.is_one(id) { noun } else { nouns };
            return match condition.is_none() {
                true => words.rows.all.clone(),
                false => words.rows.filtered.fill(&[("noun", noun), ("condition", &self.say(&condition))]),
            };
        }
        match self.formulas.node(id) {
            Node::Superlative(op, of, key) => self.best_rows(id, op, of, key, noun, nouns),
            Node::Join(binary, unary) => self.joined_rows(id, binary, unary, noun, nouns),
            Node::And(a, b) => {
                let (rows, condition) = if self.condition(a).is_some() { (b, a) } else { (a, b) };
                let said = self.condition(condition).map(|condition| self.say(&condition));
                let said = said.unwrap_or_else(|| self.rows(condition, noun, nouns));
                let rows = self.rows(rows, noun, nouns);
                words.rows.provided.fill(&[("rows", &rows), ("condition", &said)])
            }
            Node::Or(a, b) => {
                let both = [self.rows(a, noun, nouns), self.rows(b, noun, nouns)];
                self.list(&both, &words.lists.and)
            }
            _ => words.rows.same.clone(),
        }
    }

    fn best_rows(
        &mut self,
        id: FormulaId,
        op: Superlative,
        of: FormulaId,
        key: FormulaId,
        noun: &str,
        nouns: &str,
    ) -> String {
        let words = &self.phrases.rows;
        let noun = if self.is_one(id) { noun } else { nouns };
        if self.formulas.node(key) != Node::Index {
            let quality = self.quality(key, Referent::Row);
            let (quality, of) = (self.say_quality(op, &quality), self.among(of));
            return words.best.fill(&[("noun", noun), ("quality", &quality), ("of", &of)]);
        }
        let (plain, listed) = match op {
            Superlative::Argmax => (&words.last, &words.last_of),
            Superlative::Argmin => (&words.first, &words.first_of),
        };
        match self.condition(of) {
            Some(_) => plain.fill(&[("noun", noun), ("of", &self.behind(of))]),
            None => listed.fill(&[("rows", &self.rows(of, noun, nouns))]),
        }
    }

    fn joined_rows(&mut self, id: FormulaId, binary: FormulaId, unary: FormulaId, noun: &str, nouns: &str) -> String {
        let words = &self.phrases.rows;
        let template = match self.formulas.node(binary) {
            Node::Next => &words.before,
            Node::Reverse(inner) if self.formulas.node(inner) == Node::Next => &words.after,
            Node::Lambda(var, body) => {
                return match self.applied(var, body, unary) {
                    Some(applied) => self.rows(applied, noun, nouns),
                    None => self.phrases.lists.more.clone(),
                };
            }
            _ => return words.same.clone(),
        };
        let noun = if self.is_one(id) { noun } else { nouns };
        let rows = self.rows(unary, &words.one, &words.ones);
        template.fill(&[("noun", noun), ("rows", &rows)])
    }

    /// What stands behind the name of a column that is looked up in rows, with a space in front; nothing for all rows.
    pub(super) fn behind(&mut self, id: FormulaId) -> String {
        let words = self.phrases;
        if self.is_row_referent(id) {
            return String::new();
        }
        if let Some(condition) = self.condition(id) {
            return match condition.is_none() {
                true => String::new(),
                false => words.behind.filtered.fill(&[("condition", &self.say(&condition))]),
            };
        }
        match self.formulas.node(id) {
            Node::Superlative(op, of, key) if self.formulas.node(key) != Node::Index => {
                let quality = self.quality(key, Referent::Row);
                format!(" {}{}", self.say_quality(op, &quality), self.among(of))
            }
            _ => words.behind.of.fill(&[("rows", &self.rows(id, &words.rows.row, &words.rows.rows))]),
        }
    }

    /// Which rows an order was taken over, with a space in front; nothing for all rows.
    fn among(&mut self, of: FormulaId) -> String {
        let words = self.phrases;
        match self.condition(of) {
            Some(condition) if condition.is_none() => String::new(),
            Some(condition) => words.behind.among.fill(&[("condition", &self.say(&condition))]),
            None => {
                let rows = self.rows(of, &words.rows.row, &words.rows.rows);
                words.behind.among_rows.fill(&[("rows", &rows)])
            }
        }
    }

    /// What the best of an order have: "the highest Weight".
    pub(super) fn quality(&mut self, key: FormulaId, member: Referent) -> Quality {
        let (var, body) = self.body_of(key);
        self.bind(var, member, |this| match member {
            Referent::Row => this.quality_of_row(body),
            _ => this.quality_of_value(body, var),
        })
    }

    /// A key as a body that speaks of the member: `λx[City.x]` turned round, `Index` as `R[Index].x`.
    fn body_of(&mut self, key: FormulaId) -> (Var, FormulaId) {
        let first = Var(0);
        match self.formulas.node(key) {
            Node::Reverse(inner) => match self.formulas.node(inner) {
                Node::Lambda(var, body) => (var, body),
                _ => (first, self.follow(first, &[inner])),
            },
            Node::Lambda(var, body) => {
                let path = self.formulas.chain(var, body).unwrap_or_default();
                let path: Vec<FormulaId> = path.into_iter().map(|step| self.formulas.reverse(step)).collect();
                (var, self.follow(var, &path))
            }
            _ => {
                let back = self.formulas.reverse(key);
                (first, self.follow(first, &[back]))
            }
        }
    }

    fn follow(&mut self, var: Var, path: &[FormulaId]) -> FormulaId {
        let start = self.formulas.intern(Node::Var(var));
        path.iter().fold(start, |at, step| self.formulas.join(*step, at))
    }

    fn quality_of_row(&mut self, body: FormulaId) -> Quality {
        match self.source(body) {
            Some(source) if self.is_row_referent(source.rows) => Quality::Has(source.noun, source.order),
            _ => Quality::Is(self.values(body), self.order(body)),
        }
    }

    fn quality_of_value(&mut self, body: FormulaId, var: Var) -> Quality {
        match self.formulas.node(body) {
            Node::Aggregate(Aggregate::Count, part) if self.is_rows(part) => {
                if let Some((column, rest)) = self.about(part, var) {
                    return Quality::Often(column, rest);
                }
            }
            Node::Aggregate(op, part) => {
                if let Some((noun, order)) = self.noun_about(part, var) {
                    let words = &self.phrases.superlatives;
                    let (template, order) = match op {
                        Aggregate::Sum => (&words.total, order),
                        Aggregate::Avg => (&words.average, order),
                        Aggregate::Count => (&words.different, Order::Number),
                        Aggregate::Max | Aggregate::Min => return Quality::Has(noun, order),
                    };
                    return Quality::Has(template.fill(&[("noun", &noun)]), order);
                }
            }
            Node::Join(binary, unary) if self.formulas.node(unary) == Node::Var(var) => {
                if let Node::Reverse(inner) = self.formulas.node(binary)
                    && let Node::Reading(reading) = self.formulas.node(inner)
                {
                    return Quality::Itself(Order::of(reading));
                }
            }
            _ => {
                if let Some((noun, order)) = self.noun_about(body, var) {
                    return Quality::Has(noun, order);
                }
            }
        }
        Quality::Is(self.values(body), self.order(body))
    }

    /// A column looked up in the rows of the variable: its name, and what else is said of those rows.
    fn noun_about(&mut self, id: FormulaId, var: Var) -> Option<(String, Order)> {
        let source = self.source(id)?;
        let (_, rest) = self.about(source.rows, var)?;
        Some((format!("{}{rest}", source.noun), source.order))
    }

    /// For rows whose column is the value that is spoken of: the column, and what stands behind it.
    pub(super) fn about_it(&mut self, rows: FormulaId) -> Option<(String, String)> {
        let values = self.bound.iter().rev().filter(|(_, referent)| *referent == Referent::Value);
        let vars: Vec<Var> = values.map(|(var, _)| *var).collect();
        vars.into_iter().find_map(|var| self.about(rows, var))
    }

    /// For rows whose column is the variable: the column, and what stands behind it.
    fn about(&mut self, rows: FormulaId, var: Var) -> Option<(String, String)> {
        match self.formulas.node(rows) {
            Node::Join(binary, unary) => match self.formulas.node(binary) {
                Node::Column(column) if self.is_var(unary, var) => Some((self.column(column), String::new())),
                _ => None,
            },
            Node::And(a, b) => {
                let (about, rest) = match self.about(a, var) {
                    Some(about) => (about, b),
                    None => (self.about(b, var)?, a),
                };
                Some((about.0, format!("{}{}", about.1, self.behind(rest))))
            }
            _ => None,
        }
    }

    /// Whether a formula is the variable, perhaps as it reads.
    fn is_var(&self, id: FormulaId, var: Var) -> bool {
        match self.formulas.node(id) {
            Node::Var(found) => found == var,
            Node::Join(binary, unary) => {
                matches!(self.formulas.node(binary), Node::Reading(_)) && self.is_var(unary, var)
            }
            _ => false,
        }
    }

    /// "with the highest Weight", "that appears most often".
    pub(super) fn say_quality(&self, op: Superlative, quality: &Quality) -> String {
        let words = &self.phrases.superlatives;
        match quality {
            Quality::Has(noun, order) => {
                words.with.fill(&[("superlative", self.superlative(op, *order)), ("noun", noun)])
            }
            Quality::Often(_, behind) => match op {
                Superlative::Argmax => words.most_often.fill(&[("behind", behind)]),
                Superlative::Argmin => words.least_often.fill(&[("behind", behind)]),
            },
            Quality::Itself(order) => {
                let it = &self.phrases.values.it;
                words.for_which.fill(&[("value", it), ("superlative", self.superlative(op, *order))])
            }
            Quality::Is(value, order) => {
                words.for_which.fill(&[("value", value), ("superlative", self.superlative(op, *order))])
            }
        }
    }

    /// "highest", "earliest".
    pub(super) fn superlative(&self, op: Superlative, order: Order) -> &str {
        let words = &self.phrases.superlatives;
        match (op, order) {
            (Superlative::Argmax, Order::Number) => &words.highest,
            (Superlative::Argmin, Order::Number) => &words.lowest,
            (Superlative::Argmax, Order::Date) => &words.latest,
            (Superlative::Argmin, Order::Date) => &words.earliest,
            (Superlative::Argmax, Order::Length) => &words.longest,
            (Superlative::Argmin, Order::Length) => &words.shortest,
        }
    }

    /// "higher", "earlier".
    pub(super) fn comparative(&self, op: Superlative, order: Order) -> &str {
        let words = &self.phrases.superlatives;
        match (op, order) {
            (Superlative::Argmax, Order::Number) => &words.higher,
            (Superlative::Argmin, Order::Number) => &words.lower,
            (Superlative::Argmax, Order::Date) => &words.later,
            (Superlative::Argmin, Order::Date) => &words.earlier,
            (Superlative::Argmax, Order::Length) => &words.longer,
            (Superlative::Argmin, Order::Length) => &words.shorter,
        }
    }
}
