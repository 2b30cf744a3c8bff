//! `tabwise lab correct`: measures what corrections bring and what wrong ones cost. Half of the questions of some tables are
//! corrected; then the other half, and questions about other tables, are answered with what was learned.

use crate::dataset;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::settings::SettingsArgs;
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use std::io::Write;
use std::path::PathBuf;
use tabwise::answer::{Asker, answer_of};
use tabwise::evaluate::{Example, Examples, Target, judge};
use tabwise::learn::{Corrected, Corrections};
use tabwise::model::Overlay;
use tabwise::{Knowledge, Model};

/// Options of `correct`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise lab correct --data wtq --split random-split-1-dev --model model.bin
  tabwise lab correct --data wtq --split random-split-1-dev --model model.bin --count 500")]
pub struct Args {
    /// Folder of the dataset
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Questions to correct and to answer: a file of DIR/data without its extension
    #[arg(long, value_name = "NAME")]
    split: String,
    /// Model to correct, which should not have been trained on these tables
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Number of corrections
    #[arg(long, value_name = "N", default_value_t = 200)]
    count: usize,
    /// Settings to answer with.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// Questions by their part in the measurement.
struct Parts<'e> {
    /// Questions that are corrected.
    corrected: Vec<&'e Example>,
    /// Further questions about the same tables.
    further: Vec<&'e Example>,
    /// Questions about other tables.
    others: Vec<&'e Example>,
}

/// Corrects, measures and prints the figures.
pub(crate) fn run(args: Args, knowledge: Knowledge, progress: &Progress, out: &mut impl Write) -> Result<Outcome> {
    let bytes = std::fs::read(&args.model).with_context(|| format!("cannot read {}", args.model.display()))?;
    let model = Model::read(&bytes).with_context(|| args.model.display().to_string())?;
    let settings = args.settings.over(model.settings.clone(), &knowledge.grammar)?;
    let examples = dataset::load(&args.data, &args.split, &[], &knowledge, settings.cells)?;
    let asker = Asker::with_settings(knowledge, model, settings)?;
    let parts = Parts::of(&examples, args.count);
    ensure!(parts.corrected.len() == args.count, "the split has only {} questions to correct", parts.corrected.len());
    let measure = |what: &str, overlay: &Overlay, out: &mut dyn Write| -> Result<()> {
        let [further, others] = [&parts.further, &parts.others].map(|list| accuracy(&asker, &examples, list, overlay));
        Ok(writeln!(
            out,
            "{what:28} {further:5.1} % of {:4} further, {others:5.1} % of {:4} others",
            parts.further.len(),
            parts.others.len()
        )?)
    };
    measure("before", &Overlay::default(), out)?;
    let (right, effects) = corrected(&asker, &examples, &parts, progress, |_, example| example.target.clone());
    measure("after right corrections", right.overlay(), out)?;
    let [learned, known, out_of_reach] = effects;
    writeln!(out, "  of which {learned} taught something, {known} were known, {out_of_reach} are out of reach")?;
    let (wrong, _) =
        corrected(&asker, &examples, &parts, progress, |asker, example| a_wrong_answer(asker, &examples, example));
    measure("after wrong corrections", wrong.overlay(), out)?;
    let mut mixed = right.clone();
    (0..mixed.count()).for_each(|_| _ = mixed.undo());
    measure("after taking them back", mixed.overlay(), out)?;
    Ok(Outcome::Done)
}

impl<'e> Parts<'e> {
    /// Every other question of the first tables is corrected, until there are enough.
    fn of(examples: &'e Examples, count: usize) -> Parts<'e> {
        let mut parts = Parts { corrected: Vec::new(), further: Vec::new(), others: Vec::new() };
        for table in 0..examples.tables.len() {
            let of_table: Vec<&Example> = examples.list.iter().filter(|example| example.table == table).collect();
            if parts.corrected.len() == count {
                parts.others.extend(of_table);
                continue;
            }
            for (number, example) in of_table.into_iter().enumerate() {
                let is_corrected = number % 2 == 0 && parts.corrected.len() < count;
                if is_corrected { parts.corrected.push(example) } else { parts.further.push(example) }
            }
        }
        parts
    }
}

/// Makes the corrections, and counts their effects: learned, known, out of reach.
fn corrected(
    asker: &Asker,
    examples: &Examples,
    parts: &Parts,
    progress: &Progress,
    answer: impl Fn(&Asker, &Example) -> Target,
) -> (Corrections, [usize; 3]) {
    let mut corrections = Corrections::default();
    let mut effects = [0; 3];
    let bar = progress.bar(parts.corrected.len() as u64, "corrections");
    for example in &parts.corrected {
        let (effect, _) = corrections.learn(asker, examples.table(example), &example.question, &answer(asker, example));
        effects[match effect {
            Corrected::Learned => 0,
            Corrected::Known => 1,
            Corrected::OutOfReach => 2,
        }] += 1;
        bar.inc(1);
    }
    bar.finish_and_clear();
    (corrections, effects)
}

/// The answer of the best candidate that is wrong: the mistake that people make most easily.
fn a_wrong_answer(asker: &Asker, examples: &Examples, example: &Example) -> Target {
    let table = examples.table(example);
    let question = asker.question(table, &example.question);
    let ranking = asker.rank(table, &question);
    let right = judge(&ranking.candidates, &table.graph, &example.target);
    let wrong = right.iter().skip(1).position(|right| !*right).map(|at| &ranking.candidates[at + 1]);
    let answer = wrong.map(|one| answer_of(&ranking.executor, one.formula, &one.denotation)).unwrap_or_default();
    Target::from_strings(&answer, &asker.knowledge().words)
}

/// Share of right answers, in percent.
fn accuracy(asker: &Asker, examples: &Examples, list: &[&Example], overlay: &Overlay) -> f64 {
    let is_right = |example: &&&Example| {
        let table = examples.table(example);
        let question = asker.question(table, &example.question);
        let weights = overlay.over(asker.model());
        let ranking = table.rank_answers(&question, asker.knowledge(), asker.settings(), &weights);
        let right = judge(&ranking.candidates, &table.graph, &example.target);
        ranking.pooled().0.first().is_some_and(|pool| right[pool.best()])
    };
    100.0 * list.par_iter().filter(is_right).count() as f64 / list.len().max(1) as f64
}
