//! Reading tables. The content is a file; the input is its format, then settings (`table=1`, `select=table.wide`,
//! `without=title-rows`, `orientation=rows`, `header=none`, `cells=100`, `bytes`: the content has `\xNN` for bytes). The output is the header, the rows
//! (`|` between cells, `⏎` for a line break) and the notes.

use tabwise::table::{Choice, Format, ReadSettings, Table, read};

pub fn run(content: &str, input: &str) -> String {
    let (name, settings, bytes) = settings(content, input);
    match read(&bytes, name, &settings) {
        Ok(table) => show(&table),
        Err(error) => format!("error: {error}"),
    }
}

fn settings<'a>(content: &str, input: &'a str) -> (Option<&'a str>, ReadSettings, Vec<u8>) {
    let mut settings = ReadSettings::default();
    let mut bytes = content.as_bytes().to_vec();
    let mut name = None;
    for word in input.split_whitespace() {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let number = || value.parse::<usize>().expect("a limit is a number");
        match key {
            "found" => {}
            "bytes" => bytes = unescape(content),
            "name" => name = Some(value),
            "table" => settings.table = Some(Choice::from(value.replace('_', " ").as_str())),
            "sheet" => settings.sheet = Some(Choice::from(value)),
            "header" => settings.header = value.parse().expect("a header has a name"),
            "select" => settings.select = Some(value.to_owned()),
            "encoding" => settings.encoding = Some(value.to_owned()),
            "delimiter" => settings.delimiter = value.bytes().next(),
            "without" => settings.repairs = settings.repairs.without(value.parse().expect("a repair has a name")),
            "orientation" => settings.orientation = value.parse().expect("an orientation has a name"),
            "cells" => settings.limits.cells = number(),
            "columns" => settings.limits.columns = number(),
            "depth" => settings.limits.depth = number(),
            format => settings.format = Some(format.parse::<Format>().expect("a format or a setting")),
        }
    }
    (name, settings, bytes)
}

fn unescape(content: &str) -> Vec<u8> {
    let mut parts = content.split("\\x");
    let mut bytes = parts.next().unwrap_or("").as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).expect("two hexadecimal digits"));
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    bytes
}

fn show(table: &Table) -> String {
    let line = |cells: Vec<&str>| cells.join(" | ").replace('\n', "⏎");
    let header = line(table.header().iter().map(String::as_str).collect());
    let rows = (0..table.row_count()).map(|row| line(table.row(row).collect()));
    let notes = table.notes().iter().map(|note| format!("note: {note}"));
    std::iter::once(header).chain(rows).chain(notes).collect::<Vec<_>>().join("\n")
}
