//! Cost of reading a cell, for each kind of cell and for a mixed column, and of loading the word lists; with `--data`, of
//! every cell of the dataset's tables and every target as well. `support` has the arguments.

mod support;

use std::hint::black_box;
use std::path::Path;
use support::{Args, best_of_many};
use tabwise::evaluate::{Item, Prediction, Target, records_from_tsv};
use tabwise::text::Annotator;
use tabwise::text::escapes::unescape;
use tabwise::text::readings::read_cell;
use tabwise::text::values::find_values;
use tabwise::words::Words;

const COLUMNS: &[(&str, &[&str])] = &[
    ("numbers", &["12", "1,234", "87.5", "2004", "7", "1,091,918"]),
    ("words", &["Athens", "Peter Example", "Rock Creek Township", "Gold medal", "Yes", "N"]),
    ("measures", &["14 km2", "$1.5 million", "45.7%", "3rd", "1.94 m (6 ft 4 in)", "−6.3"]),
    ("dates", &["June 12, 2010", "12 June", "2010-06-12", "c. 1850", "1871–97", "06/10/1996"]),
    ("times", &["3:45.79", "2:12:01", "5h 29' 10\"", "1 hr 20 min", "3:00 PM", "+10:50.2"]),
    ("lists", &["Bangkok, Thailand", "A / B / C", "one; two", "L 38–66, 12–4", "x\ny\nz", "Foo (a, b), bar"]),
];

fn main() {
    let args = Args::read();
    let words = Words::embedded();
    report("load the word lists", 1, || {
        black_box(Words::embedded());
    });
    for (name, cells) in COLUMNS {
        report(&format!("a cell of {name}"), cells.len(), || read_all(cells, &words));
    }
    let mixed: Vec<&str> = COLUMNS.iter().flat_map(|(_, cells)| cells.iter().copied()).collect();
    report("a cell of a mixed column", mixed.len(), || read_all(&mixed, &words));
    if let Some(data) = args.data {
        dataset(&data, &words);
    }
}

fn read_all<S: AsRef<str>>(cells: &[S], words: &Words) {
    for cell in cells {
        black_box(read_cell(black_box(cell.as_ref()), words));
    }
}

/// Every cell of the tagged tables, and every target of the training questions against a thousand predictions.
fn dataset(data: &Path, words: &Words) {
    let cells = cells(data);
    report(&format!("a cell of the dataset ({} cells)", cells.len()), cells.len(), || read_all(&cells, words));
    let text = std::fs::read_to_string(data.join("data/training.tsv")).expect("the dataset has training.tsv");
    let examples = records_from_tsv(&text).expect("training.tsv is a file of examples");
    let annotator = Annotator::embedded();
    let questions: Vec<_> = examples.iter().map(|example| annotator.annotate(&example.utterance)).collect();
    report("find the values of a question", questions.len(), || {
        for tokens in &questions {
            black_box(find_values(tokens, words));
        }
    });
    report("normalise a target", examples.len(), || {
        for example in &examples {
            black_box(Target::from_strings(&example.target, words));
        }
    });
    let targets: Vec<Target> = examples.iter().map(|example| Target::from_strings(&example.target, words)).collect();
    let item = Item::predicted("Some name (1990)");
    let answers = [Prediction::Number(7.0), Prediction::Item(&item)];
    report("judge an answer", targets.len() * answers.len(), || {
        for target in &targets {
            for answer in &answers {
                black_box(target.matches(std::iter::once(*answer)));
            }
        }
    });
}

fn cells(data: &Path) -> Vec<String> {
    let mut cells = Vec::new();
    for folder in std::fs::read_dir(data.join("tagged")).expect("the dataset has tagged tables") {
        let folder = folder.expect("a folder can be listed").path();
        for file in std::fs::read_dir(folder).expect("a folder can be listed") {
            let content =
                std::fs::read_to_string(file.expect("a folder can be listed").path()).expect("tagged tables are text");
            let lines = content.lines().skip(1).filter_map(|line| line.split('\t').nth(3));
            cells.extend(lines.map(|field| unescape(field).into_owned()));
        }
    }
    cells
}

/// Prints the best time of one unit of the work.
fn report(name: &str, units: usize, work: impl Fn()) {
    println!("{name:44} {:10.0} ns", best_of_many(work).as_nanos() as f64 / units as f64);
}
