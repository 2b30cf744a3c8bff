//! Files that a path stands for: itself, those of a folder, or those that match a pattern such as `sales/*.csv`. Several files
//! are one table.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Signs of a pattern.
const SIGNS: [char; 3] = ['*', '?', '['];

/// True for a path that is a pattern, and not the name of a file with such a sign.
pub(crate) fn is_pattern(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.contains(SIGNS)) && !path.exists()
}

/// Returns the files of a folder or a pattern, by name; `None` if the path is a file.
pub(crate) fn several(path: &Path) -> Result<Option<Vec<PathBuf>>> {
    let mut files = match (path.is_dir(), is_pattern(path)) {
        (true, _) => in_folder(path)?,
        (_, true) => matching(path)?,
        _ => return Ok(None),
    };
    files.sort();
    match (files.is_empty(), path.is_dir()) {
        (true, true) => bail!("there are no files in the folder {}", path.display()),
        (true, false) => bail!("no file matches {}", path.display()),
        _ => Ok(Some(files)),
    }
}

/// Files of a folder, without those that programs leave beside the files of a table, such as `_SUCCESS`.
fn in_folder(path: &Path) -> Result<Vec<PathBuf>> {
    let wrong = || format!("cannot list {}", path.display());
    let entries = path.read_dir().with_context(wrong)?;
    let paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().with_context(wrong)?;
    let is_hidden = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(['.', '_']));
    Ok(paths.into_iter().filter(|path| path.is_file() && !is_hidden(path)).collect())
}

fn matching(path: &Path) -> Result<Vec<PathBuf>> {
    let pattern = path.to_str().unwrap_or("");
    let found = glob::glob(pattern).with_context(|| format!("{pattern} is no pattern"))?;
    let found = found.collect::<Result<Vec<_>, _>>().with_context(|| format!("cannot list {pattern}"))?;
    Ok(found.into_iter().filter(|path| path.is_file()).collect())
}
