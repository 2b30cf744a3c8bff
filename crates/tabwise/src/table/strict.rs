//! [`check`]: a pass over a large sheet of an XLSX workbook before the library reads it. The library keeps every element that is
//! open, all merged areas and the whole text of a cell, without a limit.

use super::sheet::{Merged, malformed};
use super::{Allowance, Format, TableError};
use quick_xml::events::Event;
use std::io::{BufReader, Read};

/// Memory that the library uses for each byte of a sheet that is as bad as can be.
pub(super) const WORST: usize = 12;
/// Memory for a merged area, in the library and here.
const AREA: usize = 4 * size_of::<u32>() * 3 + size_of::<Merged>();

/// Checks a sheet against the limits. It has to be well-formed, because in other XML the library may see the end of a cell where
/// this pass does not.
pub(super) fn check(part: impl Read, allowance: &Allowance) -> Result<(), TableError> {
    let mut reader = quick_xml::Reader::from_reader(BufReader::new(part));
    let (mut buffer, mut depth, mut cell, mut text) = (Vec::new(), 0, None, 0);
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(|error| malformed(Format::Xlsx, error))? {
            Event::Start(element) => {
                depth += 1;
                allowance.check_depth(depth)?;
                match element.local_name().as_ref() {
                    "c" if cell.is_none() => (cell, text) = (Some(depth), 0),
                    "mergeCell" => allowance.take(AREA)?,
                    _ => {}
                }
            }
            Event::Empty(element) if element.local_name().as_ref() == "mergeCell" => allowance.take(AREA)?,
            Event::End(_) => {
                cell = cell.filter(|&start| start < depth);
                depth -= 1;
            }
            Event::Eof => return Ok(()),
            event if cell.is_some() => {
                text += event.len();
                allowance.check_cell(text)?;
            }
            _ => {}
        }
    }
}
