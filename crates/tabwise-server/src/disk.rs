//! What `--store DIR` keeps on disk, so that tables and links survive a restart: the bytes of each table with the settings
//! to read it, one line for each link, and the secret key of the ids. Files are written whole and then renamed, and lines
//! are appended, so a killed server leaves nothing half-written that would be read.

use crate::store::{Key, Link};
use crate::wire::Reading;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Folder with tables and links.
pub(crate) struct Disk {
    folder: PathBuf,
    links: Mutex<File>,
    /// Bytes of all tables.
    bytes: AtomicU64,
    /// Most bytes of all tables.
    most: u64,
}

/// A folder that was opened, with what has to be known at once.
pub(crate) struct Opened {
    pub disk: Disk,
    /// Secret of the ids.
    pub key: Key,
    /// Newest links, by id.
    pub links: Vec<(String, Link)>,
}

/// A table as it was sent.
pub(crate) struct SentTable {
    pub bytes: Vec<u8>,
    pub name: String,
    pub reading: Reading,
}

/// Name and settings of a table, as they are written.
#[derive(Serialize, Deserialize)]
struct About {
    name: String,
    #[serde(flatten)]
    reading: Reading,
}

/// A link, as it is written.
#[derive(Serialize, Deserialize)]
struct Line {
    id: String,
    table: String,
    question: String,
}

impl Disk {
    /// Opens a folder, which is made if there is none, for `most` bytes of tables.
    ///
    /// # Errors
    ///
    /// If the folder cannot be used.
    pub(crate) fn open(folder: &Path, most: u64, keep_links: usize) -> Result<Opened> {
        let cannot = || format!("cannot keep tables in {}", folder.display());
        make_folders(folder).with_context(cannot)?;
        let key = read_key(folder).with_context(cannot)?;
        let links = read_links(folder, keep_links).with_context(cannot)?;
        let file = OpenOptions::new().create(true).append(true).open(folder.join(LINKS)).with_context(cannot)?;
        let bytes = tables(folder).with_context(cannot)?.iter().map(|table| table.bytes).sum();
        let disk = Disk { folder: folder.to_owned(), links: Mutex::new(file), bytes: AtomicU64::new(bytes), most };
        Ok(Opened { disk, key, links })
    }

    /// Writes a table. The oldest ones go if all of them take too much.
    pub(crate) fn keep_table(&self, id: &str, table: &SentTable) -> io::Result<()> {
        if table.bytes.len() as u64 > self.most {
            return Err(io::Error::other("the table is larger than all that may be kept"));
        }
        // The settings come last: a table without them does not exist.
        write_whole(&self.path(id, "table"), &table.bytes)?;
        let about = About { name: table.name.clone(), reading: table.reading.clone() };
        write_whole(&self.path(id, "json"), &serde_json::to_vec(&about)?)?;
        let all = self.bytes.fetch_add(table.bytes.len() as u64, Ordering::Relaxed) + table.bytes.len() as u64;
        if all > self.most { self.drop_oldest() } else { Ok(()) }
    }

    /// Reads a table.
    pub(crate) fn table(&self, id: &str) -> Option<SentTable> {
        if id.len() != 32 || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let about: About = serde_json::from_slice(&fs::read(self.path(id, "json")).ok()?).ok()?;
        let bytes = fs::read(self.path(id, "table")).ok()?;
        Some(SentTable { bytes, name: about.name, reading: about.reading })
    }

    /// Writes a link. One that cannot be written is lost with the server, like all of them without a folder.
    pub(crate) fn keep_link(&self, id: &str, link: &Link) {
        let line = Line { id: id.to_owned(), table: link.table.clone(), question: link.question.clone() };
        let mut file = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(line) = serde_json::to_string(&line) {
            let _ = file.write_all(format!("{line}\n").as_bytes());
        }
    }

    fn path(&self, id: &str, ending: &str) -> PathBuf {
        self.folder.join(TABLES).join(format!("{id}.{ending}"))
    }

    /// Removes the oldest tables until the others take a little less than allowed.
    fn drop_oldest(&self) -> io::Result<()> {
        let mut all = tables(&self.folder)?;
        all.sort_by_key(|table| std::cmp::Reverse(table.written));
        let mut left: u64 = all.iter().map(|table| table.bytes).sum();
        while left > self.most / 10 * 9
            && all.len() > 1
            && let Some(oldest) = all.pop()
        {
            let _ = fs::remove_file(oldest.path.with_extension("json"));
            let _ = fs::remove_file(&oldest.path);
            left -= oldest.bytes;
        }
        self.bytes.store(left, Ordering::Relaxed);
        Ok(())
    }
}

const TABLES: &str = "tables";
const LINKS: &str = "links.jsonl";
const KEY: &str = "key";

/// A file of a table.
struct TableFile {
    path: PathBuf,
    bytes: u64,
    written: SystemTime,
}

fn tables(folder: &Path) -> io::Result<Vec<TableFile>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder.join(TABLES))? {
        let (path, about) = entry.and_then(|entry| Ok((entry.path(), entry.metadata()?)))?;
        if path.extension().is_some_and(|ending| ending == "table") {
            found.push(TableFile { path, bytes: about.len(), written: about.modified()? });
        }
    }
    Ok(found)
}

/// Writes a file under another name and then renames it.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let draft = path.with_extension(format!("draft{}-{number}", std::process::id()));
    fs::write(&draft, bytes)?;
    fs::rename(&draft, path)
}

/// Makes the folders that are not there, for this user alone: they hold what others sent, and the key of the ids.
fn make_folders(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder.join(TABLES))
}

/// Reads the key of the ids, or makes one.
fn read_key(folder: &Path) -> io::Result<Key> {
    let path = folder.join(KEY);
    let known = fs::read_to_string(&path).ok().and_then(|text| Key::read(text.trim()));
    known.map_or_else(
        || {
            let key = Key::random();
            write_whole(&path, key.show().as_bytes())?;
            Ok(key)
        },
        Ok,
    )
}

/// Reads the newest links. A line that cannot be read, such as the last one of a killed server, is left out.
fn read_links(folder: &Path, most: usize) -> io::Result<Vec<(String, Link)>> {
    let file = match File::open(folder.join(LINKS)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file?,
    };
    let lines = BufReader::new(file).lines().map_while(io::Result::ok);
    let read = lines.filter_map(|line| serde_json::from_str::<Line>(&line).ok());
    let mut links: Vec<(String, Link)> =
        read.map(|Line { id, table, question }| (id, Link { table, question })).collect();
    links.drain(..links.len().saturating_sub(most));
    Ok(links)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabwise::table::{Choice, Orientation, ReadSettings};

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("tabwise-disk-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn tables_links_and_the_key_are_read_again() {
        let folder = folder("again");
        let Opened { disk, key, links } = Disk::open(&folder, 1000, 10).expect("a folder can be made");
        assert!(links.is_empty());
        let settings = ReadSettings {
            table: Some(Choice::Number(2)),
            sheet: Some(Choice::from("2010")),
            orientation: Orientation::Columns,
            ..ReadSettings::default()
        };
        let reading = Reading::new(&settings);
        let sent = SentTable { bytes: b"City\nParis\n".to_vec(), name: "a.csv".to_owned(), reading };
        let id = "0123456789abcdef0123456789abcdef";
        disk.keep_table(id, &sent).expect("it is small");
        disk.keep_link("7", &Link { table: id.to_owned(), question: "which?".to_owned() });
        drop(disk);
        OpenOptions::new().append(true).open(folder.join(LINKS)).unwrap().write_all(b"{\"id\": \"8\", \"ta").unwrap();
        let Opened { disk, key: same, links } = Disk::open(&folder, 1000, 10).expect("it is there");
        assert_eq!((same.show(), links.len()), (key.show(), 1));
        let table = disk.table(id).expect("it was kept");
        assert_eq!((table.bytes, table.name, table.reading), (sent.bytes, sent.name, sent.reading));
        for wrong in ["../key", "0123", ""] {
            assert!(disk.table(wrong).is_none(), "{wrong}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_is_made_for_this_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder("alone");
        Disk::open(&folder, 1000, 10).expect("a folder can be made");
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o077, 0);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_oldest_tables_make_room() {
        let folder = folder("room");
        let Opened { disk, .. } = Disk::open(&folder, 100, 10).expect("a folder can be made");
        let reading = Reading::new(&ReadSettings::default());
        let sent = || SentTable { bytes: vec![b'a'; 40], name: String::new(), reading: reading.clone() };
        for n in 0..5 {
            disk.keep_table(&format!("{n:032x}"), &sent()).expect("it is small");
        }
        assert!(tables(&folder).unwrap().iter().map(|table| table.bytes).sum::<u64>() <= 100);
        assert!(disk.table(&format!("{:032x}", 4)).is_some() && disk.table(&format!("{:032x}", 0)).is_none());
        let large = SentTable { bytes: vec![b'a'; 101], ..sent() };
        assert!(disk.keep_table(&"f".repeat(32), &large).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
