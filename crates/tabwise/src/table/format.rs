//! [`Format`]: the formats that tables are read from, one row each. Everything that depends on the format is in its
//! row: its names, its line in help and error messages, its detection, and its reader. To add a format, add a row here
//! and a module that reads it.

use super::detect::{self, Mark};
use super::read::Input;
use super::settings::by_name;
use super::{Listed, ReadSettings, Table, TableError, csv, html, json, markdown, sheet};

/// One row of the table of formats, without the names.
pub(super) struct Row {
    /// Endings of file names, without the dot and in lower case. The first is the usual one.
    endings: &'static [&'static str],
    /// Sign in the content by which the format is detected.
    pub mark: Mark,
    /// Reads the table that the settings choose.
    pub read: Read<Table>,
    /// Lists the tables; `None` for a format that always has one.
    pub list: Option<Read<Vec<Listed>>>,
}

/// Function that reads something from an input of the row's format.
type Read<T> = fn(&Input, &ReadSettings) -> Result<T, TableError>;

/// Declares the enum of formats from its rows: a variant, its name, its title, a line of documentation, and the fields
/// of [`Row`].
macro_rules! formats {
    ($($variant:ident: $name:literal, $title:literal, $line:literal { $($row:tt)* })*) => {
        /// A format that tables are read from.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Format { $(#[doc = $line] $variant,)* }

        impl Format {
            /// All formats, in the order of the documentation.
            pub const ALL: &'static [Format] = &[$(Format::$variant),*];

            /// Returns the name in settings and arguments.
            pub fn name(self) -> &'static str {
                match self { $(Format::$variant => $name),* }
            }

            /// Returns the name in running text, as a user would call the file. Variants of a format share it.
            pub fn title(self) -> &'static str {
                match self { $(Format::$variant => $title),* }
            }

            /// Returns a description in one line.
            pub fn about(self) -> &'static str {
                match self { $(Format::$variant => $line),* }
            }

            /// Returns the row of the format.
            pub(super) fn row(self) -> &'static Row {
                match self { $(Format::$variant => &Row { $($row)* }),* }
            }
        }
    };
}

formats! {
    Csv: "csv", "CSV", "Values separated by commas, semicolons, tabs or pipes, with quotes." {
        endings: &["csv"],
        mark: Mark::None,
        read: |input, settings| csv::read(&input.text, input.format, settings, &input.allowance),
        list: None,
    }
    Tsv: "tsv", "TSV", "Values separated by tabs, with quotes where a value needs them." {
        endings: &["tsv", "tab"],
        mark: Mark::None,
        read: |input, settings| csv::read(&input.text, input.format, settings, &input.allowance),
        list: None,
    }
    TsvEscaped: "tsv-escaped", "TSV", "Values separated by tabs, without quotes; \\n, \\p and \\\\ stand for a line break, a pipe and a backslash." {
        endings: &[],
        mark: Mark::None,
        read: |input, settings| csv::read(&input.text, input.format, settings, &input.allowance),
        list: None,
    }
    Xlsx: "xlsx", "XLSX", "An Office Open XML workbook." {
        endings: &["xlsx"],
        mark: Mark::Bytes(detect::is_xlsx),
        read: |input, settings| sheet::read(input.bytes, input.format, settings, &input.allowance),
        list: Some(|input, _| sheet::list(input.bytes, input.format, &input.allowance)),
    }
    Xls: "xls", "XLS", "A workbook of Excel before 2007." {
        endings: &["xls"],
        mark: Mark::Bytes(detect::is_xls),
        read: |input, settings| sheet::read(input.bytes, input.format, settings, &input.allowance),
        list: Some(|input, _| sheet::list(input.bytes, input.format, &input.allowance)),
    }
    Ods: "ods", "ODS", "An OpenDocument spreadsheet." {
        endings: &["ods"],
        mark: Mark::Bytes(detect::is_ods),
        read: |input, settings| sheet::read(input.bytes, input.format, settings, &input.allowance),
        list: Some(|input, _| sheet::list(input.bytes, input.format, &input.allowance)),
    }
    Parquet: "parquet", "Parquet", "A Parquet file." {
        endings: &["parquet"],
        mark: PARQUET.0,
        read: PARQUET.1,
        list: None,
    }
    Arrow: "arrow", "Arrow", "An Arrow file or stream (IPC), which Feather files are as well." {
        endings: &["arrow", "feather", "arrows"],
        mark: ARROW.0,
        read: ARROW.1,
        list: None,
    }
    Sqlite: "sqlite", "SQLite", "A table of a SQLite database." {
        endings: &["sqlite", "sqlite3", "db"],
        mark: SQLITE.0,
        read: SQLITE.1,
        list: SQLITE.2,
    }
    Json: "json", "JSON", "A JSON array of objects or of arrays." {
        endings: &["json"],
        mark: Mark::Text(detect::is_json),
        read: |input, _| json::read(&input.text, &input.allowance),
        list: None,
    }
    JsonLines: "jsonl", "JSON", "A JSON object or array on each line." {
        endings: &["jsonl", "ndjson"],
        mark: Mark::Text(detect::is_json_lines),
        read: |input, _| json::read_lines(&input.text, &input.allowance),
        list: None,
    }
    Markdown: "markdown", "Markdown", "A pipe table in Markdown." {
        endings: &["md", "markdown"],
        mark: Mark::WeakText(detect::is_markdown),
        read: |input, settings| markdown::read(&input.text, settings, &input.allowance),
        list: Some(|input, _| markdown::list(&input.text, &input.allowance)),
    }
    Html: "html", "HTML", "A web page or a piece of one." {
        endings: &["html", "htm", "xhtml"],
        mark: Mark::Text(detect::is_html),
        read: |input, settings| html::read(&input.text, settings, &input.allowance),
        list: Some(|input, settings| html::list(&input.text, settings, &input.allowance)),
    }
}

/// Mark, reader and list of SQLite databases, which take a feature.
#[cfg(feature = "sqlite")]
const SQLITE: (Mark, Read<Table>, Option<Read<Vec<Listed>>>) = (
    Mark::Bytes(detect::is_sqlite),
    |input, settings| super::sqlite::read(input.bytes, settings, &input.allowance),
    Some(|input, _| super::sqlite::list(input.bytes, &input.allowance)),
);

/// Without the feature nothing is taken for a database.
#[cfg(not(feature = "sqlite"))]
const SQLITE: (Mark, Read<Table>, Option<Read<Vec<Listed>>>) =
    (Mark::Bytes(|_| false), |_, _| Err(TableError::NotText("this program was built without SQLite")), None);

/// Mark and reader of a format that takes a feature and holds one table.
type Optional = (Mark, Read<Table>);

/// A format that this program was built without.
#[cfg(not(all(feature = "arrow", feature = "parquet")))]
const NONE: Optional = (Mark::Bytes(|_| false), |_, _| Err(TableError::NotText("this program was built without it")));

#[cfg(feature = "parquet")]
const PARQUET: Optional =
    (Mark::Bytes(detect::is_parquet), |input, _| super::parquet::read(input.bytes, &input.allowance));
#[cfg(not(feature = "parquet"))]
const PARQUET: Optional = NONE;

#[cfg(feature = "arrow")]
const ARROW: Optional = (Mark::Bytes(detect::is_arrow), |input, _| super::arrow::read(input.bytes, &input.allowance));
#[cfg(not(feature = "arrow"))]
const ARROW: Optional = NONE;

by_name!(Format, "format");

impl Format {
    /// Returns the endings of file names, without the dot and in lower case. The first is the usual one.
    pub fn endings(self) -> &'static [&'static str] {
        self.row().endings
    }

    /// True for a format that is text.
    pub fn is_text(self) -> bool {
        !matches!(self.row().mark, Mark::Bytes(_))
    }

    /// True for a format whose columns have names and types, so that no table of it lies on its side or lacks a header.
    pub(super) fn has_types(self) -> bool {
        matches!(self, Format::Parquet | Format::Arrow | Format::Sqlite)
    }

    /// Returns the titles of all formats as a list for running text: "CSV, TSV, XLSX or HTML".
    pub fn titles() -> String {
        let mut titles: Vec<&str> = Format::ALL.iter().map(|format| format.title()).collect();
        titles.dedup();
        let (last, others) = titles.split_last().expect("there are formats");
        format!("{} or {last}", others.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_endings_are_of_one_format() {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        let endings: Vec<&str> = Format::ALL.iter().flat_map(|format| format.endings()).copied().collect();
        for list in [names, endings] {
            let mut different = list.clone();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), list.len(), "{list:?}");
            assert!(list.iter().all(|name| *name == name.to_ascii_lowercase()), "{list:?}");
        }
    }

    #[test]
    fn formats_are_read_by_name() {
        assert!(Format::ALL.iter().all(|format| format.name().to_uppercase().parse() == Ok(*format)));
        let unknown = "doc".parse::<Format>().expect_err("there is no such format");
        assert!(unknown.starts_with("there is no format \"doc\"; there are csv, tsv"), "{unknown}");
        assert_eq!(Format::titles(), "CSV, TSV, XLSX, XLS, ODS, Parquet, Arrow, SQLite, JSON, Markdown or HTML");
    }
}
