//! `tabwise show candidates`: the ranked formulas for a question with their answers and scores, and statistics of the
//! search: derivations that were built, and those that were lost to the beam and to each pruner.

use crate::asker::AskerArgs;
use crate::input::TableArgs;
use crate::outcome::Outcome;
use crate::style::{harmless, one_line};
use anyhow::Result;
use serde::Serialize;
use std::io::Write;
use tabwise::answer::answer_of;
use tabwise::features::GroupId;
use tabwise::formula::notation;
use tabwise::named::Named;
use tabwise::rank::{Candidate, Ranking, probabilities};

/// Options of `show candidates`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise show candidates games.csv \"which city was last?\" --top 3 --terms
  tabwise show candidates games.csv \"which was last?\" --json | jq .candidates")]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Question
    #[arg(value_name = "QUESTION", required = true, help_heading = None)]
    question: Vec<String>,
    /// Show the N best candidates
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = None)]
    top: usize,
    /// Show the terms of each score
    #[arg(long, help_heading = None)]
    terms: bool,
    /// Print a JSON object with the candidates, their terms and the statistics
    #[arg(long, help_heading = None)]
    json: bool,
    #[command(flatten)]
    asker: AskerArgs,
}

/// Builds and ranks the candidates and prints the best.
pub(super) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let table = args.table.load()?;
    let asker = args.asker.load()?;
    let prepared = args.table.prepare(&asker, &table)?;
    let question = asker.question(&prepared, &args.question.join(" "));
    let ranking = asker.rank(&prepared, &question);
    let shown = CandidatesView::new(&ranking, args.top);
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&shown)?)?,
        false => shown.print(args.terms, out)?,
    }
    Ok(if ranking.candidates.is_empty() { Outcome::NoAnswer } else { Outcome::Done })
}

/// Candidates and statistics, for output.
#[derive(Serialize)]
struct CandidatesView {
    candidates: Vec<CandidateView>,
    /// Number of all candidates, not only of those shown.
    count: usize,
    /// Number of times that a rule was tried on some parts.
    attempts: usize,
    /// Number of derivations built.
    built: usize,
    /// Number of derivations lost to the beam.
    beyond_beam: usize,
    /// Number of derivations lost to each pruner.
    pruned: Vec<Lost>,
}

/// A candidate, for output.
#[derive(Serialize)]
struct CandidateView {
    formula: String,
    answer: Vec<String>,
    probability: f64,
    score: f64,
    /// Number of rules applied.
    size: Option<usize>,
    terms: Vec<Term>,
}

/// A group of features that always occur together, and its part of the score.
#[derive(Serialize)]
struct Term {
    about: String,
    score: f64,
    features: usize,
}

/// Number of derivations that a pruner dropped.
#[derive(Serialize)]
struct Lost {
    pruner: &'static str,
    about: &'static str,
    count: usize,
}

impl CandidatesView {
    fn new(ranking: &Ranking, top: usize) -> CandidatesView {
        let all = ranking.candidates.iter().zip(probabilities(&ranking.candidates));
        let lost = ranking.report.pruned().filter(|(_, count)| *count > 0);
        CandidatesView {
            candidates: all.take(top).map(|(one, probability)| CandidateView::new(one, probability, ranking)).collect(),
            count: ranking.candidates.len(),
            attempts: ranking.report.attempts,
            built: ranking.report.built,
            beyond_beam: ranking.report.beyond_beam,
            pruned: lost.map(|(one, count)| Lost { pruner: one.name(), about: one.doc(), count }).collect(),
        }
    }

    fn print(&self, with_terms: bool, out: &mut impl Write) -> Result<()> {
        for (at, one) in self.candidates.iter().enumerate() {
            let answer = one_line(&one.answer.join(", "), 60);
            let size = one.size.map_or(String::new(), |size| format!(" size {size}"));
            writeln!(out, "{:>3}. {} = {answer}", at + 1, harmless(&one.formula))?;
            writeln!(out, "     probability {:.4}, score {:.3},{size}", one.probability, one.score)?;
            for term in one.terms.iter().filter(|_| with_terms) {
                writeln!(out, "     {:+8.3}  {} ({} features)", term.score, harmless(&term.about), term.features)?;
            }
        }
        writeln!(out, "{} candidates in all", self.count)?;
        writeln!(out, "{} ways to apply a rule tried, {} derivations built", self.attempts, self.built)?;
        writeln!(out, "{:>8} lost beyond the beam", self.beyond_beam)?;
        for Lost { pruner, about, count } in &self.pruned {
            writeln!(out, "{count:>8} lost to {pruner}: {about}")?;
        }
        Ok(())
    }
}

impl CandidateView {
    fn new(candidate: &Candidate, probability: f64, ranking: &Ranking) -> CandidateView {
        let graph = ranking.executor.graph();
        let term = |group: &GroupId| Term {
            about: ranking.groups.label(*group),
            score: ranking.groups.score(*group),
            features: ranking.groups.features(*group).len(),
        };
        let mut terms: Vec<Term> = candidate.groups.iter().map(term).collect();
        terms.sort_by(|a, b| b.score.abs().total_cmp(&a.score.abs()));
        CandidateView {
            formula: notation::show(ranking.executor.formulas(), graph, candidate.formula),
            answer: answer_of(&ranking.executor, candidate.formula, &candidate.denotation),
            probability,
            score: candidate.score,
            size: candidate.derivation.map(|id| ranking.derivations.get(id).size),
            terms,
        }
    }
}
