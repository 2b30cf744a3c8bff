//! SQL: a formula as one query over the stored table of a [`Schema`], in a [`Dialect`]. The query gives what the executor
//! gives, on a table that was loaded as [`create`] says: the source's columns, and a further one for each reading of a text
//! that the query needs. Few formulas cannot be said in SQL; then the error is one sentence with the reason.

mod create;
mod dialect;
mod print;
mod query;
mod schema;
mod write;

pub use create::create;
pub use dialect::Dialect;
pub(crate) use print::Literal;
pub use schema::{Amount, Datum, Facts, Field, Kind, Known, Part, Schema, Which};

use crate::formula::{FormulaId, Formulas};
use crate::graph::{ColumnId, Graph};
use std::collections::BTreeSet;

/// A formula as a query.
#[derive(Clone, Debug)]
pub struct Sql {
    /// Text of the query, without a semicolon.
    pub text: String,
    /// Columns that the query reads.
    pub fields: BTreeSet<Field>,
    /// Columns of whose texts it reads the parts, from a table of their own.
    pub parts: BTreeSet<ColumnId>,
    /// True if the order of the lines is part of the answer.
    pub is_ordered: bool,
}

impl Sql {
    /// Columns that are not in the source: numbers of rows, and readings of texts.
    pub fn made(&self) -> impl Iterator<Item = Field> + '_ {
        self.fields.iter().copied().filter(|field| !matches!(field, Field::Cell(_)))
    }

    /// Sentence on the columns that the source does not have; `None` if there are none.
    pub fn note(&self, schema: &Schema) -> Option<String> {
        let mut made: Vec<String> = self.made().map(|field| schema.name(field)).collect();
        made.extend(self.parts.iter().map(|column| schema.parts_table(*column)));
        let are = if made.len() == 1 { "is" } else { "are" };
        (!made.is_empty()).then(|| {
            format!(
                "{} {are} not in the source: `tabwise sql --create` writes the table that has {}",
                list(&made),
                them(&made)
            )
        })
    }
}

fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn them(names: &[String]) -> &'static str {
    if names.len() == 1 { "it" } else { "them" }
}

/// Reason why a formula cannot be said in SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsayable {
    /// A variable over values that no column lists.
    #[error("SQL has no short form for this formula: it tries every value of the table one after the other")]
    Everything,
    /// A condition that describes values without a column.
    #[error("SQL has no short form for this formula: it is about every text of the table, not about those of a column")]
    NoColumn,
    /// A path between rows and values that a query does not follow.
    #[error("SQL has no short form for this formula: it looks something up by what it looked up before")]
    Path,
    /// Dates of different precision.
    #[error("SQL has no short form for this formula: it computes with dates of which some lack a month or a day")]
    Dates,
    /// Years before the common era.
    #[error("SQL cannot say this: some dates of the column are before the year 1")]
    Ancient,
    /// Numbers and texts compared.
    #[error("SQL has no short form for this formula: it compares columns of different types")]
    Types,
    /// An operation that the dialect lacks.
    #[error("{0} has no median of groups")]
    Median(&'static str),
    /// A test of words that the table's texts make ambiguous.
    #[error("SQL has no short form for this test of words: LIKE would give other rows of this table")]
    Words,
    /// A formula that is not a list.
    #[error("only a formula of a list, a number, a table or a truth can be a query")]
    Relation,
    /// A formula beyond the limits.
    #[error("the formula is too large for a query")]
    TooLarge,
}

/// Writes a formula as a query.
pub fn query(
    formulas: &Formulas,
    graph: &Graph,
    schema: &Schema,
    id: FormulaId,
    dialect: Dialect,
) -> Result<Sql, Unsayable> {
    write::write(formulas, graph, schema, id, dialect)
}
