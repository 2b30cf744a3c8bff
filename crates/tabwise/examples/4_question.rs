//! A question: its tokens, and the words that stand for something in the table.
//!
//!     cargo run --example 4_question

#![allow(clippy::disallowed_macros)]

use tabwise::answer::Asker;
use tabwise::table::{Table, TableError};

fn main() -> Result<(), TableError> {
    let table = Table::from_csv(include_str!("../../../examples/olympics.csv"))?;
    let asker = Asker::embedded();
    let prepared = asker.prepare(&table);
    let question = asker.question(&prepared, "How many nations were in St. Louis in 1904?");
    for token in &question.tokens {
        println!("{} (lemma {}, tag {})", token.text, token.lemma, token.tag.as_str());
    }
    println!("asks {} {}", question.asks.words, question.asks.head);
    for link in &question.links {
        println!("tokens {:?} are {:?}: {}", link.tokens, link.kind, prepared.graph.show(link.value));
    }
    Ok(())
}
