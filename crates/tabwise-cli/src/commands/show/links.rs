//! `tabwise show links`: how a question was understood before any formula was built: its tokens, what it asks for, and
//! which words stand for something in the table.

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

#[derive(clap::Args)]
#[command(after_help = "Example:\n  tabwise show links games.csv \"which city was the last in Greece?\"")]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// The question
    #[arg(value_name = "QUESTION", required = true, help_heading = None)]
    question: Vec<String>,
    /// Print an object with tokens, links, columns and what is asked
    #[arg(long, help_heading = None)]
    json: bool,
    #[command(flatten)]
    asker: AskerArgs,
}

/// Annotates the question and prints what was found.
pub fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let table = args.table.load()?;
    let asker = args.asker.load()?;
    let prepared = asker.prepare(&table);
    let question = asker.question(&prepared, &args.question.join(" "));
    let shown = Shown::new(&question, &prepared);
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&shown)?)?,
        false => shown.print(out)?,
    }
    Ok(Outcome::Done)
}

/// An annotated question, for people and programs.
#[derive(Serialize)]
struct Shown {
    tokens: Vec<ShownToken>,
    asks: ShownAsks,
    links: Vec<ShownLink>,
    columns: Vec<String>,
}

#[derive(Serialize)]
struct ShownToken {
    text: String,
    lemma: String,
    tag: &'static str,
    start: usize,
    end: usize,
}

#[derive(Serialize)]
struct ShownAsks {
    words: String,
    head: String,
}

#[derive(Serialize)]
struct ShownLink {
    words: String,
    kind: &'static str,
    value: String,
    /// Where a text of the table stands.
    columns: Vec<String>,
}

impl Shown {
    fn new(question: &Question, table: &PreparedTable) -> Shown {
        let tokens = question.tokens.iter().map(|token| ShownToken {
            text: token.text.clone(),
            lemma: token.lemma.clone(),
            tag: token.tag.as_str(),
            start: token.start,
            end: token.end,
        });
        Shown {
            tokens: tokens.collect(),
            asks: ShownAsks { words: question.asks.words.clone(), head: question.asks.head.clone() },
            links: question.links.iter().map(|link| ShownLink::new(link, question, table)).collect(),
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
            writeln!(out, "no word of the question is a text, a column or a value of the table")?;
        }
        Ok(())
    }
}

impl ShownLink {
    fn new(link: &Link, question: &Question, table: &PreparedTable) -> ShownLink {
        let words = match question.tokens.get(link.tokens.clone()) {
            Some([first, .., last]) => &question.text[first.start..last.end],
            Some([only]) => &question.text[only.start..only.end],
            _ => "",
        };
        ShownLink {
            words: words.to_owned(),
            kind: kind(link),
            value: table.graph.show(link.value),
            columns: columns(link.value, &table.graph, table),
        }
    }
}

fn kind(link: &Link) -> &'static str {
    match (link.kind, link.value) {
        (LinkKind::Cell, _) => "cell",
        (LinkKind::Part, _) => "part of a cell",
        (LinkKind::Value, Value::Date(_)) => "date",
        (LinkKind::Words, _) => "words of a cell",
        (LinkKind::Value, _) => "number",
    }
}

fn columns(value: Value, graph: &Graph, table: &PreparedTable) -> Vec<String> {
    let Value::Entity(entity) = value else { return Vec::new() };
    let holds = |id: &tabwise::graph::ColumnId| table.vocabulary.places(entity).meets(Places::column(*id));
    graph.column_ids().filter(holds).map(|id| graph.column(id).name.clone()).collect()
}
