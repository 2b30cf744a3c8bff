//! `Answer`: what was asked, the values as objects of Python, and what they were read from. It keeps its table, so that values,
//! queries and alternatives are made when they are looked at.

use crate::error::{SqlError, argument};
use crate::html;
use crate::source::{Place, Source};
use crate::value::{Kind, object, of_line};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::Arc;
use tabwise::answer::{Answer as Record, Found, Meaning, Sort};
use tabwise::execute::{Denotation, Executor, distinct};
use tabwise::formula::{FormulaId, Formulas, notation};
use tabwise::named::Named;
use tabwise::sql::{Dialect, Schema, create as write_create, query};

/// Answer to a question about a table.
///
/// ``value`` and ``values`` are objects of Python; ``str(answer)`` is what a person would be told. An answer that is too
/// unsure abstains: it has no value, but a ``guess`` and a ``hint``.
#[pyclass(frozen, module = "tabwise")]
pub(crate) struct Answer {
    source: Arc<Source>,
    record: Arc<Record>,
    /// Number of the meaning; 0 is the answer itself.
    number: usize,
    /// Results of the meanings, if an engine ran them.
    found: Arc<Vec<Found>>,
}

impl Answer {
    /// An answer to a question about this table.
    pub(crate) fn new(source: Arc<Source>, record: Record, found: Vec<Found>) -> Answer {
        Answer { source, record: Arc::new(record), number: 0, found: Arc::new(found) }
    }

    /// The meaning of the question; `None` if no formula fits it.
    fn meaning(&self) -> Option<&Meaning> {
        self.record.meanings.get(self.number)
    }

    /// Reads the formula of the meaning.
    fn formula_id(&self) -> Option<(Formulas, FormulaId)> {
        let mut formulas = Formulas::new();
        let formula = &self.meaning()?.formula;
        let id = notation::read(formula, &self.source.prepared().graph, &mut formulas).ok()?;
        Some((formulas, id))
    }

    /// Values of the meaning, each once; those of a table of groups are pairs.
    fn found<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let graph = &self.source.prepared().graph;
        if let Some(found) = self.found.get(self.number) {
            return self.in_lines(py, found);
        }
        let Some((formulas, id)) = self.formula_id() else { return Ok(Vec::new()) };
        let denotation = Executor::new(graph, formulas).denote(id);
        let kind = self.kind();
        match denotation.as_deref() {
            Ok(Denotation::Values(items)) => {
                distinct(items).into_iter().map(|value| object(py, graph, value, kind)).collect()
            }
            Ok(Denotation::Groups(groups)) => groups.iter().map(|group| self.pair(py, group)).collect(),
            _ => Ok(Vec::new()),
        }
    }

    /// Values in the lines of an engine, each once; groups are pairs.
    fn in_lines<'py>(&self, py: Python<'py>, found: &Found) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let kind =
            |at: usize| found.columns.get(at).copied().flatten().map_or(Kind::Any, |column| self.source.kinds[column]);
        let object = |at: usize, text: &Option<String>| {
            let sort = found.sorts.get(at).copied().unwrap_or(Sort::Cell);
            of_line(py, text.as_deref().unwrap_or_default(), sort, kind(at))
        };
        let mut values: Vec<Bound<PyAny>> = Vec::new();
        for group in found.lines.chunk_by(|a, b| a.len() == 2 && a[0] == b[0]) {
            let partners = group.iter().filter(|line| line.len() == 2).map(|line| object(1, &line[1]));
            let partners = partners.collect::<PyResult<Vec<_>>>()?;
            let Some(first) = group.first().and_then(|line| line.first()) else { continue };
            let first = object(0, first)?;
            values.push(match partners.is_empty() {
                true => first,
                false => PyTuple::new(py, [first, one_or_list(py, partners)?])?.into_any(),
            });
        }
        Ok(values)
    }

    /// A group: its key with its value, or with a list of several.
    fn pair<'py>(&self, py: Python<'py>, group: &tabwise::execute::Group) -> PyResult<Bound<'py, PyAny>> {
        let graph = &self.source.prepared().graph;
        let key = object(py, graph, group.key.value, Kind::Any)?;
        let values = distinct(&group.values).into_iter().map(|value| object(py, graph, value, Kind::Any));
        let value = one_or_list(py, values.collect::<PyResult<_>>()?)?;
        Ok(PyTuple::new(py, [key, value])?.into_any())
    }

    /// Type of the column that the values are cells of.
    fn kind(&self) -> Kind {
        self.column().map_or(Kind::Any, |column| self.source.kinds[column])
    }

    /// The column that all cells of the answer are in.
    fn column(&self) -> Option<usize> {
        if let Some(found) = self.found.get(self.number) {
            return found.columns.first().copied().flatten();
        }
        let cells = &self.meaning()?.cells;
        let column = cells.first()?[1];
        cells.iter().all(|cell| cell[1] == column).then_some(column as usize)
    }

    fn sql_of_engine(&self, own: Dialect, wanted: Option<&str>) -> PyResult<String> {
        if let Some(other) = wanted.filter(|wanted| *wanted != own.name()) {
            let message = format!("this table is in an engine whose queries are in {}, not in {other}", own.name());
            return Err(SqlError::new_err(message));
        }
        let none = || SqlError::new_err("there is no query, because no formula fits the question");
        self.found.get(self.number).map(|found| found.sql.clone()).ok_or_else(none)
    }

    fn places<'py>(&self, py: Python<'py>, cells: &[[u32; 2]]) -> PyResult<Bound<'py, PyList>> {
        let class = py.import("tabwise._cell")?.getattr("Cell")?;
        let cell = |&[row, column]: &[u32; 2]| {
            let (row, column) = (row as usize, column as usize);
            class.call1((row, column, &self.source.text.header()[column], self.source.text.cell(row, column)))
        };
        PyList::new(py, cells.iter().map(cell).collect::<PyResult<Vec<_>>>()?)
    }
}

#[pymethods]
impl Answer {
    /// The question as it was asked.
    #[getter]
    fn question(&self) -> &str {
        &self.record.question
    }

    /// The answer: a value if there is one, a list if there are several, ``None`` if it abstains.
    ///
    /// A value is an ``int``, ``float``, ``datetime.date``, ``bool`` or ``str``; of a table of groups, a pair.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        one_or_list(py, if self.abstains() { Vec::new() } else { self.found(py)? })
    }

    /// The values of the answer as a list; empty if it abstains.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, if self.abstains() { Vec::new() } else { self.found(py)? })
    }

    /// The values that it would have given, if it abstains.
    #[getter]
    fn guess<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, if self.abstains() { self.found(py)? } else { Vec::new() })
    }

    /// Probability that the answer is right, from 0 to 1.
    #[getter]
    fn confidence(&self) -> f64 {
        self.meaning().map_or(0.0, |meaning| meaning.confidence)
    }

    /// True if there is no answer, or it is too unsure.
    #[getter]
    fn abstains(&self) -> bool {
        self.number == 0 && self.record.abstains
    }

    /// Advice, if it abstains.
    #[getter]
    fn hint(&self) -> Option<&str> {
        self.record.hint.as_deref().filter(|_| self.abstains())
    }

    /// The answer as a sentence: how it is found in the table.
    #[getter]
    fn english(&self) -> &str {
        self.meaning().map_or("", |meaning| &meaning.english)
    }

    /// The formula behind the answer.
    #[getter]
    fn formula(&self) -> &str {
        self.meaning().map_or("", |meaning| &meaning.formula)
    }

    /// The parts of the sentence one after the other, each with what it gives.
    #[getter]
    fn steps(&self) -> Vec<(String, Vec<String>)> {
        let steps = self.meaning().map_or(&[][..], |meaning| &meaning.steps);
        steps.iter().map(|step| (step.english.clone(), step.result.clone())).collect()
    }

    /// The cells that the answer is read or computed from.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.places(py, self.meaning().map_or(&[], |meaning| &meaning.cells))
    }

    /// The cells that conditions and orders looked at.
    #[getter]
    fn used<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.places(py, self.meaning().map_or(&[], |meaning| &meaning.used))
    }

    /// Words of the question that the answer does not use.
    #[getter]
    fn unused(&self) -> Vec<String> {
        let words = self.record.unused.iter().filter(|_| self.number == 0);
        words.map(|word| word.text.clone()).collect()
    }

    /// Notes on how the table was read, one sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.record.notes.clone()
    }

    /// Other answers that the question may have, the most probable first.
    #[getter]
    fn alternatives(&self) -> Vec<Answer> {
        let others = (0..self.record.meanings.len()).filter(|number| self.number == 0 && *number > 0);
        let other = |number| Answer {
            source: self.source.clone(),
            record: self.record.clone(),
            number,
            found: self.found.clone(),
        };
        others.map(other).collect()
    }

    /// The answer as a query for ``"sqlite"``, ``"duckdb"``, ``"postgres"`` or ``"spark"``.
    ///
    /// The table has the name that it was read with. Where the query reads a column that the source does not have, such as
    /// the number in "3rd", a comment says so; ``create=True`` puts the statements that make the table before it.
    /// Raises ``SqlError`` if the dialect cannot say it.
    /// A table that stays in an engine has the query that the engine ran, in its dialect, which is the default there.
    #[pyo3(signature = (dialect = None, *, create = false))]
    fn sql(&self, dialect: Option<&str>, create: bool) -> PyResult<String> {
        if let Place::Engine(held) = &self.source.place {
            return self.sql_of_engine(held.dialect(), dialect);
        }
        let dialect = dialect.unwrap_or(Dialect::default().name());
        let known = || Dialect::ALL.iter().map(|one| one.name()).collect::<Vec<_>>().join(", ");
        let unknown = || argument(format!("there is no dialect \"{dialect}\"; there are {}", known()));
        let dialect = Dialect::named(dialect).ok_or_else(unknown)?;
        let prepared = self.source.prepared();
        let none = || SqlError::new_err("there is no query, because no formula fits the question");
        let (formulas, id) = self.formula_id().ok_or_else(none)?;
        let schema = Schema::knowing(&prepared.graph, &prepared.name, &prepared.known);
        let sql = query(&formulas, &prepared.graph, &schema, id, dialect);
        let sql = sql.map_err(|reason| SqlError::new_err(reason.to_string()))?;
        let mut script = String::new();
        if create {
            let parts = sql.parts.iter().copied();
            let made = write_create(&schema, sql.made(), parts, dialect, &mut script);
            made.expect("writing to a string does not fail");
            return Ok(script + "\n" + &sql.text);
        }
        let note = sql.note(&schema).map(|note| format!("-- {}\n", note.replace(['\n', '\r'], " ")));
        Ok(note.unwrap_or_default() + &sql.text)
    }

    /// The answer as a pandas ``DataFrame``: a column of values, or the groups with theirs. Needs pandas.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let groups = self.meaning().and_then(|meaning| meaning.table.as_ref());
        let columns = match (groups, self.column()) {
            (Some(groups), _) => groups.header.clone(),
            (None, Some(column)) => vec![self.source.text.header()[column].clone()],
            (None, None) => vec!["answer".to_owned()],
        };
        let named = PyDict::new(py);
        named.set_item("columns", columns)?;
        py.import("pandas")?.getattr("DataFrame")?.call((self.values(py)?,), Some(&named))
    }

    /// The whole answer as a dictionary, with the fields that ``tabwise ask --json`` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = match (self.number, self.meaning()) {
            (1.., Some(meaning)) => serde_json::to_string(meaning),
            _ => serde_json::to_string(&*self.record),
        };
        py.import("json")?.call_method1("loads", (json.expect("an answer is plain data"),))
    }

    fn __str__(&self) -> String {
        match (self.abstains(), self.meaning()) {
            (false, Some(meaning)) => meaning.answer.join(", "),
            _ => self.record.to_string(),
        }
    }

    fn __repr__(&self) -> String {
        let sure = format!("{:.0} % sure", 100.0 * self.confidence());
        match (self.abstains(), self.meaning()) {
            (false, _) => format!("<tabwise.Answer {:?}, {sure}: {}>", self.__str__(), self.english()),
            (true, Some(meaning)) => {
                format!("<tabwise.Answer: none; a guess is {:?}, {sure}>", meaning.answer.join(", "))
            }
            (true, None) => "<tabwise.Answer: none>".to_owned(),
        }
    }

    fn _repr_html_(&self) -> String {
        let Some(meaning) = self.meaning() else {
            return html::note(&self.__str__(), self.hint().unwrap_or(""));
        };
        let sure = format!("{:.0} % sure", 100.0 * meaning.confidence);
        let below = match self.hint() {
            Some(hint) => format!("{sure}; a guess is {}; {hint}", meaning.answer.join(", ")),
            None => sure,
        };
        html::answer(&self.__str__(), meaning, &below, &self.source.text)
    }
}

/// One object as it is, several as a list, none as `None`.
fn one_or_list<'py>(py: Python<'py>, mut values: Vec<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
    match values.len() {
        0 => Ok(py.None().into_bound(py)),
        1 => Ok(values.remove(0)),
        _ => Ok(PyList::new(py, values)?.into_any()),
    }
}
