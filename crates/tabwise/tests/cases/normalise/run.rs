//! What texts mean. The content says what the inputs are: `cells` (output: their readings), `questions` (output: their
//! values and ranges) or `answers` (output: the string the evaluator compares). `\n` in an input is a line break.

use tabwise::evaluate::normalise;
use tabwise::text::Annotator;
use tabwise::text::ranges::find_ranges;
use tabwise::text::readings::read_cell;
use tabwise::text::values::find_values;
use tabwise::value::{Value, show_number};
use tabwise::words::Words;

pub fn run(content: &str, input: &str) -> String {
    let text = input.replace("\\n", "\n");
    match content {
        "cells" => cell(&text),
        "questions" => question(&text),
        "answers" => format!("{:?}", normalise(&text)),
        other => panic!("the content is cells, questions or answers, not {other:?}"),
    }
}

fn cell(text: &str) -> String {
    let readings = read_cell(text, &Words::embedded());
    let range = |second: Option<String>| second.map(|second| format!(", then {second}")).unwrap_or_default();
    let number = readings.number.map(|n| format!("number {}{}", show_number(n), range(readings.number2.map(show_number))));
    let date = readings.date.map(|d| format!("date {d}{}", range(readings.date2.map(|d| d.to_string()))));
    let duration = readings.duration.map(|s| format!("duration {} s", show_number(s)));
    let parts = (!readings.parts.is_empty()).then(|| format!("parts {}", readings.parts.join(" | ")));
    let lines: Vec<String> = [number, date, duration, parts].into_iter().flatten().collect();
    if lines.is_empty() { "nothing".to_owned() } else { lines.join("\n") }
}

fn question(text: &str) -> String {
    let tokens = Annotator::embedded().annotate(text);
    let spans = find_values(&tokens, &Words::embedded());
    let said = |span: &std::ops::Range<usize>| &text[tokens[span.start].start..tokens[span.end - 1].end];
    let values = spans.iter().map(|span| format!("{}: {}", said(&span.tokens), value(span.value)));
    let ranges = find_ranges(&tokens, &spans, &Words::embedded());
    let ranges =
        ranges.iter().map(|span| format!("{}: {} to {}", said(&span.tokens), value(span.from), value(span.to)));
    let lines: Vec<String> = values.chain(ranges).collect();
    if lines.is_empty() { "nothing".to_owned() } else { lines.join("\n") }
}

fn value(value: Value) -> String {
    match value {
        Value::Number(n) => format!("number {}", show_number(n)),
        Value::Date(date) => format!("date {date}"),
        Value::Entity(_) | Value::Truth(_) => panic!("a question has no entities"),
    }
}
