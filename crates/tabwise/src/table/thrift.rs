//! A look at records of the compact Thrift protocol, in which Parquet writes what it says about itself. Nothing is
//! allocated, and nothing is believed: `None` stands for bytes that are no such record.

/// Types of fields, by their number in the protocol.
pub(super) const I32: u8 = 5;
const BYTE: u8 = 3;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
pub(super) const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
pub(super) const STRUCT: u8 = 12;
const UUID: u8 = 13;

/// Depth of records within records.
const DEEPEST: u8 = 32;

/// Bytes, and how many of them were read.
pub(super) struct Thrift<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: u8,
}

/// Function that may read a field, given its number and its type; false if it did not.
pub(super) type Visit<'v> = dyn FnMut(&mut Thrift, i16, u8) -> Option<bool> + 'v;

impl<'a> Thrift<'a> {
    /// Starts with the first byte.
    pub(super) fn new(bytes: &'a [u8]) -> Thrift<'a> {
        Thrift { bytes, at: 0, depth: 0 }
    }

    /// Number of bytes that were read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Reads a record, field by field.
    pub(super) fn record(&mut self, visit: &mut Visit) -> Option<()> {
        self.depth = self.depth.checked_add(1).filter(|depth| *depth <= DEEPEST)?;
        let mut id: i16 = 0;
        loop {
            let head = self.byte()?;
            let kind = head & 15;
            if kind == 0 {
                break;
            }
            id = match head >> 4 {
                0 => i16::try_from(self.integer()?).ok()?,
                step => id.checked_add(i16::from(step))?,
            };
            if !visit(self, id, kind)? {
                self.skip(kind)?;
            }
        }
        self.depth -= 1;
        Some(())
    }

    /// Reads the head of a list: the number of its items and their type. An item takes at least a byte.
    pub(super) fn list(&mut self) -> Option<(usize, u8)> {
        let head = self.byte()?;
        let size = match head >> 4 {
            15 => usize::try_from(self.varint()?).ok()?,
            size => usize::from(size),
        };
        (size <= self.bytes.len() - self.at).then_some((size, head & 15))
    }

    /// Reads a number.
    pub(super) fn integer(&mut self) -> Option<i64> {
        let number = self.varint()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn skip(&mut self, kind: u8) -> Option<()> {
        match kind {
            1 | 2 => Some(()),
            BYTE => self.pass(1),
            4..=6 => self.varint().map(|_| ()),
            DOUBLE => self.pass(8),
            BINARY => {
                let length = usize::try_from(self.varint()?).ok()?;
                self.pass(length)
            }
            LIST | SET => {
                let (size, kind) = self.list()?;
                (0..size).try_for_each(|_| self.skip_item(kind))
            }
            MAP => {
                let size = self.varint()?;
                let kinds = if size == 0 { 0 } else { self.byte()? };
                (0..size).try_for_each(|_| {
                    self.skip_item(kinds >> 4)?;
                    self.skip_item(kinds & 15)
                })
            }
            STRUCT => self.record(&mut |_, _, _| Some(false)),
            UUID => self.pass(16),
            _ => None,
        }
    }

    /// Skips an item of a list. A truth takes a byte there, but none as a field.
    fn skip_item(&mut self, kind: u8) -> Option<()> {
        if matches!(kind, 1 | 2) { self.pass(1) } else { self.skip(kind) }
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn pass(&mut self, count: usize) -> Option<()> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len())?;
        self.at = end;
        Some(())
    }
}
