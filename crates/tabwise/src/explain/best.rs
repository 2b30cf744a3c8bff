//! English for superlatives: the property of the best ("with the highest Weight", "that appears most often"), and the
//! best of some values ("Paris or London, whichever has the higher Nations").

use super::several::Ranked;
use super::{Explainer, Order, Quality, Referent, Source};
use crate::formula::{Aggregate, FormulaId, Node, Relation, Superlative, Var, Way};
use crate::value::Value;

impl Explainer<'_, '_> {
    /// Describes `argmax(values, key)`.
    pub(super) fn best_values(&mut self, op: Superlative, of: FormulaId, key: FormulaId) -> String {
        let words = &self.phrases.superlatives;
        let quality = self.quality(key, Referent::Value);
        if let Some(atoms) = self.atoms(of) {
            return self.whichever(op, &atoms, of, &quality);
        }
        if let Some(source) = self.source(of) {
            if let Quality::Itself(order) = quality {
                let behind = self.behind(source.rows);
                let best = &self.phrases.aggregates.best;
                let superlative = self.superlative(op, order);
                return best.fill(&[("superlative", superlative), ("noun", &source.noun), ("behind", &behind)]);
            }
            let behind = self.behind(source.rows);
            let those = match behind.is_empty() {
                true => String::new(),
                false => self.phrases.behind.of_those.fill(&[("behind", &behind)]),
            };
            let quality = format!(" {}{those}", self.say_quality(op, &quality));
            return self.phrases.values.the.fill(&[("noun", &source.noun), ("behind", &quality)]);
        }
        let values = self.values(of);
        match quality {
            Quality::Itself(order) => {
                let superlative = self.superlative(op, order);
                self.phrases.aggregates.best_of.fill(&[("superlative", superlative), ("values", &values)])
            }
            _ => words.one_of.fill(&[("values", &values), ("quality", &self.say_quality(op, &quality))]),
        }
    }

    /// Describes the better of some values that the question names: "Paris or London, whichever has ..".
    fn whichever(&mut self, op: Superlative, atoms: &[Value], of: FormulaId, quality: &Quality) -> String {
        let words = &self.phrases.superlatives;
        let values = self.values(of);
        let is_pair = atoms.len() == 2;
        let end = |order| if is_pair { self.comparative(op, order) } else { self.superlative(op, order) };
        let quality = match quality {
            Quality::Has(noun, order) => words.has.fill(&[("superlative", end(*order)), ("noun", noun)]),
            Quality::Often(column, behind) => {
                let more = match (op, is_pair) {
                    (Superlative::Argmax, true) => &words.more,
                    (Superlative::Argmax, false) => &words.most,
                    (Superlative::Argmin, true) => &words.less,
                    (Superlative::Argmin, false) => &words.least,
                };
                words.more_often.fill(&[("more", more), ("column", column), ("behind", behind)])
            }
            Quality::Itself(order) => words.is.fill(&[("superlative", end(*order))]),
            Quality::Is(..) => {
                let quality = self.say_quality(op, quality);
                return words.one_of.fill(&[("values", &values), ("quality", &quality)]);
            }
        };
        words.whichever.fill(&[("values", &values), ("quality", &quality)])
    }

    /// Describes a column of the rows that are best by the same column: "the lowest Position where Event is Marathon".
    pub(super) fn best_of_itself(&mut self, source: &Source) -> Option<String> {
        let ranked = self.ranked(source.rows);
        let (op, of, key) = match (&ranked, self.node(source.rows)) {
            (Some(ranked), _) => (ranked.op, ranked.of, ranked.key),
            (None, Node::Superlative(op, of, key)) => (op, of, key),
            _ => return None,
        };
        let Quality::Has(noun, order) = self.quality(key, Referent::Row) else { return None };
        (noun == source.noun && self.condition(of).is_some()).then(|| {
            let behind = self.behind(of);
            let superlative = self.superlative(op, order);
            let nth = |ranked: Ranked| {
                let nth = &self.phrases.superlatives.nth;
                nth.fill(&[("ordinal", &ranked.ordinal), ("superlative", superlative)])
            };
            let superlative = &ranked.map_or_else(|| superlative.to_string(), nth);
            let words = &self.phrases.aggregates;
            words.best.fill(&[("superlative", superlative), ("noun", &noun), ("behind", &behind)])
        })
    }

    /// Property of the best by a key, for rows or for values.
    pub(super) fn quality(&mut self, key: FormulaId, member: Referent) -> Quality {
        let (var, body) = self.body_of(key);
        self.bind(var, member, |this| match member {
            Referent::Row => this.quality_of_row(body),
            _ => this.quality_of_value(body, var),
        })
    }

    /// Key as a formula for the key of `x`: `Index` becomes `R[Index].x`, and the chain `λx[City.x]` is reversed. One
    /// form for all keys leaves one case to describe.
    pub(super) fn body_of(&mut self, key: FormulaId) -> (Var, FormulaId) {
        let first = Var(0);
        match self.relation(key) {
            Some((Relation::Lambda(var, body), Way::Forth)) => (var, body),
            Some((Relation::Lambda(var, body), Way::Back)) => {
                let path = self.executor.formulas().chain(var, body).unwrap_or_default();
                let path: Vec<FormulaId> =
                    path.into_iter().map(|step| self.executor.formulas_mut().reverse(step)).collect();
                (var, self.follow(var, &path))
            }
            _ => {
                let back = self.executor.formulas_mut().reverse(key);
                (first, self.follow(first, &[back]))
            }
        }
    }

    /// Joins a variable with each relation of a path.
    fn follow(&mut self, var: Var, path: &[FormulaId]) -> FormulaId {
        let start = self.executor.formulas_mut().intern(Node::Var(var));
        path.iter().fold(start, |at, step| self.executor.formulas_mut().join(*step, at))
    }

    fn quality_of_row(&mut self, body: FormulaId) -> Quality {
        match self.source(body) {
            Some(source) if self.is_row_referent(source.rows) => Quality::Has(source.noun, source.order),
            _ => Quality::Is(self.values(body), self.order(body)),
        }
    }

    fn quality_of_value(&mut self, body: FormulaId, var: Var) -> Quality {
        match self.node(body) {
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
                        Aggregate::Median => (&words.median, order),
                        Aggregate::Count => (&words.different, Order::Number),
                        Aggregate::Max | Aggregate::Min => return Quality::Has(noun, order),
                    };
                    return Quality::Has(template.fill(&[("noun", &noun)]), order);
                }
            }
            Node::Var(found) if found == var => return Quality::Itself(Order::Number),
            Node::Join(binary, unary) if self.node(unary) == Node::Var(var) => {
                if let Some((Relation::Reading(reading), Way::Forth)) = self.relation(binary) {
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

    /// Noun and order of a column looked up in the rows of a variable. Further conditions on the rows are part of the
    /// noun.
    fn noun_about(&mut self, id: FormulaId, var: Var) -> Option<(String, Order)> {
        let source = self.source(id)?;
        let (_, rest) = self.about(source.rows, var)?;
        Some((format!("{}{rest}", source.noun), source.order))
    }

    /// Column and further conditions of rows whose column is the value of the sentence.
    pub(super) fn about_it(&mut self, rows: FormulaId) -> Option<(String, String)> {
        let values = self.bound.iter().rev().filter(|(_, referent)| *referent == Referent::Value);
        let vars: Vec<Var> = values.map(|(var, _)| *var).collect();
        vars.into_iter().find_map(|var| self.about(rows, var))
    }

    /// Column and further conditions of rows whose column is the variable.
    pub(super) fn about(&mut self, rows: FormulaId, var: Var) -> Option<(String, String)> {
        match self.node(rows) {
            Node::Join(binary, unary) => match self.node(binary) {
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

    /// Tells if a formula is the variable or a reading of it.
    fn is_var(&self, id: FormulaId, var: Var) -> bool {
        match self.node(id) {
            Node::Var(found) => found == var,
            Node::Join(binary, unary) => matches!(self.node(binary), Node::Reading(_)) && self.is_var(unary, var),
            _ => false,
        }
    }

    /// Writes a property: "with the highest Weight", "that appears most often".
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

    /// Adjective for the best of many: "highest", "earliest".
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

    /// Adjective for the better of two: "higher", "earlier".
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
