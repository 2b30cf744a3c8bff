//! How questions are linked to a table. The content is a table, the input a question; the output is what it asks for, the
//! words that stand for a text or a value, and the columns that are named.

use tabwise::graph::Graph;
use tabwise::question::{LinkKind, Linking, Question, Vocabulary};
use tabwise::table::Table;
use tabwise::text::Annotator;
use tabwise::words::Words;

pub fn run(content: &str, input: &str) -> String {
    let table = Table::from_csv(content).expect("the content is a table");
    let (words, annotator) = (Words::embedded(), Annotator::embedded());
    let graph = Graph::new(&table, &words);
    let vocabulary = Vocabulary::new(&graph, &annotator);
    let question = Question::new(input, &graph, &vocabulary, &annotator, &words, Linking::Parts);
    let mut lines = vec![format!("asks: {} -> {}", question.asks.words, question.asks.head)];
    for link in &question.links {
        let tokens = &question.tokens[link.tokens.clone()];
        let said = &input[tokens[0].start..tokens[tokens.len() - 1].end];
        let kind = match link.kind {
            LinkKind::Cell => "cell",
            LinkKind::Part => "part",
            LinkKind::Words => "words",
            LinkKind::Value => "value",
        };
        lines.push(format!("{said}: {kind} {}", graph.show(link.value)));
    }
    let named = question.columns.iter().map(|id| format!("column {}", graph.column(*id).name));
    lines.into_iter().chain(named).collect::<Vec<_>>().join("\n")
}
