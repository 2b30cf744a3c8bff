//! `tabwise lab check annotator`: compares tokens, lemmas and tags of the tagged questions with the reference, and
//! measures speed. Agreement is cross-validated: tables are distributed over folds, and each fold is tagged by a tagger
//! that was trained on the others.

use super::data::DataArgs;
use crate::outcome::Outcome;
use crate::tagged::{References, references};
use anyhow::Result;
use std::collections::HashMap;
use std::io::Write;
use std::time::{Duration, Instant};
use tabwise::text::reference::Reference;
use tabwise::text::train::Training;
use tabwise::text::{Agreement, Annotator};

/// Minimum share of questions with equal tokens, and of tokens with equal lemmas and tags.
const BARS: [(&str, f64); 3] = [("questions with equal tokens", 0.97), ("lemmas", 0.97), ("tags", 0.95)];
/// Minimum number of questions per second.
const SPEED_BAR: f64 = 20_000.0;
/// Number of folds of the cross-validation.
const FOLDS: usize = 5;

/// Measures and prints the three shares and the speed. Only the speed is that of the given annotator: an annotator
/// cannot be cloned, so the folds put their taggers into the built-in one.
pub(super) fn run(args: DataArgs, annotator: &Annotator, out: &mut impl Write) -> Result<Outcome> {
    let references = references(&args.data)?;
    let found = cross_validated(&references, args.verbose, out)?;
    let shares = [(found.texts_cut_alike, found.texts), (found.lemmas, found.tokens), (found.tags, found.tokens)];
    let mut reached = true;
    for ((name, bar), (part, whole)) in BARS.into_iter().zip(shares) {
        let share = part as f64 / whole.max(1) as f64;
        writeln!(out, "{name}: {part} of {whole}, {:.2} % (bar {:.0} %)", share * 100.0, bar * 100.0)?;
        reached &= share >= bar;
    }
    let speed = speed(&references.questions, annotator);
    writeln!(out, "questions per second: {speed:.0} (bar {SPEED_BAR:.0})")?;
    Ok(if reached && speed >= SPEED_BAR { Outcome::Done } else { Outcome::BelowBar })
}

/// Agreement on all questions, each annotated by a tagger that was trained without its table.
fn cross_validated(references: &References, verbose: bool, out: &mut impl Write) -> Result<Agreement> {
    let folds = folds(&references.questions);
    let mut total = Agreement::default();
    for fold in 0..FOLDS {
        let questions = others(&references.questions, &folds, fold);
        let cells = others(&references.cells, &folds, fold);
        let tagger = Training::default().train(&questions, &cells);
        let annotator = Annotator::embedded().with_tagger(tagger);
        for question in references.questions.iter().filter(|r| folds.get(&r.table) == Some(&fold)) {
            total += annotator.agreement(question);
            if verbose {
                print_differences(&annotator, question, out)?;
            }
        }
    }
    Ok(total)
}

/// The references outside of a fold.
fn others<'a>(all: &'a [Reference], folds: &HashMap<String, usize>, fold: usize) -> Vec<&'a Reference> {
    all.iter().filter(|reference| folds.get(&reference.table) != Some(&fold)).collect()
}

/// The fold of each table, assigned in turn in the order of first questions.
fn folds(questions: &[Reference]) -> HashMap<String, usize> {
    let mut folds = HashMap::new();
    for question in questions {
        let next = folds.len() % FOLDS;
        folds.entry(question.table.clone()).or_insert(next);
    }
    folds
}

/// Prints each token that differs from the reference.
fn print_differences(annotator: &Annotator, question: &Reference, out: &mut impl Write) -> Result<()> {
    let tokens = annotator.annotate(&question.text);
    let ours: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
    if ours != question.tokens {
        writeln!(out, "tokens: {} / {}", ours.join(" "), question.tokens.join(" "))?;
        return Ok(());
    }
    let theirs = question.lemmas.iter().zip(&question.tags);
    for (token, (lemma, tag)) in tokens.iter().zip(theirs).filter(|(t, (l, g))| t.lemma != **l || t.tag != **g) {
        let (ours, theirs) = (token.tag.as_str(), tag.as_str());
        writeln!(out, "{}: {}/{ours}, reference {lemma}/{theirs}: {}", token.text, token.lemma, question.text)?;
    }
    Ok(())
}

/// Questions per second, measured over at least half a second.
fn speed(questions: &[Reference], annotator: &Annotator) -> f64 {
    let start = Instant::now();
    let mut annotated = 0usize;
    while start.elapsed() < Duration::from_millis(500) && !questions.is_empty() {
        questions.iter().for_each(|question| drop(std::hint::black_box(annotator.annotate(&question.text))));
        annotated += questions.len();
    }
    annotated as f64 / start.elapsed().as_secs_f64()
}
