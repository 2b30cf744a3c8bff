//! `tabwise exec`: executes a formula on a table and prints its denotation, its type and the cells behind it. It is the
//! way to try out formulas, and to see what a candidate of `tabwise show candidates` gives.

use crate::asker::KnowledgeArgs;
use crate::input::TableArgs;
use crate::outcome::Outcome;
use crate::report::{Values, say_groups};
use crate::style::Style;
use anyhow::{Context, Result};
use serde::Serialize;
use std::io::Write;
use tabwise::answer::{Groups, groups_of};
use tabwise::execute::{Denotation, Evidence, Executor, Undefined, evidence};
use tabwise::explain::Explainer;
use tabwise::formula::types::type_of;
use tabwise::formula::{FormulaId, Formulas, lisp, notation};
use tabwise::graph::{Cell, Cells, Graph};

const EXAMPLES: &str = r#"Examples:
  tabwise exec games.csv 'R[Year].argmax(Country.Greece, Index)'       # the last Year of Greece
  tabwise exec games.csv 'count(City."St. Louis" | City.Paris)'        # number of rows with either
  tabwise exec games.csv 'count(Year.Number.>=.1900)'                  # a condition on numbers
  tabwise exec games.csv 'argmax(R[City].Rows, R[λx[count(City.x)]])'  # the most frequent City
  tabwise exec games.csv 'sub(max(R[Number].R[Year].Rows), 1896)'      # arithmetic
  tabwise exec games.csv 'group(R[City].Rows, R[λx[count(City.x)]])'   # a table of groups
  tabwise exec games.csv 'argmax(Rows, λx[Nations.Number.x], 3)'       # the 3 largest
  tabwise exec games.csv 'exists(City.contains("louis"))'              # yes or no
  tabwise exec games.csv '(count (r.country c.greece))'                # the notation of the dataset

A name before a dot is a column, any other name is a cell. Names with spaces or punctuation are
in double quotes. R[...] reverses a relation. The readings of a cell are Number, Number2, Date,
Date2, Duration and Part. `Index` counts rows from 0, as do the cells of --json; rows that are
printed are counted from 1, as by `ask`.

Exit codes: 0 the formula has a value, 1 its result is empty or undefined in this table, 2 it
cannot be parsed or typed."#;

/// Options of `exec`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Formula, in the notation of Tabwise or in that of the dataset (Lisp)
    #[arg(value_name = "FORMULA", allow_hyphen_values = true, help_heading = None)]
    formula: String,
    /// Print a JSON object with denotation, type, cells, formula and paper
    #[arg(long, help_heading = None)]
    json: bool,
    #[command(flatten)]
    knowledge: KnowledgeArgs,
}

/// Reads the table and the formula, executes it and prints its denotation.
pub(crate) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let table = args.table.load()?;
    // Formulas of the dataset name empty cells.
    let cells = if lisp::is_lisp(&args.formula) { Cells::Alone } else { Cells::InColumns };
    let knowledge = args.knowledge.load()?;
    let graph = Graph::with_cells(&table, &knowledge.words, cells);
    let mut formulas = Formulas::new();
    let id = read(&args.formula, &graph, &mut formulas).with_context(|| args.formula.clone())?;
    let kind = type_of(&formulas, &graph, id).with_context(|| args.formula.clone())?;
    let (formula, paper) = (notation::show(&formulas, &graph, id), notation::paper(&formulas, &graph, id));
    let mut executor = Executor::new(&graph, formulas);
    let found = executor.denote(id);
    let table =
        |denotation: &Denotation| groups_of(&mut Explainer::new(&knowledge.phrases, &mut executor), id, denotation);
    let table = found.as_deref().ok().and_then(table);
    let execution = Execution {
        denotation: found.as_deref().map(|denotation| shown(denotation, &graph)).unwrap_or_default(),
        table,
        kind: kind.to_string(),
        evidence: evidence(&mut executor, id),
        formula,
        paper,
        undefined: why_nothing(found.as_deref()),
    };
    if args.json {
        execution.json(out)?
    } else {
        execution.text(&graph, out)?
    }
    Ok(if execution.undefined.is_none() { Outcome::Done } else { Outcome::NoAnswer })
}

/// Parses a formula in either notation.
fn read(text: &str, graph: &Graph, formulas: &mut Formulas) -> Result<FormulaId> {
    match lisp::is_lisp(text) {
        true => Ok(lisp::read(text, graph, formulas)?),
        false => Ok(notation::read(text, graph, formulas)?),
    }
}

/// The values or rows of a denotation; rows are counted from 1.
fn shown(denotation: &Denotation, graph: &Graph) -> Vec<String> {
    let number = |row: usize| format!("row {}", row + 1);
    match denotation {
        Denotation::Rows(rows) => match rows.ranking() {
            Some(ranking) => ranking.iter().map(|row| number(*row as usize)).collect(),
            None => rows.iter().map(number).collect(),
        },
        _ => denotation.show(graph),
    }
}

/// The reason for an empty or undefined result; `None` if there is a value.
fn why_nothing(found: Result<&Denotation, &Undefined>) -> Option<String> {
    match found {
        Err(undefined) => Some(format!("the formula is undefined in this table: {undefined}")),
        Ok(Denotation::Passing(_)) => Some(format!("the formula is undefined in this table: {}", Undefined::Infinite)),
        Ok(denotation) => {
            denotation.is_empty().then(|| "the result is empty: nothing in this table matches the formula".into())
        }
    }
}

/// Result of a formula, for output.
struct Execution {
    denotation: Vec<String>,
    table: Option<Groups>,
    kind: String,
    evidence: Evidence,
    formula: String,
    /// The formula in the notation of the paper.
    paper: String,
    undefined: Option<String>,
}

/// Maximum number of cells to list in text output.
const NAMED: usize = 8;

impl Execution {
    fn text(&self, graph: &Graph, out: &mut impl Write) -> Result<()> {
        self.undefined.iter().try_for_each(|why| writeln!(out, "{why}"))?;
        match &self.table {
            Some(groups) => say_groups(groups, Values::All, Style::of_stdout(), out)?,
            None => self.denotation.iter().try_for_each(|value| writeln!(out, "{value}"))?,
        }
        writeln!(out)?;
        writeln!(out, "formula  {}", self.formula)?;
        writeln!(out, "type     {}", self.kind)?;
        for (name, cells) in [("cells", &self.evidence.answer), ("because", &self.evidence.used)] {
            if !cells.is_empty() {
                writeln!(out, "{name:8} {}", name_cells(cells, graph))?;
            }
        }
        Ok(())
    }

    fn json(&self, out: &mut impl Write) -> Result<()> {
        let places = |cells: &[Cell]| cells.iter().map(|cell| (cell.row, cell.column.0)).collect();
        let object = ExecutionJson {
            denotation: &self.denotation,
            table: self.table.as_ref(),
            kind: &self.kind,
            cells: places(&self.evidence.answer),
            used: places(&self.evidence.used),
            formula: &self.formula,
            paper: &self.paper,
            undefined: self.undefined.as_deref(),
        };
        serde_json::to_writer(&mut *out, &object)?;
        Ok(writeln!(out)?)
    }
}

/// Lists cells by column and row.
fn name_cells(cells: &[Cell], graph: &Graph) -> String {
    let name = |cell: &Cell| format!("{} of row {}", graph.column(cell.column).name, cell.row + 1);
    let mut names: Vec<String> = cells.iter().take(NAMED).map(name).collect();
    if cells.len() > NAMED {
        names.push(format!("and {} more", cells.len() - NAMED));
    }
    names.join(", ")
}

/// Output of `--json`.
#[derive(Serialize)]
struct ExecutionJson<'a> {
    denotation: &'a [String],
    /// The same as a table, if it is one of groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'a Groups>,
    #[serde(rename = "type")]
    kind: &'a str,
    /// Row and column, from 0, of the cells that the answer was read or computed from.
    cells: Vec<(u32, u16)>,
    /// Cells that conditions and orderings were evaluated on.
    used: Vec<(u32, u16)>,
    formula: &'a str,
    paper: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    undefined: Option<&'a str>,
}
