//! The phrases of `knowledge/phrases.toml`. A phrase is plain text or a [`Template`] with names in braces; the file has
//! exactly the tables and keys that are declared here.

use serde::Deserialize;

/// `phrases.toml` as it is compiled in.
pub const EMBEDDED: &str = include_str!("../../knowledge/phrases.toml");

/// Phrase with names in braces, such as "the {noun} where {condition}".
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(transparent)]
pub(crate) struct Template(String);

impl Template {
    /// Replaces each name in braces by its text. A name that is not given becomes "…". Braces in the given texts are
    /// left alone, because the phrase is read only once.
    pub(crate) fn fill(&self, words: &[(&str, &str)]) -> String {
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
    ($($(#[$doc:meta])* $vis:vis $name:ident { $($field:ident: $kind:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, Deserialize)]
            #[serde(deny_unknown_fields)]
            $vis struct $name { $(pub(crate) $field: $kind,)* }
        )*
    };
}

phrases! {
    /// All phrases, by subject.
    pub Phrases {
        lists: Lists,
        rows: Rows,
        behind: Behind,
        conditions: Conditions,
        columns: Columns,
        values: Values,
        aggregates: Aggregates,
        superlatives: Superlatives,
        arithmetic: Arithmetics,
        across: Across,
        truths: Truths,
        dates: Dates,
        results: Results,
        hints: Hints,
    }
    /// Separators of lists.
    pub(crate) Lists { comma: String, and: String, or: String, comma_or: String, either: Template, more: String, }
    /// Noun phrases for rows.
    pub(crate) Rows {
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
        bottom: Template,
        bottom_of: Template,
        top_of: Template,
        best: Template,
        several: Template,
        nth: Template,
        nth_from_end: Template,
        except: Template,
        a: Template,
        before: Template,
        after: Template,
        provided: Template,
        also: Template,
    }
    /// Restrictions behind a noun: " where ..", " among ..".
    pub(crate) Behind { filtered: Template, among: Template, among_rows: Template, of: Template, within: Template, of_those: Template, }
    /// Subjects, verbs and complements of conditions.
    pub(crate) Conditions {
        clause: Template,
        is: String,
        is_not: String,
        includes: String,
        does_not_include: String,
        contains: String,
        does_not_contain: String,
        starts: String,
        does_not_start: String,
        ends: String,
        does_not_end: String,
        missing: String,
        empty: String,
        less: Template,
        greater: Template,
        at_most: Template,
        at_least: Template,
        before: Template,
        after: Template,
        on_day: Template,
        in_period: Template,
        time_or_before: Template,
        time_or_after: Template,
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
    /// Names of columns and of their readings.
    pub(crate) Columns {
        unnamed: Template,
        numeric: Template,
        repeated: Template,
        ordinals: Vec<String>,
        later: Template,
        read_as_number: Template,
        read_as_date: Template,
        read_as_duration: Template,
        second_number: Template,
        second_date: Template,
        year: Template,
        month: Template,
        weekday: Template,
        part: Template,
        entry: Template,
        row_number: String,
        run: Template,
    }
    /// Noun phrases for values.
    pub(crate) Values {
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
        except: Template,
        several: Template,
        several_best: Template,
        each: Template,
        plain: Template,
        share_of_its_rows: Template,
        share_of_all_rows: Template,
        share_for_each: Template,
        whichever_is: Template,
        anything: Template,
        anything_for_which: Template,
        reading_as: Template,
        second_number_of: Template,
        second_date_of: Template,
        year_of: Template,
        month_of: Template,
        weekday_of: Template,
        items_of: Template,
    }
    /// Noun phrases for aggregates.
    pub(crate) Aggregates {
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
        median: Template,
        median_of: Template,
    }
    /// Adjectives for the ends of an order, and phrases with them.
    pub(crate) Superlatives {
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
        several_most_often: Template,
        several_least_often: Template,
        nth: Template,
        nth_most_often: Template,
        nth_least_often: Template,
        whichever: Template,
        has: Template,
        is: Template,
        less: String,
        fewer: String,
        least: String,
        more_often: Template,
        one_of: Template,
        total: Template,
        average: Template,
        median: Template,
        different: Template,
        deciding: Template,
        deciding_often: Template,
        deciding_value: Template,
    }
    /// Noun phrases for arithmetic.
    pub(crate) Arithmetics {
        add: Template,
        sub: Template,
        mul: Template,
        div: Template,
        share: Template,
        share_of_rows: Template,
        days: Template,
        months: Template,
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
    /// Amounts computed from two columns of a row.
    pub(crate) Across {
        add: Template,
        sub: Template,
        mul: Template,
        div: Template,
        share: Template,
        days: Template,
        months: Template,
    }
    /// Answers that are yes or no.
    pub(crate) Truths {
        yes: String,
        no: String,
        exists: Template,
        something: Template,
        compares: Template,
        higher_where: Template,
        more_rows: Template,
        equal: Template,
        within: Template,
        every_row: Template,
    }
    /// Dates in a sentence.
    pub(crate) Dates {
        full: Template,
        month_of_year: Template,
        day_of_month: Template,
        day_of_year: Template,
        day: Template,
        before_christ: Template,
        months: Vec<String>,
    }
    /// Results of steps.
    pub(crate) Results { row: Template, rows: Template, no_row: String, nothing: String, more: Template, group: Template, }
    /// Advice for a question without an answer.
    pub(crate) Hints { no_question: String, no_rows: String, no_candidate: String, unsure: String, unused: Template, }
}

impl Phrases {
    /// Phrases that are compiled in.
    pub fn embedded() -> Phrases {
        Phrases::from_toml(EMBEDDED).expect("the embedded phrases are tested")
    }

    /// Advice for a question without an answer.
    pub(crate) fn hints(&self) -> &Hints {
        &self.hints
    }

    /// Name of a row by its number from 1, as in the results of steps.
    pub(crate) fn row(&self, number: usize) -> String {
        self.results.row.fill(&[("number", &number.to_string())])
    }

    /// Reads another `phrases.toml`. A missing or unknown key is an error.
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
