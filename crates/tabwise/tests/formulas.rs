//! Formulas survive everything: any nodes put together in any way are typed, executed and shown without a panic, what is
//! shown reads back to the same formula, random text is read or refused, and every value of an answer has its cells.
//! `make torture` runs the same with a million formulas.

use proptest::prelude::*;
use tabwise::execute::{Denotation, Executor, Item, Undefined, evidence};
use tabwise::explain::{Explainer, Phrases};
use tabwise::formula::types::{Type, type_of};
use tabwise::formula::{
    Aggregate, Arithmetic, Compare, FormulaId, Formulas, Node, Superlative, Test, TextTest, Var, lisp, notation,
};
use tabwise::graph::{ColumnId, Graph, Reading};
use tabwise::hash::StableHash;
use tabwise::table::Table;
use tabwise::value::{Date, EntityId, Value};
use tabwise::words::Words;

/// Texts that are hard to show, to read or to order.
const TEXTS: &[&str] = &[
    "",
    "Athens",
    "athens",
    "Paris",
    "Number",
    "Date",
    "x",
    "x3",
    "x31",
    "R",
    "Rows",
    "λ",
    "λx",
    "XXXX-05-XX",
    "count",
    "mark",
    "a.b",
    "a \"b\" \\ c",
    "two\nlines",
    "tab\there",
    " wide  space ",
    "May 2010",
    "12 June",
    "2010-05-12",
    "1896",
    "3–1",
    "A, B",
    "A, C / B",
    "5",
    "-5.5",
    "1e300",
    "third",
    "12:42.3",
    "λx[City.x]",
    "…",
    "(",
    ")",
    "é",
    "É",
    "~",
    "null",
    "days",
    "Missing",
    "Truth",
    "group",
];

thread_local! {
    static WORDS: Words = Words::embedded();
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![8 => prop::sample::select(TEXTS).prop_map(str::to_owned), 1 => any::<String>()]
}

/// A small table of hard texts.
fn table() -> impl Strategy<Value = Table> {
    let cells = prop::collection::vec(prop::collection::vec(text(), 1..4), 0..7);
    (prop::collection::vec(text(), 1..4), cells).prop_map(|(header, rows)| {
        let mut table = Table::new(header);
        rows.into_iter().for_each(|row| table.push_row(row));
        table
    })
}

fn graph_of(table: &Table) -> Graph {
    WORDS.with(|words| Graph::new(table, words))
}

/// What one node is made of: a kind, two numbers that choose its parts, and a number.
type Seed = (u8, u16, u16, f64);

fn seeds() -> impl Strategy<Value = Vec<Seed>> {
    let number = prop_oneof![(-5i32..15).prop_map(f64::from), any::<f64>()];
    prop::collection::vec((any::<u8>(), any::<u16>(), any::<u16>(), number), 1..40)
}

/// One of all.
fn pick<T: Copy>(all: &[T], which: u16) -> T {
    all[usize::from(which) % all.len()]
}

fn value(graph: &Graph, which: u16, number: f64) -> Value {
    let date = || {
        let part = |from: u16, range: u16| (!from.is_multiple_of(3)).then_some(from % range);
        let (month, day) = (part(which / 7, 13), part(which / 3, 32));
        Date::new(part(which, 3000).map(i32::from), month.map(|m| m as u8), day.map(|d| d as u8))
    };
    match which % 4 {
        0 | 1 if graph.entity_count() > 0 => Value::Entity(EntityId(u32::from(which) % graph.entity_count() as u32)),
        2 => date().map_or(Value::Number(2010.0), Value::Date),
        _ => Value::number(number).unwrap_or(Value::Number(1.0)),
    }
}

/// A unary; `unaries` and `binaries` are what it may be made of.
fn unary(formulas: &mut Formulas, graph: &Graph, seed: Seed, unaries: &[FormulaId], binaries: &[FormulaId]) -> Node {
    let (kind, a, b, number) = seed;
    let (u, v, w) = (pick(unaries, a), pick(unaries, b), pick(unaries, (a / 7) ^ b));
    let binary = pick(binaries, b);
    match kind % 26 {
        0 => Node::Rows,
        1 => Node::Var(Var((a % 3) as u8)),
        2 | 3 => Node::Value(value(graph, a, number)),
        4 => Node::And(u, v),
        5 => Node::Or(u, v),
        6 | 7 => Node::Aggregate(pick(&Aggregate::ALL, b), u),
        8 | 9 => Node::Superlative(pick(&Superlative::ALL, kind.into()), u, binary),
        10 => Node::Arithmetic(pick(&Arithmetic::ALL, a ^ b), u, v),
        11 => Node::Mark(Var((b % 3) as u8), u),
        12 => Node::Group(u, binary),
        13 => Node::Having(u, binary, w),
        14 => Node::Except(u, v),
        15 => Node::Exists(u),
        16 => Node::Test(pick(&Test::ALL, a ^ b), u, v),
        17 => Node::Missing(binary),
        18 => Node::Text(pick(&TextTest::ALL, a), formulas.text_id(TEXTS[usize::from(b) % TEXTS.len()])),
        19 => {
            let few = formulas.number(f64::from(a % 4));
            Node::Top(pick(&Superlative::ALL, b), u, binary, if a.is_multiple_of(3) { w } else { few })
        }
        20 if a.is_multiple_of(16) => Node::Value(Value::Truth(b.is_multiple_of(2))),
        _ => Node::Join(binary, u),
    }
}

fn binary(
    formulas: &mut Formulas,
    graph: &Graph,
    (kind, a, b, _): Seed,
    unaries: &[FormulaId],
    binaries: &[FormulaId],
) -> Node {
    let column = ColumnId(a % graph.columns().len() as u16);
    match kind % 21 {
        0 => Node::Next,
        1 => Node::Index,
        2 => Node::Run(column),
        3 | 4 => Node::Compare(pick(&Compare::ALL, a)),
        5..=7 => Node::Reading(pick(&Reading::ALL, a)),
        8..=10 => Node::Lambda(Var((b % 3) as u8), pick(unaries, a)),
        11..=13 => Node::Reverse(pick(binaries, a)),
        14 | 15 => Node::Across(pick(&Arithmetic::ALL, a ^ b), pick(binaries, a), pick(binaries, b)),
        // The chain that reads a column, from which the keys of most formulas are made.
        16..=18 => {
            let (var, x) = (Var(0), formulas.intern(Node::Var(Var(0))));
            let (column, reading) = (formulas.column(column), formulas.reading(pick(&Reading::ALL, b)));
            let read = formulas.join(reading, x);
            Node::Lambda(var, formulas.join(column, read))
        }
        _ => Node::Column(column),
    }
}

/// Formulas in which unaries and binaries stand where they may, whatever their types; all of them, unaries first.
fn well_formed(graph: &Graph, seeds: &[Seed]) -> (Formulas, Vec<FormulaId>, Vec<FormulaId>) {
    let mut formulas = Formulas::new();
    let mut unaries = vec![formulas.intern(Node::Rows), formulas.intern(Node::Var(Var(0)))];
    let mut binaries = vec![formulas.column(ColumnId(0))];
    binaries.push(formulas.reverse(binaries[0]));
    for seed in seeds {
        if seed.0 >= 160 {
            let node = binary(&mut formulas, graph, *seed, &unaries, &binaries);
            binaries.push(formulas.intern(node));
        } else {
            let node = unary(&mut formulas, graph, *seed, &unaries, &binaries);
            unaries.push(formulas.intern(node));
        }
    }
    (formulas, unaries, binaries)
}

/// Formulas of any nodes anywhere.
fn ill_formed(graph: &Graph, seeds: &[Seed]) -> (Formulas, Vec<FormulaId>) {
    let mut formulas = Formulas::new();
    let mut all = vec![formulas.intern(Node::Rows), formulas.column(ColumnId(0))];
    for seed in seeds {
        let node = match seed.0 >= 128 {
            true => binary(&mut formulas, graph, *seed, &all, &all),
            false => unary(&mut formulas, graph, *seed, &all, &all),
        };
        all.push(formulas.intern(node));
    }
    (formulas, all)
}

/// Whether an item's value is what its cell says, or a part or a reading of it.
fn is_read_from_its_cell(graph: &Graph, item: &Item) -> bool {
    let Some(cell) = item.cell else { return true };
    let entity = graph.entity_at(cell);
    let parts = graph.parts(entity).iter().copied().chain([entity]);
    parts.into_iter().any(|part| {
        let readings = Reading::ALL.into_iter().filter_map(|reading| graph.read(part, reading));
        item.value == Value::Entity(part) || readings.into_iter().any(|value| value == item.value)
    })
}

/// Whether a formula computes: its values come from an operation and not from a cell.
fn computes(formulas: &Formulas, id: FormulaId) -> bool {
    let operation = |id: &FormulaId| {
        let node = formulas.node(*id);
        matches!(node, Node::Aggregate(..) | Node::Arithmetic(..) | Node::Index | Node::Run(_))
            || matches!(node, Node::Across(..) | Node::Exists(_) | Node::Test(..))
    };
    formulas.parts(id).iter().any(operation)
}

fn names(formulas: &Formulas, id: FormulaId, value: Value) -> bool {
    formulas.parts(id).iter().any(|part| formulas.node(*part) == Node::Value(value))
}

fn kind_of(value: Value) -> Type {
    match value {
        Value::Number(_) => Type::NUMBER,
        Value::Date(_) => Type::DATE,
        Value::Entity(_) => Type::ENTITY,
        Value::Truth(_) => Type::TRUTH,
    }
}

proptest! {
    #[test]
    fn what_is_shown_reads_back(table in table(), seeds in seeds()) {
        let graph = graph_of(&table);
        let (mut formulas, unaries, _) = well_formed(&graph, &seeds);
        for id in unaries {
            if formulas.depth(id) < 60 && formulas.size(id) < 5_000 {
                let shown = notation::show(&formulas, &graph, id);
                prop_assert_eq!(notation::read(&shown, &graph, &mut formulas), Ok(id), "{}", shown);
                let printed = notation::paper(&formulas, &graph, id);
                prop_assert_eq!(notation::read(&printed, &graph, &mut formulas), Ok(id), "{}", printed);
            }
        }
    }

    #[test]
    fn anything_is_typed_executed_and_shown(table in table(), seeds in seeds()) {
        let graph = graph_of(&table);
        let (formulas, all) = ill_formed(&graph, &seeds);
        let mut executor = Executor::new(&graph, formulas.clone());
        for id in all {
            let typed = type_of(&formulas, &graph, id);
            let outcome = executor.denote(id);
            if typed.is_ok() {
                prop_assert!(outcome != Err(Undefined::Type), "{}", notation::show(&formulas, &graph, id));
            }
            evidence(&mut executor, id);
            notation::show(&formulas, &graph, id);
        }
    }

    #[test]
    fn anything_is_put_into_words(table in table(), seeds in seeds()) {
        let graph = graph_of(&table);
        let phrases = Phrases::embedded();
        let (formulas, unaries, _) = well_formed(&graph, &seeds);
        let (others, all) = ill_formed(&graph, &seeds);
        let mut executor = Executor::new(&graph, formulas);
        let mut explainer = Explainer::new(&phrases, &mut executor);
        for id in unaries {
            prop_assert!(!explainer.english(id).is_empty());
            explainer.steps(id);
        }
        let mut executor = Executor::new(&graph, others);
        let mut explainer = Explainer::new(&phrases, &mut executor);
        all.into_iter().for_each(|id| drop((explainer.english(id), explainer.steps(id))));
    }

    #[test]
    fn types_are_kept(table in table(), seeds in seeds()) {
        let graph = graph_of(&table);
        let (formulas, unaries, _) = well_formed(&graph, &seeds);
        let mut executor = Executor::new(&graph, formulas.clone());
        for id in unaries {
            let Ok(kind) = type_of(&formulas, &graph, id) else { continue };
            match executor.denote(id).as_deref() {
                Ok(Denotation::Rows(_)) => prop_assert!(!kind.and(Type::ROW).is_empty()),
                Ok(Denotation::Values(items)) => {
                    prop_assert!(items.iter().all(|item| !kind.and(kind_of(item.value)).is_empty()));
                }
                Ok(Denotation::Passing(_)) => prop_assert!(!kind.and(Type::VALUE).is_empty()),
                Ok(Denotation::Groups(_)) => prop_assert_eq!(kind, Type::TABLE),
                Err(undefined) => {
                    prop_assert_ne!(*undefined, Undefined::Type, "{}", notation::show(&formulas, &graph, id));
                }
            }
        }
    }

    #[test]
    fn what_a_formula_denotes_does_not_depend_on_what_was_executed_before(table in table(), seeds in seeds()) {
        let graph = graph_of(&table);
        let (formulas, unaries, _) = well_formed(&graph, &seeds);
        let mut one = Executor::new(&graph, formulas.clone());
        for id in unaries.into_iter().rev() {
            prop_assert_eq!(one.denote(id), Executor::new(&graph, formulas.clone()).denote(id));
        }
    }

    #[test]
    fn every_value_points_to_cells_or_to_an_operation(table in table(), seeds in seeds()) {
        let graph = graph_of(&table);
        let (formulas, unaries, _) = well_formed(&graph, &seeds);
        let mut executor = Executor::new(&graph, formulas.clone());
        for id in unaries {
            let Ok(denotation) = executor.denote(id) else { continue };
            let items: Vec<Item> = match &*denotation {
                Denotation::Values(items) => items.to_vec(),
                Denotation::Groups(groups) => {
                    groups.iter().flat_map(|group| std::iter::once(group.key).chain(group.values.to_vec())).collect()
                }
                Denotation::Rows(_) | Denotation::Passing(_) => continue,
            };
            let found = evidence(&mut executor, id);
            let shown = notation::show(&formulas, &graph, id);
            prop_assert!(found.answer.iter().chain(&found.used).all(|cell| (cell.row as usize) < graph.row_count()));
            prop_assert!(found.used.iter().all(|cell| !found.answer.contains(cell)));
            for item in &items {
                prop_assert!(is_read_from_its_cell(&graph, item), "{}", shown);
                let is_said = computes(&formulas, id) || names(&formulas, id, item.value);
                if (item.cell.is_some() || !is_said) && formulas.size(id) < 1_000 {
                    prop_assert!(!found.answer.is_empty(), "{} gives {:?}", shown, item.value);
                }
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(table in table(), text in formula_text()) {
        let graph = graph_of(&table);
        let mut formulas = Formulas::new();
        if let Ok(id) = notation::read(&text, &graph, &mut formulas) {
            let shown = notation::show(&formulas, &graph, id);
            prop_assert_eq!(notation::read(&shown, &graph, &mut formulas), Ok(id), "{}", shown);
        }
        let is_lisp = lisp::is_lisp(&text);
        if let Ok(id) = lisp::read(&text, &graph, &mut formulas) {
            prop_assert!(is_lisp || !text.trim_start().starts_with('('), "{}", text);
            let shown = notation::show(&formulas, &graph, id);
            prop_assert_eq!(notation::read(&shown, &graph, &mut formulas), Ok(id), "{}", shown);
        }
    }
}

/// Pieces of formulas in both notations, in any order.
fn formula_text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "R[",
        "]",
        "(",
        ")",
        ".",
        ", ",
        " & ",
        " | ",
        "⊓",
        "λx[",
        "lambda y[",
        "mark x[",
        "x",
        "y",
        "Rows",
        "Type.Row",
        "Next",
        "Index",
        "Number",
        "Date",
        "Part",
        "count(",
        "max(",
        "argmax(",
        "sub(",
        "Run[",
        "sub[",
        "days[",
        "Missing[",
        "Truth[",
        "median(",
        "group(",
        "having(",
        "except(",
        "exists(",
        "within(",
        "contains(",
        "share",
        "yes",
        "<",
        ">=",
        "!=",
        "≠",
        "5",
        "-3.5",
        "1e5",
        "2010-05-XX",
        "XXXX",
        "\"",
        "\"x\"",
        "\\",
        "Athens",
        "City",
        "λ",
        "(count ",
        "(and ",
        "(var x)",
        "(lambda x ",
        "(reverse ",
        "(argmax 1 1 ",
        "@index",
        "@type",
        "(@type @row)",
        "!r.x",
        "r.null",
        "c.athens",
        "@!p.num ",
        "@p.date ",
        "(date 2010 -1 -1)",
        "(mark x (: ",
        " ",
        "#",
        "~",
    ]);
    prop_oneof![any::<String>(), prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())]
}

#[test]
fn formulas_that_share_parts_or_nest_without_end_are_refused_in_time() {
    let table = {
        let mut table = Table::new(vec!["City".to_owned()]);
        table.push_row(["Athens"]);
        table
    };
    let graph = graph_of(&table);
    let mut formulas = Formulas::new();
    let x = formulas.intern(Node::Var(Var(0)));
    let mut wide = x;
    for _ in 0..200 {
        wide = formulas.intern(Node::And(wide, wide));
    }
    let wide = formulas.intern(Node::Mark(Var(0), wide));
    let next = formulas.intern(Node::Next);
    let mut deep = formulas.intern(Node::Rows);
    for _ in 0..200_000 {
        deep = formulas.join(next, deep);
    }
    let mut executor = Executor::new(&graph, formulas.clone());
    for id in [wide, deep] {
        assert_eq!(executor.denote(id), Err(Undefined::TooLong));
        assert!(type_of(&formulas, &graph, id).is_err());
        assert!(notation::show(&formulas, &graph, id).contains('…'));
        assert!(evidence(&mut executor, id).answer.is_empty());
        let phrases = Phrases::embedded();
        let mut explainer = Explainer::new(&phrases, &mut executor);
        assert!(explainer.english(id).contains("too long") && explainer.steps(id).is_empty());
    }
}

/// Name of a node's construct. A new one must be named here, and then be generated above: the tests of this file are what
/// shows that its notation reads back.
fn construct(node: Node) -> &'static str {
    match node {
        Node::Value(_) => "value",
        Node::Rows => "rows",
        Node::Var(_) => "var",
        Node::Join(..) => "join",
        Node::And(..) => "and",
        Node::Or(..) => "or",
        Node::Aggregate(op, _) => op.name(),
        Node::Superlative(op, ..) => op.name(),
        Node::Arithmetic(op, ..) => op.name(),
        Node::Mark(..) => "mark",
        Node::Column(_) => "column",
        Node::Reading(reading) => reading.name(),
        Node::Next => "next",
        Node::Index => "index",
        Node::Run(_) => "run",
        Node::Compare(op) => op.name(),
        Node::Reverse(_) => "reverse",
        Node::Lambda(..) => "lambda",
        Node::Top(Superlative::Argmax, ..) => "top",
        Node::Top(Superlative::Argmin, ..) => "bottom",
        Node::Group(..) => "group",
        Node::Having(..) => "having",
        Node::Except(..) => "except",
        Node::Exists(_) => "exists",
        Node::Test(op, ..) => op.name(),
        Node::Missing(_) => "missing",
        Node::Text(op, _) => op.name(),
        Node::Across(..) => "across",
    }
}

/// Number of the constructs that [`construct`] names.
const CONSTRUCTS: usize = 19
    + Aggregate::ALL.len()
    + 2 * Superlative::ALL.len()
    + Test::ALL.len()
    + TextTest::ALL.len()
    + Arithmetic::ALL.len()
    + Compare::ALL.len()
    + Reading::ALL.len();

#[test]
fn every_construct_is_generated() {
    let graph = graph_of(&Table::from_csv("City,Year\nAthens,1896\n").expect("it is a table"));
    let seed = |n: u64| {
        let mut hash = StableHash::new(n);
        hash.add(n);
        let bits = hash.finish();
        (bits as u8, (bits >> 8) as u16, (bits >> 24) as u16, (bits >> 40) as f64)
    };
    let seeds: Vec<Seed> = (0..2000).map(seed).collect();
    let (formulas, unaries, binaries) = well_formed(&graph, &seeds);
    let all = unaries.iter().chain(&binaries).map(|id| construct(formulas.node(*id)));
    let found: std::collections::BTreeSet<&str> = all.collect();
    for id in unaries.iter().chain(&binaries) {
        let mut mapped = Vec::new();
        formulas.node(*id).map(|part, shape| {
            mapped.push((part, shape));
            part
        });
        assert_eq!(mapped, formulas.node(*id).parts().collect::<Vec<_>>(), "both list the same parts");
    }
    assert_eq!(found.len(), CONSTRUCTS, "{found:?}");
}
