//! `tabwise lab check formulas`: parses, types and executes the hand-written formulas of the dataset, and compares the
//! results with the right answers. Formulas without the right result are listed with the reason.

use super::data::DataArgs;
use crate::annotated::{Annotated, annotated};
use crate::outcome::Outcome;
use anyhow::Result;
use std::io::Write;
use std::path::Path;
use tabwise::evaluate::{Target, matches};
use tabwise::execute::Executor;
use tabwise::formula::lisp::{self, Lisp};
use tabwise::formula::types::type_of;
use tabwise::formula::{Formulas, notation};
use tabwise::graph::Graph;
use tabwise::words::Words;

/// Minimum share of formulas with the right answer.
const BAR: f64 = 0.97;

/// Executes every formula and prints the share of right answers.
pub(super) fn run(args: DataArgs, words: &Words, out: &mut impl Write) -> Result<Outcome> {
    let examples = annotated(&args.data)?;
    let (mut total, mut right) = (0, 0);
    for example in examples.iter().filter(|example| !example.formulas.is_empty()) {
        let verdicts = judge(example, &args.data, words)?;
        total += 1;
        right += usize::from(verdicts[0].problem.is_none());
        if args.verbose || verdicts[0].problem.is_some() {
            print(example, &verdicts, out)?;
        }
    }
    let share = right as f64 / total.max(1) as f64;
    writeln!(
        out,
        "{right} of {total} formulas give the right answer, {:.2} % (bar {:.0} %)",
        share * 100.0,
        BAR * 100.0
    )?;
    Ok(if share >= BAR { Outcome::Done } else { Outcome::BelowBar })
}

/// Executes the formulas of a question.
fn judge(example: &Annotated, data: &Path, words: &Words) -> Result<Vec<FormulaVerdict>> {
    let graph = example.graph(data, words)?;
    let target = Target::from_strings(&example.target, words);
    Ok(example.formulas.iter().map(|formula| FormulaVerdict::new(formula, &graph, &target)).collect())
}

/// Prints a question with its formulas.
fn print(example: &Annotated, verdicts: &[FormulaVerdict], out: &mut impl Write) -> Result<()> {
    let Annotated { id, table, utterance, target, formulas } = example;
    writeln!(out, "{id} {table} {utterance:?}: {}", target.join(" | "))?;
    for (at, (verdict, formula)) in verdicts.iter().zip(formulas).enumerate() {
        let kind = if at == 0 { "formula" } else { "alternative" };
        writeln!(out, "  {kind}: {}", verdict.shown.clone().unwrap_or_else(|| formula.show()))?;
        writeln!(out, "    {}: {}", verdict.problem.as_deref().unwrap_or("right"), verdict.answer)?;
    }
    Ok(())
}

/// Result of a formula.
struct FormulaVerdict {
    /// The formula in the notation of Tabwise, if it could be parsed.
    shown: Option<String>,
    answer: String,
    /// Reason why the answer is wrong; `None` if it is right.
    problem: Option<String>,
}

impl FormulaVerdict {
    fn new(lisp: &Lisp, graph: &Graph, target: &Target) -> FormulaVerdict {
        let mut formulas = Formulas::new();
        let id = match lisp::read_lisp(lisp, graph, &mut formulas) {
            Ok(id) => id,
            Err(error) => {
                return FormulaVerdict {
                    shown: None,
                    answer: error.to_string(),
                    problem: Some("cannot be parsed".into()),
                };
            }
        };
        let shown = Some(notation::show(&formulas, graph, id));
        if let Err(error) = type_of(&formulas, graph, id) {
            return FormulaVerdict { shown, answer: error.to_string(), problem: Some("has no type".into()) };
        }
        match Executor::new(graph, formulas).denote(id) {
            Err(undefined) => {
                FormulaVerdict { shown, answer: undefined.to_string(), problem: Some("is undefined".into()) }
            }
            Ok(denotation) => {
                let answer = denotation.show(graph);
                let problem = (!matches(&answer, target)).then(|| "another answer".to_owned());
                FormulaVerdict { shown, answer: answer.join(" | "), problem }
            }
        }
    }
}
