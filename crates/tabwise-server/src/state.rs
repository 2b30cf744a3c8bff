//! State that all requests share: the model, the stored tables and links, the gate and the limits.

use crate::body::Bodies;
use crate::examples::EXAMPLES;
use crate::failure::{Failure, Reply};
use crate::limits::ServeLimits;
use crate::request::GivenTable;
use crate::store::{Store, StoredTable};
use crate::work::Gate;
use std::sync::Arc;
use std::time::Instant;
use tabwise::Exceeded;
use tabwise::answer::Asker;
use tabwise::table::{ReadSettings, Table, TableError, read};

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
}

/// The state, as handlers get it.
pub(crate) type Shared = Arc<Server>;

impl Server {
    /// Creates the state and prepares the examples.
    pub(crate) fn new(asker: Asker, min_confidence: f64, limits: ServeLimits) -> anyhow::Result<Server> {
        let examples = EXAMPLES.iter().map(|example| {
            let table = Table::from_csv(example.csv)?;
            let prepared = asker.prepare(&table);
            Ok(StoredTable::new(example.id.to_owned(), example.title.to_owned(), table, prepared))
        });
        Ok(Server {
            store: Store::new(examples.collect::<Result<_, TableError>>()?, &limits),
            gate: Gate::new(limits.workers(), limits.max_waiting, limits.wait()),
            bodies: Bodies::new(&limits),
            asker,
            min_confidence,
            limits,
            started: Instant::now(),
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
                let table = read(&bytes, name.as_deref(), &settings).map_err(unusable)?;
                self.check_rows(&table)?;
                let name: String = name.unwrap_or_default().chars().take(200).collect();
                let name = if name.is_empty() { "Your table".to_owned() } else { name };
                let prepared = self.asker.prepare_within(&table, settings.limits.budget()).map_err(exceeded)?;
                Ok(self.store.keep(StoredTable::new(id, name, table, prepared)))
            }
        }
    }

    /// A stored table by its id.
    pub(crate) fn kept(&self, id: &str) -> Reply<Arc<StoredTable>> {
        self.store.table(id).ok_or_else(|| Failure::missing("this table is not kept (any more); send it again"))
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

/// Maps an exceeded budget to a status. It is worded for clients, who cannot raise it.
pub(crate) fn exceeded(exceeded: Exceeded) -> Failure {
    unusable(exceeded.into())
}

/// Maps an error of reading to a status. Limits are worded for clients, who cannot raise them.
fn unusable(error: TableError) -> Failure {
    match error {
        TableError::TooLarge { what, limit, .. } => {
            Failure::large(format!("{what} is more than the limit of {limit}; send a smaller table"))
        }
        TableError::Selector(_) | TableError::Encoding(_) => Failure::bad(error.to_string()),
        _ => Failure::unusable(error.to_string()),
    }
}
