//! The executor against a naive evaluator, written apart from it: for each construct over tables of records, random tables
//! and random formulas must give the same. The evaluator here reads cells as text, keeps no index and takes no shortcut;
//! whatever is fast in the executor is checked by it.

use proptest::prelude::*;
use std::cmp::Ordering;
use tabwise::execute::{Denotation, Executor};
use tabwise::formula::{Formulas, notation};
use tabwise::graph::Graph;
use tabwise::table::Table;
use tabwise::value::Value;
use tabwise::words::Words;

/// Column of texts, `Key`, two columns of numbers, `A` and `B`, and one of dates, `Day`; `None` is a missing cell.
#[derive(Clone, Debug)]
struct Row {
    key: Option<usize>,
    a: Option<i32>,
    b: Option<i32>,
    day: Option<i64>,
}

const KEYS: [&str; 6] = ["New York", "York", "Boston", "boston harbor", "Old-York", "Athens"];

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let small = || prop::option::weighted(0.85, -3..6i32);
    let row = (prop::option::weighted(0.85, 0..KEYS.len()), small(), small(), prop::option::weighted(0.85, 0..900i64));
    prop::collection::vec(row.prop_map(|(key, a, b, day)| Row { key, a, b, day }), 0..14)
}

/// Days since 1999-12-01 as `yyyy-mm-dd`, counted one by one.
fn date(days: i64) -> String {
    let (mut year, mut month, mut day) = (1999, 12, 1);
    for _ in 0..days {
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let length = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
        day += 1;
        if day > length {
            (month, day) = (month + 1, 1);
        }
        if month > 12 {
            (year, month) = (year + 1, 1);
        }
    }
    format!("{year:04}-{month:02}-{day:02}")
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(["Key", "A", "B", "Day"].map(str::to_owned).to_vec());
    for row in rows {
        let number = |n: Option<i32>| n.map(|n| n.to_string()).unwrap_or_default();
        let key = row.key.map(|key| KEYS[key].to_owned()).unwrap_or_default();
        table.push_row([key, number(row.a), number(row.b), row.day.map(date).unwrap_or_default()]);
    }
    table
}

/// Rows that a formula starts from: a condition, in the notation and as a test of a row.
#[derive(Clone, Copy, Debug)]
enum Start {
    All,
    AtLeast(i32),
    Named(usize),
    NoDay,
    Apart(i32),
    Other(usize),
}

impl Start {
    fn text(self) -> String {
        match self {
            Start::All => "Rows".into(),
            Start::AtLeast(n) => format!("A.Number.>=.{n}"),
            Start::Named(key) => format!("Key.{:?}", KEYS[key]),
            Start::NoDay => "Missing[Day]".into(),
            Start::Apart(n) => format!("sub[λy[A.Number.y], λy[B.Number.y]].>.{n}"),
            Start::Other(key) => format!("except(Rows, Key.{:?})", KEYS[key]),
        }
    }

    fn has(self, row: &Row) -> bool {
        match self {
            Start::All => true,
            Start::AtLeast(n) => row.a.is_some_and(|a| a >= n),
            Start::Named(key) => row.key == Some(key),
            Start::NoDay => row.day.is_none(),
            Start::Apart(n) => row.a.zip(row.b).is_some_and(|(a, b)| a - b > n),
            Start::Other(key) => row.key != Some(key),
        }
    }
}

fn start() -> impl Strategy<Value = Start> {
    prop_oneof![
        Just(Start::All),
        (-3..6i32).prop_map(Start::AtLeast),
        (0..KEYS.len()).prop_map(Start::Named),
        Just(Start::NoDay),
        (-4..5i32).prop_map(Start::Apart),
        (0..KEYS.len()).prop_map(Start::Other),
    ]
}

/// Number of a row, in the notation of a relation from rows and as a function.
#[derive(Clone, Copy, Debug)]
enum Amount {
    A,
    Minus,
    Ratio,
    Both,
    Nested,
}

impl Amount {
    const ALL: [Amount; 5] = [Amount::A, Amount::Minus, Amount::Ratio, Amount::Both, Amount::Nested];

    fn text(self) -> &'static str {
        match self {
            Amount::A => "λy[A.Number.y]",
            Amount::Minus => "sub[λy[A.Number.y], λy[B.Number.y]]",
            Amount::Ratio => "div[λy[A.Number.y], λy[B.Number.y]]",
            Amount::Both => "add[λy[A.Number.y], Index]",
            Amount::Nested => "mul[sub[λy[A.Number.y], λy[B.Number.y]], R[λy[R[Number].R[B].y]]]",
        }
    }

    fn of(self, at: usize, row: &Row) -> Option<f64> {
        // Adding zero turns -0.0 into 0.0.
        self.raw(at, row).map(|n| n + 0.0)
    }

    fn raw(self, at: usize, row: &Row) -> Option<f64> {
        let (a, b) = (row.a.map(f64::from), row.b.map(f64::from));
        match self {
            Amount::A => a,
            Amount::Minus => Some(a? - b?),
            Amount::Ratio => Some(a? / b?).filter(|ratio| ratio.is_finite()),
            Amount::Both => Some(a? + at as f64),
            Amount::Nested => Some((a? - b?) * b?),
        }
    }
}

fn amount() -> impl Strategy<Value = Amount> {
    prop::sample::select(Amount::ALL.to_vec())
}

/// Aggregates of a list of numbers; `None` if it has none.
fn aggregate(op: &str, list: &[f64]) -> Option<f64> {
    let mut sorted = list.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = list.len();
    match op {
        "count" => {
            sorted.dedup();
            Some(sorted.len() as f64)
        }
        _ if count == 0 => None,
        "max" => sorted.last().copied(),
        "min" => sorted.first().copied(),
        "sum" => Some(list.iter().sum()),
        "avg" => Some(list.iter().sum::<f64>() / count as f64),
        "median" => Some((sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0),
        _ => panic!("no aggregate {op}"),
    }
}

const AGGREGATES: [&str; 6] = ["count", "max", "min", "sum", "avg", "median"];

/// What a formula denotes, in a form that both evaluators can give: each value as a text.
fn executed(rows: &[Row], text: &str) -> Option<Vec<String>> {
    let table = table(rows);
    let graph = Graph::new(&table, &Words::embedded());
    let mut formulas = Formulas::new();
    // An entity that is in no cell is no name in this table.
    let id = notation::read(text, &graph, &mut formulas).ok()?;
    let mut executor = Executor::new(&graph, formulas);
    let kind = tabwise::formula::types::type_of(executor.formulas(), &graph, id);
    assert!(kind.is_ok(), "{text}: {kind:?}");
    let show = |value: Value| match value {
        Value::Number(n) => number(n),
        _ => graph.show(value),
    };
    Some(match executor.denote(id) {
        Err(_) => vec!["undefined".into()],
        Ok(denotation) => match &*denotation {
            Denotation::Rows(rows) => match rows.ranking() {
                Some(ranking) => ranking.iter().map(u32::to_string).collect(),
                None => rows.iter().map(|row| row.to_string()).collect(),
            },
            Denotation::Values(items) => items.iter().map(|item| show(item.value)).collect(),
            Denotation::Groups(groups) => {
                let values = |group: &tabwise::execute::Group| {
                    group.values.iter().map(|item| show(item.value)).collect::<Vec<_>>().join(" ")
                };
                groups.iter().map(|group| format!("{}: {}", show(group.key.value), values(group))).collect()
            }
            Denotation::Passing(_) => vec!["filter".into()],
        },
    })
}

fn number(n: f64) -> String {
    format!("{:.9}", n + 0.0)
}

fn truth(truth: bool) -> Vec<String> {
    vec![if truth { "yes".into() } else { "no".into() }]
}

/// Different members, in the order of their first occurrence.
fn different<T: PartialEq + Clone>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.fold(Vec::new(), |mut found, one| {
        if !found.contains(&one) {
            found.push(one);
        }
        found
    })
}

/// Positions of the best, by a number that each has, best first; equals stay in order.
fn best_first(op: &str, keyed: Vec<(usize, f64)>) -> Vec<usize> {
    let mut left = keyed;
    let mut ranked = Vec::new();
    while !left.is_empty() {
        let better = |a: f64, b: f64| match op {
            "argmax" => a.total_cmp(&b) == Ordering::Greater,
            _ => a.total_cmp(&b) == Ordering::Less,
        };
        let best = (1..left.len()).fold(0, |best, at| if better(left[at].1, left[best].1) { at } else { best });
        ranked.push(left.remove(best).0);
    }
    ranked
}

/// Checks a formula; one that names nothing of the table is skipped.
fn check(rows: &[Row], text: &str, expected: Vec<String>) -> Result<(), TestCaseError> {
    if let Some(found) = executed(rows, text) {
        prop_assert_eq!(found, expected, "{}", text);
    }
    Ok(())
}

fn chosen(rows: &[Row], start: Start) -> Vec<(usize, &Row)> {
    rows.iter().enumerate().filter(|(_, row)| start.has(row)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn aggregates_of_amounts(rows in rows(), start in start(), amount in amount()) {
        let list: Vec<f64> = chosen(&rows, start).iter().filter_map(|(at, row)| amount.of(*at, row)).collect();
        for op in AGGREGATES {
            let expected = aggregate(op, &list).map_or("undefined".into(), number);
            let looked_up = format!("R[{}].{}", amount.text(), start.text());
            check(&rows, &format!("{op}({looked_up})"), vec![expected])?;
        }
        check(&rows, &format!("R[{}].{}", amount.text(), start.text()), list.into_iter().map(number).collect())?;
    }

    #[test]
    fn several_of_the_best(rows in rows(), start in start(), amount in amount(), n in 1..5usize) {
        let keyed: Vec<(usize, f64)> =
            chosen(&rows, start).iter().filter_map(|(at, row)| Some((*at, amount.of(*at, row)?))).collect();
        for op in ["argmax", "argmin"] {
            let ranked: Vec<usize> = best_first(op, keyed.clone()).into_iter().take(n).collect();
            let text = format!("{op}({}, {}, {n})", start.text(), amount.text());
            check(&rows, &text, ranked.iter().map(usize::to_string).collect())?;
            let days = ranked.iter().filter_map(|at| rows[*at].day.map(date)).collect();
            check(&rows, &format!("R[Day].{text}"), days)?;
        }
    }

    #[test]
    fn groups_and_conditions_on_them(
        rows in rows(),
        list in start(),
        within in start(),
        amount in amount(),
        op in prop::sample::select(AGGREGATES.to_vec()),
        n in 1..4usize,
        bound in -2..4i32,
    ) {
        let keys = different(chosen(&rows, list).iter().filter_map(|(_, row)| row.key));
        let own = |key: usize| chosen(&rows, within).into_iter().filter(move |(_, row)| row.key == Some(key));
        let counted = |key: usize| Some(own(key).count() as f64);
        let computed = |key: usize| aggregate(op, &own(key).filter_map(|(at, row)| amount.of(at, row)).collect::<Vec<_>>());
        let of = format!("R[Key].{}", list.text());
        let its = format!("(Key.x & {})", within.text());
        let keyed: [(String, Vec<Option<f64>>); 3] = [
            (format!("R[λx[count({its})]]"), keys.iter().map(|key| counted(*key)).collect()),
            (format!("R[λx[{op}(R[{}].{its})]]", amount.text()), keys.iter().map(|key| computed(*key)).collect()),
            (
                format!("R[λx[share(count({its}), count(Key.x))]]"),
                keys.iter().map(|key| {
                    let all = rows.iter().filter(|row| row.key == Some(*key)).count() as f64;
                    counted(*key).map(|count| 100.0 * (count / all))
                }).collect(),
            ),
        ];
        for (key, partners) in keyed {
            let pairs: Vec<(usize, f64)> =
                keys.iter().zip(&partners).filter_map(|(key, partner)| Some((*key, (*partner)?))).collect();
            let lines = pairs.iter().map(|(key, partner)| format!("{}: {}", KEYS[*key], number(*partner))).collect();
            check(&rows, &format!("group({of}, {key})"), lines)?;
            // The items of the list are kept, repeats included.
            let listed: Vec<usize> = chosen(&rows, list).iter().filter_map(|(_, row)| row.key).collect();
            let names = |wanted: &dyn Fn(usize) -> bool| -> Vec<String> {
                listed.iter().filter(|key| wanted(**key)).map(|key| KEYS[*key].to_owned()).collect()
            };
            let is_above = |one: usize| pairs.iter().any(|(key, partner)| *key == one && *partner > f64::from(bound));
            check(&rows, &format!("having({of}, {key}, >.{bound})"), names(&is_above))?;
            for op in ["argmax", "argmin"] {
                let ranked: Vec<usize> = best_first(op, pairs.clone()).into_iter().take(n).collect();
                let in_order = ranked.iter().flat_map(|key| names(&|one| one == *key)).collect();
                check(&rows, &format!("{op}({of}, {key}, {n})"), in_order)?;
                let best = ranked.first().and_then(|best| pairs.iter().find(|(key, _)| key == best)).map(|(_, p)| *p);
                let ties = |one: usize| pairs.iter().any(|(key, partner)| *key == one && Some(*partner) == best);
                check(&rows, &format!("{op}({of}, {key})"), names(&ties))?;
            }
        }
    }

    #[test]
    fn groups_of_numbers(rows in rows(), within in start(), op in prop::sample::select(AGGREGATES.to_vec())) {
        let keys = different(rows.iter().filter_map(|row| row.a));
        let lines = keys.iter().filter_map(|key| {
            let own = chosen(&rows, within).into_iter().filter(|(_, row)| row.a == Some(*key));
            let list: Vec<f64> = own.filter_map(|(_, row)| row.b.map(f64::from)).collect();
            aggregate(op, &list).map(|value| format!("{}: {}", number(f64::from(*key)), number(value)))
        });
        let its = format!("(A.Number.x & {})", within.text());
        let text = format!("group(R[Number].R[A].Rows, R[λx[{op}(R[Number].R[B].{its})]])");
        check(&rows, &text, lines.collect())?;
    }

    #[test]
    fn differences_and_truths(rows in rows(), a in start(), b in start(), n in -2..5i32) {
        let (one, other) = (chosen(&rows, a), chosen(&rows, b));
        let left = one.iter().filter(|(at, _)| other.iter().all(|(other, _)| other != at));
        check(&rows, &format!("except({}, {})", a.text(), b.text()), left.map(|(at, _)| at.to_string()).collect())?;
        let keys: Vec<usize> = other.iter().filter_map(|(_, row)| row.key).collect();
        let rest = one.iter().filter_map(|(_, row)| row.key).filter(|key| !keys.contains(key));
        let rest: Vec<String> = rest.map(|key| KEYS[key].to_owned()).collect();
        check(&rows, &format!("except(R[Key].{}, R[Key].{})", a.text(), b.text()), rest)?;
        let both = one.iter().any(|(at, _)| other.iter().any(|(other, _)| other == at));
        check(&rows, &format!("exists({} & {})", a.text(), b.text()), truth(both))?;
        let within = match one.is_empty() {
            true => vec!["undefined".to_owned()],
            false => truth(one.iter().all(|(at, _)| other.iter().any(|(other, _)| other == at))),
        };
        check(&rows, &format!("within({}, {})", a.text(), b.text()), within)?;
        let (count, n) = (one.len() as i32, n);
        for (test, holds) in
            [("gt", count > n), ("lt", count < n), ("ge", count >= n), ("le", count <= n), ("eq", count == n)]
        {
            check(&rows, &format!("{test}(count({}), {n})", a.text()), truth(holds))?;
        }
        let share = match other.len() {
            0 => "undefined".to_owned(),
            whole => number(100.0 * (f64::from(count) / whole as f64)),
        };
        check(&rows, &format!("share(count({}), count({}))", a.text(), b.text()), vec![share])?;
    }

    #[test]
    fn missing_cells_and_texts(rows in rows(), word in prop::sample::select(vec!["york", "YORK", "new", "bos", "old york", "harbor", "n", ""])) {
        let at = |keep: &dyn Fn(&Row) -> bool| -> Vec<String> {
            rows.iter().enumerate().filter(|(_, row)| keep(row)).map(|(at, _)| at.to_string()).collect()
        };
        check(&rows, "Missing[Key]", at(&|row| row.key.is_none()))?;
        check(&rows, "Missing[λx[B.Number.x]]", at(&|row| row.b.is_none()))?;
        check(&rows, "Missing[sub[λx[A.Number.x], λx[B.Number.x]]]", at(&|row| row.a.is_none() || row.b.is_none()))?;
        let name = |row: &Row| row.key.map(|key| KEYS[key].to_lowercase());
        let (wanted, words) = (word.to_lowercase(), |text: &str| -> Vec<String> {
            text.split([' ', '-']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
        });
        let sought = words(word);
        let contains = |row: &Row| {
            let has = |name: String| !sought.is_empty() && words(&name).windows(sought.len()).any(|run| run == sought);
            name(row).is_some_and(has)
        };
        check(&rows, &format!("Key.contains({word:?})"), at(&contains))?;
        check(&rows, &format!("Key.starts({word:?})"), at(&|row| name(row).is_some_and(|name| name.starts_with(&wanted))))?;
        check(&rows, &format!("Key.ends({word:?})"), at(&|row| name(row).is_some_and(|name| name.ends_with(&wanted))))?;
    }

    #[test]
    fn times_between_dates(from in 0..900i64, to in 0..900i64) {
        let row = |day| Row { key: None, a: None, b: None, day: Some(day) };
        let rows = [row(from), row(to)];
        let (first, second) = (date(from), date(to));
        check(&rows, &format!("days({second}, {first})"), vec![number((to - from) as f64)])?;
        let parts = |text: &str| -> Vec<i32> { text.split('-').filter_map(|part| part.parse().ok()).collect() };
        // Months are counted by walking from the earlier date, a month at a time, as long as the later is not passed.
        let (early, late) = (parts(&date(from.min(to))), parts(&date(from.max(to))));
        let stepped = |months: i32| {
            let month = early[1] - 1 + months;
            vec![early[0] + month / 12, month % 12 + 1, early[2]]
        };
        let months = (0..).take_while(|n| stepped(n + 1) <= late).count() as i32;
        let months = if to < from { -months } else { months };
        check(&rows, &format!("months({second}, {first})"), vec![number(f64::from(months))])?;
        let looked_up = "R[days[λx[Day.Date.x], R[λx[2000-01-01]]]].Rows".to_owned();
        check(&rows, &looked_up, [from, to].map(|day| number((day - 31) as f64)).to_vec())?;
    }
}
