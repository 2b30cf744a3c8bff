//! `tabwise chat`: an interactive session about one table, with line editing and history on a terminal. From a pipe it
//! reads one question or command per line.

use crate::asker::{AskerArgs, SureArgs};
use crate::input::TableArgs;
use crate::outcome::Outcome;
use crate::picture::picture;
use crate::report::{ReportOptions, Values, percent, say, say_notes, say_sql, say_steps, say_values, say_why};
use crate::style::{Style, one_line, width};
use anyhow::{Result, bail};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{IsTerminal, Write, stdin};
use std::path::{Path, PathBuf};
use std::{env, fs};
use tabwise::answer::{Answer, Asker, PreparedTable, Wanted};
use tabwise::table::{Format, Table};

const HELP: &str = "Ask in English, for example: which city was the last in Greece?
  :why     the steps that led to the last answer
  :next    the next interpretation of the question
  :sql     the last answer as an SQL query
  :all     every value of the last answer
  :table   the first rows of the table
  :help    this list
  :quit    leave (or Ctrl-D)";

const EXAMPLES: &str = "Examples:
  tabwise chat games.csv
  tabwise chat page.html --table \"Medal table\"
  printf 'which city was last?\\n:why\\n' | tabwise chat games.csv

Commands in a session: :why, :next, :sql, :all, :table, :help, :quit.";

/// Options of `chat`. The table cannot be standard input here, since the questions are read from it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, mut_arg("path", |arg| arg.help(format!("{} file", Format::titles()))))]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    sure: SureArgs,
    #[command(flatten)]
    asker: AskerArgs,
}

/// Reads the table, then answers until the input ends.
pub(crate) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    if args.table.path == Path::new("-") {
        bail!(
            "chat reads questions from standard input, so the table must be a file; `ask` takes a table from standard input"
        );
    }
    let table = args.table.load()?;
    let asker = args.asker.load()?;
    let prepared = args.table.prepare(&asker, &table)?.named(args.table.name());
    let wanted = Wanted { min_confidence: args.sure.min_confidence, ..Wanted::default() };
    say_notes(&prepared.notes, Style::of_stdout(), out)?;
    let mut chat = Chat { table, asker, prepared, wanted, style: Style::of_stdout(), last: None };
    match stdin().is_terminal() {
        true => chat.talk(out)?,
        false => chat.listen(out)?,
    }
    Ok(Outcome::Done)
}

/// A session about one table.
struct Chat {
    table: Table,
    asker: Asker,
    prepared: PreparedTable,
    wanted: Wanted,
    style: Style,
    last: Option<Turn>,
}

/// The last answer, and the index of the interpretation that was shown last.
struct Turn {
    answer: Answer,
    shown: usize,
}

/// Continuation after a line of input.
#[derive(PartialEq, Eq)]
enum Then {
    GoOn,
    Stop,
}

impl Chat {
    /// Runs the session on a terminal, with line editing and history.
    fn talk(&mut self, out: &mut impl Write) -> Result<()> {
        let mut editor = DefaultEditor::new()?;
        let history = history_file();
        if let Some(file) = &history {
            let _ = editor.load_history(file);
        }
        let (rows, columns) = (self.table.row_count(), self.table.column_count());
        writeln!(out, "{rows} rows, {columns} columns. Ask a question, or :help.")?;
        out.flush()?;
        loop {
            match editor.readline("> ") {
                Ok(line) => {
                    let _ = editor.add_history_entry(line.as_str());
                    let then = self.hear(&line, out)?;
                    out.flush()?;
                    if then == Then::Stop {
                        break;
                    }
                }
                Err(ReadlineError::Interrupted) => continue,
                Err(ReadlineError::Eof) => break,
                Err(error) => return Err(error.into()),
            }
        }
        if let Some(file) = &history {
            let _ = editor.save_history(file);
        }
        Ok(())
    }

    /// Runs the session from a pipe. Each line is echoed, so that the output can be read on its own.
    fn listen(&mut self, out: &mut impl Write) -> Result<()> {
        for line in stdin().lines() {
            let line = line?;
            writeln!(out, "> {}", one_line(&line, 200))?;
            let then = self.hear(&line, out)?;
            out.flush()?;
            if then == Then::Stop {
                break;
            }
        }
        Ok(())
    }

    /// Handles one line: a command or a question.
    fn hear(&mut self, line: &str, out: &mut impl Write) -> Result<Then> {
        match line.trim() {
            "" => {}
            ":quit" | ":q" | ":exit" => return Ok(Then::Stop),
            ":help" | ":h" | "?" => writeln!(out, "{HELP}")?,
            ":table" | ":t" => self.show_table(out)?,
            ":why" | ":w" => self.why(out)?,
            ":next" | ":n" => self.next(out)?,
            ":sql" | ":s" => self.sql(out)?,
            ":all" | ":a" => self.all(out)?,
            command if command.starts_with(':') => {
                writeln!(out, "There is no command {}; :help lists the commands.", one_line(command, 40))?;
            }
            question => self.answer(question, out)?,
        }
        Ok(Then::GoOn)
    }

    /// Answers a question and remembers the answer for `:why` and `:next`.
    fn answer(&mut self, question: &str, out: &mut impl Write) -> Result<()> {
        let answer = self.asker.ask(&self.prepared, question, &self.wanted);
        let report = ReportOptions { style: self.style, values: FIRST_VALUES, top: 1, with_question: false };
        say(&answer, &self.table, report, out)?;
        say_notes(&answer.notes[self.prepared.notes.len()..], self.style, out)?;
        self.last = Some(Turn { answer, shown: 0 });
        Ok(())
    }

    /// Prints the steps of the interpretation that was shown last.
    fn why(&self, out: &mut impl Write) -> Result<()> {
        let meaning = self.last.as_ref().and_then(|turn| turn.answer.meanings.get(turn.shown));
        match meaning {
            Some(meaning) => say_steps(&meaning.steps, self.style, out)?,
            None => writeln!(out, "There is no answer yet; ask a question first.")?,
        }
        Ok(())
    }

    /// Prints the interpretation that was shown last as a query.
    fn sql(&self, out: &mut impl Write) -> Result<()> {
        match self.last.as_ref().and_then(|turn| turn.answer.meanings.get(turn.shown)) {
            Some(meaning) => say_sql(meaning, self.style, out)?,
            None => writeln!(out, "There is no answer yet; ask a question first.")?,
        }
        Ok(())
    }

    /// Prints all values of the interpretation that was shown last.
    fn all(&self, out: &mut impl Write) -> Result<()> {
        let meaning = self.last.as_ref().and_then(|turn| turn.answer.meanings.get(turn.shown));
        match meaning {
            Some(meaning) => say_values(meaning, Values::All, self.style, out)?,
            None => writeln!(out, "There is no answer yet; ask a question first.")?,
        }
        Ok(())
    }

    /// Prints the next interpretation.
    fn next(&mut self, out: &mut impl Write) -> Result<()> {
        let Some(turn) = &mut self.last else {
            writeln!(out, "There is no answer yet; ask a question first.")?;
            return Ok(());
        };
        let Some(meaning) = turn.answer.meanings.get(turn.shown + 1) else {
            writeln!(out, "There is no other interpretation; try other words.")?;
            return Ok(());
        };
        turn.shown += 1;
        say_values(meaning, FIRST_VALUES, self.style, out)?;
        writeln!(out)?;
        say_why(meaning, &[], self.style, out)?;
        writeln!(out)?;
        picture(&self.table, meaning, self.style, width()).iter().try_for_each(|line| writeln!(out, "  {line}"))?;
        let left = turn.answer.meanings.len() - turn.shown - 1;
        let rest: f64 = turn.answer.meanings[turn.shown + 1..].iter().map(|meaning| meaning.confidence).sum();
        if left > 0 {
            writeln!(out, "{}", self.style.dim(&format!("{left} more, together {} sure: :next", percent(rest))))?;
        }
        Ok(())
    }

    /// Prints the first rows of the table.
    fn show_table(&self, out: &mut impl Write) -> Result<()> {
        let mut head = Table::new(self.table.header().to_vec());
        let rows = self.table.row_count();
        (0..rows.min(SHOWN)).for_each(|row| head.push_row(self.table.row(row)));
        crate::commands::show::table::text(&head, out)?;
        match rows.saturating_sub(SHOWN) {
            0 => Ok(()),
            more => Ok(writeln!(out, "{}", self.style.dim(&format!("and {more} more rows")))?),
        }
    }
}

/// Values of an answer that are printed at first.
const FIRST_VALUES: Values = Values::First { others: ":all" };

/// Number of rows that `:table` shows.
const SHOWN: usize = 20;

/// File of the history, in the user's data folder; `None` if it cannot be created.
fn history_file() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || folder("HOME").map(|home| home.join(".local/share"));
    let base = folder("XDG_DATA_HOME").or_else(home).or_else(|| folder("APPDATA"))?;
    let own = base.join("tabwise");
    fs::create_dir_all(&own).ok()?;
    Some(own.join("history"))
}
