//! Output, error messages and exit codes of `tabwise ask`, `chat`, `show`, `completions` and `man`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const GAMES: &str =
    "Year,City,Country\n1896,Athens,Greece\n1900,Paris,France\n1904,St. Louis,USA\n2004,Athens,Greece\n";

fn run_with(input: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabwise"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let _ = child.stdin.take().expect("there is an input").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn run(arguments: &[&str]) -> Output {
    run_with(GAMES, arguments)
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}

fn file(name: &str, content: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ask");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let path = folder.join(name);
    std::fs::write(&path, content).expect("a file can be written");
    path
}

#[test]
fn the_answer_is_followed_by_the_explanation_and_the_cells() {
    let shown = run(&["ask", "-", "which city was last?", "--min-confidence", "0"]);
    assert_eq!(shown.status.code(), Some(0), "{}", error(&shown));
    let object = json(&run(&["ask", "-", "which city was last?", "--min-confidence", "0", "--json"]));
    let text = text(&shown);
    let answer = object["answer"][0].as_str().expect("an answer is text");
    assert!(text.starts_with(&format!("{answer}\n\n  {}\n", object["english"].as_str().unwrap())), "{text}");
    assert!(text.contains("% sure") && text.contains("Year") && text.contains("City"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours in a pipe");
}

#[test]
fn json_has_all_fields() {
    let object = json(&run(&["ask", "-", "which", "city", "was", "last?", "--min-confidence", "0", "--json"]));
    for field in ["answer", "confidence", "formula", "english", "cells", "candidates", "steps", "meanings", "unused"] {
        assert!(!object[field].is_null(), "{field} is missing");
    }
    assert_eq!(object["question"], "which city was last?");
    assert!(object["candidates"][0]["formula"].is_string());
    let confidence = object["confidence"].as_f64().expect("confidence is a number");
    assert!((0.0..=1.0).contains(&confidence));
}

#[test]
fn the_picture_fits_the_terminal_and_says_that_columns_are_left_out() {
    let names = |from: usize, to: usize| (from..to).map(|n| format!("Column{n}")).collect::<Vec<_>>().join(",");
    let rows: String = (0..12_000).map(|row| format!("Land {row},{}\n", names(0, 19).replace("Column", "9"))).collect();
    let wide = file("wide.csv", &format!("Country,{}\n{rows}", names(1, 20)));
    let shown = |columns: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabwise"));
        let question = "what is the Column12 of Land 11998?";
        command.args(["ask", wide.to_str().unwrap(), question, "--min-confidence", "0", "--fast"]);
        text(&command.env("COLUMNS", columns).output().expect("the program starts"))
    };
    for width in [40, 61] {
        let text = shown(&width.to_string());
        let picture: Vec<&str> = text.lines().skip_while(|line| !line.trim_start().starts_with("Country")).collect();
        assert!(picture[0].ends_with(" ⋯") && picture[0].contains("Column12"), "{text}");
        assert!(picture.iter().all(|line| line.chars().count() <= width), "{width}: {text}");
    }
    assert!(!shown("1000").contains('⋯'));
}

#[test]
fn groups_are_a_table_in_json() {
    let flights = "Origin,Delay\nEWR,17\nJFK,-3\nEWR,16\nJFK,4\nEWR,18\n";
    let question = "what is the average delay for each origin?";
    let object = json(&run_with(flights, &["ask", "-", question, "--json", "--top", "10", "--min-confidence", "0"]));
    let meanings = object["meanings"].as_array().expect("there are meanings");
    let rows = serde_json::json!([["EWR", "17"], ["JFK", "0.5"]]);
    let meaning = meanings.iter().find(|meaning| meaning["table"]["rows"] == rows).expect("one has the averages");
    assert_eq!(meaning["table"]["header"], serde_json::json!(["Origin", "average Delay"]));
    assert_eq!(meaning["answer"], serde_json::json!(["EWR: 17", "JFK: 0.5"]));
    assert_eq!(object["table"], meanings[0]["table"]);
}

#[test]
fn notes_on_the_table_come_once() {
    let table = file("stadt.csv", "Stadt;Umsatz;Tag\nBonn;1.234,56;02/01/2020\nMainz;999,10;03/04/2020\n");
    let table = table.to_str().unwrap();
    let notes = [
        "cells are separated by semicolons",
        "the numbers of \"Umsatz\" are read with a decimal comma",
        "the dates of \"Tag\" may begin with the day or the month; they are read with the month first",
    ];
    let questions = file("umsatz.txt", "what is the highest Umsatz?\nhow many rows are there?\n");
    let questions = ["--questions", questions.to_str().unwrap(), "--min-confidence", "0"];
    let several = text(&run(&[&["ask", table], &questions[..]].concat()));
    let one = text(&run(&["ask", table, "what is the highest Umsatz?", "--min-confidence", "0"]));
    let chat = text(&run_with("what is the highest Umsatz?\nhow many rows are there?\n", &["chat", table]));
    for (door, shown) in [("several", &several), ("one", &one), ("chat", &chat)] {
        for note in notes {
            assert_eq!(shown.matches(&format!("note: {note}\n")).count(), 1, "{door}: {shown}");
        }
    }
    assert!(one.contains("\n\nnote: ") && chat.starts_with("note: "), "{one}{chat}");
    let quiet = text(&run(&["ask", table, "what is the highest Umsatz?", "--quiet", "--min-confidence", "0"]));
    assert!(!quiet.contains("note"), "{quiet}");
    let object = json(&run(&["ask", table, "what is the highest Umsatz?", "--json"]));
    assert_eq!(object["notes"], serde_json::json!(notes));
}

#[test]
fn below_the_minimum_confidence_it_abstains_with_a_guess() {
    let shown = run(&["ask", "-", "which city was last?", "--min-confidence", "1"]);
    assert_eq!(shown.status.code(), Some(1));
    assert!(text(&shown).starts_with("I do not know.\nMy best guess, "), "{}", text(&shown));
    let quiet = run(&["ask", "-", "which city was last?", "--min-confidence", "1", "--quiet"]);
    assert_eq!((quiet.status.code(), text(&quiet).as_str()), (Some(1), ""));
    let object = json(&run(&["ask", "-", "which city was last?", "--min-confidence", "1", "--json"]));
    assert_eq!((&object["abstains"], &object["answer"]), (&true.into(), &serde_json::json!([])));
    assert!(object["guess"][0].is_string() && object["hint"].is_string());
}

#[test]
fn several_questions_share_a_table() {
    let table = file("games.csv", GAMES);
    let questions = file("questions.txt", "which city was last?\n\nhow many games were in Athens?\n");
    let (table, questions) = (table.to_str().unwrap(), questions.to_str().unwrap());
    let arguments = ["ask", table, "--questions", questions, "--min-confidence", "0"];
    let quiet = run(&[&arguments[..], &["--quiet"]].concat());
    // One line of output for each line of input, so that `paste` puts them side by side.
    assert_eq!(text(&quiet).lines().map(str::is_empty).collect::<Vec<_>>(), [false, true, false]);
    let shown = run(&arguments);
    assert!(text(&shown).starts_with("> which city was last?\n"), "{}", text(&shown));
    let lines = run(&[&arguments[..], &["--json"]].concat());
    assert_eq!(text(&lines).lines().filter(|line| line.starts_with('{')).count(), 2);
    let piped = run_with("which city was last?\n", &["ask", table, "-", "--quiet", "--min-confidence", "0"]);
    assert_eq!(text(&piped).lines().count(), 1);
}

#[test]
fn each_quoted_question_gets_an_answer() {
    let questions = ["which city was last?", "how many games were in Athens?"];
    let both = run(&["ask", "-", questions[0], questions[1], "--quiet", "--min-confidence", "0"]);
    let alone = questions.map(|question| text(&run(&["ask", "-", question, "--quiet", "--min-confidence", "0"])));
    assert_eq!(text(&both), alone.concat(), "{}", error(&both));
    let unclear = run(&["ask", "-", "how", "many games", "were there?"]);
    assert!(error(&unclear).contains("put each of them in quotes"), "{}", error(&unclear));
}

#[test]
fn answers_are_printed_in_every_format() {
    let arguments = ["ask", "-", "which city was last?", "how many games were in Athens?", "--min-confidence", "0"];
    let printed = |format: &str| text(&run(&[&arguments[..], &["--format", format]].concat()));
    assert!(printed("csv").starts_with("\"question\",\"answer\",\"confidence\"\n\"which city was last?\",\"Athens\""));
    assert!(
        printed("markdown").starts_with("| question | answer | confidence |\n|---|---|---|\n| which city was last? |")
    );
    assert!(printed("table").starts_with("question                        answer  confidence\n───"));
    assert_eq!(printed("json").lines().filter(|line| line.starts_with('{')).count(), 2);
    let flights = "Origin,Delay\nEWR,17\nJFK,-3\nEWR,16\nJFK,4\nEWR,18\n";
    let question = "what is the average delay for each origin?";
    let groups = run_with(flights, &["ask", "-", question, "--format", "csv", "--min-confidence", "0"]);
    assert_eq!(text(&groups), "\"Origin\",\"average Delay\"\n\"EWR\",\"17\"\n\"JFK\",\"0.5\"\n");
}

#[test]
fn colours_are_as_asked_for() {
    let has_colours = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabwise"));
        command.args([
            "ask",
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/olympics.csv"),
            "which city was last?",
        ]);
        command.args(arguments).env_remove("NO_COLOR").envs(variables.iter().copied());
        String::from_utf8_lossy(&command.output().expect("the program runs").stdout).contains('\u{1b}')
    };
    assert!(!has_colours(&[], &[]) && has_colours(&["--color", "always"], &[]));
    assert!(has_colours(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!has_colours(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!has_colours(&[], &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "0")]));
}

#[test]
fn numbers_are_rounded_for_people_alone() {
    let table = "Name,Points\na,1\nb,1\nc,2\n";
    let question = "what is the average of points?";
    let shown = text(&run_with(table, &["ask", "-", question, "--min-confidence", "0"]));
    assert!(shown.starts_with("1.333\n"), "{shown}");
    let object = json(&run_with(table, &["ask", "-", question, "--min-confidence", "0", "--json"]));
    assert!(object["answer"][0].as_str().is_some_and(|value| value.starts_with("1.33333")), "{object}");
}

#[test]
fn mistakes_on_the_command_line_get_a_hint() {
    let table = file("hints.csv", GAMES);
    let table = table.to_str().unwrap();
    let typo = table.replace("hints", "hinst");
    let cases: [(&[&str], &str); 7] = [
        (&["aks"], "did you mean `tabwise ask`?"),
        (&["train"], "is now `tabwise lab train`"),
        (&[table, "which city was last?"], "to ask about a table: tabwise ask "),
        (&["ask", "which city was last?", table], "the table comes first: tabwise ask "),
        (&["ask", &typo, "which city was last?"], "did you mean "),
        (
            &["ask", "https://example.org/games.csv", "which city was last?"],
            "nothing is fetched from https://example.org/games.csv;",
        ),
        (&["ask", table, "which city was last?", "--sheet", "2"], "there is no sheet \"2\": "),
    ];
    for (arguments, expected) in cases {
        let shown = run(arguments);
        assert_eq!(shown.status.code(), Some(2), "{arguments:?}");
        assert!(error(&shown).contains(expected), "{arguments:?}: {}", error(&shown));
    }
}

#[test]
fn errors_name_the_problem_and_are_not_repeated() {
    let cases: [(&[&str], &str); 6] = [
        (&["ask", "nowhere.csv", "which?"], "cannot open nowhere.csv: "),
        (&["ask", "-", " "], "there is no question"),
        (&["ask", "-", "-"], "give one of them as a file"),
        (&["ask", "-", "which?", "--model", "nowhere.bin"], "nowhere.bin"),
        (&["ask", "-", "which?", "--min-confidence", "2"], "a number from 0 to 1"),
        (&["chat", "-"], "the table must be a file"),
    ];
    for (arguments, expected) in cases {
        let shown = run(arguments);
        assert_eq!(shown.status.code(), Some(2), "{arguments:?}");
        assert!(error(&shown).contains(expected), "{arguments:?}: {}", error(&shown));
        assert_eq!(error(&shown).matches(expected).count(), 1, "{arguments:?}: {}", error(&shown));
    }
    let missing = error(&run(&["ask", "nowhere.csv", "which?"]));
    assert_eq!(missing.matches("nowhere.csv").count(), 1, "{missing}");
    let help = text(&run(&["chat", "--help"]));
    assert!(!help.contains("standard input"), "chat does not take the table from there: {help}");
    let table = file("broken.bin", "no model");
    let shown = run(&["ask", "-", "which?", "--model", table.to_str().unwrap()]);
    assert!(error(&shown).contains("this is not a model of tabwise"), "{}", error(&shown));
}

#[test]
fn odd_questions_get_an_answer_or_none() {
    let long = "which city ".repeat(2000);
    for question in ["🏟️🏟️🏟️", "?", "…", "select * from t; --", &long, "\u{202e}which\u{0}city"] {
        if !question.contains('\0') {
            let shown = run(&["ask", "-", question, "--quiet"]);
            assert!(matches!(shown.status.code(), Some(0 | 1)), "{question:?}: {}", error(&shown));
        }
    }
    let nasty = "City,\u{1b}[31mYear\n\u{1b}[2Ja,1\nb,2\n";
    let shown = run_with(nasty, &["ask", "-", "which city is last?", "--min-confidence", "0"]);
    assert!(!text(&shown).contains('\u{1b}'), "a cell cannot reach the terminal");
}

#[test]
fn a_folder_of_knowledge_replaces_files() {
    let phrases = concat!(env!("CARGO_MANIFEST_DIR"), "/../tabwise/knowledge/phrases.toml");
    let phrases = std::fs::read_to_string(phrases)
        .expect("the phrases are text")
        .replace("\"the {noun}{behind}\"", "\"die {noun}{behind}\"");
    let folder = file("phrases.toml", &phrases);
    let folder = folder.parent().unwrap().to_str().unwrap();
    let object =
        json(&run(&["ask", "-", "which city was last?", "--json", "--knowledge", folder, "--min-confidence", "0"]));
    let sentences = object["meanings"].as_array().unwrap().iter().map(|meaning| meaning["english"].to_string());
    assert!(sentences.clone().any(|sentence| sentence.contains("die ")), "{:?}", sentences.collect::<Vec<_>>());
    let empty = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nothing");
    std::fs::create_dir_all(&empty).unwrap();
    let shown = run(&["ask", "-", "which?", "--knowledge", empty.to_str().unwrap()]);
    assert!(error(&shown).contains("has none of the knowledge files"), "{}", error(&shown));
}

#[test]
fn chat_runs_until_quit() {
    let table = file("chat.csv", GAMES);
    let said = ":why\n:all\nwhich city was last?\n:why\n:all\n:next\n:table\n:help\n:nonsense\n:quit\nnever reached\n";
    let shown = run_with(said, &["chat", table.to_str().unwrap(), "--min-confidence", "0"]);
    let text = text(&shown);
    assert_eq!(shown.status.code(), Some(0), "{}", error(&shown));
    for expected in [
        "ask a question first",
        "% sure",
        "  1. ",
        "St. Louis",
        ":next       the next interpretation",
        ":all        every value",
        "no command :nonsense",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in {text}");
    }
    assert!(!text.contains("never reached"));
}

#[test]
fn a_chat_goes_on_from_the_last_question() {
    let (table, other) = (file("talk.csv", GAMES), file("other.csv", "Lake,Depth\nBaikal,1642\nGeneva,310\n"));
    let other = other.to_str().unwrap();
    let said = format!(
        "which city was in 1900?\nand in 1904?\n:undo\n:json\n:open {other}\n:open nowhere.csv\n:undo\n:jsn\nwhich lake is the deepest?\n"
    );
    let shown = text(&run_with(&said, &["chat", table.to_str().unwrap(), "--min-confidence", "0"]));
    for expected in [
        "> and in 1904?\nunderstood as: which city was in 1904?\nSt. Louis\n",
        "> :undo\nBack at: which city was in 1900?\n",
        "\"question\": \"which city was in 1900?\"",
        "2 rows, 2 columns.",
        "cannot open nowhere.csv",
        "ask a question first",
        "did you mean :json?",
        "Baikal\n",
    ] {
        assert!(shown.contains(expected), "{expected:?} is not in {shown}");
    }
}

#[test]
fn intermediate_results_can_be_shown() {
    let links = json(&run(&["show", "links", "-", "how many games were in Athens?", "--json"]));
    assert_eq!(links["links"][0]["value"], "Athens");
    assert_eq!(links["links"][0]["columns"], serde_json::json!(["City"]));
    let question = "how many games were in Athens?";
    let candidates = json(&run(&["show", "candidates", "-", question, "--json", "--top", "3"]));
    assert_eq!(candidates["candidates"].as_array().map(Vec::len), Some(3));
    let formula = candidates["candidates"][2]["formula"].as_str().unwrap();
    let features = json(&run(&["show", "features", "-", question, "--json", "--formula", formula]));
    assert_eq!((&features["formula"], &features["rank"]), (&formula.into(), &3.into()));
    let sum: f64 = features["features"].as_array().unwrap().iter().map(|f| f["weight"].as_f64().unwrap()).sum();
    assert!((sum - features["score"].as_f64().unwrap()).abs() < 1e-3, "the weights make the score");
    let unknown = run(&["show", "features", "-", question, "--formula", "count(City.Paris | City.Athens)"]);
    assert_eq!(unknown.status.code(), Some(2));
    let rules = json(&run(&["show", "rules", "--json"]));
    assert!(rules.as_array().unwrap().iter().all(|rule| !rule["example"].as_str().unwrap().is_empty()));
}

#[test]
fn text_of_a_table_does_not_control_the_terminal() {
    let table = "na\u{1b}[31mme,val\u{1b}]0;title\u{7}ue\n\u{1b}[2Janna,1\nbob\u{9b}5m,2\n";
    let question = "which na me has val ue 1, anna or bob?";
    let shown = |words: &[&str]| {
        let output = run_with(table, words);
        format!("{}{}", text(&output), error(&output))
    };
    for words in [
        &["ask", "-", question][..],
        &["sql", "-", question],
        &["exec", "-", "Rows"],
        &["show", "table", "-"],
        &["show", "graph", "-"],
        &["show", "links", "-", question],
        &["show", "candidates", "-", question],
        &["show", "features", "-", question],
        &["show", "table", "-", "--format", "markdown"],
        &["show", "table", "-", "--format-in", "html"],
    ] {
        let said = shown(words);
        assert!(!said.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{words:?}: {said:?}");
    }
}

#[test]
fn completions_and_manual_come_from_the_same_definitions() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(text(&run(&["completions", shell])).contains("min-confidence"), "{shell}");
    }
    assert!(text(&run(&["man"])).contains(".TH tabwise"));
    assert!(text(&run(&["man", "ask"])).contains("min\\-confidence"));
    assert_eq!(run(&["man", "nothing"]).status.code(), Some(2));
}

#[test]
fn a_reader_that_cannot_be_used_is_an_error() {
    let path = file("reader.bin", "TWREADER and nothing else");
    let path = path.to_str().expect("the path is text");
    let output = run(&["ask", "-", "which city was last?", "--reader", path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(error(&output).contains("the reader is"), "{}", error(&output));
    assert_eq!(run(&["ask", "-", "which city was last?", "--reader", path, "--fast"]).status.code(), Some(2));
    assert_eq!(run(&["ask", "-", "which city was last?", "--fast"]).status.code(), Some(0));
}
