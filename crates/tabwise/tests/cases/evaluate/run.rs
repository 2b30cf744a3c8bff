//! Whether an answer is right. An input is the answer, `=>` and the target; `;` stands between items.

use tabwise::evaluate::{Target, matches};
use tabwise::words::Words;

pub fn run(_: &str, input: &str) -> String {
    let (answer, target) = input.split_once("=>").expect("an input has =>");
    let items = |text: &str| -> Vec<String> {
        text.split(';').map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
    };
    let target = Target::from_strings(&items(target), &Words::embedded());
    if matches(&items(answer), &target) { "right".to_owned() } else { "wrong".to_owned() }
}
