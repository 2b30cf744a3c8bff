//! Cue words: each names rules that exist, each operation has some, and they decide what is built when operations are
//! anchored to words.

use tabwise::formula::notation::show;
use tabwise::grammar::{Category, Grammar};
use tabwise::graph::Cells;
use tabwise::rank::Candidate;
use tabwise::settings::Operations;
use tabwise::words::EMBEDDED;
use tabwise::{Knowledge, PreparedTable, Settings, Table};

/// The formulas of the candidates for a question.
fn candidates(question: &str, operations: Operations) -> Vec<String> {
    let table = Table::from_csv("City,Country\nAthens,Greece\nParis,France\nLondon,UK\nAthens,Greece\n").unwrap();
    let knowledge = Knowledge::embedded();
    let table = PreparedTable::new(&table, &knowledge, Cells::Alone);
    let settings = Settings { operations, beam: 50, size: 8, ..Settings::paper() };
    let question = table.question(question, &knowledge, &settings);
    let ranking = table.rank(&question, &knowledge.grammar, &settings, &());
    let shown = |candidate: &Candidate| show(ranking.executor.formulas(), &table.graph, candidate.formula);
    ranking.candidates.iter().map(shown).collect()
}

#[test]
fn operations_have_cues() {
    let lists: toml::Table = EMBEDDED.parse().unwrap();
    let cues: Vec<&str> = lists["cues"].as_table().unwrap().keys().map(String::as_str).collect();
    let grammar = Grammar::embedded();
    let is_operation = |category| !matches!(category, Category::RecordFn | Category::ValueFn);
    // Links and columns of some rows are no operations.
    let others = ["base", "join", "condition", "between", "key"];
    let operations = grammar.rules().iter().filter(|rule| !others.contains(&rule.group.as_str()));
    for rule in operations.filter(|rule| is_operation(rule.result)) {
        let own = format!("{} {}", rule.group, rule.name);
        assert!(cues.contains(&rule.group.as_str()) || cues.contains(&own.as_str()), "{own} has no cue");
    }
}

#[test]
fn operations_need_their_cues_when_they_do_not_float() {
    let counts = |question: &str, operations| candidates(question, operations).iter().any(|f| f.starts_with("count("));
    let question = "which country is athens in?";
    assert!(counts(question, Operations::Floating));
    assert!(!counts(question, Operations::Cued));
    assert!(counts("how many times was athens the city?", Operations::Cued));
    assert!(candidates(question, Operations::Cued).iter().any(|f| f == "R[Country].City.Athens"));
}

/// The error of the embedded knowledge with one more line below [cues] and one more rule.
fn error(cue: &str, rule: &str) -> String {
    let words = EMBEDDED.replace("[cues]\n", &format!("[cues]\n{cue}\n"));
    let rules = format!("{}\n{rule}\n", tabwise::grammar::EMBEDDED);
    let file = |name: &str| match name {
        "words.toml" => Some(words.clone().into_bytes()),
        "grammar.rules" => Some(rules.clone().into_bytes()),
        _ => None,
    };
    Knowledge::with_files(file).expect_err(cue).to_string()
}

#[test]
fn cues_that_could_never_be_used_are_refused() {
    let rule = "late? last: Records <- Records = argmax($1, Index)";
    assert!(error(r#"later = ["penultimate"]"#, rule).contains("does not exist"));
    assert!(error(r#"late = ["Penultimate"]"#, rule).contains("lower case"));
    assert!(error(r#"late = ["second-to-last"]"#, rule).contains("questions are split there"));
    assert!(error("", rule).contains("the group \"late\" is written with `?`"));
    assert!(error(r#""late first" = ["penultimate"]"#, rule).contains("does not exist"));
}
