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
use crate::request::{Asked, GivenTable, Wants};
use crate::store::{Key, Link, Store, StoredTable};
use crate::teaching::Teaching;
use crate::view::View;
use crate::wire::{Done, Job, Message, Question, ReadTable, Reading, Source, Task, frame};
use crate::work::{Gate, Lane};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use tabwise::learn::Right;
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

/// What a client wants of a table.
enum Wish {
    Table,
    Answers { asked: Vec<Linked>, is_list: bool, top: Option<usize>, min_confidence: Option<f64>, all: bool },
    Execution { formula: String, all: bool },
    Correction { question: String, right: Right },
    View(View),
}

/// A question, and the id of its link.
struct Linked {
    question: String,
    link: String,
}

/// Size of a body, in bytes, above which it is long work to read its table: about what takes a fifth of a second.
const LARGE: usize = 1 << 20;

/// Rows above which it is long work to find those of a view.
const MANY_ROWS: usize = 50_000;

/// Most values of a right answer.
const MOST_VALUES: usize = 100;

/// Lane of a request by the size of its body.
fn lane(content: &Content) -> Lane {
    if content.size() > LARGE { Lane::Long } else { Lane::Short }
}

/// Most questions in one request.
const MOST_QUESTIONS: usize = 100;

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
            let read = ReadTable { table, notes, tables: Vec::new(), suggestions: Vec::new() };
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
        let wish = self.wish(&found.id, &asked, wants)?;
        self.made_ready(&asked.table, found, wish)
    }

    /// Writes the job for a worker.
    fn made_ready(&self, table: &GivenTable, found: Found, wish: Wish) -> Reply<Ready> {
        let Found { id, name, kept, from_disk } = found;
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

    /// Checks that a request has what it needs, and gives each question its link.
    fn wish(&self, table: &str, asked: &Asked, wants: Wants) -> Reply<Wish> {
        match wants {
            Wants::Table => Ok(Wish::Table),
            Wants::Execution => {
                let formula = asked.formula.as_deref().filter(|formula| !formula.trim().is_empty());
                let formula = formula.ok_or_else(|| Failure::bad("there is no formula; give one as \"formula\""))?;
                Ok(Wish::Execution { formula: self.question(Some(formula))?, all: asked.all })
            }
            Wants::Correction => {
                Ok(Wish::Correction { question: self.question(asked.question.as_deref())?, right: self.right(asked)? })
            }
            Wants::Answer => {
                let questions = match (&asked.questions, asked.question.as_deref()) {
                    (Some(_), Some(_)) => return Err(Failure::bad("give either \"question\" or \"questions\"")),
                    (Some(all), None) => self.questions(all)?,
                    (None, one) => vec![self.question(one)?],
                };
                let linked = |question: String| Linked { link: self.store.link_id(table, &question), question };
                Ok(Wish::Answers {
                    asked: questions.into_iter().map(linked).collect(),
                    is_list: asked.questions.is_some(),
                    top: asked.top,
                    min_confidence: asked.min_confidence,
                    all: asked.all,
                })
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
                    disk.keep_table(&id, &sent).map_err(|error| Failure::fault(&error.to_string()))?;
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

    /// Checks that there are questions, but not too many, and none that is too long.
    fn questions(&self, given: &[String]) -> Reply<Vec<String>> {
        match given.len() {
            0 => Err(Failure::bad("there is no question; give some as \"questions\"")),
            count if count > MOST_QUESTIONS => Err(Failure::large(format!(
                "{count} questions are more than the limit of {MOST_QUESTIONS}; send them in several requests"
            ))),
            _ => given.iter().map(|question| self.question(Some(question))).collect(),
        }
    }

    /// Checks that there is one right answer, and that it is not too long.
    fn right(&self, asked: &Asked) -> Reply<Right> {
        match (&asked.formula, &asked.answer) {
            (Some(formula), None) => Ok(Right::Formula(self.question(Some(formula))?)),
            (None, Some(values)) if values.len() > MOST_VALUES => Err(Failure::large(format!(
                "an answer of {} values is more than the limit of {MOST_VALUES}",
                values.len()
            ))),
            (None, Some(values)) if !values.is_empty() => {
                values.iter().map(|value| self.question(Some(value))).collect::<Reply<_>>().map(Right::Answer)
            }
            _ => Err(Failure::bad("give the right answer, either as \"formula\" or as \"answer\", a list of values")),
        }
    }

    /// Checks that there is a question and that it is not too long.
    fn question(&self, given: Option<&str>) -> Reply<String> {
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
        let task = match &self.wish {
            Wish::Table => Task::Describe,
            Wish::Execution { formula, all } => Task::Execute { formula, all: *all },
            Wish::Correction { question, right } => Task::Correct { question, right: right.clone() },
            Wish::View(view) => Task::View(view.clone()),
            Wish::Answers { asked, is_list, top, min_confidence, all } => Task::Answer {
                questions: asked.iter().map(|one| Question { text: &one.question, link: &one.link }).collect(),
                is_list: *is_list,
                top: *top,
                min_confidence: *min_confidence,
                all: *all,
            },
        };
        frame(&Message::Job(Job { id: &self.id, source, task })).map_err(|error| Failure::fault(&error.to_string()))
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
