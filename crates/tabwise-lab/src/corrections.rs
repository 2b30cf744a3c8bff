//! `tabwise lab corrections`: measures what corrections bring. The tables of a split are parted into collections. In each,
//! half of the questions are corrected one after the other, as a person would who knows the right answers, and the other
//! half is answered before and after; so are the questions of another collection, which must not suffer. With `--wrong`
//! the person is always wrong.

use crate::dataset;
use crate::eval::load;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::reader::ReaderArgs;
use crate::settings::SettingsArgs;
use anyhow::{Result, ensure};
use rayon::prelude::*;
use std::io::Write;
use std::path::PathBuf;
use tabwise::Knowledge;
use tabwise::answer::{Asker, Corrections};
use tabwise::evaluate::{Example, Examples, Record, judge};
use tabwise::formula::notation::show;
use tabwise::learn::{Right, correct};

/// Options of `corrections`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise lab corrections --data wtq --split random-split-1-dev --model split-1.bin
  tabwise lab corrections --data wtq --split random-split-1-dev --model split-1.bin --wrong

The model must not have learned from the questions of the split.")]
pub struct Args {
    /// Folder of the dataset
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Questions to correct and to answer: a file of DIR/data without its extension
    #[arg(long, value_name = "NAME")]
    split: String,
    /// Model to correct [default: the built-in model]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Number of corrections in each collection of tables
    #[arg(long, value_name = "N", default_value_t = 200)]
    corrections: usize,
    /// Largest number of collections
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    collections: usize,
    /// Correct every answer to a wrong one: the best wrong candidate is called right
    #[arg(long)]
    wrong: bool,
    /// Reader to answer with.
    #[command(flatten)]
    pub reader: ReaderArgs,
    /// Settings to answer with.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// Some tables with their questions, by position.
#[derive(Default)]
struct Collection {
    corrected: Vec<usize>,
    further: Vec<usize>,
}

/// Numbers of right answers.
#[derive(Clone, Copy, Default)]
struct Count {
    before: usize,
    after: usize,
    all: usize,
}

/// Corrects and answers, and prints the figures.
pub(crate) fn run(args: Args, knowledge: Knowledge, progress: &Progress, out: &mut impl Write) -> Result<Outcome> {
    let model = load(args.model.as_deref())?;
    let settings = args.reader.over(args.settings.over(model.settings.clone(), &knowledge.grammar)?);
    let records = dataset::records(&args.data, &args.split)?;
    let examples = dataset::examples(&records, &args.data, &knowledge, settings.cells)?;
    let all = collections(&examples, args.corrections);
    ensure!(all.len() > 1, "the split has too few questions for two collections; lower --corrections");
    let mut asker = Asker::with_settings(knowledge, model, settings)?;
    let used = all.len().min(args.collections.max(1));
    let bar = progress.bar(used as u64, "collections");
    let needed = all.iter().take(used + 1);
    let before: Vec<Vec<bool>> = needed.map(|one| answered(&asker, &examples, &one.further)).collect();
    let (mut further, mut elsewhere) = (Vec::new(), Vec::new());
    for (at, collection) in all.iter().enumerate().take(used) {
        let taught = teach(&mut asker, &examples, &records, collection, &args)?;
        let other = (at + 1) % all.len();
        let after =
            |asker: &Asker, which: usize| Count::new(&before[which], &answered(asker, &examples, &all[which].further));
        further.push(after(&asker, at));
        elsewhere.push(after(&asker, other));
        let Count { before, after, all } = further[at];
        writeln!(
            out,
            "collection {}: {taught} corrections; of {all} further questions {before} right before, {after} after",
            at + 1
        )?;
        out.flush()?;
        asker = asker.with_corrections(Corrections::default());
        bar.inc(1);
    }
    bar.finish_and_clear();
    say("further questions of the same tables", &further, out)?;
    say("questions of other tables", &elsewhere, out)?;
    Ok(Outcome::Done)
}

/// Parts tables, in an order that has nothing to do with their content, into collections with enough questions to correct.
fn collections(examples: &Examples, corrections: usize) -> Vec<Collection> {
    let mut by_table: Vec<Vec<usize>> = vec![Vec::new(); examples.tables.len()];
    examples.list.iter().enumerate().for_each(|(at, example)| by_table[example.table].push(at));
    let mut order: Vec<usize> = (0..by_table.len()).collect();
    order.sort_by_key(|table| (*table as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut all = vec![Collection::default()];
    for table in order {
        let last = all.last_mut().expect("there is always one");
        for (at, example) in by_table[table].iter().enumerate() {
            match at % 2 == 0 && last.corrected.len() < corrections {
                true => last.corrected.push(*example),
                false => last.further.push(*example),
            }
        }
        if last.corrected.len() == corrections {
            all.push(Collection::default());
        }
    }
    // The last one is short.
    all.pop();
    all
}

/// Corrects the questions of a collection in their order; returns how many corrections were made.
fn teach(asker: &mut Asker, examples: &Examples, records: &[Record], all: &Collection, args: &Args) -> Result<usize> {
    let mut made = 0;
    for at in &all.corrected {
        let example = &examples.list[*at];
        let right = match args.wrong {
            true => best_wrong(asker, examples, example).map(Right::Formula),
            false => Some(Right::Answer(records[*at].target.clone())),
        };
        let Some(right) = right else { continue };
        asker.teach(correct(asker, examples.table(example), &example.question, &right)?);
        made += 1;
    }
    Ok(made)
}

/// Formula of the best wrong candidate.
fn best_wrong(asker: &Asker, examples: &Examples, example: &Example) -> Option<String> {
    let table = examples.table(example);
    let question = asker.question(table, &example.question);
    let ranking = asker.rank(table, &question);
    let right = judge(&ranking.candidates, &table.graph, &example.target);
    let at = right.iter().position(|right| !*right)?;
    Some(show(ranking.executor.formulas(), &table.graph, ranking.candidates[at].formula))
}

/// For each of some questions, if its answer is right.
fn answered(asker: &Asker, examples: &Examples, questions: &[usize]) -> Vec<bool> {
    let is_right = |at: &usize| {
        let example = &examples.list[*at];
        let table = examples.table(example);
        let question = asker.question(table, &example.question);
        let ranking = asker.rank(table, &question);
        let chosen = ranking.pooled().0.first().map(|pool| pool.best());
        let right = judge(&ranking.candidates, &table.graph, &example.target);
        chosen.is_some_and(|at| right[at])
    };
    questions.par_iter().map(is_right).collect()
}

impl Count {
    fn new(before: &[bool], after: &[bool]) -> Count {
        let count = |of: &[bool]| of.iter().filter(|right| **right).count();
        Count { before: count(before), after: count(after), all: before.len() }
    }

    fn gain(&self) -> f64 {
        100.0 * (self.after as f64 - self.before as f64) / self.all.max(1) as f64
    }
}

/// Prints the sums of some counts, and how much the gain varies between them.
fn say(title: &str, counts: &[Count], out: &mut impl Write) -> Result<()> {
    let sum = |of: fn(&Count) -> usize| counts.iter().map(of).sum::<usize>() as f64;
    let (before, after, all) = (sum(|c| c.before), sum(|c| c.after), sum(|c| c.all).max(1.0));
    let n = counts.len() as f64;
    let mean = counts.iter().map(Count::gain).sum::<f64>() / n;
    let variance = counts.iter().map(|count| (count.gain() - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let [before, after] = [before, after].map(|right| 100.0 * right / all);
    let error = (variance / n).sqrt();
    writeln!(
        out,
        "{title}: {before:.1} % right before, {after:.1} % after, {all} questions; gain {mean:+.1} ± {error:.1}"
    )?;
    Ok(())
}
