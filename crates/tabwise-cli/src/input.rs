//! The table a command works on: where it is, how to read it, and the reading itself. Every command that takes a table
//! takes it with these arguments.

use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::fs::File;
use std::io::{Read, stdin};
use std::path::{Path, PathBuf};
use tabwise::table::{Choice, Format, Limits, Listed, ReadSettings, Repair, Repairs, Table, TableError, list, read};

/// A table and how to read it.
#[derive(Clone, Debug, clap::Args)]
pub struct TableArgs {
    #[arg(value_name = "TABLE", help = format!("A {} file; - is standard input", Format::titles()))]
    pub path: PathBuf,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

impl TableArgs {
    /// Reads the table.
    pub fn load(&self) -> Result<Table> {
        let settings = self.reading.settings();
        let bytes = load_bytes(&self.path, &settings.limits)?;
        read(&bytes, self.name(), &settings).with_context(|| show(&self.path))
    }

    /// Lists the tables that the file holds.
    pub fn list(&self) -> Result<Vec<Listed>> {
        let settings = self.reading.settings();
        let bytes = load_bytes(&self.path, &settings.limits)?;
        list(&bytes, self.name(), &settings).with_context(|| show(&self.path))
    }

    /// The name of the file, whose ending is a hint at the format.
    pub fn name(&self) -> Option<&str> {
        self.path.file_name().and_then(|name| name.to_str()).filter(|&name| name != "-")
    }
}

/// How to read a table.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Reading the table")]
pub struct ReadingArgs {
    /// The format; found by itself when not given
    #[arg(long, value_name = "FORMAT", value_parser = names::<Format>())]
    pub format_in: Option<Format>,
    /// The encoding, such as windows-1252; found by itself when not given
    #[arg(long, value_name = "LABEL")]
    pub encoding: Option<String>,
    /// The delimiter of a CSV: one character, or "tab"; found by itself when not given
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    pub delimiter: Option<u8>,
    /// The sheet of a workbook, by number from 0 or by name; the first that holds a table when not given
    #[arg(long, value_name = "NUMBER|NAME", value_parser = choice)]
    pub sheet: Option<Choice>,
    /// The table of a page, by number from 0, or by its caption or heading; the largest when not given
    #[arg(long, value_name = "NUMBER|TEXT", value_parser = choice)]
    pub table: Option<Choice>,
    /// Count only the tables of a page that match this CSS selector, such as table.wikitable
    #[arg(long, value_name = "CSS")]
    pub select: Option<String>,
    /// Do not make this repair (may be given several times)
    #[arg(long, value_name = "REPAIR", value_parser = names::<Repair>())]
    pub no_repair: Vec<Repair>,
    /// Make no repair at all
    #[arg(long, conflicts_with = "no_repair")]
    pub as_is: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// How much a table may take.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Limits of reading")]
pub struct LimitArgs {
    /// The most bytes of a file
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().bytes, hide_short_help = true)]
    pub limit_bytes: u64,
    /// The most bytes of a web page
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().page_bytes, hide_short_help = true)]
    pub limit_page_bytes: u64,
    /// The most bytes a spreadsheet file may unpack to
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().unpacked_bytes, hide_short_help = true)]
    pub limit_unpacked_bytes: u64,
    /// The most cells of a table
    #[arg(long, value_name = "CELLS", default_value_t = Limits::default().cells, hide_short_help = true)]
    pub limit_cells: usize,
    /// The most columns of a table
    #[arg(long, value_name = "COLUMNS", default_value_t = Limits::default().columns, hide_short_help = true)]
    pub limit_columns: usize,
    /// The deepest nesting of elements or values
    #[arg(long, value_name = "DEPTH", default_value_t = Limits::default().depth, hide_short_help = true)]
    pub limit_depth: usize,
    /// The most elements and texts of a page
    #[arg(long, value_name = "NODES", default_value_t = Limits::default().nodes, hide_short_help = true)]
    pub limit_nodes: usize,
}

impl ReadingArgs {
    /// The same, as the library wants it.
    pub fn settings(&self) -> ReadSettings {
        ReadSettings {
            format: self.format_in,
            encoding: self.encoding.clone(),
            delimiter: self.delimiter,
            sheet: self.sheet.clone(),
            table: self.table.clone(),
            select: self.select.clone(),
            repairs: self.repairs(),
            limits: self.limits.limits(),
        }
    }

    fn repairs(&self) -> Repairs {
        let all = if self.as_is { Repairs::NONE } else { Repairs::default() };
        self.no_repair.iter().fold(all, |left, &repair| left.without(repair))
    }
}

impl LimitArgs {
    /// The same, as the library wants it.
    pub fn limits(self) -> Limits {
        Limits {
            bytes: self.limit_bytes,
            page_bytes: self.limit_page_bytes,
            unpacked_bytes: self.limit_unpacked_bytes,
            cells: self.limit_cells,
            columns: self.limit_columns,
            depth: self.limit_depth,
            nodes: self.limit_nodes,
        }
    }
}

/// The bytes of a file or of standard input, and an error before more than the limit is taken into memory.
pub fn load_bytes(path: &Path, limits: &Limits) -> Result<Vec<u8>> {
    let bytes = match path.to_str() {
        Some("-") => read_up_to(stdin().lock(), limits.bytes, 0),
        _ => open(path, limits.bytes).and_then(|(file, size)| read_up_to(file, limits.bytes, size)),
    };
    bytes.with_context(|| show(path))
}

fn open(path: &Path, limit: u64) -> Result<(File, u64)> {
    let file = File::open(path).context("it cannot be opened; give a file that is there, or - for standard input")?;
    let about = file.metadata().context("it cannot be opened")?;
    if about.is_dir() {
        bail!("it is a folder; give a file");
    }
    if about.len() > limit {
        bail!(too_large(limit));
    }
    Ok((file, about.len()))
}

fn read_up_to(source: impl Read, limit: u64, size: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(size as usize + 1);
    source.take(limit.saturating_add(1)).read_to_end(&mut bytes).context("it cannot be read")?;
    if bytes.len() as u64 > limit {
        bail!(too_large(limit));
    }
    Ok(bytes)
}

fn too_large(limit: u64) -> TableError {
    TableError::TooLarge { what: "the size of the input".to_owned(), limit, name: "bytes" }
}

/// How a path is named in messages.
pub fn show(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// A type of the library whose values have names.
pub trait Named: Copy + Send + Sync + 'static {
    /// All values, each with its name and a line about it.
    fn all() -> Vec<(Self, &'static str, &'static str)>;
}

impl Named for Format {
    fn all() -> Vec<(Format, &'static str, &'static str)> {
        Format::ALL.iter().map(|&one| (one, one.name(), one.about())).collect()
    }
}

impl Named for Repair {
    fn all() -> Vec<(Repair, &'static str, &'static str)> {
        Repair::ALL.iter().map(|&one| (one, one.name(), one.about())).collect()
    }
}

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

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("a delimiter is one ASCII character, or \"tab\"".to_owned()),
    }
}
