//! What `--store DIR` keeps on disk, so that tables and links survive a restart: the bytes of each table with the settings
//! to read it, one line for each link, and the secret key of the ids. Files are written whole and then renamed, and lines
//! are appended, so a killed server leaves nothing half-written that would be read; a table whose file was damaged since is
//! not read either. What a full disk has no room for lives as long as the server, like everything without a folder.

use crate::store::{Key, Link};
use crate::wire::Reading;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
use tabwise::hash::Fingerprint;

/// Folder with tables and links.
pub(crate) struct Disk {
    folder: PathBuf,
    links: Mutex<Links>,
    /// Most links that are read again.
    most_links: usize,
    /// True while tables cannot be written.
    is_failing: AtomicBool,
    /// Bytes of all tables.
    bytes: AtomicU64,
    /// Most bytes of all tables.
    most: u64,
}

/// The file of links, which are appended.
struct Links {
    file: File,
    /// Number of lines, by which it is known when there are too many.
    lines: usize,
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
    /// Of the bytes of the table; files of older versions have none.
    fingerprint: Option<Fingerprint>,
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
        remove_drafts(folder).with_context(cannot)?;
        let (links, lines) = read_links(folder, keep_links).with_context(cannot)?;
        let file = Links::open(folder, lines).with_context(cannot)?;
        let bytes = tables(folder).with_context(cannot)?.iter().map(|table| table.bytes).sum();
        let disk = Disk {
            folder: folder.to_owned(),
            links: Mutex::new(file),
            most_links: keep_links,
            is_failing: AtomicBool::new(false),
            bytes: AtomicU64::new(bytes),
            most,
        };
        Ok(Opened { disk, key, links })
    }

    /// Writes a table. One that cannot be written is lost with the server; the first of several is reported.
    pub(crate) fn keep_table(&self, id: &str, table: &SentTable) {
        let written = self.write_table(id, table);
        let was_failing = self.is_failing.swap(written.is_err(), Ordering::Relaxed);
        if let (Err(error), false) = (written, was_failing) {
            eprintln!("tabwise: a table cannot be kept in {}: {error}", self.folder.display());
        }
    }

    /// Writes a table. The oldest ones go if all of them take too much.
    fn write_table(&self, id: &str, table: &SentTable) -> io::Result<()> {
        if table.bytes.len() as u64 > self.most {
            return Err(io::Error::other("the table is larger than all that may be kept"));
        }
        // The settings come last: a table without them does not exist.
        write_whole(&self.path(id, "table"), &table.bytes)?;
        let fingerprint = Some(Fingerprint::of([&table.bytes[..]]));
        let about = About { name: table.name.clone(), fingerprint, reading: table.reading.clone() };
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
        let is_same = about.fingerprint.is_none_or(|known| known == Fingerprint::of([&bytes[..]]));
        is_same.then_some(SentTable { bytes, name: about.name, reading: about.reading })
    }

    /// Writes a link. One that cannot be written is lost with the server, like all of them without a folder.
    pub(crate) fn keep_link(&self, id: &str, link: &Link) {
        let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = links.file.write_all(line(id, link).as_bytes());
        links.lines += 1;
        if links.lines > 2 * self.most_links {
            // If it cannot be written anew, it is tried again after as many lines.
            links.lines = 0;
            if let Ok(fewer) = self.fewer_links() {
                *links = fewer;
            }
        }
    }

    /// Writes the file of links anew without those that are not read again, so that it does not grow without end.
    fn fewer_links(&self) -> io::Result<Links> {
        let (links, _) = read_links(&self.folder, self.most_links)?;
        let lines: String = links.iter().map(|(id, link)| line(id, link)).collect();
        write_whole(&self.folder.join(LINKS), lines.as_bytes())?;
        Links::open(&self.folder, links.len())
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

impl Links {
    fn open(folder: &Path, lines: usize) -> io::Result<Links> {
        let file = OpenOptions::new().create(true).append(true).open(folder.join(LINKS))?;
        Ok(Links { file, lines })
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
    let draft = path.with_extension(format!("{DRAFT}{}-{number}", std::process::id()));
    let written = fs::write(&draft, bytes).and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written
}

/// Begin of the ending of files that are being written.
const DRAFT: &str = "draft";

/// Removes what a killed server was writing.
fn remove_drafts(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(TABLES))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending.to_string_lossy().starts_with(DRAFT)) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
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

/// Reads the newest links, and counts all lines. One that cannot be read, such as the last one of a killed server, is left out.
fn read_links(folder: &Path, most: usize) -> io::Result<(Vec<(String, Link)>, usize)> {
    let file = match File::open(folder.join(LINKS)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        file => file?,
    };
    let (mut links, mut lines) = (VecDeque::new(), 0);
    for line in BufReader::new(file).split(b'\n') {
        lines += 1;
        if let Ok(Line { id, table, question }) = serde_json::from_slice(&line?) {
            links.push_back((id, Link { table, question }));
            links.drain(..links.len().saturating_sub(most));
        }
    }
    Ok((links.into(), lines))
}

/// The line of a link.
fn line(id: &str, link: &Link) -> String {
    let line = Line { id: id.to_owned(), table: link.table.clone(), question: link.question.clone() };
    serde_json::to_string(&line).map_or_else(|_| String::new(), |line| line + "\n")
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
        disk.write_table(id, &sent).expect("it is small");
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
    fn a_damaged_table_is_not_read() {
        let folder = folder("damaged");
        let Opened { disk, .. } = Disk::open(&folder, 1000, 10).expect("a folder can be made");
        let reading = Reading::new(&ReadSettings::default());
        let sent = SentTable { bytes: b"City\nParis\n".to_vec(), name: String::new(), reading };
        let id = "0123456789abcdef0123456789abcdef";
        disk.write_table(id, &sent).expect("it is small");
        fs::write(disk.path(id, "table"), b"City\nPaxis\n").unwrap();
        assert!(disk.table(id).is_none());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_file_of_links_does_not_grow_without_end() {
        let folder = folder("links");
        let Opened { disk, .. } = Disk::open(&folder, 1000, 10).expect("a folder can be made");
        let link = |n: usize| Link { table: "t".to_owned(), question: format!("which {n}?") };
        (0..500).for_each(|n| disk.keep_link(&n.to_string(), &link(n)));
        let lines = fs::read_to_string(folder.join(LINKS)).unwrap().lines().count();
        assert!(lines <= 21, "{lines}");
        fs::write(folder.join(TABLES).join("a.draft1-2"), b"half").unwrap();
        let Opened { links, .. } = Disk::open(&folder, 1000, 10).expect("it is there");
        assert_eq!(links.last().map(|(id, link)| (id.as_str(), link.question.as_str())), Some(("499", "which 499?")));
        assert_eq!(links.len(), 10);
        assert_eq!(fs::read_dir(folder.join(TABLES)).unwrap().count(), 0, "nothing half-written is left");
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
            disk.write_table(&format!("{n:032x}"), &sent()).expect("it is small");
        }
        assert!(tables(&folder).unwrap().iter().map(|table| table.bytes).sum::<u64>() <= 100);
        assert!(disk.table(&format!("{:032x}", 4)).is_some() && disk.table(&format!("{:032x}", 0)).is_none());
        let large = SentTable { bytes: vec![b'a'; 101], ..sent() };
        assert!(disk.write_table(&"f".repeat(32), &large).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
