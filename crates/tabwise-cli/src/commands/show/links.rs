//! `tabwise show links`: the analysis of a question before any formula is built: its tokens, the words that say what is
//! asked for, and the links from words to the table.

use crate::asker::AskerArgs;
use crate::input::TableArgs;
use crate::outcome::Outcome;
use anyhow::Result;
use serde::Serialize;
use std::io::Write;
use tabwise::answer::PreparedTable;
use tabwise::graph::Graph;
use tabwise::question::{Link, LinkKind, Places, Question};
use tabwise::value::Value;

/// Options of `show links`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise show links games.csv \"which city was the last in Greece?\"
  tabwise show links games.csv \"how many games were in Paris?\" --json | jq .links")]
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
    let prepared = asker.prepare(&table);
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
    columns: Vec<String>,
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
            columns: question.columns.iter().map(|id| table.graph.column(*id).name.clone()).collect(),
        }
    }

    fn print(&self, out: &mut impl Write) -> Result<()> {
        let tokens: Vec<String> = self.tokens.iter().map(|t| format!("{}/{}/{}", t.text, t.lemma, t.tag)).collect();
        writeln!(out, "tokens   {}", tokens.join(" "))?;
        writeln!(out, "asks     {} → {}", self.asks.words, self.asks.head)?;
        for link in &self.links {
            let place = match link.columns.is_empty() {
                true => String::new(),
                false => format!(" in {}", link.columns.join(", ")),
            };
            writeln!(out, "link     {:?} → {} {:?}{place}", link.words, link.kind, link.value)?;
        }
        self.columns.iter().try_for_each(|column| writeln!(out, "column   {column:?} is named"))?;
        if self.links.is_empty() && self.columns.is_empty() {
            writeln!(out, "no word of the question links to a cell, a column or a value")?;
        }
        Ok(())
    }
}

impl LinkView {
    fn new(link: &Link, question: &Question, table: &PreparedTable) -> LinkView {
        let words = match question.tokens.get(link.tokens.clone()) {
            Some([first, .., last]) => &question.text[first.start..last.end],
            Some([only]) => &question.text[only.start..only.end],
            _ => "",
        };
        LinkView {
            words: words.to_owned(),
            kind: kind(link),
            value: table.graph.show(link.value),
            columns: columns(link.value, &table.graph, table),
        }
    }
}

/// The kind of a link, in words.
fn kind(link: &Link) -> &'static str {
    match (link.kind, link.value) {
        (LinkKind::Cell, _) => "cell",
        (LinkKind::Part, _) => "part of a cell",
        (LinkKind::Value, Value::Date(_)) => "date",
        (LinkKind::Words, _) => "words of a cell",
        (LinkKind::Value, _) => "number",
    }
}

/// The names of the columns that contain an entity.
fn columns(value: Value, graph: &Graph, table: &PreparedTable) -> Vec<String> {
    let Value::Entity(entity) = value else { return Vec::new() };
    let holds = |id: &tabwise::graph::ColumnId| table.vocabulary.places(entity).meets(Places::column(*id));
    graph.column_ids().filter(holds).map(|id| graph.column(id).name.clone()).collect()
}
