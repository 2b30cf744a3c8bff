//! Parquet files. The metadata and the headers of all pages are checked first (`pages.rs`); then groups of rows are decoded
//! in batches that are as long as the memory allows.

use super::columns::Rows;
use super::pages::{check_group, check_metadata};
use super::sheet::{guarded, malformed};
use super::{Allowance, Format, Table, TableError};
use bytes::Bytes;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReaderBuilder};

/// Reads a file.
pub(super) fn read(bytes: &[u8], allowance: &Allowance) -> Result<Table, TableError> {
    check_metadata(bytes, allowance)?;
    allowance.take(bytes.len())?;
    guarded(Format::Parquet, || groups(Bytes::copy_from_slice(bytes), allowance))
}

fn groups(bytes: Bytes, allowance: &Allowance) -> Result<Table, TableError> {
    let metadata = ArrowReaderMetadata::load(&bytes, Default::default()).map_err(wrong)?;
    let mut rows = Rows::new(metadata.schema(), Format::Parquet, allowance)?;
    for (number, group) in metadata.metadata().row_groups().iter().enumerate() {
        // Nothing is decoded of a table that says itself that it is too long.
        let count = usize::try_from(group.num_rows()).map_err(|_| wrong("a group has less than no rows"))?;
        allowance.check_shape(count, metadata.schema().fields().len())?;
        if count == 0 {
            continue;
        }
        let most = check_group(&bytes, group, allowance)?;
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(bytes.clone(), metadata.clone());
        let batches = builder.with_row_groups(vec![number]).with_batch_size(most).build().map_err(wrong)?;
        for batch in batches {
            rows.push(&batch.map_err(wrong)?)?;
        }
    }
    Ok(rows.finish())
}

fn wrong(error: impl std::fmt::Display) -> TableError {
    malformed(Format::Parquet, error)
}
