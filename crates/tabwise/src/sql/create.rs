//! The statements that make the stored table: `CREATE TABLE` with the source's columns and those that queries need, and
//! `INSERT` with their values.

use super::dialect::Dialect;
use super::print::{day_in, name_in, number_in, text_in};
use super::schema::{Datum, Field, Kind, Schema};
use crate::graph::ColumnId;
use std::fmt::{self, Write};

/// Rows of one `INSERT`.
const ROWS: usize = 500;

/// Writes the statements that make the table: all columns of the source, these further fields, and the tables of parts of
/// these columns.
pub fn create(
    schema: &Schema,
    fields: impl Iterator<Item = Field>,
    parts: impl Iterator<Item = ColumnId>,
    dialect: Dialect,
    out: &mut impl Write,
) -> fmt::Result {
    let further = fields.filter(|field| !matches!(field, Field::Cell(_)));
    let fields: Vec<Field> = schema.columns().chain(further).collect();
    let columns: Vec<(String, Kind)> = fields.iter().map(|field| (schema.name(*field), schema.kind(*field))).collect();
    let rows = 0..schema.graph().row_count();
    let row = |row: usize| fields.iter().map(|field| schema.value(*field, row)).collect::<Vec<Datum>>();
    table(schema.table(), &columns, rows.map(row), dialect, out)?;
    for column in parts {
        let columns = [(schema.name(Field::Cell(column)), Kind::Text), (schema.part_name(column), Kind::Text)];
        let text = |text: &str| Datum::Text(text.to_string());
        let pairs = schema.parts(column).into_iter().map(|(whole, part)| vec![text(whole), text(part)]);
        table(&schema.parts_table(column), &columns, pairs, dialect, out)?;
    }
    Ok(())
}

fn table(
    name: &str,
    columns: &[(String, Kind)],
    rows: impl Iterator<Item = Vec<Datum>>,
    dialect: Dialect,
    out: &mut impl Write,
) -> fmt::Result {
    let name = name_in(name, dialect);
    let declared: Vec<String> = columns
        .iter()
        .map(|(name, kind)| format!("    {} {}", name_in(name, dialect), type_of(*kind, dialect)))
        .collect();
    writeln!(out, "CREATE TABLE {name} (\n{}\n);", declared.join(",\n"))?;
    let mut written = 0;
    for row in rows {
        let values: Vec<String> = row.iter().map(|datum| datum_in(datum, dialect)).collect();
        out.write_str(match (written, written % ROWS) {
            (0, _) => "",
            (_, 0) => ";\n",
            _ => ",\n",
        })?;
        if written % ROWS == 0 {
            writeln!(out, "INSERT INTO {name} VALUES")?;
        }
        write!(out, "    ({})", values.join(", "))?;
        written += 1;
    }
    out.write_str(if written > 0 { ";\n" } else { "" })
}

fn type_of(kind: Kind, dialect: Dialect) -> &'static str {
    let [whole, number, text, day] = dialect.words().types;
    match kind {
        Kind::Whole => whole,
        Kind::Number => number,
        Kind::Text => text,
        Kind::Day => day,
    }
}

fn datum_in(datum: &Datum, dialect: Dialect) -> String {
    match datum {
        Datum::Null => "NULL".to_string(),
        Datum::Number(n) => number_in(*n),
        Datum::Text(text) => text_in(text, dialect),
        Datum::Day(day) => day_in(day, dialect),
    }
}
