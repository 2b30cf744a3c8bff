//! `tabwise show features`: the features of one candidate by name, with their weights in the model.

use crate::asker::AskerArgs;
use crate::input::TableArgs;
use crate::outcome::Outcome;
use crate::style::harmless;
use anyhow::{Result, bail};
use serde::Serialize;
use std::io::Write;
use tabwise::Model;
use tabwise::features::{GroupId, Weights};
use tabwise::formula::notation;
use tabwise::rank::{Candidate, Ranking};

/// Options of `show features`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise show features games.csv \"which city was the last in Greece?\"
  tabwise show features games.csv \"which was last?\" --formula 'count(Rows)'")]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Question
    #[arg(value_name = "QUESTION", required = true, help_heading = None)]
    question: Vec<String>,
    /// Formula of the candidate [default: that of the best one]
    #[arg(long, value_name = "FORMULA", help_heading = None)]
    formula: Option<String>,
    /// Show features with weight 0 too
    #[arg(long, help_heading = None)]
    all: bool,
    /// Print a JSON object with the formula and its features
    #[arg(long, help_heading = None)]
    json: bool,
    #[command(flatten)]
    asker: AskerArgs,
}

/// A candidate with its features, for output.
#[derive(Serialize)]
struct FeaturesView {
    formula: String,
    /// Rules and parts; `None` for a cell of the retrieval baseline.
    derivation: Option<String>,
    rank: usize,
    /// Sum of the weights, before any cost and without the reader.
    score: f64,
    features: Vec<Feature>,
}

/// A feature, for output.
#[derive(Serialize)]
struct Feature {
    name: String,
    weight: f64,
    about: String,
}

/// Builds the candidates and prints the features of one.
pub(super) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let table = args.table.load()?;
    let asker = args.asker.load()?;
    let prepared = args.table.prepare(&asker, &table)?;
    let question = asker.question(&prepared, &args.question.join(" "));
    let mut ranking = asker.rank(&prepared, &question);
    let rank = find(&mut ranking, args.formula.as_deref())?;
    let candidate = &ranking.candidates[rank];
    let text = |formula| notation::show(ranking.executor.formulas(), &prepared.graph, formula);
    let derivation = candidate.derivation.map(|id| ranking.derivations.show(id, &asker.knowledge().grammar, &text));
    let shown = FeaturesView {
        formula: text(candidate.formula),
        derivation,
        rank: rank + 1,
        score: candidate.linear + candidate.cost,
        features: features(candidate, &ranking, asker.model()),
    };
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&shown)?)?;
        return Ok(Outcome::Done);
    }
    writeln!(out, "{}", harmless(&shown.formula))?;
    shown.derivation.iter().try_for_each(|derivation| writeln!(out, "derived by {}", harmless(derivation)))?;
    writeln!(out, "rank {} of {}, linear score {:.3}", shown.rank, ranking.candidates.len(), shown.score)?;
    let (weighed, unweighed): (Vec<_>, Vec<_>) = shown.features.iter().partition(|feature| feature.weight != 0.0);
    for feature in weighed.iter().chain(unweighed.iter().filter(|_| args.all)) {
        writeln!(out, "{:+8.3}  {}  ({})", feature.weight, harmless(&feature.name), harmless(&feature.about))?;
    }
    writeln!(out, "{} features with a weight, {} without", weighed.len(), unweighed.len())?;
    Ok(Outcome::Done)
}

/// The index of the candidate with a formula, or of the best one.
fn find(ranking: &mut Ranking, formula: Option<&str>) -> Result<usize> {
    let Some(text) = formula else {
        return if ranking.candidates.is_empty() {
            bail!("there are no candidates for this question; try other words")
        } else {
            Ok(0)
        };
    };
    let graph = ranking.executor.graph();
    let id = notation::read(text, graph, ranking.executor.formulas_mut())?;
    match ranking.candidates.iter().position(|candidate| candidate.formula == id) {
        Some(place) => Ok(place),
        None => bail!("{text} is not among the {} candidates; `show candidates` lists them", ranking.candidates.len()),
    }
}

/// The features of a candidate, those of the largest weight first.
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
