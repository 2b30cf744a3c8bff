//! Text output of an answer: the values, then the explanation in two or three lines, then an excerpt of the table with
//! the cells marked.

use crate::picture::picture;
use crate::style::{Style, harmless, one_line, padded, places, width};
use std::io::{Result, Write};
use tabwise::answer::{Answer, Groups, Meaning, Unused, readable_value};
use tabwise::explain::Step;
use tabwise::table::Table;

/// Options for printing an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportOptions {
    pub style: Style,
    /// Maximum length of a list of values, and the way to see the rest.
    pub values: Values,
    /// Number of interpretations to print.
    pub top: usize,
    /// True to print the question above the answer, which helps if there are several.
    pub with_question: bool,
}

/// Values to print of a long answer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Values {
    All,
    /// The first ones, and what would print the others.
    First {
        others: &'static str,
    },
}

/// Number of values to print of a long answer.
const FIRST: usize = 20;

impl Values {
    /// Number of values to print.
    fn most(self) -> usize {
        match self {
            Values::All => usize::MAX,
            Values::First { .. } => FIRST,
        }
    }

    /// Prints how many values are left.
    fn say_rest(self, count: usize, style: Style, out: &mut impl Write) -> Result<()> {
        match (self, count.saturating_sub(FIRST)) {
            (Values::First { others }, more @ 1..) => {
                writeln!(out, "{}", style.dim(&format!("and {more} more ({others} prints them all)")))
            }
            _ => Ok(()),
        }
    }
}

/// Maximum width of a line.
const WIDEST: usize = 200;

/// Prints an answer.
pub(crate) fn say(answer: &Answer, place: Shown, report: ReportOptions, out: &mut impl Write) -> Result<()> {
    if report.with_question {
        writeln!(out, "{}", report.style.header(&format!("> {}", one_line(&answer.question, WIDEST))))?;
    }
    let Some(best) = answer.meanings.first() else { return say_nothing(answer, report, out) };
    match answer.abstains {
        true => {
            writeln!(out, "{}", report.style.unsure("I do not know."))?;
            let guess = joined(&best.answer);
            writeln!(out, "My best guess, {} sure: {guess}", percent(answer.confidence))?;
            answer.hint.iter().try_for_each(|hint| writeln!(out, "A hint: {hint}"))?;
        }
        false => say_values(best, report.values, report.style, out)?,
    }
    writeln!(out)?;
    say_why(best, &answer.unused, report.style, out)?;
    writeln!(out)?;
    match place {
        Shown::Cells(table) => {
            picture(table, best, report.style, width()).iter().try_for_each(|line| writeln!(out, "  {line}"))?;
        }
        Shown::Query => say_sql(best, report.style, out)?,
    }
    for (number, meaning) in answer.meanings.iter().enumerate().skip(1).take(report.top - 1) {
        writeln!(out)?;
        say_other(&format!("{}.", number + 1), meaning, report.style, out)?;
    }
    if report.with_question {
        writeln!(out)?;
    }
    Ok(())
}

/// What shows where an answer comes from.
#[derive(Clone, Copy)]
pub(crate) enum Shown<'t> {
    /// Cells of a table.
    Cells(&'t Table),
    /// The query that an engine ran.
    Query,
}

/// The values of an answer on one line.
fn joined(values: &[String]) -> String {
    let values: Vec<_> = values.iter().map(|value| readable_value(value)).collect();
    one_line(&values.join(", "), WIDEST)
}

/// Prints the notes on an answer alone, which follow those on its table.
pub(crate) fn say_own_notes(answer: &Answer, table: &[String], style: Style, out: &mut impl Write) -> Result<()> {
    say_notes(answer.notes.get(table.len()..).unwrap_or(&[]), style, out)
}

/// Prints the notes on how the table was read.
pub(crate) fn say_notes(notes: &[String], style: Style, out: &mut impl Write) -> Result<()> {
    notes.iter().try_for_each(|note| writeln!(out, "{}", style.dim(&format!("note: {}", one_line(note, 10 * WIDEST)))))
}

/// Prints that no formula fits the question.
fn say_nothing(answer: &Answer, report: ReportOptions, out: &mut impl Write) -> Result<()> {
    writeln!(out, "{}", report.style.unsure("I do not know."))?;
    answer.hint.iter().try_for_each(|hint| writeln!(out, "A hint: {hint}"))
}

/// Prints the values of an answer, one per line.
pub(crate) fn say_values(meaning: &Meaning, values: Values, style: Style, out: &mut impl Write) -> Result<()> {
    if let Some(groups) = &meaning.table {
        return say_groups(groups, values, style, out);
    }
    for value in meaning.answer.iter().take(values.most()) {
        writeln!(out, "{}", style.strong(&one_line(&readable_value(value), WIDEST)))?;
    }
    values.say_rest(meaning.answer.len(), style, out)
}

/// Prints a table of groups.
pub(crate) fn say_groups(groups: &Groups, values: Values, style: Style, out: &mut impl Write) -> Result<()> {
    let rows = groups.rows.iter().take(values.most());
    let cells: Vec<Vec<String>> = std::iter::once(&groups.header)
        .chain(rows)
        .map(|row| row.iter().map(|cell| one_line(cell, 60)).collect())
        .collect();
    let widths: Vec<usize> =
        (0..groups.header.len()).map(|at| cells.iter().map(|row| places(&row[at])).max().unwrap_or(0)).collect();
    for (number, row) in cells.iter().enumerate() {
        let padded: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| padded(cell, *width)).collect();
        let line = padded.join("  ").trim_end().to_string();
        writeln!(out, "{}", if number == 0 { style.header(&line) } else { style.strong(&line) })?;
    }
    values.say_rest(groups.rows.len(), style, out)
}

/// Prints the explanation: the formula in English, the formula, the confidence and the unused words.
pub(crate) fn say_why(meaning: &Meaning, unused: &[Unused], style: Style, out: &mut impl Write) -> Result<()> {
    writeln!(out, "  {}", one_line(&meaning.english, 10 * WIDEST))?;
    if !meaning.formula.is_empty() {
        writeln!(out, "  {}", style.dim(&one_line(&meaning.formula, 10 * WIDEST)))?;
    }
    let mut sure = format!("{} sure", percent(meaning.confidence));
    if !unused.is_empty() {
        let words: Vec<String> = unused.iter().map(|word| one_line(&word.text, 40)).collect();
        sure.push_str(&format!("; not used: {}", words.join(", ")));
    }
    writeln!(out, "  {}", style.dim(&one_line(&sure, WIDEST)))
}

/// Prints a further interpretation in two lines, after its label.
pub(crate) fn say_other(label: &str, meaning: &Meaning, style: Style, out: &mut impl Write) -> Result<()> {
    let values = joined(&meaning.answer);
    writeln!(
        out,
        "{label} {} {}",
        style.header(&values),
        style.dim(&format!("({} sure)", percent(meaning.confidence)))
    )?;
    writeln!(out, "  {}", one_line(&meaning.english, 10 * WIDEST))
}

/// Prints the steps of an answer, each with its result.
pub(crate) fn say_steps(steps: &[Step], style: Style, out: &mut impl Write) -> Result<()> {
    for (at, step) in steps.iter().enumerate() {
        let result = joined(&step.result);
        writeln!(out, "  {}. {} → {}", at + 1, one_line(&step.english, 10 * WIDEST), style.header(&result))?;
    }
    Ok(())
}

/// Prints the query of an answer, and what is to be known of it.
pub(crate) fn say_sql(meaning: &Meaning, style: Style, out: &mut impl Write) -> Result<()> {
    for line in meaning.sql.iter().flat_map(|sql| sql.lines()) {
        writeln!(out, "  {}", harmless(line))?;
    }
    meaning
        .sql_note
        .iter()
        .try_for_each(|note| writeln!(out, "{}", style.dim(&format!("note: {}", one_line(note, 10 * WIDEST)))))
}

/// A probability in percent, from 1 to 99, since nothing is certain.
pub(crate) fn percent(p: f64) -> String {
    format!("{} %", (100.0 * p).round().clamp(1.0, 99.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn meaning(answer: &[String], table: serde_json::Value) -> Meaning {
        let meaning = json!({
            "answer": answer, "table": table, "confidence": 0.5, "english": "", "formula": "", "paper": "",
            "steps": [], "cells": [], "used": [], "columns": [],
        });
        serde_json::from_value(meaning).expect("these are the fields of a meaning")
    }

    fn lines(meaning: &Meaning, values: Values) -> Vec<String> {
        let mut out = Vec::new();
        say_values(meaning, values, Style::Plain, &mut out).expect("a list can be written to");
        String::from_utf8_lossy(&out).lines().map(str::to_owned).collect()
    }

    #[test]
    fn long_answers_are_shortened_unless_all_is_asked_for() {
        let names: Vec<String> = (1..=30).map(|n| format!("town {n}")).collect();
        let first = Values::First { others: ":all" };
        let list = meaning(&names, json!(null));
        let shown = lines(&list, first);
        assert_eq!((shown.len(), shown[20].as_str()), (21, "and 10 more (:all prints them all)"));
        assert_eq!(lines(&list, Values::All), names);
        assert_eq!(lines(&meaning(&names[..20], json!(null)), first), names[..20]);
        let rows: Vec<[&str; 2]> = names.iter().map(|name| [name.as_str(), "1"]).collect();
        let groups = meaning(&[], json!({ "header": ["Town", "number of rows"], "rows": rows }));
        let shown = lines(&groups, first);
        assert_eq!((shown.len(), shown[21].as_str()), (22, "and 10 more (:all prints them all)"));
        assert_eq!(lines(&groups, Values::All).len(), 31);
    }
}
