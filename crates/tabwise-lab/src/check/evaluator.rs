//! `tabwise lab check evaluator`: compares the targets of the tagged questions, as the evaluator normalises them, with
//! their canonical forms, and checks that a target is a right answer to itself.

use super::data::DataArgs;
use crate::outcome::Outcome;
use crate::tagged::{self, Columns};
use anyhow::Result;
use std::io::Write;
use tabwise::evaluate::{Item, Kind, Target, matches};
use tabwise::text::escapes::unescape;
use tabwise::words::Words;

/// Minimum share of questions whose target agrees with its canonical form.
const BAR: f64 = 0.99;

/// Compares every target and prints the agreement.
pub(super) fn run(args: DataArgs, words: &Words, out: &mut impl Write) -> Result<Outcome> {
    let content = tagged::questions(&args.data)?;
    let columns = Columns::of(&content);
    let (mut questions, mut agreeing, mut right) = (0, 0, 0);
    for line in content.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (target, canon) = (items(columns.get(&fields, "targetValue")), items(columns.get(&fields, "targetCanon")));
        questions += 1;
        right += usize::from(is_right_as_itself(&target, &canon, words));
        match disagreement(&target, &canon, words) {
            None => agreeing += 1,
            Some(item) => writeln!(out, "  {} {item}", columns.get(&fields, "id"))?,
        }
    }
    let share = 100.0 * f64::from(agreeing) / f64::from(questions.max(1));
    writeln!(
        out,
        "normalised as targetCanon: {agreeing} of {questions} questions, {share:.2} % (bar {:.0} %)",
        BAR * 100.0
    )?;
    writeln!(out, "right as themselves: {right} of {questions}")?;
    let reached = share >= BAR * 100.0 && right == questions as usize;
    Ok(if reached { Outcome::Done } else { Outcome::BelowBar })
}

/// The items of a field.
fn items(field: &str) -> Vec<String> {
    field.split('|').map(|item| unescape(item).into_owned()).collect()
}

/// True if a target is a right answer to itself, with and without its canonical form, and its canonical form is one
/// too.
fn is_right_as_itself(target: &[String], canon: &[String], words: &Words) -> bool {
    let read = Target::from_strings(target, words);
    let known = Target::with_canon(target, canon);
    matches(target, &read) && matches(target, &known) && matches(canon, &known)
}

/// Describes the first item whose normalisation differs from its canonical form.
fn disagreement(target: &[String], canon: &[String], words: &Words) -> Option<String> {
    let pairs = target.iter().zip(canon).map(|(text, canon)| {
        let (ours, theirs) = (Item::target(text, words), Item::with_canon(text, canon));
        let same = match (ours.kind, theirs.kind) {
            (Kind::Number(a), Kind::Number(b)) => (a - b).abs() < 1e-6,
            (a, b) => a == b,
        };
        (same, format!("{text:?}: ours {:?}, canonical {canon:?}", ours.kind))
    });
    pairs.filter(|(same, _)| !same).map(|(_, shown)| shown).next()
}
