//! The workers of a server: processes of this program behind walls, or the server's own process. A worker that dies fails
//! its own request and is replaced when the next one needs it; one whose client has gone is ended.

use crate::desk::Desk;
use crate::failure::{Failure, Reply};
use crate::limits::{ServeLimits, processors};
use crate::teaching::{Heard, Teaching};
use crate::wire::{Done, HEAD};
use crate::work::Turn;
use std::collections::HashSet;
use std::ffi::OsString;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// Command that starts a worker: a program and its arguments.
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    /// Path of the program.
    pub program: OsString,
    /// Arguments with which it calls [`work`](crate::work).
    pub arguments: Vec<OsString>,
}

/// The workers.
pub(crate) enum Pool {
    /// Processes, as many as there are jobs at once.
    Processes { command: WorkerCommand, idle: Arc<Mutex<Vec<Worker>>>, most: usize, time: Duration },
    /// This process, and what it has heard of corrections.
    Here { desk: Arc<Desk>, heard: Mutex<Heard> },
}

/// A worker process.
pub(crate) struct Worker {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// Ids of the tables that it was given, most of which it has.
    tables: HashSet<String>,
    /// What it has heard of corrections.
    heard: Heard,
}

/// Time after which a job is long.
const SHORT: Duration = Duration::from_millis(200);
/// Time after which a long job without a place in its lane ends if it holds up others.
const PATIENCE: Duration = Duration::from_millis(600);
/// Number of tables after which a worker is not remembered to have any.
const MOST_TABLES: usize = 1_000;

impl Pool {
    /// Makes a pool of this process.
    pub(crate) fn here(desk: Desk) -> Pool {
        Pool::Here { desk: Arc::new(desk), heard: Mutex::default() }
    }

    /// Makes a pool of processes.
    pub(crate) fn processes(command: WorkerCommand, limits: &ServeLimits) -> Pool {
        Pool::Processes { command, idle: Arc::default(), most: 2 * limits.workers(), time: limits.time() }
    }

    /// Starts a worker for each CPU, or for each request at once if those are fewer, so that the first requests do not wait.
    pub(crate) fn warm_up(&self) -> std::io::Result<()> {
        if let Pool::Processes { command, idle, most, .. } = self {
            let first = (*most / 2).min(processors());
            let workers = (0..first).map(|_| Worker::start(command)).collect::<std::io::Result<Vec<Worker>>>()?;
            lock(idle).extend(workers);
        }
        Ok(())
    }

    /// Does a job about a table, given as a frame, after what is new of corrections was told. The turn may move to the lane
    /// of long work.
    pub(crate) async fn run(&self, id: &str, job: Vec<u8>, turn: &Turn, teaching: &Teaching) -> Reply<Done> {
        match self {
            Pool::Here { desk, heard } => {
                tell(desk, heard, teaching)?;
                here(desk.clone(), job).await
            }
            Pool::Processes { command, idle, most, time } => {
                let waiting = take(idle, id);
                let mut worker = match waiting {
                    Some(worker) => worker,
                    None => Worker::start(command).map_err(|error| Failure::fault(&format!("no worker: {error}")))?,
                };
                let news = teaching.news(worker.heard)?;
                // Dropped on the way, because the client has gone or the job failed, the worker ends.
                let done = watched(worker.hear_and_do(news, &job), turn, *time).await?;
                match done {
                    Ok(done) => {
                        worker.remember(id);
                        let mut idle = lock(idle);
                        if idle.len() < *most {
                            idle.push(worker);
                        }
                        Ok(done)
                    }
                    Err(_) => Err(worker.obituary().await),
                }
            }
        }
    }
}

/// Takes an idle worker, if possible one that has the table.
fn take(idle: &Mutex<Vec<Worker>>, id: &str) -> Option<Worker> {
    let mut idle = lock(idle);
    let at = idle.iter().position(|worker| worker.tables.contains(id));
    let at = at.or_else(|| idle.len().checked_sub(1))?;
    Some(idle.swap_remove(at))
}

fn lock(idle: &Mutex<Vec<Worker>>) -> std::sync::MutexGuard<'_, Vec<Worker>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells this process what is new of corrections.
fn tell(desk: &Desk, heard: &Mutex<Heard>, teaching: &Teaching) -> Reply<()> {
    let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((news, now)) = teaching.news(*heard)? {
        desk.work(&news[HEAD..]);
        *heard = now;
    }
    Ok(())
}

/// Does a job in this process.
async fn here(desk: Arc<Desk>, job: Vec<u8>) -> Reply<Done> {
    let done = tokio::task::spawn_blocking(move || desk.work(&job[HEAD..])).await;
    let done = done.map_err(|error| Failure::fault(&error.to_string()))?;
    postcard::from_bytes(done.get(HEAD..).unwrap_or_default()).map_err(|error| Failure::fault(&error.to_string()))
}

/// Waits for a job. A long one moves to its lane; one without a place there ends if it holds up others, and every one ends
/// when its time is over.
async fn watched<T>(job: impl Future<Output = T>, turn: &Turn, time: Duration) -> Reply<T> {
    let start = Instant::now();
    let mut is_long = false;
    let mut job = std::pin::pin!(job);
    loop {
        match tokio::time::timeout(SHORT, &mut job).await {
            Ok(done) => return Ok(done),
            Err(_) if start.elapsed() > time => return Err(Failure::too_long()),
            Err(_) => {
                is_long = is_long || turn.lengthen();
                if !is_long && start.elapsed() > PATIENCE && turn.holds_up() {
                    return Err(Failure::busy());
                }
            }
        }
    }
}

impl Worker {
    fn start(command: &WorkerCommand) -> std::io::Result<Worker> {
        let mut child = Command::new(&command.program)
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::Error::other("it has no pipes"));
        };
        Ok(Worker { child, input, output, tables: HashSet::new(), heard: Heard::default() })
    }

    /// Sends news, if there are any, and then a job, and waits for its result.
    async fn hear_and_do(&mut self, news: Option<(Vec<u8>, Heard)>, job: &[u8]) -> std::io::Result<Done> {
        if let Some((news, now)) = news {
            self.exchange(&news).await?;
            self.heard = now;
        }
        self.exchange(job).await
    }

    /// Sends a frame and waits for the result.
    async fn exchange(&mut self, job: &[u8]) -> std::io::Result<Done> {
        self.input.write_all(job).await?;
        self.input.flush().await?;
        let length = self.output.read_u64_le().await?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX)).map_err(std::io::Error::other)?;
        bytes.resize(bytes.capacity().min(length as usize), 0);
        self.output.read_exact(&mut bytes).await?;
        postcard::from_bytes(&bytes).map_err(std::io::Error::other)
    }

    fn remember(&mut self, id: &str) {
        if self.tables.len() >= MOST_TABLES {
            self.tables.clear();
        }
        self.tables.insert(id.to_owned());
    }

    /// The failure of the job that a worker died of.
    async fn obituary(mut self) -> Failure {
        let _ = self.child.start_kill();
        match self.child.wait().await {
            Ok(status) if is_time_out(status) => Failure::too_long(),
            _ => Failure::too_much(),
        }
    }
}

/// True if the system ended a worker because its CPU time was over.
#[cfg(unix)]
fn is_time_out(status: std::process::ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(rustix::process::Signal::XCPU.as_raw())
}

/// True if the system ended a worker because its CPU time was over, which this one does not do.
#[cfg(not(unix))]
fn is_time_out(_: std::process::ExitStatus) -> bool {
    false
}
