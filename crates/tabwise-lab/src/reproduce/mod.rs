//! `tabwise lab reproduce`: runs the experiments of the paper, which are described by the recipes in `recipes/`, and
//! writes the figures of the paper, ours and the difference. Result files are written by this command only.

mod errors;
mod page;
mod pages;
mod plot;
mod recipe;
mod runs;
mod statistics;

use crate::files::write_whole;
use crate::outcome::Outcome;
use crate::progress::Progress;
use anyhow::{Result, ensure};
use page::Page;
use recipe::{ExperimentKind, Recipe};
use runs::{ANNOTATED, Amount, Job, Source, Workshop};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;
use tabwise::answer::Knowledge;
use tabwise::graph::Cells;

/// Options of `reproduce`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  tabwise lab reproduce main --data wtq\n  \
    tabwise lab reproduce all --data wtq --jobs 8 --work runs\n  tabwise lab reproduce all --data wtq --quick")]
pub struct Args {
    #[arg(value_name = "NAME", default_value = "all", help = names_help())]
    names: Vec<String>,
    /// Folder of the dataset
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Use a small sample and one pass, to test that everything runs; the figures mean nothing
    #[arg(long)]
    quick: bool,
    /// Folder to write the results to
    #[arg(long, value_name = "DIR", default_value = "experiments/results")]
    out: PathBuf,
    /// Maximum number of splits [default: all splits of the recipe]
    #[arg(long, value_name = "N")]
    splits: Option<usize>,
    /// Number of trainings to run at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Total number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Folder to keep finished runs in, for the next time
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
    /// Folder of recipes, in which each file NAME.toml is an experiment [default: the built-in recipes]
    #[arg(long, value_name = "DIR")]
    recipes: Option<PathBuf>,
    /// Version of the program, for the results [default: the commit of git]
    #[arg(long, value_name = "NAME")]
    commit: Option<String>,
}

/// Help of the argument NAME.
fn names_help() -> String {
    format!("Experiments to run: {}, or all", recipe::names().join(", "))
}

/// Runs the experiments, and writes a page, a JSON file and possibly a plot for each.
pub(crate) fn run(args: Args, knowledge: &Knowledge, progress: &Progress, out: &mut impl Write) -> Result<Outcome> {
    ensure!(args.jobs > 0 && args.threads != Some(0), "--jobs and --threads must be at least 1");
    let mut recipes = recipe::recipes(&args.names, args.recipes.as_deref())?;
    let splits = if args.quick { 1 } else { args.splits.unwrap_or(usize::MAX) };
    ensure!(splits > 0, "--splits must be at least 1");
    recipes.iter_mut().for_each(|recipe| recipe.splits.truncate(splits));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut workshop = Workshop {
        data: args.data.clone(),
        amount: if args.quick { Amount::Sample } else { Amount::All },
        knowledge,
        progress,
        jobs: args.jobs,
        threads: args.threads.unwrap_or(cores),
        work: args.work.clone(),
        commit: args.commit.clone().unwrap_or_else(commit),
        pairs: BTreeMap::new(),
        runs: Mutex::default(),
    };
    let mut jobs = Vec::new();
    recipes.iter().try_for_each(|recipe| jobs_of(recipe).map(|list| jobs.extend(list)))?;
    workshop.load(sources(&recipes, &jobs))?;
    let left = Mutex::new(recipes.iter().collect::<Vec<&Recipe>>());
    let write = || write_finished(&left, &workshop, &args);
    write()?;
    workshop.make(jobs, &write)?;
    for recipe in &recipes {
        writeln!(out, "{}", args.out.join(format!("{}.md", recipe.name)).display())?;
    }
    Ok(Outcome::Done)
}

/// Writes the results of experiments whose runs are all done, and removes them from the list.
fn write_finished(left: &Mutex<Vec<&Recipe>>, workshop: &Workshop, args: &Args) -> Result<()> {
    let mut left = left.lock().expect("writing does not panic");
    let mut waiting = Vec::new();
    for recipe in left.iter() {
        match jobs_of(recipe)?.iter().all(|job| workshop.has(&job.settings, &job.split)) {
            true => write_page(recipe, workshop, args)?,
            false => waiting.push(*recipe),
        }
    }
    *left = waiting;
    Ok(())
}

/// The result of an experiment.
fn page_of(recipe: &Recipe, workshop: &Workshop) -> Result<Page> {
    match recipe.kind {
        ExperimentKind::Rows => pages::rows(recipe, workshop),
        ExperimentKind::Beam => pages::beam(recipe, workshop),
        ExperimentKind::Sizes => pages::sizes(recipe, workshop),
        ExperimentKind::Annotated => pages::annotated(recipe, workshop),
        ExperimentKind::Dataset => statistics::page(recipe, workshop),
        ExperimentKind::Errors => errors::page(recipe, workshop),
    }
}

/// Writes the files of a result.
fn write_page(recipe: &Recipe, workshop: &Workshop, args: &Args) -> Result<()> {
    let began = Instant::now();
    let mut page = page_of(recipe, workshop)?;
    page.seconds += began.elapsed().as_secs_f64();
    page.command = command(&recipe.name, args);
    page.commit = workshop.commit.clone();
    page.amount = workshop.amount;
    let path = |end: &str| args.out.join(format!("{}.{end}", recipe.name));
    write_whole(&path("md"), page.markdown(&recipe.name).as_bytes())?;
    write_whole(&path("json"), &page.json()?)?;
    page.plot.iter().try_for_each(|svg| write_whole(&path("svg"), svg.as_bytes()))
}

/// The splits that an experiment needs.
fn splits_of(recipe: &Recipe) -> BTreeSet<String> {
    match recipe.kind {
        ExperimentKind::Annotated => BTreeSet::from([ANNOTATED.to_string()]),
        _ => recipe.splits.iter().cloned().collect(),
    }
}

/// The questions that the experiments need. Statistics are about the cells as they are.
fn sources(recipes: &[Recipe], jobs: &[Job]) -> BTreeSet<Source> {
    let asked = jobs.iter().map(|job| (job.split.clone(), job.settings.cells));
    let counted = recipes.iter().filter(|recipe| recipe.kind == ExperimentKind::Dataset);
    asked.chain(counted.flat_map(splits_of).map(|split| (split, Cells::Alone))).collect()
}

/// The runs that an experiment needs.
fn jobs_of(recipe: &Recipe) -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    for row in recipe.rows() {
        let settings = row.settings()?;
        let label = format!("{}, {}", recipe.name, row.name);
        let job = |split| Job { label: label.clone(), settings: settings.clone(), split };
        jobs.extend(splits_of(recipe).into_iter().map(job));
    }
    Ok(jobs)
}

/// The command that reproduces the result, with placeholders for folders.
fn command(name: &str, args: &Args) -> String {
    let quick = if args.quick { " --quick" } else { "" };
    let splits = args.splits.filter(|_| !args.quick).map(|n| format!(" --splits {n}")).unwrap_or_default();
    let recipes = if args.recipes.is_some() { " --recipes DIR" } else { "" };
    format!("tabwise lab reproduce {name} --data DIR{quick}{splits}{recipes}")
}

/// The current commit, or "unknown" outside of a git repository.
fn commit() -> String {
    let output = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output().ok();
    let output = output.filter(|output| output.status.success());
    let name = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| "unknown".to_string())
}
