//! CSV and TSV as they are found: any of four delimiters, quotes doubled or escaped by a backslash, line breaks inside
//! quotes, rows of different lengths.

use super::{Format, ReadSettings, Table, TableError};

/// Reads the text into a table. The first record is the header.
pub(super) fn read(text: &str, format: Format, settings: &ReadSettings) -> Result<Table, TableError> {
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(if format == Format::Csv { settings.delimiter.unwrap_or(b',') } else { b'\t' })
        .escape(Some(b'\\'))
        .from_reader(text.as_bytes());
    let mut record = ::csv::StringRecord::new();
    let mut next = |record: &mut ::csv::StringRecord| {
        reader.read_record(record).map_err(|error| TableError::Malformed { format, reason: error.to_string() })
    };
    if !next(&mut record)? {
        return Err(TableError::Empty);
    }
    let mut table = Table::new(record.iter().map(str::to_owned).collect());
    while next(&mut record)? {
        table.push_row(&record);
    }
    Ok(table)
}
