//! Loading rules: one that is written wrong, has no type or cannot be applied by the search is an error that names its line
//! and what would do.

use tabwise::grammar::Grammar;

/// Loads the embedded rules with one more line, and gives the error.
fn error(line: &str) -> String {
    let text = format!("{}\n{line}\n", tabwise::grammar::EMBEDDED);
    let count = text.lines().count();
    let error = Grammar::read(&text).expect_err(line).to_string();
    assert!(error.contains(&format!("line {count}")), "{error}");
    error
}

#[test]
fn rules_of_unknown_words_or_form_are_refused() {
    assert!(error("join again: Recordz <- Entity = $1").contains("\"Recordz\""));
    assert!(error("join again: Values <- Entities = $1").contains("\"Entities\""));
    assert!(error("join again: Values <- Entity").contains("group name: Result <- Part Part = formula"));
    assert!(error("join again: Values <- Entity = count(").contains("character 7"), "the notation says where");
}

#[test]
fn rules_that_the_search_cannot_apply_are_refused() {
    for parts in [
        "@column Values",
        "@reading",
        "@entity Values",
        "Values @value",
        "Values Values Values",
        "ValueFn Values Entity",
    ] {
        let error = error(&format!("join again: Values <- {parts} = $1"));
        assert!(error.contains("cannot apply"), "{parts}: {error}");
    }
    assert!(error("join again: Values <- Values Values Values Values = $1").contains("cannot apply"));
}

#[test]
fn given_parts_are_taken_as_they_are() {
    assert!(error("base again: Atomic <- @value = sub($1, 1)").contains("= $1"));
    assert!(error("base again: Relation <- @column @reading = λx[$1.$2.$2.x]").contains("λx[$1.$2.x]"));
}

#[test]
fn rules_without_a_type_are_refused() {
    assert!(error("join again: Values <- Records = max($1)").contains("type"));
    assert!(error("join again: Records <- Relation Records = R[$1].$2").contains("Records"));
}

#[test]
fn groups_are_listed_once_in_order() {
    let grammar = Grammar::embedded();
    let groups = grammar.groups();
    assert_eq!(&groups[..3], ["base", "join", "compare"]);
    let mut sorted = groups.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), groups.len());
}
