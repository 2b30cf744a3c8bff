//! Files with typed columns, written by other libraries (`tools/python/fixtures.py`), give the cells of their table. Cut,
//! changed and lying ones give an error: nothing panics, and memory stays within the budget.

use std::path::Path;
use tabwise::table::{Limits, ReadSettings, Table, TableError, read};

/// Header and rows of the table.
const PEOPLE: [[&str; 8]; 5] = [
    ["name", "age", "height", "price", "born", "seen", "member", "tags"],
    ["Ann", "31", "1.7", "12.50", "1993-05-12", "2024-01-05 10:30:00", "yes", "a, b"],
    ["Bob", "28", "", "-0.05", "1968-01-01", "2024-01-06", "no", ""],
    ["", "", "1.65", "", "", "", "", ""],
    ["Ann", "45", "", "3.00", "2000-02-29", "1969-12-31 23:59:59", "yes", "c"],
];

const FILES: [&str; 5] = ["people.parquet", "plain.parquet", "people.feather", "people.arrows", "people.xls"];

fn file(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sources");
    std::fs::read(folder.join(name)).expect("the file is there")
}

fn rows(table: &Table) -> Vec<Vec<&str>> {
    let header = table.header().iter().map(String::as_str).collect();
    std::iter::once(header).chain((0..table.row_count()).map(|row| table.row(row).collect())).collect()
}

fn read_with(bytes: &[u8], limits: Limits) -> Result<Table, TableError> {
    read(bytes, None, &ReadSettings { limits, ..ReadSettings::default() })
}

#[test]
fn columns_keep_their_types() {
    for name in &FILES[..4] {
        let table = read_with(&file(name), Limits::default()).expect(name);
        assert_eq!(rows(&table), PEOPLE, "{name}");
        assert!(table.notes().is_empty(), "{name}: {:?}", table.notes());
    }
}

#[test]
fn old_workbooks_have_numbers_dates_and_truths() {
    let table = read_with(&file("people.xls"), Limits::default()).expect("it is a workbook");
    let expected = [
        ["name", "age", "born", "member"],
        ["Ann", "31", "1993-05-12", "TRUE"],
        ["Bob", "28", "1968-01-01", "FALSE"],
        ["Ann", "45", "2000-02-29", "TRUE"],
    ];
    assert_eq!(rows(&table), expected);
}

#[test]
fn cut_files_are_errors() {
    for name in FILES {
        let whole = file(name);
        for end in (8..whole.len() - 16).step_by(whole.len() / 200 + 1) {
            // The last sector of a workbook may be padding.
            let may_do = name.ends_with("xls") && end + 512 > whole.len();
            assert!(may_do || read_with(&whole[..end], Limits::default()).is_err(), "{name} cut at {end}");
        }
    }
}

#[test]
fn changed_files_are_tables_or_errors() {
    let mut dice: u64 = 7;
    let mut roll = |most: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % most
    };
    let limits = Limits { memory: 64 << 20, ..Limits::default() };
    for name in FILES {
        let whole = file(name);
        for _ in 0..400 {
            let mut changed = whole.clone();
            for _ in 0..1 + roll(3) {
                let at = 8 + roll(whole.len() - 8);
                changed[at] = [0, 1, 0x7f, 0x80, 0xff, roll(256) as u8][roll(6)];
            }
            if let Err(error) = read_with(&changed, limits) {
                assert_eq!(error.to_string().lines().count(), 1, "{name}: {error}");
            }
        }
    }
}

/// A rectangle that ends before it begins, for which the library makes room for thousands of millions of rows in a release.
#[test]
fn a_sheet_that_declares_a_rectangle_the_wrong_way_round_is_refused() {
    let mut workbook = file("people.xls");
    let dimensions = b"\x00\x02\x0e\x00";
    let at = workbook.windows(4).position(|four| four == dimensions).expect("its sheet declares a rectangle");
    workbook[at + 4..at + 8].copy_from_slice(&0xff_ffff_u32.to_le_bytes());
    assert!(matches!(read_with(&workbook, Limits::default()), Err(TableError::TooLarge { name: "memory", .. })));
}

#[test]
fn limits_hold() {
    for name in FILES {
        let few = read_with(&file(name), Limits { cells: 12, ..Limits::default() });
        assert!(matches!(few, Err(TableError::TooLarge { name: "cells", .. })), "{name}: {few:?}");
        let little = read_with(&file(name), Limits { memory: 4_000, ..Limits::default() });
        assert!(matches!(little, Err(TableError::TooLarge { name: "memory", .. })), "{name}: {little:?}");
    }
}

#[test]
fn declared_sizes_are_not_believed() {
    // The footer of a Parquet file: a schema whose group has two thousand million members.
    let mut deep = b"PAR1".to_vec();
    let footer = b"\x15\x02\x19\x1c\x48\x01r\x15\xfe\xff\xff\xff\x0f\0\x16\0\x19\x0c\0";
    deep.extend_from_slice(footer);
    deep.extend_from_slice(&(footer.len() as u32).to_le_bytes());
    deep.extend_from_slice(b"PAR1");
    let error = read_with(&deep, Limits::default()).expect_err("it lies").to_string();
    assert!(error.contains("its schema is broken, or nested too deep"), "{error}");
    // Groups within groups, more than a stack has room for.
    let mut nested = b"\x15\x02\x19\xfc\xa0\x8d\x06".to_vec();
    (0..100_000).for_each(|_| nested.extend_from_slice(b"\x35\0\x18\x01g\x15\x02\0"));
    nested.push(0);
    let length = (nested.len() as u32).to_le_bytes();
    let bytes = [b"PAR1", &nested[..], &length, b"PAR1"].concat();
    let error = read_with(&bytes, Limits::default()).expect_err("it is too deep").to_string();
    assert!(error.contains("nested too deep"), "{error}");
    // Lengths of messages and bodies of Arrow.
    for length in [0x7fff_ffff_u32, 0xffff_ff00] {
        let bytes = [&b"\xff\xff\xff\xff"[..], &length.to_le_bytes(), &[0; 64]].concat();
        let error = read_with(&bytes, Limits::default()).expect_err("it lies").to_string();
        assert!(error.contains("it ends too early"), "{error}");
    }
}
