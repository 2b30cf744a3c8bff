//! `tabwise lab check readings`: compares the readings of every cell of the tagged tables with the reference, one kind
//! of reading at a time. Differences are sorted into classes, each with a judgement which side is better, so that a
//! change of the readings shows up as a change of a class.

use super::data::DataArgs;
use crate::outcome::Outcome;
use crate::tagged::{self, Columns};
use anyhow::{Context, Result};
use std::io::Write;
use tabwise::text::escapes::unescape;
use tabwise::text::readings::{Readings, read_cell};
use tabwise::words::Words;

/// Minimum share of cells that agree, for each kind.
const BAR: f64 = 0.97;
/// Number of examples of a class that are printed without `--verbose`.
const EXAMPLES: usize = 3;

/// A cell with our readings and those of the reference.
struct ComparedCell<'a> {
    text: &'a str,
    ours: Readings<'a>,
    theirs: Theirs<'a>,
}

/// The reference's readings of a cell.
struct Theirs<'a> {
    number: Option<f64>,
    number2: Option<f64>,
    date: &'a str,
    parts: Vec<&'a str>,
}

/// A kind of reading, and functions to compare it.
struct ReadingKind {
    name: &'static str,
    has_ours: fn(&ComparedCell) -> bool,
    has_theirs: fn(&ComparedCell) -> bool,
    agrees: fn(&ComparedCell) -> bool,
    /// Both readings, in words.
    show: fn(&ComparedCell) -> String,
    classes: &'static [Class],
}

/// A class of differences. A cell belongs to the first class whose test holds.
struct Class {
    name: &'static str,
    better: Better,
    holds: fn(&ComparedCell) -> bool,
}

/// Side that a person would prefer.
#[derive(Clone, Copy)]
enum Better {
    Ours,
    Theirs,
    Either,
}
use Better::*;

/// Kinds of readings that are compared.
const KINDS: &[ReadingKind] = &[
    ReadingKind {
        name: "number",
        has_ours: |c| c.ours.number.is_some(),
        has_theirs: |c| c.theirs.number.is_some(),
        agrees: |c| same_number(c.ours.number, c.theirs.number),
        show: |c| format!("{:?} / {:?}", c.ours.number, c.theirs.number),
        classes: NUMBER_CLASSES,
    },
    ReadingKind {
        name: "second number",
        has_ours: |c| c.ours.number2.is_some(),
        has_theirs: |c| c.theirs.number2.is_some(),
        agrees: |c| same_number(c.ours.number2, c.theirs.number2),
        show: |c| format!("{:?} / {:?}", c.ours.number2, c.theirs.number2),
        classes: SECOND_CLASSES,
    },
    ReadingKind {
        name: "date",
        has_ours: |c| c.ours.date.is_some(),
        has_theirs: |c| !c.theirs.date.is_empty(),
        agrees: |c| shown_date(c) == c.theirs.date,
        show: |c| format!("{:?} / {:?}", shown_date(c), c.theirs.date),
        classes: DATE_CLASSES,
    },
    ReadingKind {
        name: "parts",
        has_ours: |c| !c.ours.parts.is_empty(),
        has_theirs: |c| !c.theirs.parts.is_empty(),
        agrees: |c| c.ours.parts == c.theirs.parts,
        show: |c| format!("{:?} / {:?}", c.ours.parts, c.theirs.parts),
        classes: PART_CLASSES,
    },
];

/// Classes of differences in the first number.
const NUMBER_CLASSES: &[Class] = &[
    Class { name: "the sign is kept", better: Ours, holds: |c| is_negation(c.ours.number, c.theirs.number) },
    Class { name: "a footnote mark is no number", better: Ours, holds: |c| c.ours.number.is_none() && has(c, '[') },
    Class { name: "Roman numerals and titles are no number words", better: Ours, holds: |c| c.ours.number.is_none() },
    Class {
        name: "numbers after a word with a full stop are found",
        better: Ours,
        holds: |c| c.theirs.number.is_none() && has(c, '.'),
    },
    Class { name: "numbers that the reference did not find", better: Ours, holds: |c| c.theirs.number.is_none() },
    Class {
        name: "the full stop of an abbreviation is no decimal point",
        better: Ours,
        holds: |c| c.theirs.number.is_some_and(|n| n < 1.0) && has(c, '.'),
    },
    Class {
        name: "the day of a date is not run together with its year",
        better: Ours,
        holds: |c| c.ours.date.is_some(),
    },
    Class { name: "magnitudes and fractions count", better: Ours, holds: is_scaled },
    Class { name: "a decimal comma is one", better: Ours, holds: |c| has(c, ',') && is_smaller(c, 1000.0) },
    Class { name: "two numbers are not run together", better: Ours, holds: |c| is_smaller(c, 0.0) },
];

/// Classes of differences in the second number.
const SECOND_CLASSES: &[Class] = &[
    Class { name: "a year range ends in a full year", better: Ours, holds: ends_in_full_year },
    Class { name: "the sign is kept", better: Ours, holds: |c| is_negation(c.ours.number2, c.theirs.number2) },
    Class {
        name: "footnote marks and powers of units are no numbers",
        better: Ours,
        holds: |c| c.ours.number2.is_none() && (has(c, '[') || has_power(c)),
    },
    Class { name: "the year of a date is the second number", better: Ours, holds: |c| c.ours.date.is_some() },
    Class {
        name: "the reference's first number was another one (run together, or missed)",
        better: Ours,
        holds: |c| !same_first(c),
    },
    Class { name: "two numbers are not run together", better: Ours, holds: |c| has(c, ' ') || has(c, ',') },
    Class { name: "a full stop is no decimal point", better: Ours, holds: |c| has(c, '.') },
    Class { name: "fractions count", better: Ours, holds: |c| has(c, '½') || has(c, '⁄') },
    Class { name: "footnote marks between numbers are none", better: Ours, holds: |c| has(c, '[') },
];

/// Classes of differences in dates.
const DATE_CLASSES: &[Class] = &[
    Class { name: "a number above 2100 is no year", better: Ours, holds: |c| c.ours.date.is_none() && all_digits(c) },
    Class {
        name: "holidays and words after a month",
        better: Either,
        holds: |c| c.ours.date.is_none() && !has_digit(c),
    },
    Class { name: "2003-04 is a season, not a month", better: Ours, holds: |c| c.ours.date2.is_some() && iso_month(c) },
    Class { name: "both ends of a range or list", better: Ours, holds: |c| c.ours.date2.is_some() },
    Class { name: "two-digit years", better: Ours, holds: |c| c.theirs.date.starts_with("xxxx") && has(c, '/') },
    Class {
        name: "day, month, year as numbers (European, or with a note)",
        better: Ours,
        holds: |c| c.theirs.date.is_empty() && !has_letter(c) && (has(c, '/') || has(c, '-') || has(c, '.')),
    },
    Class { name: "years before Christ count back", better: Ours, holds: |c| shown_date(c).starts_with('-') },
    Class { name: "a year with a note or sign", better: Ours, holds: |c| c.ours.date.is_some() && !full_date(c) },
    Class {
        name: "a full date with more text",
        better: Ours,
        holds: |c| c.ours.date.is_some() && c.theirs.date.is_empty(),
    },
    Class { name: "numeric ranges and slips of the pen", better: Theirs, holds: |c| c.ours.date.is_none() },
];

/// Classes of differences in parts.
const PART_CLASSES: &[Class] = &[
    Class { name: "dates stay whole", better: Ours, holds: |c| c.ours.date.is_some() || has_date_comma(c) },
    Class { name: "durations stay whole", better: Ours, holds: |c| c.ours.duration.is_some() },
    Class { name: "web addresses stay whole", better: Ours, holds: |c| c.text.contains("://") },
    Class { name: "semicolons separate, also in prose", better: Either, holds: |c| has(c, ';') },
    Class { name: "parentheses stay whole", better: Ours, holds: |c| has(c, '(') || has(c, '[') },
    Class { name: "a slash between digits joins them", better: Either, holds: |c| has(c, '/') },
    Class { name: "empty pieces are left out", better: Ours, holds: |c| c.theirs.parts.contains(&"") },
];

/// Reads every cell and prints the agreement and the classes of differences.
pub(super) fn run(args: DataArgs, words: &Words, out: &mut impl Write) -> Result<Outcome> {
    let mut tallies: Vec<Tally> = KINDS.iter().map(Tally::new).collect();
    let mut cells = 0;
    for file in tagged::table_files(&args.data)? {
        let content = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let columns = Columns::of(&content);
        for line in content.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            if columns.get(&fields, "row") == "-1" {
                continue;
            }
            cells += 1;
            let (text, list) = (unescape(columns.get(&fields, "content")), columns.get(&fields, "list"));
            let theirs = theirs(&columns, &fields, list);
            let cell = ComparedCell { text: &text, ours: read_cell(&text, words), theirs };
            tallies.iter_mut().for_each(|tally| tally.add(&cell));
        }
    }
    for tally in &tallies {
        tally.print(cells, args.verbose, out)?;
    }
    let reached = tallies.iter().all(|tally| tally.agreeing as f64 >= BAR * cells as f64);
    Ok(if reached { Outcome::Done } else { Outcome::BelowBar })
}

/// The readings of the reference, from the fields of a line.
fn theirs<'a>(columns: &Columns, fields: &[&'a str], list: &'a str) -> Theirs<'a> {
    let number = |name| columns.get(fields, name).parse().ok();
    let parts: Vec<&str> = list.split('|').collect();
    Theirs {
        number: number("number"),
        number2: number("num2"),
        date: columns.get(fields, "date"),
        parts: if parts.len() >= 2 { parts } else { Vec::new() },
    }
}

/// Counts for one kind of reading.
struct Tally {
    kind: &'static ReadingKind,
    ours: usize,
    theirs: usize,
    agreeing: usize,
    agreeing_where_theirs: usize,
    /// For each class, and for cells in no class: the number of cells, and the cells.
    classes: Vec<(usize, Vec<String>)>,
}

impl Tally {
    fn new(kind: &'static ReadingKind) -> Tally {
        let classes = vec![(0, Vec::new()); kind.classes.len() + 1];
        Tally { kind, ours: 0, theirs: 0, agreeing: 0, agreeing_where_theirs: 0, classes }
    }

    fn add(&mut self, cell: &ComparedCell) {
        let theirs = (self.kind.has_theirs)(cell);
        self.ours += usize::from((self.kind.has_ours)(cell));
        self.theirs += usize::from(theirs);
        if (self.kind.agrees)(cell) {
            self.agreeing += 1;
            self.agreeing_where_theirs += usize::from(theirs);
            return;
        }
        let class = self.kind.classes.iter().position(|class| (class.holds)(cell)).unwrap_or(self.kind.classes.len());
        let (count, examples) = &mut self.classes[class];
        *count += 1;
        examples.push(format!("{:?}: {}", cell.text, (self.kind.show)(cell)));
    }

    fn print(&self, cells: usize, verbose: bool, out: &mut impl Write) -> Result<()> {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(
            out,
            "{}: {} of {cells} cells agree, {:.2} % (bar {:.0} %); ours {}, reference {}, of which {:.2} % agree",
            self.kind.name,
            self.agreeing,
            share(self.agreeing, cells),
            BAR * 100.0,
            self.ours,
            self.theirs,
            share(self.agreeing_where_theirs, self.theirs)
        )?;
        let rest = ("in no class", "");
        let named = self.kind.classes.iter().map(|class| (class.name, better(class.better))).chain([rest]);
        for ((name, better), (count, examples)) in named.zip(&self.classes).filter(|(_, (count, _))| *count > 0) {
            writeln!(out, "  {count:6} {name}{better}")?;
            let shown = if verbose { examples.len() } else { EXAMPLES };
            let step = (examples.len() / shown.max(1)).max(1);
            for example in examples.iter().step_by(step).take(shown) {
                writeln!(out, "           {}", shortened(example))?;
            }
        }
        Ok(())
    }
}

fn better(better: Better) -> &'static str {
    match better {
        Ours => " (ours is better)",
        Theirs => " (the reference is better)",
        Either => " (neither is better)",
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 150 { text.to_owned() } else { text.chars().take(150).chain(['…']).collect() }
}

fn same_number(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(1.0),
        (a, b) => a.is_none() && b.is_none(),
    }
}

fn same_first(cell: &ComparedCell) -> bool {
    same_number(cell.ours.number.map(f64::abs), cell.theirs.number)
}

fn is_negation(ours: Option<f64>, theirs: Option<f64>) -> bool {
    ours.is_some_and(|n| n < 0.0) && same_number(ours.map(|n| -n), theirs)
}

fn is_scaled(cell: &ComparedCell) -> bool {
    let (Some(ours), Some(theirs)) = (cell.ours.number, cell.theirs.number) else { return false };
    let tens = (ours / theirs).log10();
    let fraction = has(cell, '½') || has(cell, '¼') || has(cell, '¾') || has(cell, '/') || has(cell, '⁄');
    (tens > 1.0 && (tens - tens.round()).abs() < 1e-9 && has_letter(cell)) || fraction
}

/// True if our number is smaller than theirs; unless `factor` is 0, by less than that factor, and with a fraction.
fn is_smaller(cell: &ComparedCell, factor: f64) -> bool {
    let (Some(ours), Some(theirs)) = (cell.ours.number, cell.theirs.number) else { return false };
    ours.abs() < theirs && (factor == 0.0 || (ours.fract() != 0.0 && theirs < ours.abs() * factor))
}

fn ends_in_full_year(cell: &ComparedCell) -> bool {
    let (Some(ours), Some(theirs)) = (cell.ours.number2, cell.theirs.number2) else { return false };
    (1000.0..=2200.0).contains(&ours) && same_number(Some(ours % 100.0), Some(theirs))
}

fn shown_date(cell: &ComparedCell) -> String {
    cell.ours.date.map(|date| date.to_string().to_lowercase()).unwrap_or_default()
}

fn full_date(cell: &ComparedCell) -> bool {
    cell.ours.date.is_some_and(|date| date.month().is_some())
}

fn iso_month(cell: &ComparedCell) -> bool {
    cell.theirs.date.ends_with("-xx") && !cell.theirs.date.ends_with("xx-xx") && cell.text.len() == 7
}

/// True if a comma comes before a year or after a weekday.
fn has_date_comma(cell: &ComparedCell) -> bool {
    cell.text.contains("day, ")
        || cell
            .text
            .match_indices(", ")
            .any(|(at, _)| cell.text[at + 2..].bytes().take_while(u8::is_ascii_digit).count() == 4)
}

fn has_power(cell: &ComparedCell) -> bool {
    ["m2", "m3", "mi2"].iter().any(|power| cell.text.contains(power))
}

fn has(cell: &ComparedCell, c: char) -> bool {
    cell.text.contains(c)
}

fn has_digit(cell: &ComparedCell) -> bool {
    cell.text.bytes().any(|b| b.is_ascii_digit())
}

fn all_digits(cell: &ComparedCell) -> bool {
    cell.text.bytes().all(|b| b.is_ascii_digit())
}

fn has_letter(cell: &ComparedCell) -> bool {
    cell.text.chars().any(char::is_alphabetic)
}
