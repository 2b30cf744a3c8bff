//! `tabwise exec`: executes a formula on a table and prints its denotation, its type and the cells behind it. It is the
//! way to try out formulas, and to see what a candidate of `tabwise show candidates` gives.

use crate::asker::KnowledgeArgs;
use crate::input::TableArgs;
use crate::outcome::Outcome;
use crate::report::{Values, say_groups};
use crate::style::{Style, harmless};
use anyhow::{Context, Result};
use std::io::Write;
use tabwise::answer::Execution;
use tabwise::formula::lisp;
use tabwise::graph::{Cells, Graph};
use tabwise::meter::Meter;

const EXAMPLES: &str = "Examples:
  # the last Year of Greece
  tabwise exec games.csv 'R[Year].argmax(Country.Greece, Index)'
  # number of rows with either
  tabwise exec games.csv 'count(City.\"St. Louis\" | City.Paris)'
  # a condition on numbers
  tabwise exec games.csv 'count(Year.Number.>=.1900)'
  # the most frequent City
  tabwise exec games.csv 'argmax(R[City].Rows, R[λx[count(City.x)]])'
  # arithmetic
  tabwise exec games.csv 'sub(max(R[Number].R[Year].Rows), 1896)'
  # a table of groups
  tabwise exec games.csv 'group(R[City].Rows, R[λx[count(City.x)]])'
  # the 3 largest
  tabwise exec games.csv 'argmax(Rows, λx[Nations.Number.x], 3)'
  # yes or no
  tabwise exec games.csv 'exists(City.contains(\"louis\"))'
  # the notation of the dataset
  tabwise exec games.csv '(count (r.country c.greece))'

A name before a dot is a column, any other name is a cell. Names with spaces or punctuation are in double quotes. R[...] \
reverses a relation. The readings of a cell are Number, Number2, Date, Date2, Duration and Part. `Index` counts rows \
from 0, as do the cells of --json; rows that are printed are counted from 1, as by `ask`.

Exit codes: 0 the formula has a value, 1 its result is empty or undefined in this table, 2 it cannot be parsed or typed.";

/// Options of `exec`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Formula, in the notation of Tabwise or in that of the dataset (Lisp)
    #[arg(value_name = "FORMULA", allow_hyphen_values = true, help_heading = None)]
    formula: String,
    /// Print a JSON object with denotation, type, cells, formula and English
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
    let meter = Meter::new(args.table.reading.limits.limits().budget());
    let graph = Graph::within(&table, &knowledge.words, cells, &meter)?;
    let execution = Execution::new(&args.formula, &graph, &knowledge.phrases).with_context(|| args.formula.clone())?;
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&execution)?)?,
        false => text(&execution, &graph, out)?,
    }
    Ok(if execution.undefined.is_none() { Outcome::Done } else { Outcome::NoAnswer })
}

/// Maximum number of cells to list in text output.
const NAMED: usize = 8;

/// Prints the result, then the formula, its type and its cells.
fn text(execution: &Execution, graph: &Graph, out: &mut impl Write) -> Result<()> {
    execution.undefined.iter().try_for_each(|why| writeln!(out, "{why}"))?;
    match &execution.table {
        Some(groups) => say_groups(groups, Values::All, Style::of_stdout(), out)?,
        None => execution.denotation.iter().try_for_each(|value| writeln!(out, "{}", harmless(value)))?,
    }
    writeln!(out)?;
    writeln!(out, "formula  {}", harmless(&execution.formula))?;
    writeln!(out, "type     {}", execution.kind)?;
    for (name, cells) in [("cells", &execution.cells), ("because", &execution.used)] {
        if !cells.is_empty() {
            writeln!(out, "{name:8} {}", harmless(&name_cells(cells, graph)))?;
        }
    }
    Ok(())
}

/// Lists cells by column and row; rows are counted from 1.
fn name_cells(cells: &[[u32; 2]], graph: &Graph) -> String {
    let name = |[row, column]: &[u32; 2]| format!("{} of row {}", graph.columns()[*column as usize].name, row + 1);
    let mut names: Vec<String> = cells.iter().take(NAMED).map(name).collect();
    if cells.len() > NAMED {
        names.push(format!("and {} more", cells.len() - NAMED));
    }
    names.join(", ")
}
