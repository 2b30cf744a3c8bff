//! Answers by the model that is part of the program. The content is a table, the input a question; the output is the
//! answer, why, the formula, and the cells. The program and the server run the same cases and must say the same.

use tabwise::{Asker, Wanted};
use tabwise::table::{ReadSettings, read};

thread_local! {
    static ASKER: Asker = Asker::embedded();
}

pub fn run(content: &str, input: &str) -> String {
    ASKER.with(|asker| answer(asker, content, input))
}

fn answer(asker: &Asker, content: &str, input: &str) -> String {
    let table = match read(content.as_bytes(), None, &ReadSettings::default()) {
        Ok(table) => table,
        Err(error) => return format!("error: {error}"),
    };
    let answer = asker.ask(&asker.prepare(&table), input, &Wanted::default());
    let cells = |cells: &[[u32; 2]]| cells.iter().map(|[r, c]| format!("{r},{c}")).collect::<Vec<_>>().join(" ");
    let mut lines = match answer.abstains {
        true => vec!["does not know".to_owned(), format!("guess: {}", answer.guess.join(" | "))],
        false => vec![answer.answer.join(" | ")],
    };
    lines.push(format!("why: {}", answer.english));
    lines.push(format!("formula: {}", answer.formula));
    lines.push(format!("cells: {}", cells(&answer.cells)));
    lines.join("\n")
}
