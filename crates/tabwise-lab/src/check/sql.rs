//! `tabwise lab check sql`: runs formulas as SQL and compares the results with those of the executor: the hand-written
//! formulas of the dataset, and the best candidate of every question of a split. SQLite is part of the program; any other
//! database is a command that takes a JSON object a line (`create`, `query`) and gives one back (`rows` or `error`).

use super::engine::Engine;
use crate::annotated::annotated;
use crate::dataset;
use crate::outcome::Outcome;
use anyhow::Result;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use tabwise::answer::Knowledge;
use tabwise::evaluate::{Example, Record};
use tabwise::execute::{Denotation, Executor, Group, Item, distinct};
use tabwise::formula::{Formulas, lisp, notation};
use tabwise::graph::Graph;
use tabwise::named::Named;
use tabwise::sql::{Dialect, Schema, create, query};
use tabwise::value::Value;
use tabwise::{Asker, Model};

/// Options of `check sql`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise lab check sql --data wtq
  tabwise lab check sql --data wtq --dialect duckdb --engine 'python tools/sql/engine.py duckdb'
  tabwise lab check sql --data wtq --dialect spark --engine 'python tools/sql/engine.py spark' --sample 200")]
pub(super) struct Args {
    /// Folder of the dataset, with the subfolders csv and data
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Questions whose best candidate is run: a file of DIR/data without its extension
    #[arg(long, value_name = "NAME", default_value = "random-split-1-dev")]
    split: String,
    /// Kind of SQL
    #[arg(long, value_name = "DIALECT", default_value = "sqlite", value_parser = dialect)]
    dialect: Dialect,
    /// Command that runs SQL, for a dialect other than sqlite
    #[arg(long, value_name = "COMMAND", required_if_eq_any([("dialect", "duckdb"), ("dialect", "postgres"), ("dialect", "spark")]))]
    engine: Option<String>,
    /// Run a sample of N formulas, evenly spread [default: all]
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Print every formula with its query
    #[arg(long)]
    verbose: bool,
}

/// Minimum share of formulas that can be said in SQL.
const BAR: f64 = 0.99;

fn dialect(name: &str) -> Result<Dialect, String> {
    let names = || Dialect::ALL.iter().map(|dialect| dialect.name()).collect::<Vec<_>>().join(", ");
    Dialect::named(name).ok_or_else(|| format!("there is no such dialect; there are {}", names()))
}

/// A formula with the table that it is about.
struct Case {
    id: String,
    formula: String,
    graph: usize,
}

/// Runs every formula and prints the shares of those that can be said and that give the same.
pub(super) fn run(args: Args, knowledge: &Knowledge, out: &mut impl Write) -> Result<Outcome> {
    let mut graphs: Vec<Graph> = Vec::new();
    let written = hand_written(&args, knowledge, &mut graphs)?;
    let records = dataset::records(&args.data, &args.split)?;
    let chosen = spread(written.len() + records.len(), args.sample);
    let (first, second) = chosen.split_at(chosen.partition_point(|at| *at < written.len()));
    let second: Vec<Record> = second.iter().map(|at| records[at - written.len()].clone()).collect();
    let best = best_candidates(&args, &second, &mut graphs)?;
    let cases: Vec<&Case> = first.iter().map(|at| &written[*at]).chain(&best).collect();
    let mut engine = Engine::start(args.dialect, args.engine.as_deref())?;
    let mut tally = Tally::default();
    for case in cases {
        tally.add(check(case, &graphs[case.graph], &args, &mut engine, out)?);
    }
    tally.print(out)?;
    Ok(if tally.passes() { Outcome::Done } else { Outcome::BelowBar })
}

/// Numbers below `count`, evenly spread; all of them if there is no wish.
fn spread(count: usize, wanted: Option<usize>) -> Vec<usize> {
    let step = wanted.map_or(1.0, |wanted| count as f64 / wanted.max(1) as f64).max(1.0);
    (0..).map(|n| (f64::from(n) * step) as usize).take_while(|at| *at < count).collect()
}

/// Result of one formula.
enum Verdict {
    /// Without a value in its table, so there is nothing to compare.
    Undefined,
    /// Not said in SQL, with the reason.
    Unsaid(String),
    Same,
    Different,
}

#[derive(Default)]
struct Tally {
    undefined: usize,
    unsaid: BTreeMap<String, usize>,
    same: usize,
    different: usize,
}

impl Tally {
    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Undefined => self.undefined += 1,
            Verdict::Unsaid(reason) => *self.unsaid.entry(reason).or_default() += 1,
            Verdict::Same => self.same += 1,
            Verdict::Different => self.different += 1,
        }
    }

    fn said(&self) -> usize {
        self.same + self.different
    }

    fn share(&self) -> f64 {
        let unsaid: usize = self.unsaid.values().sum();
        self.said() as f64 / (self.said() + unsaid).max(1) as f64
    }

    fn passes(&self) -> bool {
        self.different == 0 && self.said() > 0 && self.share() >= BAR
    }

    fn print(&self, out: &mut impl Write) -> Result<()> {
        for (reason, count) in &self.unsaid {
            writeln!(out, "{count} not said: {reason}")?;
        }
        let unsaid: usize = self.unsaid.values().sum();
        let all = self.said() + unsaid;
        writeln!(out, "{} formulas, {} more without a value in their table", all, self.undefined)?;
        writeln!(
            out,
            "{} of {all} can be said, {:.2} % (bar {:.0} %); {} of {} give the same, {:.2} % (bar 100 %)",
            self.said(),
            100.0 * self.share(),
            100.0 * BAR,
            self.same,
            self.said(),
            100.0 * self.same as f64 / self.said().max(1) as f64
        )?;
        Ok(())
    }
}

/// The hand-written formulas of the dataset.
fn hand_written(args: &Args, knowledge: &Knowledge, graphs: &mut Vec<Graph>) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for example in annotated(&args.data)?.into_iter().filter(|example| !example.formulas.is_empty()) {
        let graph = example.graph(&args.data, &knowledge.words)?;
        let mut formulas = Formulas::new();
        if let Ok(id) = lisp::read_lisp(&example.formulas[0], &graph, &mut formulas) {
            let formula = notation::show(&formulas, &graph, id);
            cases.push(Case { id: example.id.clone(), formula, graph: graphs.len() });
        }
        graphs.push(graph);
    }
    Ok(cases)
}

/// The best candidate of each question.
fn best_candidates(args: &Args, records: &[Record], graphs: &mut Vec<Graph>) -> Result<Vec<Case>> {
    let asker = Asker::new(Knowledge::embedded(), Model::embedded())?;
    let examples = dataset::examples(records, &args.data, asker.knowledge(), asker.settings().cells)?;
    let best = |example: &Example| {
        let table = examples.table(example);
        let question = asker.question(table, &example.question);
        let ranking = asker.rank(table, &question);
        let formula = ranking.candidates.first()?.formula;
        Some(notation::show(ranking.executor.formulas(), &table.graph, formula))
    };
    let formulas: Vec<Option<String>> = examples.list.par_iter().map(best).collect();
    let before = graphs.len();
    let cases = examples.list.iter().zip(formulas).filter_map(|(example, formula)| {
        Some(Case { id: example.id.clone(), formula: formula?, graph: before + example.table })
    });
    let cases = cases.collect();
    graphs.extend(examples.tables.into_iter().map(|table| table.graph));
    Ok(cases)
}

/// Runs one formula both ways.
fn check(case: &Case, graph: &Graph, args: &Args, engine: &mut Engine, out: &mut impl Write) -> Result<Verdict> {
    let mut formulas = Formulas::new();
    let id = notation::read(&case.formula, graph, &mut formulas)?;
    let mut executor = Executor::new(graph, formulas);
    let Ok(denotation) = executor.denote(id) else { return Ok(Verdict::Undefined) };
    let Some(expected) = lines(&denotation, graph) else { return Ok(Verdict::Undefined) };
    let schema = Schema::new(graph, "data");
    let sql = match query(executor.formulas(), graph, &schema, id, args.dialect) {
        Ok(sql) => sql,
        Err(reason) => {
            writeln!(out, "{} not said: {}", case.id, case.formula)?;
            return Ok(Verdict::Unsaid(reason.to_string()));
        }
    };
    let mut script = String::new();
    create(&schema, sql.made(), sql.parts.iter().copied(), args.dialect, &mut script)?;
    let found = engine.run(&script, &sql.text);
    let is_same = found.as_ref().is_ok_and(|found| is_same(&expected, found, sql.is_ordered));
    if !is_same || args.verbose {
        writeln!(out, "{} {}\n{}", case.id, case.formula, sql.text)?;
    }
    if !is_same {
        writeln!(out, "  expected {expected:?}\n  found {found:?}")?;
    }
    Ok(if is_same { Verdict::Same } else { Verdict::Different })
}

/// Lines of a query's result that a denotation should give; `None` if it is no result.
fn lines(denotation: &Denotation, graph: &Graph) -> Option<Vec<Vec<String>>> {
    let values = |items: &[Item]| distinct(items).into_iter().map(|value| cell(value, graph)).collect::<Vec<String>>();
    match denotation {
        Denotation::Values(items) => Some(values(items).into_iter().map(|value| vec![value]).collect()),
        Denotation::Groups(groups) => {
            let line = |group: &Group| {
                let key = cell(group.key.value, graph);
                values(&group.values).into_iter().map(move |value| vec![key.clone(), value]).collect::<Vec<_>>()
            };
            Some(groups.iter().flat_map(line).collect())
        }
        Denotation::Rows(_) | Denotation::Passing(_) => None,
    }
}

/// A value as a query gives it.
fn cell(value: Value, graph: &Graph) -> String {
    match value {
        Value::Truth(truth) => u8::from(truth).to_string(),
        Value::Date(date) if date.known() == 4 => date.year().unwrap_or_default().to_string(),
        Value::Date(date) => date.to_string().to_lowercase(),
        Value::Number(_) | Value::Entity(_) => graph.show(value),
    }
}

/// Compares two results. Numbers are compared by value, and lines as a set unless their order counts.
fn is_same(expected: &[Vec<String>], found: &[Vec<String>], is_ordered: bool) -> bool {
    let plain = |lines: &[Vec<String>]| -> Vec<Vec<String>> {
        let mut lines: Vec<Vec<String>> =
            lines.iter().map(|line| line.iter().map(|cell| plain(cell)).collect()).collect();
        if is_ordered {
            let mut seen = BTreeSet::new();
            lines.retain(|line| seen.insert(line.clone()));
        } else {
            lines.sort();
        }
        lines
    };
    plain(expected) == plain(found)
}

/// A cell in one spelling: a number with ten digits.
fn plain(cell: &str) -> String {
    match cell.parse::<f64>() {
        Ok(n) if n.is_finite() => format!("{:.9e}", n + 0.0),
        _ => cell.to_string(),
    }
}
