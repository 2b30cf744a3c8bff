//! `tabwise lab check english`: an English sentence for every hand-written formula of the dataset, to be read by a
//! person. A random sample has a seed, so that it can be repeated.

use crate::annotated::{Annotated, annotated};
use crate::outcome::Outcome;
use anyhow::Result;
use std::io::Write;
use std::path::{Path, PathBuf};
use tabwise::answer::Knowledge;
use tabwise::execute::Executor;
use tabwise::explain::{Explainer, Phrases};
use tabwise::formula::{Formulas, lisp, notation};
use tabwise::words::Words;

/// Options of `check english`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise lab check english --data wtq --sample 20 --steps")]
pub(super) struct Args {
    /// Folder of the dataset, with the subfolders csv and data
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Print a random sample of N sentences [default: all]
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Seed of the sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print the formulas and their steps too
    #[arg(long)]
    steps: bool,
}

/// Prints the sentences and the number of formulas that have one.
pub(super) fn run(args: Args, knowledge: &Knowledge, out: &mut impl Write) -> Result<Outcome> {
    let Knowledge { words, phrases, .. } = knowledge;
    let all: Vec<Annotated> = annotated(&args.data)?.into_iter().filter(|one| !one.formulas.is_empty()).collect();
    let mut sentences = Vec::new();
    for example in &all {
        sentences.extend(sentence(example, &args.data, words, phrases)?);
    }
    let count = sentences.len();
    for at in drawn(count, args.sample.unwrap_or(count), args.seed) {
        let Sentence { id, utterance, formula, english, steps } = &sentences[at];
        writeln!(out, "{id} {utterance:?}\n  {english}")?;
        if args.steps {
            writeln!(out, "  {formula}")?;
            steps.iter().try_for_each(|step| writeln!(out, "    {step}"))?;
        }
    }
    writeln!(out, "{count} of {} formulas have a sentence", all.len())?;
    Ok(if count == all.len() { Outcome::Done } else { Outcome::BelowBar })
}

/// A formula with its sentence.
struct Sentence {
    id: String,
    utterance: String,
    formula: String,
    english: String,
    steps: Vec<String>,
}

/// The sentence of the first formula of a question; `None` if it cannot be read or has none.
fn sentence(example: &Annotated, data: &Path, words: &Words, phrases: &Phrases) -> Result<Option<Sentence>> {
    let graph = example.graph(data, words)?;
    let mut formulas = Formulas::new();
    let Ok(formula) = lisp::read_lisp(&example.formulas[0], &graph, &mut formulas) else { return Ok(None) };
    let shown = notation::show(&formulas, &graph, formula);
    let mut executor = Executor::new(&graph, formulas);
    let mut explainer = Explainer::new(phrases, &mut executor);
    let english = explainer.english(formula);
    let steps = explainer.steps(formula);
    let steps = steps.iter().map(|step| format!("{}: {}", step.english, step.result.join(", "))).collect();
    let (id, utterance) = (example.id.clone(), example.utterance.clone());
    Ok((!english.is_empty()).then_some(Sentence { id, utterance, formula: shown, english, steps }))
}

/// A random sample of the numbers below `count`, sorted.
fn drawn(count: usize, wanted: usize, seed: u64) -> Vec<usize> {
    let mut state = seed;
    let mut keyed: Vec<(u64, usize)> = (0..count).map(|at| (next(&mut state), at)).collect();
    keyed.sort_unstable();
    let mut chosen: Vec<usize> = keyed.into_iter().take(wanted).map(|(_, at)| at).collect();
    chosen.sort_unstable();
    chosen
}

/// The next number of the SplitMix64 generator (Steele, Lea and Flood, 2014).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
