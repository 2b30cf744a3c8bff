//! Streams of Arrow data from other libraries, by the PyCapsule interface: any object with `__arrow_c_stream__` has one.
//! The data is not copied on the way.

use crate::error::TableError;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Takes the stream of an object.
pub(crate) fn of(source: &Bound<'_, PyAny>) -> PyResult<RecordBatchStreamReader> {
    let given = source.call_method0("__arrow_c_stream__")?;
    let capsule = given.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    taken(pointer.cast().as_ptr()).map_err(|error| TableError::new_err(error.to_string()))
}

/// Moves a stream out of its capsule, which then has nothing to release.
#[expect(unsafe_code, reason = "the interface is a pointer to a struct of C")]
fn taken(stream: *mut FFI_ArrowArrayStream) -> Result<RecordBatchStreamReader, ArrowError> {
    // SAFETY: a capsule of this name holds a stream as the interface defines it, which nobody else reads.
    unsafe { RecordBatchStreamReader::from_raw(stream) }
}
