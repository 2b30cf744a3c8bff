//! `tabwise lab corrections`: measures what corrections bring. The tables of a split are parted into collections. In each,
//! half of the questions are corrected one after the other, as a person would who knows the right answers, and the other
//! half is answered before and after; so are the questions of another collection, which must not suffer. Then the halves
//! change places. With `--wrong` the person is always wrong.

use crate::alike::Likeness;
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
  tabwise lab corrections --data wtq --split random-split-1-dev --model split-1.bin --alike
  tabwise lab corrections --data wtq --split random-split-1-dev --model split-1.bin --alike --wrong

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
    /// Put tables with similar headers into a collection [default: any tables]
    #[arg(long)]
    alike: bool,
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

/// Some tables with their questions, by position: every other question of each table, and the rest.
#[derive(Default)]
struct Collection {
    halves: [Vec<usize>; 2],
}

/// Numbers of right answers.
#[derive(Clone, Copy, Default)]
struct Count {
    before: usize,
    /// Answers that were wrong before and are right.
    gained: usize,
    /// Answers that were right before and are wrong.
    lost: usize,
    all: usize,
}

/// Corrects and answers, and prints the figures.
pub(crate) fn run(args: Args, knowledge: Knowledge, progress: &Progress, out: &mut impl Write) -> Result<Outcome> {
    let model = load(args.model.as_deref())?;
    let settings = args.reader.over(args.settings.over(model.settings.clone(), &knowledge.grammar)?);
    let records = dataset::records(&args.data, &args.split)?;
    let examples = dataset::examples(&records, &args.data, &knowledge, settings.cells)?;
    let all = collections(&examples, args.corrections, args.alike);
    ensure!(all.len() > 1, "the split has too few questions for two collections; lower --corrections");
    let asker = Asker::with_settings(knowledge, model, settings)?;
    let used = all.len().min(args.collections.max(1));
    let bar = progress.bar(2 * used as u64, "collections");
    let answered = |one: &Collection| [0, 1].map(|half| answered(&asker, &examples, &one.halves[half]));
    let before: Vec<[Vec<bool>; 2]> = all.iter().take(used + 1).map(answered).collect();
    let mut course = Course { asker, examples, records, all, before, args };
    let (mut further, mut elsewhere) = (Vec::new(), Vec::new());
    for (at, half) in (0..used).flat_map(|at| [(at, 0), (at, 1)]) {
        let gains = course.take(at, half, out)?;
        further.push(gains.further);
        elsewhere.push(gains.elsewhere);
        out.flush()?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    say("further questions of the same tables", &further, out)?;
    say("questions of other tables", &elsewhere, out)?;
    Ok(Outcome::Done)
}

/// All that is corrected and answered.
struct Course {
    asker: Asker,
    examples: Examples,
    records: Vec<Record>,
    all: Vec<Collection>,
    /// For each collection, which answers were right before any correction.
    before: Vec<[Vec<bool>; 2]>,
    args: Args,
}

/// Gains by the corrections of half a collection.
struct Gains {
    further: Count,
    elsewhere: Count,
}

impl Course {
    /// Corrects half of a collection, answers the other half and that of the next collection, and forgets all corrections.
    fn take(&mut self, at: usize, half: usize, out: &mut impl Write) -> Result<Gains> {
        let taught = self.teach(at, half)?;
        let gains =
            Gains { further: self.count(at, 1 - half), elsewhere: self.count((at + 1) % self.all.len(), 1 - half) };
        self.asker.learn(Corrections::default());
        let (before, after, all) = (gains.further.before, gains.further.after(), gains.further.all);
        let (number, half) = (at + 1, half + 1);
        writeln!(
            out,
            "collection {number}, half {half}: {taught} corrections; of {all} further questions {before} right before, {after} after"
        )?;
        Ok(gains)
    }

    /// Corrects the questions of half a collection in their order; returns how many corrections were made.
    fn teach(&mut self, at: usize, half: usize) -> Result<usize> {
        let mut made = 0;
        for at in self.all[at].halves[half].iter().take(self.args.corrections) {
            let example = &self.examples.list[*at];
            let right = match self.args.wrong {
                true => best_wrong(&self.asker, &self.examples, example).map(Right::Formula),
                false => Some(Right::Answer(self.records[*at].target.clone())),
            };
            let Some(right) = right else { continue };
            let correction = correct(&self.asker, self.examples.table(example), &example.question, &right)?;
            self.asker.teach(correction);
            made += 1;
        }
        Ok(made)
    }

    /// Answers half a collection again.
    fn count(&self, at: usize, half: usize) -> Count {
        Count::new(&self.before[at][half], &answered(&self.asker, &self.examples, &self.all[at].halves[half]))
    }
}

/// Parts tables into collections with enough questions to correct in either half: tables that are alike, or in an order that has
/// nothing to do with their content.
fn collections(examples: &Examples, corrections: usize, alike: bool) -> Vec<Collection> {
    let mut by_table: Vec<Vec<usize>> = vec![Vec::new(); examples.tables.len()];
    examples.list.iter().enumerate().for_each(|(at, example)| by_table[example.table].push(at));
    let order = match alike {
        true => {
            let in_half = examples.list.len() / (2 * by_table.len().max(1));
            likeness(examples).order(corrections / in_half.max(1))
        }
        false => {
            let mut order: Vec<usize> = (0..by_table.len()).collect();
            order.sort_by_key(|table| (*table as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            order
        }
    };
    let mut all = vec![Collection::default()];
    for table in order {
        let halves = &mut all.last_mut().expect("there is always one").halves;
        by_table[table].iter().enumerate().for_each(|(at, example)| halves[at % 2].push(*example));
        if halves.iter().all(|half| half.len() >= corrections) {
            all.push(Collection::default());
        }
    }
    // The last one is short.
    all.pop();
    all
}

/// Likeness of the tables by their headers.
fn likeness(examples: &Examples) -> Likeness {
    let columns = examples.tables.iter().map(|table| table.graph.columns());
    Likeness::of(columns.map(|columns| columns.iter().map(|column| column.header.as_str()).collect()))
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
        let pairs = || before.iter().zip(after);
        Count {
            before: before.iter().filter(|right| **right).count(),
            gained: pairs().filter(|(before, after)| !**before && **after).count(),
            lost: pairs().filter(|(before, after)| **before && !**after).count(),
            all: before.len(),
        }
    }

    fn after(&self) -> usize {
        self.before + self.gained - self.lost
    }

    fn gain(&self) -> f64 {
        100.0 * (self.after() as f64 - self.before as f64) / self.all.max(1) as f64
    }
}

/// Prints the sums of some counts, and how much the gain varies between them.
fn say(title: &str, counts: &[Count], out: &mut impl Write) -> Result<()> {
    let sum = |of: fn(&Count) -> usize| counts.iter().map(of).sum::<usize>();
    let all = sum(|c| c.all);
    let n = counts.len() as f64;
    let mean = counts.iter().map(Count::gain).sum::<f64>() / n;
    let variance = counts.iter().map(|count| (count.gain() - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let [before, after] = [sum(|c| c.before), sum(Count::after)].map(|right| 100.0 * right as f64 / all.max(1) as f64);
    let (gained, lost, error) = (sum(|c| c.gained), sum(|c| c.lost), (variance / n).sqrt());
    writeln!(
        out,
        "{title}: {before:.1} % right before, {after:.1} % after, {all} questions; {gained} became right, {lost} wrong; gain {mean:+.1} ± {error:.1}"
    )?;
    Ok(())
}
