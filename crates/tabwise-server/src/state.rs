//! State that all requests share: the workers, the stored tables and links, the gate and the limits. A request's table is
//! found or read here, and its questions answered, by a worker.

use crate::body::{Bodies, Content};
use crate::clients::Client;
use crate::disk::{Disk, Opened, SentTable};
use crate::examples::EXAMPLES;
use crate::failure::{Failure, Reply};
use crate::limits::ServeLimits;
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::request::{Asked, GivenTable, Wants, question_count};
use crate::store::{Key, Link, Store, StoredTable};
use crate::teaching::Teaching;
use crate::view::View;
use crate::wire::{Description, Done, Job, Message, ReadTable, Reading, Source, frame};
use crate::wish::{Linked, Wish};
use crate::work::{Gate, Lane};
use std::borrow::Cow;
use std::path::Path;
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
    pub metrics: Arc<Metrics>,
    pub teaching: Teaching,
    /// Folder of tables and links, if they are kept.
    disk: Option<Disk>,
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
    /// The table as it was sent, if it is to be kept on disk.
    sent: Option<SentTable>,
    wish: Wish,
    job: Vec<u8>,
}

/// Size of a body, in bytes, above which it is long work to read its table: about what takes a fifth of a second.
const LARGE: usize = 1 << 20;

/// Rows above which it is long work to find those of a view.
const MANY_ROWS: usize = 50_000;

/// Number of questions in one request above which it is long work to answer them.
const MANY_QUESTIONS: usize = 8;

/// Lane of a request by the size of its body and the number of its questions.
fn lane(content: &Content) -> Lane {
    let is_long = content.size() > LARGE || question_count(content) > MANY_QUESTIONS;
    if is_long { Lane::Long } else { Lane::Short }
}

impl Server {
    /// Creates the state and reads the examples.
    pub(crate) fn new(pool: Pool, limits: ServeLimits, log: bool, folder: Option<&Path>) -> anyhow::Result<Server> {
        let keep_corrections = limits.keep_corrections;
        let opened = folder.map(|folder| Disk::open(folder, limits.store_bytes, limits.keep_links)).transpose()?;
        let (disk, key, links) = match opened {
            Some(Opened { disk, key, links }) => (Some(disk), key, links),
            None => (None, Key::random(), Vec::new()),
        };
        let examples = EXAMPLES.iter().map(|example| {
            let table = Table::from_csv(example.csv)?;
            let notes = table.notes().to_vec();
            let read = ReadTable { table, notes, description: Some(Description::default()) };
            Ok(StoredTable::new(example.id.to_owned(), example.title.to_owned(), read))
        });
        Ok(Server {
            store: Store::new(examples.collect::<Result<_, TableError>>()?, &limits, key, links),
            gate: Gate::new(limits.workers(), limits.max_waiting, limits.wait()),
            bodies: Bodies::new(&limits),
            pool,
            limits,
            started: Instant::now(),
            metrics: Arc::new(Metrics::new(log)),
            teaching: Teaching::open(folder, keep_corrections)?,
            disk,
        })
    }

    /// Has a worker read the table of a request and do what it wants. Returns the table, and the JSON of the response.
    pub(crate) async fn work(
        self: &Arc<Server>,
        content: Content,
        client: &Client,
        wants: Wants,
    ) -> Reply<(Arc<StoredTable>, Vec<u8>)> {
        self.run(client, lane(&content), move |server| server.ready(Asked::read(&content, wants)?, wants)).await
    }

    /// Has a worker learn from the right answer to a question, and answer the question again.
    pub(crate) async fn correct(self: &Arc<Server>, content: Content, client: &Client) -> Reply<Vec<u8>> {
        let lane = lane(&content);
        let content = Arc::new(content);
        let sent = content.clone();
        let learn = move |server: &Server| server.ready(Asked::read(&sent, Wants::Correction)?, Wants::Correction);
        let (kept, _) = self.run(client, lane, learn).await?;
        let again = move |server: &Server| {
            let Asked { question, top, .. } = Asked::read(&content, Wants::Correction)?;
            server.ready(Asked { question, top, ..Asked::stored(kept.id.clone()) }, Wants::Answer)
        };
        self.run(client, lane, again).await.map(|(_, body)| body)
    }

    /// A stored table by its id. One that is on disk only is read again by a worker.
    pub(crate) async fn table(self: &Arc<Server>, id: String, client: &Client) -> Reply<Arc<StoredTable>> {
        match self.store.table(&id) {
            Some(kept) => Ok(kept),
            None if self.disk.is_none() => Err(not_kept()),
            None => {
                let ready = move |server: &Server| server.ready(Asked::stored(id), Wants::Table);
                self.run(client, Lane::Short, ready).await.map(|(kept, _)| kept)
            }
        }
    }

    /// The rows of a view of a table, found by a worker unless it is the view that was asked for last.
    pub(crate) async fn view(
        self: &Arc<Server>,
        kept: &Arc<StoredTable>,
        view: View,
        client: &Client,
    ) -> Reply<Arc<[u32]>> {
        if let Some(rows) = kept.viewed(&view) {
            return Ok(rows);
        }
        let lane = if kept.table.row_count() > MANY_ROWS { Lane::Long } else { Lane::Short };
        let (table, wish) = (GivenTable::Stored(kept.id.clone()), Wish::View(view.clone()));
        let ready = move |server: &Server| server.made_ready(&table, server.find(&table)?, wish);
        let (_, body) = self.run(client, lane, ready).await?;
        let rows = postcard::from_bytes(&body).map_err(|error| Failure::fault(&error.to_string()))?;
        Ok(kept.keep_view(view, rows))
    }

    /// Waits for a turn, prepares a request and has a worker do it.
    async fn run(
        self: &Arc<Server>,
        client: &Client,
        lane: Lane,
        prepare: impl FnOnce(&Server) -> Reply<Ready> + Send + 'static,
    ) -> Reply<(Arc<StoredTable>, Vec<u8>)> {
        let turn = self.gate.turn(client.address(), lane).await?;
        // What takes long, and what may wait for the disk, is done on another thread.
        let is_quick = lane == Lane::Short && self.disk.is_none();
        let server = self.clone();
        let mut ready = if is_quick { prepare(self)? } else { blocking(move || prepare(&server)).await? };
        if let (Wish::Table, Some(kept)) = (&ready.wish, &ready.kept) {
            return Ok((kept.clone(), Vec::new()));
        }
        let job = std::mem::take(&mut ready.job);
        let mut done = self.pool.run(&ready.id, job, &turn, &self.teaching).await?;
        if let (Done::Missing, Some(kept)) = (&done, ready.kept.clone()) {
            let job;
            (ready, job) = blocking(move || {
                let source = Source::Table { table: Box::new(kept.table.clone()), name: file_name(&kept) };
                ready.job_for(source).map(|job| (ready, job))
            })
            .await?;
            done = self.pool.run(&ready.id, job, &turn, &self.teaching).await?;
        }
        if is_quick {
            return self.finish(ready, done);
        }
        let server = self.clone();
        blocking(move || server.finish(ready, done)).await
    }

    /// Finds the table of a request, if it is stored, and makes the request ready for a worker.
    fn ready(&self, asked: Asked, wants: Wants) -> Reply<Ready> {
        let found = self.find(&asked.table)?;
        let link = |question: &str| self.store.link_id(&found.id, question);
        let wish = Wish::new(&asked, wants, self.limits.max_question, link)?;
        self.made_ready(&asked.table, found, wish)
    }

    /// Writes the job for a worker.
    fn made_ready(&self, table: &GivenTable, found: Found, wish: Wish) -> Reply<Ready> {
        let Found { id, name, kept, from_disk } = found;
        // A table that was read for an answer is read again when the page is to show it.
        let is_sent = matches!(table, GivenTable::Bytes { .. });
        let kept = kept.filter(|kept| !is_sent || !matches!(wish, Wish::Table) || kept.description.is_some());
        let short: String = name.unwrap_or_default().chars().take(200).collect();
        let (source, sent) = match (table, from_disk.as_ref()) {
            _ if kept.is_some() => (Source::Kept, None),
            (_, Some(SentTable { bytes, name, reading })) => {
                (Source::File { bytes, name: given(name), reading: reading.clone() }, None)
            }
            (GivenTable::Bytes { bytes, settings, .. }, None) => {
                let reading = Reading::new(settings);
                let keep =
                    |_: &Disk| SentTable { bytes: bytes.to_vec(), name: short.clone(), reading: reading.clone() };
                let sent = self.disk.as_ref().map(keep);
                (Source::File { bytes, name: given(&short), reading }, sent)
            }
            (GivenTable::Stored(_), None) => return Err(not_kept()),
        };
        let name = given(&short).unwrap_or(UNNAMED).to_owned();
        let mut ready = Ready { id, name, kept, sent, wish, job: Vec::new() };
        ready.job = ready.job_for(source)?;
        Ok(ready)
    }

    /// Finds a table in memory or on disk.
    fn find<'a>(&self, table: &'a GivenTable) -> Reply<Found<'a>> {
        match table {
            GivenTable::Stored(id) => {
                let kept = self.store.table(id);
                let disk = self.disk.as_ref().filter(|_| kept.is_none());
                let from_disk = disk.and_then(|disk| disk.table(id));
                let name = from_disk.as_ref().map(|sent| Cow::Owned(sent.name.clone()));
                match kept.is_some() || from_disk.is_some() {
                    true => Ok(Found { id: id.clone(), name, kept, from_disk }),
                    false => Err(not_kept()),
                }
            }
            GivenTable::Bytes { bytes, name, settings } => {
                let id = self.store.id(bytes, name.as_deref(), settings);
                let kept = self.store.table(&id);
                Ok(Found { id, name: name.as_deref().map(Cow::Borrowed), kept, from_disk: None })
            }
        }
    }

    /// Stores what a worker has done.
    fn finish(&self, ready: Ready, done: Done) -> Reply<(Arc<StoredTable>, Vec<u8>)> {
        let Ready { id, name, kept, sent, wish, .. } = ready;
        match done {
            Done::Answered { table, body, counts, lesson } => {
                let read = table.map(|read| self.store.keep(StoredTable::new(id.clone(), name, *read)));
                let kept = read.or(kept).ok_or_else(|| Failure::fault("a worker gave no table"))?;
                if let (Some(disk), Some(sent)) = (&self.disk, sent) {
                    disk.keep_table(&id, &sent);
                }
                if let Some(lesson) = lesson {
                    self.teaching.add(*lesson)?;
                }
                if let Wish::Answers { asked, .. } = wish {
                    self.metrics.answered(counts.answered, counts.abstained);
                    asked.into_iter().for_each(|Linked { question, link }| self.link(link, &id, question));
                }
                Ok((kept, body))
            }
            Done::Missing | Done::Heard => Err(Failure::fault("a worker did not take the table")),
            Done::Failed { status, sentence, code } => Err(Failure::told(status, sentence, code)),
            Done::Fault(reason) => Err(Failure::fault(&reason)),
        }
    }

    /// Stores a link.
    fn link(&self, id: String, table: &str, question: String) {
        let link = Link { table: table.to_owned(), question };
        if self.store.link(id.clone(), link.clone())
            && let Some(disk) = &self.disk
        {
            disk.keep_link(&id, &link);
        }
    }
}

/// A table of a request: stored, on disk, or to be read.
struct Found<'a> {
    id: String,
    /// Name of its file.
    name: Option<Cow<'a, str>>,
    kept: Option<Arc<StoredTable>>,
    from_disk: Option<SentTable>,
}

impl Ready {
    /// The frame of a job with the table from this source.
    fn job_for(&self, source: Source) -> Reply<Vec<u8>> {
        frame(&Message::Job(Job { id: &self.id, source, task: self.wish.task() }))
            .map_err(|error| Failure::fault(&error.to_string()))
    }
}

/// Does something on a thread that may wait for the disk.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Reply<T> + Send + 'static) -> Reply<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Failure::fault(&error.to_string()))?
}

fn not_kept() -> Failure {
    Failure::missing("this table is not kept (any more); send it again")
}

/// A name, unless it is empty.
fn given(name: &str) -> Option<&str> {
    Some(name).filter(|name| !name.is_empty())
}

/// The name of a table's file, or of an example; `None` if it came without one.
fn file_name(table: &StoredTable) -> Option<&str> {
    let is_example = EXAMPLES.iter().any(|example| example.id == table.id);
    let name = if is_example { &table.id } else { &table.name };
    (name != UNNAMED).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Field;

    #[test]
    fn large_bodies_and_many_questions_are_long_work() {
        let of = |json: String| lane(&Content::Json(json.into_bytes()));
        let many = |key: &str, count| format!("{{\"table\": 1, \"{key}\": [{}]}}", vec!["\"who?\""; count].join(", "));
        assert_eq!(of(many("questions", MANY_QUESTIONS)), Lane::Short);
        assert_eq!(of(many("questions", MANY_QUESTIONS + 1)), Lane::Long);
        assert_eq!(of(many("\\u0071uestions", 100)), Lane::Long);
        assert_eq!(of(format!("{{\"question\": \"{}\"}}", "x".repeat(LARGE))), Lane::Long);
        assert_eq!(of("[".to_owned()), Lane::Short);
        let field = || Field { name: "question".to_owned(), file_name: None, bytes: "who?".into() };
        let form = |count| lane(&Content::Form((0..count).map(|_| field()).collect()));
        assert_eq!((form(MANY_QUESTIONS), form(MANY_QUESTIONS + 1)), (Lane::Short, Lane::Long));
    }
}
