//! The phrases of `knowledge/phrases.toml`: templates with words in braces that are filled in.

use serde::Deserialize;

/// The phrases that are part of the program.
pub const EMBEDDED: &str = include_str!("../../knowledge/phrases.toml");

/// A phrase with words in braces.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(transparent)]
pub struct Template(String);

impl Template {
    /// The phrase with its words filled in; a word in braces that is not given stays as it is.
    pub fn fill(&self, words: &[(&str, &str)]) -> String {
        let mut filled = String::with_capacity(self.0.len() + 32);
        let mut rest = self.0.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let (name, behind) = after.split_once('}').unwrap_or((after, ""));
            let word = words.iter().find(|(known, _)| *known == name);
            filled.push_str(word.map_or("…", |(_, word)| word));
            rest = behind;
        }
        filled.push_str(rest);
        filled
    }
}

macro_rules! phrases {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, Deserialize)]
            #[serde(deny_unknown_fields)]
            pub struct $name { $(pub $field: $kind,)* }
        )*
    };
}

phrases! {
    /// All phrases, by what they speak of.
    Phrases {
        lists: Lists,
        rows: Rows,
        behind: Behind,
        conditions: Conditions,
        columns: Columns,
        values: Values,
        aggregates: Aggregates,
        superlatives: Superlatives,
        arithmetic: Arithmetics,
        dates: Dates,
        results: Results,
        hints: Hints,
    }
    /// How lists are joined.
    Lists { comma: String, and: String, or: String, comma_or: String, either: Template, more: String, }
    /// Which rows.
    Rows {
        all: String,
        row: String,
        rows: String,
        one: String,
        ones: String,
        same: String,
        filtered: Template,
        last: Template,
        first: Template,
        last_of: Template,
        first_of: Template,
        top: Template,
        best: Template,
        before: Template,
        after: Template,
        provided: Template,
        also: Template,
    }
    /// What stands behind a name.
    Behind { filtered: Template, among: Template, among_rows: Template, of: Template, within: Template, of_those: Template, }
    /// Subject, verb and complement of a condition.
    Conditions {
        clause: Template,
        is: String,
        is_not: String,
        includes: String,
        does_not_include: String,
        empty: String,
        less: Template,
        greater: Template,
        at_most: Template,
        at_least: Template,
        before: Template,
        after: Template,
        on_day: Template,
        in_period: Template,
        day_or_before: Template,
        day_or_after: Template,
        period_or_before: Template,
        period_or_after: Template,
        same_as: Template,
        same_as_in: Template,
        the_row: String,
        comes: String,
        comes_before: Template,
        comes_after: Template,
        row_number: String,
        stays: String,
        rows_in_a_row: Template,
        holds: String,
        exists: String,
    }
    /// Columns, and what is read from them.
    Columns {
        unnamed: Template,
        numeric: Template,
        repeated: Template,
        ordinals: Vec<String>,
        later: Template,
        second_number: Template,
        second_date: Template,
        part: Template,
        entry: Template,
        row_number: String,
        run: Template,
    }
    /// Lists of values.
    Values {
        the: Template,
        every: Template,
        a: Template,
        an: Template,
        thousands: String,
        quoted: Template,
        empty: String,
        too_long: String,
        it: String,
        other_than: Template,
        that: Template,
        for_which: Template,
        also: Template,
        whichever_is: Template,
        anything: Template,
        anything_for_which: Template,
        reading_as: Template,
        second_number_of: Template,
        second_date_of: Template,
        items_of: Template,
    }
    /// One value of many.
    Aggregates {
        rows: Template,
        rows_of: Template,
        rows_with_it: Template,
        items: Template,
        different: Template,
        count: Template,
        best: Template,
        best_of: Template,
        sum: Template,
        sum_of_column: Template,
        sum_of: Template,
        avg: Template,
        avg_of: Template,
    }
    /// The ends of an order.
    Superlatives {
        highest: String,
        lowest: String,
        latest: String,
        earliest: String,
        longest: String,
        shortest: String,
        most: String,
        higher: String,
        lower: String,
        later: String,
        earlier: String,
        longer: String,
        shorter: String,
        more: String,
        with: Template,
        for_which: Template,
        most_often: Template,
        least_often: Template,
        whichever: Template,
        has: Template,
        is: Template,
        less: String,
        least: String,
        more_often: Template,
        one_of: Template,
        total: Template,
        average: Template,
        different: Template,
    }
    /// Arithmetic.
    Arithmetics {
        add: Template,
        sub: Template,
        mul: Template,
        div: Template,
        more: Template,
        higher: Template,
        years_between: Template,
        more_rows: Template,
        more_where: Template,
        higher_where: Template,
        years_where: Template,
        together_where: Template,
        ratio_where: Template,
        together: Template,
        ratio: Template,
        first_minus_second: Template,
        second_minus_first: Template,
    }
    /// Dates.
    Dates {
        full: Template,
        month_of_year: Template,
        day_of_month: Template,
        day_of_year: Template,
        day: Template,
        before_christ: Template,
        months: Vec<String>,
    }
    /// What steps found.
    Results { row: Template, rows: Template, no_row: String, nothing: String, more: Template, }
    /// What may help when there is no answer.
    Hints { no_question: String, no_rows: String, no_candidate: String, unsure: String, unused: Template, }
}

impl Phrases {
    /// The phrases that are part of the program.
    pub fn embedded() -> Phrases {
        Phrases::from_toml(EMBEDDED).expect("the embedded phrases are tested")
    }

    /// What may help when there is no answer.
    pub fn hints(&self) -> &Hints {
        &self.hints
    }

    /// The phrases of another `phrases.toml`.
    pub fn from_toml(text: &str) -> Result<Phrases, toml::de::Error> {
        toml::from_str(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled() {
        let template = Template("the {noun} of {rows}".into());
        assert_eq!(template.fill(&[("rows", "row 1"), ("noun", "{rows}")]), "the {rows} of row 1");
        assert_eq!(Template("{a".into()).fill(&[]), "…");
    }

    #[test]
    fn a_missing_phrase_is_an_error() {
        assert!(Phrases::from_toml(&EMBEDDED.replace("all = \"all rows\"\n", "")).is_err());
    }
}
