//! How much the server takes on: every limit is an argument with a stated default, and what goes beyond it gets an
//! answer that says so.

use std::time::Duration;
use tabwise::table::Limits;

/// The limits of the server.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct ServeLimits {
    /// The most bytes of a request's body
    #[arg(long, value_name = "BYTES", default_value_t = 32 << 20)]
    pub max_body: usize,
    /// The most bytes of the bodies that are held at once, all requests together
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 20)]
    pub max_bodies: usize,
    /// The most rows of a table
    #[arg(long, value_name = "ROWS", default_value_t = 400_000)]
    pub max_rows: usize,
    /// The most cells of a table
    #[arg(long, value_name = "CELLS", default_value_t = 2_000_000)]
    pub max_cells: usize,
    /// The most characters of a question
    #[arg(long, value_name = "CHARACTERS", default_value_t = 2_000)]
    pub max_question: usize,
    /// How many requests are worked on at once; one for each processor when not given
    #[arg(long, value_name = "REQUESTS")]
    pub at_once: Option<usize>,
    /// How many requests may wait for their turn; more are turned away at once
    #[arg(long, value_name = "REQUESTS", default_value_t = 64)]
    pub max_waiting: usize,
    /// How long a request may wait for its turn, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 2_000)]
    pub max_wait: u64,
    /// How many connections are open at once
    #[arg(long, value_name = "CONNECTIONS", default_value_t = 512)]
    pub max_connections: usize,
    /// How long the head of a request may take to arrive, and a connection may be idle, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 15.0)]
    pub head_timeout: f64,
    /// How long the body of a request may take to arrive, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub body_timeout: f64,
    /// How long a client may leave a response unread, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub read_timeout: f64,
    /// How many tables are kept for further questions
    #[arg(long, value_name = "TABLES", default_value_t = 64)]
    pub keep_tables: usize,
    /// How many cells the kept tables may have, all together; of long texts, 16 bytes count as a cell
    #[arg(long, value_name = "CELLS", default_value_t = 4_000_000)]
    pub keep_cells: usize,
    /// How many links to questions are kept
    #[arg(long, value_name = "LINKS", default_value_t = 4_096)]
    pub keep_links: usize,
}

impl ServeLimits {
    /// How much reading a table may take.
    pub fn reading(&self) -> Limits {
        let bytes = self.max_body as u64;
        let unpacked_bytes = bytes.saturating_mul(8);
        Limits { bytes: unpacked_bytes, page_bytes: bytes, unpacked_bytes, cells: self.max_cells, ..Limits::default() }
    }

    /// How many requests are worked on at once.
    pub fn workers(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(2, usize::from);
        self.at_once.unwrap_or_else(processors).max(1)
    }

    /// How long a request may wait for its turn.
    pub fn wait(&self) -> Duration {
        Duration::from_millis(self.max_wait)
    }
}

/// A time that was given in seconds; what is no time is the longest that makes sense.
pub fn seconds(given: f64) -> Duration {
    Duration::try_from_secs_f64(given).unwrap_or(Duration::from_secs(24 * 3600))
}
