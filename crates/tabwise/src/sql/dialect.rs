//! Dialects: what one database says differently from another. A dialect is a row of a small table, [`Dialect::words`], and
//! a few functions; everything else of a query is the same for all.

use crate::named::named;

named! {
    /// A kind of SQL.
    pub enum Dialect is "dialect" {
        /// SQLite.
        Sqlite => "sqlite",
        /// DuckDB.
        Duckdb => "duckdb",
        /// PostgreSQL.
        Postgres => "postgres",
        /// Spark SQL.
        Spark => "spark",
    }
}

impl Default for Dialect {
    /// SQLite, which is everywhere.
    fn default() -> Dialect {
        Dialect::Sqlite
    }
}

/// What a dialect writes in its own way.
pub(super) struct Words {
    /// Sign around a name that needs quoting.
    pub quote: char,
    /// Types of whole numbers, of other numbers, of texts and of days.
    pub types: [&'static str; 4],
    /// True if dividing two whole numbers gives a fraction.
    pub divides: bool,
    /// True if a day is written `DATE '2010-05-12'`, not as a text.
    pub has_dates: bool,
    /// True if a name without quotes means the one in small letters.
    pub lowers: bool,
}

impl Dialect {
    pub(super) fn words(self) -> &'static Words {
        match self {
            Dialect::Sqlite => &Words {
                quote: '"',
                types: ["INTEGER", "REAL", "TEXT", "TEXT"],
                divides: false,
                has_dates: false,
                lowers: false,
            },
            Dialect::Duckdb => &Words {
                quote: '"',
                types: ["BIGINT", "DOUBLE", "VARCHAR", "DATE"],
                divides: true,
                has_dates: true,
                lowers: false,
            },
            Dialect::Postgres => &Words {
                quote: '"',
                types: ["BIGINT", "DOUBLE PRECISION", "TEXT", "DATE"],
                divides: false,
                has_dates: true,
                lowers: true,
            },
            Dialect::Spark => &Words {
                quote: '`',
                types: ["BIGINT", "DOUBLE", "STRING", "DATE"],
                divides: true,
                has_dates: true,
                lowers: false,
            },
        }
    }

    /// Part of a day as a whole number, or the days from one to another.
    pub(super) fn of_days(self, function: Function, of: &[String]) -> String {
        let of: Vec<&str> = of.iter().map(String::as_str).collect();
        match (self, function, of.as_slice()) {
            (Dialect::Sqlite, Function::Year, [day]) => format!("CAST(STRFTIME('%Y', {day}) AS INTEGER)"),
            (Dialect::Sqlite, Function::Month, [day]) => format!("CAST(STRFTIME('%m', {day}) AS INTEGER)"),
            (Dialect::Sqlite, Function::Day, [day]) => format!("CAST(STRFTIME('%d', {day}) AS INTEGER)"),
            // SQLite counts from 0 for Sunday.
            (Dialect::Sqlite, Function::Weekday, [day]) => format!("(STRFTIME('%w', {day}) + 6) % 7 + 1"),
            (Dialect::Sqlite, Function::DaysBetween, [a, b]) => format!("JULIANDAY({a}) - JULIANDAY({b})"),
            (Dialect::Spark, Function::Weekday, [day]) => format!("WEEKDAY({day}) + 1"),
            (Dialect::Spark, Function::DaysBetween, [a, b]) => format!("DATEDIFF({a}, {b})"),
            (_, Function::Year, [day]) => format!("EXTRACT(YEAR FROM {day})"),
            (_, Function::Month, [day]) => format!("EXTRACT(MONTH FROM {day})"),
            (_, Function::Day, [day]) => format!("EXTRACT(DAY FROM {day})"),
            (_, Function::Weekday, [day]) => format!("EXTRACT(ISODOW FROM {day})"),
            (_, Function::DaysBetween, [a, b]) => format!("{a} - {b}"),
            (_, _, arguments) => arguments.join(", "),
        }
    }
}

/// Functions of days that every dialect has by another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Year,
    Month,
    Day,
    /// From 1 for Monday.
    Weekday,
    DaysBetween,
}

/// Words that cannot be names without quotes in one of the dialects.
pub(super) const RESERVED: &[&str] = &[
    "all",
    "analyse",
    "analyze",
    "and",
    "anti",
    "any",
    "array",
    "as",
    "asc",
    "at",
    "between",
    "both",
    "by",
    "case",
    "cast",
    "check",
    "collate",
    "column",
    "commit",
    "constraint",
    "create",
    "cross",
    "current",
    "current_date",
    "current_time",
    "current_timestamp",
    "current_user",
    "default",
    "deferrable",
    "delete",
    "desc",
    "describe",
    "distinct",
    "do",
    "drop",
    "else",
    "end",
    "escape",
    "except",
    "exists",
    "explain",
    "false",
    "fetch",
    "filter",
    "for",
    "foreign",
    "from",
    "full",
    "function",
    "glob",
    "grant",
    "group",
    "having",
    "if",
    "in",
    "index",
    "initially",
    "inner",
    "insert",
    "intersect",
    "interval",
    "into",
    "is",
    "isnull",
    "join",
    "lateral",
    "leading",
    "left",
    "like",
    "limit",
    "localtime",
    "localtimestamp",
    "match",
    "minus",
    "natural",
    "not",
    "notnull",
    "null",
    "of",
    "offset",
    "on",
    "only",
    "or",
    "order",
    "outer",
    "over",
    "overlaps",
    "partition",
    "pivot",
    "placing",
    "position",
    "primary",
    "qualify",
    "references",
    "regexp",
    "returning",
    "right",
    "rlike",
    "rollback",
    "row",
    "rows",
    "select",
    "semi",
    "session_user",
    "set",
    "show",
    "similar",
    "some",
    "summarize",
    "symmetric",
    "table",
    "tablesample",
    "then",
    "time",
    "timestamp",
    "to",
    "trailing",
    "transaction",
    "true",
    "union",
    "unique",
    "unknown",
    "unpivot",
    "update",
    "user",
    "using",
    "values",
    "variadic",
    "view",
    "when",
    "where",
    "window",
    "with",
    "within",
];
