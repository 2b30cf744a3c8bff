//! The second ranking: candidates that were read are ranked by the reader, the others stay behind, and settings say when
//! it is asked.

#[path = "support/weights.rs"]
mod weights;

use tabwise::answer::reading::texts;
use tabwise::features::Weights;
use tabwise::formula::FormulaId;
use tabwise::hash::StableHash;
use tabwise::rank::reader::Reader;
use tabwise::rank::{Candidate, Pool, Ranking, pools};
use tabwise::{Knowledge, PreparedTable, Settings, Table};
use weights::{TINY, random_file};

/// Weights between -1 and 1 that mean nothing.
struct Seeded;

impl Weights for Seeded {
    fn weight(&self, feature: u64) -> f64 {
        let mut hash = StableHash::new(1);
        hash.add(feature);
        (hash.finish() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

const GAMES: &str = "Year,City,Country,Nations\n1896,Athens,Greece,14\n1900,Paris,France,24\n2004,Athens,Greece,201\n";
const QUESTION: &str = "which city was not in Greece?";

/// Passes on the ranking for an answer, with a reader if it is given.
fn with_ranking<T>(reader: Option<Reader>, settings: &Settings, look: impl FnOnce(Ranking) -> T) -> T {
    let knowledge = Knowledge::embedded().with_reader(reader);
    let table = PreparedTable::new(&Table::from_csv(GAMES).expect("it is a table"), &knowledge, settings.cells);
    let question = table.question(QUESTION, &knowledge, settings);
    look(table.rank_answers(&question, &knowledge, settings, &Seeded))
}

fn settings() -> Settings {
    Settings { beam: 20, read: 5, ..Settings::default() }
}

fn reader() -> Option<Reader> {
    Some(Reader::read(&random_file(TINY, 9)).expect("the file is whole"))
}

fn scored(ranking: Ranking) -> Vec<(FormulaId, f64)> {
    ranking.candidates.iter().map(|candidate| (candidate.formula, candidate.score)).collect()
}

#[test]
fn what_was_read_is_ranked_by_the_reader() {
    let (linear, read, expected) = with_ranking(None, &settings(), |mut ranking| {
        let pools = pools(&ranking.candidates, ranking.executor.graph());
        let read: Vec<usize> = pools.iter().take(5).map(Pool::best).collect();
        let texts = texts(&mut ranking, &pools, 5, &Knowledge::embedded().phrases);
        let scores = reader().expect("there is one").scores(QUESTION, &texts);
        let linear = |at: usize| ranking.candidates[at].linear;
        let best = read.iter().map(|at| linear(*at)).fold(f64::MIN, f64::max);
        // The random file has 0.25 for the weight of the linear score.
        let score = |(at, score): (&usize, &f32)| f64::from(*score) + 0.25 * (linear(*at) - best);
        let expected: Vec<f64> = read.iter().zip(&scores).map(score).collect();
        (ranking.candidates.clone(), read, expected)
    });
    let ranked = with_ranking(reader(), &settings(), |ranking| ranking.candidates);
    assert!(ranked.len() > 20 && ranked.len() == linear.len());
    assert!(ranked.is_sorted_by(|a, b| a.score >= b.score));
    let place = |at: usize| ranked.iter().position(|one| one.formula == linear[at].formula).expect("none is lost");
    for (at, score) in read.iter().zip(expected) {
        assert!((ranked[place(*at)].score - score).abs() < 1e-9);
    }
    let is_read = |one: &Candidate| read.iter().any(|at| linear[*at].formula == one.formula);
    assert!(ranked.iter().is_sorted_by(|a, b| is_read(a) >= is_read(b)), "the others stay behind");
    let others = |list: &[Candidate]| -> Vec<FormulaId> {
        list.iter().filter(|one| !is_read(one)).map(|one| one.formula).collect()
    };
    assert_eq!(others(&ranked), others(&linear), "the others keep their order");
}

#[test]
fn an_ignored_word_counts_more_than_the_reader() {
    let costs = with_ranking(reader(), &settings(), |ranking| ranking.candidates);
    let costs: Vec<f64> = costs.iter().map(|candidate| candidate.cost).collect();
    assert!(costs.contains(&0.0) && costs.iter().any(|cost| *cost >= 100.0));
    assert!(costs.iter().is_sorted_by(|a, b| **a < 100.0 || **b >= 100.0), "what ignores *not* comes last");
}

#[test]
fn settings_decide_when_it_reads() {
    let linear = with_ranking(None, &settings(), scored);
    assert_ne!(with_ranking(reader(), &settings(), scored), linear);
    let without = [
        Settings { reader: false, ..settings() },
        Settings { read: 0, ..settings() },
        Settings { read_below: 0.0, ..settings() },
    ];
    for settings in without {
        assert_eq!(with_ranking(reader(), &settings, scored), linear);
    }
    assert!(Settings::default().reader && !Settings::paper().reader);
}
