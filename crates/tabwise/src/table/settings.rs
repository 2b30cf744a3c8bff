//! [`ReadSettings`]: the format, the table of a page or workbook to read, the repairs to make, and the limits to keep.
//! The defaults suit any file, and every limit has a name that error messages use.

use super::Format;
use crate::meter::Budget;
use std::fmt;

/// Settings for reading a table. The default detects the format, makes every repair and keeps the default limits.
#[derive(Clone, Debug, Default)]
pub struct ReadSettings {
    /// Format; detected by the content and the file name if not given.
    pub format: Option<Format>,
    /// Label of the character encoding, such as `windows-1252`; detected if not given.
    pub encoding: Option<String>,
    /// Delimiter of a CSV; detected if not given.
    pub delimiter: Option<u8>,
    /// Sheet of a workbook; the first one with text if not given.
    pub sheet: Option<Choice>,
    /// Table of a page or a Markdown text; if not given, the largest data table or the first table.
    pub table: Option<Choice>,
    /// CSS selector; tables of a page that do not match it are ignored.
    pub select: Option<String>,
    /// Direction of the records.
    pub orientation: Orientation,
    /// Place of the names of the columns.
    pub header: Header,
    /// Repairs to make.
    pub repairs: Repairs,
    /// Limits on the size of the input and of the table.
    pub limits: Limits,
}

/// Choice of one of several tables or sheets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// By position: 0 is the first.
    Number(usize),
    /// By name, caption or heading, whatever its case: the whole text if one has it; otherwise, if the text is a number,
    /// by position; otherwise by a part of the name.
    Text(String),
}

/// The text of an option. A sheet that is called "2010" can be chosen by it, so a number is not yet a position.
impl From<&str> for Choice {
    fn from(text: &str) -> Choice {
        Choice::Text(text.to_owned())
    }
}

impl Choice {
    /// Returns the place of the chosen one. Each list has a name for each of them; names of the first list come first.
    pub fn among(&self, names: &[Vec<&str>]) -> Option<usize> {
        let count = names.first().map_or(0, Vec::len);
        let text = match self {
            Choice::Number(number) => return Some(*number).filter(|number| *number < count),
            Choice::Text(text) => text.trim().to_lowercase(),
        };
        let find = |fits: &dyn Fn(&str) -> bool| {
            names.iter().find_map(|list| list.iter().position(|name| fits(&name.trim().to_lowercase())))
        };
        find(&|name| name == text).or_else(|| match text.parse() {
            Ok(number) => Some(number).filter(|number| *number < count),
            Err(_) => find(&|name| name.contains(&text)),
        })
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

/// Implements `FromStr` and `Display` by name, for a type with `ALL` and `name`.
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

/// Declares an enum whose variants have a name for settings and arguments, and a description in one line.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident, $what:literal { $($variant:ident = $name:literal, $line:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type { $(#[doc = $line] $variant,)* }

        impl $type {
            /// Every variant, in the order of the documentation.
            pub const ALL: &'static [$type] = &[$($type::$variant),*];

            /// Returns the name in settings and arguments.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name),* }
            }

            /// Returns a description in one line.
            pub fn about(self) -> &'static str {
                match self { $($type::$variant => $line),* }
            }
        }

        by_name!($type, $what);
    };
}

named! {
    /// A repair: a change that turns a table made for reading into one to compute with. All but the last two are for
    /// web pages; `title-rows` also drops titles above the table of a sheet or a CSV, and `total-rows` is for every format.
    Repair, "repair" {
        Hidden = "hidden", "Leave out elements that a browser does not show: hidden ones, scripts, sort keys.";
        References = "references", "Leave out reference marks: numbers in square brackets that point to a note.";
        HeaderRows = "header-rows", "Merge the leading rows of header cells into one header.";
        TitleRows = "title-rows", "Drop rows whose cells all hold the same text.";
        SparseColumns = "sparse-columns", "Drop columns with at most one non-empty cell.";
        SameColumns = "same-columns", "Merge neighbouring columns that never disagree.";
        EmptyLines = "empty-lines", "Drop rows and columns of a sheet that have no text.";
        RaggedRows = "ragged-rows", "Fill rows that are shorter than the table, widen the table for rows that are longer.";
        TotalRows = "total-rows", "Leave out last rows that add up or average the rows above them.";
    }
}

named! {
    /// Direction of the records of a table.
    Orientation, "orientation" {
        Auto = "auto", "Records are rows; turn a table that is clearly on its side.";
        Rows = "rows", "Records are rows.";
        Columns = "columns", "Records are columns; turn the table.";
    }
}

#[expect(clippy::derivable_impls, reason = "the macro has no place for a default")]
impl Default for Orientation {
    fn default() -> Orientation {
        Orientation::Auto
    }
}

named! {
    /// Place of the names of the columns.
    Header, "header" {
        First = "first", "The first row has the names.";
        None = "none", "No row has names: the columns are called \"column 1\", \"column 2\" and so on.";
    }
}

#[expect(clippy::derivable_impls, reason = "the macro has no place for a default")]
impl Default for Header {
    fn default() -> Header {
        Header::First
    }
}

/// A set of repairs. The default holds all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repairs(u16);

impl Repairs {
    /// No repair: the table as in the file.
    pub const NONE: Repairs = Repairs(0);

    /// Returns the set without a repair.
    pub fn without(self, repair: Repair) -> Repairs {
        Repairs(self.0 & !(1 << repair as u16))
    }

    /// Returns the set with a repair.
    pub fn with(self, repair: Repair) -> Repairs {
        Repairs(self.0 | 1 << repair as u16)
    }

    /// True if a repair is to be made.
    pub fn has(self, repair: Repair) -> bool {
        self.0 & (1 << repair as u16) != 0
    }
}

impl Default for Repairs {
    fn default() -> Repairs {
        Repair::ALL.iter().fold(Repairs::NONE, |all, &one| all.with(one))
    }
}

/// Limits on the size of the input and of the table. Exceeding one is an error, which is found before the memory is
/// used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory for reading a table, and for what is computed on it.
    pub memory: u64,
    /// Steps of work that grows faster than the input: selectors of a page, deeply nested elements. A step takes about
    /// a nanosecond.
    pub steps: u64,
    /// Bytes of the input, and of the text of the table.
    pub bytes: u64,
    /// Bytes of a web page, whose tree takes several times its size.
    pub page_bytes: u64,
    /// Bytes of an unpacked workbook.
    pub unpacked_bytes: u64,
    /// Bytes of the text of one cell.
    pub cell_bytes: u64,
    /// Cells of a table, after merged cells are unmerged.
    pub cells: usize,
    /// Columns of a table.
    pub columns: usize,
    /// Sheets of a workbook.
    pub sheets: usize,
    /// Depth of nested elements of a page.
    pub depth: usize,
    /// Elements and texts of a page, together.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: 4 << 30,
            steps: 1_000_000_000,
            bytes: 512 << 20,
            page_bytes: 32 << 20,
            unpacked_bytes: 512 << 20,
            cell_bytes: 1 << 20,
            cells: 20_000_000,
            columns: 4_096,
            sheets: 1_000,
            depth: 512,
            nodes: 2_000_000,
        }
    }
}

impl Limits {
    /// Returns the budget for making the graph of a table and answering about it.
    pub fn budget(&self) -> Budget {
        Budget { memory: self.memory, steps: self.steps }
    }
}
