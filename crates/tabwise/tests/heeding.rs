//! Formulas that go against the question cost something, and those that go along with it do not.

use std::collections::BTreeMap;
use tabwise::formula::notation::show;
use tabwise::{Knowledge, PreparedTable, Settings, Table};

const PLAYERS: &str = "Player,Club,Age,Weight,Born,Score\nAda,North,31,70,1990-05-01,88\nBea,South,24,64,1997-03-12,91\n\
    Cleo,North,28,81,1993-11-23,95\nDora,East,35,77,1986-01-30,79\n";

/// Costs of all candidates for a question about a table, by formula.
fn costs_in(table: &str, question: &str) -> BTreeMap<String, f64> {
    let (knowledge, settings) = (Knowledge::embedded(), Settings::default());
    let table = PreparedTable::new(&Table::from_csv(table).unwrap(), &knowledge, settings.cells);
    let question = table.question(question, &knowledge, &settings);
    let ranking = table.rank(&question, &knowledge.grammar, &settings, &()).heeding(&settings.heed);
    let formulas = ranking.executor.formulas();
    ranking.candidates.iter().map(|one| (show(formulas, &table.graph, one.formula), one.cost)).collect()
}

/// Asserts that the first formula costs nothing and the second something.
fn assert_heeded(question: &str, along: &str, against: &str) {
    assert_heeded_in(PLAYERS, question, along, against);
}

/// The same, about another table.
fn assert_heeded_in(table: &str, question: &str, along: &str, against: &str) {
    let costs = costs_in(table, question);
    let cost = |formula: &str| *costs.get(formula).unwrap_or_else(|| panic!("{question}: no {formula}: {costs:#?}"));
    assert_eq!(cost(along), 0.0, "{question}: {along}");
    assert!(cost(against) > 0.0, "{question}: {against}");
}

#[test]
fn superlatives_go_the_way_that_is_said() {
    assert_heeded("how old is the oldest player?", "max(R[Number].R[Age].Rows)", "min(R[Number].R[Age].Rows)");
    let (heavy, light) = ("R[Player].argmax(Rows, λx[Weight.Number.x])", "R[Player].argmin(Rows, λx[Weight.Number.x])");
    assert_heeded("which player is the heaviest?", heavy, light);
    assert_heeded("which player is the lightest?", light, heavy);
    assert_heeded("which player is the heaviest?", heavy, "R[Player].argmax(Rows, Index)");
}

#[test]
fn old_means_an_early_date() {
    let (early, late) = ("R[Player].argmin(Rows, λx[Born.Date.x])", "R[Player].argmax(Rows, λx[Born.Date.x])");
    assert_heeded("which player was born earliest?", early, late);
    assert_heeded("who is the oldest player by born?", early, late);
}

#[test]
fn bounds_lie_on_the_side_that_is_said() {
    assert_heeded("did a score ever get above 90?", "exists(Score.Number.>.90)", "exists(Score.Number.<.90)");
    assert_heeded("how many players scored at most 90?", "count(Score.Number.<=.90)", "count(Score.Number.>=.90)");
}

#[test]
fn an_answer_looks_as_it_is_asked_for() {
    assert_heeded("when was Ada born?", "R[Born].Player.Ada", "R[Club].Player.Ada");
    assert_heeded("how many players are in North?", "count(Club.North)", "R[Player].Club.North");
}

#[test]
fn a_number_of_things_is_picked() {
    let top = "R[Player].argmax(Rows, λx[Weight.Number.x], 2)";
    assert_heeded("name the 2 heaviest players", top, "R[Player].argmax(Rows, λx[Weight.Number.x])");
}

#[test]
fn a_number_is_of_the_column_whose_header_stands_before_it() {
    let table = "patient,ward,bed,score\n7,3,25,12\n25,7,3,9\n12,3,4,25\n";
    assert_heeded_in(table, "score of patient 25", "R[score].patient.\"25\"", "R[score].bed.\"25\"");
}

#[test]
fn a_text_in_lists_is_meant_with_the_lists() {
    let films = "film,genres\nA,Drama\nB,\"Comedy, Drama\"\nC,Comedy\nD,\"Drama, War\"\n";
    assert_heeded_in(films, "which films are drama?", "R[film].genres.Part.Drama", "R[film].genres.Drama");
}

#[test]
fn names_that_repeat_are_counted_once() {
    let table = "race,rider,time\n1,Ann,30\n2,Ann,31\n3,Bob,29\n4,Cleo,28\n";
    assert_heeded_in(table, "how many riders took part?", "count(R[rider].Rows)", "count(Rows)");
}

#[test]
fn a_step_in_time_is_taken_once() {
    let table = "year,sales\n2004,3\n2005,4\n2006,5\n2007,9\n";
    let (once, twice) = ("R[sales].year.Date.2006-XX-XX", "R[sales].R[Next].year.Date.2006-XX-XX");
    assert_heeded_in(table, "sales in the year after 2005", once, twice);
}
