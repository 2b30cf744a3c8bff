//! Limits of the server. Each is a command-line option of `tabwise serve` with a default, and a request beyond a limit
//! gets an error that names it.

use crate::memory::default_budget;
use crate::sandbox::Walls;
use std::time::Duration;
use tabwise::table::Limits;

/// Limits of the server. The doc comments are the help of the options.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct ServeLimits {
    /// Maximum size of a request body
    #[arg(long, value_name = "BYTES", default_value_t = 32 << 20)]
    pub max_body: usize,
    /// Maximum memory for request bodies, over all requests
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 20)]
    pub max_bodies: usize,
    /// Maximum memory for the table and the answer of a request, as estimated; a request takes at most twice as much
    /// [default: half of what is free, at most 1 GiB]
    #[arg(long, value_name = "BYTES")]
    pub max_memory: Option<u64>,
    /// Maximum CPU time to work on a request, in whole seconds; by the clock it may take four times as long, since a busy machine
    /// gives a worker less than it asks for
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub max_time: f64,
    /// Maximum number of rows in a table
    #[arg(long, value_name = "ROWS", default_value_t = 400_000)]
    pub max_rows: usize,
    /// Maximum number of cells in a table
    #[arg(long, value_name = "CELLS", default_value_t = 2_000_000)]
    pub max_cells: usize,
    /// Maximum length of a question
    #[arg(long, value_name = "CHARACTERS", default_value_t = 2_000)]
    pub max_question: usize,
    /// Number of requests to work on at once, each in a process of its own; as many more if they take long [default: number
    /// of CPUs]
    #[arg(long, value_name = "REQUESTS")]
    pub at_once: Option<usize>,
    /// Maximum number of waiting requests; beyond it those of the client with the most get status 503
    #[arg(long, value_name = "REQUESTS", default_value_t = 64)]
    pub max_waiting: usize,
    /// Maximum time for a request to wait, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 2_000)]
    pub max_wait: u64,
    /// Maximum number of open connections; beyond it the oldest idle one of the client with the most is closed
    #[arg(long, value_name = "CONNECTIONS", default_value_t = 512)]
    pub max_connections: usize,
    /// Maximum time for the head of a request to arrive, and for a connection to be idle
    #[arg(long, value_name = "SECONDS", default_value_t = 15.0)]
    pub head_timeout: f64,
    /// Maximum time for the body of a request to arrive
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub body_timeout: f64,
    /// Maximum time for a client to leave a response unread
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub read_timeout: f64,
    /// Number of tables to keep for further questions
    #[arg(long, value_name = "TABLES", default_value_t = 64)]
    pub keep_tables: usize,
    /// Total number of cells to keep, at most 24 bytes each; a long text counts as several
    #[arg(long, value_name = "CELLS", default_value_t = 4_000_000)]
    pub keep_cells: usize,
    /// Work in the process of the server: takes less memory, but a table that takes too much ends the server
    #[arg(long)]
    pub in_process: bool,
    /// Number of links to questions to keep
    #[arg(long, value_name = "LINKS", default_value_t = 4_096)]
    pub keep_links: usize,
    /// Number of corrections to keep; beyond it they are refused
    #[arg(long, value_name = "CORRECTIONS", default_value_t = 1_000)]
    pub keep_corrections: usize,
    /// Maximum size of the tables in the folder of --store; the oldest go first
    #[arg(long, value_name = "BYTES", default_value_t = 4 << 30)]
    pub store_bytes: u64,
}

/// Default of the memory for one request.
const MOST_MEMORY: u64 = 1 << 30;
/// Most requests that can be worked on at once.
const MOST_AT_ONCE: usize = 1_024;
/// Time by the clock for a second of CPU time.
const DEADLINE: u32 = 4;
/// Address space that a worker takes for itself: code, model and what libraries reserve.
const OWN: u64 = 512 << 20;

impl ServeLimits {
    /// Limits for reading a table.
    pub fn reading(&self) -> Limits {
        let bytes = self.max_body as u64;
        let unpacked_bytes = bytes.saturating_mul(8);
        Limits {
            memory: self.memory(),
            bytes: unpacked_bytes,
            page_bytes: bytes,
            unpacked_bytes,
            cells: self.max_cells,
            ..Limits::default()
        }
    }

    /// Memory for one request.
    pub fn memory(&self) -> u64 {
        self.max_memory.unwrap_or_else(|| {
            default_budget(MOST_MEMORY.saturating_mul(self.workers() as u64)) / self.workers() as u64
        })
    }

    /// Number of requests to work on at once, at least 1.
    pub fn workers(&self) -> usize {
        self.at_once.unwrap_or_else(processors).clamp(1, MOST_AT_ONCE)
    }

    /// Maximum CPU time to work on a request.
    pub fn time(&self) -> Duration {
        seconds(self.max_time)
    }

    /// Maximum time by the clock to work on a request. Only where nothing limits CPU time is it as short as that.
    pub(crate) fn deadline(&self) -> Duration {
        if cfg!(unix) { self.time().saturating_mul(DEADLINE) } else { self.time() }
    }

    /// Walls around a worker. Its address space has room for the program, for the tables at hand and for a job.
    pub(crate) fn walls(&self) -> Walls {
        let memory = self.memory().saturating_mul(3).saturating_add(OWN);
        Walls { memory, seconds: self.time().as_secs().max(1) }
    }

    /// Maximum time for a request to wait.
    pub fn wait(&self) -> Duration {
        Duration::from_millis(self.max_wait)
    }
}

/// Number of CPUs.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

/// A number of seconds as a duration. Negative and huge numbers become a day, in effect no limit.
pub(crate) fn seconds(given: f64) -> Duration {
    Duration::try_from_secs_f64(given).unwrap_or(Duration::from_secs(24 * 3600))
}
