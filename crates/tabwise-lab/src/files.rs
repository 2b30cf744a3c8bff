//! Writing files so that each is there wholly or not at all, whatever interrupts the program.

use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a file: first beside it, then in its place, so that a reader never sees a part of it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let beside = with_ending(path, "part");
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().with_context(|| format!("{} cannot be written", path.display()))
}

/// The path with one more ending, so that `a.x` and `a.y` do not share a file.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}
