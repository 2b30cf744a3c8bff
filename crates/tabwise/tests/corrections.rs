//! Corrections change answers, within bounds, and can be taken back.

use tabwise::answer::{Asker, PreparedTable, Wanted};
use tabwise::evaluate::Target;
use tabwise::learn::{Corrected, Corrections};
use tabwise::{Answer, Table};

const SALES: &str = "Product,Region,Units\nLamp,North,12\nDesk,South,5\nLamp,South,20\nChair,West,9\nDesk,North,2\n";

fn setting() -> (Asker, PreparedTable) {
    let asker = Asker::embedded();
    let table = asker.prepare(&Table::from_csv(SALES).expect("it is a table"));
    (asker, table)
}

fn ask(asker: &Asker, table: &PreparedTable, corrections: &Corrections, question: &str) -> Answer {
    let wanted = Wanted { min_confidence: 0.0, ..Wanted::default() };
    asker.ask_with(corrections.overlay(), table, question, &wanted)
}

#[test]
fn a_correction_holds_at_once_and_can_be_taken_back() {
    let (asker, table) = setting();
    let mut corrections = Corrections::default();
    let question = "how many lamps were sold?";
    let before = ask(&asker, &table, &corrections, question);
    assert_ne!(before.answer, ["32"], "the example is one that the model gets wrong");
    let right = Target::from_strings(&["32"], &asker.knowledge().words);
    let mut effect = Corrected::OutOfReach;
    for _ in 0..10 {
        effect = corrections.learn(&asker, &table, question, &right).0;
    }
    assert_ne!(effect, Corrected::OutOfReach);
    assert_eq!(ask(&asker, &table, &corrections, question).answer, ["32"]);
    (0..10).for_each(|_| assert!(corrections.undo()));
    assert!(!corrections.undo());
    assert_eq!(ask(&asker, &table, &corrections, question), before);
}

#[test]
fn an_answer_that_no_formula_has_teaches_nothing() {
    let (asker, table) = setting();
    let mut corrections = Corrections::default();
    let right = Target::from_strings(&["Atlantis"], &asker.knowledge().words);
    let (effect, lesson) = corrections.learn(&asker, &table, "how many lamps were sold?", &right);
    assert_eq!((effect, lesson.len()), (Corrected::OutOfReach, 0));
    assert!(corrections.overlay().is_empty() && corrections.count() == 1);
}

#[test]
fn kept_lessons_give_the_same_weights() {
    let (asker, table) = setting();
    let mut corrections = Corrections::default();
    let right = Target::from_strings(&["32"], &asker.knowledge().words);
    let (_, lesson) = corrections.learn(&asker, &table, "how many lamps were sold?", &right);
    let mut recalled = Corrections::default();
    recalled.recall(lesson);
    assert_eq!(recalled.overlay(), corrections.overlay());
}
