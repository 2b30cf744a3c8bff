//! The native part of the Python package `tabwise`: tables made ready for questions, and answers. What a source is, and how
//! its values become cells, is decided in Python (`python/tabwise/_sources.py`); here is what takes time, done without the
//! interpreter's lock.

mod answer;
mod engine;
mod error;
mod html;
mod read;
mod source;
mod stream;
mod table;
mod value;

use pyo3::prelude::*;
use tabwise::table::is_of_reader;

#[pymodule]
fn _tabwise(module: &Bound<'_, PyModule>) -> PyResult<()> {
    hush_readers();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<table::Table>()?;
    module.add_class::<answer::Answer>()?;
    module.add_function(wrap_pyfunction!(read::read_parts, module)?)?;
    module.add_function(wrap_pyfunction!(read::read_stream, module)?)?;
    module.add_function(wrap_pyfunction!(read::read_rows, module)?)?;
    module.add_function(wrap_pyfunction!(engine::read_engine, module)?)?;
    error::add(module)
}

/// Says nothing of a panic in a library that reads files: it becomes an error of the file.
fn hush_readers() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !is_of_reader(panic) {
            usual(panic);
        }
    }));
}
