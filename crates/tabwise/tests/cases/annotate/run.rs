//! Texts to tokens: each with its lemma, its tag and, where it differs, what stands in the original; then what is asked.

use tabwise::text::headword::asked;
use tabwise::text::{Annotator, Token};

pub fn run(_content: &str, input: &str) -> String {
    let tokens = Annotator::embedded().annotate(input);
    let mut lines: Vec<String> = tokens.iter().map(|token| show(token, &input[token.start..token.end])).collect();
    if let Some(asked) = asked(&tokens) {
        let words = |places: &mut dyn Iterator<Item = usize>| places.map(|at| &*tokens[at].text).collect::<Vec<_>>();
        let question = words(&mut asked.question_words.iter().copied()).join(" ");
        lines.push(format!("asks: {question} -> {}", words(&mut asked.headword.clone()).join(" ")));
    }
    lines.join("\n")
}

fn show(token: &Token, original: &str) -> String {
    let line = format!("{} {} {}", token.text, token.lemma, token.tag.as_str());
    if original == token.text { line } else { format!("{line} <{original}>") }
}
