//! Property tests of everything that reads text: no string makes it panic, positions are valid, and what is shown or
//! predicted as itself stays itself.

use proptest::prelude::*;
use tabwise::evaluate::{Item, Target, matches, normalise, prediction_line};
use tabwise::graph::Graph;
use tabwise::question::{Linking, Question, Vocabulary};
use tabwise::table::Table;
use tabwise::text::Annotator;
use tabwise::text::readings::read_cell;
use tabwise::text::values::find_values;
use tabwise::words::Words;

/// Any text, or one of pieces that readings care about, so that rare paths are taken.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[0-9]{1,5}",
        "[-–−/.,:;()\\[\\] \n'\"%$£½#*†]",
        prop::sample::select(vec![
            "May", "june", "Sept.", "of", "to", "BC", "pm", "million", "m", "km2", "twenty", "third", "c.", "hr",
            "present"
        ])
        .prop_map(str::to_owned),
        ".",
    ];
    prop_oneof![any::<String>(), prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())]
}

/// Any text, or one that links care about.
fn named() -> impl Strategy<Value = String> {
    let known = [
        "year",
        "month",
        "quarter",
        "Q42010",
        "2010",
        "93",
        "7",
        "0",
        "1",
        "yes",
        "no",
        "July",
        "Tue",
        "day",
        "Texas",
        "TX",
        "Italian",
        "Italy",
        "female",
        "women",
        "unit_price",
        "mrdrte",
        "murder",
        "rate",
        "żółtaprice",
        "Prıce",
        "oldest",
        "age",
        "1. White",
        "white",
        "Militäry Dict",
        "the",
        "US",
        "us",
        "third",
        "of",
        "'s",
        "phones",
        "Phone",
        "Phnoe",
    ];
    prop_oneof![3 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => text()]
}

thread_local! {
    static WORDS: Words = Words::embedded();
    static ANNOTATOR: Annotator = Annotator::embedded();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn cells_are_read(text in text()) {
        let readings = WORDS.with(|words| read_cell(&text, words));
        for number in [readings.number, readings.number2, readings.duration].into_iter().flatten() {
            prop_assert!(number.is_finite());
        }
        prop_assert!(readings.parts.len() != 1);
        prop_assert!(readings.parts.iter().all(|part| text.contains(part) && !part.is_empty()));
        prop_assert!(readings.number.is_some() || readings.number2.is_none());
        prop_assert!(readings.date.is_some() || readings.date2.is_none());
    }

    #[test]
    fn values_have_tokens(text in text()) {
        let tokens = ANNOTATOR.with(|annotator| annotator.annotate(&text));
        for span in WORDS.with(|words| find_values(&tokens, words)) {
            prop_assert!(span.tokens.start < span.tokens.end && span.tokens.end <= tokens.len());
        }
    }

    #[test]
    fn links_have_tokens(
        headers in prop::collection::vec(named(), 2..5),
        cells in prop::collection::vec(named(), 2..12),
        question in prop::collection::vec(named(), 0..8),
    ) {
        let quoted = |texts: &[String]| {
            texts.iter().map(|text| format!("\"{}\"", text.replace('"', "'"))).collect::<Vec<_>>().join(",")
        };
        let rows: Vec<String> = cells.chunks(headers.len()).map(quoted).collect();
        let Ok(table) = Table::from_csv(&format!("{}\n{}\n", quoted(&headers), rows.join("\n"))) else { return Ok(()) };
        let text = question.join(" ");
        let question = WORDS.with(|words| ANNOTATOR.with(|annotator| {
            let graph = Graph::new(&table, words);
            let vocabulary = Vocabulary::new(&graph, annotator, words);
            Question::new(&text, &graph, &vocabulary, annotator, words, Linking::Kin)
        }));
        let links = question.links.iter().map(|link| &link.tokens);
        let links = links.chain(question.columns.iter().map(|link| &link.tokens));
        let links = links.chain(question.conditions.iter().map(|link| &link.tokens));
        for tokens in links.chain(question.texts.iter().map(|link| &link.tokens)) {
            prop_assert!(tokens.start < tokens.end && tokens.end <= question.tokens.len());
        }
    }

    #[test]
    fn a_target_predicted_as_itself_is_right(texts in prop::collection::vec(text(), 1..4)) {
        let target = WORDS.with(|words| Target::from_strings(&texts, words));
        prop_assert!(matches(&texts, &target) || distinct(&texts) != target.items().len());
    }

    #[test]
    fn normalised_texts_have_no_needless_space(text in text()) {
        let normalised = normalise(&text);
        prop_assert_eq!(normalised.split_whitespace().collect::<Vec<_>>().join(" "), normalised);
    }

    #[test]
    fn predictions_are_one_line(items in prop::collection::vec(text(), 0..4)) {
        let line = prediction_line("q", &items);
        prop_assert_eq!(line.split('\t').count(), items.len() + 1);
        prop_assert!(!line.contains('\n'));
    }
}

/// How many items a set of these predictions has: two targets may be one number ("5", "5 km") but two predictions.
fn distinct(texts: &[String]) -> usize {
    let items: Vec<Item> = texts.iter().map(|text| Item::predicted(text)).collect();
    (0..items.len()).filter(|&at| !items[..at].contains(&items[at])).count()
}
