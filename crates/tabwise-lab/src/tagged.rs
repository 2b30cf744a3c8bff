//! Tagged files of the dataset: questions and tables with the annotation of a reference system, tab-separated, with a
//! header line.

use crate::dataset::list;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use tabwise::text::reference::{self, Reference};

/// Path of the tagged questions, from the folder of the dataset.
pub(crate) const QUESTIONS: &str = "tagged/data/pristine-seen-tables.tagged";

/// Names of the columns of a file.
pub(crate) struct Columns<'a> {
    names: Vec<&'a str>,
}

impl<'a> Columns<'a> {
    /// Reads the header line.
    pub(crate) fn of(content: &'a str) -> Columns<'a> {
        Columns { names: content.lines().next().unwrap_or("").split('\t').collect() }
    }

    /// The field of a line in a column; empty if there is none.
    pub(crate) fn get<'b>(&self, fields: &[&'b str], name: &str) -> &'b str {
        let at = self.names.iter().position(|n| *n == name);
        at.and_then(|at| fields.get(at)).copied().unwrap_or("")
    }
}

/// Paths of the tagged tables, sorted.
pub(crate) fn table_files(data: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in list(&data.join("tagged"))?.into_iter().filter(|path| path.to_string_lossy().ends_with("-tagged")) {
        files.extend(list(&folder)?.into_iter().filter(|file| file.extension().is_some_and(|e| e == "tagged")));
    }
    ensure!(!files.is_empty(), "{} has no tagged tables; --data must be the folder of the dataset", data.display());
    Ok(files)
}

/// The text of the file of tagged questions.
pub(crate) fn questions(data: &Path) -> Result<String> {
    let path = data.join(QUESTIONS);
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// The reference annotation of the dataset.
pub(crate) struct References {
    /// Annotated questions.
    pub questions: Vec<Reference>,
    /// Annotated cells.
    pub cells: Vec<Reference>,
}

/// Reads the annotation of all tagged questions and tables.
pub(crate) fn references(data: &Path) -> Result<References> {
    let mut cells = Vec::new();
    for file in table_files(data)? {
        let content = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        cells.extend(reference::read(&content, &table_name(&file)));
    }
    Ok(References { questions: reference::read(&questions(data)?, ""), cells })
}

/// The table of a tagged file as the questions name it: `203-csv/591` for `203-tagged/591.tagged`.
fn table_name(file: &Path) -> String {
    let names: Vec<_> = file.iter().rev().take(2).map(|name| name.to_string_lossy()).collect();
    match names.as_slice() {
        [name, folder] => format!("{}/{}", folder.replace("-tagged", "-csv"), name.trim_end_matches(".tagged")),
        _ => String::new(),
    }
}
