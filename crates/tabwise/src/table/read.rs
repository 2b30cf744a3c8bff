//! [`read`]: bytes in, table out. The format is given or detected, and the format's own reader does the rest.

use super::encoding::decode;
use super::orientation::upright;
use super::packed::{plain_name, unpacked};
use super::{
    Allowance, Choice, Format, Header, ReadSettings, Repair, Table, TableError, clean, detect, headless, totals,
};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Reads a table. `name` is the file name, if there is one; its ending is a hint, but the content decides.
///
/// ```
/// use tabwise::table::{ReadSettings, read};
///
/// let table = read(b"City;Year\nParis;1900\nAthens;1896\n", Some("games.csv"), &ReadSettings::default())?;
/// assert_eq!(table.header(), ["City", "Year"]);
/// assert_eq!(table.cell(1, 0), "Athens");
/// # Ok::<(), tabwise::table::TableError>(())
/// ```
pub fn read(bytes: &[u8], name: Option<&str>, settings: &ReadSettings) -> Result<Table, TableError> {
    let (bytes, name) = (&*unpacked(bytes, &settings.limits)?, plain_name(name));
    let input = Input::new(bytes, name, settings)?;
    check_choices(input.format, settings)?;
    let table = (input.format.row().read)(&input, settings)?;
    let title = table.title().to_owned();
    let table = match input.format.has_types() {
        true => table,
        false => mended(table, settings, &input.allowance)?,
    };
    let mut table = table.titled(&title);
    input.note.into_iter().for_each(|note| table.note(note));
    note_header(&mut table);
    Ok(table)
}

/// Mends what only a table without types can have: no header, records that lie on their side, rows of totals.
fn mended(table: Table, settings: &ReadSettings, allowance: &Allowance) -> Result<Table, TableError> {
    let table = match settings.header {
        Header::First => headless::noted(table),
        Header::None => headless::with_numbers(table, allowance)?,
    };
    let table = upright(table, settings.orientation, allowance)?;
    Ok(if settings.repairs.has(Repair::TotalRows) { totals::without_totals(table) } else { table })
}

/// One of the tables that an input holds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Listed {
    /// Number to choose it by, from 0.
    pub number: usize,
    /// CSS classes of a table of a page; empty for other formats.
    pub class: String,
    /// Caption or heading of a table, name of a sheet; may be empty.
    pub title: String,
    /// Number of rows in the source, including the header.
    pub rows: usize,
    /// Number of columns in the source.
    pub columns: usize,
}

/// Lists the tables that an input holds: those of a page or a Markdown text, or the sheets of a workbook. Any other
/// format holds one.
pub fn list(bytes: &[u8], name: Option<&str>, settings: &ReadSettings) -> Result<Vec<Listed>, TableError> {
    match choices(bytes, name, settings)? {
        listed if !listed.is_empty() => Ok(listed),
        _ => read(bytes, name, settings).map(|table| {
            let (rows, columns) = (table.row_count() + 1, table.column_count());
            vec![Listed { number: 0, class: String::new(), title: String::new(), rows, columns }]
        }),
    }
}

/// Lists the tables to choose from: none for a format that always holds one.
pub fn choices(bytes: &[u8], name: Option<&str>, settings: &ReadSettings) -> Result<Vec<Listed>, TableError> {
    let (bytes, name) = (&*unpacked(bytes, &settings.limits)?, plain_name(name));
    let input = Input::new(bytes, name, settings)?;
    input.format.row().list.map_or(Ok(Vec::new()), |list| list(&input, settings))
}

/// An input whose format is known.
pub(super) struct Input<'a> {
    /// Format, given or detected.
    pub format: Format,
    /// Bytes of the input.
    pub bytes: &'a [u8],
    /// Decoded text; empty for a format that is not text.
    pub text: Cow<'a, str>,
    /// Limits, and what reading has used of them.
    pub allowance: Allowance,
    /// Note on the encoding.
    note: Option<String>,
}

impl<'a> Input<'a> {
    fn new(bytes: &'a [u8], name: Option<&str>, settings: &ReadSettings) -> Result<Input<'a>, TableError> {
        let allowance = Allowance::new(&settings.limits);
        allowance.check_bytes(bytes.len())?;
        allowance.take(bytes.len())?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(TableError::Empty);
        }
        let binary = match settings.format {
            Some(format) => Some(format).filter(|format| !format.is_text()),
            None => detect::of_bytes(bytes)?,
        };
        if let Some(format) = binary {
            return Ok(Input { format, bytes, text: Cow::Borrowed(""), allowance, note: None });
        }
        let decoded = decode(bytes, settings, &allowance).map_err(|error| detect::not_text(error, name))?;
        let format = settings.format.map_or_else(|| detect::of_text(&decoded.text, name), Ok)?;
        Ok(Input { format, bytes, text: decoded.text, allowance, note: decoded.note })
    }
}

/// Checks that a choice is for a format that has something to choose from. The first of one table is always there.
fn check_choices(format: Format, settings: &ReadSettings) -> Result<(), TableError> {
    let is_first = |choice: &Choice| choice.among(&[vec![""]]).is_some();
    let chosen = [("sheet", &settings.sheet), ("table", &settings.table)];
    let chosen = chosen.into_iter().find_map(|(what, choice)| choice.as_ref().map(|choice| (what, choice)));
    match (chosen, &settings.select, format.row().list) {
        (Some((what, choice)), _, None) if !is_first(choice) => {
            Err(TableError::OnlyTable { format, what, choice: choice.clone() })
        }
        (_, Some(select), _) if format != Format::Html => {
            Err(TableError::NotAPage { format, select: clean::quote(select) })
        }
        _ => Ok(()),
    }
}

/// Adds notes on columns without a name, and on columns with the same name.
fn note_header(table: &mut Table) {
    let mut columns: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    table.header().iter().enumerate().for_each(|(column, name)| columns.entry(name.trim()).or_default().push(column));
    let mut notes: Vec<(usize, String)> = Vec::new();
    for (name, places) in columns.into_iter().filter(|(name, places)| name.is_empty() || places.len() > 1) {
        let listed = places.iter().take(5).map(|column| (column + 1).to_string()).collect::<Vec<_>>().join(", ");
        let more = if places.len() > 5 { ", …" } else { "" };
        let what = if places.len() == 1 { "column" } else { "columns" };
        let note = match name {
            "" => format!("no name for {what} {listed}{more}"),
            name => format!("{what} {listed}{more} are all called {}", clean::quote(name)),
        };
        notes.push((places[0], note));
    }
    notes.sort();
    notes.truncate(5);
    notes.into_iter().for_each(|(_, note)| table.note(note));
}
