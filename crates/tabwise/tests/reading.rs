//! Readers survive whatever they are given: random bytes, and small files of every format in which pieces are changed,
//! cut out, doubled or put in. What they give is a rectangular table within the limits. `make torture` runs the same
//! with a million files; with TORTURE_FILES=DIR the small files of that folder are changed as well.

use proptest::prelude::*;
use std::io::{Cursor, Write};
use std::path::Path;
use std::sync::OnceLock;
use tabwise::table::{Choice, Format, Limits, ReadSettings, Table, list, read};

const SEEDS: &[(&str, &str)] = &[
    ("a.csv", "City,Year,\"Host, then\"\nAthens,1896,\"the \"\"first\"\"\"\nParis,1900,\n\"St.\nLouis\",1904,x,y\n"),
    ("b.csv", "\"a\",\"b\"\n\"one \\\"two\\\"\",\"back\\\\slash\"\n"),
    ("c.csv", "Land;Fläche;Anteil\nA;1,5;2\nB;\"3;4\";5\n"),
    ("d.tsv", "Year\tSong\\nand singer\n1969\tone\\ptwo\n1971\t\"x\"\n"),
    ("e.json", "[{\"a\": 1, \"b\": [\"x\", \"y\"]}, {\"b\": null, \"c\": {\"d\": \"\\u00e9\"}}]"),
    ("f.json", "{\"header\": [\"a\", \"b\"], \"rows\": [[1, 2], [3, 4, 5]], \"notes\": []}"),
    ("g.jsonl", "{\"a\": 1}\n{\"a\": 2, \"b\": \"x\"}\n"),
    ("h.md", "# Games\n\n| City | Year |\n|---|:-:|\n| **Athens** | 1896 |\n| [Paris](x) \\| y | 1900<br>1924 |\n"),
    (
        "i.html",
        "<h2>Games</h2><table class=wide><caption>All</caption><tr><th rowspan=2>Year<th colspan=2>Medals<tr><th>Gold<th>Silver\
         <tr><td rowspan=\"2\">1896<td>1<span style='display:none'>0</span><td>2<sup class=reference>[1]</sup><tr><td>3<td>4\
         <tr><td colspan=3>the end<tr><td>5<td><table><tr><td>in</table><td>6</table><p>after</p>",
    ),
];

/// The files that are changed: those above and, if a folder is given, the small ones in it.
fn seeds() -> &'static [(String, Vec<u8>)] {
    static FILES: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    FILES.get_or_init(|| {
        let mut files: Vec<_> = SEEDS.iter().map(|(name, text)| (name.to_string(), text.as_bytes().to_vec())).collect();
        if let Some(folder) = std::env::var_os("TORTURE_FILES") {
            add_files(Path::new(&folder), &mut files);
        }
        files
    })
}

fn add_files(folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).expect("TORTURE_FILES is a folder") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            add_files(&path, files);
        } else if path.metadata().is_ok_and(|about| about.len() < 8_000) {
            files.push((path.display().to_string(), std::fs::read(&path).expect("a file can be read")));
        }
    }
}

/// What is put into files: the marks that mean something to one of the formats.
const MARKS: &[&str] = &[
    "\"",
    "\\",
    ",",
    ";",
    "\t",
    "|",
    "\n",
    "\r",
    "\r\n",
    "\0",
    "\u{feff}",
    "é",
    "\u{a0}",
    "[",
    "]",
    "{",
    "}",
    ":",
    "null",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<th>",
    "</tr>",
    "<td colspan=99999>",
    "<td rowspan=99999>",
    "<!--",
    "-->",
    "<p>",
    "<b>",
    "</b>",
    "<select>",
    "<template>",
    "<svg>",
    "<math>",
    "<script>",
    "&nbsp;",
    "&#0;",
    "&amp;",
    "---",
    "1e999",
    "-1",
    "18446744073709551616",
    "<table:table-row table:number-rows-repeated=\"1048576\">",
    "table:number-columns-repeated=\"16384\" ",
    "<c r=\"XFD1048576\"><v>1</v></c>",
    "<c r=\"A0\"><v>1</v></c>",
    "t=\"s\" ",
    "s=\"1\" ",
    "<mergeCell ref=\"A1:XFD1048576\"/>",
    "<row r=\"9999999999\">",
    "<text:s text:c=\"999999999\"/>",
    "<office:annotation>",
];

/// Limits low enough for many files a second.
fn settings(format: Option<Format>) -> ReadSettings {
    let limits = Limits { cells: 10_000, columns: 500, depth: 100, nodes: 10_000, bytes: 1 << 20, ..Limits::default() };
    ReadSettings {
        format,
        limits: Limits { unpacked_bytes: 1 << 20, page_bytes: 1 << 20, ..limits },
        ..Default::default()
    }
}

/// One change of a file. Places are shares of its length.
#[derive(Clone, Debug)]
enum Change {
    Put(f64, usize),
    Cut(f64, f64),
    Double(f64, f64),
    Set(f64, u8),
}

fn change() -> impl Strategy<Value = Change> {
    let place = 0.0..1.0;
    prop_oneof![
        4 => (place.clone(), 0..MARKS.len()).prop_map(|(at, mark)| Change::Put(at, mark)),
        2 => (place.clone(), 0.0..0.2).prop_map(|(at, length)| Change::Cut(at, length)),
        2 => (place.clone(), 0.0..0.5).prop_map(|(at, length)| Change::Double(at, length)),
        1 => (place, any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
    ]
}

fn apply(changes: &[Change], bytes: &mut Vec<u8>) {
    for change in changes {
        let length = bytes.len() as f64;
        let range = |at: f64, share: f64| (at * length) as usize..((at + share).min(1.0) * length) as usize;
        match *change {
            Change::Put(at, mark) => drop(bytes.splice(range(at, 0.0), MARKS[mark].bytes())),
            Change::Cut(at, share) => drop(bytes.drain(range(at, share))),
            Change::Double(at, share) => {
                let piece = bytes[range(at, share)].to_vec();
                drop(bytes.splice(range(at, 0.0), piece));
            }
            Change::Set(at, byte) => {
                if let Some(old) = bytes.get_mut((at * length) as usize) {
                    *old = byte;
                }
            }
        }
    }
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec(change(), 0..12)
}

/// Reads and lists, and checks what came out.
fn survive(bytes: &[u8], name: Option<&str>, settings: &ReadSettings) -> Result<(), TestCaseError> {
    if let Ok(tables) = list(bytes, name, settings) {
        prop_assert!(tables.iter().enumerate().all(|(number, table)| table.number == number));
    }
    match read(bytes, name, settings) {
        Ok(table) => {
            prop_assert!(table.column_count() > 0 && table.column_count() <= settings.limits.columns);
            prop_assert!(table.row_count() * table.column_count() <= settings.limits.cells);
            let cells = (0..table.row_count()).map(|row| table.row(row).count());
            prop_assert!(cells.into_iter().all(|width| width == table.column_count()));
        }
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

proptest! {
    #[test]
    fn readers_survive_random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400), format in 0..=Format::ALL.len()) {
        survive(&bytes, None, &settings(Format::ALL.get(format).copied()))?;
    }

    #[test]
    fn readers_survive_random_marks(marks in prop::collection::vec(0..MARKS.len(), 0..60), format in 0..=Format::ALL.len()) {
        let text: String = marks.iter().map(|&mark| MARKS[mark]).collect();
        survive(text.as_bytes(), None, &settings(Format::ALL.get(format).copied()))?;
    }

    #[test]
    fn readers_survive_changed_files(seed in 0..seeds().len(), changes in changes()) {
        let (name, mut bytes) = seeds()[seed].clone();
        apply(&changes, &mut bytes);
        survive(&bytes, Some(&name), &settings(None))?;
    }

    #[test]
    fn readers_survive_changed_workbooks(
        seed in 0..WORKBOOKS.len(), part in any::<prop::sample::Index>(), inside in changes(), outside in changes()
    ) {
        let parts = WORKBOOKS[seed];
        let changed = part.index(parts.len());
        let mut bytes = workbook(parts, changed, &inside);
        if outside.len() > 8 {
            apply(&outside[8..], &mut bytes);
        }
        survive(&bytes, None, &settings(None))?;
    }

    /// Any text can be a cell. Backslashes are left out because their meaning is a guess.
    #[test]
    fn a_written_csv_reads_back(rows in prop::collection::vec(prop::collection::vec("[^\\\\\r\0]{0,6}", 3), 1..8)) {
        let quoted = |row: &Vec<String>| row.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect::<Vec<_>>();
        let text: String = rows.iter().map(|row| quoted(row).join(",") + "\n").collect();
        let table = Table::from_csv(&text).expect("a written CSV reads");
        prop_assert_eq!(table.header(), &rows[0][..]);
        let read: Vec<Vec<&str>> = (0..table.row_count()).map(|row| table.row(row).collect()).collect();
        prop_assert_eq!(read, &rows[1..]);
    }
}

/// Parts of workbooks: their names and texts.
const WORKBOOKS: &[&[(&str, &str)]] = &[
    &[
        (
            "_rels/.rels",
            "<Relationships><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
        ),
        (
            "xl/workbook.xml",
            "<workbook xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets><sheet name=\"One\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>",
        ),
        (
            "xl/sharedStrings.xml",
            "<sst count=\"2\"><si><t>City</t></si><si><r><t>Ye</t></r><r><t>ar</t></r></si></sst>",
        ),
        (
            "xl/styles.xml",
            "<styleSheet><numFmts><numFmt numFmtId=\"165\" formatCode=\"yyyy-mm-dd\"/></numFmts><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"165\"/></cellXfs></styleSheet>",
        ),
        (
            "xl/worksheets/sheet1.xml",
            "<worksheet><dimension ref=\"A1:B4\"/><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"s\"><v>1</v></c></row><row r=\"3\"><c r=\"A3\" t=\"inlineStr\"><is><t>Athens</t></is></c><c r=\"B3\"><v>1896</v></c></row><row r=\"4\"><c r=\"A4\" t=\"str\"><f>A3</f><v>x</v></c><c r=\"B4\" s=\"1\"><v>43831.5</v></c></row></sheetData><mergeCells><mergeCell ref=\"A3:A4\"/></mergeCells></worksheet>",
        ),
    ],
    &[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        (
            "content.xml",
            "<office:document-content><office:spreadsheet><table:table table:name=\"One\"><table:table-row><table:table-cell office:value-type=\"string\"><text:p>City</text:p></table:table-cell><table:table-cell office:value-type=\"string\"><text:p>Year</text:p></table:table-cell><table:table-cell table:number-columns-repeated=\"16382\"/></table:table-row><table:table-row table:number-rows-repeated=\"2\"><table:table-cell table:number-rows-spanned=\"2\"><text:p>A &amp; B<text:s text:c=\"2\"/></text:p></table:table-cell><table:table-cell office:value-type=\"float\" office:value=\"1896\"><office:annotation><text:p>no</text:p></office:annotation><text:p>1.896</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:document-content>",
        ),
    ],
];

/// A workbook in which one part is changed.
fn workbook(parts: &[(&str, &str)], changed: usize, changes: &[Change]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (index, (name, text)) in parts.iter().enumerate() {
        let mut bytes = text.as_bytes().to_vec();
        if index == changed {
            apply(changes, &mut bytes);
        }
        archive.start_file(*name, options).expect("a part can be begun");
        archive.write_all(&bytes).expect("a part can be written");
    }
    archive.finish().expect("an archive can be finished").into_inner()
}

#[test]
fn workbooks_read() {
    for parts in WORKBOOKS {
        let table = read(&workbook(parts, 0, &[]), None, &ReadSettings::default()).expect("a workbook reads");
        assert_eq!(table.header(), ["City", "Year"]);
        assert_eq!(table.cell(0, 1), "1896");
        assert_eq!(table.row_count(), 2);
    }
}

#[test]
fn a_macro_sheet_is_passed_over() {
    let mut parts = WORKBOOKS[0].to_vec();
    parts[1].1 = "<workbook><sheets><sheet name=\"Macro\" sheetId=\"2\" r:id=\"m\"/><sheet name=\"One\" sheetId=\"1\" r:id=\"s\"/></sheets></workbook>";
    parts[2].1 = "<Relationships><Relationship Id=\"m\" Type=\"http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet\" Target=\"macrosheets/a.xml\"/><Relationship Id=\"s\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>";
    let table = read(&workbook(&parts, 0, &[]), Some("a.xlsm"), &ReadSettings::default()).expect("a workbook reads");
    assert_eq!(table.header(), ["City", "Year"]);
}

#[test]
fn dates_of_a_workbook_are_written_by_year() {
    let table =
        read(&workbook(WORKBOOKS[0], 0, &[]), Some("a.xlsx"), &ReadSettings::default()).expect("a workbook reads");
    assert_eq!(table.row(1).collect::<Vec<_>>(), ["x", "2020-01-01 12:00:00"]);
    assert!(table.notes().iter().any(|note| note.contains("1 row without text")));
}

#[test]
fn formulas_without_a_result_are_noted() {
    let sheet =
        WORKBOOKS[0][5].1.replace("<v>1896</v>", "<f>1895+1</f><v></v>").replace("s=\"1\"><v>43831.5</v>", "s=\"1\">");
    let mut parts = WORKBOOKS[0].to_vec();
    parts[5].1 = &sheet;
    let table = read(&workbook(&parts, 0, &[]), None, &ReadSettings::default()).expect("a workbook reads");
    assert_eq!(table.cell(0, 1), "");
    let note = "1 formula of the workbook without a stored value left empty";
    assert!(table.notes().iter().any(|said| said.starts_with(note)), "{:?}", table.notes());
}

#[test]
fn a_sheet_whose_name_is_a_number_is_found_by_it() {
    let book = WORKBOOKS[0][1].1.replace("name=\"One\"", "name=\"2010\"");
    let mut parts = WORKBOOKS[0].to_vec();
    parts[1].1 = &book;
    let bytes = workbook(&parts, 0, &[]);
    let chosen =
        |sheet: &str| read(&bytes, None, &ReadSettings { sheet: Some(Choice::from(sheet)), ..ReadSettings::default() });
    assert!(chosen("2010").is_ok() && chosen("0").is_ok());
    let missing = chosen("1").expect_err("there is one sheet").to_string();
    assert_eq!(missing, "there is no sheet \"1\"; there are \"2010\"");
}
