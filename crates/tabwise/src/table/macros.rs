//! Macro sheets of old workbooks. The XLSX library knows worksheets, charts and dialogs, and refuses a workbook with a sheet of
//! another kind. Macro sheets hold programs and no table, so they are passed to it as dialogs, which it skips.

use super::sheet::{malformed, open};
use super::{Allowance, Format, TableError};
use std::io::{Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// Kinds of macro sheets, as the last part of the type of a relationship.
const KINDS: [&str; 2] = ["/xlMacrosheet", "/xlIntlMacrosheet"];

/// Returns the workbook with its macro sheets declared as dialogs. Its parts must have been checked.
pub(super) fn as_dialogs(bytes: &[u8], allowance: &Allowance) -> Result<Vec<u8>, TableError> {
    allowance.take(bytes.len().saturating_mul(2))?;
    rewritten(&mut open(bytes, Format::Xlsx)?).map_err(|error| malformed(Format::Xlsx, error))
}

fn rewritten(archive: &mut ZipArchive<Cursor<&[u8]>>) -> zip::result::ZipResult<Vec<u8>> {
    let mut written = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index)?;
        let name = entry.name()?.into_owned();
        if !name.ends_with("workbook.xml.rels") {
            written.raw_copy_file(entry)?;
            continue;
        }
        drop(entry);
        let mut relations = String::new();
        archive.by_index(index)?.read_to_string(&mut relations)?;
        written.start_file(name, SimpleFileOptions::default())?;
        written.write_all(KINDS.iter().fold(relations, |text, kind| text.replace(kind, "/dialogsheet")).as_bytes())?;
    }
    Ok(written.finish()?.into_inner())
}
