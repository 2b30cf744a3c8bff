//! What a reader may be told: the format, which table of a page or workbook, which repairs to make, and how much it may
//! take. Everything has a default that suits a file from the wild, and every limit has a name that error messages use.

use super::{Format, TableError};
use std::fmt;

/// How to read a table. The default finds the format by itself, makes every repair and keeps to the default limits.
#[derive(Clone, Debug, Default)]
pub struct ReadSettings {
    /// The format; found by the file's name and its content when not given.
    pub format: Option<Format>,
    /// The label of the character encoding, such as `windows-1252`; found by the content when not given.
    pub encoding: Option<String>,
    /// The delimiter of a CSV; found by the content when not given.
    pub delimiter: Option<u8>,
    /// The sheet of a workbook; the first one that holds a table when not given.
    pub sheet: Option<Choice>,
    /// The table of a page; the largest data table when not given.
    pub table: Option<Choice>,
    /// A CSS selector; only the tables of a page that match it are counted.
    pub select: Option<String>,
    /// The repairs to make.
    pub repairs: Repairs,
    /// How much may be taken.
    pub limits: Limits,
}

/// One of several tables or sheets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// By position: 0 is the first.
    Number(usize),
    /// By name, caption or heading: the whole text if one has it, otherwise a part of it; case does not matter.
    Text(String),
}

/// A number is a position, anything else is a text.
impl From<&str> for Choice {
    fn from(text: &str) -> Choice {
        text.parse().map_or_else(|_| Choice::Text(text.to_owned()), Choice::Number)
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Choice::Number(number) => write!(f, "number {number}"),
            Choice::Text(text) => write!(f, "\"{text}\""),
        }
    }
}

/// Reads and shows a type by the names of its values, for a type with `ALL` and `name`.
macro_rules! by_name {
    ($type:ident, $what:literal) => {
        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<$type, String> {
                let known = || $type::ALL.iter().map(|one| one.name()).collect::<Vec<_>>().join(", ");
                let found = $type::ALL.iter().find(|one| one.name().eq_ignore_ascii_case(text));
                found.copied().ok_or_else(|| format!("there is no {} \"{text}\"; there are {}", $what, known()))
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub(super) use by_name;

/// Makes an enum whose variants have a name that people write and a line that explains it.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident, $what:literal { $($variant:ident = $name:literal, $line:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type { $(#[doc = $line] $variant,)* }

        impl $type {
            /// All of them, in the order of the documentation.
            pub const ALL: &'static [$type] = &[$($type::$variant),*];

            /// The name that people write.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name),* }
            }

            /// What it is, in a line.
            pub fn about(self) -> &'static str {
                match self { $($type::$variant => $line),* }
            }
        }

        by_name!($type, $what);
    };
}

named! {
    /// A repair: something that is changed on purpose because a table made for the eye is not yet one to compute with.
    /// All but the last two belong to web pages; `title-rows` drops titles above the table of a sheet as well.
    Repair, "repair" {
        Hidden = "hidden", "Leave out what a browser does not show: hidden elements, scripts, sort keys.";
        References = "references", "Leave out reference marks: numbers in square brackets that point to a note.";
        HeaderRows = "header-rows", "Merge the leading rows of header cells into one header.";
        TitleRows = "title-rows", "Drop rows whose cells all hold the same text.";
        SparseColumns = "sparse-columns", "Drop columns with at most one non-empty cell.";
        SameColumns = "same-columns", "Merge neighbouring columns that never disagree.";
        EmptyLines = "empty-lines", "Drop rows and columns of a sheet that have no text.";
        RaggedRows = "ragged-rows", "Fill rows that are shorter than the table, widen the table for rows that are longer.";
    }
}

/// A set of repairs. The default holds all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repairs(u16);

impl Repairs {
    /// No repair: the table as it stands in the file.
    pub const NONE: Repairs = Repairs(0);

    /// The same set without one repair.
    pub fn without(self, repair: Repair) -> Repairs {
        Repairs(self.0 & !(1 << repair as u16))
    }

    /// The same set with one repair.
    pub fn with(self, repair: Repair) -> Repairs {
        Repairs(self.0 | 1 << repair as u16)
    }

    /// Whether a repair is to be made.
    pub fn has(self, repair: Repair) -> bool {
        self.0 & (1 << repair as u16) != 0
    }
}

impl Default for Repairs {
    fn default() -> Repairs {
        Repair::ALL.iter().fold(Repairs::NONE, |all, &one| all.with(one))
    }
}

/// How much a reader may take. What goes beyond is one clear error, found before the memory is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a file.
    pub bytes: u64,
    /// Bytes of a web page, which costs several times its size.
    pub page_bytes: u64,
    /// Bytes that a spreadsheet file may unpack to.
    pub unpacked_bytes: u64,
    /// Cells of a table, after merged cells are unmerged.
    pub cells: usize,
    /// Columns of a table.
    pub columns: usize,
    /// How deep elements of a page or values of a JSON text may be nested.
    pub depth: usize,
    /// Elements and texts of a page.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            bytes: 512 << 20,
            page_bytes: 32 << 20,
            unpacked_bytes: 512 << 20,
            cells: 20_000_000,
            columns: 4_096,
            depth: 512,
            nodes: 2_000_000,
        }
    }
}

impl Limits {
    /// An error if there are more columns than allowed.
    pub(super) fn check_columns(&self, columns: usize) -> Result<(), TableError> {
        let what = || format!("a table of {columns} columns or more");
        check(columns as u64, self.columns as u64, "columns", what)
    }

    /// An error if there are more cells than allowed.
    pub(super) fn check_cells(&self, cells: usize) -> Result<(), TableError> {
        check(cells as u64, self.cells as u64, "cells", || format!("a table of {cells} cells or more"))
    }

    /// An error if the texts of a table take more bytes than allowed, as those of merged cells may.
    pub(super) fn check_text(&self, bytes: u64) -> Result<(), TableError> {
        check(bytes, self.bytes, "bytes", || format!("a table with {bytes} bytes of text or more"))
    }

    /// An error if a workbook unpacks to more bytes than allowed.
    pub(super) fn check_unpacked(&self, bytes: u64) -> Result<(), TableError> {
        let what = || format!("a workbook that unpacks to {bytes} bytes or more");
        check(bytes, self.unpacked_bytes, "unpacked-bytes", what)
    }

    /// An error if a page has more bytes than allowed.
    pub(super) fn check_page(&self, bytes: usize) -> Result<(), TableError> {
        check(bytes as u64, self.page_bytes, "page-bytes", || format!("a page of {bytes} bytes"))
    }

    /// An error if a page has more elements and texts than allowed.
    pub(super) fn check_nodes(&self, nodes: usize) -> Result<(), TableError> {
        check(nodes as u64, self.nodes as u64, "nodes", || format!("a page of {nodes} elements and texts or more"))
    }

    /// An error if something is nested deeper than allowed.
    pub(super) fn check_depth(&self, depth: usize) -> Result<(), TableError> {
        check(depth as u64, self.depth as u64, "depth", || format!("a nesting {depth} deep or more"))
    }

    /// An error if the input has more bytes than allowed.
    pub(super) fn check_bytes(&self, bytes: usize) -> Result<(), TableError> {
        check(bytes as u64, self.bytes, "bytes", || format!("an input of {bytes} bytes"))
    }
}

fn check(amount: u64, limit: u64, name: &'static str, what: impl Fn() -> String) -> Result<(), TableError> {
    if amount <= limit { Ok(()) } else { Err(TableError::TooLarge { what: what(), limit, name }) }
}
