//! Reading: bytes in, table out. The format is found by the file's name and its content, and the format's reader does
//! the rest.

use super::encoding::decode;
use super::{Format, ReadSettings, Table, TableError, csv, html};

/// Reads a table. The name is that of the file, if there is one; its ending is a hint and the content decides.
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
    let decoded = decode(bytes, settings)?;
    let format = settings.format.unwrap_or_else(|| format_of(name));
    let mut table = match format {
        Format::Html => html::read(&decoded.text, settings)?,
        _ => csv::read(&decoded.text, format, settings)?,
    };
    if let Some(note) = decoded.note {
        table.note(note);
    }
    Ok(table)
}

fn format_of(name: Option<&str>) -> Format {
    let ending = name.and_then(|name| name.rsplit_once('.')).map_or("", |(_, ending)| ending);
    if ending.starts_with("htm") {
        Format::Html
    } else if ending.eq_ignore_ascii_case("tsv") {
        Format::Tsv
    } else {
        Format::Csv
    }
}

/// One of the tables that an input holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// What to choose it by.
    pub number: usize,
    /// The classes of a table of a page.
    pub class: String,
    /// The caption or heading of a table, the name of a sheet.
    pub title: String,
    /// Rows as they stand in the source.
    pub rows: usize,
    /// Columns as they stand in the source.
    pub columns: usize,
}

/// Lists the tables that an input holds.
pub fn list(bytes: &[u8], name: Option<&str>, settings: &ReadSettings) -> Result<Vec<Listed>, TableError> {
    let decoded = decode(bytes, settings)?;
    let format = settings.format.unwrap_or_else(|| format_of(name));
    match format {
        Format::Html => html::list(&decoded.text, settings),
        _ => read(bytes, name, settings).map(|table| {
            vec![Listed {
                number: 0,
                class: String::new(),
                title: String::new(),
                rows: table.row_count() + 1,
                columns: table.column_count(),
            }]
        }),
    }
}
