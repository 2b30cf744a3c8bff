//! The targets of fuzzing, as functions of bytes: `fuzz_targets/` has them for coverage-guided fuzzing, and
//! `crates/tabwise/tests/fuzz.rs` runs the same with random bytes, bounded, on every compiler. A target fails by a panic, by
//! an abort, or by taking too long.
#![allow(dead_code, reason = "each target is a program of its own")]

use std::io::{Cursor, Write};
use std::sync::LazyLock;
use tabwise::execute::Executor;
use tabwise::formula::{Formulas, notation};
use tabwise::graph::Graph;
use tabwise::table::{Format, Limits, ReadSettings, Table, list, read};
use tabwise::words::Words;
use tabwise::{Asker, Model, PreparedTable, Wanted};

/// Limits low enough for many inputs a second.
fn limits() -> Limits {
    Limits { memory: 32 << 20, steps: 20_000_000, cells: 50_000, nodes: 20_000, ..Limits::default() }
}

/// Lets panics of libraries be caught by the readers, which make errors of them. The hook of the fuzzer would end the process
/// first; one that nobody catches still ends it.
pub fn mind_only_what_escapes() {
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
}

/// Reads a file as what it looks like. A first byte that no file begins with chooses the format and the settings.
pub fn readers(data: &[u8]) {
    let mut settings = ReadSettings { limits: limits(), ..ReadSettings::default() };
    let Some((&how @ 0x80..0xa0, bytes)) = data.split_first() else { return check(data, &settings) };
    settings.format = Format::ALL.get(usize::from(how & 0x0f)).copied();
    settings.select = (how & 0x10 != 0).then(|| "div:nth-child(2n+1) table, table ~ table".to_owned());
    check(bytes, &settings);
}

/// A table that was read is rectangular and within its limits, and can be asked about.
fn check(bytes: &[u8], settings: &ReadSettings) {
    let _ = list(bytes, None, settings);
    let Ok(table) = read(bytes, None, settings) else { return };
    assert!(table.row_count() * table.column_count() <= settings.limits.cells);
    assert!((0..table.row_count()).all(|row| table.row(row).count() == table.column_count()));
    if table.row_count() * table.column_count() < 200 {
        let asker = &*ASKER;
        if let Ok(prepared) = asker.prepare_within(&table, settings.limits.budget()) {
            let _ = asker.try_ask(&prepared, "which has the highest value?", &Wanted::default());
        }
    }
}

static ASKER: LazyLock<Asker> = LazyLock::new(Asker::embedded);

/// Reads workbooks whose parts are changed: extreme numbers, parts that are repeated or gone, sizes that lie.
pub fn workbooks(data: &[u8]) {
    let Some((&kind, edits)) = data.split_first() else { return };
    let parts: &[(&str, &str)] = if kind & 1 == 0 { XLSX } else { ODS };
    let changed = usize::from(kind >> 1) % parts.len();
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (at, (name, text)) in parts.iter().enumerate() {
        let text = if at == changed { edited(text, edits) } else { (*text).to_owned() };
        // A spreadsheet is known by its type, which is not packed.
        let packed = zip::write::SimpleFileOptions::default();
        let stored = packed.compression_method(zip::CompressionMethod::Stored);
        archive.start_file(*name, if *name == "mimetype" { stored } else { packed }).expect("a part can be started");
        archive.write_all(text.as_bytes()).expect("a part can be written");
    }
    let bytes = archive.finish().expect("an archive can be written").into_inner();
    check(&bytes, &ReadSettings { limits: limits(), ..ReadSettings::default() });
}

/// Reads pages whose tags and numbers are changed and repeated.
pub fn pages(data: &[u8]) {
    let settings = ReadSettings { format: Some(Format::Html), limits: limits(), ..ReadSettings::default() };
    check(edited(PAGE, data).as_bytes(), &settings);
}

/// Reads formulas, shows them and executes them.
pub fn formulas(data: &[u8]) {
    static GRAPH: LazyLock<Graph> = LazyLock::new(|| Graph::new(&small_table(), &Words::embedded()));
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut formulas = Formulas::new();
    let Ok(id) = notation::read(text, &GRAPH, &mut formulas) else { return };
    let shown = notation::show(&formulas, &GRAPH, id);
    assert_eq!(notation::read(&shown, &GRAPH, &mut formulas).expect("what was shown is read"), id, "{shown}");
    let _ = Executor::new(&GRAPH, formulas).denote(id);
}

/// Asks any text.
pub fn questions(data: &[u8]) {
    static TABLE: LazyLock<PreparedTable> = LazyLock::new(|| ASKER.prepare(&small_table()));
    let text = String::from_utf8_lossy(data);
    let answer = ASKER.ask(&TABLE, &text, &Wanted::default());
    assert!((0.0..=1.0).contains(&answer.confidence));
}

/// Reads model files.
pub fn models(data: &[u8]) {
    if let Ok(model) = Model::read(data) {
        assert_eq!(Model::read(&model.write()).expect("what was written is read"), model);
    }
}

fn small_table() -> Table {
    let text = "City,Country,Year,Score\nAthens,Greece,1896,3-1\nParis,France,1900,\"a, b\"\nParis,France,1924,0-0\n";
    Table::from_csv(text).expect("it is a table")
}

/// Numbers that readers may believe.
const EXTREMES: &[&str] = &[
    "0",
    "-1",
    "1",
    "65535",
    "65536",
    "1048576",
    "16777216",
    "2147483647",
    "4294967295",
    "4294967296",
    "99999999999",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e999",
    "-1e999",
    "NaN",
    "",
];

/// Pieces that mean something to one of the formats.
const PIECES: &[&str] = &[
    "<table>",
    "</table>",
    "<tr>",
    "<td rowspan=65534 colspan=1000>",
    "<div>",
    "</body><!---->",
    "<p>",
    "<b>",
    "<svg>",
    "<template>",
    "<h1>",
    "<caption>",
    "<a b c d e f g ",
    "<si/>",
    "<row/>",
    "<c r=\"XFD1048576\"><v>1</v></c>",
    "<c r=\"A4294967295\"><v>1</v></c>",
    "<mergeCell ref=\"A1:XFD1048576\"/>",
    "<sheet name=\"x\" sheetId=\"1\" r:id=\"a\"/>",
    "<table:table table:name=\"x\"/>",
    "<table:table-row table:number-rows-repeated=\"1048576\">",
    "</table:table-row>",
    "<table:table-cell table:number-columns-repeated=\"16384\"><text:p>x</text:p></table:table-cell>",
    "&#0;",
    "\"",
    "<!--",
];

/// Changes a text by edits of three bytes each: what to do, where, and with what.
fn edited(seed: &str, edits: &[u8]) -> String {
    const LONGEST: usize = 1 << 16;
    let mut text = seed.to_owned();
    for edit in edits.chunks_exact(3).take(64) {
        let (what, place, with) = (edit[0], usize::from(edit[1]), usize::from(edit[2]));
        let at = text.floor_char_boundary(place * text.len() / 256);
        match what % 4 {
            0 => replace_number(&mut text, at, EXTREMES[with % EXTREMES.len()]),
            1 => text.insert_str(at, PIECES[with % PIECES.len()]),
            2 => {
                // The element that begins here, again and again.
                let start = text[at..].find('<').map_or(at, |next| at + next);
                let end = text[start..].char_indices().filter(|(_, c)| *c == '>').nth(with % 4);
                let piece = text[start..end.map_or(text.len(), |(end, _)| start + end + 1)].to_owned();
                let times = (1usize << (with % 10)).min(LONGEST.saturating_sub(text.len()) / piece.len().max(1));
                text.insert_str(start, &piece.repeat(times));
            }
            _ => {
                let end = text.floor_char_boundary((at + with).min(text.len()));
                text.replace_range(at..end, "");
            }
        }
        text.truncate(text.floor_char_boundary(LONGEST));
    }
    text
}

/// Puts a number in the place of the next one.
fn replace_number(text: &mut String, at: usize, number: &str) {
    let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|next| at + next) else { return };
    let end = text[start..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |length| start + length);
    text.replace_range(start..end, number);
}

const XLSX: &[(&str, &str)] = &[
    ("[Content_Types].xml", "<Types/>"),
    (
        "_rels/.rels",
        "<Relationships><Relationship Id=\"r\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
    ),
    (
        "xl/workbook.xml",
        "<workbook><workbookPr date1904=\"0\"/><sheets><sheet name=\"Games\" sheetId=\"1\" state=\"visible\" r:id=\"a\"/><sheet name=\"More\" sheetId=\"2\" r:id=\"b\"/></sheets></workbook>",
    ),
    (
        "xl/_rels/workbook.xml.rels",
        "<Relationships><Relationship Id=\"a\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/a.xml\"/><Relationship Id=\"b\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/b.xml\"/></Relationships>",
    ),
    (
        "xl/styles.xml",
        "<styleSheet><numFmts count=\"1\"><numFmt numFmtId=\"164\" formatCode=\"0.0%\"/></numFmts><cellXfs count=\"3\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"164\"/></cellXfs></styleSheet>",
    ),
    (
        "xl/sharedStrings.xml",
        "<sst count=\"4\" uniqueCount=\"3\"><si><t>City</t></si><si><r><t>At</t></r><r><t>hens</t></r></si><si/></sst>",
    ),
    (
        "xl/worksheets/a.xml",
        "<worksheet><dimension ref=\"A1:C3\"/><sheetData><row r=\"1\" spans=\"1:3\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"inlineStr\"><is><t>Year</t></is></c><c r=\"C1\" t=\"str\"><v>Share</v></c></row><row r=\"2\"><c r=\"A2\" t=\"s\"><v>1</v></c><c r=\"B2\" s=\"1\"><v>35000</v></c><c r=\"C2\" s=\"2\"><v>0.0525</v></c></row><row r=\"3\" hidden=\"1\"><c r=\"A3\" t=\"b\"><v>1</v></c><c r=\"B3\"><f>SUM(B1:B2)</f></c><c r=\"C3\" t=\"e\"><v>#N/A</v></c></row></sheetData><mergeCells count=\"1\"><mergeCell ref=\"A2:A3\"/></mergeCells></worksheet>",
    ),
    ("xl/worksheets/b.xml", "<worksheet><sheetData/></worksheet>"),
];

const ODS: &[(&str, &str)] = &[
    ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
    (
        "content.xml",
        "<office:document-content><office:automatic-styles><style:style style:name=\"ta1\" style:family=\"table\"><style:table-properties table:display=\"true\"/></style:style></office:automatic-styles><office:body><office:spreadsheet><table:table table:name=\"Games\" table:style-name=\"ta1\"><table:table-column table:number-columns-repeated=\"3\"/><table:table-row><table:table-cell office:value-type=\"string\"><text:p>City</text:p></table:table-cell><table:table-cell><text:p>Year<text:s text:c=\"3\"/>of</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated=\"2\"><table:table-cell table:number-columns-spanned=\"1\" table:number-rows-spanned=\"2\"><text:p>Athens</text:p></table:table-cell><table:table-cell office:value-type=\"percentage\" office:value=\"0.0525\" table:number-columns-repeated=\"2\"><text:p>5%</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated=\"1048574\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>",
    ),
];

const PAGE: &str = "<!doctype html><html><body><h1>Games</h1><table class=wide><caption>All</caption><thead><tr><th rowspan=2>Year<th colspan=2>Medals<tr><th>Gold<th>Silver</thead><tr><td rowspan=\"2\">1896<td>1<span style='display:none'>0</span><td>2<sup class=reference>[1]</sup><tr><td>3<td>4<tr><td colspan=3>the end</table><div><h2>Others</h2><table><tr><td>a<td>1<tr><td>b<td><table><tr><td>2</table></table></div></body></html>";
