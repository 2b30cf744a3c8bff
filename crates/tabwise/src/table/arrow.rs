//! Arrow: files and streams of record batches (IPC, Feather), and batches that another library holds in memory. A file is a
//! stream between two marks, so both are read message by message. Sizes that a message declares are compared with the
//! bytes that are there, and taken from the allowance, before anything is unpacked.

use super::columns::Rows;
use super::sheet::{guarded, malformed};
use super::{Allowance, Format, Limits, Table, TableError};
use arrow_array::RecordBatchReader;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::{Message, RecordBatch as Batch, root_as_message};

/// First bytes of a file, with padding.
pub(super) const MAGIC: &[u8] = b"ARROW1\0\0";
/// Last bytes of a file.
const LAST: &[u8] = b"ARROW1";
/// First bytes of a message.
pub(super) const CONTINUATION: &[u8] = b"\xff\xff\xff\xff";
/// Bytes after the last message.
const END: &[u8] = b"\xff\xff\xff\xff\0\0\0\0";

/// Makes a table of record batches, such as another library hands over.
///
/// Cells are texts: a date is `2010-05-12`, a truth yes or no, a null is empty.
pub fn from_batches(batches: impl RecordBatchReader, limits: &Limits) -> Result<Table, TableError> {
    let allowance = Allowance::new(limits);
    let mut rows = Rows::new(&batches.schema(), Format::Arrow, &allowance)?;
    for batch in batches {
        rows.push(&batch.map_err(wrong)?)?;
    }
    Ok(rows.finish())
}

/// Reads a file or a stream.
pub(super) fn read(bytes: &[u8], allowance: &Allowance) -> Result<Table, TableError> {
    allowance.take(bytes.len())?;
    let is_file = bytes.starts_with(MAGIC);
    if is_file && !bytes.ends_with(LAST) {
        return Err(early());
    }
    let start = if is_file { MAGIC.len() } else { 0 };
    // Arrays of the library are aligned, so it reads from a copy that is.
    let all = Buffer::from(&bytes[start..]);
    guarded(Format::Arrow, || messages(&all, allowance))
}

fn messages(all: &Buffer, allowance: &Allowance) -> Result<Table, TableError> {
    let mut decoder = StreamDecoder::new();
    let mut rows = None;
    let mut start = 0;
    while let Some(end) = message_end(&all[start..], allowance)? {
        let mut message = all.slice_with_length(start, end);
        start += end;
        decode(&mut decoder, &mut message, &mut rows, allowance)?;
    }
    // The decoder waits for what follows before it looks at a message without a body.
    decode(&mut decoder, &mut Buffer::from(END), &mut rows, allowance)?;
    decoder.finish().map_err(wrong)?;
    rows.map(Rows::finish).ok_or_else(|| wrong("it has no schema"))
}

/// Decodes some bytes, and adds what they hold to the rows, which begin with the schema.
fn decode<'a>(
    decoder: &mut StreamDecoder,
    bytes: &mut Buffer,
    rows: &mut Option<Rows<'a>>,
    allowance: &'a Allowance,
) -> Result<(), TableError> {
    while !bytes.is_empty() {
        let batch = decoder.decode(bytes).map_err(wrong)?;
        if let (None, Some(schema)) = (&rows, decoder.schema()) {
            *rows = Some(Rows::new(&schema, Format::Arrow, allowance)?);
        }
        if let (Some(rows), Some(batch)) = (rows.as_mut(), batch) {
            rows.push(&batch)?;
        }
    }
    Ok(())
}

/// Returns the length of the next message with its body; `None` after the last.
fn message_end(bytes: &[u8], allowance: &Allowance) -> Result<Option<usize>, TableError> {
    let (prefix, rest) = match bytes.strip_prefix(CONTINUATION) {
        Some(rest) => (CONTINUATION.len(), rest),
        // Files of before 2019 have no mark before the length.
        None => (0, bytes),
    };
    // A stream may end without a mark, but then nobody knows if it is whole.
    let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(early)?;
    let length = u32::from_le_bytes(*length) as usize;
    if length == 0 {
        return Ok(None);
    }
    let message = rest.get(..length).ok_or_else(early)?;
    let message = root_as_message(message).map_err(|error| wrong(format_args!("a message is broken: {error}")))?;
    let body = usize::try_from(message.bodyLength()).map_err(|_| wrong("a message declares a negative size"))?;
    let body = rest[length..].get(..body).ok_or_else(early)?;
    charge(&message, body, allowance)?;
    Ok(Some(prefix + 4 + length + body.len()))
}

/// Takes the memory of what a message unpacks to. That of a batch is free again when its rows are written.
fn charge(message: &Message, body: &[u8], allowance: &Allowance) -> Result<(), TableError> {
    if let Some(dictionary) = message.header_as_dictionary_batch() {
        return allowance.take(dictionary.data().map_or(0, |batch| unpacked(&batch, body)));
    }
    let size = message.header_as_record_batch().map_or(0, |batch| unpacked(&batch, body));
    allowance.check_unpacked(size as u64)?;
    // A batch may refer to the same bytes several times, and there may be many batches.
    allowance.step(size)?;
    allowance.aside(|| allowance.take(size))
}

/// Bytes that the buffers of a batch declare to unpack to.
fn unpacked(batch: &Batch, body: &[u8]) -> usize {
    if batch.compression().is_none() {
        return 0;
    }
    let declared = |start: i64| {
        let first = body.get(usize::try_from(start).ok()?..)?.first_chunk::<8>()?;
        // -1 stands for a buffer that is not compressed, after all.
        usize::try_from(i64::from_le_bytes(*first)).ok()
    };
    let buffers = batch.buffers().into_iter().flatten();
    buffers.filter_map(|buffer| declared(buffer.offset())).fold(0, usize::saturating_add)
}

fn early() -> TableError {
    wrong("it ends too early")
}

fn wrong(error: impl std::fmt::Display) -> TableError {
    malformed(Format::Arrow, error)
}
