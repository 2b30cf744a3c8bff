//! `tabwise show links`: the analysis of a question before any formula is built: its tokens, the words that say what is
//! asked for, and the links from words to the table.

use crate::asker::AskerArgs;
use crate::input::TableArgs;
use crate::outcome::Outcome;
use crate::style::harmless;
use anyhow::Result;
use serde::Serialize;
use std::io::Write;
use std::ops::Range;
use tabwise::answer::PreparedTable;
use tabwise::graph::{ColumnId, Graph};
use tabwise::question::{ColumnKind, ColumnLink, ConditionLink, Link, LinkKind, Question, TextLink};
use tabwise::value::Value;

/// Options of `show links`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise show links games.csv \"which city was the last in Greece?\"
  tabwise show links games.csv \"how many games in Paris?\" --json | jq .links")]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Question
    #[arg(value_name = "QUESTION", required = true, help_heading = None)]
    question: Vec<String>,
    /// Print a JSON object with tokens, links, columns and the words asked for
    #[arg(long, help_heading = None)]
    json: bool,
    #[command(flatten)]
    asker: AskerArgs,
}

/// Analyses the question and prints the result.
pub(super) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let table = args.table.load()?;
    let asker = args.asker.load()?;
    let prepared = args.table.prepare(&asker, &table)?;
    let question = asker.question(&prepared, &args.question.join(" "));
    let shown = QuestionView::new(&question, &prepared);
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&shown)?)?,
        false => shown.print(out)?,
    }
    Ok(Outcome::Done)
}

/// An analysed question, for output.
#[derive(Serialize)]
struct QuestionView {
    tokens: Vec<TokenView>,
    asks: AsksView,
    links: Vec<LinkView>,
    /// Names of the columns that are named in full.
    columns: Vec<String>,
    column_links: Vec<ColumnView>,
    conditions: Vec<ConditionView>,
    texts: Vec<TextView>,
}

/// A token with its byte offsets, for output.
#[derive(Serialize)]
struct TokenView {
    text: String,
    lemma: String,
    tag: &'static str,
    start: usize,
    end: usize,
}

/// The words that say what is asked for, and their head, for output.
#[derive(Serialize)]
struct AsksView {
    words: String,
    head: String,
}

/// A link, for output.
#[derive(Serialize)]
struct LinkView {
    words: String,
    kind: &'static str,
    value: String,
    /// Columns that contain the text; empty for numbers and dates.
    columns: Vec<String>,
}

/// Words that name a column, for output.
#[derive(Serialize)]
struct ColumnView {
    words: String,
    kind: &'static str,
    column: String,
}

/// Words that name a condition on a column, for output.
#[derive(Serialize)]
struct ConditionView {
    words: String,
    kind: &'static str,
    column: String,
    reading: Option<&'static str>,
    value: String,
    /// Numbers of further columns that the words ask for as well.
    also: Vec<AlsoView>,
}

/// Number of a further column, for output.
#[derive(Serialize)]
struct AlsoView {
    column: String,
    value: String,
}

/// Words that texts of a column contain, start with or end with, for output.
#[derive(Serialize)]
struct TextView {
    words: String,
    column: String,
    test: &'static str,
    text: String,
}

impl QuestionView {
    fn new(question: &Question, table: &PreparedTable) -> QuestionView {
        let tokens = question.tokens.iter().map(|token| TokenView {
            text: token.text.clone(),
            lemma: token.lemma.clone(),
            tag: token.tag.as_str(),
            start: token.start,
            end: token.end,
        });
        QuestionView {
            tokens: tokens.collect(),
            asks: AsksView { words: question.asks.words.clone(), head: question.asks.head.clone() },
            links: question.links.iter().map(|link| LinkView::new(link, question, table)).collect(),
            columns: named(question).map(|column| name(table, column)).collect(),
            column_links: question.columns.iter().map(|link| ColumnView::new(link, question, table)).collect(),
            conditions: question.conditions.iter().map(|link| ConditionView::new(link, question, table)).collect(),
            texts: question.texts.iter().map(|link| TextView::new(link, question, table)).collect(),
        }
    }

    fn print(&self, out: &mut impl Write) -> Result<()> {
        let tokens: Vec<String> = self.tokens.iter().map(|t| format!("{}/{}/{}", t.text, t.lemma, t.tag)).collect();
        writeln!(out, "tokens   {}", harmless(&tokens.join(" ")))?;
        writeln!(out, "asks     {} → {}", harmless(&self.asks.words), harmless(&self.asks.head))?;
        for link in &self.links {
            let place = match link.columns.is_empty() {
                true => String::new(),
                false => format!(" in {}", harmless(&link.columns.join(", "))),
            };
            writeln!(out, "link     {:?} → {} {:?}{place}", link.words, link.kind, link.value)?;
        }
        for link in &self.column_links {
            writeln!(out, "column   {:?} → {:?} by {}", link.words, link.column, link.kind)?;
        }
        for link in &self.conditions {
            let reading = link.reading.map_or(String::new(), |reading| format!(" as {reading}"));
            writeln!(
                out,
                "where    {:?} → {:?}{reading} is {:?}{} by {}",
                link.words,
                link.column,
                link.value,
                link.also.iter().map(|also| format!(", {:?} is {:?}", also.column, also.value)).collect::<String>(),
                link.kind
            )?;
        }
        for link in &self.texts {
            writeln!(out, "text     {:?} → {} {:?} in {:?}", link.words, link.test, link.text, link.column)?;
        }
        if self.links.is_empty() && self.column_links.is_empty() && self.conditions.is_empty() {
            writeln!(out, "no word of the question links to a cell, a column or a value")?;
        }
        Ok(())
    }
}

impl LinkView {
    fn new(link: &Link, question: &Question, table: &PreparedTable) -> LinkView {
        LinkView {
            words: words(&link.tokens, question),
            kind: kind(link),
            value: table.graph.show(link.value),
            columns: columns(link.value, &table.graph, table),
        }
    }
}

impl ColumnView {
    fn new(link: &ColumnLink, question: &Question, table: &PreparedTable) -> ColumnView {
        ColumnView { words: words(&link.tokens, question), kind: link.kind.name(), column: name(table, link.column) }
    }
}

impl ConditionView {
    fn new(link: &ConditionLink, question: &Question, table: &PreparedTable) -> ConditionView {
        ConditionView {
            words: words(&link.tokens, question),
            kind: link.kind.name(),
            column: name(table, link.column),
            reading: link.reading.map(|reading| reading.name()),
            value: table.graph.show(link.value),
            also: link.also.iter().map(|(column, value)| AlsoView::new(*column, *value, table)).collect(),
        }
    }
}

impl AlsoView {
    fn new(column: ColumnId, value: Value, table: &PreparedTable) -> AlsoView {
        AlsoView { column: name(table, column), value: table.graph.show(value) }
    }
}

impl TextView {
    fn new(link: &TextLink, question: &Question, table: &PreparedTable) -> TextView {
        TextView {
            words: words(&link.tokens, question),
            column: name(table, link.column),
            test: link.test.name(),
            text: link.text.clone(),
        }
    }
}

/// The words of a link as they were asked.
fn words(tokens: &Range<usize>, question: &Question) -> String {
    let words = match question.tokens.get(tokens.clone()) {
        Some([first, .., last]) => &question.text[first.start..last.end],
        Some([only]) => &question.text[only.start..only.end],
        _ => "",
    };
    words.to_owned()
}

/// The columns that are named in full.
fn named(question: &Question) -> impl Iterator<Item = ColumnId> + '_ {
    question.columns.iter().filter(|link| link.kind == ColumnKind::Header).map(|link| link.column)
}

fn name(table: &PreparedTable, column: ColumnId) -> String {
    table.graph.column(column).name.clone()
}

/// The kind of a link, in words.
fn kind(link: &Link) -> &'static str {
    match (link.kind, link.value) {
        (LinkKind::Cell, _) => "cell",
        (LinkKind::Part, _) => "part of a cell",
        (LinkKind::Value, Value::Date(_)) => "date",
        (LinkKind::Words, _) => "words of a cell",
        (LinkKind::Value, _) => "number",
        (LinkKind::Kin, _) => "kin of a cell",
        (LinkKind::Typo, _) => "misspelt cell",
    }
}

/// The names of the columns that contain an entity.
fn columns(value: Value, graph: &Graph, table: &PreparedTable) -> Vec<String> {
    let Value::Entity(entity) = value else { return Vec::new() };
    let holds = |id: &ColumnId| table.vocabulary.is_in(entity, *id);
    graph.column_ids().filter(holds).map(|id| graph.column(id).name.clone()).collect()
}
