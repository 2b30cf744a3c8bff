//! Examples: a question, the table it is about, and the right answer, as they stand in the dataset's files; and the lines
//! of a file of predictions.

pub use crate::text::escapes::unescape;
use thiserror::Error;

/// A question with its right answer. Only learning and evaluating may see one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The name of the example: `nt-0`.
    pub id: String,
    /// The question.
    pub utterance: String,
    /// The path of the table, relative to the dataset.
    pub context: String,
    /// The items of the right answer.
    pub target: Vec<String>,
}

/// A file of examples that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExampleError {
    /// The first line must name the columns.
    #[error("line 1: there is no column `{0}`; a file of examples starts with id, utterance, context, targetValue")]
    NoColumn(&'static str),
    /// A line with too few columns.
    #[error("line {0}: a column is missing")]
    ShortLine(usize),
}

/// Reads the dataset's files of examples: tab-separated, with a line of column names; other columns are left out.
pub fn examples_from_tsv(text: &str) -> Result<Vec<Example>, ExampleError> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    let column = |name| header.iter().position(|h| *h == name).ok_or(ExampleError::NoColumn(name));
    let columns = [column("id")?, column("utterance")?, column("context")?, column("targetValue")?];
    let numbered = lines.enumerate().filter(|(_, line)| !line.is_empty());
    numbered.map(|(at, line)| example(line, columns).ok_or(ExampleError::ShortLine(at + 2))).collect()
}

fn example(line: &str, [id, utterance, context, target]: [usize; 4]) -> Option<Example> {
    let fields: Vec<&str> = line.split('\t').collect();
    let field = |at: usize| fields.get(at).map(|text| unescape(text).into_owned());
    Some(Example {
        id: field(id)?,
        utterance: field(utterance)?,
        context: field(context)?,
        target: fields.get(target)?.split('|').map(|item| unescape(item).into_owned()).collect(),
    })
}

/// A line of a file of predictions: the id, then the items, tab-separated. Tabs and line breaks inside an item become
/// spaces, which the evaluator does not tell apart.
pub fn prediction_line<S: AsRef<str>>(id: &str, items: &[S]) -> String {
    let mut line = id.to_owned();
    for item in items {
        line.push('\t');
        line.extend(item.as_ref().chars().map(|c| if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c }));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read() {
        let text = "id\tutterance\tcontext\ttargetValue\nq-1\twhich?\ttable.csv\ta\\pb|c\\nd\\\\\n";
        let examples = examples_from_tsv(text).unwrap();
        assert_eq!(examples[0].target, ["a|b", "c\nd\\"]);
        assert_eq!(examples_from_tsv("id\tutterance"), Err(ExampleError::NoColumn("context")));
        let short = "id\tutterance\tcontext\ttargetValue\nq-1\twhich?";
        assert_eq!(examples_from_tsv(short), Err(ExampleError::ShortLine(2)));
    }

    #[test]
    fn predictions_stay_on_their_line() {
        assert_eq!(prediction_line("q-1", &["a\nb", "c\td"]), "q-1\ta b\tc d");
    }
}
