//! Dialogues of two questions: a file of `tests/dialogues` has a table, then pairs of questions (`> `), each followed by
//! the right answer to the second. What is right was written down before any of it was built, so most must be right, not
//! all; the others are printed by `cargo test --test dialogues -- --nocapture`.

use std::fs;
use std::path::Path;
use tabwise::dialogue::{Dialogue, Understood};
use tabwise::{Asker, Table, Wanted};

/// Fewest dialogues of a hundred that must be right.
const BAR: usize = 80;

struct Pair<'a> {
    first: &'a str,
    second: &'a str,
    right: Vec<&'a str>,
}

fn pairs(text: &str) -> (String, Vec<Pair<'_>>) {
    let (head, dialogues) = text.split_once("\n\n").expect("a blank line ends the table");
    let table: Vec<&str> = head.lines().filter(|line| !line.starts_with("//")).collect();
    let lines: Vec<&str> = dialogues.lines().filter(|line| !line.is_empty()).collect();
    let pairs = lines.chunks(3).map(|lines| {
        let [first, second, right] = lines else { panic!("three lines make a dialogue: {lines:?}") };
        let asked = |line: &'_ str| line.starts_with("> ");
        assert!(asked(first) && asked(second) && !asked(right), "{lines:?}");
        Pair { first: &first[2..], second: &second[2..], right: right.trim().split(" | ").collect() }
    });
    (table.join("\n"), pairs.collect())
}

#[test]
fn most_follow_ups_are_answered_right() {
    let asker = Asker::embedded();
    let (mut right, mut all) = (0, 0);
    let mut files: Vec<_> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialogues"))
        .expect("there is a folder")
        .map(|entry| entry.expect("a folder can be listed").path())
        .collect();
    files.sort();
    for file in files {
        let text = fs::read_to_string(&file).expect("a dialogue is text");
        let (table, pairs) = pairs(&text);
        let table = Table::from_csv(&table).expect("it is a table");
        let prepared = asker.prepare(&table);
        for pair in pairs {
            let mut dialogue = Dialogue::default();
            let wanted = Wanted { min_confidence: 0.0, ..Wanted::default() };
            let (first, _) = dialogue.ask(&asker, (&table, &prepared), pair.first, &wanted);
            let (second, understood) = dialogue.ask(&asker, (&table, &prepared), pair.second, &wanted);
            all += 1;
            match second.answer == pair.right {
                true => right += 1,
                false => println!(
                    "> {} {:?}\n> {} {understood:?}\n  {:?} instead of {:?}",
                    pair.first, first.answer, pair.second, second.answer, pair.right
                ),
            }
        }
    }
    println!("{right} of {all} right");
    assert!(all >= 60 && right * 100 >= all * BAR, "{right} of {all} dialogues are right");
}

#[test]
fn a_first_question_stands_on_its_own() {
    let asker = Asker::embedded();
    let table = Table::from_csv("City,Year\nAthens,1896\nParis,1900\nRome,1960\n").expect("it is a table");
    let prepared = asker.prepare(&table);
    let mut dialogue = Dialogue::default();
    assert_eq!(dialogue.understand(&asker, &prepared, "and in Paris?"), Understood::Alone);
    dialogue.ask(&asker, (&table, &prepared), "which city was in 1896?", &Wanted::default());
    assert_eq!(
        dialogue.understand(&asker, &prepared, "and in 1900?"),
        Understood::As("which city was in 1900?".to_owned())
    );
    assert_eq!(dialogue.understand(&asker, &prepared, "which city was last?"), Understood::Alone);
    assert!(dialogue.undo().is_none());
    assert_eq!(dialogue.understand(&asker, &prepared, "and in 1900?"), Understood::Alone);
}

#[test]
fn rows_of_the_last_answer_are_named_as_in_the_whole_table() {
    let asker = Asker::embedded();
    let table =
        Table::from_csv("City,Country,Nations\nParis,France,24\nRome,Italy,83\nTurin,Italy,93\nLyon,France,10\n")
            .expect("it is a table");
    let prepared = asker.prepare(&table);
    let mut dialogue = Dialogue::default();
    let wanted = Wanted { min_confidence: 0.0, ..Wanted::default() };
    dialogue.ask(&asker, (&table, &prepared), "which cities are in Italy?", &wanted);
    let (answer, understood) =
        dialogue.ask(&asker, (&table, &prepared), "of those, which city has the most nations?", &wanted);
    let question = "which city has the most nations?".to_owned();
    assert_eq!(understood, Understood::Among { question, rows: vec![1, 2] });
    assert_eq!((answer.answer, answer.cells), (vec!["Turin".to_owned()], vec![[2, 0]]));
    assert!(answer.steps.iter().any(|step| step.result == ["row 3"]), "{:?}", answer.steps);
}

#[test]
fn a_piece_that_names_a_column_asks_what_has_it() {
    let asker = Asker::embedded();
    let table = Table::from_csv("City,Country,Nations\nParis,France,24\nRome,Italy,83\nTurin,Italy,93\n")
        .expect("it is a table");
    let prepared = asker.prepare(&table);
    let mut dialogue = Dialogue::default();
    let wanted = Wanted { min_confidence: 0.0, ..Wanted::default() };
    dialogue.ask(&asker, (&table, &prepared), "which cities are in Italy?", &wanted);
    let among = |question: &str| Understood::Among { question: question.to_owned(), rows: vec![1, 2] };
    let understand = |piece: &str| dialogue.understand(&asker, &prepared, piece);
    assert_eq!(understand("of those, the most nations?"), among("which City has the most nations?"));
    assert_eq!(understand("of those, the largest?"), among("which City is the largest?"));
    dialogue.ask(&asker, (&table, &prepared), "how many rows are in Italy?", &wanted);
    assert_eq!(dialogue.understand(&asker, &prepared, "of those, the largest?"), among("which City is the largest?"));
}

#[test]
fn a_piece_divides_and_negates() {
    let asker = Asker::embedded();
    let csv = "Order,Customer,Region,Quantity,Shipped\n1,Acme,West,3,Yes\n2,Globex,East,5,No\n3,Acme,West,4,No\n";
    let table = Table::from_csv(csv).expect("it is a table");
    let prepared = asker.prepare(&table);
    let understand = |first: &str, piece: &str| {
        let mut dialogue = Dialogue::default();
        dialogue.ask(&asker, (&table, &prepared), first, &Wanted::default());
        match dialogue.understand(&asker, &prepared, piece) {
            Understood::As(question) => question,
            other => format!("{other:?}"),
        }
    };
    assert_eq!(understand("what is the total quantity?", "by region?"), "what is the total quantity by region?");
    assert_eq!(
        understand("what is the total quantity?", "and for each customer?"),
        "what is the total quantity for each customer?"
    );
    assert_eq!(
        understand("what is the total quantity by region?", "and per customer?"),
        "what is the total quantity by customer?"
    );
    assert_eq!(understand("how many were shipped?", "and not shipped?"), "how many were not shipped?");
    assert_eq!(understand("how many were not shipped?", "and shipped?"), "how many were shipped?");
    assert_eq!(understand("how many orders were in West?", "and not in West?"), "how many orders were not in West?");
    assert_eq!(
        understand("how many orders were in the West?", "not in the East?"),
        "how many orders were not in the East?"
    );
    assert_eq!(
        understand("how many orders were in West?", "and not in the East?"),
        "how many orders were not in the East?"
    );
}
