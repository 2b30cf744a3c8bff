//! Records of the dataset's files: a question, the path of its table, and the right answer; and the lines of a file of
//! predictions.

use crate::text::escapes::unescape;
use thiserror::Error;

/// A line of a file of examples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The name of the example: `nt-0`.
    pub id: String,
    /// The question.
    pub utterance: String,
    /// The path of the table, relative to the dataset.
    pub context: String,
    /// The items of the right answer; none for a question that the table does not answer.
    pub target: Vec<String>,
    /// Right formulas in the notation, the best first; none if the file has no column `formula`.
    pub formulas: Vec<String>,
    /// Kind of the question; empty if the file has no column `kind`.
    pub kind: String,
    /// Name of the wording that a generated question was made from; empty if the file has no column `wording`.
    pub wording: String,
    /// Name that tables share which are made alike; empty if the file has no column `topic`.
    pub topic: String,
}

/// A file of examples that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// The first line must name the columns.
    #[error("line 1: there is no column `{0}`; a file of examples starts with id, utterance, context, targetValue")]
    NoColumn(&'static str),
    /// A line with too few columns.
    #[error("line {0}: a column is missing")]
    ShortLine(usize),
}

/// Reads files of examples: tab-separated, with a line of column names. The dataset has the first four columns, generated
/// questions also `formula`, `kind` and `wording` or `topic`; other columns are left out.
pub fn records_from_tsv(text: &str) -> Result<Vec<Record>, RecordError> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    let column = |name| header.iter().position(|h| *h == name).ok_or(RecordError::NoColumn(name));
    let columns = [column("id")?, column("utterance")?, column("context")?, column("targetValue")?];
    let further = ["formula", "kind", "wording", "topic"].map(|name| header.iter().position(|h| *h == name));
    let numbered = lines.enumerate().filter(|(_, line)| !line.is_empty());
    numbered.map(|(at, line)| record(line, columns, further).ok_or(RecordError::ShortLine(at + 2))).collect()
}

fn record(
    line: &str,
    [id, utterance, context, target]: [usize; 4],
    [formula, kind, wording, topic]: [Option<usize>; 4],
) -> Option<Record> {
    let fields: Vec<&str> = line.split('\t').collect();
    let field = |at: usize| fields.get(at).map(|text| unescape(text).into_owned());
    Some(Record {
        id: field(id)?,
        utterance: field(utterance)?,
        context: field(context)?,
        target: items(fields.get(target)?),
        formulas: formula.and_then(|at| fields.get(at)).map(|text| items(text)).unwrap_or_default(),
        kind: kind.and_then(field).unwrap_or_default(),
        wording: wording.and_then(field).unwrap_or_default(),
        topic: topic.and_then(field).unwrap_or_default(),
    })
}

/// The items of a field, separated by `|`; an empty field has none.
fn items(field: &str) -> Vec<String> {
    match field {
        "" => Vec::new(),
        _ => field.split('|').map(|item| unescape(item).into_owned()).collect(),
    }
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
        let examples = records_from_tsv(text).unwrap();
        assert_eq!(examples[0].target, ["a|b", "c\nd\\"]);
        assert!(examples[0].formulas.is_empty() && examples[0].kind.is_empty());
        assert_eq!(records_from_tsv("id\tutterance"), Err(RecordError::NoColumn("context")));
        let short = "id\tutterance\tcontext\ttargetValue\nq-1\twhich?";
        assert_eq!(records_from_tsv(short), Err(RecordError::ShortLine(2)));
    }

    #[test]
    fn generated_examples_have_formulas_and_kinds() {
        let text = "id\tutterance\tcontext\ttargetValue\tformula\tkind\nq-1\twhich?\tt.csv\t\ta \\p b|c\tlookup\n";
        let example = &records_from_tsv(text).unwrap()[0];
        assert!(example.target.is_empty());
        assert_eq!(
            (example.formulas.as_slice(), &*example.kind),
            (&["a | b".to_owned(), "c".to_owned()][..], "lookup")
        );
    }

    #[test]
    fn predictions_stay_on_their_line() {
        assert_eq!(prediction_line("q-1", &["a\nb", "c\td"]), "q-1\ta b\tc d");
    }
}
