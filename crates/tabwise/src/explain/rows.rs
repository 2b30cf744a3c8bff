//! English for rows: as a noun phrase ("the last row where Country is Greece"), or as a restriction behind the name of
//! a column ("… where Country is Greece", "… with the highest Weight").

use super::{Explainer, Referent};
use crate::formula::{FormulaId, Node, Relation, Superlative, Way};

impl Explainer<'_, '_> {
    /// Describes rows as a noun phrase, with `noun` for one of them and `nouns` for several.
    pub(super) fn rows(&mut self, id: FormulaId, noun: &str, nouns: &str) -> String {
        let words = self.phrases;
        if self.spend().is_none() {
            return words.lists.more.clone();
        }
        if let Some(top) = self.top_rows(id, noun, nouns) {
            return top;
        }
        if let Some(condition) = self.condition(id) {
            let noun = if self.is_one(id) { noun } else { nouns };
            return match condition.is_none() {
                true => words.rows.all.clone(),
                false => words.rows.filtered.fill(&[("noun", noun), ("condition", &self.say(&condition))]),
            };
        }
        if let Some(ranked) = self.ranked(id) {
            return self.ranked_row(&ranked, noun);
        }
        match self.node(id) {
            Node::Superlative(op, of, key) => self.best_rows(id, op, of, key, noun, nouns),
            Node::Join(binary, unary) => self.joined_rows(id, binary, unary, noun, nouns),
            Node::And(a, b) => {
                let (rows, condition) = if self.condition(a).is_some() { (b, a) } else { (a, b) };
                let said = self.rows(rows, noun, nouns);
                match self.condition(condition) {
                    Some(clause) => words.rows.provided.fill(&[("rows", &said), ("condition", &self.say(&clause))]),
                    None => {
                        let other = self.rows(condition, &words.rows.one, &words.rows.ones);
                        words.rows.also.fill(&[("rows", &said), ("other", &other)])
                    }
                }
            }
            Node::Or(a, b) => {
                let both = [self.rows(a, noun, nouns), self.rows(b, noun, nouns)];
                self.list(&both, &words.lists.and)
            }
            Node::Top(op, of, key, n) => self.several_rows(op, of, key, n),
            Node::Except(a, b) => {
                let said = self.rows(a, noun, nouns);
                let other = self.rows(b, &words.rows.one, &words.rows.ones);
                words.rows.except.fill(&[("rows", &said), ("other", &other)])
            }
            Node::Rows | Node::Var(_) | Node::Mark(..) | Node::Value(_) => words.rows.same.clone(),
            Node::Aggregate(..) | Node::Arithmetic(..) | Node::Group(..) | Node::Having(..) => words.rows.same.clone(),
            Node::Exists(_) | Node::Test(..) | Node::Missing(_) | Node::Text(..) => words.rows.same.clone(),
            Node::Column(_) | Node::Reading(_) | Node::Next | Node::Index | Node::Run(_) => words.rows.same.clone(),
            Node::Compare(_) | Node::Reverse(_) | Node::Lambda(..) | Node::Across(..) => words.rows.same.clone(),
        }
    }

    /// Describes the best rows by a key.
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
        if self.node(key) != Node::Index {
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

    /// Describes the rows of a join that is no condition.
    fn joined_rows(&mut self, id: FormulaId, binary: FormulaId, unary: FormulaId, noun: &str, nouns: &str) -> String {
        let words = &self.phrases.rows;
        let template = match self.relation(binary) {
            Some((Relation::Next, Way::Back)) => &words.before,
            Some((Relation::Next, Way::Forth)) => &words.after,
            Some((Relation::Lambda(var, body), Way::Back)) => {
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

    /// Restriction to rows that follows the name of a column, with a leading space; empty for all rows.
    pub(super) fn behind(&mut self, id: FormulaId) -> String {
        let words = self.phrases;
        if self.is_row_referent(id) {
            return String::new();
        }
        if let Some(top) = self.top_rows(id, &words.rows.row, &words.rows.rows) {
            return words.behind.of.fill(&[("rows", &top)]);
        }
        if let Some(condition) = self.condition(id) {
            return match condition.is_none() {
                true => String::new(),
                false => words.behind.filtered.fill(&[("condition", &self.say(&condition))]),
            };
        }
        match (self.ranked(id), self.node(id)) {
            (Some(ranked), _) if self.node(ranked.key) != Node::Index => {
                let quality = self.quality(ranked.key, Referent::Row);
                format!(" {}{}", self.say_ranked(&ranked, &quality), self.among(ranked.of))
            }
            (_, Node::Superlative(op, of, key)) if self.node(key) != Node::Index => {
                let quality = self.quality(key, Referent::Row);
                format!(" {}{}", self.say_quality(op, &quality), self.among(of))
            }
            _ => words.behind.of.fill(&[("rows", &self.rows(id, &words.rows.row, &words.rows.rows))]),
        }
    }

    /// Restriction to the rows that an order compares, with a leading space; empty for all rows.
    pub(super) fn among(&mut self, of: FormulaId) -> String {
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
}
