//! `tabwise ask`: answers questions about a table. For people it prints the answer, the explanation and the cells; for
//! programs, a table, JSON or the bare values.

use crate::asker::{AskerArgs, SureArgs};
use crate::database::{self, Database};
use crate::grid::Grid;
use crate::hints;
use crate::input::{TableArgs, show};
use crate::lines::lines;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::report::{ReportOptions, Shown, Values, percent, say, say_notes, say_own_notes};
use crate::style::{Style, one_line};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use std::fs::File;
use std::io::{BufReader, Write, stdin};
use std::path::{Path, PathBuf};
use tabwise::answer::{Answer, Asker, HeldTable, PreparedTable, Rows, Wanted};
use tabwise::table::Table;
use tabwise_server::read_corrections;

const EXAMPLES: &str = "Examples:
  tabwise ask games.csv \"which city was the last in Greece?\"
  tabwise ask games.csv \"which city was last?\" \"how many times did Paris host?\"
  tabwise ask games.csv \"how many games were in each country?\" --format csv
  tabwise ask page.html --table 2 \"how many games had more than 100 nations?\"
  tabwise ask games.csv --questions questions.txt --quiet
  cat data.csv | tabwise ask - \"what is the highest price?\" --json

Cells in [brackets] are the answer or what it was computed from; cells in (parentheses) were \
used to find them. Exit codes: 0 answered, 1 no answer or confidence too low, 2 error.";

/// Options of `ask`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Questions, each in quotes; - reads questions from standard input, one per line
    #[arg(value_name = "QUESTION", required_unless_present = "questions", conflicts_with = "questions", help_heading = None)]
    question: Vec<String>,
    /// File with questions, one per line; - is standard input
    #[arg(long, value_name = "FILE", help_heading = None)]
    questions: Option<PathBuf>,
    /// Print only the answer, one value per line; for several questions, one answer per line with tabs between values, and
    /// an empty line for an empty one
    #[arg(long, short, conflicts_with_all = ["json", "format"], help_heading = None)]
    quiet: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, hide_default_value = true, help_heading = None)]
    format: Output,
    /// Print the whole answer as JSON, one object per line; the same as --format json
    #[arg(long, conflicts_with = "format", help_heading = None)]
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
    /// Where the table is asked [default: memory; sqlite for a table of a database with 100,000 rows or more]
    #[arg(long, value_enum, value_name = "ENGINE", help_heading = None)]
    engine: Option<Engine>,
    /// File of corrections to heed, as `chat` and `serve --store` keep it
    #[arg(long, value_name = "FILE", help_heading = None)]
    corrections: Option<PathBuf>,
    #[command(flatten)]
    sure: SureArgs,
    #[command(flatten)]
    asker: AskerArgs,
}

/// Where a table is asked. The doc comments are part of the help.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// All rows are read
    Memory,
    /// A table of a database stays there; the answers are queries that SQLite runs
    Sqlite,
}

/// Output format. The doc comments are part of the help.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Output {
    /// The answer with its reason and its cells
    #[default]
    Text,
    /// The answer alone as an aligned table; for several questions, a row for each
    Table,
    /// The whole answer, one object per line
    Json,
    /// The same as `table`, as CSV
    Csv,
    /// The same as `table`, as a pipe table
    Markdown,
}

/// Reads the table, answers each question and prints the answers. Notes on the table come once, at the end.
pub(crate) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    if let Some(hint) = hints::for_order(&args.table.path, &args.question, "ask") {
        return Err(hint);
    }
    let questions = args.questions()?;
    let progress = Progress::start(format!("reading {}", show(&args.table.path)));
    let corrections = args.corrections.as_deref().map(read_corrections).transpose()?.unwrap_or_default();
    let asker = args.asker.load()?.with_corrections(corrections.corrections);
    let place = args.place(&asker, &progress)?;
    let mut session = Session { form: args.form(questions.len()), asker, place, wanted: args.wanted() };
    session.answer_all(&questions, &progress, out)
}

/// Where a table is.
enum Place {
    Memory { table: Table, prepared: Box<PreparedTable> },
    Engine(Box<HeldTable>),
}

impl Place {
    fn shown(&self) -> Shown<'_> {
        match self {
            Place::Memory { table, .. } => Shown::Cells(table),
            Place::Engine(_) => Shown::Query,
        }
    }

    fn notes(&self) -> &[String] {
        match self {
            Place::Memory { prepared, .. } => &prepared.notes,
            Place::Engine(held) => &held.prepared().notes,
        }
    }

    fn ask(&self, asker: &Asker, question: &str, wanted: &Wanted) -> Result<Answer> {
        Ok(match self {
            Place::Memory { prepared, .. } => asker.try_ask(prepared, question, wanted)?,
            Place::Engine(held) => asker.ask_held(held, question, wanted)?.answer,
        })
    }
}

/// A table with the questions that are put to it.
struct Session {
    form: Form,
    asker: Asker,
    place: Place,
    wanted: Wanted,
}

impl Session {
    fn answer_all(&mut self, questions: &[String], progress: &Progress, out: &mut impl Write) -> Result<Outcome> {
        let mut answers = Vec::new();
        let mut outcome = Outcome::Done;
        for (number, question) in questions.iter().enumerate() {
            progress.now(match questions.len() {
                1 => "answering".to_owned(),
                count => format!("question {} of {count}", number + 1),
            });
            if question.trim().is_empty() {
                writeln!(out)?;
                continue;
            }
            let answer = self.place.ask(&self.asker, question.trim(), &self.wanted)?;
            if answer.abstains {
                outcome = Outcome::NoAnswer;
            }
            match self.form {
                Form::Table(_) => answers.push(answer),
                _ => progress.pause(|| self.print(&answer, out))?,
            }
        }
        progress.pause(|| self.finish(&answers, out))?;
        Ok(outcome)
    }

    /// Prints one answer at once, so that those of many questions appear one after the other.
    fn print(&self, answer: &Answer, out: &mut impl Write) -> Result<()> {
        match self.form {
            Form::Json => writeln!(out, "{}", serde_json::to_string(answer)?)?,
            Form::Values => answer.answer.iter().try_for_each(|value| writeln!(out, "{}", line(value)))?,
            Form::Lines => writeln!(out, "{}", answer.answer.iter().map(|v| line(v)).collect::<Vec<_>>().join("\t"))?,
            Form::Report(report) => {
                say(answer, self.place.shown(), report, out)?;
                // Those on the table come at the end.
                say_own_notes(answer, self.place.notes(), report.style, out)?;
            }
            Form::Table(_) => {}
        }
        Ok(out.flush()?)
    }

    /// Prints what comes after all answers: the table of them, or the notes.
    fn finish(&self, answers: &[Answer], out: &mut impl Write) -> Result<()> {
        match self.form {
            Form::Table(output) => print_table(answers, output, out)?,
            Form::Report(report) if !self.place.notes().is_empty() => {
                if !report.with_question {
                    writeln!(out)?;
                }
                say_notes(self.place.notes(), report.style, out)?;
            }
            _ => {}
        }
        Ok(())
    }
}

/// Prints one answer as a table of its values or groups, and several as a table with a row for each.
fn print_table(answers: &[Answer], output: Output, out: &mut impl Write) -> Result<()> {
    let shares: Vec<[String; 2]> =
        answers.iter().map(|answer| [answer.answer.join("; "), percent(answer.confidence)]).collect();
    let grid = match answers {
        [Answer { table: Some(groups), .. }] => Grid::of(
            groups.header.iter().map(String::as_str).collect(),
            groups.rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect(),
        ),
        [one] => Grid::of(vec!["answer"], one.answer.iter().map(|value| vec![value.as_str()]).collect()),
        _ => {
            let rows = answers.iter().zip(&shares);
            let rows = rows.map(|(answer, [values, sure])| vec![answer.question.as_str(), values, sure]);
            Grid::of(vec!["question", "answer", "confidence"], rows.collect())
        }
    };
    match output {
        Output::Csv => grid.csv(out)?,
        Output::Markdown => grid.markdown(out)?,
        _ => grid.aligned(Style::of_stdout(), out)?,
    }
    Ok(())
}

/// Output for a number of questions.
#[derive(Clone, Copy)]
enum Form {
    Json,
    /// One value per line, for one question.
    Values,
    /// One answer per line, for several questions.
    Lines,
    /// The values alone, as a table.
    Table(Output),
    Report(ReportOptions),
}

impl Args {
    /// Reads the table, or opens the database that it stays in.
    fn place(&self, asker: &Asker, progress: &Progress) -> Result<Place> {
        let chosen = self.table.reading.table.as_ref().or(self.table.reading.sheet.as_ref());
        let database = match self.engine {
            Some(Engine::Memory) => None,
            Some(Engine::Sqlite) => Some(Database::open(&self.table.path, chosen)?),
            None => database::long_table(&self.table.path, chosen)?,
        };
        if let Some(database) = database {
            progress.now("looking at the table");
            return Ok(Place::Engine(Box::new(HeldTable::new(Box::new(database), asker)?)));
        }
        let table = self.table.load()?;
        progress.now("indexing the table");
        let prepared = Box::new(self.table.prepare(asker, &table)?.named(self.table.name()));
        Ok(Place::Memory { table, prepared })
    }

    /// The parts of an answer that the library has to compute.
    fn wanted(&self) -> Wanted {
        let default = Wanted::default();
        let is_json = self.json || self.format == Output::Json;
        Wanted {
            min_confidence: self.sure.min_confidence,
            meanings: self.top.max(if is_json { default.meanings } else { 1 }),
            candidates: self.top.max(default.candidates),
            rows: if self.every_row { Rows::All } else { Rows::Sample },
        }
    }

    /// The output for a number of questions.
    fn form(&self, count: usize) -> Form {
        match (self.format, self.quiet) {
            (_, true) if self.is_list() || count > 1 => Form::Lines,
            (_, true) => Form::Values,
            (Output::Json, _) => Form::Json,
            _ if self.json => Form::Json,
            (Output::Text, _) => Form::Report(ReportOptions {
                style: Style::of_stdout(),
                values: if self.all { Values::All } else { Values::First { others: "--all" } },
                top: self.top.max(1),
                with_question: count > 1,
            }),
            (output, _) => Form::Table(output),
        }
    }

    /// True if the questions are lines of a file or of standard input.
    fn is_list(&self) -> bool {
        self.questions.is_some() || self.question == ["-"]
    }

    /// The questions, from arguments, a file or standard input. Empty lines are skipped, except with `--quiet`, where each
    /// line of input has one of output.
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
            (None, _) => separate(&self.question)?,
        };
        let is_asked = |question: &String| !question.trim().is_empty();
        match questions.iter().any(is_asked) {
            false => bail!("there is no question; ask something such as \"which city was last?\""),
            true if self.quiet && self.is_list() => Ok(questions),
            true => Ok(questions.into_iter().filter(is_asked).collect()),
        }
    }
}

/// The questions of arguments. Words without quotes are one question; arguments of several words, or that end with a
/// question mark, are a question each.
fn separate(arguments: &[String]) -> Result<Vec<String>> {
    let is_whole = |argument: &String| argument.trim().contains(char::is_whitespace) || argument.ends_with('?');
    let whole = arguments.iter().filter(|argument| is_whole(argument)).count();
    let has_spaces = arguments.iter().any(|argument| argument.trim().contains(char::is_whitespace));
    match arguments {
        [_] => Ok(arguments.to_vec()),
        all if whole == all.len() => Ok(all.to_vec()),
        all if !has_spaces && (whole == 0 || whole == 1 && all.last().is_some_and(is_whole)) => Ok(vec![all.join(" ")]),
        _ => bail!("cannot tell where one question ends and the next begins; put each of them in quotes"),
    }
}

/// A value on one line, without control characters.
fn line(value: &str) -> String {
    one_line(value, usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_arguments_are_questions_of_their_own() {
        let separated = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(|argument| argument.to_string()).collect();
            separate(&arguments).ok()
        };
        let is = |arguments: &[&str], questions: &[&str]| {
            let questions: Vec<String> = questions.iter().map(|question| question.to_string()).collect();
            assert_eq!(separated(arguments), Some(questions));
        };
        is(&["which city was last?"], &["which city was last?"]);
        is(&["which city was last?", "how many games?"], &["which city was last?", "how many games?"]);
        is(&["which city was last", "how many games"], &["which city was last", "how many games"]);
        is(&["which", "city", "was", "last?"], &["which city was last?"]);
        is(&["median", "nations"], &["median nations"]);
        is(&["which city was last?", "why?"], &["which city was last?", "why?"]);
        assert_eq!(separated(&["how", "often", "was", "St. Louis", "the", "host?"]), None);
        assert_eq!(separated(&["which", "last?", "which", "first?"]), None);
    }
}
