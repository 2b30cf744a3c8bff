//! The desk: where tables are read and questions are answered. A worker process has one, and so has a server that works in
//! its own process. The tables that were used last are at hand.

use crate::failure::Code;
use crate::limits::ServeLimits;
use crate::reply::{Answered, AnsweredAll, Executed, Replied, shorten, shorten_execution};
use crate::suggest::suggestions;
use crate::wire::{Counts, Description, Done, Job, Lesson, Message, News, Question, ReadTable, Source, Task, frame};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::Instant;
use tabwise::Exceeded;
use tabwise::answer::{Asker, Corrections, Execution, PreparedTable, Wanted};
use tabwise::learn::{CorrectedTable, CorrectionError, Line, Right, correct};
use tabwise::table::{Limits, Listed, ReadSettings, Table, TableError, choices, read};

/// Reads tables and answers questions.
pub(crate) struct Desk {
    asker: RwLock<Asker>,
    /// Confidence below which an answer abstains.
    min_confidence: f64,
    reading: Limits,
    max_rows: usize,
    /// Number of tables that are at hand at most.
    most_tables: usize,
    /// Tables at hand, the most recently used last.
    tables: Mutex<Vec<AtHand>>,
}

struct AtHand {
    id: String,
    prepared: Arc<PreparedTable>,
    /// Bytes of memory that it takes.
    memory: u64,
}

/// Part of the budget that the tables at hand may take together, and the most of them.
const AT_HAND: u64 = 2;
const MOST_TABLES: usize = 16;

impl Desk {
    pub(crate) fn new(asker: Asker, min_confidence: f64, limits: &ServeLimits) -> Desk {
        let (reading, max_rows, most_tables) =
            (limits.reading(), limits.max_rows, limits.keep_tables.clamp(1, MOST_TABLES));
        Desk { asker: RwLock::new(asker), min_confidence, reading, max_rows, most_tables, tables: Mutex::default() }
    }

    /// Does the job in a message, and returns the frame of the result.
    pub(crate) fn work(&self, message: &[u8]) -> Vec<u8> {
        let done = catch_unwind(AssertUnwindSafe(|| match postcard::from_bytes(message) {
            Ok(Message::Job(job)) => self.done(job),
            Ok(Message::News(news)) => self.hear(news),
            Err(error) => Done::Fault(error.to_string()),
        }));
        let done = done.unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<&str>().copied();
            let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
            Done::Fault(text.unwrap_or("panic without a message").to_owned())
        });
        frame(&done).unwrap_or_default()
    }

    /// The asker. News wait until the answers under way are given.
    fn asker(&self) -> RwLockReadGuard<'_, Asker> {
        self.asker.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes corrections into account from now on.
    fn hear(&self, news: News) -> Done {
        let known = self.asker().corrections().clone();
        let mut corrections = if news.anew { Corrections::default() } else { known };
        for line in news.lines {
            match line {
                Line::Correction(correction) => corrections.add(correction),
                Line::Undo(id) => drop(corrections.remove(&id)),
                Line::Table(_) => {}
            }
        }
        self.asker.write().unwrap_or_else(PoisonError::into_inner).learn(corrections);
        Done::Heard
    }

    fn done(&self, job: Job) -> Done {
        let start = Instant::now();
        let prepared = match self.table(&job) {
            Ok(Some(prepared)) => prepared,
            Ok(None) => return Done::Missing,
            Err(failed) => return failed.into(),
        };
        let (prepared, table) = prepared;
        let result = match &job.task {
            Task::Describe => Ok((Vec::new(), Counts::default(), None)),
            Task::Answer { .. } => self.answer(&prepared, &job, start).map(|(body, counts)| (body, counts, None)),
            Task::Execute { formula, all } => {
                self.execute(&prepared, job.id, formula, *all).map(|body| (body, Counts::default(), None))
            }
            Task::View(view) => postcard::to_allocvec(&view.rows(&prepared.graph))
                .map(|body| (body, Counts::default(), None))
                .map_err(|error| Failed { status: 500, sentence: error.to_string(), code: None }),
            Task::Correct { question, right } => {
                self.correct(&prepared, question, right).map(|lesson| (Vec::new(), Counts::default(), Some(lesson)))
            }
        };
        match result {
            Ok((body, counts, lesson)) => {
                Done::Answered { table: table.map(Box::new), body, counts, lesson: lesson.map(Box::new) }
            }
            Err(failed) => failed.into(),
        }
    }

    /// The table of a job, and what was read if it was read now; `None` if it is not at hand.
    #[expect(clippy::type_complexity, reason = "a name for the pair would say no more")]
    fn table(&self, job: &Job) -> Result<Option<(Arc<PreparedTable>, Option<ReadTable>)>, Failed> {
        match &job.source {
            Source::Kept => Ok(self.at_hand(job.id).map(|prepared| (prepared, None))),
            Source::Table { table, name } => Ok(Some((self.prepare(job.id, table, *name)?, None))),
            Source::File { bytes, name, reading } => {
                let settings = ReadSettings { limits: self.reading, ..reading.settings() };
                let table = read(bytes, *name, &settings)?;
                self.check_rows(&table)?;
                let prepared = self.prepare(job.id, &table, *name)?;
                let notes = prepared.notes.clone();
                let description = matches!(job.task, Task::Describe).then(|| Description {
                    tables: listed(bytes, *name, &settings),
                    suggestions: suggestions(&self.asker(), &table, &prepared),
                });
                Ok(Some((prepared, Some(ReadTable { table, notes, description }))))
            }
        }
    }

    /// Finds a table and marks it as used.
    fn at_hand(&self, id: &str) -> Option<Arc<PreparedTable>> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let at = tables.iter().position(|table| table.id == id)?;
        let table = tables.remove(at);
        let prepared = table.prepared.clone();
        tables.push(table);
        Some(prepared)
    }

    /// Makes a table ready for questions. Others have to go first, so that there is room while it is made.
    fn prepare(&self, id: &str, table: &Table, name: Option<&str>) -> Result<Arc<PreparedTable>, Failed> {
        let budget = self.reading.budget();
        self.drop_tables(self.reading.memory / AT_HAND);
        let prepared = Arc::new(self.asker().prepare_within(table, budget)?.named(name));
        let memory = budget.memory - prepared.graph.room();
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.retain(|table| table.id != id);
        tables.push(AtHand { id: id.to_owned(), prepared: prepared.clone(), memory });
        Ok(prepared)
    }

    /// Drops the tables that were not used for longest, until the others take no more than this.
    fn drop_tables(&self, most: u64) {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let mut memory: u64 = tables.iter().map(|table| table.memory).sum();
        while memory > most || tables.len() >= self.most_tables {
            memory -= tables.remove(0).memory;
        }
    }

    /// Refuses tables with too many rows.
    fn check_rows(&self, table: &Table) -> Result<(), Failed> {
        let (rows, most) = (table.row_count(), self.max_rows);
        if rows <= most {
            return Ok(());
        }
        let sentence = format!("a table of {rows} rows is more than the limit of {most}; send fewer rows");
        Err(Failed { status: 413, sentence, code: None })
    }

    /// The JSON of the answers to the questions of a job.
    fn answer(&self, prepared: &PreparedTable, job: &Job, start: Instant) -> Result<(Vec<u8>, Counts), Failed> {
        let Task::Answer { questions, is_list, top, min_confidence, all } = &job.task else {
            return Ok((Vec::new(), Counts::default()));
        };
        let (asker, wanted) = (self.asker(), self.wanted(*top, *min_confidence));
        let (mut start, mut counts) = (start, Counts::default());
        let mut answers = Vec::with_capacity(questions.len());
        for Question { text, link } in questions {
            let mut answer = asker.try_ask(prepared, text, &wanted)?;
            let count = if answer.abstains { &mut counts.abstained } else { &mut counts.answered };
            *count += 1;
            let shortened = shorten(&mut answer, *all, questions.len());
            let milliseconds = start.elapsed().as_secs_f64() * 1e3;
            answers.push(Answered { answer, table_id: job.id, shortened, link: format!("/q/{link}"), milliseconds });
            start = Instant::now();
        }
        let reply = match answers.pop() {
            Some(one) if !is_list => Replied::One(one),
            last => Replied::All(AnsweredAll { table_id: job.id, answers: answers.into_iter().chain(last).collect() }),
        };
        Ok((serde_json::to_vec(&reply).map_err(Failed::fault)?, counts))
    }

    /// The JSON of the result of a formula.
    fn execute(&self, prepared: &PreparedTable, id: &str, formula: &str, all: bool) -> Result<Vec<u8>, Failed> {
        let execution = Execution::new(formula, &prepared.graph, &self.asker().knowledge().phrases);
        let wrong =
            |error: tabwise::Error| Failed { status: 422, sentence: error.to_string(), code: Some(Code::Formula) };
        let mut execution = execution.map_err(wrong)?;
        let shortened = shorten_execution(&mut execution, all);
        serde_json::to_vec(&Executed { execution, table_id: id, shortened }).map_err(Failed::fault)
    }

    /// What the right answer to a question teaches.
    fn correct(&self, prepared: &PreparedTable, question: &str, right: &Right) -> Result<Lesson, Failed> {
        let correction = correct(&self.asker(), prepared, question, right);
        let wrong =
            |error: CorrectionError| Failed { status: 422, sentence: error.to_string(), code: Some(Code::Correction) };
        Ok(Lesson { correction: correction.map_err(wrong)?, table: CorrectedTable::of(prepared) })
    }

    /// Options for an answer with `top` interpretations.
    fn wanted(&self, top: Option<usize>, min_confidence: Option<f64>) -> Wanted {
        let usual = Wanted::default();
        Wanted {
            min_confidence: min_confidence.unwrap_or(self.min_confidence),
            meanings: top.unwrap_or(usual.meanings),
            ..usual
        }
    }
}

/// Tables or sheets to choose from, if there are several. Listing them reads the file again, so it is left out for a large
/// one.
fn listed(bytes: &[u8], name: Option<&str>, settings: &ReadSettings) -> Vec<Listed> {
    let listed = match bytes.len() <= LISTED_BYTES {
        true => choices(bytes, name, settings).unwrap_or_default(),
        false => Vec::new(),
    };
    if listed.len() > 1 { listed.into_iter().take(LISTED_TABLES).collect() } else { Vec::new() }
}

/// Largest file whose tables are listed, in bytes.
const LISTED_BYTES: usize = 8 << 20;
/// Most tables of a file that are listed.
const LISTED_TABLES: usize = 200;

/// A table or a question that cannot be used: a status and a sentence for the client, and a word for programs unless it is
/// that of the status.
struct Failed {
    status: u16,
    sentence: String,
    code: Option<Code>,
}

impl Failed {
    fn fault(error: serde_json::Error) -> Failed {
        Failed { status: 500, sentence: error.to_string(), code: None }
    }
}

impl From<Failed> for Done {
    fn from(Failed { status, sentence, code }: Failed) -> Done {
        Done::Failed { status, sentence, code }
    }
}

impl From<Exceeded> for Failed {
    fn from(exceeded: Exceeded) -> Failed {
        TableError::from(exceeded).into()
    }
}

/// Limits are worded for clients, who cannot raise them.
impl From<TableError> for Failed {
    fn from(error: TableError) -> Failed {
        let status = match error {
            TableError::TooLarge { .. } => 413,
            TableError::Selector(_) | TableError::LongSelector { .. } => 400,
            TableError::Encoding(_) | TableError::NotAPage { .. } => 400,
            _ => 422,
        };
        let sentence = match error {
            TableError::TooLarge { what, limit, .. } => {
                format!("{what} is more than the limit of {limit}; send a smaller table")
            }
            _ => error.to_string(),
        };
        Failed { status, sentence, code: None }
    }
}
