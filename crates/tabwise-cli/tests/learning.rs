//! `tabwise lab train`, `eval` and `reproduce` on a small dataset: results do not depend on the number of threads or on
//! interruptions, and every experiment writes its files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const RIVERS: &str = "River,Country,Length\nDanube,Austria,2850\nRhine,Germany,1230\nLoire,France,1006\n\
    Elbe,Germany,1094\nSeine,France,777\n";
const BOOKS: &str = "Title,Author,Year\nThe Hill,A. Stone,1990\nDeep Water,B. Reed,1994\nOld Roads,A. Stone,2001\n\
    Night Train,C. Wood,2003\nThe Lamp,B. Reed,2010\n";
const GAMES: &str = "Game,Opponent,Points\n1,Lions,12\n2,Bears,20\n3,Lions,7\n4,Hawks,15\n5,Wolves,20\n";

/// A name, a table, and questions on it with their answers.
type Asked = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const QUESTIONS: [Asked; 3] = [
    (
        "rivers",
        RIVERS,
        &[
            ("which river is in austria?", "Danube"),
            ("what is the longest river?", "Danube"),
            ("how many rivers are in germany?", "2"),
            ("what is the length of the loire?", "1006"),
            ("which country is the rhine in?", "Germany"),
            ("which river is listed last?", "Seine"),
            ("which rivers are in france?", "Loire|Seine"),
            ("what is the shortest river?", "Seine"),
            ("how many rivers are there?", "5"),
            ("how much longer is the rhine than the elbe?", "136"),
        ],
    ),
    (
        "books",
        BOOKS,
        &[
            ("who wrote deep water?", "B. Reed"),
            ("which book came first?", "The Hill"),
            ("how many books are by b. reed?", "2"),
            ("in what year did night train come out?", "2003"),
            ("which book is listed after old roads?", "Night Train"),
            ("which book came out in 2010?", "The Lamp"),
            ("who is listed last?", "B. Reed"),
            ("how many books are listed?", "5"),
            ("which book came before night train?", "Old Roads"),
            ("what year was the hill?", "1990"),
        ],
    ),
    (
        "games",
        GAMES,
        &[
            ("how many games were against the lions?", "2"),
            ("who was the last opponent?", "Wolves"),
            ("what is the most points?", "20"),
            ("who was the opponent in game 4?", "Hawks"),
            ("how many points were scored against the bears?", "20"),
            ("who was the first opponent?", "Lions"),
            ("what is the total of points?", "74"),
            ("which opponent came after the bears?", "Lions"),
            ("how many games were played?", "5"),
            ("is the same team listed twice?", "yes"),
        ],
    ),
];

const ANNOTATED: &str = r#"
(example
  (id q-games-1)
  (utterance "who was the last opponent?")
  (context (graph tables.TableKnowledgeGraph csv/games.csv))
  (targetValue (list (description "Wolves")))
  (targetFormula (!r.opponent (argmax 1 1 (@type @row) @index)))
)
(example
  (id q-games-9)
  (utterance "is the same team listed twice?")
  (context (graph tables.TableKnowledgeGraph csv/games.csv))
  (targetValue (list (description "yes")))
  (error "yes or no")
)
"#;

/// Writes the dataset to a folder for one test: two tables for training and one for evaluation.
fn dataset(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("learning").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("data")).expect("a folder can be made");
    fs::create_dir_all(folder.join("csv")).expect("a folder can be made");
    let write = |name: &str, text: String| fs::write(folder.join(name), text).expect("a file can be written");
    QUESTIONS.iter().for_each(|(name, table, _)| write(&format!("csv/{name}.csv"), table.to_string()));
    write("data/random-split-1-train.tsv", questions(&QUESTIONS[..2]));
    write("data/random-split-1-dev.tsv", questions(&QUESTIONS[2..]));
    write("data/training.tsv", questions(&QUESTIONS));
    write("data/annotated-all.examples", ANNOTATED.to_string());
    folder
}

fn questions(tables: &[Asked]) -> String {
    let mut text = "id\tutterance\tcontext\ttargetValue\n".to_string();
    for (name, _, list) in tables {
        for (at, (question, answer)) in list.iter().enumerate() {
            text += &format!("q-{name}-{at}\t{question}\tcsv/{name}.csv\t{answer}\n");
        }
    }
    text
}

fn tabwise(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabwise"));
    command.current_dir(folder).args(arguments.split(' ')).output().expect("the program starts")
}

fn run(folder: &Path, arguments: &str) -> String {
    let output = tabwise(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn text(folder: &Path, name: &str) -> String {
    String::from_utf8(bytes(folder, name)).expect("it is text")
}

const TRAIN: &str = "lab train --data . --split random-split-1-train --beam 50";

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = dataset("threads");
    for threads in [1, 2] {
        run(&folder, &format!("{TRAIN} --threads {threads} --out model-{threads}.bin"));
        let eval = format!("lab eval --data . --split random-split-1-dev --model model-{threads}.bin");
        let said = run(&folder, &format!("{eval} --threads {threads} --predictions answers-{threads}.tsv"));
        assert!(said.starts_with("accuracy ") && said.contains("oracle "), "{said}");
    }
    assert_eq!(bytes(&folder, "model-1.bin"), bytes(&folder, "model-2.bin"));
    assert_eq!(bytes(&folder, "answers-1.tsv"), bytes(&folder, "answers-2.tsv"));
}

#[cfg(unix)]
#[test]
fn a_model_is_written_to_a_file_only() {
    let folder = dataset("place");
    let _listener = std::os::unix::net::UnixListener::bind(folder.join("socket")).expect("a socket can be made");
    for place in ["socket", "csv"] {
        let output = tabwise(&folder, &format!("{TRAIN} --out {place}"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains("--out must be"), "{place}: {said}");
        assert!(output.stdout.is_empty(), "it is refused before anything is learned");
    }
}

#[test]
fn corrections_are_measured() {
    let folder = dataset("corrections");
    run(&folder, &format!("{TRAIN} --out model.bin"));
    let measure = "lab corrections --data . --split random-split-1-train --model model.bin --corrections 4 --fast";
    let said = run(&folder, measure);
    for expected in ["collection 1, half 2: 4 corrections; of ", "same tables: ", "other tables: ", " became right, "] {
        assert!(said.contains(expected), "{expected:?} is not in {said}");
    }
    assert_eq!(said, run(&folder, &format!("{measure} --threads 1")), "the same every time");
    assert!(run(&folder, &format!("{measure} --alike --wrong")).contains("other tables: "));
    let few = tabwise(&folder, &measure.replace("--corrections 4", "--corrections 400"));
    assert_eq!(few.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&few.stderr).contains("lower --corrections"));
}

#[test]
fn predictions_are_the_id_and_the_items() {
    let folder = dataset("predictions");
    run(&folder, &format!("{TRAIN} --out model.bin"));
    run(&folder, "lab eval --data . --split random-split-1-train --model model.bin --predictions answers.tsv");
    let answers = text(&folder, "answers.tsv");
    let ids: Vec<&str> = answers.lines().filter_map(|line| line.split('\t').next()).collect();
    let asked = questions(&QUESTIONS[..2]);
    let expected: Vec<&str> = asked.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(ids, expected);
    assert!(answers.lines().any(|line| line.split('\t').count() > 1), "{answers}");
}

#[test]
fn a_resumed_run_gives_the_same_bytes() {
    let folder = dataset("resume");
    run(&folder, &format!("{TRAIN} --out whole.bin"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabwise"));
    command.current_dir(&folder).args(TRAIN.split(' ')).args(["--out", "part.bin"]).stdout(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let state = folder.join("part.bin.state");
    while !state.exists() && child.try_wait().expect("it can be asked").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait().expect("it ends");
    // A run that ended before it could be stopped leaves no state; its model must be the same too.
    if state.exists() {
        run(&folder, &format!("{TRAIN} --resume --out part.bin"));
    }
    assert_eq!(bytes(&folder, "whole.bin"), bytes(&folder, "part.bin"));
    let output = tabwise(&folder, &format!("{TRAIN} --resume --out other.bin"));
    assert_eq!(output.status.code(), Some(2), "there is nothing to go on with");
}

#[test]
fn every_experiment_writes_its_result() {
    let folder = dataset("reproduce");
    let said = run(
        &folder,
        "lab reproduce all --data . --quick --out results --jobs 2 --threads 2 --work kept --commit abc123",
    );
    let names = [
        "dataset",
        "main",
        "rules",
        "features",
        "triggers",
        "objective",
        "sizes",
        "beam",
        "annotated",
        "errors",
        "settings",
    ];
    for name in names {
        assert!(said.contains(&format!("{name}.md")), "{said}");
        let page = text(&folder, &format!("results/{name}.md"));
        for part in ["paper", "ours", "difference", "- Commit: abc123", "- Seconds: ", "measure nothing"] {
            assert!(page.contains(part), "{name}: no {part:?} in {page}");
        }
        assert!(page.contains(&format!("- Command: `tabwise lab reproduce {name} --data DIR --quick`")), "{page}");
        let object: serde_json::Value =
            serde_json::from_slice(&bytes(&folder, &format!("results/{name}.json"))).unwrap();
        assert!(object["rows"].as_array().is_some_and(|rows| name == "sizes" || !rows.is_empty()), "{name}");
    }
    assert!(
        text(&folder, "results/beam.svg").contains("</svg>") && text(&folder, "results/sizes.svg").contains("</svg>")
    );
    let main = text(&folder, "results/main.md");
    for row in ["| IR baseline | 13.4 |", "| WQ baseline | 23.6 |", "| Our system | 37.0 |", "| Default settings |  |"]
    {
        assert!(main.contains(row), "{main}");
    }
    let again = Command::new(env!("CARGO_BIN_EXE_tabwise"))
        .current_dir(&folder)
        .args("lab reproduce main --data . --quick --out again --work kept --commit abc123".split(' '))
        .output()
        .expect("the program starts");
    assert!(again.status.success());
    let figures = |page: &str| page.lines().filter(|line| line.starts_with('|')).collect::<Vec<_>>().join("\n");
    assert_eq!(figures(&text(&folder, "again/main.md")), figures(&main), "finished runs are used again");
}

#[test]
fn an_unknown_experiment_is_an_error() {
    let folder = dataset("unknown");
    let output = tabwise(&folder, "lab reproduce nothing --data .");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there are dataset, main"));
}

#[test]
fn a_folder_of_recipes_adds_an_experiment() {
    let folder = dataset("recipes");
    fs::create_dir_all(folder.join("own")).expect("a folder can be made");
    let recipe = "title = \"Own\"\nabout = \"One row.\"\nkind = \"rows\"\nsplits = [\"random-split-1\"]\n\n\
        [[row]]\nname = \"joins\"\nbase = \"paper\"\nset = { rules = [\"base\", \"join\"] }\n";
    fs::write(folder.join("own/joins.toml"), recipe).expect("a file can be written");
    let said = run(&folder, "lab reproduce joins --data . --quick --recipes own --out results --commit abc123");
    assert!(said.contains("joins.md"), "{said}");
    assert!(text(&folder, "results/joins.md").contains("| joins |"));
    let output = tabwise(&folder, "lab reproduce main --data . --recipes own");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there are joins"), "names are those of the folder");
}

#[test]
fn the_names_of_the_experiments_are_in_the_help() {
    let help = run(Path::new("."), "lab reproduce --help");
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("Experiments to run: dataset, main, rules,") && help.contains("settings, or all"), "{help}");
}

/// The candidates of each question, by `eval --json`.
fn candidates(folder: &Path, arguments: &str) -> Vec<u64> {
    let eval = "lab eval --data . --split random-split-1-dev --json verdicts.json";
    run(folder, &format!("{eval} {arguments}"));
    let verdicts: serde_json::Value = serde_json::from_slice(&bytes(folder, "verdicts.json")).expect("it is JSON");
    let examples = verdicts["examples"].as_array().expect("it has examples");
    examples.iter().map(|example| example["candidates"].as_u64().expect("it is a count")).collect()
}

#[test]
fn options_replace_the_settings_of_the_model() {
    let folder = dataset("settings");
    let (own, paper) = (candidates(&folder, "--beam 50"), candidates(&folder, "--beam 50 --settings paper"));
    assert_ne!(own, paper, "the embedded model has the default settings");
    assert_eq!(own, candidates(&folder, "--beam 50 --settings default"));
    let joins = candidates(&folder, r#"--beam 50 --settings paper --set {"rules":["base","join"]}"#);
    assert!(joins.iter().sum::<u64>() < paper.iter().sum::<u64>(), "changes apply over them");
}

#[test]
fn the_laboratory_takes_other_knowledge() {
    let folder = dataset("knowledge");
    fs::create_dir_all(folder.join("words")).expect("a folder can be made");
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tabwise/knowledge/grammar.rules");
    let rules = fs::read_to_string(rules).expect("the rules are text");
    let fewer: Vec<&str> = rules.lines().filter(|line| !line.contains(" argmax: ")).collect();
    assert!(fewer.len() < rules.lines().count(), "there is a rule for argmax");
    fs::write(folder.join("words/grammar.rules"), fewer.join("\n")).expect("a file can be written");
    let (own, other) = (candidates(&folder, "--beam 50"), candidates(&folder, "--beam 50 --knowledge words"));
    assert!(other.iter().sum::<u64>() < own.iter().sum::<u64>(), "{other:?} without argmax, {own:?} with it");
    let output = tabwise(&folder, "lab --knowledge nowhere check formulas --data .");
    assert_eq!(output.status.code(), Some(2), "a folder without knowledge is an error");
}

#[test]
fn moved_commands_give_a_hint() {
    for name in ["train", "eval", "check", "reproduce", "train-tagger"] {
        let output = tabwise(Path::new("."), &format!("{name} --data ."));
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(said, format!("tabwise: `tabwise {name}` is now `tabwise lab {name}`\n"));
    }
}
