//! [`Parts`]: several inputs of one schema, such as the files of a folder, read as one table. The first has the names of the
//! columns; the others have the same names, in any order.

use super::{Allowance, ReadSettings, Table, TableError, clean, read};

/// A table that is put together from several inputs.
///
/// ```
/// use tabwise::table::{Parts, ReadSettings};
///
/// let settings = ReadSettings::default();
/// let mut parts = Parts::new(&settings);
/// parts.add(b"City,Year\nAthens,1896\nParis,1900\n", "old.csv")?;
/// parts.add(b"Year,City\n2024,Paris\n2028,Los Angeles\n", "new.csv")?;
/// let table = parts.finish()?;
/// assert_eq!(table.row(3).collect::<Vec<_>>(), ["Los Angeles", "2028"]);
/// # Ok::<(), tabwise::table::TableError>(())
/// ```
pub struct Parts<'s> {
    settings: &'s ReadSettings,
    allowance: Allowance,
    /// Name of the first input, and the rows so far.
    all: Option<(String, Table)>,
    count: usize,
}

impl<'s> Parts<'s> {
    /// Starts without rows. The limits are for all inputs together.
    pub fn new(settings: &'s ReadSettings) -> Parts<'s> {
        Parts { settings, allowance: Allowance::new(&settings.limits), all: None, count: 0 }
    }

    /// Reads an input and adds its rows. Errors begin with its name.
    pub fn add(&mut self, bytes: &[u8], name: &str) -> Result<(), TableError> {
        let named = |error| TableError::Part { name: name.to_owned(), error: Box::new(error) };
        let part = read(bytes, Some(name), self.settings).map_err(named)?;
        self.allowance.take(part.memory()).map_err(named)?;
        self.count += 1;
        let Some((first, table)) = &mut self.all else {
            self.all = Some((name.to_owned(), part));
            return Ok(());
        };
        let rows = table.row_count() + part.row_count() + 1;
        self.allowance.check_shape(rows, table.column_count()).map_err(named)?;
        let places = places(table, &part).ok_or_else(|| named(differ(first, table, &part)))?;
        (0..part.row_count()).for_each(|row| table.push_row(places.iter().map(|&column| part.cell(row, column))));
        Ok(())
    }

    /// Returns the table.
    pub fn finish(self) -> Result<Table, TableError> {
        let (_, mut table) = self.all.ok_or(TableError::Empty)?;
        if self.count > 1 {
            table.note(format!("{} files are read as one table", self.count));
        }
        Ok(table)
    }
}

/// Column of a part for each column of the table; `None` if their names differ.
fn places(table: &Table, part: &Table) -> Option<Vec<usize>> {
    if table.header() == part.header() {
        return Some((0..table.column_count()).collect());
    }
    let place = |name: &String| {
        let mut found = (0..part.column_count()).filter(|&column| part.header()[column] == *name);
        found.next().filter(|_| found.next().is_none())
    };
    let is_as_wide = table.column_count() == part.column_count();
    table.header().iter().map(place).collect::<Option<Vec<usize>>>().filter(|_| is_as_wide)
}

fn differ(first: &str, table: &Table, part: &Table) -> TableError {
    let names = |table: &Table| {
        let mut names: Vec<String> = table.header().iter().take(8).map(|name| clean::quote(name)).collect();
        names.extend((table.column_count() > 8).then(|| "…".to_owned()));
        names.join(", ")
    };
    TableError::Differ { first: first.to_owned(), has: names(table), other: names(part) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Limits;

    fn joined(parts: &[(&str, &str)], settings: &ReadSettings) -> Result<Table, TableError> {
        let mut all = Parts::new(settings);
        parts.iter().try_for_each(|(name, text)| all.add(text.as_bytes(), name))?;
        all.finish()
    }

    #[test]
    fn rows_follow_in_the_order_of_the_first() {
        let parts = [("a.csv", "x,y\n1,2\n3,4\n"), ("b.csv", "y,x\n6,5\n8,7\n"), ("c.json", r#"[{"x": 9, "y": 10}]"#)];
        let table = joined(&parts, &ReadSettings::default()).expect("the names are the same");
        let rows: Vec<Vec<&str>> = (0..table.row_count()).map(|row| table.row(row).collect()).collect();
        assert_eq!(rows, [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"], ["9", "10"]]);
        assert_eq!(table.notes(), ["3 files are read as one table"]);
    }

    #[test]
    fn other_names_and_too_many_rows_are_errors() {
        let parts = [("a.csv", "x,y\n1,2\n3,4\n"), ("b.csv", "x,z\n5,6\n7,8\n")];
        let error = joined(&parts, &ReadSettings::default()).expect_err("z is not y").to_string();
        let expected =
            "b.csv: its columns are \"x\", \"z\", those of a.csv are \"x\", \"y\"; files of one table have the same";
        assert_eq!(error, expected);
        let limits = Limits { cells: 8, ..Limits::default() };
        let settings = ReadSettings { limits, ..ReadSettings::default() };
        let error = joined(&[parts[0], parts[0]], &settings).expect_err("there are ten").to_string();
        assert!(error.starts_with("a.csv: a table of 10 cells or more is more than the limit of 8"), "{error}");
        assert_eq!(joined(&[], &settings).err(), Some(TableError::Empty));
    }
}
