//! An answer: what it is, how sure, why, and what else the question may have meant.
//!
//!     cargo run --example 6_answer

#![allow(clippy::disallowed_macros)]

use tabwise::answer::{Asker, Wanted};
use tabwise::table::{Table, TableError};

fn main() -> Result<(), TableError> {
    let table = Table::from_csv(include_str!("../../../examples/olympics.csv"))?;
    let asker = Asker::embedded();
    let prepared = asker.prepare(&table);
    for question in ["In which city were the last games in Greece?", "How many games were in London?"] {
        let answer = asker.ask(&prepared, question, &Wanted { min_confidence: 0.0, ..Wanted::default() });
        println!("{question}\n  {} ({:.0} % sure)", answer.answer.join(", "), 100.0 * answer.confidence);
        println!("  {}", answer.english);
        for step in &answer.steps {
            println!("    {} → {}", step.english, step.result.join(", "));
        }
        for other in &answer.meanings[1..] {
            println!("  or {}: {}", other.answer.join(", "), other.english);
        }
    }
    Ok(())
}
