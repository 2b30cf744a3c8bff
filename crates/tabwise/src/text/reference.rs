//! Reference annotations of the WikiTableQuestions dataset ([`read`]): tab-separated `.tagged` files with the tokens,
//! lemmas and tags of another annotator. Ours is trained on them and compared with them.

use super::Tag;
use super::escapes::unescape;

/// One annotated text: a question or a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The original text.
    pub text: String,
    /// Name of its table: `203-csv/591`.
    pub table: String,
    /// Tokens, without the escapes of the Penn Treebank.
    pub tokens: Vec<String>,
    /// Lemma of each token, in lower case.
    pub lemmas: Vec<String>,
    /// Tag of each token.
    pub tags: Vec<Tag>,
}

/// Reads the annotated texts of one file, in order. `table` is used if the file does not name the table. Lines without
/// tokens, or with lists of different lengths, are skipped.
pub fn read(content: &str, table: &str) -> Vec<Reference> {
    let mut lines = content.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |names: &[&str]| header.iter().position(|h| names.contains(h));
    let columns =
        [&["utterance", "content"][..], &["context"], &["tokens"], &["lemmaTokens"], &["posTags"]].map(column);
    lines.filter_map(|line| read_line(line, columns, table)).collect()
}

fn read_line(line: &str, columns: [Option<usize>; 5], table: &str) -> Option<Reference> {
    let fields: Vec<&str> = line.split('\t').collect();
    let field = |column: Option<usize>| column.and_then(|c| fields.get(c)).copied();
    let list = |column| Some(field(column)?.split('|').map(plain).collect::<Vec<_>>());
    let [text, context, tokens, lemmas, tags] = columns;
    let tags: Option<Vec<Tag>> = field(tags)?.split('|').map(Tag::parse).collect();
    let reference = Reference {
        text: unescape(field(text)?).into_owned(),
        table: field(context).map_or(table, |c| c.trim_start_matches("csv/").trim_end_matches(".csv")).to_owned(),
        tokens: list(tokens)?,
        lemmas: list(lemmas)?.into_iter().map(|lemma| lemma.to_lowercase()).collect(),
        tags: tags?,
    };
    let length = reference.tokens.len();
    (length == reference.lemmas.len() && length == reference.tags.len()).then_some(reference)
}

/// Returns a token without the escapes of the Penn Treebank: brackets, slashes and asterisks as in our tokens.
fn plain(token: &str) -> String {
    match unescape(token).as_ref() {
        "-lrb-" => "(".to_owned(),
        "-rrb-" => ")".to_owned(),
        "-lsb-" => "[".to_owned(),
        "-rsb-" => "]".to_owned(),
        "-lcb-" => "{".to_owned(),
        "-rcb-" => "}".to_owned(),
        token => token.replace("\\/", "/").replace("\\*", "*"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_and_a_cell() {
        let questions = "id\tutterance\tcontext\ttokens\tlemmaTokens\tposTags\n\
                         x\twho won (a\\pb)?\tcsv/1-csv/2.csv\twho|won|-lrb-|a\\pb|-rrb-|?\twho|win|-lrb-|a\\pb|-rrb-|?\tWP|VBD|-LRB-|NN|-RRB-|.\n";
        let read = read(questions, "");
        assert_eq!((read[0].text.as_str(), read[0].table.as_str()), ("who won (a|b)?", "1-csv/2"));
        assert_eq!(read[0].tokens[2..5], ["(", "a|b", ")"]);
        assert_eq!(read[0].tags[1], Tag::Vbd);
    }

    #[test]
    fn lines_that_do_not_fit_are_left_out() {
        assert_eq!(read("content\ttokens\tlemmaTokens\tposTags\nA b\ta|b\ta\tDT\n\n", "t"), []);
    }
}
