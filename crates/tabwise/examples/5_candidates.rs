//! Candidates: the formulas that may answer a question, ranked, and how many were lost on the way.
//!
//!     cargo run --example 5_candidates

#![allow(clippy::disallowed_macros)]

use tabwise::answer::{Asker, answer_of};
use tabwise::formula::notation;
use tabwise::rank::probabilities;
use tabwise::table::{Table, TableError};

fn main() -> Result<(), TableError> {
    let table = Table::from_csv(include_str!("../../../examples/olympics.csv"))?;
    let asker = Asker::embedded();
    let prepared = asker.prepare(&table);
    let question = asker.question(&prepared, "In which city were the last games in Greece?");
    let ranking = asker.rank(&prepared, &question);
    for (candidate, probability) in ranking.candidates.iter().zip(probabilities(&ranking.candidates)).take(5) {
        let formula = notation::show(ranking.executor.formulas(), &prepared.graph, candidate.formula);
        let answer = answer_of(&ranking.executor, candidate.formula, &candidate.denotation);
        println!("{probability:.3}  {formula} = {}", answer.join(", "));
    }
    println!("{} candidates of {} derivations", ranking.candidates.len(), ranking.report.built);
    for (pruner, count) in ranking.report.pruned().filter(|(_, count)| *count > 0) {
        println!("{count} lost to {}", pruner.name());
    }
    Ok(())
}
