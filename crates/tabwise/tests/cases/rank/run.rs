//! Ranking with weights that mean nothing: each feature gets a number that a seed and its hash decide. So the output pins
//! every feature, every score and every decision of the beam, and a change that was not meant shows here. The content is
//! a table; the input is `paper` or `default`, the beam, the seed and a question. The output is the counts of the search,
//! the best candidates with their scores and answers, the first pools, and the signals of confidence.

use tabwise::answer::answer_of;
use tabwise::features::Weights;
use tabwise::formula::notation::show;
use tabwise::hash::StableHash;
use tabwise::model::Signal;
use tabwise::rank::{Candidate, Pool, Ranking};
use tabwise::{Knowledge, PreparedTable, Settings, Table};

thread_local! {
    static KNOWLEDGE: Knowledge = Knowledge::embedded();
}

/// Weights between -1 and 1.
struct Seeded(u64);

impl Weights for Seeded {
    fn weight(&self, feature: u64) -> f64 {
        let mut hash = StableHash::new(self.0);
        hash.add(feature);
        (hash.finish() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

pub fn run(content: &str, input: &str) -> String {
    let mut words = input.splitn(4, ' ');
    let mut word = || words.next().expect("settings, beam, seed and question");
    let base = if word() == "paper" { Settings::paper() } else { Settings::default() };
    let settings = Settings { beam: word().parse().expect("a beam is a number"), size: 11, ..base };
    let weights = Seeded(word().parse().expect("a seed is a number"));
    KNOWLEDGE.with(|knowledge| {
        let table = Table::from_csv(content).expect("the content is a table");
        let table = PreparedTable::new(&table, knowledge, settings.cells);
        let question = table.question(word(), knowledge, &settings);
        output(&table.rank(&question, &knowledge.grammar, &settings, &weights))
    })
}

fn output(ranking: &Ranking) -> String {
    let report = &ranking.report;
    let counts = format!("{} tried, {} built, {} beyond the beam", report.attempts, report.built, report.beyond_beam);
    let pruned = report.pruned().filter(|(_, count)| *count > 0);
    let pruned: Vec<String> = pruned.map(|(pruner, count)| format!("{} {count}", pruner.name())).collect();
    let (pools, signals) = ranking.pooled();
    let graph = ranking.executor.graph();
    let answer = |one: &Candidate| answer_of(&ranking.executor, one.formula, &one.denotation).join(", ");
    let candidate = |one: &Candidate| {
        let formula = show(ranking.executor.formulas(), graph, one.formula);
        format!("{:.4} {formula} = {}", one.score, answer(one))
    };
    let pool = |pool: &Pool| {
        let answer = answer(&ranking.candidates[pool.best()]);
        format!("{:.4} {answer} ({} candidates)", pool.probability, pool.members.len())
    };
    let signals = signals.expect("there are candidates");
    let signals = Signal::ALL.map(|signal| format!("{} {:.4}", signal.name(), signals.get(signal))).join(", ");
    let best = ranking.candidates.iter().take(6).map(candidate);
    let last = ranking.candidates.iter().rev().take(2).map(candidate);
    let lines = [counts, pruned.join(", "), format!("{} candidates", ranking.candidates.len())];
    lines.into_iter().chain(best).chain(last).chain(pools.iter().take(3).map(pool)).chain([signals]).collect::<Vec<_>>().join("\n")
}
