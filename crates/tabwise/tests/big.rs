//! Big tables: meanings are found by a sample of the rows, and answers are those that all rows give.

use std::fmt::Write;
use tabwise::answer::{Answer, Rows};
use tabwise::graph::Graph;
use tabwise::profile::Profile;
use tabwise::value::Value;
use tabwise::words::Words;
use tabwise::{Asker, PreparedTable, Table, Wanted};

/// Rows of the tables here: some more than are searched as they are.
const ROWS: usize = Profile::LONG + 2000;

/// Sales with one row that has what no other has: the shop in Ghent, the only piano, the highest price.
fn sales() -> Table {
    let mut csv = String::from("sale,shop,item,price,paid\n");
    let (shops, items) = (["Ghent", "Basel", "Turin", "Lyon"], ["lamp", "desk", "chair", "shelf", "rug", "clock"]);
    for row in 0..ROWS {
        let (shop, item) = (shops[1 + row % 3], items[row / 3 % 6]);
        let (price, paid) = (20 + row * 7 % 90, if row % 5 == 0 { "no" } else { "yes" });
        match row {
            4321 => writeln!(csv, "s{row},Ghent,piano,4000,no"),
            _ => writeln!(csv, "s{row},{shop},{item},{price},{paid}"),
        }
        .expect("a string takes everything");
    }
    Table::from_csv(&csv).expect("it is a table")
}

fn asked(asker: &Asker, table: &PreparedTable, question: &str, rows: Rows) -> Answer {
    asker.ask(table, question, &Wanted { min_confidence: 0.0, rows, ..Wanted::default() })
}

#[test]
fn answers_are_those_of_all_rows() {
    let asker = Asker::embedded();
    let table = asker.prepare(&sales());
    for question in [
        "how many sales were in Turin?",
        "how many sales were in Ghent?",
        "what was sold in Ghent?",
        "which shop sold the piano?",
        "what is the highest price?",
        "how many sales had a price over 105?",
        "what is the average price of a desk?",
        "how many different items are there?",
    ] {
        let [some, all] = [Rows::Sample, Rows::All].map(|rows| asked(&asker, &table, question, rows));
        assert_eq!(some.answer, all.answer, "{question}: {} and {}", some.formula, all.formula);
        assert_eq!(some.cells, all.cells, "{question}");
        assert_eq!(some, asked(&asker, &table, question, Rows::Sample), "{question}: not the same twice");
    }
}

#[test]
fn small_tables_have_no_sample() {
    let asker = Asker::embedded();
    let table = asker.prepare(&Table::from_csv("City,Year\nAthens,1896\nParis,1900\n").expect("it is a table"));
    assert!(table.profile.is_none());
    assert!(table.sampled(asker.question(&table, "which city was first?")).sample.is_none());
}

#[test]
fn a_sample_has_what_is_named_and_the_extremes() {
    let graph = Graph::new(&sales(), &Words::embedded());
    let profile = Profile::of(&graph).expect("the table is big");
    let [shop, price] = ["shop", "price"].map(|name| graph.column_named(name).expect("there is one"));
    let ghent = graph.entity_named("Ghent").expect("there is one");
    let count = |sample: &Graph, entity| sample.column(shop).cells.iter().filter(|cell| **cell == entity).count();
    let prices = |sample: &Graph| {
        let read = |cell: &_| sample.read(*cell, tabwise::graph::Reading::Number);
        sample.column(price).cells.iter().filter_map(read).max()
    };
    let plain = profile.sample(&graph, &[]);
    assert!(plain.row_count() < Profile::LONG / 2);
    assert_eq!(prices(&plain), Some(Value::Number(4000.0)));
    let named = profile.sample(&graph, &[vec![Value::Entity(ghent)]]);
    assert_eq!(count(&named, ghent), 1);
}
