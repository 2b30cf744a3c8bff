//! `tabwise lab check readings`: our readings of every cell of the tagged tables against those of the reference, kind
//! by kind, and the classes of the cells where they differ.

use super::data::DataArgs;
use crate::outcome::Outcome;
use crate::tagged::{self, Columns};
use anyhow::{Context, Result};
use std::io::Write;
use tabwise::text::escapes::unescape;
use tabwise::text::readings::{Readings, read_cell};
use tabwise::words::Words;

/// The share of all cells that must agree, in each kind.
const BAR: f64 = 0.97;
/// How many examples of a class are shown without `--verbose`.
const EXAMPLES: usize = 3;

/// A cell with both readings.
struct Cell<'a> {
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

/// A kind of reading and how it is compared.
struct Kind {
    name: &'static str,
    has_ours: fn(&Cell) -> bool,
    has_theirs: fn(&Cell) -> bool,
    agrees: fn(&Cell) -> bool,
    /// What is shown of both.
    show: fn(&Cell) -> String,
    classes: &'static [Class],
}

/// A class of disagreements: the first class whose test holds takes the cell.
struct Class {
    name: &'static str,
    better: Better,
    holds: fn(&Cell) -> bool,
}

/// Which side a person would take.
#[derive(Clone, Copy)]
enum Better {
    Ours,
    Theirs,
    Either,
}
use Better::*;

const KINDS: &[Kind] = &[
    Kind {
        name: "number",
        has_ours: |c| c.ours.number.is_some(),
        has_theirs: |c| c.theirs.number.is_some(),
        agrees: |c| same_number(c.ours.number, c.theirs.number),
        show: |c| format!("{:?} / {:?}", c.ours.number, c.theirs.number),
        classes: NUMBER_CLASSES,
    },
    Kind {
        name: "second number",
        has_ours: |c| c.ours.number2.is_some(),
        has_theirs: |c| c.theirs.number2.is_some(),
        agrees: |c| same_number(c.ours.number2, c.theirs.number2),
        show: |c| format!("{:?} / {:?}", c.ours.number2, c.theirs.number2),
        classes: SECOND_CLASSES,
    },
    Kind {
        name: "date",
        has_ours: |c| c.ours.date.is_some(),
        has_theirs: |c| !c.theirs.date.is_empty(),
        agrees: |c| shown_date(c) == c.theirs.date,
        show: |c| format!("{:?} / {:?}", shown_date(c), c.theirs.date),
        classes: DATE_CLASSES,
    },
    Kind {
        name: "parts",
        has_ours: |c| !c.ours.parts.is_empty(),
        has_theirs: |c| !c.theirs.parts.is_empty(),
        agrees: |c| c.ours.parts == c.theirs.parts,
        show: |c| format!("{:?} / {:?}", c.ours.parts, c.theirs.parts),
        classes: PART_CLASSES,
    },
];

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

const PART_CLASSES: &[Class] = &[
    Class { name: "dates stay whole", better: Ours, holds: |c| c.ours.date.is_some() || has_date_comma(c) },
    Class { name: "durations stay whole", better: Ours, holds: |c| c.ours.duration.is_some() },
    Class { name: "web addresses stay whole", better: Ours, holds: |c| c.text.contains("://") },
    Class { name: "semicolons separate, also in prose", better: Either, holds: |c| has(c, ';') },
    Class { name: "parentheses stay whole", better: Ours, holds: |c| has(c, '(') || has(c, '[') },
    Class { name: "a slash between digits joins them", better: Either, holds: |c| has(c, '/') },
    Class { name: "empty pieces are left out", better: Ours, holds: |c| c.theirs.parts.contains(&"") },
];

/// Reads every cell and prints the agreement.
pub fn run(args: DataArgs, words: &Words, out: &mut impl Write) -> Result<Outcome> {
    let mut tallies: Vec<Tally> = KINDS.iter().map(Tally::new).collect();
    let mut cells = 0;
    for file in tagged::table_files(&args.data)? {
        let content = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let columns = Columns::of(&content);
        for line in content.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            if columns.get(&fields, "row") == "-1" {
                continue;
            }
            cells += 1;
            let (text, list) = (unescape(columns.get(&fields, "content")), columns.get(&fields, "list"));
            let theirs = theirs(&columns, &fields, list);
            let cell = Cell { text: &text, ours: read_cell(&text, words), theirs };
            tallies.iter_mut().for_each(|tally| tally.add(&cell));
        }
    }
    for tally in &tallies {
        tally.print(cells, args.verbose, out)?;
    }
    let reached = tallies.iter().all(|tally| tally.agreeing as f64 >= BAR * cells as f64);
    Ok(if reached { Outcome::Done } else { Outcome::BelowBar })
}

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

/// What was counted of one kind.
struct Tally {
    kind: &'static Kind,
    ours: usize,
    theirs: usize,
    agreeing: usize,
    agreeing_where_theirs: usize,
    /// For each class, and last for what is in none: how many cells, and the first of them.
    classes: Vec<(usize, Vec<String>)>,
}

impl Tally {
    fn new(kind: &'static Kind) -> Tally {
        let classes = vec![(0, Vec::new()); kind.classes.len() + 1];
        Tally { kind, ours: 0, theirs: 0, agreeing: 0, agreeing_where_theirs: 0, classes }
    }

    fn add(&mut self, cell: &Cell) {
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

fn same_first(cell: &Cell) -> bool {
    same_number(cell.ours.number.map(f64::abs), cell.theirs.number)
}

fn is_negation(ours: Option<f64>, theirs: Option<f64>) -> bool {
    ours.is_some_and(|n| n < 0.0) && same_number(ours.map(|n| -n), theirs)
}

fn is_scaled(cell: &Cell) -> bool {
    let (Some(ours), Some(theirs)) = (cell.ours.number, cell.theirs.number) else { return false };
    let tens = (ours / theirs).log10();
    let fraction = has(cell, '½') || has(cell, '¼') || has(cell, '¾') || has(cell, '/') || has(cell, '⁄');
    (tens > 1.0 && (tens - tens.round()).abs() < 1e-9 && has_letter(cell)) || fraction
}

/// Whether our number is smaller than theirs, by less than a factor if one is given.
fn is_smaller(cell: &Cell, factor: f64) -> bool {
    let (Some(ours), Some(theirs)) = (cell.ours.number, cell.theirs.number) else { return false };
    ours.abs() < theirs && (factor == 0.0 || (ours.fract() != 0.0 && theirs < ours.abs() * factor))
}

fn ends_in_full_year(cell: &Cell) -> bool {
    let (Some(ours), Some(theirs)) = (cell.ours.number2, cell.theirs.number2) else { return false };
    (1000.0..=2200.0).contains(&ours) && same_number(Some(ours % 100.0), Some(theirs))
}

fn shown_date(cell: &Cell) -> String {
    cell.ours.date.map(|date| date.to_string().to_lowercase()).unwrap_or_default()
}

fn full_date(cell: &Cell) -> bool {
    cell.ours.date.is_some_and(|date| date.month().is_some())
}

fn iso_month(cell: &Cell) -> bool {
    cell.theirs.date.ends_with("-xx") && !cell.theirs.date.ends_with("xx-xx") && cell.text.len() == 7
}

/// Whether a comma stands before a year or after a weekday.
fn has_date_comma(cell: &Cell) -> bool {
    cell.text.contains("day, ")
        || cell
            .text
            .match_indices(", ")
            .any(|(at, _)| cell.text[at + 2..].bytes().take_while(u8::is_ascii_digit).count() == 4)
}

fn has_power(cell: &Cell) -> bool {
    ["m2", "m3", "mi2"].iter().any(|power| cell.text.contains(power))
}

fn has(cell: &Cell, c: char) -> bool {
    cell.text.contains(c)
}

fn has_digit(cell: &Cell) -> bool {
    cell.text.bytes().any(|b| b.is_ascii_digit())
}

fn all_digits(cell: &Cell) -> bool {
    cell.text.bytes().all(|b| b.is_ascii_digit())
}

fn has_letter(cell: &Cell) -> bool {
    cell.text.chars().any(char::is_alphabetic)
}
