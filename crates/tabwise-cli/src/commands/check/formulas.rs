//! `tabwise check formulas`: the hand-written formulas of the dataset, read, typed and executed on their tables, against
//! the right answers. Each one that does not give its answer is listed with the reason.

use super::DataArgs;
use crate::outcome::Outcome;
use anyhow::{Context, Result};
use std::fs;
use std::io::Write;
use std::path::Path;
use tabwise::evaluate::{Target, matches};
use tabwise::execute::Executor;
use tabwise::formula::lisp::{self, Lisp};
use tabwise::formula::types::type_of;
use tabwise::formula::{Formulas, notation};
use tabwise::graph::Graph;
use tabwise::table::{ReadSettings, read};
use tabwise::words::Words;

/// The share of formulas that must give the right answer.
const BAR: f64 = 0.97;

/// Executes every formula and prints how many give the right answer.
pub fn run(args: DataArgs, out: &mut impl Write) -> Result<Outcome> {
    let words = Words::embedded();
    let examples = annotated(&args.data)?;
    let (mut total, mut right) = (0, 0);
    for example in examples.iter().filter(|example| !example.formulas.is_empty()) {
        let verdicts = example.judge(&args.data, &words)?;
        total += 1;
        right += usize::from(verdicts[0].problem.is_none());
        if args.verbose || verdicts[0].problem.is_some() {
            example.print(&verdicts, out)?;
        }
    }
    let share = right as f64 / total.max(1) as f64;
    writeln!(
        out,
        "{right} of {total} formulas give the right answer, {:.2} % (bar {:.0} %)",
        share * 100.0,
        BAR * 100.0
    )?;
    Ok(if share >= BAR { Outcome::Done } else { Outcome::NoAnswer })
}

/// The questions of the dataset that people looked at.
pub fn annotated(data: &Path) -> Result<Vec<Annotated>> {
    let path = data.join("data/annotated-all.examples");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(lisp::parse_all(&text)?.iter().filter_map(Annotated::new).collect())
}

/// A question with the formulas that people wrote for it.
pub struct Annotated {
    pub id: String,
    pub utterance: String,
    /// The path of its table.
    pub table: String,
    pub target: Vec<String>,
    /// The target formula first, then the alternatives.
    pub formulas: Vec<Lisp>,
}

impl Annotated {
    fn new(lisp: &Lisp) -> Option<Annotated> {
        let fields = lisp.tagged("example")?;
        let field = |name: &str| fields.iter().find_map(|field| field.tagged(name));
        let words = |items: &[Lisp]| items.last().and_then(Lisp::word).map(str::to_owned);
        let context = field("context")?.iter().find_map(|item| item.tagged("graph"))?;
        let target = field("targetValue")?.iter().find_map(|item| item.tagged("list"))?;
        let formulas = ["targetFormula", "alternativeFormula"];
        let written = |name: &'static str| fields.iter().filter_map(move |field| field.tagged(name)?.first());
        Some(Annotated {
            id: words(field("id")?)?,
            utterance: words(field("utterance")?)?,
            table: words(context)?,
            target: target.iter().filter_map(|item| words(item.tagged("description")?)).collect(),
            formulas: formulas.into_iter().flat_map(written).cloned().collect(),
        })
    }

    /// The graph of its table.
    pub fn graph(&self, data: &Path, words: &Words) -> Result<Graph> {
        let path = data.join(&self.table);
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        let table = read(&bytes, Some(&self.table), &ReadSettings::default()).context(self.table.clone())?;
        Ok(Graph::new(&table, words))
    }

    /// What each formula gives on the table.
    fn judge(&self, data: &Path, words: &Words) -> Result<Vec<Verdict>> {
        let graph = self.graph(data, words)?;
        let target = Target::from_strings(&self.target, words);
        Ok(self.formulas.iter().map(|formula| Verdict::new(formula, &graph, &target)).collect())
    }

    fn print(&self, verdicts: &[Verdict], out: &mut impl Write) -> Result<()> {
        writeln!(out, "{} {} {:?}: {}", self.id, self.table, self.utterance, self.target.join(" | "))?;
        for (at, (verdict, formula)) in verdicts.iter().zip(&self.formulas).enumerate() {
            let kind = if at == 0 { "formula" } else { "alternative" };
            writeln!(out, "  {kind}: {}", verdict.shown.clone().unwrap_or_else(|| formula.show()))?;
            writeln!(out, "    {}: {}", verdict.problem.as_deref().unwrap_or("right"), verdict.answer)?;
        }
        Ok(())
    }
}

/// What a formula gave.
struct Verdict {
    /// The formula in our notation, if it could be read.
    shown: Option<String>,
    answer: String,
    /// Why the answer is not right, if it is not.
    problem: Option<String>,
}

impl Verdict {
    fn new(lisp: &Lisp, graph: &Graph, target: &Target) -> Verdict {
        let mut formulas = Formulas::new();
        let id = match lisp::read_lisp(lisp, graph, &mut formulas) {
            Ok(id) => id,
            Err(error) => {
                return Verdict { shown: None, answer: error.to_string(), problem: Some("does not read".into()) };
            }
        };
        let shown = Some(notation::show(&formulas, graph, id));
        if let Err(error) = type_of(&formulas, graph, id) {
            return Verdict { shown, answer: error.to_string(), problem: Some("has no type".into()) };
        }
        let mut executor = Executor::new(graph);
        match executor.denote(&formulas, id) {
            Err(undefined) => Verdict { shown, answer: undefined.to_string(), problem: Some("means nothing".into()) },
            Ok(denotation) => {
                let answer = denotation.show(graph);
                let problem = (!matches(&answer, target)).then(|| "another answer".to_owned());
                Verdict { shown, answer: answer.join(" | "), problem }
            }
        }
    }
}
