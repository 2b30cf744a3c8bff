//! Memory of the server: tables that clients sent, and questions that have a link. Both are bounded. The least recently
//! used table and the oldest link are dropped first.

use crate::limits::ServeLimits;
use crate::view::View;
use crate::wire::{Description, ReadTable};
use siphasher::sip::SipHasher13;
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tabwise::table::{Listed, ReadSettings, Table};

/// A stored table.
pub(crate) struct StoredTable {
    pub id: String,
    pub name: String,
    pub table: Table,
    /// Notes on how the table and its cells were read.
    pub notes: Vec<String>,
    /// What the page says of it; `None` if it was read for an answer only.
    pub description: Option<Description>,
    /// The view that was asked for last, and its rows.
    viewed: Mutex<Option<(View, Arc<[u32]>)>>,
    /// Size in cells, for the limit on all tables; see [`CELL`].
    weight: usize,
}

/// Bytes of memory that count as one cell, so that tables of long texts count by their memory.
const CELL: usize = 24;

impl StoredTable {
    pub(crate) fn new(id: String, name: String, read: ReadTable) -> StoredTable {
        let ReadTable { mut table, notes, description } = read;
        table.shrink_to_fit();
        let (tables, suggestions) = description.as_ref().map_or((&[][..], &[][..]), Description::parts);
        let texts = notes.iter().chain(suggestions).map(|text| text.len() + size_of::<String>());
        let listed = tables.iter().map(|one| one.title.len() + one.class.len() + size_of::<Listed>());
        let viewed = table.row_count() * size_of::<u32>();
        let bytes = viewed + table.memory() + texts.chain(listed).sum::<usize>();
        let cells = (table.row_count() + 1) * table.column_count();
        let weight = cells.max(bytes / CELL);
        StoredTable { weight, id, name, table, notes, description, viewed: Mutex::default() }
    }

    /// The rows of a view, if it is the one that was asked for last.
    pub(crate) fn viewed(&self, view: &View) -> Option<Arc<[u32]>> {
        lock(&self.viewed).as_ref().filter(|(known, _)| known == view).map(|(_, rows)| rows.clone())
    }

    /// Remembers the rows of a view.
    pub(crate) fn keep_view(&self, view: View, rows: Vec<u32>) -> Arc<[u32]> {
        let rows: Arc<[u32]> = rows.into();
        *lock(&self.viewed) = Some((view, rows.clone()));
        rows
    }
}

/// A question about a table, as a link refers to it.
#[derive(Clone)]
pub(crate) struct Link {
    pub table: String,
    pub question: String,
}

/// Tables and links, safe to share between threads.
pub(crate) struct Store {
    /// Example tables, which are never dropped.
    examples: Vec<Arc<StoredTable>>,
    /// Other tables, the most recently used last.
    tables: Mutex<Vec<Arc<StoredTable>>>,
    links: Mutex<Links>,
    key: Key,
    keep_tables: usize,
    keep_cells: usize,
    keep_links: usize,
}

/// Links by id, and the order in which they were made.
#[derive(Default)]
struct Links {
    by_id: HashMap<String, Link>,
    /// Ids, the oldest first.
    order: VecDeque<String>,
}

impl Store {
    /// A store with some links, whose ids are made with a key.
    pub(crate) fn new(examples: Vec<StoredTable>, limits: &ServeLimits, key: Key, links: Vec<(String, Link)>) -> Store {
        let order = links.iter().map(|(id, _)| id.clone()).collect();
        Store {
            examples: examples.into_iter().map(Arc::new).collect(),
            tables: Mutex::default(),
            links: Mutex::new(Links { by_id: links.into_iter().collect(), order }),
            key,
            keep_tables: limits.keep_tables.max(1),
            keep_cells: limits.keep_cells,
            keep_links: limits.keep_links,
        }
    }

    /// The id of a table, a keyed hash of its bytes and of the settings that affect how they are read. The key is
    /// secret, so ids cannot be guessed and collisions cannot be constructed.
    pub(crate) fn id(&self, bytes: &[u8], name: Option<&str>, settings: &ReadSettings) -> String {
        let ending = name.and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
        let tables = (&settings.select, choice(&settings.table), choice(&settings.sheet));
        let how = (settings.format, tables, settings.orientation, settings.header, settings.repairs);
        self.key.id(&(bytes, ending, how))
    }

    /// Finds a table and marks it as used.
    pub(crate) fn table(&self, id: &str) -> Option<Arc<StoredTable>> {
        if let Some(example) = self.examples.iter().find(|example| example.id == id) {
            return Some(example.clone());
        }
        let mut tables = lock(&self.tables);
        let at = tables.iter().position(|table| table.id == id)?;
        let table = tables.remove(at);
        tables.push(table.clone());
        Some(table)
    }

    /// Stores a table, and drops others if there are too many. The new one always stays.
    pub(crate) fn keep(&self, kept: StoredTable) -> Arc<StoredTable> {
        let kept = Arc::new(kept);
        let mut tables = lock(&self.tables);
        tables.retain(|table| table.id != kept.id);
        tables.push(kept.clone());
        let mut cells: usize = tables.iter().map(|table| table.weight).sum();
        let mut gone = 0;
        while tables.len() - gone > 1 && (tables.len() - gone > self.keep_tables || cells > self.keep_cells) {
            cells -= tables[gone].weight;
            gone += 1;
        }
        // Freeing a large table takes a while, so do it after the lock is released.
        let forgotten: Vec<Arc<StoredTable>> = tables.drain(..gone).collect();
        drop(tables);
        drop(forgotten);
        kept
    }

    /// Number of stored tables, examples aside.
    pub(crate) fn table_count(&self) -> usize {
        lock(&self.tables).len()
    }

    /// The id of a question's link. The same question has the same id.
    pub(crate) fn link_id(&self, table: &str, question: &str) -> String {
        self.key.id(&(table, question))[..16].to_owned()
    }

    /// Stores a question under the id of its link, and tells if it is new.
    pub(crate) fn link(&self, id: String, link: Link) -> bool {
        let mut links = lock(&self.links);
        let is_new = links.by_id.insert(id.clone(), link).is_none();
        if is_new {
            links.order.push_back(id.clone());
        }
        while links.order.len() > self.keep_links {
            let oldest = links.order.pop_front().unwrap_or_default();
            links.by_id.remove(&oldest);
        }
        is_new
    }

    /// The question behind a link.
    pub(crate) fn linked(&self, id: &str) -> Option<Link> {
        lock(&self.links).by_id.get(id).cloned()
    }
}

/// Secret by which ids are made from content: random for each process, or kept with the tables. Two 64-bit hashes make
/// accidental collisions negligible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key([u64; 2]);

impl Key {
    pub(crate) fn random() -> Key {
        Key([RandomState::new().hash_one(1), RandomState::new().hash_one(2)])
    }

    /// Reads what [`Key::show`] wrote.
    pub(crate) fn read(text: &str) -> Option<Key> {
        let half = |range: std::ops::Range<usize>| u64::from_str_radix(text.get(range)?, 16).ok();
        Some(Key([half(0..16)?, half(16..32)?])).filter(|_| text.len() == 32)
    }

    pub(crate) fn show(self) -> String {
        format!("{:016x}{:016x}", self.0[0], self.0[1])
    }

    fn id(self, content: &impl Hash) -> String {
        let [a, b] = self.0;
        let hash = |a, b| {
            let mut hasher = SipHasher13::new_with_keys(a, b);
            content.hash(&mut hasher);
            hasher.finish()
        };
        format!("{:016x}{:016x}", hash(a, b), hash(b, !a))
    }
}

fn choice(given: &Option<tabwise::table::Choice>) -> Option<String> {
    given.as_ref().map(|choice| choice.to_string())
}

/// Locks a mutex, ignoring poisoning: no code panics while it holds one of these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
