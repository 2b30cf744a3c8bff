//! `tabwise sql`: a question or a formula as an SQL query, and with `--create` the statements that make the table it reads.
//! All that is not SQL is a comment, so the output can be given to a database as it is.

use crate::asker::{AskerArgs, SureArgs};
use crate::input::TableArgs;
use crate::outcome::Outcome;
use crate::report::percent;
use crate::style::{harmless, one_line};
use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::io::Write;
use tabwise::answer::{Wanted, read_formula};
use tabwise::execute::Executor;
use tabwise::explain::Explainer;
use tabwise::formula::types::type_of;
use tabwise::formula::{Formulas, notation};
use tabwise::named::Named;
use tabwise::sql::{Dialect, Schema, create, query};

const EXAMPLES: &str = "Examples:
  tabwise sql games.csv \"which city was the last in Greece?\"
  tabwise sql games.csv \"how many games per country?\" --dialect duckdb
  tabwise sql games.csv --formula 'max(R[Year].Rows)' --dialect postgres
  tabwise sql games.csv \"which year had the most nations?\" --create | sqlite3

The table has the name of its file. A column whose cells are plain numbers or dates as yyyy-mm-dd \
is queried as it is. For a reading of any other text (\"3rd\", \"May 2010\"), and for the order of \
rows, the query uses a further column; --create writes the table with it.

Exit codes: 0 there is a query, 1 there is no answer or SQL has no short form for it, 2 error.";

/// Options of `sql`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Question
    #[arg(value_name = "QUESTION", required_unless_present = "formula", conflicts_with = "formula", help_heading = None)]
    question: Vec<String>,
    /// Formula instead of a question, as `tabwise exec` takes it
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true, help_heading = None)]
    formula: Option<String>,
    /// Kind of SQL
    #[arg(long, value_name = "DIALECT", default_value = Dialect::default().name(), value_parser = dialects(), help_heading = None)]
    dialect: Dialect,
    /// Write the statements that make the table as well
    #[arg(long, help_heading = None)]
    create: bool,
    #[command(flatten)]
    sure: SureArgs,
    #[command(flatten)]
    asker: AskerArgs,
}

fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let known = Dialect::ALL.iter().map(|one| PossibleValue::new(one.name()).help(one.doc().trim_end_matches('.')));
    PossibleValuesParser::new(known).map(|name| Dialect::named(&name).expect("only known names are accepted"))
}

/// Answers the question or reads the formula, and prints the query.
pub(crate) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let table = args.table.load()?;
    let asker = args.asker.load()?;
    let prepared = asker.prepare(&table).named(args.table.name());
    let graph = &prepared.graph;
    let (text, outcome) = match &args.formula {
        Some(formula) => (formula.clone(), Outcome::Done),
        None => {
            let question = args.question.join(" ");
            let answer = asker.ask(
                &prepared,
                &question,
                &Wanted { min_confidence: args.sure.min_confidence, ..Wanted::default() },
            );
            if answer.meanings.is_empty() {
                bail!("no formula fits the question; {}", answer.hint.unwrap_or_default());
            }
            if answer.abstains {
                eprintln!("tabwise: this is a guess, {} sure", percent(answer.confidence));
            }
            (answer.formula, if answer.abstains { Outcome::NoAnswer } else { Outcome::Done })
        }
    };
    let mut formulas = Formulas::new();
    let id = read_formula(&text, graph, &mut formulas).with_context(|| text.clone())?;
    type_of(&formulas, graph, id).with_context(|| text.clone())?;
    let mut executor = Executor::new(graph, formulas);
    let english = Explainer::new(&asker.knowledge().phrases, &mut executor).english(id);
    let schema = Schema::new(graph, &prepared.name);
    let sql = match query(executor.formulas(), graph, &schema, id, args.dialect) {
        Ok(sql) => sql,
        Err(reason) => {
            eprintln!("tabwise: {reason}: {}", harmless(&notation::show(executor.formulas(), graph, id)));
            return Ok(Outcome::NoAnswer);
        }
    };
    let mut script = String::new();
    if args.create {
        create(&schema, sql.made(), sql.parts.iter().copied(), args.dialect, &mut script)?;
    }
    // A query must have names and texts as they are, but nothing of a table may control a terminal.
    if [&script, &sql.text].iter().any(|text| harmless(text) != text.as_str()) {
        bail!(
            "there is no query to show: a header or text of the table that it needs has control characters; take them out of the table"
        );
    }
    if args.create {
        writeln!(out, "{script}")?;
    }
    writeln!(out, "-- {}", one_line(&english, 1000))?;
    if let (Some(note), false) = (sql.note(&schema), args.create) {
        writeln!(out, "-- {}", one_line(&note, 1000))?;
    }
    writeln!(out, "{};", sql.text)?;
    Ok(outcome)
}
