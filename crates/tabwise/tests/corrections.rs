//! Corrections: the same question is answered as corrected, others are moved a little, and taking a correction back leaves
//! no trace.

use tabwise::answer::{Corrections, Given};
use tabwise::features::Weights;
use tabwise::learn::{CorrectedTable, CorrectionError, Line, Right, Written, correct};
use tabwise::model::{LARGEST_CHANGE, LONGEST_STEP, Overlay, Step, Taught};
use tabwise::{Answer, Asker, Model, PreparedTable, Table, Wanted};

const GAMES: &str = "Year,City,Country,Nations\n1896,Athens,Greece,14\n1900,Paris,France,24\n1924,Paris,France,44\n\
                     1948,London,UK,59\n2004,Athens,Greece,201\n2012,London,UK,204\n";

fn table(asker: &Asker, csv: &str) -> PreparedTable {
    asker.prepare(&Table::from_csv(csv).expect("it is a table"))
}

fn ask(asker: &Asker, table: &PreparedTable, question: &str) -> Answer {
    asker.ask(table, question, &Wanted::default())
}

fn typed(values: &[&str]) -> Right {
    Right::Answer(values.iter().map(|value| value.to_string()).collect())
}

/// Score of the best candidate with an answer less that of the best one with another.
fn margin(asker: &Asker, table: &PreparedTable, question: &str, formula: &str) -> f64 {
    let question = asker.question(table, question);
    let ranking = asker.rank(table, &question);
    let show = |at: usize| {
        tabwise::formula::notation::show(ranking.executor.formulas(), &table.graph, ranking.candidates[at].formula)
    };
    let (pools, _) = ranking.pooled();
    let own = pools.iter().position(|pool| pool.members.iter().any(|at| show(*at) == formula)).expect("a candidate");
    let score = |pool: usize| ranking.candidates[pools[pool].best()].score;
    score(own) - (0..pools.len()).filter(|pool| *pool != own).map(score).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn a_question_is_answered_as_it_was_corrected_until_that_is_taken_back() {
    let mut asker = Asker::embedded();
    let table = table(&asker, GAMES);
    let question = "which city was last?";
    let before = ask(&asker, &table, question);
    assert_ne!(before.answer, ["Athens"]);
    let correction = correct(&asker, &table, question, &typed(&["Athens"])).expect("it has a value");
    assert_eq!((correction.given, correction.answer.as_slice()), (Given::Answer, &["Athens".to_string()][..]));
    assert!(correction.formula.is_some() && correction.step.length() <= LONGEST_STEP * 1.000_001);
    asker.teach(correction.clone());
    let after = ask(&asker, &table, " Which city was LAST");
    assert_eq!((after.answer.as_slice(), after.abstains), (&["Athens".to_string()][..], false));
    assert_eq!((after.correction.as_deref(), after.confidence), (Some(correction.id.as_str()), 1.0));
    assert!(!after.cells.is_empty() && !after.english.is_empty(), "it has its cells and its reason");
    assert_eq!(asker.forget(&correction.id), Some(correction));
    assert_eq!(ask(&asker, &table, question), before, "no trace is left");
}

#[test]
fn a_formula_is_right_for_other_rows_and_a_typed_answer_is_not() {
    let mut asker = Asker::embedded();
    let (games, more) = (table(&asker, GAMES), table(&asker, &format!("{GAMES}2020,Tokyo,Japan,206\n")));
    let question = "which city was last?";
    let first = Right::Formula("R[City].argmin(Rows, Index)".to_string());
    let by_formula = correct(&asker, &games, question, &first).expect("it is a formula");
    asker.teach(by_formula.clone());
    let changed = ask(&asker, &more, question);
    assert_eq!(changed.correction, Some(by_formula.id.clone()), "the columns are the same");
    assert_eq!(changed.answer, ["Athens"]);
    assert!(changed.notes.last().is_some_and(|note| note.contains("corrected")), "{:?}", changed.notes);
    asker.forget(&by_formula.id);
    asker.teach(correct(&asker, &games, question, &typed(&["Athens"])).expect("it has a value"));
    assert!(ask(&asker, &games, question).correction.is_some());
    assert!(ask(&asker, &more, question).correction.is_none(), "another table");
}

#[test]
fn an_answer_that_no_formula_gives_is_remembered_and_teaches_nothing() {
    let mut asker = Asker::embedded();
    let games = table(&asker, GAMES);
    let correction =
        correct(&asker, &games, "which city was last?", &typed(&["Atlantis", "Ys"])).expect("it has values");
    assert!(correction.formula.is_none() && correction.step.changes().is_empty());
    asker.teach(correction);
    let answer = ask(&asker, &games, "which city was last?");
    assert_eq!(answer.answer, ["Atlantis", "Ys"]);
    assert!(answer.cells.is_empty() && answer.formula.is_empty() && !answer.english.is_empty());
}

#[test]
fn a_correction_raises_what_is_right_for_other_questions_as_well() {
    let mut asker = Asker::embedded();
    let games = table(&asker, GAMES);
    let (first, second) = ("which city was the best in France?", "which city was the best in Greece?");
    let formula = |asker: &Asker, question: &str, at: usize| ask(asker, &games, question).meanings[at].formula.clone();
    let (one, other) = (formula(&asker, first, 1), formula(&asker, second, 0));
    let margins = |asker: &Asker| [margin(asker, &games, first, &one), margin(asker, &games, second, &other)];
    let [before, elsewhere] = margins(&asker);
    asker.teach(correct(&asker, &games, first, &Right::Formula(one.clone())).expect("it is a formula"));
    let [after, moved] = margins(&asker);
    assert!(after > before, "the question itself, without the memory of it: {before} and {after}");
    assert_ne!(moved, elsewhere, "a question with the same words");
}

#[test]
fn what_cannot_be_right_is_an_error() {
    let asker = Asker::embedded();
    let games = table(&asker, GAMES);
    let error = |question: &str, right: Right| correct(&asker, &games, question, &right).expect_err("it is wrong");
    assert!(matches!(error(" ? ", typed(&["Athens"])), CorrectionError::Question));
    assert!(matches!(error("which city?", typed(&["", " "])), CorrectionError::Empty));
    assert!(matches!(error("which city?", Right::Formula("R[Cty].Rows".into())), CorrectionError::Formula(_)));
    assert!(matches!(
        error("which city?", Right::Formula("City.Rome".into())),
        CorrectionError::Formula(_) | CorrectionError::Nothing(_)
    ));
    assert!(
        matches!(error("which city?", Right::Formula("City.Athens".into())), CorrectionError::Nothing(_)),
        "rows are no answer"
    );
}

#[test]
fn lines_hold_the_corrections_and_what_training_needs() {
    let asker = Asker::embedded();
    let games = table(&asker, GAMES);
    let correction = correct(&asker, &games, "which city was last?", &typed(&["Athens"])).expect("it has a value");
    let kept = CorrectedTable::of(&games).expect("it is small");
    let mut lines = [Line::Table(kept.clone()), Line::Correction(correction.clone())].map(|line| line.text()).concat();
    let written = Written::read(&lines).expect("just written");
    assert_eq!(written.lines(), lines);
    assert_eq!(written.corrections.list(), std::slice::from_ref(&correction));
    let (examples, left_out) = written.examples(asker.knowledge(), asker.settings().cells);
    assert_eq!((examples.list.len(), examples.tables.len(), left_out), (1, 1, 0));
    assert_eq!(examples.tables[0].identity(), games.identity(), "the table is the same");
    lines.push_str(&Line::Undo(correction.id.clone()).text());
    assert!(Written::read(&lines).expect("lines").corrections.list().is_empty());
    assert!(Written::read("{}\n").is_err() && Written::read("{\"undo").is_ok_and(|none| none.tables.is_empty()));
    assert_eq!(Corrections::new(vec![correction.clone(), correction]).list().len(), 1);
}

#[test]
fn a_step_is_bounded_whatever_it_is_made_of() {
    for direction in [vec![(1, 3.0), (2, -4.0)], vec![(1, 1e300), (2, f64::NAN)], vec![(7, f64::INFINITY)], vec![]] {
        assert!(Step::new(direction, 1e9).length() <= LONGEST_STEP * 1.000_001);
    }
    let step = Step::new(vec![(2, -4.0), (1, 3.0)], 0.5);
    assert_eq!(step.changes(), [(1, 0.3), (2, -0.4)]);
}

#[test]
fn a_written_step_reads_back_and_a_lengthened_one_is_shortened() {
    let step = Step::new(vec![(u64::MAX, 1.0), (3, 0.25)], 1.0);
    let text = serde_json::to_string(&step).expect("plain data");
    assert!(text.contains("\"ffffffffffffffff\""), "{text}");
    assert_eq!(serde_json::from_str::<Step>(&text).expect("just written"), step);
    let long: Step = serde_json::from_str(r#"{"0000000000000001": 1e30}"#).expect("a step");
    assert!((long.length() - LONGEST_STEP).abs() < 1e-6);
    for wrong in [r#"{"1": 1}"#, r#"{"000000000000000x": 1}"#, "[1]"] {
        assert!(serde_json::from_str::<Step>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn many_steps_in_one_direction_change_a_weight_no_further_than_its_bound() {
    let steps: Vec<Step> = (0..1000).map(|_| Step::new(vec![(5, 1.0)], 1.0)).collect();
    let (model, overlay) = (Model::embedded(), Overlay::of(steps.iter()));
    let taught = Taught { model: &model, overlay: &overlay };
    assert_eq!(taught.weight(5) - model.weight(5), LARGEST_CHANGE);
    assert_eq!(taught.weight(6), model.weight(6));
}

#[test]
fn what_is_left_after_a_correction_is_taken_back_is_as_if_it_had_never_been_made() {
    let asker = Asker::embedded();
    let games = table(&asker, GAMES);
    let made = ["which city was last?", "which city was first?", "how many cities are in Greece?"]
        .map(|question| correct(&asker, &games, question, &typed(&["Athens"])).expect("it has a value"));
    let [first, second, third] = made;
    let mut all = Corrections::new(vec![first.clone(), second.clone(), third.clone()]);
    assert_eq!(all.remove(&second.id), Some(second));
    let without = Corrections::new(vec![first, third]);
    assert_eq!(format!("{:?}", all.overlay()), format!("{:?}", without.overlay()));
    assert_eq!(all.list(), without.list());
}
