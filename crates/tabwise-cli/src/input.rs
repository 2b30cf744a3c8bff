//! The table argument, options for reading tables, and reading itself, shared by all commands that take a table.

use crate::{files, hints};
use anyhow::{Context, Result, anyhow, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::fs::File;
use std::io::{ErrorKind, Read, stdin};
use std::path::{Path, PathBuf};
use tabwise::answer::{Asker, PreparedTable};
use tabwise::table::{
    Choice, Format, Header, Limits, Listed, Orientation, Parts, ReadSettings, Repair, Repairs, Table, TableError, list,
    read,
};
use tabwise_server::memory::default_budget;

/// Argument for the table, and options for reading it.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TableArgs {
    #[arg(value_name = "TABLE", help = format!("{} file, a folder or a pattern of such files, or - for standard input", Format::titles()))]
    pub path: PathBuf,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

impl TableArgs {
    /// Reads the table.
    pub(crate) fn load(&self) -> Result<Table> {
        let settings = self.reading.settings();
        if let Some(files) = files::several(&self.path)? {
            return load_parts(&files, &settings).with_context(|| show(&self.path));
        }
        let bytes = load_bytes(&self.path, &settings.limits)?;
        read(&bytes, self.name(), &settings).with_context(|| show(&self.path))
    }

    /// Makes the table ready for questions, within the limits.
    pub(crate) fn prepare(&self, asker: &Asker, table: &Table) -> Result<PreparedTable> {
        let budget = self.reading.limits.limits().budget();
        asker.prepare_within(table, budget).with_context(|| show(&self.path))
    }

    /// Lists the tables that the file holds.
    pub(crate) fn list(&self) -> Result<Vec<Listed>> {
        let settings = self.reading.settings();
        let bytes = load_bytes(&self.path, &settings.limits)?;
        list(&bytes, self.name(), &settings).with_context(|| show(&self.path))
    }

    /// The file name, whose extension is a hint at the format.
    pub(crate) fn name(&self) -> Option<&str> {
        let name = self.path.file_name().and_then(|name| name.to_str());
        name.filter(|&name| name != "-" && !files::is_pattern(&self.path))
    }
}

/// Options for reading a table.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Reading the table")]
pub(crate) struct ReadingArgs {
    /// Format of the table [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = names::<Format>())]
    pub format_in: Option<Format>,
    /// Encoding, such as windows-1252 [default: detected]
    #[arg(long, value_name = "LABEL")]
    pub encoding: Option<String>,
    /// Delimiter of a CSV file: one character, or "tab" [default: detected]
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    pub delimiter: Option<u8>,
    /// The first row is data; columns are called "column 1", "column 2" and so on
    #[arg(long)]
    pub no_header: bool,
    /// Sheet of a workbook, by name or by number from 0 [default: the first sheet with a table]
    #[arg(long, value_name = "NUMBER|NAME", value_parser = choice)]
    pub sheet: Option<Choice>,
    /// Table of a page, by its caption or heading, or by number from 0 [default: the largest]
    #[arg(long, value_name = "NUMBER|TEXT", value_parser = choice)]
    pub table: Option<Choice>,
    /// Consider only tables that match this CSS selector, such as table.wikitable
    #[arg(long, value_name = "CSS")]
    pub select: Option<String>,
    /// Direction of the records [default: auto, or rows with --as-is]
    #[arg(long, value_name = "DIRECTION", value_parser = names::<Orientation>())]
    pub orientation: Option<Orientation>,
    /// Disable a repair (can be repeated)
    #[arg(long, value_name = "REPAIR", value_parser = names::<Repair>())]
    pub no_repair: Vec<Repair>,
    /// Disable all repairs
    #[arg(long, conflicts_with = "no_repair")]
    pub as_is: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Limits for reading a table and answering about it, so that no input takes unbounded time or memory.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Maximum memory for the table and each answer, as estimated; the process takes at most twice as much
    /// [default: half of what is free, at most 4 GiB]
    #[arg(long, value_name = "BYTES", hide_short_help = true)]
    pub limit_memory: Option<u64>,
    /// Maximum work on selectors, nested elements and repeated cells; a step takes about a nanosecond
    #[arg(long, value_name = "STEPS", default_value_t = Limits::default().steps, hide_short_help = true)]
    pub limit_steps: u64,
    /// Maximum size of a file, which is in memory while it is read
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().bytes, hide_short_help = true)]
    pub limit_bytes: u64,
    /// Maximum size of a web page; it takes about 10 times as much memory
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().page_bytes, hide_short_help = true)]
    pub limit_page_bytes: u64,
    /// Maximum unpacked size of a spreadsheet file; it is unpacked piece by piece
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().unpacked_bytes, hide_short_help = true)]
    pub limit_unpacked_bytes: u64,
    /// Maximum size of one cell
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().cell_bytes, hide_short_help = true)]
    pub limit_cell_bytes: u64,
    /// Maximum number of cells; an answer takes up to 600 bytes of memory for each
    #[arg(long, value_name = "CELLS", default_value_t = Limits::default().cells, hide_short_help = true)]
    pub limit_cells: usize,
    /// Maximum number of sheets of a workbook
    #[arg(long, value_name = "SHEETS", default_value_t = Limits::default().sheets, hide_short_help = true)]
    pub limit_sheets: usize,
    /// Maximum number of columns
    #[arg(long, value_name = "COLUMNS", default_value_t = Limits::default().columns, hide_short_help = true)]
    pub limit_columns: usize,
    /// Maximum nesting depth of elements in a page or a workbook
    #[arg(long, value_name = "DEPTH", default_value_t = Limits::default().depth, hide_short_help = true)]
    pub limit_depth: usize,
    /// Maximum number of elements and texts in a page; each takes about 250 bytes of memory
    #[arg(long, value_name = "NODES", default_value_t = Limits::default().nodes, hide_short_help = true)]
    pub limit_nodes: usize,
}

impl ReadingArgs {
    /// The options as settings of the library.
    pub(crate) fn settings(&self) -> ReadSettings {
        ReadSettings {
            format: self.format_in,
            encoding: self.encoding.clone(),
            delimiter: self.delimiter,
            sheet: self.sheet.clone(),
            table: self.table.clone(),
            select: self.select.clone(),
            orientation: self.orientation(),
            header: if self.no_header { Header::None } else { Header::First },
            repairs: self.repairs(),
            limits: self.limits.limits(),
        }
    }

    fn orientation(&self) -> Orientation {
        self.orientation.unwrap_or(if self.as_is { Orientation::Rows } else { Orientation::Auto })
    }

    fn repairs(&self) -> Repairs {
        let all = if self.as_is { Repairs::NONE } else { Repairs::default() };
        self.no_repair.iter().fold(all, |left, &repair| left.without(repair))
    }
}

impl LimitArgs {
    /// The options as limits of the library.
    pub(crate) fn limits(self) -> Limits {
        let most = Limits::default().memory;
        Limits {
            memory: self.limit_memory.unwrap_or_else(|| default_budget(most)),
            steps: self.limit_steps,
            bytes: self.limit_bytes,
            page_bytes: self.limit_page_bytes,
            unpacked_bytes: self.limit_unpacked_bytes,
            cell_bytes: self.limit_cell_bytes,
            cells: self.limit_cells,
            sheets: self.limit_sheets,
            columns: self.limit_columns,
            depth: self.limit_depth,
            nodes: self.limit_nodes,
        }
    }
}

/// Reads a file or standard input. Fails before more than the limit is in memory.
pub(crate) fn load_bytes(path: &Path, limits: &Limits) -> Result<Vec<u8>> {
    match path.to_str() {
        Some("-") => read_up_to(stdin().lock(), path, 0, limits.bytes),
        _ => open(path, limits.bytes).and_then(|(file, size)| read_up_to(file, path, size, limits.bytes)),
    }
}

/// Reads files of one schema as one table. Each is in memory only while it is read.
fn load_parts(files: &[PathBuf], settings: &ReadSettings) -> Result<Table> {
    let mut parts = Parts::new(settings);
    for file in files {
        let name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        parts.add(&load_bytes(file, &settings.limits)?, &name)?;
    }
    Ok(parts.finish()?)
}

/// Opens a file, and returns its size too.
fn open(path: &Path, limit: u64) -> Result<(File, u64)> {
    let cannot_open = || format!("cannot open {}", path.display());
    let file = File::open(path).map_err(|error| match (error.kind(), hints::for_file(path)) {
        (ErrorKind::NotFound, _) if hints::is_address(path) => {
            let address = path.display();
            anyhow!("nothing is fetched from {address}; pipe it in: curl -s {address} | tabwise ask - \"QUESTION\"")
        }
        (ErrorKind::NotFound, Some(similar)) => anyhow!("there is no file {}; did you mean {similar}?", path.display()),
        _ => anyhow!(error).context(cannot_open()),
    })?;
    let metadata = file.metadata().with_context(cannot_open)?;
    if metadata.is_dir() {
        bail!("{} is a folder; give a file", path.display());
    }
    if metadata.len() > limit {
        return Err(too_large(limit)).with_context(|| show(path));
    }
    Ok((file, metadata.len()))
}

/// Reads to the end, or fails after `limit` bytes. The size is a hint: pipes and files in `/proc` have none.
fn read_up_to(source: impl Read, path: &Path, size: u64, limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let room = bytes.try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1));
    room.with_context(|| format!("{}: there is not enough memory for {size} bytes", show(path)))?;
    let read = source.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.with_context(|| format!("cannot read {}", show(path)))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(limit)).with_context(|| show(path));
    }
    Ok(bytes)
}

fn too_large(limit: u64) -> TableError {
    TableError::TooLarge { what: "the size of the input".to_owned(), limit, name: "bytes" }
}

/// A path for messages.
pub(crate) fn show(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// A type of the library whose values have names, for options that take one.
pub(crate) trait Named: Copy + Send + Sync + 'static {
    /// All values, each with its name and a line of help.
    fn all() -> Vec<(Self, &'static str, &'static str)>;
}

impl Named for Format {
    fn all() -> Vec<(Format, &'static str, &'static str)> {
        Format::ALL.iter().map(|&one| (one, one.name(), one.about())).collect()
    }
}

impl Named for Orientation {
    fn all() -> Vec<(Orientation, &'static str, &'static str)> {
        Orientation::ALL.iter().map(|&one| (one, one.name(), one.about())).collect()
    }
}

impl Named for Repair {
    fn all() -> Vec<(Repair, &'static str, &'static str)> {
        Repair::ALL.iter().map(|&one| (one, one.name(), one.about())).collect()
    }
}

/// Parser of names that lists them in the help.
fn names<T: Named>() -> impl TypedValueParser<Value = T> {
    let known = T::all().into_iter().map(|(_, name, about)| PossibleValue::new(name).help(about.trim_end_matches('.')));
    PossibleValuesParser::new(known).map(|name| {
        let found = T::all().into_iter().find(|(_, known, _)| *known == name);
        found.expect("only known names are accepted").0
    })
}

fn choice(text: &str) -> Result<Choice, std::convert::Infallible> {
    Ok(Choice::from(text))
}

/// Parses a delimiter.
fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("a delimiter is one ASCII character, or \"tab\"".to_owned()),
    }
}
