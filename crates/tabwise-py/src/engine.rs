//! Engines of Python: an object with the name of its dialect, the name of its table, `columns()` and `run(sql)`. The classes
//! are in `python/tabwise/_engines.py`.

use crate::error::argument;
use crate::table::Table;
use pyo3::prelude::*;
use tabwise::engine::{Declared, Engine, EngineError, Lines, Type};
use tabwise::named::Named;
use tabwise::sql::Dialect;

/// An engine that is an object of Python.
struct PyEngine {
    object: Py<PyAny>,
    dialect: Dialect,
    table: String,
}

/// Makes the table of an engine ready: it is profiled, and stays where it is.
#[pyfunction]
pub(crate) fn read_engine(py: Python, engine: Py<PyAny>) -> PyResult<Table> {
    let dialect: String = engine.getattr(py, "dialect")?.extract(py)?;
    let table = engine.getattr(py, "table")?.extract(py)?;
    let unknown = || argument(format!("there is no dialect \"{dialect}\""));
    let dialect = Dialect::named(&dialect).ok_or_else(unknown)?;
    Table::of_engine(py, Box::new(PyEngine { object: engine, dialect, table }))
}

impl PyEngine {
    fn failed(&self, py: Python, error: &PyErr) -> EngineError {
        let reason = error.value(py).to_string();
        // The rest of what Spark says is a trace of its calls.
        let first = reason.lines().take_while(|line| !line.starts_with("JVM stacktrace")).take(8).collect::<Vec<_>>();
        EngineError { engine: self.dialect.name().to_owned(), table: self.table.clone(), reason: first.join(" ") }
    }

    fn call<T>(&self, call: impl FnOnce(Python) -> PyResult<T>) -> Result<T, EngineError> {
        Python::attach(|py| call(py).map_err(|error| self.failed(py, &error)))
    }
}

impl Engine for PyEngine {
    fn dialect(&self) -> Dialect {
        self.dialect
    }

    fn table(&self) -> &str {
        &self.table
    }

    fn columns(&self) -> Result<Vec<Declared>, EngineError> {
        let columns: Vec<(String, String)> = self.call(|py| self.object.call_method0(py, "columns")?.extract(py))?;
        Ok(columns.into_iter().map(|(name, kind)| Declared { name, kind: kind_of(&kind) }).collect())
    }

    fn run(&self, sql: &str) -> Result<Lines, EngineError> {
        self.call(|py| self.object.call_method1(py, "run", (sql,))?.extract(py))
    }
}

/// Type by its name.
fn kind_of(name: &str) -> Type {
    match name {
        "whole" => Type::Whole,
        "number" => Type::Number,
        "decimal" => Type::Decimal,
        "text" => Type::Text,
        "day" => Type::Day,
        "moment" => Type::Moment,
        "truth" => Type::Truth,
        _ => Type::Other,
    }
}
