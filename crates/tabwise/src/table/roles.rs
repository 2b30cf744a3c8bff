//! [`Roles`]: the parts of an XLSX workbook that the library reads as the list of sheets and as sheets. Relations say which parts
//! these are; their names say nothing.

use super::sheet::malformed;
use super::{Allowance, Format, TableError};
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::Event;
use rustc_hash::FxHashSet;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Names of parts without their folders, in lower case. There may be more than the library reads, but none is missing.
#[derive(Debug, Default)]
pub(super) struct Roles {
    books: FxHashSet<String>,
    sheets: FxHashSet<String>,
}

impl Roles {
    /// Reads the relations of the archive and of its workbook.
    pub(super) fn of(archive: &mut ZipArchive<Cursor<&[u8]>>, allowance: &Allowance) -> Result<Roles, TableError> {
        let books = targets(archive, |path| path == "_rels/.rels", allowance)?;
        let of_book = |path: &str| path.strip_suffix(".rels").is_some_and(|path| books.contains(file(path)));
        let sheets = targets(archive, of_book, allowance)?;
        Ok(Roles { books, sheets })
    }

    /// True if the part may be the list of sheets.
    pub(super) fn is_book(&self, path: &str) -> bool {
        self.books.contains(file(path))
    }

    /// True if the part may be a sheet.
    pub(super) fn is_sheet(&self, path: &str) -> bool {
        self.sheets.contains(file(path))
    }
}

/// Path of a part as the library compares it: in lower case and with slashes.
pub(super) fn normalized(path: &str) -> String {
    path.to_ascii_lowercase().replace('\\', "/")
}

fn file(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or("")
}

/// Most bytes of relations, of which a workbook of 1000 sheets has a fifth, and the memory for each byte.
const RELATIONS: u64 = 1 << 20;
const MEMORY: usize = 16;

/// Returns the files that the relations in these parts name.
fn targets(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    is_wanted: impl Fn(&str) -> bool,
    allowance: &Allowance,
) -> Result<FxHashSet<String>, TableError> {
    let wrong = |error| malformed(Format::Xlsx, error);
    let (mut found, mut text) = (FxHashSet::default(), Vec::new());
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(wrong)?;
        if !is_wanted(&normalized(&entry.name().map_err(wrong)?)) {
            continue;
        }
        drop(entry);
        let start = text.len();
        let part = archive.by_index(index).map_err(wrong)?;
        part.take(RELATIONS + 1 - start as u64).read_to_end(&mut text).map_err(|error| wrong(error.into()))?;
        if text.len() as u64 > RELATIONS {
            return Err(malformed(Format::Xlsx, "it has too many parts"));
        }
        allowance.take((text.len() - start) * MEMORY)?;
        add_targets(&text[start..], &mut found);
    }
    Ok(found)
}

/// Adds every value in the attributes of the elements. The library takes malformed and repeated attributes, so no value is left out.
fn add_targets(relations: &[u8], found: &mut FxHashSet<String>) {
    let mut reader = lenient(relations);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(element) | Event::Empty(element)) => {
                for value in element.attributes_raw().split(['"', '\'']) {
                    let value = unescape(value).unwrap_or(value.into());
                    found.insert(file(&normalized(&value)).to_owned());
                }
            }
            Ok(Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

/// A reader that takes what the library takes: where this one ends with an error, the library does as well.
pub(super) fn lenient<R>(part: R) -> Reader<R> {
    let mut reader = Reader::from_reader(part);
    reader.config_mut().check_end_names = false;
    reader
}
