//! [`View`]: the columns of an engine's table as queries read them. A number, a text and a day are read as they are. A truth
//! is yes or no, and a moment is a day if all of the column's are at midnight. `NaN` and texts that mean a missing value are
//! `NULL`, and all spellings of a text are one, as far as the profile has seen them.

use super::{Declared, Type};
use crate::sql::{Dialect, Field, Literal};
use std::collections::BTreeMap;

/// A column that queries can read.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// Name in the engine.
    pub name: String,
    /// Type in the engine.
    pub kind: Type,
    /// True if some moment of the column has a time of day, some number is none (`NaN`), or some text is empty.
    pub is_odd: bool,
    /// Texts that are read as another one, or as missing.
    pub respelled: BTreeMap<String, Option<String>>,
}

/// Columns of a table as queries read them.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub dialect: Dialect,
    /// Name of the table in the engine.
    pub table: String,
    pub columns: Vec<Column>,
}

/// Number for each row by which rows are drawn.
const LOT: &str = "tabwise_lot";

impl View {
    /// The columns of a table that questions can be about.
    pub(crate) fn new(dialect: Dialect, table: &str, declared: &[Declared]) -> View {
        let known = declared.iter().filter(|column| column.kind != Type::Other);
        let column = |column: &Declared| Column {
            name: column.name.clone(),
            kind: column.kind,
            is_odd: true,
            respelled: BTreeMap::new(),
        };
        View { dialect, table: table.to_string(), columns: known.map(column).collect() }
    }

    /// Name as the dialect writes it.
    pub(crate) fn quoted(&self, name: &str) -> String {
        Literal::Name(name).in_dialect(self.dialect)
    }

    /// Text as the dialect writes it.
    pub(crate) fn text(&self, text: &str) -> String {
        Literal::Text(text).in_dialect(self.dialect)
    }

    /// Day as the dialect writes it.
    pub(crate) fn day(&self, day: &str) -> String {
        Literal::Day(day).in_dialect(self.dialect)
    }

    /// True if queries may read a field, which they call by this name, as it is in the engine.
    pub(crate) fn is_plain(&self, field: Field, name: &str) -> bool {
        self.field(field).is_some_and(|expression| expression == self.quoted(name))
    }

    /// Expression for a field; `None` if the engine has nothing for it.
    fn field(&self, field: Field) -> Option<String> {
        use crate::sql::{Part, Which};
        match field {
            Field::RowNumber => self.row_number(),
            Field::Cell(column) => Some(self.expression(&self.columns[usize::from(column.0)])),
            Field::Date(column, Which::Start, Part::Whole) => {
                let column = &self.columns[usize::from(column.0)];
                let name = self.quoted(&column.name);
                (column.kind == Type::Moment).then(|| match self.dialect {
                    Dialect::Sqlite => format!("DATE({name})"),
                    _ => format!("CAST({name} AS DATE)"),
                })
            }
            Field::Number(..) | Field::Date(..) | Field::Run(_) => None,
        }
    }

    /// Number of each row from 0, in engines whose tables have an order.
    fn row_number(&self) -> Option<String> {
        match self.dialect {
            Dialect::Sqlite => Some("ROW_NUMBER() OVER (ORDER BY rowid) - 1".to_string()),
            Dialect::Duckdb => Some("ROW_NUMBER() OVER () - 1".to_string()),
            Dialect::Postgres | Dialect::Spark => None,
        }
    }

    fn expression(&self, column: &Column) -> String {
        let name = self.quoted(&column.name);
        match (column.kind, self.dialect) {
            (Type::Truth, Dialect::Sqlite) => format!("CASE {name} WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END"),
            (Type::Truth, _) => format!("CASE WHEN {name} THEN 'yes' WHEN NOT {name} THEN 'no' END"),
            (Type::Moment, Dialect::Sqlite) if !column.is_odd => format!("DATE({name})"),
            (Type::Moment, _) if !column.is_odd => format!("CAST({name} AS DATE)"),
            (Type::Moment, Dialect::Duckdb) => format!("STRFTIME({name}, '%Y-%m-%d %H:%M:%S')"),
            (Type::Moment, Dialect::Spark) => format!("DATE_FORMAT({name}, 'yyyy-MM-dd HH:mm:ss')"),
            (Type::Number, Dialect::Duckdb | Dialect::Spark) if column.is_odd => {
                format!("CASE WHEN ISNAN({name}) THEN NULL ELSE {name} END")
            }
            // Averages of decimals are rounded by Spark.
            (Type::Decimal, Dialect::Spark) => format!("CAST({name} AS DOUBLE)"),
            _ => self.respelled(column, name),
        }
    }

    fn respelled(&self, column: &Column, name: String) -> String {
        if column.respelled.is_empty() {
            return name;
        }
        let mut spellings: BTreeMap<&Option<String>, Vec<String>> = BTreeMap::new();
        for (from, to) in &column.respelled {
            spellings.entry(to).or_default().push(self.text(from));
        }
        let case = |(to, from): (&Option<String>, Vec<String>)| {
            let to = to.as_ref().map_or("NULL".to_string(), |to| self.text(to));
            format!("WHEN {name} IN ({}) THEN {to}", from.join(", "))
        };
        let cases: Vec<String> = spellings.into_iter().map(case).collect();
        format!("CASE {} ELSE {name} END", cases.join(" "))
    }

    /// Query of these fields, under the names that queries know them by; `None` if the engine lacks one of them.
    pub(crate) fn select(&self, fields: impl Iterator<Item = (Field, String)>) -> Option<String> {
        let mut selected = Vec::new();
        for (field, name) in fields {
            let (expression, name) = (self.field(field)?, self.quoted(&name));
            selected.push(if expression == name { name } else { format!("{expression} AS {name}") });
        }
        let list = if selected.is_empty() { "1 AS row".to_string() } else { selected.join(", ") };
        Some(format!("SELECT {list} FROM {}", self.quoted(&self.table)))
    }

    /// All rows with a number by which they are drawn, as a table of a query.
    fn drawn(&self) -> String {
        let column = |column: &Column| format!("{} AS {}", self.expression(column), self.quoted(&column.name));
        let columns: Vec<String> = self.columns.iter().map(column).collect();
        let table = self.quoted(&self.table);
        format!("(SELECT {}, {} AS {LOT} FROM {table}) AS drawn", columns.join(", "), self.lot())
    }

    fn lot(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|column| self.quoted(&column.name)).collect();
        match self.dialect {
            // A prime, so that neighbours are far apart.
            Dialect::Sqlite => "rowid * 2654435761 % 4294967296".to_string(),
            Dialect::Duckdb => format!("CAST(HASH({}) % 4294967296 AS BIGINT)", names.join(", ")),
            Dialect::Postgres => format!("HASHTEXT(ROW({})::TEXT)", names.join(", ")),
            Dialect::Spark => format!("PMOD(XXHASH64({}), 4294967296)", names.join(", ")),
        }
    }

    /// Names of all columns, as a list.
    pub(crate) fn names(&self) -> String {
        self.columns.iter().map(|column| self.quoted(&column.name)).collect::<Vec<_>>().join(", ")
    }

    /// Query of some rows.
    pub(crate) fn of(&self, conditions: &str) -> String {
        format!("SELECT {} FROM {} {conditions}", self.names(), self.drawn())
    }

    /// Query of about this many of the rows, drawn by lot.
    pub(crate) fn draw(&self, wanted: usize, rows: usize) -> String {
        let most = (wanted as f64 / rows.max(1) as f64 * 4_294_967_296.0) as u64;
        self.of(&format!("WHERE {LOT} < {most}"))
    }

    /// Query of a row with the smallest and one with the largest value of each of these expressions, among the rows that
    /// meet a condition.
    pub(crate) fn extremes(&self, by: &[String], condition: &str) -> String {
        let pairs = by.iter().flat_map(|by| [("MIN", by), ("MAX", by)]);
        let one = |(function, by): (&str, &String)| self.best(function, by, condition);
        self.each(pairs.map(one).collect())
    }

    /// Query of a row for each different value of a column, at most this many.
    pub(crate) fn of_each(&self, by: &Column, most: usize) -> String {
        let by = self.quoted(&by.name);
        self.each(vec![self.best("MIN", LOT, &format!("WHERE {by} IS NOT NULL GROUP BY {by} LIMIT {most}"))])
    }

    /// The row with the smallest or largest value.
    fn best(&self, function: &str, by: &str, rest: &str) -> String {
        match self.dialect {
            // In SQLite, the other columns are those of the row with the extreme.
            Dialect::Sqlite => format!("SELECT {}, {function}({by}) FROM {} {rest}", self.names(), self.drawn()),
            _ => format!("SELECT {function}_BY({}, {by}) AS found FROM {} {rest}", self.record(), self.drawn()),
        }
    }

    /// All columns of a row as one value.
    fn record(&self) -> String {
        let names = || self.columns.iter().enumerate().map(|(at, column)| (at, self.quoted(&column.name)));
        match self.dialect {
            Dialect::Spark => {
                let fields: Vec<String> = names().map(|(at, name)| format!("'c{at}', {name}")).collect();
                format!("NAMED_STRUCT({})", fields.join(", "))
            }
            _ => {
                let fields: Vec<String> = names().map(|(at, name)| format!("'c{at}': {name}")).collect();
                format!("{{{}}}", fields.join(", "))
            }
        }
    }

    /// Lines of queries that [`View::best`] wrote, one after the other.
    fn each(&self, queries: Vec<String>) -> String {
        let names = match self.dialect {
            Dialect::Sqlite => self.names(),
            _ => (0..self.columns.len()).map(|at| format!("found.c{at}")).collect::<Vec<_>>().join(", "),
        };
        let lines: Vec<String> = queries.iter().map(|query| format!("SELECT {names} FROM ({query}) AS one")).collect();
        lines.join(" UNION ALL ")
    }

    /// Queries of rows one after the other.
    pub(crate) fn union(&self, conditions: &[String]) -> String {
        let one = |condition: &String| format!("SELECT {} FROM ({}) AS one", self.names(), self.of(condition));
        conditions.iter().map(one).collect::<Vec<_>>().join(" UNION ALL ")
    }

    /// End of a query that keeps this many of the rows, drawn by lot; those with most of `score` first.
    pub(crate) fn some(&self, score: Option<&str>, most: usize) -> String {
        let first = score.map(|score| format!("{score} DESC, ")).unwrap_or_default();
        format!("ORDER BY {first}{LOT} LIMIT {most}")
    }
}
