//! `Table`: a table made ready for questions.

use crate::answer::Answer;
use crate::error::{TableError, argument, exceeded, refused};
use crate::html;
use crate::source::{Place, Source};
use crate::value::{Kind, of_declared};
use pyo3::prelude::*;
use std::sync::{Arc, LazyLock};
use tabwise::answer::{Asker, HeldTable, Knowledge, Wanted};
use tabwise::engine::Engine;
use tabwise::table::{Limits, Table as Text};
use tabwise::{Model, Settings};

/// Answers with the reader, as the program does.
static ASKER: LazyLock<Asker> = LazyLock::new(Asker::embedded);

/// Answers without the reader.
static FAST: LazyLock<Asker> = LazyLock::new(|| {
    let model = Model::embedded();
    let settings = Settings { reader: false, ..model.settings.clone() };
    Asker::with_settings(Knowledge::embedded(), model, settings).expect("the embedded model is tested")
});

/// A table made ready for questions. Make one with `tabwise.read`.
///
/// Asking is the same from any number of threads: the interpreter is free meanwhile.
#[pyclass(frozen, module = "tabwise")]
pub(crate) struct Table(Arc<Source>);

impl Table {
    /// Makes a table ready, without the interpreter's lock.
    pub(crate) fn new(
        py: Python,
        text: Text,
        name: Option<&str>,
        kinds: Vec<Kind>,
        limits: &Limits,
    ) -> PyResult<Table> {
        let mut prepared = py.detach(|| ASKER.prepare_within(&text, limits.budget())).map_err(exceeded)?;
        name.into_iter().for_each(|name| prepared.name = name.to_owned());
        let kinds = if kinds.len() == text.column_count() { kinds } else { vec![Kind::Any; text.column_count()] };
        Ok(Table(Arc::new(Source { text, kinds, place: Place::Memory(Box::new(prepared)) })))
    }

    /// Profiles the table of an engine, without the interpreter's lock.
    pub(crate) fn of_engine(py: Python, engine: Box<dyn Engine>) -> PyResult<Table> {
        let declared = py.detach(|| engine.columns()).map_err(refused)?;
        let held = py.detach(|| HeldTable::new(engine, &ASKER)).map_err(refused)?;
        let text = held.held().sample().clone();
        let kinds = of_declared(&declared);
        Ok(Table(Arc::new(Source { text, kinds, place: Place::Engine(Box::new(held)) })))
    }
}

#[pymethods]
impl Table {
    /// Answers a question in English.
    ///
    /// Below ``min_confidence`` the answer abstains: it has no value, but a ``guess`` and a ``hint``. ``alternatives`` is the
    /// number of other meanings of the question that are given. ``fast`` leaves out the reader, which ranks the best
    /// candidates a second time: an answer takes a few milliseconds then, and is less often right.
    #[pyo3(signature = (question, *, min_confidence = Wanted::MIN_CONFIDENCE, alternatives = 3, fast = false))]
    fn ask(
        &self,
        py: Python,
        question: &str,
        min_confidence: f64,
        alternatives: usize,
        fast: bool,
    ) -> PyResult<Answer> {
        if !(0.0..=1.0).contains(&min_confidence) {
            return Err(argument("min_confidence is a number from 0 to 1"));
        }
        let wanted = Wanted { min_confidence, meanings: alternatives.saturating_add(1), ..Wanted::default() };
        let asker: &Asker = if fast { &FAST } else { &ASKER };
        let question = question.trim();
        match &self.0.place {
            Place::Memory(prepared) => {
                let answer = py.detach(|| asker.try_ask(prepared, question, &wanted)).map_err(exceeded)?;
                Ok(Answer::new(self.0.clone(), answer, Vec::new()))
            }
            Place::Engine(held) => {
                let told = py.detach(|| asker.ask_held(held, question, &wanted)).map_err(refused)?;
                Ok(Answer::new(self.0.clone(), told.answer, told.found))
            }
        }
    }

    /// Name of the table, which queries use.
    #[getter]
    fn name(&self) -> &str {
        &self.0.prepared().name
    }

    /// Names of the columns as in the source: they may be empty and may repeat.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.text.header().to_vec()
    }

    /// Number of rows and of columns.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.0.row_count(), self.0.text.column_count())
    }

    /// Notes on how the table was read, one sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.prepared().notes.clone()
    }

    /// Returns a row as the texts of its cells; -1 is the last. Rows of a long table in an engine stay there.
    fn row(&self, index: isize) -> PyResult<Vec<String>> {
        if !self.0.is_whole() {
            return Err(TableError::new_err("the rows of this table stay in its engine; select them there"));
        }
        let count = self.0.text.row_count();
        let at = if index < 0 { count.checked_add_signed(index) } else { usize::try_from(index).ok() };
        let at = at.filter(|at| *at < count);
        let at = at.ok_or_else(|| pyo3::exceptions::PyIndexError::new_err(format!("there are {count} rows")))?;
        Ok(self.0.text.row(at).map(str::to_owned).collect())
    }

    fn __len__(&self) -> usize {
        self.0.row_count()
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = self.shape();
        format!("<tabwise.Table \"{}\": {rows} rows, {columns} columns>", self.name())
    }

    fn _repr_html_(&self) -> String {
        html::table(&self.0.text, self.0.row_count())
    }
}
