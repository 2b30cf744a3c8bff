//! The estimate of the meter against the allocator: whatever is read and asked, and however large the budget, the memory
//! that is in use at one time stays below [`FACTOR`] times the budget. `PRINT=1` prints the table of all kinds of input.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write as _;
use std::io::{Cursor, Write};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tabwise::table::{Limits, ReadSettings, read};
use tabwise::{Asker, Wanted};

/// Memory in use, as a multiple of the budget, that no input exceeds.
const FACTOR: f64 = 2.0;

/// Counts the bytes in use and the most of them.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    MOST.fetch_max(NOW.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

// SAFETY: every call is passed on to the allocator of the system as it is; only numbers are kept.
#[expect(unsafe_code, reason = "an allocator is unsafe by its interface")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Large blocks are moved without a copy, but a small one may be there twice for a moment.
        add(size);
        let moved = unsafe { System.realloc(pointer, layout, size) };
        NOW.fetch_sub(layout.size(), Relaxed);
        moved
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static ASKER: LazyLock<Asker> = LazyLock::new(Asker::embedded);

/// Reads an input and asks about it within a budget. Returns the most memory that was in use, and what came of it.
fn measure(name: &str, bytes: &[u8], memory: u64) -> (usize, String) {
    let asker = &*ASKER;
    // The input counts: it is in memory while it is read.
    let before = NOW.load(Relaxed) - bytes.len();
    MOST.store(NOW.load(Relaxed), Relaxed);
    let settings = ReadSettings { limits: Limits { memory, ..Limits::default() }, ..ReadSettings::default() };
    let came = match read(bytes, Some(name), &settings) {
        Err(error) => format!("reading: {error}"),
        Ok(table) => match asker.prepare_within(&table, settings.limits.budget()) {
            Err(error) => format!("preparing: {error}"),
            Ok(prepared) => match asker.try_ask(&prepared, "which name has the highest value?", &Wanted::default()) {
                Err(error) => format!("answering: {error}"),
                Ok(_) => "answered".to_owned(),
            },
        },
    };
    (MOST.load(Relaxed) - before, came)
}

/// More than twenty kinds of input, each with a part that is repeated.
fn inputs() -> Vec<(&'static str, Vec<u8>)> {
    let lines = |head: &str, count: usize, line: &dyn Fn(usize) -> String| {
        let mut text = head.to_owned();
        (0..count).for_each(|at| writeln!(text, "{}", line(at)).expect("a string can be written to"));
        text.into_bytes()
    };
    let times = |head: &str, part: &str, count: usize| format!("{head}{}", part.repeat(count)).into_bytes();
    let numbered = |count: usize, part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<String>();
    let piece = format!("<r><t>{}</t></r>", "x".repeat(4_000));
    vec![
        ("few.csv", lines("name,value\n", 40_000, &|at| format!("n{},{}", at % 7, at % 5))),
        ("narrow.csv", times("name\n", "0\n", 300_000)),
        ("parts.csv", times("name,value\n", "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z,1\n", 10_000)),
        ("distinct.csv", lines("name,value\n", 20_000, &|at| format!("Name {at} of many,{at}"))),
        ("dates.csv", lines("name,value\n", 20_000, &|at| format!("{}-0{}-11,{at}", 1000 + at / 9, 1 + at % 9))),
        (
            "latin.csv",
            [lines("name,value\n", 20_000, &|at| format!("n{at},{at}")), b"\xe9\xe9,1\n".repeat(50_000)].concat(),
        ),
        ("empty.csv", times("name,value", ",", 4_000).into_iter().chain(b"\na".repeat(400)).collect()),
        (
            "lists.csv",
            lines("name,value\n", 400, &|at| format!("\"{}\",{at}", numbered(200, &|part| format!("a{at}b{part}\n")))),
        ),
        ("slashes.csv", times("name,value\n", "a/", 300_000)),
        ("long.csv", lines("name,value\n", 40, &|at| format!("{}{at},{at}", "word ".repeat(10_000)))),
        (
            "wide.csv",
            lines(&numbered(1_000, &|at| format!("name {at},")), 60, &|row| {
                numbered(1_000, &|at| format!("{},", row * at))
            }),
        ),
        ("header.csv", times("", "name of a column ", 50_000)),
        ("flat.json", format!("[{}{{\"name\":1}}]", "{\"name\":\"a\",\"value\":2},".repeat(30_000)).into_bytes()),
        ("keys.json", format!("[{}{{\"name\":1}}]", numbered(2_000, &|at| format!("{{\"k{at}\":1}},"))).into_bytes()),
        ("arrays.json", format!("[[{}1]{}]", "1,".repeat(3_000), ",[1]".repeat(3_000)).into_bytes()),
        ("rows.md", times("|name|value|\n|-|-|\n", "|a b|1|\n", 30_000)),
        ("cells.html", times("<table><tr><th>name<th>value", "<tr><td>a<td>1", 20_000)),
        (
            "attributes.html",
            times("<table><tr><th>name<th>value<tr><td>a<td>1</table>", "<br a b c d e f g h>", 20_000),
        ),
        ("tables.html", times("<h1>A heading</h1>", "<table><tr><td>a<td>1<tr><td>b<td>2</table>", 10_000)),
        ("spans.html", times("<table>", "<tr><td rowspan=60000 colspan=3>text of a cell<td>1", 400)),
        (
            "rows.xlsx",
            workbook(
                "",
                "",
                &numbered(10_000, &|at| format!("<row><c><v>{at}</v></c><c t=\"str\"><v>name {at}</v></c></row>")),
            ),
        ),
        ("texts.xlsx", workbook("", &"<si/>".repeat(300_000), "<row><c><v>1</v></c></row>")),
        ("sheets.xlsx", workbook(&"<sheet name=\"a\" r:id=\"a\"/>".repeat(1_000_000), "", "")),
        ("nested.xlsx", workbook("", "", &"<a>".repeat(15_000_000))),
        ("pieces.xlsx", workbook("", "", &format!("<row><c t=\"inlineStr\"><is>{}", piece.repeat(10_000)))),
        (
            "areas.xlsx",
            workbook(
                "",
                "",
                &format!("</sheetData><mergeCells>{}</mergeCells>", "<mergeCell ref=\"A1\"/>".repeat(2_000_000)),
            ),
        ),
        ("nested.ods", spreadsheet(&"<a>".repeat(15_000_000))),
        (
            "spaces.ods",
            spreadsheet(&format!(
                "<table:table-row><table:table-cell><text:p>a{}</text:p></table:table-cell></table:table-row>",
                "<text:s text:c=\"100\"/>".repeat(2_000_000)
            )),
        ),
        (
            "hidden.ods",
            spreadsheet(&numbered(500_000, &|at| {
                format!("<style:style style:name=\"{at}\"/><style:table-properties table:display=\"false\"/>")
            })),
        ),
        (
            "rows.ods",
            spreadsheet(
                "<table:table-row table:number-rows-repeated=\"300000\"><table:table-cell><text:p>name</text:p></table:table-cell></table:table-row>",
            ),
        ),
        ("rows.csv.gz", gzip(&lines("name,value\n", 100_000, &|at| format!("n{},{}", at % 7, at % 5)))),
        ("bomb.csv.gz", gzip(&times("name,value\n", "\n", 60_000_000))),
        #[cfg(feature = "sqlite")]
        ("rows.sqlite", database(20_000)),
        (
            "cells.ods",
            spreadsheet(&numbered(10_000, &|at| {
                format!(
                    "<table:table-row><table:table-cell><text:p>n{at}</text:p></table:table-cell><table:table-cell office:value-type=\"float\" office:value=\"{at}\"/></table:table-row>"
                )
            })),
        ),
    ]
}

fn zip(parts: &[(&str, String)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(*name, packing(name)).expect("a part can be started");
        archive.write_all(text.as_bytes()).expect("a part can be written");
    }
    archive.finish().expect("an archive can be written").into_inner()
}

/// A spreadsheet is known by its type, which is not packed.
fn packing(name: &str) -> zip::write::SimpleFileOptions {
    let packed = zip::write::SimpleFileOptions::default();
    if name == "mimetype" { packed.compression_method(zip::CompressionMethod::Stored) } else { packed }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).and_then(|()| packer.finish()).expect("memory can be written to")
}

#[cfg(feature = "sqlite")]
fn database(rows: usize) -> Vec<u8> {
    let mut database = rusqlite::Connection::open_in_memory().expect("SQLite is compiled in");
    let rows = format!("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < {rows})");
    let script = format!("CREATE TABLE t (name TEXT, value); INSERT INTO t {rows} SELECT 'Name ' || x, x FROM n;");
    database.execute_batch(&script).expect("the script is right");
    database.serialize(rusqlite::MAIN_DB).expect("there is memory").to_vec()
}

/// A workbook with further sheets, with shared texts and rows. Its list of sheets may have any name.
fn workbook(sheets: &str, texts: &str, rows: &str) -> Vec<u8> {
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    zip(&[
        ("[Content_Types].xml", "<Types/>".to_owned()),
        (
            "_rels/.rels",
            format!(
                "<Relationships><Relationship Id=\"r\" Type=\"{OFFICE}/officeDocument\" Target=\"xl/book.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/book.xml",
            format!("<workbook><sheets><sheet name=\"S\" sheetId=\"1\" r:id=\"a\"/>{sheets}</sheets></workbook>"),
        ),
        (
            "xl/_rels/book.xml.rels",
            format!(
                "<Relationships><Relationship Id=\"a\" Type=\"{OFFICE}/worksheet\" Target=\"s.xml\"/></Relationships>"
            ),
        ),
        ("xl/sharedStrings.xml", format!("<sst>{texts}</sst>")),
        (
            "xl/s.xml",
            format!(
                "<worksheet><sheetData><row><c t=\"str\"><v>name</v></c><c t=\"str\"><v>value</v></c></row>{rows}</sheetData></worksheet>"
            ),
        ),
    ])
}

fn spreadsheet(rows: &str) -> Vec<u8> {
    zip(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet".to_owned()),
        (
            "content.xml",
            format!(
                "<office:document-content><table:table table:name=\"S\">{rows}</table:table></office:document-content>"
            ),
        ),
    ])
}

/// One test, because the allocator counts for all threads.
#[test]
fn memory_stays_below_twice_the_budget() {
    let _ = measure("warm.csv", b"name,value\na,1\n", 1 << 30);
    let print = std::env::var_os("PRINT").is_some();
    let mut wrong = Vec::new();
    for (name, bytes) in inputs() {
        for memory in [4 << 20, 16 << 20, 64 << 20, 1 << 30] {
            let (most, came) = measure(name, &bytes, memory);
            let factor = most as f64 / memory as f64;
            if print {
                println!(
                    "{name:16} {:>9} {:>5} MiB {:>7.1} MiB {factor:>5.2}  {came}",
                    bytes.len(),
                    memory >> 20,
                    most as f64 / 1048576.0
                );
            }
            if factor > FACTOR {
                wrong.push(format!("{name}: {factor:.2} times {memory} bytes, {came}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
