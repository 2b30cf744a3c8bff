//! The desk: where tables are read and questions are answered. A worker process has one, and so has a server that works in
//! its own process. The tables that were used last are at hand.

use crate::limits::ServeLimits;
use crate::reply::{Answered, shorten};
use crate::wire::{Done, Job, Question, ReadTable, Source, frame};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tabwise::Exceeded;
use tabwise::answer::{Asker, PreparedTable, Wanted};
use tabwise::table::{Limits, ReadSettings, Table, TableError, read};

/// Reads tables and answers questions.
pub(crate) struct Desk {
    asker: Asker,
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
        Desk { asker, min_confidence, reading, max_rows, most_tables, tables: Mutex::default() }
    }

    /// Does the job in a message, and returns the frame of the result.
    pub(crate) fn work(&self, message: &[u8]) -> Vec<u8> {
        let done = catch_unwind(AssertUnwindSafe(|| match postcard::from_bytes(message) {
            Ok(job) => self.done(job),
            Err(error) => Done::Fault(error.to_string()),
        }));
        let done = done.unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<&str>().copied();
            let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
            Done::Fault(text.unwrap_or("panic without a message").to_owned())
        });
        frame(&done).unwrap_or_default()
    }

    fn done(&self, job: Job) -> Done {
        let start = Instant::now();
        let prepared = match self.table(&job) {
            Ok(Some(prepared)) => prepared,
            Ok(None) => return Done::Missing,
            Err(failed) => return failed.into(),
        };
        let (prepared, table) = prepared;
        let notes = || prepared.notes.clone();
        let table = table.map(|table| Box::new(ReadTable { table, notes: notes() }));
        let body = job.question.as_ref().map(|question| self.answer(&prepared, job.id, question, start));
        match body.unwrap_or(Ok(Vec::new())) {
            Ok(body) => Done::Answered { table, body },
            Err(failed) => failed.into(),
        }
    }

    /// The table of a job, and its text if it was read now; `None` if it is not at hand.
    #[expect(clippy::type_complexity, reason = "a name for the pair would say no more")]
    fn table(&self, job: &Job) -> Result<Option<(Arc<PreparedTable>, Option<Table>)>, Failed> {
        match &job.source {
            Source::Kept => Ok(self.at_hand(job.id).map(|prepared| (prepared, None))),
            Source::Table { table, name } => Ok(Some((self.prepare(job.id, table, *name)?, None))),
            Source::File { bytes, name, reading } => {
                let settings = ReadSettings { limits: self.reading, ..reading.settings() };
                let table = read(bytes, *name, &settings)?;
                self.check_rows(&table)?;
                Ok(Some((self.prepare(job.id, &table, *name)?, Some(table))))
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
        let prepared = Arc::new(self.asker.prepare_within(table, budget)?.named(name));
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
        let sentence = format!(
            "a table of {rows} rows is more than the limit of {most}; send fewer rows, or start the server with a higher --max-rows"
        );
        Err(Failed { status: 413, sentence })
    }

    /// The JSON of an answer.
    fn answer(
        &self,
        prepared: &PreparedTable,
        id: &str,
        question: &Question,
        start: Instant,
    ) -> Result<Vec<u8>, Failed> {
        let mut answer = self.asker.try_ask(prepared, question.text, &self.wanted(question.top))?;
        let shortened = shorten(&mut answer, question.all);
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        let answered = Answered { answer, table_id: id, shortened, link: question.link, milliseconds };
        serde_json::to_vec(&answered).map_err(|error| Failed { status: 500, sentence: error.to_string() })
    }

    /// Options for an answer with `top` interpretations, clamped to a sensible range.
    fn wanted(&self, top: Option<usize>) -> Wanted {
        let usual = Wanted::default();
        let meanings = top.unwrap_or(usual.meanings).clamp(1, MOST_MEANINGS);
        Wanted { min_confidence: self.min_confidence, meanings, ..usual }
    }
}

/// Maximum number of interpretations in a response, whatever `top` asks for.
const MOST_MEANINGS: usize = 20;

/// A table or a question that cannot be used: a status and a sentence for the client.
struct Failed {
    status: u16,
    sentence: String,
}

impl From<Failed> for Done {
    fn from(Failed { status, sentence }: Failed) -> Done {
        Done::Failed { status, sentence }
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
            TableError::Selector(_) | TableError::Encoding(_) => 400,
            _ => 422,
        };
        let sentence = match error {
            TableError::TooLarge { what, limit, .. } => {
                format!("{what} is more than the limit of {limit}; send a smaller table")
            }
            _ => error.to_string(),
        };
        Failed { status, sentence }
    }
}
