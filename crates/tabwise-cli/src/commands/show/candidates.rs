//! `tabwise show candidates`: the formulas that were ranked for a question, what each gives, and what its score is made
//! of; then what was built and lost on the way.

use crate::asker::AskerArgs;
use crate::input::TableArgs;
use crate::outcome::Outcome;
use crate::style::one_line;
use anyhow::Result;
use serde::Serialize;
use std::io::Write;
use tabwise::answer::answer_of;
use tabwise::features::GroupId;
use tabwise::formula::notation;
use tabwise::named::Named;
use tabwise::rank::{Candidate, Ranking, probabilities};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise show candidates games.csv \"which city was the last in Greece?\" --top 3 --terms
  tabwise show candidates games.csv \"how many games were in London?\" --json | jq '.candidates[0]'")]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// The question
    #[arg(value_name = "QUESTION", required = true, help_heading = None)]
    question: Vec<String>,
    /// Show so many, the best first
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = None)]
    top: usize,
    /// Show what each score is made of
    #[arg(long, help_heading = None)]
    terms: bool,
    /// Print an object with the candidates, their terms and what was lost
    #[arg(long, help_heading = None)]
    json: bool,
    #[command(flatten)]
    asker: AskerArgs,
}

/// Builds and ranks the candidates and prints the best.
pub fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let table = args.table.load()?;
    let asker = args.asker.load()?;
    let prepared = asker.prepare(&table);
    let question = asker.question(&prepared, &args.question.join(" "));
    let ranking = asker.rank(&prepared, &question);
    let shown = Shown::new(&ranking, args.top);
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&shown)?)?,
        false => shown.print(args.terms, out)?,
    }
    Ok(if ranking.candidates.is_empty() { Outcome::NoAnswer } else { Outcome::Done })
}

#[derive(Serialize)]
struct Shown {
    candidates: Vec<ShownCandidate>,
    /// How many there are in all.
    count: usize,
    /// How many ways to apply a rule were looked at, how many derivations were built.
    attempts: usize,
    built: usize,
    beyond_beam: usize,
    /// How many each pruner dropped.
    pruned: Vec<Lost>,
}

#[derive(Serialize)]
struct ShownCandidate {
    formula: String,
    answer: Vec<String>,
    probability: f64,
    score: f64,
    /// How many rules were applied.
    size: Option<usize>,
    terms: Vec<Term>,
}

/// A group of features that always come together, and what it adds to the score.
#[derive(Serialize)]
struct Term {
    about: String,
    score: f64,
    features: usize,
}

#[derive(Serialize)]
struct Lost {
    pruner: &'static str,
    about: &'static str,
    count: usize,
}

impl Shown {
    fn new(ranking: &Ranking, top: usize) -> Shown {
        let all = ranking.candidates.iter().zip(probabilities(&ranking.candidates));
        let lost = ranking.report.pruned().filter(|(_, count)| *count > 0);
        Shown {
            candidates: all
                .take(top)
                .map(|(one, probability)| ShownCandidate::new(one, probability, ranking))
                .collect(),
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
            writeln!(out, "{:>3}. {} = {answer}", at + 1, one.formula)?;
            writeln!(out, "     probability {:.4}, score {:.3},{size}", one.probability, one.score)?;
            for term in one.terms.iter().filter(|_| with_terms) {
                writeln!(out, "     {:+8.3}  {} ({} features)", term.score, term.about, term.features)?;
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

impl ShownCandidate {
    fn new(candidate: &Candidate, probability: f64, ranking: &Ranking) -> ShownCandidate {
        let graph = ranking.executor.graph();
        let term = |group: &GroupId| Term {
            about: ranking.groups.label(*group),
            score: ranking.groups.score(*group),
            features: ranking.groups.features(*group).len(),
        };
        let mut terms: Vec<Term> = candidate.groups.iter().map(term).collect();
        terms.sort_by(|a, b| b.score.abs().total_cmp(&a.score.abs()));
        ShownCandidate {
            formula: notation::show(ranking.executor.formulas(), graph, candidate.formula),
            answer: answer_of(graph, &candidate.denotation),
            probability,
            score: candidate.score,
            size: candidate.derivation.map(|id| ranking.derivations.get(id).size),
            terms,
        }
    }
}
