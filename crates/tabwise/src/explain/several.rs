//! English for a number of the best, and for the one at a rank: "the 3 rows with the highest Weight", "the 2 values of
//! City that appear most often", "the row with the second highest Weight".

use super::{Explainer, Quality, Referent, Source};
use crate::formula::{FormulaId, Node, Superlative};
use crate::value::Value;

/// The member at a rank of an order: `argmin(argmax(u, b, 2), b)` is the second.
pub(super) struct Ranked {
    pub(super) op: Superlative,
    pub(super) of: FormulaId,
    pub(super) key: FormulaId,
    /// "second", "third", ...
    pub(super) ordinal: String,
}

impl Explainer<'_, '_> {
    /// Recognises the member at a rank, from the second on.
    pub(super) fn ranked(&self, id: FormulaId) -> Option<Ranked> {
        let Node::Superlative(last, of, key) = self.node(id) else { return None };
        let Node::Top(op, of, by, n) = self.node(of) else { return None };
        let Node::Value(Value::Number(n)) = self.node(n) else { return None };
        let ordinal = self.phrases.columns.ordinals.get((n as usize).checked_sub(2)?)?;
        (last != op && key == by && n.fract() == 0.0).then(|| Ranked { op, of, key, ordinal: ordinal.clone() })
    }

    /// Writes the property of the member at a rank: "with the second highest Weight".
    pub(super) fn say_ranked(&self, ranked: &Ranked, quality: &Quality) -> String {
        let words = &self.phrases.superlatives;
        let nth = |order| {
            words.nth.fill(&[("ordinal", &ranked.ordinal), ("superlative", self.superlative(ranked.op, order))])
        };
        match quality {
            Quality::Has(noun, order) => words.with.fill(&[("superlative", &nth(*order)), ("noun", noun)]),
            Quality::Often(_, behind) => {
                let template = match ranked.op {
                    Superlative::Argmax => &words.nth_most_often,
                    Superlative::Argmin => &words.nth_least_often,
                };
                template.fill(&[("ordinal", &ranked.ordinal), ("behind", behind)])
            }
            Quality::Itself(order) => {
                words.for_which.fill(&[("value", &self.phrases.values.it), ("superlative", &nth(*order))])
            }
            Quality::Is(value, order) => words.for_which.fill(&[("value", value), ("superlative", &nth(*order))]),
        }
    }

    /// Describes the row at a rank.
    pub(super) fn ranked_row(&mut self, ranked: &Ranked, noun: &str) -> String {
        let words = &self.phrases.rows;
        if self.node(ranked.key) == Node::Index {
            let template = match ranked.op {
                Superlative::Argmax => &words.nth_from_end,
                Superlative::Argmin => &words.nth,
            };
            let of = self.behind(ranked.of);
            return template.fill(&[("ordinal", &ranked.ordinal), ("noun", noun), ("of", &of)]);
        }
        let quality = self.quality(ranked.key, Referent::Row);
        let (quality, of) = (self.say_ranked(ranked, &quality), self.among(ranked.of));
        words.best.fill(&[("noun", noun), ("quality", &quality), ("of", &of)])
    }

    /// Describes the value at a rank.
    pub(super) fn ranked_value(&mut self, ranked: &Ranked) -> String {
        let quality = self.quality_of(ranked.key, ranked.of);
        let Some(Source { noun, rows, .. }) = self.source(ranked.of) else {
            let values = self.values(ranked.of);
            let quality = self.say_ranked(ranked, &quality);
            return self.phrases.superlatives.one_of.fill(&[("values", &values), ("quality", &quality)]);
        };
        let behind = self.behind(rows);
        if let Quality::Itself(order) = quality {
            let superlative = self.superlative(ranked.op, order);
            let nth = &self.phrases.superlatives.nth;
            let nth = nth.fill(&[("ordinal", &ranked.ordinal), ("superlative", superlative)]);
            return self.phrases.aggregates.best.fill(&[("superlative", &nth), ("noun", &noun), ("behind", &behind)]);
        }
        let said = self.say_ranked(ranked, &quality);
        let quality = format!(" {said}{}", self.of_those(&said, &behind));
        self.phrases.values.the.fill(&[("noun", &noun), ("behind", &quality)])
    }

    /// Restriction of the values that an order compares, unless the order has said it.
    fn of_those(&self, said: &str, behind: &str) -> String {
        match behind.is_empty() || said.ends_with(behind) {
            true => String::new(),
            false => self.phrases.behind.of_those.fill(&[("behind", behind)]),
        }
    }

    /// Property of the best values. A value that is compared itself is called by the order of its column.
    fn quality_of(&mut self, key: FormulaId, of: FormulaId) -> Quality {
        match (self.quality(key, Referent::Value), self.source(of)) {
            (Quality::Itself(_), Some(source)) => Quality::Itself(source.order),
            (quality, _) => quality,
        }
    }

    /// Describes a number of the best rows by a key: "the 3 rows with the highest Weight".
    pub(super) fn several_rows(&mut self, op: Superlative, of: FormulaId, key: FormulaId, n: FormulaId) -> String {
        let words = &self.phrases.rows;
        let (count, noun) = (self.values(n), if self.is_number(n, 1.0) { &words.row } else { &words.rows });
        if self.node(key) != Node::Index {
            let quality = self.quality(key, Referent::Row);
            let (quality, of) = (self.say_quality(op, &quality), self.among(of));
            let words = [("count", count.as_str()), ("noun", noun), ("quality", &quality), ("of", &of)];
            return self.phrases.rows.several.fill(&words);
        }
        let (plain, listed) = match op {
            Superlative::Argmax => (&words.bottom, &words.bottom_of),
            Superlative::Argmin => (&words.top, &words.top_of),
        };
        match self.condition(of) {
            Some(_) => plain.fill(&[("count", &count), ("noun", noun), ("of", &self.behind(of))]),
            None => listed.fill(&[("count", &count), ("rows", &self.rows(of, &words.row, &words.rows))]),
        }
    }

    /// Tells if a formula is this number.
    fn is_number(&self, id: FormulaId, number: f64) -> bool {
        self.node(id) == Node::Value(Value::Number(number))
    }

    /// Describes `argmax(values, key, n)`.
    pub(super) fn several_values(&mut self, op: Superlative, of: FormulaId, key: FormulaId, n: FormulaId) -> String {
        if self.is_number(n, 1.0) {
            return self.best_values(op, of, key);
        }
        let words = self.phrases;
        let (count, quality) = (self.values(n), self.quality_of(key, of));
        let (noun, behind) = match self.source(of) {
            Some(Source { noun, rows, .. }) => (noun, self.behind(rows)),
            None => (self.values(of), String::new()),
        };
        let said = match &quality {
            Quality::Itself(order) => {
                let superlative = self.superlative(op, *order);
                return self.several_best(&count, superlative, &noun, &behind);
            }
            Quality::Often(_, rest) => match op {
                Superlative::Argmax => words.superlatives.several_most_often.fill(&[("behind", rest)]),
                Superlative::Argmin => words.superlatives.several_least_often.fill(&[("behind", rest)]),
            },
            Quality::Has(..) | Quality::Is(..) => self.say_quality(op, &quality),
        };
        let quality = format!("{said}{}", self.of_those(&said, &behind));
        words.values.several.fill(&[("count", &count), ("noun", &noun), ("quality", &quality)])
    }

    /// Describes a column of several rows that are best by the same column: "the 3 highest values of Weight".
    pub(super) fn several_of_itself(&mut self, source: &Source) -> Option<String> {
        let Node::Top(op, of, key, n) = self.node(source.rows) else { return None };
        let Quality::Has(noun, order) = self.quality(key, Referent::Row) else { return None };
        if noun != source.noun || self.is_number(n, 1.0) || self.condition(of).is_none() {
            return None;
        }
        let (count, behind) = (self.values(n), self.behind(of));
        Some(self.several_best(&count, self.superlative(op, order), &noun, &behind))
    }

    fn several_best(&self, count: &str, superlative: &str, noun: &str, behind: &str) -> String {
        let words = [("count", count), ("superlative", superlative), ("noun", noun), ("behind", behind)];
        self.phrases.values.several_best.fill(&words)
    }
}
