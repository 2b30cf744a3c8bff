//! `tabwise ask`: answers questions about a table. For people it prints the answer, the explanation and the cells; for
//! programs, JSON or the bare values.

use crate::asker::{AskerArgs, SureArgs};
use crate::input::TableArgs;
use crate::outcome::Outcome;
use crate::report::{ReportOptions, Values, say, say_notes};
use crate::style::{Style, one_line};
use anyhow::{Context, Result, bail, ensure};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, stdin};
use std::path::{Path, PathBuf};
use tabwise::answer::{Answer, Asker, PreparedTable, Rows, Wanted};

const EXAMPLES: &str = "Examples:
  tabwise ask games.csv \"which city was the last in Greece?\"
  tabwise ask page.html --table 2 \"how many games had more than 100 nations?\"
  tabwise ask games.csv --questions questions.txt --quiet
  curl -s https://example.org/data.csv | tabwise ask - \"what is the highest price?\" --json

Cells in [brackets] are the answer or what it was computed from; cells in (parentheses) were
used to find them. Exit codes: 0 answered, 1 no answer or confidence too low, 2 error.";

/// Options of `ask`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Question; - reads questions from standard input, one per line
    #[arg(value_name = "QUESTION", required_unless_present = "questions", conflicts_with = "questions", help_heading = None)]
    question: Vec<String>,
    /// File with questions, one per line; - is standard input
    #[arg(long, value_name = "FILE", help_heading = None)]
    questions: Option<PathBuf>,
    /// Print only the answer, one value per line; for several questions, one answer per line with tabs between values
    #[arg(long, short, conflicts_with = "json", help_heading = None)]
    quiet: bool,
    /// Print the whole answer as JSON, one object per line
    #[arg(long, help_heading = None)]
    json: bool,
    /// Print every value of a long answer
    #[arg(long, help_heading = None)]
    all: bool,
    /// Show the N most likely interpretations
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = None)]
    top: usize,
    /// Look for interpretations in every row of a big table instead of a sample; slower, and the answers are computed from
    /// every row either way
    #[arg(long, help_heading = None)]
    every_row: bool,
    #[command(flatten)]
    sure: SureArgs,
    #[command(flatten)]
    asker: AskerArgs,
}

/// Reads the table, answers each question and prints the answers. Notes on the table come once, at the end.
pub(crate) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let questions = args.questions()?;
    let table = args.table.load()?;
    let asker = args.asker.load()?;
    let prepared = args.table.prepare(&asker, &table)?.named(args.table.name());
    let (wanted, form) = (args.wanted(), args.form(questions.len()));
    let mut outcome = Outcome::Done;
    for question in &questions {
        let answer = answer(&asker, &prepared, question, &wanted)?;
        match form {
            Form::Json => writeln!(out, "{}", serde_json::to_string(&answer)?)?,
            Form::Values => answer.answer.iter().try_for_each(|value| writeln!(out, "{}", line(value)))?,
            Form::Lines => writeln!(out, "{}", answer.answer.iter().map(|v| line(v)).collect::<Vec<_>>().join("\t"))?,
            Form::Report(report) => {
                say(&answer, &table, report, out)?;
                // Those on the table come at the end.
                say_notes(&answer.notes[prepared.notes.len()..], report.style, out)?;
            }
        }
        if answer.abstains {
            outcome = Outcome::NoAnswer;
        }
    }
    if let Form::Report(report) = form
        && !prepared.notes.is_empty()
    {
        if !report.with_question {
            writeln!(out)?;
        }
        say_notes(&prepared.notes, report.style, out)?;
    }
    Ok(outcome)
}

/// Output format.
#[derive(Clone, Copy)]
enum Form {
    Json,
    /// One value per line, for one question.
    Values,
    /// One answer per line, for several questions.
    Lines,
    Report(ReportOptions),
}

impl Args {
    /// The parts of an answer that the library has to compute.
    fn wanted(&self) -> Wanted {
        let default = Wanted::default();
        Wanted {
            min_confidence: self.sure.min_confidence,
            meanings: self.top.max(if self.json { default.meanings } else { 1 }),
            candidates: self.top.max(default.candidates),
            rows: if self.every_row { Rows::All } else { Rows::Sample },
        }
    }

    /// The output format for a number of questions.
    fn form(&self, count: usize) -> Form {
        match (self.json, self.quiet) {
            (true, _) => Form::Json,
            (_, true) if count == 1 => Form::Values,
            (_, true) => Form::Lines,
            _ => Form::Report(ReportOptions {
                style: Style::of_stdout(),
                values: if self.all { Values::All } else { Values::First { others: "--all" } },
                top: self.top.max(1),
                with_question: count > 1,
            }),
        }
    }

    /// The questions, from the argument, a file or standard input. Empty lines are skipped.
    fn questions(&self) -> Result<Vec<String>> {
        let from_stdin = self.question == ["-"] || self.questions.as_deref() == Some(Path::new("-"));
        let questions = match (&self.questions, from_stdin) {
            (_, true) if self.table.path == Path::new("-") => {
                bail!("the table and the questions cannot both come from standard input; give one of them as a file")
            }
            (_, true) => lines(stdin().lock()).context("standard input")?,
            (Some(file), _) => {
                let opened = File::open(file).with_context(|| format!("cannot open {}", file.display()))?;
                lines(BufReader::new(opened)).with_context(|| file.display().to_string())?
            }
            (None, _) => vec![self.question.join(" ")],
        };
        let asked: Vec<String> = questions.into_iter().filter(|question| !question.trim().is_empty()).collect();
        match asked.is_empty() {
            true => bail!("there is no question; ask something such as \"which city was last?\""),
            false => Ok(asked),
        }
    }
}

/// Bytes of questions that are read at most.
const MOST_QUESTIONS: u64 = 64 << 20;

/// Reads the lines of a source, which has to be text and of a reasonable length.
fn lines(source: impl BufRead) -> Result<Vec<String>> {
    let mut bytes = Vec::new();
    source.take(MOST_QUESTIONS + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= MOST_QUESTIONS, "there are more than {MOST_QUESTIONS} bytes of questions; ask fewer");
    let line = |(number, line): (usize, &[u8])| {
        let text = std::str::from_utf8(line).with_context(|| format!("line {} is not text in UTF-8", number + 1))?;
        Ok(text.trim_end_matches('\r').to_owned())
    };
    bytes.split(|byte| *byte == b'\n').enumerate().map(line).collect()
}

fn answer(asker: &Asker, table: &PreparedTable, question: &str, wanted: &Wanted) -> Result<Answer> {
    Ok(asker.try_ask(table, question.trim(), wanted)?)
}

/// A value on one line, without control characters.
fn line(value: &str) -> String {
    one_line(value, usize::MAX)
}
