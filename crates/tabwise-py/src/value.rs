//! Values of answers as objects of Python. What is computed is a number, a date or a truth. A cell is what its column's type
//! says; without types, a plain number or date is one, and everything else is text.

use arrow_schema::{DataType, Schema};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDate;
use tabwise::answer::{Sort, show_value};
use tabwise::engine::{Declared, Type};
use tabwise::graph::Graph;
use tabwise::value::{Date, Value};

/// Type of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Not known: the source is text, or mixed.
    Any,
    /// Text, whatever it looks like.
    Text,
    /// Yes or no.
    Truth,
}

/// Types of the columns that were read of a stream: those of its schema, except some that are left out.
pub(crate) fn kinds(schema: &Schema, header: &[String]) -> Vec<Kind> {
    let mut names = header.iter().peekable();
    let read = schema.fields().iter().filter(|field| names.next_if(|name| *name == field.name()).is_some());
    read.map(|field| kind(field.data_type())).collect()
}

/// Types of the columns of an engine that questions can be about.
pub(crate) fn of_declared(declared: &[Declared]) -> Vec<Kind> {
    let known = declared.iter().filter(|column| column.kind != Type::Other);
    let kind = |column: &Declared| match column.kind {
        Type::Text => Kind::Text,
        Type::Truth => Kind::Truth,
        Type::Whole | Type::Number | Type::Decimal | Type::Day | Type::Moment | Type::Other => Kind::Any,
    };
    known.map(kind).collect()
}

/// Makes an object of a value in a line of an engine.
pub(crate) fn of_line<'py>(py: Python<'py>, text: &str, sort: Sort, kind: Kind) -> PyResult<Bound<'py, PyAny>> {
    match (sort, text.parse()) {
        (Sort::Number, Ok(n)) => number(py, n),
        (Sort::Truth, _) => matches!(text, "1" | "yes" | "true").into_bound_py_any(py),
        (Sort::Date, _) => cell(py, text, Kind::Any),
        (Sort::Number | Sort::Cell, _) => cell(py, text, kind),
    }
}

fn kind(of: &DataType) -> Kind {
    match of {
        DataType::Boolean => Kind::Truth,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Kind::Text,
        DataType::Dictionary(_, values) => kind(values),
        _ => Kind::Any,
    }
}

/// Makes an object of a value; `kind` is the type of the column that a cell is in.
pub(crate) fn object<'py>(py: Python<'py>, graph: &Graph, value: Value, kind: Kind) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Number(n) => number(py, n),
        Value::Truth(truth) => truth.into_bound_py_any(py),
        Value::Date(date) => day(py, date).unwrap_or_else(|| show_value(graph, value).into_bound_py_any(py)),
        Value::Entity(_) => cell(py, &show_value(graph, value), kind),
    }
}

/// Makes an object of the text of a cell.
fn cell<'py>(py: Python<'py>, text: &str, kind: Kind) -> PyResult<Bound<'py, PyAny>> {
    match kind {
        Kind::Text => text.into_bound_py_any(py),
        Kind::Truth => (text == "yes").into_bound_py_any(py),
        Kind::Any => match (plain_number(text), plain_date(py, text)) {
            (Some(n), _) => number(py, n),
            (_, Some(date)) => Ok(date),
            _ => text.into_bound_py_any(py),
        },
    }
}

/// Largest whole number up to which every one has a float.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// A whole number is an `int`.
fn number(py: Python<'_>, n: f64) -> PyResult<Bound<'_, PyAny>> {
    match n.fract() == 0.0 && n.abs() <= WHOLE {
        true => (n as i64).into_bound_py_any(py),
        false => n.into_bound_py_any(py),
    }
}

/// A year is an `int`, a whole date a `date`; `None` for any other.
fn day(py: Python<'_>, date: Date) -> Option<PyResult<Bound<'_, PyAny>>> {
    match (date.year(), date.month(), date.day()) {
        (Some(year), Some(month), Some(day)) => Some(PyDate::new(py, year, month, day).ok()?.into_bound_py_any(py)),
        (Some(year), None, None) => Some(year.into_bound_py_any(py)),
        _ => None,
    }
}

/// Number that is written with digits only. One that begins with zeros is a code.
fn plain_number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && !digits.ends_with('.');
    let is_code = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    text.parse().ok().filter(|_| is_plain && !is_code && digits.starts_with(|c: char| c.is_ascii_digit()))
}

/// Date that is written `2010-05-12`.
fn plain_date<'py>(py: Python<'py>, text: &str) -> Option<Bound<'py, PyAny>> {
    let (year, rest) = text.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let is_plain = (year.len(), month.len(), day.len()) == (4, 2, 2);
    let date = PyDate::new(py, year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
    is_plain.then(|| date.into_any())
}
