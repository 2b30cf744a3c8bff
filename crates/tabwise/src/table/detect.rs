//! Detection of the format. Marks in the content decide, then the ending of the file name, then marks that other
//! formats may have as well. An input without any of them is CSV. The marks exclude each other, so the order of formats
//! does not matter.

#[cfg(feature = "arrow")]
use super::arrow;
use super::markdown::begins_table;
use super::{Format, TableError};

/// Number of bytes of a text that are searched for marks.
const SAMPLE: usize = 1 << 16;

/// Sign in the content by which a format is detected.
pub(super) enum Mark {
    /// No sign: only the file name tells.
    None,
    /// A sign at the start of a file that is not text. Such a format is read from bytes, all others from text.
    Bytes(fn(&[u8]) -> bool),
    /// A sign in a text that overrides the file name.
    Text(fn(&str) -> bool),
    /// A sign in a text that the file name overrides, because other formats may have it.
    WeakText(fn(&str) -> bool),
}

/// Name of the part of an Office file that is protected by a password, in UTF-16.
const ENCRYPTED: &[u8] = b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";

/// Names of the part of an XLS file that holds its cells, in UTF-16.
const WORKBOOK: [&[u8]; 2] = [b"W\0o\0r\0k\0b\0o\0o\0k\0", b"B\0o\0o\0k\0"];

/// First bytes of an Office file before 2007.
const OLD_OFFICE: &[u8] = b"\xd0\xcf\x11\xe0";

/// Detects the format of a file that is not text; `None` for text.
pub(super) fn of_bytes(bytes: &[u8]) -> Result<Option<Format>, TableError> {
    // First bytes of files that people may take for tables, with a better message than "not text".
    const OTHERS: &[(&[u8], &str)] = &[
        (b"%PDF", "it is a PDF"),
        (b"\x1f\x8b", "it is compressed twice; unpack it first"),
        (b"\x28\xb5\x2f\xfd", "it is compressed twice; unpack it first"),
        (b"BZh", "it is compressed by bzip2; unpack it first"),
        (b"\x89PNG", "it is a picture"),
        (b"\xff\xd8\xff", "it is a picture"),
        (b"PARE", "it is an encrypted Parquet file; write it without encryption"),
        (b"FEA1", "it is a Feather file of version 1; write it with version 2"),
        #[cfg(not(feature = "parquet"))]
        (b"PAR1", "it is a Parquet file, which this program was built without"),
        #[cfg(not(feature = "arrow"))]
        (b"ARROW1\0\0", "it is an Arrow file, which this program was built without"),
        #[cfg(not(feature = "sqlite"))]
        (b"SQLite format 3", "it is a SQLite database, which this program was built without"),
    ];
    if bytes.starts_with(OLD_OFFICE) && memchr::memmem::find(bytes, ENCRYPTED).is_some() {
        return Err(TableError::NotText("it is protected by a password; save it without one"));
    }
    if bytes.starts_with(OLD_OFFICE) && !is_xls(bytes) {
        return Err(TableError::NotText("it is an old Office file, but no workbook"));
    }
    if let Some((_, what)) = OTHERS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return Err(TableError::NotText(what));
    }
    Ok(find(|mark| matches!(mark, Mark::Bytes(has) if has(bytes))))
}

/// Detects the format of a text. A file with the name of a workbook, or of another format that is not text, is refused unless it
/// looks like a table: programs do write pages and text with tabs as `.xls`, but a damaged workbook must not become a table of junk.
pub(super) fn of_text(text: &str, name: Option<&str>) -> Result<Format, TableError> {
    let named = name.and_then(of_name);
    // A page may have lines like those of a Markdown table, and Markdown may begin with HTML, such as a logo.
    if named == Some(Format::Markdown) && is_markdown(text) {
        return Ok(Format::Markdown);
    }
    let sample = &text[..text.floor_char_boundary(SAMPLE)];
    let marked = find(|mark| matches!(mark, Mark::Text(has) if has(sample)))
        .or_else(|| named.filter(|format| format.is_text()))
        .or_else(|| find(|mark| matches!(mark, Mark::WeakText(has) if has(sample))));
    match (marked, named) {
        (Some(format), _) => Ok(format),
        (None, Some(format)) if !has_lines_of_cells(sample) => Err(otherwise(format)),
        (None, _) => Ok(Format::Csv),
    }
}

/// Error for an input that is no text, which the name of a workbook makes clearer.
pub(super) fn not_text(error: TableError, name: Option<&str>) -> TableError {
    match (&error, name.and_then(of_name)) {
        (TableError::NotText(_), Some(format)) if !format.is_text() => otherwise(format),
        _ => error,
    }
}

/// Error for a file with the name of a format that is not text, which it does not have.
fn otherwise(format: Format) -> TableError {
    let reason = "it does not begin as such a file does; if it is text, give its format, such as csv".to_owned();
    TableError::Malformed { format, reason }
}

/// True if the first two lines have cells, and the same number of them.
fn has_lines_of_cells(sample: &str) -> bool {
    let mut lines = sample.lines().filter(|line| !line.trim().is_empty());
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return false };
    ['\t', ',', ';', '|'].into_iter().any(|delimiter| {
        let count = |line: &str| line.matches(delimiter).count();
        count(first) > 0 && count(first) == count(second)
    })
}

fn find(has: impl Fn(&Mark) -> bool) -> Option<Format> {
    Format::ALL.iter().copied().find(|format| has(&format.row().mark))
}

fn of_name(name: &str) -> Option<Format> {
    let (_, ending) = name.rsplit_once('.')?;
    let ending = ending.to_ascii_lowercase();
    Format::ALL.iter().copied().find(|format| format.endings().contains(&ending.as_str()))
}

/// True for a workbook of Excel before 2007.
pub(super) fn is_xls(bytes: &[u8]) -> bool {
    bytes.starts_with(OLD_OFFICE) && WORKBOOK.iter().any(|name| memchr::memmem::find(bytes, name).is_some())
}

/// True for an OpenDocument spreadsheet, which declares its type in its first bytes, or has the parts of one.
pub(super) fn is_ods(bytes: &[u8]) -> bool {
    let has = |part: &[u8], mark: &[u8]| memchr::memmem::find(part, mark).is_some();
    let (start, end) = (&bytes[..bytes.len().min(256)], &bytes[bytes.len().saturating_sub(SAMPLE)..]);
    let has_parts =
        || has(end, b"content.xml") && has(end, b"META-INF/manifest.xml") && !has(end, b"[Content_Types].xml");
    is_zip(bytes) && (has(start, b"opendocument.spreadsheet") || has_parts())
}

/// True for any other ZIP archive; its reader returns an error if it is not a workbook.
pub(super) fn is_xlsx(bytes: &[u8]) -> bool {
    is_zip(bytes) && !is_ods(bytes)
}

fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// True for a Parquet file.
#[cfg(feature = "parquet")]
pub(super) fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1")
}

/// True for an Arrow file or stream.
#[cfg(feature = "arrow")]
pub(super) fn is_arrow(bytes: &[u8]) -> bool {
    bytes.starts_with(arrow::MAGIC) || bytes.starts_with(arrow::CONTINUATION)
}

/// True for a SQLite database.
#[cfg(feature = "sqlite")]
pub(super) fn is_sqlite(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SQLite format 3\0")
}

/// True for a text that begins with a tag or a comment, and has a tag that is usual in pages.
pub(super) fn is_html(sample: &str) -> bool {
    const TAGS: &[&str] =
        &["<!doctype", "<html", "<head", "<body", "<table", "<div", "<p>", "<p ", "<h1", "<h2", "<section"];
    let start = sample.trim_start();
    let tag = || start.get(1..2).is_some_and(|c| c == "!" || c == "?" || c.chars().all(char::is_alphabetic));
    if !start.starts_with('<') || !tag() {
        return false;
    }
    let lower = start.to_ascii_lowercase();
    TAGS.iter().any(|tag| lower.contains(tag))
}

/// True for a text that begins with two brackets, or with a bracket and a quote.
pub(super) fn is_json(sample: &str) -> bool {
    let mut marks = sample.chars().filter(|c| !c.is_whitespace());
    let begins =
        matches!((marks.next(), marks.next()), (Some('['), Some('[' | '{' | ']')) | (Some('{'), Some('"' | '}')));
    begins && !is_json_lines(sample)
}

/// True for a text whose first line is a whole object or array, if another line follows.
pub(super) fn is_json_lines(sample: &str) -> bool {
    let mut lines = sample.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or("");
    first.trim_start().starts_with(['[', '{'])
        && lines.next().is_some()
        && serde_json::from_str::<serde::de::IgnoredAny>(first).is_ok()
}

/// True for a text with a line of names before a line of dashes.
pub(super) fn is_markdown(sample: &str) -> bool {
    sample.lines().zip(sample.lines().skip(1)).any(|(names, dashes)| begins_table(names, dashes))
}
