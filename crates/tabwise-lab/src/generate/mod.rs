//! `tabwise lab generate`: makes training questions for everyday use. Templates of `phrasings/` are filled on the tables
//! of a split, which are restyled first, and on made-up tables of records; each question has its formula and, by execution, its answer. The result is a
//! folder with the layout of the dataset. The same seed gives the same bytes.

mod columns;
mod dice;
mod english;
mod fill;
mod pattern;
mod phrasings;
mod question;
mod records;
mod restyle;
mod speech;
mod tables;

use crate::dataset::{self, GENERATED};
use crate::files::write_whole;
use crate::outcome::Outcome;
use crate::progress::Progress;
use anyhow::{Result, ensure};
use dice::Dice;
use phrasings::{NO_ANSWER, Phrasings, Template};
use question::{Question, question, unanswerable};
use rayon::prelude::*;
use records::made_up;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use tables::Known;
use tabwise::Knowledge;
use tabwise::text::escapes::escape;

/// Options of `generate`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise lab generate --data wtq --split training --out generated
  tabwise lab generate --data wtq --split random-split-1-train --out generated --count 5000 --seed 7
  tabwise lab train --data wtq --split training --with generated --out model.bin
  tabwise lab eval --data generated --split generated --model model.bin

Writes OUT/data/generated.tsv (id, utterance, context, targetValue, formula, kind, wording) and the tables below OUT/csv. The tables
are those of the split, some with other headers, with fewer columns, or with a column of 0 and 1, and made-up ones. Formulas that mean the
same are separated by `|`. A question that its table does not answer has an empty targetValue.")]
pub struct Args {
    /// Folder of the dataset
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Split whose tables are used: a file of DIR/data without its extension
    #[arg(long, value_name = "NAME")]
    split: String,
    /// Folder to write the questions and tables to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Number of questions
    #[arg(long, value_name = "N", default_value_t = 12_000)]
    count: usize,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Templates that are tried for a question before it is given up.
const TRIES: usize = 200;

/// Tables that a template is tried on. Those that fit few tables would be rare if every try chose another template.
const TABLES: usize = 100;

/// Generates questions and writes them.
pub(crate) fn run(args: Args, knowledge: &Knowledge, progress: &Progress, out: &mut impl Write) -> Result<Outcome> {
    let phrasings = Phrasings::embedded()?;
    let records = dataset::records(&args.data, &args.split)?;
    let paths = dataset::tables_of(&records);
    let bar = progress.bar(paths.len() as u64, "tables");
    let load = |path: &&str| {
        bar.inc(1);
        Known::load(&args.data, path, args.seed, &phrasings, &knowledge.words)
    };
    let tables: Vec<Known> = paths.par_iter().map(load).collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    bar.finish_and_clear();
    ensure!(!tables.is_empty(), "no table of {} can be asked about", args.split);
    let made: Vec<Known> = made_up(args.seed)?
        .par_iter()
        .filter_map(|record| Known::made(record, args.seed, &phrasings, &knowledge.words))
        .collect();
    let questions = questions(&mixed(&tables, &made), &phrasings, args.count, args.seed);
    let used: BTreeSet<&str> = questions.iter().map(|question| question.table.as_str()).collect();
    for table in tables.iter().chain(&made).filter(|table| used.contains(table.path.as_str())) {
        write_whole(&args.out.join(&table.path), table.csv.as_bytes())?;
    }
    write_whole(&args.out.join("data").join(format!("{GENERATED}.tsv")), tsv(&questions).as_bytes())?;
    writeln!(out, "{} questions on {} tables in {}", questions.len(), used.len(), args.out.display())?;
    for (kind, count) in counts(&questions) {
        writeln!(out, "{count:6} {kind}")?;
    }
    Ok(Outcome::Done)
}

/// Share in percent of the questions that are about made-up tables.
const MADE: usize = 40;

/// Tables to choose from: those of the dataset, and the made-up ones so often that their share is as it should be.
fn mixed<'k>(tables: &'k [Known], made: &'k [Known]) -> Vec<&'k Known> {
    let often = (tables.len() * MADE / (100 - MADE)).div_ceil(made.len().max(1)).max(1);
    tables.iter().chain(made.iter().flat_map(|known| std::iter::repeat_n(known, often))).collect()
}

/// Turns of the questions without an answer: confidence is learned from them alone.
const NO_ANSWER_TURNS: usize = 3;

/// Makes up to `count` questions, each kind as often as the others, those without an answer more often; none twice.
fn questions(tables: &[&Known], phrasings: &Phrasings, count: usize, seed: u64) -> Vec<Question> {
    let make = |at: usize| {
        let mut dice = Dice::new(seed, &format!("question {at}"));
        (0..TRIES).find_map(|_| one(at, tables, phrasings, &mut dice))
    };
    let made: Vec<Question> = (0..count).into_par_iter().filter_map(make).collect();
    let mut seen = BTreeSet::new();
    made.into_iter().filter(|question| seen.insert((question.table.clone(), question.text.to_lowercase()))).collect()
}

/// Tries to make one question, of the kind whose turn it is.
fn one<'p>(at: usize, tables: &[&Known], phrasings: &'p Phrasings, dice: &mut Dice) -> Option<Question> {
    let kinds = phrasings.kinds.len() + NO_ANSWER_TURNS;
    match phrasings.kinds.get(at % kinds) {
        Some((kind, templates)) => {
            let often = |template: &'p Template| std::iter::repeat_n(template, template.weight);
            let all: Vec<&Template> = templates.iter().flat_map(often).collect();
            let template = *dice.pick(&all)?;
            (0..TABLES).find_map(|_| question(kind, template, dice.pick(tables)?, phrasings, dice))
        }
        None => unanswerable(
            at / kinds * NO_ANSWER_TURNS + at % kinds - phrasings.kinds.len(),
            dice.pick(tables)?,
            dice.pick(tables)?,
            phrasings,
            dice,
        ),
    }
}

/// The file of questions.
fn tsv(questions: &[Question]) -> String {
    let mut text = "id\tutterance\tcontext\ttargetValue\tformula\tkind\twording\n".to_owned();
    for (at, question) in questions.iter().enumerate() {
        let list = |items: &[String]| items.iter().map(|item| escape(item)).collect::<Vec<_>>().join("|");
        let Question { kind, table, text: asked, answer, formulas, wording } = question;
        let fields = [&format!("gen-{at}"), &escape(asked), table, &list(answer), &list(formulas), *kind, wording];
        text.push_str(&fields.join("\t"));
        text.push('\n');
    }
    text
}

/// The number of questions of each kind.
fn counts(questions: &[Question]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::from([(NO_ANSWER, 0)]);
    questions.iter().for_each(|question| *counts.entry(question.kind).or_default() += 1);
    counts
}

#[cfg(test)]
mod tests;
