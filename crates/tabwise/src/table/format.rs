//! Which format is this? Marks in the content decide, then the ending of the file's name, then it is CSV.

use super::markdown::begins_table;
use super::{Format, TableError};

/// How much of a text is looked at.
const SAMPLE: usize = 1 << 16;

/// The format of a file that is no text, by its first bytes; nothing for text.
pub(super) fn of_bytes(bytes: &[u8]) -> Result<Option<Format>, TableError> {
    const OTHERS: &[(&[u8], &str)] = &[
        (b"\xd0\xcf\x11\xe0", "it is an old Office file; saved as XLSX it can be read"),
        (b"%PDF", "it is a PDF"),
        (b"\x1f\x8b", "it is compressed by gzip; unpack it first"),
        (b"\x28\xb5\x2f\xfd", "it is compressed by zstd; unpack it first"),
        (b"BZh", "it is compressed by bzip2; unpack it first"),
        (b"\x89PNG", "it is a picture"),
        (b"\xff\xd8\xff", "it is a picture"),
        (b"PAR1", "it is a Parquet file"),
        (b"SQLite format 3", "it is a SQLite database"),
    ];
    if let Some((_, what)) = OTHERS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return Err(TableError::NotText(what));
    }
    let sample = &bytes[..bytes.len().min(256)];
    Ok(match bytes.starts_with(b"PK\x03\x04") {
        true if memchr::memmem::find(sample, b"opendocument.spreadsheet").is_some() => Some(Format::Ods),
        true => Some(Format::Xlsx),
        false => None,
    })
}

/// The format of a text.
pub(super) fn of_text(text: &str, name: Option<&str>) -> Format {
    let sample = &text[..text.floor_char_boundary(SAMPLE)];
    let by_content = is_html(sample).or_else(|| is_json(sample));
    by_content.or_else(|| of_name(name?)).or_else(|| is_markdown(sample)).unwrap_or(Format::Csv)
}

fn of_name(name: &str) -> Option<Format> {
    let (_, ending) = name.rsplit_once('.')?;
    match ending.to_ascii_lowercase().as_str() {
        "csv" => Some(Format::Csv),
        "tsv" | "tab" => Some(Format::Tsv),
        "json" => Some(Format::Json),
        "jsonl" | "ndjson" => Some(Format::JsonLines),
        "md" | "markdown" => Some(Format::Markdown),
        "html" | "htm" | "xhtml" => Some(Format::Html),
        _ => None,
    }
}

/// A page begins with a tag or a comment, and a tag that pages have is among the first.
fn is_html(sample: &str) -> Option<Format> {
    const TAGS: &[&str] =
        &["<!doctype", "<html", "<head", "<body", "<table", "<div", "<p>", "<p ", "<h1", "<h2", "<section"];
    let start = sample.trim_start();
    let tag = || start.get(1..2).is_some_and(|c| c == "!" || c == "?" || c.chars().all(char::is_alphabetic));
    if !start.starts_with('<') || !tag() {
        return None;
    }
    let lower = start.to_ascii_lowercase();
    TAGS.iter().any(|tag| lower.contains(tag)).then_some(Format::Html)
}

/// JSON begins with two brackets, or with a bracket and a quote; JSON lines have a whole value in the first line.
fn is_json(sample: &str) -> Option<Format> {
    let mut marks = sample.chars().filter(|c| !c.is_whitespace());
    match (marks.next(), marks.next()) {
        (Some('[' | '{'), _) if first_line_is_json(sample) => Some(Format::JsonLines),
        (Some('['), Some('[' | '{' | ']')) | (Some('{'), Some('"' | '}')) => Some(Format::Json),
        _ => None,
    }
}

/// Whether the first line is a JSON value of its own and another line follows.
fn first_line_is_json(sample: &str) -> bool {
    let mut lines = sample.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or("");
    lines.next().is_some() && serde_json::from_str::<serde::de::IgnoredAny>(first).is_ok()
}

fn is_markdown(sample: &str) -> Option<Format> {
    let begins = sample.lines().zip(sample.lines().skip(1)).any(|(names, dashes)| begins_table(names, dashes));
    begins.then_some(Format::Markdown)
}
