//! A look at the pages of a Parquet file before the library decodes them: the library allocates what the headers of pages
//! and the schema declare, so here these are compared with the bytes that are there, and the memory is taken.

use super::sheet::malformed;
use super::thrift::{I32, LIST, STRUCT, Thrift};
use super::{Allowance, Format, TableError};
use parquet::basic::Type;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};

/// Length of the end of a file: the length of the metadata, and a mark.
const END: usize = 8;
/// Depth of groups in a schema.
const DEEPEST: usize = 32;
/// Bytes that the library takes for a byte of metadata.
const METADATA: usize = 16;
/// Bytes for a value of a list that is being decoded: two levels, and its place.
const VALUE: usize = 16;
/// Part of the room that the texts of a batch may take.
const PART: u64 = 8;
/// Most rows of a batch.
const MOST_ROWS: u64 = 8192;

/// Checks the metadata at the end of a file.
pub(super) fn check_metadata(bytes: &[u8], allowance: &Allowance) -> Result<(), TableError> {
    let (rest, end) = bytes.split_last_chunk::<END>().ok_or_else(early)?;
    let [a, b, c, d, mark @ ..] = *end;
    if mark != *b"PAR1" {
        return Err(if mark == *b"PARE" { wrong("it is encrypted") } else { early() });
    }
    let length = u32::from_le_bytes([a, b, c, d]) as usize;
    let start = rest.len().checked_sub(length).ok_or_else(|| wrong("its metadata would be longer than the file"))?;
    allowance.take(length.saturating_mul(METADATA))?;
    check_schema(&rest[start..]).ok_or_else(|| wrong("its schema is broken, or nested too deep"))
}

/// Checks that the groups of a schema have as many members as they say, and not too deep.
fn check_schema(metadata: &[u8]) -> Option<()> {
    // Members that the groups around the next element still lack.
    let mut lacking: Vec<i64> = Vec::new();
    let mut is_known = false;
    Thrift::new(metadata).record(&mut |thrift, id, kind| {
        if (id, kind) != (2, LIST) {
            return Some(false);
        }
        is_known = true;
        let (size, _) = thrift.list()?;
        for _ in 0..size {
            let mut members = 0;
            thrift.record(&mut |thrift, id, kind| {
                let is_count = (id, kind) == (5, I32);
                if is_count {
                    members = thrift.integer()?;
                }
                Some(is_count)
            })?;
            lacking.last_mut().into_iter().for_each(|last| *last -= 1);
            if members != 0 {
                lacking.push(members);
            }
            if !(0..=size as i64).contains(&members) || lacking.len() > DEEPEST {
                return None;
            }
            while lacking.last() == Some(&0) {
                lacking.pop();
            }
        }
        Some(true)
    })?;
    (is_known && lacking.is_empty()).then_some(())
}

/// Checks the pages of a group of rows, and that there is memory for what is decoded of it at one time. Returns the number
/// of rows to decode at once.
pub(super) fn check_group(bytes: &[u8], group: &RowGroupMetaData, allowance: &Allowance) -> Result<usize, TableError> {
    let (mut held, mut texts) = (0_usize, 1_u64);
    for column in group.columns() {
        let pages = pages(bytes, column, allowance)?;
        // A dictionary is kept twice: as its page, and decoded.
        held = held.saturating_add(2 * pages.dictionary + pages.largest);
        if column.column_descr().max_rep_level() > 0 {
            held = held.saturating_add(pages.values.saturating_mul(VALUE));
        }
        texts = texts.saturating_add(longest_value(column, &pages));
    }
    let room = allowance.room() / PART;
    held = held.saturating_add(texts.max(room) as usize);
    allowance.aside(|| allowance.take(held))?;
    Ok((room / texts).clamp(1, MOST_ROWS) as usize)
}

/// Upper bound on the bytes of a value. A text may be built of all that its page or its dictionary holds.
fn longest_value(column: &ColumnChunkMetaData, pages: &Pages) -> u64 {
    match column.column_type() {
        Type::BYTE_ARRAY => pages.dictionary.max(pages.largest) as u64,
        Type::FIXED_LEN_BYTE_ARRAY => u64::try_from(column.column_descr().type_length()).unwrap_or(0),
        _ => 8,
    }
}

/// Sizes that the pages of a column declare.
#[derive(Default)]
struct Pages {
    /// Bytes of the dictionary, unpacked.
    dictionary: usize,
    /// Bytes of the largest other page, unpacked.
    largest: usize,
    /// Values of all pages.
    values: usize,
}

fn pages(bytes: &[u8], column: &ColumnChunkMetaData, allowance: &Allowance) -> Result<Pages, TableError> {
    let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
    let chunk = usize::try_from(start).ok().and_then(|start| bytes.get(start..));
    let length = usize::try_from(column.compressed_size()).ok();
    let mut chunk = chunk.zip(length).and_then(|(chunk, length)| chunk.get(..length)).ok_or_else(early)?;
    let (mut pages, mut unpacked) = (Pages::default(), 0_u64);
    while !chunk.is_empty() {
        let (page, header) = Page::read(chunk).ok_or_else(|| wrong("the header of a page is broken"))?;
        chunk = chunk.get(header..).and_then(|chunk| chunk.get(page.packed..)).ok_or_else(early)?;
        match page.is_dictionary {
            true => pages.dictionary = pages.dictionary.max(page.unpacked),
            false => pages.largest = pages.largest.max(page.unpacked),
        }
        pages.values = pages.values.saturating_add(page.values);
        unpacked += page.unpacked as u64;
        allowance.check_unpacked(unpacked)?;
        // Columns and groups may all refer to the same pages, which are then unpacked for each of them.
        allowance.step(page.unpacked)?;
    }
    Ok(pages)
}

/// A page, as its header describes it.
#[derive(Default)]
struct Page {
    is_dictionary: bool,
    unpacked: usize,
    packed: usize,
    values: usize,
}

impl Page {
    /// Reads a header; returns its length as well.
    fn read(bytes: &[u8]) -> Option<(Page, usize)> {
        let mut page = Page::default();
        let mut thrift = Thrift::new(bytes);
        thrift.record(&mut |thrift, id, kind| {
            match (id, kind) {
                (2, I32) => page.unpacked = usize::try_from(thrift.integer()?).ok()?,
                (3, I32) => page.packed = usize::try_from(thrift.integer()?).ok()?,
                // Headers of data pages, of dictionaries, and of data pages of the second version: all begin with the
                // number of values.
                (5 | 7 | 8, STRUCT) => {
                    page.is_dictionary = id == 7;
                    thrift.record(&mut |thrift, id, kind| {
                        let is_count = (id, kind) == (1, I32);
                        if is_count {
                            page.values = usize::try_from(thrift.integer()?).ok()?;
                        }
                        Some(is_count)
                    })?;
                }
                _ => return Some(false),
            }
            Some(true)
        })?;
        Some((page, thrift.at()))
    }
}

fn early() -> TableError {
    wrong("it ends too early")
}

fn wrong(error: impl std::fmt::Display) -> TableError {
    malformed(Format::Parquet, error)
}
