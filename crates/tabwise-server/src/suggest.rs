//! Questions to try on a table of one's own, made from its columns. Those that are offered are answered surely, unless the
//! table is so long that trying them would take a while.

use tabwise::answer::{Asker, PreparedTable, Wanted};
use tabwise::table::Table;

/// Rows that are looked at to find what a column holds.
const SAMPLE: usize = 200;
/// Most rows of a table on which the questions are tried.
const TRIED: usize = 5_000;
/// Fewest whole numbers, each larger than the one before, that are ids or ranks and not amounts.
const FEWEST_IDS: usize = 5;
/// Number of questions.
const COUNT: usize = 3;
/// Least confidence of the answers.
const SURE: f64 = 0.5;

/// Questions that fit a table.
pub(crate) fn suggestions(asker: &Asker, table: &Table, prepared: &PreparedTable) -> Vec<String> {
    if table.row_count() == 0 {
        return Vec::new();
    }
    let wanted = Wanted { meanings: 1, candidates: 0, ..Wanted::default() };
    let is_answered = |question: &String| {
        let answer = asker.ask(prepared, question, &wanted);
        !answer.abstains && answer.confidence >= SURE
    };
    let is_long = table.row_count() > TRIED;
    candidates(table).into_iter().filter(|question| is_long || is_answered(question)).take(COUNT).collect()
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A different text in nearly every row, but no dates.
    Name,
    /// Texts some of which repeat.
    Group,
    /// Numbers, but no years, and none that count the rows.
    Number,
    Other,
}

fn candidates(table: &Table) -> Vec<String> {
    let kinds: Vec<Kind> = (0..table.column_count()).map(|column| kind(table, column)).collect();
    let first = |wanted: Kind| {
        let found = kinds.iter().position(|kind| *kind == wanted);
        found.map(|column| table.header()[column].trim()).filter(|name| !name.is_empty())
    };
    let (name, group, number) = (first(Kind::Name), first(Kind::Group), first(Kind::Number));
    let mut questions = Vec::new();
    if let (Some(name), Some(number)) = (name, number) {
        questions.push(format!("which {name} has the highest {number}?"));
    }
    if let (Some(group), Some(number)) = (group, number) {
        questions.push(format!("what is the average {number} for each {group}?"));
    }
    questions.extend(group.map(|group| format!("how many rows are there for each {group}?")));
    questions.extend(number.map(|number| format!("what is the total {number}?")));
    questions.extend(name.map(|name| format!("what is the last {name}?")));
    questions.extend(number.map(|number| format!("what is the highest {number}?")));
    questions.push("how many rows are there?".to_owned());
    questions
}

fn kind(table: &Table, column: usize) -> Kind {
    let cells = (0..table.row_count().min(SAMPLE)).map(|row| table.cell(row, column).trim());
    let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
    let mut different = cells.clone();
    different.sort_unstable();
    different.dedup();
    let numbers: Vec<f64> = cells.iter().filter_map(|cell| number(cell)).collect();
    let are_years = numbers.iter().all(|n| n.fract() == 0.0 && (1000.0..2200.0).contains(n));
    let are_ids = numbers.len() >= FEWEST_IDS && numbers.is_sorted_by(|a, b| a < b && a.fract() + b.fract() == 0.0);
    let begin_with_digits = cells.iter().filter(|cell| cell.starts_with(|c: char| c.is_ascii_digit())).count();
    match () {
        () if cells.len() < 2 || are_ids => Kind::Other,
        () if numbers.len() * 10 >= cells.len() * 9 && !are_years => Kind::Number,
        () if !numbers.is_empty() || begin_with_digits * 2 > cells.len() => Kind::Other,
        () if different.len() * 10 >= cells.len() * 9 => Kind::Name,
        () if different.len() >= 2 && different.len() * 4 <= cells.len() * 3 => Kind::Group,
        () => Kind::Other,
    }
}

fn number(cell: &str) -> Option<f64> {
    let digits = cell.trim_matches(|c: char| "$€£¥% ".contains(c)).replace(',', "");
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '-').then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_about_the_columns() {
        let csv = "Name,Team,Year,Points\nAda,Red,1999,3\nBo,Blue,2001,5\nCy,Red,2003,8\nDi,Blue,2004,4\n";
        let table = Table::from_csv(csv).expect("it is a table");
        let expected = ["which Name has the highest Points?", "what is the average Points for each Team?"];
        assert_eq!(candidates(&table)[..2], expected);
        let rows = (0..9).map(|n| format!("{},2020-01-0{},Red,{}\n", 100 + n, n + 1, n * 7 % 5)).collect::<String>();
        let orders = Table::from_csv(&format!("Order,Day,Team,Amount\n{rows}")).expect("it is a table");
        let expected = ["what is the total Amount?", "what is the highest Amount?", "how many rows are there?"];
        assert_eq!(candidates(&orders), expected, "no ids, no dates");
        let few = Table::from_csv("Farm,Tonnes\nHill,12\nHill,6\nDale,20\nBrook,7\n").expect("it is a table");
        assert_eq!(candidates(&few)[0], "what is the average Tonnes for each Farm?");
        let empty = Table::from_csv("Name,Team\n").expect("it is a table");
        let asker = Asker::embedded();
        assert!(suggestions(&asker, &empty, &asker.prepare(&empty)).is_empty());
        assert!(!suggestions(&asker, &table, &asker.prepare(&table)).is_empty());
    }
}
