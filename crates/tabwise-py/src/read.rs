//! Reading: bytes of files, streams of Arrow data, and rows of text, each made into a [`Table`].

use crate::error::{LimitError, argument, unreadable};
use crate::stream;
use crate::table::Table;
use crate::value::{Kind, kinds};
use arrow_array::RecordBatchReader;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tabwise::table::{Choice, Header, Limits, Parts, ReadSettings, Repairs, Table as Text, from_batches, read};

/// Reads the bytes of files, each with its name; several are parts of one table.
#[pyfunction]
#[pyo3(signature = (parts, name, options, limits))]
pub(crate) fn read_parts(
    py: Python,
    parts: Vec<(Vec<u8>, String)>,
    name: Option<&str>,
    options: &Bound<'_, PyDict>,
    limits: &Bound<'_, PyDict>,
) -> PyResult<Table> {
    let settings = ReadSettings { limits: limits_of(limits)?, ..settings(options)? };
    let text = py.detach(|| match &parts[..] {
        [(bytes, name)] => read(bytes, Some(name), &settings),
        parts => {
            let mut all = Parts::new(&settings);
            parts.iter().try_for_each(|(bytes, name)| all.add(bytes, name))?;
            all.finish()
        }
    });
    Table::new(py, text.map_err(unreadable)?, name, Vec::new(), &settings.limits)
}

/// Reads an object that has a stream of Arrow data.
#[pyfunction]
pub(crate) fn read_stream(
    py: Python,
    source: &Bound<'_, PyAny>,
    name: Option<&str>,
    limits: &Bound<'_, PyDict>,
) -> PyResult<Table> {
    let limits = limits_of(limits)?;
    let stream = stream::of(source)?;
    let schema = stream.schema();
    let text = py.detach(|| from_batches(stream, &limits)).map_err(unreadable)?;
    let kinds = kinds(&schema, text.header());
    Table::new(py, text, name, kinds, &limits)
}

/// Reads rows of texts. `texts` are the columns that hold nothing but text.
#[pyfunction]
pub(crate) fn read_rows(
    py: Python,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    texts: Vec<bool>,
    name: Option<&str>,
    limits: &Bound<'_, PyDict>,
) -> PyResult<Table> {
    let limits = limits_of(limits)?;
    let cells = rows.len().saturating_mul(header.len());
    if cells > limits.cells {
        let message =
            format!("a table of {cells} cells is more than the limit of {}; raise the limit \"cells\"", limits.cells);
        return Err(LimitError::new_err(message));
    }
    let mut text = Text::new(header);
    rows.iter().for_each(|row| text.push_row(row));
    let kinds = texts.into_iter().map(|is_text| if is_text { Kind::Text } else { Kind::Any });
    Table::new(py, text, name, kinds.collect(), &limits)
}

/// Settings by the names of arguments. Those that are not given have their defaults.
fn settings(options: &Bound<'_, PyDict>) -> PyResult<ReadSettings> {
    let mut settings = ReadSettings::default();
    for (name, value) in options.iter() {
        let name: String = name.extract()?;
        match name.as_str() {
            "format" => settings.format = Some(value.extract::<String>()?.parse().map_err(argument)?),
            "encoding" => settings.encoding = value.extract()?,
            "delimiter" => settings.delimiter = Some(delimiter(&value.extract::<String>()?)?),
            "sheet" => settings.sheet = Some(choice(&value)?),
            "table" => settings.table = Some(choice(&value)?),
            "select" => settings.select = value.extract()?,
            "orientation" => settings.orientation = value.extract::<String>()?.parse().map_err(argument)?,
            "repair" if !value.extract::<bool>()? => settings.repairs = Repairs::NONE,
            "header" if !value.extract::<bool>()? => settings.header = Header::None,
            "repair" | "header" => {}
            _ => return Err(argument(format!("there is no option \"{name}\""))),
        }
    }
    Ok(settings)
}

/// A number is a position, a text a name.
fn choice(value: &Bound<'_, PyAny>) -> PyResult<Choice> {
    match value.extract::<usize>() {
        Ok(number) => Ok(Choice::Number(number)),
        Err(_) => Ok(Choice::Text(value.extract()?)),
    }
}

fn delimiter(text: &str) -> PyResult<u8> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err(argument("a delimiter is one ASCII character")),
    }
}

/// Limits by the names that errors use, such as `cell-bytes`.
fn limits_of(given: &Bound<'_, PyDict>) -> PyResult<Limits> {
    let mut limits = Limits::default();
    for (name, value) in given.iter() {
        let (name, value): (String, u64) = (name.extract()?, value.extract()?);
        let size = usize::try_from(value).unwrap_or(usize::MAX);
        match name.replace('_', "-").as_str() {
            "memory" => limits.memory = value,
            "steps" => limits.steps = value,
            "bytes" => limits.bytes = value,
            "page-bytes" => limits.page_bytes = value,
            "unpacked-bytes" => limits.unpacked_bytes = value,
            "cell-bytes" => limits.cell_bytes = value,
            "cells" => limits.cells = size,
            "columns" => limits.columns = size,
            "sheets" => limits.sheets = size,
            "depth" => limits.depth = size,
            "nodes" => limits.nodes = size,
            _ => return Err(argument(format!("there is no limit \"{name}\""))),
        }
    }
    Ok(limits)
}
