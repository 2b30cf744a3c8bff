//! Limits that are counted and not timed: steps of execution, the beam of long tables, and the order of equals.

use std::fmt::Write;
use tabwise::execute::{Executor, Undefined};
use tabwise::features::Scene;
use tabwise::formula::{Formulas, notation};
use tabwise::graph::Cells;
use tabwise::graph::Graph;
use tabwise::rank::{Ranking, rank};
use tabwise::search::search;
use tabwise::words::Words;
use tabwise::{Knowledge, PreparedTable, Settings, Table};

/// A table with a number for each row, in two columns.
fn numbers(rows: usize) -> Table {
    let mut text = "Number,Half\n".to_string();
    (0..rows).for_each(|row| writeln!(text, "{row},{}", row / 2).expect("a string can be written to"));
    Table::from_csv(&text).expect("it is a table")
}

/// Goes over all rows for each row.
const SQUARE: &str = "argmax(Rows, R[λx[count(Half.Number.>=.min(R[Number].R[Half].x))]])";

#[test]
fn execution_ends_after_a_number_of_steps() {
    let outcome = |rows: usize| {
        let graph = Graph::new(&numbers(rows), &Words::embedded());
        let mut formulas = Formulas::new();
        let id = notation::read(SQUARE, &graph, &mut formulas).expect("it is a formula");
        Executor::new(&graph, formulas).denote(id).map(|denotation| denotation.is_empty())
    };
    // Each row costs a little more than a step for each row: 20 million steps are enough for 3,000 rows, not for 6,000.
    assert_eq!(outcome(3_000), Ok(false));
    assert_eq!(outcome(6_000), Err(Undefined::TooLong));
}

const QUESTION: &str = "which number has the largest half above 17?";

fn ranked<'a>(
    table: &'a PreparedTable,
    question: &'a tabwise::question::Question,
    settings: &Settings,
    knowledge: &Knowledge,
) -> Ranking<'a> {
    let scene = Scene { graph: &table.graph, vocabulary: &table.vocabulary, question };
    rank(search(scene, &knowledge.grammar, settings, &()), &knowledge.grammar, &())
}

#[test]
fn a_long_table_gets_a_narrower_beam() {
    let knowledge = Knowledge::embedded();
    let settings = |beam| Settings { beam, size: 6, ..Settings::default() };
    let table = PreparedTable::new(&numbers(40_000), &knowledge, Cells::InColumns);
    let question = table.question(QUESTION, &knowledge, &settings(12));
    let built = |ranking: Ranking| (ranking.report.attempts, ranking.report.built, ranking.candidates.len());
    let asked = built(table.rank(&question, &knowledge.grammar, &settings(12), &()));
    assert_eq!(asked, built(ranked(&table, &question, &settings(6), &knowledge)));
    assert_ne!(asked, built(ranked(&table, &question, &settings(12), &knowledge)));
}

#[test]
fn of_equal_candidates_the_smaller_derivation_comes_first() {
    let knowledge = Knowledge::embedded();
    let settings = Settings { size: 8, ..Settings::default() };
    let table = PreparedTable::new(&numbers(9), &knowledge, Cells::InColumns);
    let question = table.question(QUESTION, &knowledge, &settings);
    let ranking = ranked(&table, &question, &settings, &knowledge);
    let sizes: Vec<usize> =
        ranking.candidates.iter().flat_map(|one| one.derivation).map(|id| ranking.derivations.get(id).size).collect();
    assert!(sizes.is_sorted() && sizes.first() < sizes.last(), "{sizes:?}");
}
