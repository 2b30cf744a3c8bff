//! How questions are linked to a table. The content is a table, the input a question; the output is what it asks for, the
//! words that stand for a text or a value, and those that name a column, a condition on a column, or a part of its texts.

use tabwise::formula::TextTest;
use tabwise::graph::Graph;
use tabwise::question::{Linking, Question, Vocabulary};
use tabwise::table::Table;
use tabwise::text::Annotator;
use tabwise::words::Words;

pub fn run(content: &str, input: &str) -> String {
    let table = Table::from_csv(content).expect("the content is a table");
    let (words, annotator) = (Words::embedded(), Annotator::embedded());
    let graph = Graph::new(&table, &words);
    let vocabulary = Vocabulary::new(&graph, &annotator, &words);
    let question = Question::new(input, &graph, &vocabulary, &annotator, &words, Linking::Kin);
    let name = |column| &graph.column(column).name;
    let said = |tokens: &std::ops::Range<usize>| {
        &input[question.tokens[tokens.start].start..question.tokens[tokens.end - 1].end]
    };
    let mut lines = vec![format!("asks: {} -> {}", question.asks.words, question.asks.head)];
    for link in &question.links {
        let kind = link.kind.name();
        let others = match link.others.len() {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        lines.push(format!("{}: {kind} {}{others}", said(&link.tokens), graph.show(link.value)));
    }
    for link in &question.columns {
        lines.push(format!("{}: column {} by {}", said(&link.tokens), name(link.column), link.kind.name()));
    }
    for link in &question.conditions {
        let reading = link.reading.map_or(String::new(), |reading| format!(".{}", reading.name()));
        let value = graph.show(link.value);
        let also = link.also.iter().map(|(column, value)| format!(" & {}.{}", name(*column), graph.show(*value)));
        let also: String = also.collect();
        let words = said(&link.tokens);
        lines.push(format!("{words}: {}{reading}.{value}{also} by {}", name(link.column), link.kind.name()));
    }
    for link in &question.texts {
        let test = if link.test == TextTest::Contains { "in texts" } else { link.test.name() };
        lines.push(format!("{}: {test} of {}", said(&link.tokens), name(link.column)));
    }
    lines.join("\n")
}
