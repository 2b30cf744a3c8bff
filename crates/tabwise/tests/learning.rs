//! Learning: a small set of questions that must be learned, by either objective. A learner that moves the wrong way, or not
//! at all, fails here; so does one that forgets to average, to pay its penalty or to hold tables back.

use tabwise::evaluate::{Author, Example, Examples, Target, Verdict};
use tabwise::graph::Cells;
use tabwise::learn::{Confidence, ResumeError, Training, train};
use tabwise::settings::Objective;
use tabwise::{Knowledge, Model, PreparedTable, Settings, Table};

/// A table with questions and their answers.
type Asked = (&'static str, &'static [(&'static str, &'static str)]);

const RIVERS: Asked = (
    "River,Country,Length\nDanube,Austria,2850\nRhine,Germany,1230\nLoire,France,1006\nElbe,Germany,1094\nSeine,France,777",
    &[
        ("which river is in austria?", "Danube"),
        ("what is the longest river?", "Danube"),
        ("how many rivers are in germany?", "2"),
        ("which country is the rhine in?", "Germany"),
        ("which river is listed last?", "Seine"),
        ("what is the shortest river?", "Seine"),
        ("how many rivers are there?", "5"),
        ("which river is listed after the rhine?", "Loire"),
    ],
);
const BOOKS: Asked = (
    "Title,Author,Year\nThe Hill,A. Stone,1990\nDeep Water,B. Reed,1994\nOld Roads,A. Stone,2001\nNight Train,C. Wood,2003\nThe Lamp,B. Reed,2010",
    &[
        ("who wrote deep water?", "B. Reed"),
        ("how many books are by b. reed?", "2"),
        ("which book is listed after old roads?", "Night Train"),
        ("who is listed last?", "B. Reed"),
        ("how many books are listed?", "5"),
        ("which book is listed first?", "The Hill"),
        ("which author has the most books?", "A. Stone|B. Reed"),
        ("what year was night train?", "2003"),
    ],
);
/// Questions like those above about another table.
const LAKES: Asked = (
    "Lake,Country,Depth\nBaikal,Russia,1642\nLadoga,Russia,230\nGeneva,France,310\nComo,Italy,425\nGarda,Italy,346",
    &[
        ("which lake is in france?", "Geneva"),
        ("how many lakes are in italy?", "2"),
        ("which country is como in?", "Italy"),
        ("which lake is listed last?", "Garda"),
        ("how many lakes are there?", "5"),
        ("which lake is listed after ladoga?", "Geneva"),
    ],
);

fn examples(tables: &[Asked], knowledge: &Knowledge) -> Examples {
    let mut examples = Examples::default();
    for (at, (csv, asked)) in tables.iter().enumerate() {
        examples.tables.push(PreparedTable::new(&Table::from_csv(csv).unwrap(), knowledge, Cells::InColumns));
        examples.list.extend(asked.iter().map(|(question, answer)| Example {
            id: question.to_string(),
            question: question.to_string(),
            table: at,
            fold: at,
            author: Author::Person,
            target: Target::from_strings(&answer.split('|').collect::<Vec<_>>(), &knowledge.words),
        }));
    }
    examples
}

fn settings(objective: Objective) -> Settings {
    Settings { objective, beam: 60, size: 10, passes: 4, orders: 2, batch: 4, ..Settings::default() }
}

fn verdicts(examples: &Examples, knowledge: &Knowledge, model: &Model) -> Vec<Verdict> {
    examples.list.iter().map(|example| examples.verdict(example, knowledge, model, &model.settings)).collect()
}

fn right(examples: &Examples, knowledge: &Knowledge, model: &Model) -> usize {
    verdicts(examples, knowledge, model).iter().filter(|verdict| verdict.right).count()
}

/// A model that has learned nothing.
fn untrained(settings: Settings, knowledge: &Knowledge) -> Model {
    Model::new(settings, knowledge.fingerprint(), Vec::new())
}

#[test]
fn questions_are_learned_and_carry_over_to_another_table() {
    let knowledge = Knowledge::embedded();
    let (seen, unseen) = (examples(&[RIVERS, BOOKS], &knowledge), examples(&[LAKES], &knowledge));
    for objective in [Objective::Best, Objective::Likelihood] {
        let before = untrained(settings(objective), &knowledge);
        let model = train(&seen, &knowledge, settings(objective), Confidence::Plain, &()).unwrap();
        let counts = |model: &Model| (right(&seen, &knowledge, model), right(&unseen, &knowledge, model));
        println!("{objective:?}: {:?} before, {:?} after", counts(&before), counts(&model));
        assert!(counts(&before).0 <= 6 && counts(&before).1 <= 2, "{objective:?}: nothing to learn");
        assert!(counts(&model).0 >= 14, "{objective:?}: {:?} of 16 and 6", counts(&model));
        assert!(counts(&model).1 >= 4, "{objective:?}: {:?} of 16 and 6", counts(&model));
    }
}

#[test]
fn passes_are_made_in_order_and_reported() {
    let knowledge = Knowledge::embedded();
    let seen = examples(&[RIVERS, BOOKS], &knowledge);
    let mut training = Training::new(&seen, &knowledge, settings(Objective::Best), Confidence::Fitted).unwrap();
    let passes: Vec<_> = std::iter::from_fn(|| training.pass(&seen, &knowledge, &())).collect();
    let told: Vec<_> = passes.iter().map(|pass| (pass.stage, pass.number, pass.of, pass.count)).collect();
    let all = (1..=8).map(|number| ("with all", number, 8, 16));
    assert_eq!(told, all.chain((1..=8).map(|number| ("without a fifth", number, 8, 8))).collect::<Vec<_>>());
    assert!(passes.iter().all(|pass| pass.right <= pass.possible && pass.possible <= pass.count));
    // Weights start anew for the second order, so its first pass is worse than the last one before it.
    let [first, last, anew] = [0, 3, 4].map(|at| passes[at].right);
    assert!(first < last && anew < last, "{first} {last} {anew}");
    assert_eq!(
        passes[7].to_string(),
        format!(
            "with all, pass 8 of 8: {:.1} % right while learning, 100.0 % possible",
            100.0 * passes[7].right as f64 / 16.0
        )
    );
}

#[test]
fn confidence_is_fitted_on_the_tables_held_back() {
    let knowledge = Knowledge::embedded();
    let seen = examples(&[RIVERS, BOOKS, LAKES], &knowledge);
    let trained = |confidence| train(&seen, &knowledge, settings(Objective::Best), confidence, &()).unwrap();
    let (fitted, plain) = (trained(Confidence::Fitted), trained(Confidence::Plain));
    assert_ne!(fitted.calibration, plain.calibration);
    assert_eq!((fitted.len(), right(&seen, &knowledge, &fitted)), (plain.len(), right(&seen, &knowledge, &plain)));
    let confidence =
        |model: &Model| verdicts(&seen, &knowledge, model).iter().map(|v| v.confidence).collect::<Vec<_>>();
    assert_ne!(confidence(&fitted), confidence(&plain));
    assert!(confidence(&fitted).iter().all(|p| (0.0..=1.0).contains(p)));
}

#[test]
fn an_interrupted_training_goes_on_with_the_same_only() {
    let knowledge = Knowledge::embedded();
    let (seen, other) = (examples(&[RIVERS, BOOKS], &knowledge), examples(&[RIVERS, LAKES], &knowledge));
    let settings = settings(Objective::Best);
    let mut training = Training::new(&seen, &knowledge, settings.clone(), Confidence::Plain).unwrap();
    training.pass(&seen, &knowledge, &());
    let written = training.write();
    let mut resumed = Training::resume(&written, &seen, &knowledge, settings.clone()).unwrap();
    while resumed.pass(&seen, &knowledge, &()).is_some() {}
    let whole = train(&seen, &knowledge, settings.clone(), Confidence::Plain, &()).unwrap();
    assert_eq!(resumed.model().write(), whole.write());

    let refused = |bytes: &[u8], examples, settings| Training::resume(bytes, examples, &knowledge, settings).err();
    let narrower = Settings { beam: 10, ..settings.clone() };
    assert_eq!(refused(&written, &seen, narrower), Some(ResumeError::Settings));
    assert_eq!(refused(&written, &other, settings.clone()), Some(ResumeError::Questions));
    let rules = [tabwise::grammar::EMBEDDED, "\njoin again: Values <- Entity = $1\n"].concat().into_bytes();
    let changed = Knowledge::with_files(|name| (name == "grammar.rules").then(|| rules.clone())).unwrap();
    let error = Training::resume(&written, &seen, &changed, settings.clone()).err();
    assert_eq!(error, Some(ResumeError::Knowledge));
    for at in [0, written.len() / 2, written.len() - 1] {
        let mut damaged = written.clone();
        damaged[at] ^= 1;
        assert!(refused(&damaged, &seen, settings.clone()).is_some(), "byte {at}");
    }
    assert_eq!(refused(&written[..written.len() - 9], &seen, settings.clone()), Some(ResumeError::Damaged));
}

#[test]
fn settings_that_the_rules_do_not_have_are_refused() {
    let knowledge = Knowledge::embedded();
    let seen = examples(&[RIVERS], &knowledge);
    let settings = Settings { rules: vec!["jion".into()], ..Settings::default() };
    let error = train(&seen, &knowledge, settings, Confidence::Plain, &()).unwrap_err().to_string();
    assert!(error.contains("jion"), "{error}");
}
