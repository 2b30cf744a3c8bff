//! The workers of a server: processes of this program behind walls, or the server's own process. A worker that dies fails
//! its own request and is replaced when the next one needs it; one whose client has gone is ended. Long work is done by
//! workers of its own, to which the system gives the CPU time that others leave.

use crate::desk::Desk;
use crate::failure::{Failure, Reply};
use crate::limits::{ServeLimits, processors};
use crate::teaching::{Heard, Teaching};
use crate::wire::{Done, HEAD};
use crate::work::{Lane, Turn};
use std::collections::HashSet;
use std::ffi::OsString;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    /// Processes.
    Processes(Processes),
    /// This process, and what it has heard of corrections.
    Here { desk: Arc<Desk>, heard: Mutex<Heard> },
}

/// Worker processes, of which those without a job wait for the next one.
pub(crate) struct Processes {
    command: WorkerCommand,
    idle: Mutex<Vec<Worker>>,
    /// Most that wait in each lane.
    most: usize,
    /// Maximum time of a job by the clock. Its CPU time is limited by the walls of the worker.
    deadline: Duration,
    /// Maximum size of a result, in bytes.
    result: u64,
}

/// A worker process.
struct Worker {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// Ids of the tables that it was given, most of which it has.
    tables: HashSet<String>,
    /// Lane of its jobs. A worker that has come to the lane of long work stays there, with the tables that it has.
    lane: Lane,
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
        Pool::Processes(Processes {
            command,
            idle: Mutex::default(),
            most: limits.workers(),
            deadline: limits.deadline(),
            result: limits.walls().memory,
        })
    }

    /// Starts workers, so that the first requests do not wait.
    pub(crate) fn warm_up(&self) -> std::io::Result<()> {
        match self {
            Pool::Here { .. } => Ok(()),
            Pool::Processes(processes) => processes.warm_up(),
        }
    }

    /// Does a job about a table, given as a frame, after what is new of corrections was told. The turn may move to the lane
    /// of long work.
    pub(crate) async fn run(&self, id: &str, job: Vec<u8>, turn: &Turn, teaching: &Teaching) -> Reply<Done> {
        match self {
            Pool::Here { desk, heard } => {
                tell(desk, heard, teaching)?;
                here(desk.clone(), job).await
            }
            Pool::Processes(processes) => processes.run(id, job, turn, teaching).await,
        }
    }
}

impl Processes {
    /// Starts a worker for each CPU, or for each request at once if those are fewer.
    fn warm_up(&self) -> std::io::Result<()> {
        let first = self.most.min(processors());
        let workers = (0..first).map(|_| Worker::start(&self.command)).collect::<std::io::Result<Vec<Worker>>>()?;
        self.idle().extend(workers);
        Ok(())
    }

    async fn run(&self, id: &str, job: Vec<u8>, turn: &Turn, teaching: &Teaching) -> Reply<Done> {
        let mut worker = match self.take(id, turn.lane()) {
            Some(worker) => worker,
            None => Worker::start(&self.command).map_err(|error| Failure::no_worker(&error))?,
        };
        if turn.lane() == Lane::Long {
            yield_to_others(worker.child.id());
        }
        // Dropped on the way, because the client has gone or the job failed, the worker ends.
        let (process, news) = (worker.child.id(), teaching.news(worker.heard)?);
        match watched(worker.hear_and_do(news, job, self.result), turn, process, self.deadline).await? {
            Err(_) => Err(worker.obituary().await),
            Ok(done) => {
                worker.remember(id);
                if turn.lane() == Lane::Long {
                    worker.lane = Lane::Long;
                }
                self.give_back(worker);
                read(done).await
            }
        }
    }

    /// Takes an idle worker: one that has the table, or else one of the lane.
    fn take(&self, id: &str, lane: Lane) -> Option<Worker> {
        let mut idle = self.idle();
        let with_table = idle.iter().position(|worker| worker.tables.contains(id));
        let at = with_table.or_else(|| idle.iter().rposition(|worker| worker.lane == lane))?;
        Some(idle.remove(at))
    }

    fn give_back(&self, worker: Worker) {
        let mut idle = self.idle();
        if idle.iter().filter(|one| one.lane == worker.lane).count() < self.most {
            idle.push(worker);
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
    let mut done = done.map_err(|error| Failure::fault(&error.to_string()))?;
    read(done.split_off(HEAD.min(done.len()))).await
}

/// Result that is read at once; a larger one is read on another thread, so that it does not hold up other requests.
const SMALL: usize = 256 << 10;

/// Reads a result.
async fn read(bytes: Vec<u8>) -> Reply<Done> {
    let decode = |bytes: Vec<u8>| postcard::from_bytes(&bytes).map_err(|error| Failure::fault(&error.to_string()));
    if bytes.len() <= SMALL {
        return decode(bytes);
    }
    tokio::task::spawn_blocking(move || decode(bytes)).await.map_err(|error| Failure::fault(&error.to_string()))?
}

/// Waits for a job of a process. A long one moves to its lane; one without a place there ends if it holds up others, and
/// every one ends at its deadline.
async fn watched<T>(job: impl Future<Output = T>, turn: &Turn, process: Option<u32>, deadline: Duration) -> Reply<T> {
    let start = Instant::now();
    let mut is_long = turn.lane() == Lane::Long;
    let mut job = std::pin::pin!(job);
    loop {
        match tokio::time::timeout(SHORT, &mut job).await {
            Ok(done) => return Ok(done),
            Err(_) if start.elapsed() > deadline => return Err(Failure::too_long()),
            Err(_) if is_long => {}
            Err(_) if turn.lengthen() => {
                is_long = true;
                yield_to_others(process);
            }
            Err(_) if start.elapsed() > PATIENCE && turn.holds_up() => return Err(Failure::busy()),
            Err(_) => {}
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
        let (tables, heard) = Default::default();
        Ok(Worker { child, input, output, tables, lane: Lane::Short, heard })
    }

    /// Sends news, if there are any, and then a job, and waits for the bytes of its result.
    async fn hear_and_do(
        &mut self,
        news: Option<(Vec<u8>, Heard)>,
        job: Vec<u8>,
        most: u64,
    ) -> std::io::Result<Vec<u8>> {
        if let Some((news, now)) = news {
            self.exchange(news, most).await?;
            self.heard = now;
        }
        self.exchange(job, most).await
    }

    /// Sends a frame and waits for the bytes of the result, of which there may be this many.
    async fn exchange(&mut self, job: Vec<u8>, most: u64) -> std::io::Result<Vec<u8>> {
        self.input.write_all(&job).await?;
        self.input.flush().await?;
        drop(job);
        let length = self.output.read_u64_le().await?;
        if length > most {
            return Err(std::io::Error::other("a result larger than a worker's memory"));
        }
        let length = usize::try_from(length).map_err(std::io::Error::other)?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).map_err(std::io::Error::other)?;
        bytes.resize(length, 0);
        self.output.read_exact(&mut bytes).await?;
        Ok(bytes)
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

/// How much nicer than the server a process of long work is.
#[cfg(unix)]
const NICENESS: i32 = 5;

/// Gives a process only the CPU time that others leave, for good: a process without special rights cannot take this back.
#[cfg(unix)]
fn yield_to_others(process: Option<u32>) {
    use rustix::process::{Pid, getpriority_process, setpriority_process};
    let process = process.and_then(|id| Pid::from_raw(id.cast_signed()));
    if let (Some(process), Ok(own)) = (process, getpriority_process(None)) {
        // A process that has just ended needs no time.
        let _ = setpriority_process(Some(process), own.saturating_add(NICENESS));
    }
}

/// Does nothing on this system.
#[cfg(not(unix))]
fn yield_to_others(_: Option<u32>) {}

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
