//! State that all requests share: the workers, the stored tables and links, the gate and the limits. A request's table is
//! found or read here, and its question answered, by a worker.

use crate::body::{Bodies, Content};
use crate::clients::Client;
use crate::examples::EXAMPLES;
use crate::failure::{Failure, Reply};
use crate::limits::ServeLimits;
use crate::pool::Pool;
use crate::request::{Asked, GivenTable};
use crate::store::{Link, Store, StoredTable};
use crate::wire::{Done, Job, Question, ReadTable, Reading, Source, frame};
use crate::work::Gate;
use std::sync::Arc;
use std::time::Instant;
use tabwise::table::{Table, TableError};

/// The server, shared by all requests.
pub(crate) struct Server {
    pub pool: Pool,
    pub store: Store,
    pub gate: Gate,
    pub bodies: Bodies,
    pub limits: ServeLimits,
    pub started: Instant,
}

/// The state, as handlers get it.
pub(crate) type Shared = Arc<Server>;

/// Name of a table that came without one.
const UNNAMED: &str = "Your table";

/// A request that is ready for a worker.
struct Ready {
    id: String,
    name: String,
    /// The table, if it is stored.
    kept: Option<Arc<StoredTable>>,
    question: Option<String>,
    /// Id of the question's link.
    link: String,
    top: Option<usize>,
    all: bool,
    job: Vec<u8>,
}

/// Whether a request has to have a question.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wants {
    Table,
    Answer,
}

impl Server {
    /// Creates the state and reads the examples.
    pub(crate) fn new(pool: Pool, limits: ServeLimits) -> anyhow::Result<Server> {
        let examples = EXAMPLES.iter().map(|example| {
            let table = Table::from_csv(example.csv)?;
            let notes = table.notes().to_vec();
            Ok(StoredTable::new(example.id.to_owned(), example.title.to_owned(), table, notes))
        });
        Ok(Server {
            store: Store::new(examples.collect::<Result<_, TableError>>()?, &limits),
            gate: Gate::new(limits.workers(), limits.max_waiting, limits.wait()),
            bodies: Bodies::new(&limits),
            pool,
            limits,
            started: Instant::now(),
        })
    }

    /// Has a worker read the table of a request and answer its question. Returns the table, and the JSON of the answer.
    pub(crate) async fn work(
        self: &Arc<Server>,
        content: Content,
        client: &Client,
        wants: Wants,
    ) -> Reply<(Arc<StoredTable>, Vec<u8>)> {
        let turn = self.gate.turn(client.address()).await?;
        let server = self.clone();
        let ready = tokio::task::spawn_blocking(move || server.ready(&content, wants)).await;
        let mut ready = ready.map_err(|error| Failure::fault(&error.to_string()))??;
        let job = std::mem::take(&mut ready.job);
        let mut done = self.pool.run(&ready.id, job, &turn).await?;
        if let (Done::Missing, Some(kept)) = (&done, &ready.kept) {
            let job = ready.job_for(Source::Table { table: Box::new(kept.table.clone()), name: file_name(kept) })?;
            done = self.pool.run(&ready.id, job, &turn).await?;
        }
        self.finish(ready, done)
    }

    /// Parses a request and finds its table, if it is stored.
    fn ready(&self, content: &Content, wants: Wants) -> Reply<Ready> {
        let asked = Asked::read(content)?;
        let question = match wants {
            Wants::Answer => Some(self.question(asked.question)?),
            Wants::Table => None,
        };
        let (id, name, kept) = match &asked.table {
            GivenTable::Stored(id) => (id.clone(), None, Some(self.kept(id)?)),
            GivenTable::Bytes { bytes, name, settings } => {
                let id = self.store.id(bytes, name.as_deref(), settings);
                let kept = self.store.table(&id);
                (id, name.clone(), kept)
            }
        };
        let short: String = name.as_deref().unwrap_or_default().chars().take(200).collect();
        let link = question.as_ref().map(|question| self.store.link_id(&id, question)).unwrap_or_default();
        let name_of_table = if short.is_empty() { UNNAMED.to_owned() } else { short };
        let (top, all) = (asked.top, asked.all);
        let mut ready = Ready { id, name: name_of_table, kept, question, link, top, all, job: Vec::new() };
        let source = match &asked.table {
            GivenTable::Bytes { bytes, settings, .. } if ready.kept.is_none() => {
                Source::File { bytes, name: name.as_deref(), reading: Reading::new(settings) }
            }
            _ => Source::Kept,
        };
        ready.job = ready.job_for(source)?;
        Ok(ready)
    }

    /// Stores what a worker has done.
    fn finish(&self, ready: Ready, done: Done) -> Reply<(Arc<StoredTable>, Vec<u8>)> {
        match done {
            Done::Answered { table, body } => {
                let read = |read: Box<ReadTable>| {
                    self.store.keep(StoredTable::new(ready.id.clone(), ready.name, read.table, read.notes))
                };
                let kept = table.map(read).or(ready.kept);
                let kept = kept.ok_or_else(|| Failure::fault("a worker gave no table"))?;
                if let Some(question) = ready.question {
                    self.store.link(ready.link, Link { table: ready.id, question });
                }
                Ok((kept, body))
            }
            Done::Missing => Err(Failure::fault("a worker did not take the table")),
            Done::Failed { status, sentence } => Err(Failure::told(status, sentence)),
            Done::Fault(reason) => Err(Failure::fault(&reason)),
        }
    }

    /// A stored table by its id.
    pub(crate) fn kept(&self, id: &str) -> Reply<Arc<StoredTable>> {
        self.store.table(id).ok_or_else(|| Failure::missing("this table is not kept (any more); send it again"))
    }

    /// Checks that there is a question and that it is not too long.
    fn question(&self, given: Option<String>) -> Reply<String> {
        let question = given.unwrap_or_default().trim().to_owned();
        let (length, most) = (question.chars().count(), self.limits.max_question);
        match length {
            0 => Err(Failure::bad("there is no question; give one as \"question\"")),
            _ if length > most => Err(Failure::large(format!(
                "a question of {length} characters is more than the limit of {most}; ask a shorter one"
            ))),
            _ => Ok(question),
        }
    }
}

impl Ready {
    /// The frame of a job with the table from this source.
    fn job_for(&self, source: Source) -> Reply<Vec<u8>> {
        let link = format!("/q/{}", self.link);
        let question = self.question.as_deref();
        let question = question.map(|text| Question { text, top: self.top, all: self.all, link: &link });
        frame(&Job { id: &self.id, source, question }).map_err(|error| Failure::fault(&error.to_string()))
    }
}

/// The name of a table's file, or of an example; `None` if it came without one.
fn file_name(table: &StoredTable) -> Option<&str> {
    let is_example = EXAMPLES.iter().any(|example| example.id == table.id);
    let name = if is_example { &table.id } else { &table.name };
    (name != UNNAMED).then_some(name)
}
