//! Atomic writing of files: after an interruption, a file is complete or absent. What is no file, such as `/dev/stdout` or a pipe, is
//! written to as it is, and a link stays a link.

use anyhow::{Context, Result, bail};
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a file under a temporary name and renames it, so that nobody ever sees a part of it. Creates its folder.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let written = match fs::metadata(path) {
        // A name that takes the place of a device or a pipe would remove it.
        Ok(about) if !about.is_file() => fs::write(path, bytes),
        Ok(_) => fs::canonicalize(path).and_then(|file| replace(&file, bytes)),
        Err(_) => replace(path, bytes),
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file that is none yet, or that is replaced.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let beside = with_ending(path, "part");
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    if let Err(error) = write() {
        // A full disk has no room for half a file.
        fs::remove_file(&beside).ok();
        return Err(error);
    }
    sync_folder(path.parent().unwrap_or(Path::new("")))
}

/// Makes sure that a new name of a folder is on disk.
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // Some systems do not open folders; there the name is safe when the system says so.
    File::open(folder).and_then(|folder| folder.sync_all()).or(Ok(()))
}

/// The right to write a file, which one process has at a time. Another that asks for it gets an error.
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock of a file that is going to be written. Creates its folder.
    pub(crate) fn take(of: &Path) -> Result<Lock> {
        let folder = of.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        let path = with_ending(of, "lock");
        let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => bail!("another process is writing {}; give another --out", of.display()),
            // A file system without locks has one user at a time.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Lock { file, path }),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is held, so that no other process has it by then.
        fs::remove_file(&self.path).ok();
        self.file.unlock().ok();
    }
}

/// The path with one more extension. (`Path::with_extension` would give `a.x` and `a.y` the same name.)
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_stay_what_they_are() {
        use std::os::unix::{fs::FileTypeExt, net::UnixListener};
        let folder = std::env::temp_dir().join(format!("tabwise-links-{}", std::process::id()));
        let [file, link, socket] = ["model.bin", "latest.bin", "socket"].map(|name| folder.join(name));
        write_whole(&file, b"old").expect("it can be written");
        std::os::unix::fs::symlink("model.bin", &link).expect("a link can be made");
        write_whole(&link, b"new").expect("it can be written");
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).expect("it can be read"), b"new");
        // Nothing can be written to a socket by its name, and it must not be replaced either.
        let _listener = UnixListener::bind(&socket).expect("a socket can be made");
        assert!(write_whole(&socket, b"new").is_err());
        assert!(fs::metadata(&socket).expect("it is there").file_type().is_socket());
        fs::remove_dir_all(&folder).expect("the folder can be removed");
    }

    #[test]
    fn a_file_has_one_writer_at_a_time() {
        let folder = std::env::temp_dir().join(format!("tabwise-lock-{}", std::process::id()));
        let out = folder.join("model.bin");
        let first = Lock::take(&out).expect("nobody else writes it");
        assert!(Lock::take(&out).is_err());
        drop(first);
        drop(Lock::take(&out).expect("it is free again"));
        fs::remove_dir(&folder).expect("no lock is left");
    }
}
