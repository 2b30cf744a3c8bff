//! State that all requests share: the model, the stored tables and links, the gate and the limits.

use crate::body::Bodies;
use crate::disk::{Disk, Opened, SentTable};
use crate::examples::EXAMPLES;
use crate::failure::{Failure, Reply};
use crate::limits::ServeLimits;
use crate::metrics::Metrics;
use crate::request::GivenTable;
use crate::store::{Key, Link, Store, StoredTable};
use crate::suggest::suggestions;
use crate::work::Gate;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use tabwise::answer::Asker;
use tabwise::table::{Listed, ReadSettings, Table, TableError, choices, read};

/// The server, shared by all requests.
pub(crate) struct Server {
    pub asker: Asker,
    /// Confidence below which an answer abstains.
    pub min_confidence: f64,
    pub store: Store,
    pub gate: Gate,
    pub bodies: Bodies,
    pub limits: ServeLimits,
    pub started: Instant,
    pub metrics: Arc<Metrics>,
    /// Folder of tables and links, if they are kept.
    disk: Option<Disk>,
}

/// The state, as handlers get it.
pub(crate) type Shared = Arc<Server>;

impl Server {
    /// Creates the state and prepares the examples.
    pub(crate) fn new(
        asker: Asker,
        min_confidence: f64,
        limits: ServeLimits,
        log: bool,
        folder: Option<&Path>,
    ) -> anyhow::Result<Server> {
        let opened = folder.map(|folder| Disk::open(folder, limits.store_bytes, limits.keep_links)).transpose()?;
        let (disk, key, links) = match opened {
            Some(Opened { disk, key, links }) => (Some(disk), key, links),
            None => (None, Key::random(), Vec::new()),
        };
        let examples = EXAMPLES.iter().map(|example| {
            let table = Table::from_csv(example.csv)?;
            let prepared = asker.prepare(&table);
            Ok(StoredTable::new(example.id.to_owned(), example.title.to_owned(), table, prepared))
        });
        Ok(Server {
            store: Store::new(examples.collect::<Result<_, TableError>>()?, &limits, key, links),
            gate: Gate::new(limits.workers(), limits.max_waiting, limits.wait()),
            bodies: Bodies::new(&limits),
            asker,
            min_confidence,
            limits,
            started: Instant::now(),
            metrics: Arc::new(Metrics::new(log)),
            disk,
        })
    }

    /// The table of a request, from the store or read now. Expensive: call it behind the gate only.
    pub(crate) fn table(&self, given: GivenTable) -> Reply<Arc<StoredTable>> {
        match given {
            GivenTable::Stored(id) => self.kept(&id),
            GivenTable::Bytes { bytes, name, settings } => {
                let settings = ReadSettings { limits: self.limits.reading(), ..*settings };
                let id = self.store.id(&bytes, name.as_deref(), &settings);
                if let Some(kept) = self.store.table(&id) {
                    return Ok(kept);
                }
                let name: String = name.unwrap_or_default().chars().take(200).collect();
                let kept = self.read(id, &bytes, &name, &settings)?;
                if let Some(disk) = &self.disk {
                    let sent = SentTable { bytes: bytes.into_owned(), name, settings };
                    disk.keep_table(&kept.id, &sent).map_err(|error| Failure::fault(&error.to_string()))?;
                }
                Ok(kept)
            }
        }
    }

    /// Reads a table and stores it in memory.
    fn read(&self, id: String, bytes: &[u8], name: &str, settings: &ReadSettings) -> Reply<Arc<StoredTable>> {
        let file_name = Some(name).filter(|name| !name.is_empty());
        let table = read(bytes, file_name, settings).map_err(unusable)?;
        self.check_rows(&table)?;
        let prepared = self.asker.prepare(&table);
        let suggestions = suggestions(&self.asker, &table, &prepared);
        let tables = self.choices(bytes, file_name, settings);
        let mut kept = StoredTable::new(id, file_name.unwrap_or("Your table").to_owned(), table, prepared);
        (kept.tables, kept.suggestions) = (tables, suggestions);
        Ok(self.store.keep(kept))
    }

    /// Stores a link to a question and returns its id.
    pub(crate) fn link(&self, link: Link) -> String {
        let (id, is_new) = self.store.link(link.clone());
        if let (true, Some(disk)) = (is_new, &self.disk) {
            disk.keep_link(&id, &link);
        }
        id
    }

    /// Tables or sheets to choose from, if there are several. Listing them reads the file again, so it is left out for a
    /// large one.
    fn choices(&self, bytes: &[u8], name: Option<&str>, settings: &ReadSettings) -> Vec<Listed> {
        let listed = match bytes.len() <= LISTED_BYTES {
            true => choices(bytes, name, settings).unwrap_or_default(),
            false => Vec::new(),
        };
        if listed.len() > 1 { listed.into_iter().take(LISTED_TABLES).collect() } else { Vec::new() }
    }

    /// A stored table by its id. One that is on disk only is read again, which is expensive: call it behind the gate, unless
    /// [`Server::is_at_hand`].
    pub(crate) fn kept(&self, id: &str) -> Reply<Arc<StoredTable>> {
        if let Some(kept) = self.store.table(id) {
            return Ok(kept);
        }
        let sent = self.disk.as_ref().and_then(|disk| disk.table(id));
        let sent = sent.ok_or_else(|| Failure::missing("this table is not kept (any more); send it again"))?;
        let settings = ReadSettings { limits: self.limits.reading(), ..sent.settings };
        self.read(id.to_owned(), &sent.bytes, &sent.name, &settings)
    }

    /// True if a table need not be read from disk.
    pub(crate) fn is_at_hand(&self, id: &str) -> bool {
        self.disk.is_none() || self.store.table(id).is_some()
    }

    /// Refuses tables with too many rows.
    fn check_rows(&self, table: &Table) -> Reply<()> {
        let (rows, most) = (table.row_count(), self.limits.max_rows);
        let sentence = || {
            format!(
                "a table of {rows} rows is more than the limit of {most}; send fewer rows, or start the server with a higher --max-rows"
            )
        };
        if rows <= most { Ok(()) } else { Err(Failure::large(sentence())) }
    }
}

/// Largest file whose tables are listed, in bytes.
const LISTED_BYTES: usize = 8 << 20;
/// Most tables of a file that are listed.
const LISTED_TABLES: usize = 200;

/// Maps an error of reading to a status. Limits are worded for clients, who cannot raise them.
fn unusable(error: TableError) -> Failure {
    match error {
        TableError::TooLarge { what, limit, .. } => {
            Failure::large(format!("{what} is more than the limit of {limit}; send a smaller table"))
        }
        TableError::Selector(_) | TableError::Encoding(_) | TableError::NotAPage { .. } => {
            Failure::bad(error.to_string())
        }
        _ => Failure::unusable(error.to_string()),
    }
}
