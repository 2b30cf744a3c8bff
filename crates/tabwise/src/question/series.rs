//! Series: columns that hold the same for several years or months, such as `pop_1980` and `pop_2015`, or `Jan 23` and `Feb 23`. A
//! question that names some of the years or months is about those columns and not about the others.

use super::{ColumnKind, ColumnLink, Link, Vocabulary};
use crate::graph::{ColumnId, Graph};
use crate::text::{Tag, Token};
use crate::words::Words;
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

/// Numbers of a header that are taken for years.
const YEARS: RangeInclusive<u16> = 1500..=2100;
/// Number of columns that the same year may name; that of more columns says too little.
const MOST_COLUMNS: usize = 6;

/// Place of a column in a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edition {
    /// The first column of the series.
    pub series: ColumnId,
    /// Year or month that the header names.
    pub moment: u16,
}

/// For each column, its place in a series, if there is another column with the same header but for the year or month.
pub(super) fn editions(graph: &Graph, words: &Words) -> Vec<Option<Edition>> {
    let moment_of = |header: &str| month_of(header, words).or_else(|| year_of(header));
    let moments: Vec<Option<(String, u16)>> = graph.columns().iter().map(|column| moment_of(&column.header)).collect();
    let mut series: FxHashMap<&str, Vec<(ColumnId, u16)>> = FxHashMap::default();
    for (column, (rest, moment)) in
        graph.column_ids().zip(&moments).filter_map(|(column, moment)| Some((column, moment.as_ref()?)))
    {
        series.entry(rest).or_default().push((column, *moment));
    }
    let edition = |(rest, moment): &(String, u16)| {
        let all = &series[rest.as_str()];
        let is_series = all.iter().any(|(_, other)| other != moment);
        is_series.then(|| Edition { series: all[0].0, moment: *moment })
    };
    moments.iter().map(|moment| moment.as_ref().and_then(edition)).collect()
}

/// The only month in a header, and the header without it.
fn month_of(header: &str, words: &Words) -> Option<(String, u16)> {
    let mut runs = header.split(|c: char| !c.is_alphabetic()).filter_map(|run| Some((run, words.month(run)?)));
    let (run, month) = runs.next()?;
    runs.next().is_none().then(|| (header.replacen(run, "#", 1).to_lowercase(), u16::from(month)))
}

/// The only year in a header, and the header without it.
fn year_of(header: &str) -> Option<(String, u16)> {
    let mut runs = header.split(|c: char| !c.is_ascii_digit()).filter_map(|run| {
        let year = run.parse().ok().filter(|year| run.len() == 4 && YEARS.contains(year))?;
        Some((run, year))
    });
    let (run, year) = runs.next()?;
    runs.next().is_none().then(|| (header.replacen(run, "#", 1).to_lowercase(), year))
}

/// Columns of the series whose years or months a question names.
#[derive(Default)]
pub(super) struct Named {
    /// Links of the years and months to the columns that they name.
    pub links: Vec<ColumnLink>,
    /// Columns of other years and months.
    pub passed: Vec<ColumnId>,
    /// Tokens of the years and months, as bits.
    tokens: u128,
    /// True if the table has dates in cells as well.
    has_dates: bool,
}

/// The year or month that a token names.
fn moment(token: &Token, words: &Words) -> Option<u16> {
    let year = token.text.parse().ok().filter(|_| token.text.len() == 4);
    // "May" and "march" may be verbs.
    let is_verb = matches!(token.tag, Tag::Md | Tag::Aux | Tag::Vb | Tag::Vbp);
    year.or_else(|| words.month(&token.text).filter(|_| !is_verb).map(u16::from))
}

/// Finds the columns of the years and months that the tokens name.
pub(super) fn named(
    tokens: &[Token],
    columns: &[ColumnLink],
    graph: &Graph,
    vocabulary: &Vocabulary,
    words: &Words,
) -> Named {
    let mut named = Named::default();
    let editions = || graph.column_ids().filter_map(|column| Some((column, vocabulary.edition(column)?)));
    let mut series: Vec<ColumnId> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(moment) = moment(token, words) else { continue };
        let own: Vec<_> = editions().filter(|(_, edition)| edition.moment == moment).collect();
        if own.is_empty() {
            continue;
        }
        named.tokens |= 1 << at;
        series.extend(own.iter().map(|(_, edition)| edition.series));
        let is_linked = |id: ColumnId| columns.iter().any(|link| link.column == id && link.tokens.contains(&at));
        let link = |id| ColumnLink { tokens: at..at + 1, column: id, kind: ColumnKind::Words };
        if own.len() <= MOST_COLUMNS {
            named.links.extend(own.iter().filter(|(id, _)| !is_linked(*id)).map(|(id, _)| link(*id)));
        }
    }
    let is_said = |said: u16| tokens.iter().any(|token| moment(token, words) == Some(said));
    let passed = editions().filter(|(_, edition)| series.contains(&edition.series) && !is_said(edition.moment));
    named.passed = passed.map(|(column, _)| column).collect();
    let is_date =
        |column: &ColumnId| vocabulary.edition(*column).is_none() && vocabulary.class(*column).starts_with("date");
    named.has_dates = named.tokens != 0 && graph.column_ids().any(|column| is_date(&column));
    named
}

impl Named {
    /// Tells if a link is meant: a year or month that names a column is no number or cell, unless other columns have dates.
    pub(super) fn allows(&self, link: &Link) -> bool {
        self.has_dates || link.tokens.len() != 1 || self.tokens >> link.tokens.start & 1 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_and_months_of_headers() {
        let year = |header| year_of(header).map(|(rest, year)| format!("{rest} {year}"));
        assert_eq!(year("pcgdp1940").as_deref(), Some("pcgdp# 1940"));
        assert_eq!(year("POP_2015").as_deref(), Some("pop_# 2015"));
        assert_eq!(year("2009").as_deref(), Some("# 2009"));
        assert_eq!(year("2015-2016"), None);
        assert_eq!(year("id 12345"), None);
        assert_eq!(year("Size 1024x768").as_deref(), None);
        let words = Words::embedded();
        let month = |header| month_of(header, &words).map(|(rest, month)| format!("{rest} {month}"));
        assert_eq!(month("Nov 23").as_deref(), Some("# 23 11"));
        assert_eq!(month("sales_june").as_deref(), Some("sales_# 6"));
        assert_eq!(month("Total").as_deref(), None);
    }
}
