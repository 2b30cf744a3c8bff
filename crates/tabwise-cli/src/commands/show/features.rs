//! `tabwise show features`: the features of one candidate by name, with the weight that the model gives each.

use crate::asker::AskerArgs;
use crate::input::TableArgs;
use crate::outcome::Outcome;
use anyhow::{Result, bail};
use serde::Serialize;
use std::io::Write;
use tabwise::Model;
use tabwise::features::{GroupId, Weights};
use tabwise::formula::notation;
use tabwise::rank::{Candidate, Ranking};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise show features games.csv \"which city was the last in Greece?\"
  tabwise show features games.csv \"which city was last?\" --formula 'R[City].argmax(Rows, Index)'")]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// The question
    #[arg(value_name = "QUESTION", required = true, help_heading = None)]
    question: Vec<String>,
    /// The candidate with this formula; the best one when not given
    #[arg(long, value_name = "FORMULA", help_heading = None)]
    formula: Option<String>,
    /// Show features without a weight as well
    #[arg(long, help_heading = None)]
    all: bool,
    /// Print an object with the formula and its features
    #[arg(long, help_heading = None)]
    json: bool,
    #[command(flatten)]
    asker: AskerArgs,
}

#[derive(Serialize)]
struct Shown {
    formula: String,
    rank: usize,
    score: f64,
    features: Vec<Feature>,
}

#[derive(Serialize)]
struct Feature {
    name: String,
    weight: f64,
    about: String,
}

/// Builds the candidates and prints the features of one.
pub fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let table = args.table.load()?;
    let asker = args.asker.load()?;
    let prepared = asker.prepare(&table);
    let question = asker.question(&prepared, &args.question.join(" "));
    let mut ranking = asker.rank(&prepared, &question);
    let rank = find(&mut ranking, args.formula.as_deref())?;
    let candidate = &ranking.candidates[rank];
    let shown = Shown {
        formula: notation::show(ranking.executor.formulas(), &prepared.graph, candidate.formula),
        rank: rank + 1,
        score: candidate.score,
        features: features(candidate, &ranking, asker.model()),
    };
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&shown)?)?;
        return Ok(Outcome::Done);
    }
    writeln!(out, "{}", shown.formula)?;
    writeln!(out, "rank {} of {}, score {:.3}", shown.rank, ranking.candidates.len(), shown.score)?;
    let (weighed, unweighed): (Vec<_>, Vec<_>) = shown.features.iter().partition(|feature| feature.weight != 0.0);
    for feature in weighed.iter().chain(unweighed.iter().filter(|_| args.all)) {
        writeln!(out, "{:+8.3}  {}  ({})", feature.weight, feature.name, feature.about)?;
    }
    writeln!(out, "{} features with a weight, {} without", weighed.len(), unweighed.len())?;
    Ok(Outcome::Done)
}

/// The place of the candidate that is meant.
fn find(ranking: &mut Ranking, formula: Option<&str>) -> Result<usize> {
    let Some(text) = formula else {
        return if ranking.candidates.is_empty() { bail!("no formula fits the question") } else { Ok(0) };
    };
    let graph = ranking.executor.graph();
    let id = notation::read(text, graph, ranking.executor.formulas_mut())?;
    match ranking.candidates.iter().position(|candidate| candidate.formula == id) {
        Some(place) => Ok(place),
        None => bail!("{text} is not among the {} candidates; `show candidates` lists them", ranking.candidates.len()),
    }
}

/// The features of a candidate, those that weigh most first.
fn features(candidate: &Candidate, ranking: &Ranking, model: &Model) -> Vec<Feature> {
    let of = |group: &GroupId| {
        let about = ranking.groups.label(*group);
        let named = ranking.groups.named(*group).into_iter();
        named.map(move |(hash, name)| Feature { name, weight: model.weight(hash), about: about.clone() })
    };
    let mut features: Vec<Feature> = candidate.groups.iter().flat_map(of).collect();
    features.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()).then_with(|| a.name.cmp(&b.name)));
    features
}
