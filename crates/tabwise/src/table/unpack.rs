//! [`check`]: a look at the parts of a workbook before a library reads them. It finds the real sizes, because those that
//! a ZIP archive declares may be false, and takes the memory that the library will use for what is in the parts.

use super::roles::{Roles, lenient, normalized};
use super::sheet::{malformed, open};
use super::{Allowance, Format, TableError, strict};
use memchr::memmem;
use quick_xml::events::Event;
use std::io::Write;

/// Facts about a workbook that its cells do not tell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// Number of formulas in an XLSX file without a stored value.
    pub formulas: usize,
    /// True if rows or columns of an XLSX file are hidden.
    pub hides_lines: bool,
}

/// Bytes that a directory entry of the archive takes, a tag of a part that is kept as a whole, and a shared text.
const ENTRY: usize = 1024;
const TAG: usize = 512;
const TEXT: usize = 2 * size_of::<String>() + 16;

/// Checks the parts of a workbook.
pub(super) fn check(bytes: &[u8], format: Format, allowance: &Allowance) -> Result<Facts, TableError> {
    allowance.take(memmem::find_iter(bytes, b"PK\x01\x02").count().saturating_mul(ENTRY))?;
    let mut archive = open(bytes, format)?;
    let mut declared: u64 = 0;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(|error| malformed(format, error))?;
        declared = declared.saturating_add(entry.size());
    }
    allowance.check_unpacked(declared)?;
    let roles = if format == Format::Xlsx { Roles::of(&mut archive, allowance)? } else { Roles::default() };
    let (mut real, mut facts) = (0, Facts::default());
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|error| malformed(format, error))?;
        let mut part = Part::new(&entry.name().map_err(|error| malformed(format, error))?, &roles);
        // One byte more than allowed is enough to exceed the limit.
        let most = allowance.limits().unpacked_bytes.saturating_add(1) - real;
        let copied = std::io::copy(&mut std::io::Read::take(entry, most), &mut part);
        real += copied.map_err(|error| malformed(format, error))?;
        allowance.check_unpacked(real)?;
        part.charge(allowance)?;
        if part.is_large_sheet(allowance) {
            strict::check(archive.by_index(index).map_err(|error| malformed(format, error))?, allowance)?;
        }
        facts.formulas += part.formulas;
        facts.hides_lines |= part.hides_lines;
    }
    Ok(facts)
}

/// A part of a workbook, as its bytes pass by.
struct Part {
    kind: Kind,
    bytes: usize,
    tags: usize,
    /// Bytes since the last tag began, and the most of them: the library keeps so many at once.
    run: usize,
    longest: usize,
    /// First bytes of shared texts, which declare their number.
    head: Vec<u8>,
    formulas: usize,
    hides_lines: bool,
    /// Last bytes, because a mark may begin in them.
    tail: Vec<u8>,
}

/// Kind of a part, by its name.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Shared texts.
    Texts,
    /// Styles, relations and the list of sheets, which are kept as a whole.
    Whole,
    /// A sheet of an XLSX file.
    Sheet,
    /// A part that the list of sheets refers to, which may be one of them.
    Related,
    Other,
}

/// Length of the longest mark that is looked for.
const MARK: usize = 16;
/// Number of bytes within which shared texts have to declare their number.
const HEAD: usize = 1 << 16;

impl Part {
    fn new(name: &str, roles: &Roles) -> Part {
        let name = normalized(name);
        let kind = match name.rsplit('/').next().unwrap_or("") {
            "sharedstrings.xml" => Kind::Texts,
            "styles.xml" | "workbook.xml" | "theme1.xml" => Kind::Whole,
            file if file.ends_with(".rels") => Kind::Whole,
            _ if roles.is_book(&name) => Kind::Whole,
            _ if name.contains("worksheets/") => Kind::Sheet,
            _ if roles.is_sheet(&name) => Kind::Related,
            _ => Kind::Other,
        };
        Part {
            kind,
            bytes: 0,
            tags: 0,
            run: 0,
            longest: 0,
            head: Vec::new(),
            formulas: 0,
            hides_lines: false,
            tail: Vec::new(),
        }
    }

    /// Takes the memory that the library will use for this part.
    fn charge(&self, allowance: &Allowance) -> Result<(), TableError> {
        let kept = match self.kind {
            // The library makes room for as many texts as are declared; each is one tag at least.
            Kind::Texts => self.tags.max(self.declared()?).saturating_mul(TEXT).saturating_add(self.bytes),
            Kind::Whole => self.tags.saturating_mul(TAG).saturating_add(self.bytes),
            Kind::Sheet | Kind::Related | Kind::Other => 0,
        };
        allowance.take(kept.saturating_add(self.longest.saturating_mul(3)))
    }

    /// True for a sheet that may take more memory than is left.
    fn is_large_sheet(&self, allowance: &Allowance) -> bool {
        let may_be_sheet = matches!(self.kind, Kind::Sheet | Kind::Related);
        may_be_sheet && self.bytes.saturating_mul(strict::WORST) as u64 > allowance.room()
    }

    /// Returns the number of shared texts that the part declares.
    fn declared(&self) -> Result<usize, TableError> {
        let mut reader = lenient(self.head.as_slice());
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            match reader.read_event_into(&mut buffer) {
                Ok(Event::Start(element) | Event::Empty(element)) if element.local_name().as_ref() == "sst" => {
                    return Ok(largest_after("uniqueCount", element.attributes_raw()));
                }
                Ok(Event::Eof) | Err(_) if self.head.len() < HEAD => return Ok(0),
                Ok(Event::Eof) | Err(_) => {
                    return Err(malformed(Format::Xlsx, "its shared texts do not begin where they should"));
                }
                Ok(_) => {}
            }
        }
    }

    fn count_tags(&mut self, bytes: &[u8]) {
        let mut last = 0;
        for at in memchr::memchr_iter(b'<', bytes) {
            self.tags += 1;
            self.longest = self.longest.max(self.run + at - last);
            (self.run, last) = (0, at);
        }
        self.run += bytes.len() - last;
        self.longest = self.longest.max(self.run);
    }

    /// Looks for marks that end after the first `known` bytes.
    fn find_marks(&mut self, bytes: &[u8], known: usize) {
        let count = |mark: &[u8]| memmem::find_iter(bytes, mark).filter(|at| at + mark.len() > known).count();
        let empty: [&[u8]; 4] = [b"</f></c>", b"</f><v/>", b"</f><v></v>", b"</f><v />"];
        self.formulas += empty.into_iter().map(count).sum::<usize>();
        self.hides_lines |= count(b" hidden=\"1\"") + count(b" hidden=\"true\"") > 0;
    }
}

/// Returns the largest number that follows a name in the attributes of an element. They may be malformed or repeated: the library
/// is more lenient than a parser of XML, and what it would find must not be missed.
fn largest_after(name: &str, attributes: &str) -> usize {
    let number = |text: &str| {
        let text = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '=' | '"' | '\''));
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        text[..end].parse().unwrap_or(0)
    };
    attributes.split(name).skip(1).map(number).max().unwrap_or(0)
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.bytes += bytes.len();
        self.count_tags(bytes);
        match self.kind {
            Kind::Texts => {
                let more = bytes.len().min(HEAD - self.head.len());
                self.head.extend_from_slice(&bytes[..more]);
            }
            Kind::Sheet => {
                let mut all = std::mem::take(&mut self.tail);
                let known = all.len();
                all.extend_from_slice(bytes);
                self.find_marks(&all, known);
                all.drain(..all.len().saturating_sub(MARK));
                self.tail = all;
            }
            Kind::Whole | Kind::Related | Kind::Other => {}
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
