//! What the server remembers: the tables that were sent, and the questions that have a link. Both are bounded; what was
//! not used for the longest time goes first.

use crate::limits::ServeLimits;
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tabwise::answer::PreparedTable;
use tabwise::table::{ReadSettings, Table};

/// A table that is kept, ready for questions.
pub struct Kept {
    pub id: String,
    pub name: String,
    pub table: Table,
    pub prepared: PreparedTable,
    /// How many cells it counts as.
    weight: usize,
}

/// So many bytes of text count as a cell, so that long texts are not kept for nothing.
const CELL: usize = 16;

impl Kept {
    pub fn new(id: String, name: String, table: Table, prepared: PreparedTable) -> Kept {
        let text = |cells: &mut dyn Iterator<Item = &str>| cells.map(str::len).sum::<usize>();
        let header = text(&mut table.header().iter().map(String::as_str));
        let body: usize = (0..table.row_count()).map(|row| text(&mut table.row(row))).sum();
        let cells = (table.row_count() + 1) * table.column_count();
        Kept { weight: cells.max((header + body) / CELL), id, name, table, prepared }
    }
}

/// A question about a table, as a link names it.
#[derive(Clone)]
pub struct Link {
    pub table: String,
    pub question: String,
}

/// The memory of the server.
pub struct Store {
    /// Never forgotten.
    examples: Vec<Arc<Kept>>,
    /// The last used one is last.
    tables: Mutex<Vec<Arc<Kept>>>,
    links: Mutex<Links>,
    names: Names,
    keep_tables: usize,
    keep_cells: usize,
    keep_links: usize,
}

#[derive(Default)]
struct Links {
    by_id: HashMap<String, Link>,
    /// The oldest first.
    order: VecDeque<String>,
}

impl Store {
    pub fn new(examples: Vec<Kept>, limits: &ServeLimits) -> Store {
        Store {
            examples: examples.into_iter().map(Arc::new).collect(),
            tables: Mutex::default(),
            links: Mutex::default(),
            names: Names::default(),
            keep_tables: limits.keep_tables.max(1),
            keep_cells: limits.keep_cells,
            keep_links: limits.keep_links,
        }
    }

    /// The id that a table has by what it is read from and how. It cannot be guessed, and nobody can make two tables with
    /// one id.
    pub fn id(&self, bytes: &[u8], name: Option<&str>, settings: &ReadSettings) -> String {
        let ending = name.and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
        let how = (settings.format, &settings.select, choice(&settings.table), choice(&settings.sheet));
        self.names.of(&(bytes, ending, how))
    }

    /// A table by its id.
    pub fn table(&self, id: &str) -> Option<Arc<Kept>> {
        if let Some(example) = self.examples.iter().find(|example| example.id == id) {
            return Some(example.clone());
        }
        let mut tables = lock(&self.tables);
        let at = tables.iter().position(|table| table.id == id)?;
        let table = tables.remove(at);
        tables.push(table.clone());
        Some(table)
    }

    /// Keeps a table, and forgets others if it must.
    pub fn keep(&self, kept: Kept) -> Arc<Kept> {
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
        // Dropped after the lock is given back, since a large table takes a while.
        let forgotten: Vec<Arc<Kept>> = tables.drain(..gone).collect();
        drop(tables);
        drop(forgotten);
        kept
    }

    /// How many tables are kept, examples aside.
    pub fn table_count(&self) -> usize {
        lock(&self.tables).len()
    }

    /// The link to a question.
    pub fn link(&self, link: Link) -> String {
        let id = self.names.of(&(&link.table, &link.question))[..16].to_owned();
        let mut links = lock(&self.links);
        if links.by_id.insert(id.clone(), link).is_none() {
            links.order.push_back(id.clone());
        }
        while links.order.len() > self.keep_links {
            let oldest = links.order.pop_front().unwrap_or_default();
            links.by_id.remove(&oldest);
        }
        id
    }

    /// What a link names.
    pub fn linked(&self, id: &str) -> Option<Link> {
        lock(&self.links).by_id.get(id).cloned()
    }
}

/// Names things by their content, with a key that is made anew for each life of the server.
#[derive(Default)]
struct Names([RandomState; 2]);

impl Names {
    fn of(&self, content: &impl std::hash::Hash) -> String {
        let [a, b] = &self.0;
        format!("{:016x}{:016x}", a.hash_one(content), b.hash_one(content))
    }
}

fn choice(given: &Option<tabwise::table::Choice>) -> Option<String> {
    given.as_ref().map(|choice| choice.to_string())
}

/// Nothing panics while it holds one of these locks, so what is behind them is always whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
