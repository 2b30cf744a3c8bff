//! `tabwise chat`: an interactive session about a table, with line editing, completion and history on a terminal. From a
//! pipe it reads one question or command per line. A question may go on from the one before it, and answers can be corrected.

mod complete;
mod teach;

use crate::asker::{AskerArgs, SureArgs};
use crate::hints::nearest;
use crate::input::TableArgs;
use crate::lines::next_line;
use crate::outcome::Outcome;
use crate::picture::picture;
use crate::progress::Progress;
use crate::report::{
    ReportOptions, Shown, Values, percent, say, say_notes, say_own_notes, say_sql, say_steps, say_values, say_why,
};
use crate::style::{Style, one_line, width};
use anyhow::{Result, bail};
use complete::Completions;
use etcetera::{BaseStrategy, choose_base_strategy};
use rustyline::Editor;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use std::fs;
use std::io::{IsTerminal, Write, stdin};
use std::path::{Path, PathBuf};
use tabwise::answer::{Answer, Asker, PreparedTable, Wanted};
use tabwise::dialogue::{Dialogue, Understood};
use tabwise::table::{Format, Table};
use tabwise_server::CorrectionsFile;

const HELP: &str = "Ask in English, for example: which city was the last in Greece?
Go on from there: and in France? of those, the largest? how old is it?
  :why        the steps that led to the last answer
  :next       the next interpretation of the question
  :sql        the last answer as an SQL query
  :all        every value of the last answer
  :json       the last answer as JSON
  :undo       forget the last question
  :right      what was shown last is right; or :right #2, or :right ANSWER
  :wrong      the other interpretations, to choose the right one
  :forget     take back what you said about the last answer
  :table      the first rows of the table
  :open FILE  another table
  :help       this list
  :quit       leave (or Ctrl-D, or Ctrl-C twice)
Tab completes commands, columns and cells.";

/// Commands that Tab completes.
const COMMANDS: &[&str] = &[
    ":all", ":forget", ":help", ":json", ":next", ":open ", ":quit", ":right", ":sql", ":table", ":undo", ":why",
    ":wrong",
];

const EXAMPLES: &str = "Examples:
  tabwise chat games.csv
  tabwise chat page.html --table \"Medal table\"
  printf 'which city was last?\\n:why\\n' | tabwise chat games.csv

Commands in a session: :why, :next, :sql, :all, :json, :undo, :right, :wrong, :forget, :table, :open, :help, :quit.

What you say with :right counts at once, for this question and a little for others. On a terminal it is kept in \
corrections.jsonl in the folder for the data of programs (~/.local/share/tabwise on Linux); nothing leaves this machine.";

/// Options of `chat`. The table cannot be standard input here, since the questions are read from it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, mut_arg("path", |arg| arg.help(format!("{} file", Format::titles()))))]
pub(crate) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// File that keeps what you say about answers [default: on a terminal, corrections.jsonl in the folder for data]
    #[arg(long, value_name = "FILE", help_heading = None)]
    corrections: Option<PathBuf>,
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
    let (corrections, known) = teach::open(args.corrections.as_deref())?;
    let asker = args.asker.load()?.with_corrections(known);
    let (table, prepared) = load(&args.table, &asker)?;
    let wanted = Wanted { min_confidence: args.sure.min_confidence, ..Wanted::default() };
    say_notes(&prepared.notes, Style::of_stdout(), out)?;
    let (source, style, dialogue) = (args.table, Style::of_stdout(), Dialogue::default());
    let mut chat = Chat { source, table, asker, prepared, wanted, style, dialogue, last: None, corrections };
    match stdin().is_terminal() {
        true => chat.talk(out)?,
        false => chat.listen(out)?,
    }
    Ok(Outcome::Done)
}

/// Reads a table and makes it ready.
fn load(source: &TableArgs, asker: &Asker) -> Result<(Table, PreparedTable)> {
    let _progress = Progress::start(format!("reading {}", source.path.display()));
    let table = source.load()?;
    let prepared = source.prepare(asker, &table)?.named(source.name());
    Ok((table, prepared))
}

/// A session about a table.
struct Chat {
    source: TableArgs,
    table: Table,
    asker: Asker,
    prepared: PreparedTable,
    wanted: Wanted,
    style: Style,
    dialogue: Dialogue,
    last: Option<Turn>,
    /// File of corrections, if they are kept.
    corrections: Option<CorrectionsFile>,
}

/// The last answer, the index of the interpretation that was shown last, and how the question was understood.
struct Turn {
    answer: Answer,
    shown: usize,
    understood: Understood,
}

/// Continuation after a line of input.
#[derive(PartialEq, Eq)]
enum Then {
    GoOn,
    /// Go on with another table.
    OtherTable,
    Stop,
}

impl Chat {
    /// Runs the session on a terminal, with line editing, completion and history.
    fn talk(&mut self, out: &mut impl Write) -> Result<()> {
        let mut editor: Editor<Completions, DefaultHistory> = Editor::new()?;
        editor.set_helper(Some(Completions::new(COMMANDS, &self.table)));
        let history = history_file();
        if let Some(file) = &history {
            let _ = editor.load_history(file);
        }
        self.greet(out)?;
        let mut was_interrupted = false;
        loop {
            match editor.readline("> ") {
                Ok(line) => {
                    was_interrupted = false;
                    let _ = editor.add_history_entry(line.as_str());
                    // Each line is written at once, so that the history survives a kill.
                    if let Some(file) = &history {
                        let _ = editor.append_history(file);
                    }
                    let then = self.hear(&line, out)?;
                    out.flush()?;
                    match (then, editor.helper_mut()) {
                        (Then::Stop, _) => break,
                        (Then::OtherTable, Some(helper)) => helper.set_table(&self.table),
                        _ => {}
                    }
                }
                Err(ReadlineError::Interrupted) if was_interrupted => break,
                Err(ReadlineError::Interrupted) => {
                    was_interrupted = true;
                    writeln!(out, "{}", self.style.dim("Ctrl-C again leaves, and so does :quit."))?;
                    out.flush()?;
                }
                Err(ReadlineError::Eof) => break,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Prints the size of the table and what to do.
    fn greet(&self, out: &mut impl Write) -> Result<()> {
        let (rows, columns) = (self.table.row_count(), self.table.column_count());
        writeln!(out, "{rows} rows, {columns} columns. Ask a question, or :help.")?;
        Ok(out.flush()?)
    }

    /// Runs the session from a pipe. Each line is echoed, so that the output can be read on its own.
    fn listen(&mut self, out: &mut impl Write) -> Result<()> {
        let mut input = stdin().lock();
        let mut numbers = 1..;
        while let Some(line) = next_line(&mut input, numbers.next().unwrap_or_default())? {
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
            ":json" | ":j" => self.json(out)?,
            ":undo" | ":u" => self.undo(out)?,
            ":wrong" => self.wrong(out)?,
            ":forget" | ":f" => self.forget(out)?,
            ":right" => self.right("", out)?,
            right if right.starts_with(":right ") => self.right(right[":right ".len()..].trim(), out)?,
            ":open" => writeln!(out, "Name the table to open, as in :open games.csv")?,
            open if open.starts_with(":open ") => return self.open(open[":open ".len()..].trim(), out),
            command if command.starts_with(':') => {
                let name = one_line(command, 40);
                match nearest(&name, COMMANDS.iter().map(|known| known.trim_end())) {
                    Some(similar) => writeln!(out, "There is no command {name}; did you mean {similar}?")?,
                    None => writeln!(out, "There is no command {name}; :help lists the commands.")?,
                }
            }
            question => self.answer(question, out)?,
        }
        Ok(Then::GoOn)
    }

    /// Answers a question and remembers the answer for `:why` and `:next`.
    fn answer(&mut self, question: &str, out: &mut impl Write) -> Result<()> {
        let progress = Progress::start("answering");
        let table = (&self.table, &self.prepared);
        let (answer, understood) = self.dialogue.ask(&self.asker, table, question, &self.wanted);
        drop(progress);
        self.say_understood(&understood, out)?;
        let report = ReportOptions { style: self.style, values: FIRST_VALUES, top: 1, with_question: false };
        say(&answer, Shown::Cells(&self.table), report, out)?;
        say_own_notes(&answer, &self.prepared.notes, self.style, out)?;
        self.last = Some(Turn { answer, shown: 0, understood });
        Ok(())
    }

    /// Prints what a question means after the one before it, if that is not what it says.
    fn say_understood(&self, understood: &Understood, out: &mut impl Write) -> Result<()> {
        let sentence = match understood {
            Understood::Alone => return Ok(()),
            Understood::As(question) => format!("understood as: {}", one_line(question, 200)),
            Understood::Among { question, rows } => {
                let rows = if rows.len() == 1 { "row".to_owned() } else { format!("{} rows", rows.len()) };
                format!("understood as: {} (of the {rows} of the last answer)", one_line(question, 200))
            }
        };
        Ok(writeln!(out, "{}", self.style.dim(&sentence))?)
    }

    /// Prints the last answer as JSON.
    fn json(&self, out: &mut impl Write) -> Result<()> {
        match &self.last {
            Some(turn) => writeln!(out, "{}", serde_json::to_string_pretty(&turn.answer)?)?,
            None => writeln!(out, "{NO_ANSWER}")?,
        }
        Ok(())
    }

    /// Forgets the last question.
    fn undo(&mut self, out: &mut impl Write) -> Result<()> {
        if self.last.is_none() {
            writeln!(out, "{NO_ANSWER}")?;
            return Ok(());
        }
        let before = self.dialogue.undo();
        match &before {
            Some((question, _)) => writeln!(out, "Back at: {}", one_line(question, 200))?,
            None => writeln!(out, "Back at the beginning.")?,
        }
        // Only questions about the whole table can be corrected afterwards.
        let turn = |answer: &Answer| Turn { answer: answer.clone(), shown: 0, understood: Understood::Alone };
        self.last = before.map(|(_, answer)| turn(answer));
        Ok(())
    }

    /// Goes on with another table. One that cannot be read changes nothing.
    fn open(&mut self, path: &str, out: &mut impl Write) -> Result<Then> {
        let source = TableArgs { path: PathBuf::from(path), ..self.source.clone() };
        match load(&source, &self.asker) {
            Err(error) => {
                writeln!(out, "{error:#}")?;
                Ok(Then::GoOn)
            }
            Ok((table, prepared)) => {
                (self.source, self.table, self.prepared) = (source, table, prepared);
                (self.dialogue, self.last) = (Dialogue::default(), None);
                say_notes(&self.prepared.notes, self.style, out)?;
                self.greet(out)?;
                Ok(Then::OtherTable)
            }
        }
    }

    /// Prints the steps of the interpretation that was shown last.
    fn why(&self, out: &mut impl Write) -> Result<()> {
        let meaning = self.last.as_ref().and_then(|turn| turn.answer.meanings.get(turn.shown));
        match meaning {
            Some(meaning) => say_steps(&meaning.steps, self.style, out)?,
            None => writeln!(out, "{NO_ANSWER}")?,
        }
        Ok(())
    }

    /// Prints the interpretation that was shown last as a query.
    fn sql(&self, out: &mut impl Write) -> Result<()> {
        match self.last.as_ref().and_then(|turn| turn.answer.meanings.get(turn.shown)) {
            Some(meaning) => say_sql(meaning, self.style, out)?,
            None => writeln!(out, "{NO_ANSWER}")?,
        }
        Ok(())
    }

    /// Prints all values of the interpretation that was shown last.
    fn all(&self, out: &mut impl Write) -> Result<()> {
        let meaning = self.last.as_ref().and_then(|turn| turn.answer.meanings.get(turn.shown));
        match meaning {
            Some(meaning) => say_values(meaning, Values::All, self.style, out)?,
            None => writeln!(out, "{NO_ANSWER}")?,
        }
        Ok(())
    }

    /// Prints the next interpretation.
    fn next(&mut self, out: &mut impl Write) -> Result<()> {
        let Some(turn) = &mut self.last else {
            writeln!(out, "{NO_ANSWER}")?;
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

/// Reply to a command about the last answer when there is none.
const NO_ANSWER: &str = "There is no answer yet; ask a question first.";

/// Values of an answer that are printed at first.
const FIRST_VALUES: Values = Values::First { others: ":all" };

/// Number of rows that `:table` shows.
const SHOWN: usize = 20;

/// File of the history, in the folder for the data of programs; `None` if it cannot be created.
fn history_file() -> Option<PathBuf> {
    let folder = choose_base_strategy().ok()?.data_dir().join("tabwise");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}
