//! Errors as exceptions: one class for each thing that a caller may want to catch, all of them a `tabwise.Error`.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use tabwise::table::TableError as Unreadable;

create_exception!(tabwise, Error, PyException, "Base of all errors of this package.");
create_exception!(tabwise, TableError, Error, "A source that cannot be read as a table.");
create_exception!(tabwise, LimitError, Error, "A table or a question that needs more than a limit allows.");
create_exception!(tabwise, SqlError, Error, "An answer that a dialect of SQL cannot say.");
create_exception!(tabwise, EngineError, Error, "A query that an engine could not run.");

/// Adds the classes to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("TableError", py.get_type::<TableError>())?;
    module.add("LimitError", py.get_type::<LimitError>())?;
    module.add("SqlError", py.get_type::<SqlError>())?;
    module.add("EngineError", py.get_type::<EngineError>())
}

/// Exception for a source that cannot be read.
pub(crate) fn unreadable(error: Unreadable) -> PyErr {
    let cause = if let Unreadable::Part { error, .. } = &error { error } else { &error };
    match cause {
        Unreadable::TooLarge { .. } => LimitError::new_err(error.to_string()),
        _ => TableError::new_err(error.to_string()),
    }
}

/// Exception for too little memory.
pub(crate) fn exceeded(error: tabwise::Exceeded) -> PyErr {
    LimitError::new_err(error.to_string())
}

/// Exception for a query that an engine could not run.
pub(crate) fn refused(error: tabwise::engine::EngineError) -> PyErr {
    EngineError::new_err(error.to_string())
}

/// Exception for an argument with a value that it does not take.
pub(crate) fn argument(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}
