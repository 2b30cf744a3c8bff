//! What the ranking sees of a candidate beyond the paper's features, by the names that `show features` prints; and the
//! rules that need a cue word.

use tabwise::features::GroupId;
use tabwise::formula::notation::show;
use tabwise::graph::Cells;
use tabwise::{Knowledge, PreparedTable, Settings, Table};

const LAKES: &str =
    "Lake,Country,Depth\nBaikal,Russia,1642\nVostok,Antarctica,\nLadoga,Russia,230\nGeneva,France,310\n";

/// The candidates for a question about the lakes, each with the names of its features.
fn candidates(question: &str) -> Vec<(String, Vec<String>)> {
    candidates_under(Settings::default(), question)
}

fn candidates_under(settings: Settings, question: &str) -> Vec<(String, Vec<String>)> {
    let knowledge = Knowledge::embedded();
    let table = PreparedTable::new(&Table::from_csv(LAKES).unwrap(), &knowledge, Cells::InColumns);
    let settings = Settings { size: 11, ..settings };
    let question = table.question(question, &knowledge, &settings);
    let ranking = table.rank(&question, &knowledge.grammar, &settings, &());
    let named =
        |groups: &[GroupId]| groups.iter().flat_map(|id| ranking.groups.named(*id)).map(|(_, name)| name).collect();
    let shown = |formula| show(ranking.executor.formulas(), &table.graph, formula);
    ranking.candidates.iter().map(|candidate| (shown(candidate.formula), named(&candidate.groups))).collect()
}

fn features(question: &str, formula: &str) -> Vec<String> {
    let found = candidates(question).into_iter().find(|(shown, _)| shown == formula);
    found.unwrap_or_else(|| panic!("{formula} is no candidate for {question}")).1
}

/// The feature of a formula's shape alone.
fn shape(question: &str, formula: &str) -> String {
    features(question, formula).into_iter().find(|name| name.starts_with("shape: ") && !name.contains('·')).unwrap()
}

#[test]
fn each_family_sees_what_it_is_for() {
    let which = "which is deeper, ladoga or geneva?";
    let deeper = "argmax(Ladoga | Geneva, λx[R[Lake].Depth.Number.x])";
    let expected = [
        (which, deeper, "echo: all · or"),
        (which, "R[Country].Lake.Geneva", "echo: nothing · or"),
        (which, deeper, "order: deeper · argmax depth"),
        (
            "which is the deepest lake?",
            "R[Lake].argmax(Rows, λx[Depth.Number.x])",
            "order: deepest lake · argmax depth",
        ),
        ("which lake has a depth of 230?", "R[Lake].Depth.Number.230", "near: before · depth · of · ="),
        ("which lake has a depth of 230?", "R[Lake].Depth.Number.230", "near: header before"),
        ("which lake has a depth of 230?", "R[Lake].Depth.Number.230", "extent: linked · 0"),
        ("which lake has a depth of 230?", "R[Country].Rows", "extent: linked · 1"),
        ("which lake has a depth of 230?", "R[Lake].Depth.Number.230", "phrase-denotation: lake · word unique first"),
        (
            "how much deeper is ladoga than geneva?",
            "sub(R[Number].R[Depth].Lake.Geneva, R[Number].R[Depth].Lake.Ladoga)",
            "order: deeper · sub depth",
        ),
    ];
    for (question, formula, feature) in expected {
        let names = features(question, formula);
        assert!(names.iter().any(|name| name.starts_with(feature)), "{feature} of {formula}: {names:#?}");
    }
}

#[test]
fn what_a_column_does_is_seen_beyond_the_paper() {
    let (question, formula) = ("which lake has the greatest depth?", "R[Lake].argmax(Rows, λx[Depth.Number.x])");
    let names = |settings: Settings| {
        let found = candidates_under(settings, question).into_iter().find(|(shown, _)| shown == formula);
        found.expect("the formula is a candidate").1
    };
    let has = |names: &[String], name: &str| names.iter().any(|n| n == name);
    let (own, paper) = (names(Settings::default()), names(Settings::paper()));
    for (name, by_role) in [("by depth", true), ("!lake", true), ("depth", false), ("lake", false)] {
        let feature = format!("lexical: greatest depth · {name}");
        assert_eq!((has(&own, &feature), has(&paper, &feature)), (by_role, !by_role), "{feature}");
    }
}

#[test]
fn a_column_is_missing_when_no_part_of_a_formula_uses_it() {
    let question = "which lake has the greatest depth?";
    let is_missing =
        |formula: &str, name: &str| features(question, formula).contains(&format!("missing: relation · {name}"));
    let deepest = "R[Lake].argmax(Rows, λx[Depth.Number.x])";
    assert!(!is_missing(deepest, "lake") && !is_missing(deepest, "depth"));
    assert!(is_missing("R[Lake].argmax(Rows, Index)", "depth"));
}

#[test]
fn shapes_tell_columns_apart() {
    let after = |column: &str| shape("who is next after ladoga?", &format!("R[{column}].R[Next].Lake.Ladoga"));
    assert_eq!(after("Country"), after("Depth"));
    assert_ne!(after("Country"), after("Lake"));
}

#[test]
fn blank_answers_are_dropped() {
    let formulas: Vec<String> = candidates("how deep is vostok?").into_iter().map(|(formula, _)| formula).collect();
    assert!(formulas.contains(&"R[Country].Lake.Vostok".to_string()));
    assert!(!formulas.contains(&"R[Depth].Lake.Vostok".to_string()));
}

#[test]
fn some_rules_need_a_cue() {
    let has = |question: &str, formula: &str| candidates(question).iter().any(|(shown, _)| shown == formula);
    assert!(has("what are the top 2 lakes?", "R[Lake].Index.<.2"));
    assert!(!has("which lakes have 2 names?", "R[Lake].Index.<.2"));
    let range = "sub(max(R[Number].R[Depth].Rows), min(R[Number].R[Depth].Rows))";
    assert!(has("what is the difference between the depths?", range));
    assert!(!has("what are the depths?", range));
}

#[test]
fn groups_are_labelled_for_people() {
    let knowledge = Knowledge::embedded();
    let table = PreparedTable::new(&Table::from_csv(LAKES).unwrap(), &knowledge, Cells::InColumns);
    let settings = Settings { size: 9, ..Settings::default() };
    let question = table.question("which lake in russia is the deepest, baikal or ladoga?", &knowledge, &settings);
    let ranking = table.rank(&question, &knowledge.grammar, &settings, &());
    let shown = |formula| show(ranking.executor.formulas(), &table.graph, formula);
    let wanted = "argmax(Baikal | Ladoga, λx[R[Lake].Depth.Number.x])";
    let candidate = ranking.candidates.iter().find(|one| shown(one.formula) == wanted).expect("it is a candidate");
    let mut labels: Vec<String> = candidate.groups.iter().map(|group| ranking.groups.label(*group)).collect();
    labels.sort_unstable();
    let expected = [
        "gives entity",
        "goes by argmax depth",
        "leaves out russia",
        "the number of values it gives",
        "the question says all of the answer",
        "the shape of the formula",
        "the share of the question that is used",
    ];
    for label in expected {
        assert!(labels.iter().any(|one| one == label), "{label}: {labels:#?}");
    }
    assert!(labels.iter().any(|label| label == "uses baikal") && labels.iter().any(|label| label == "uses argmax"));
}
