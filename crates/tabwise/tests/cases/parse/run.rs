//! Search: derivations of formulas. The content is a table, the input a question, `=>` and a formula. The output is the
//! derivation of the formula, a rule with its parts in parentheses; or else the pruner without which it would be found.
//! In front of the question, `rules +NAME,-NAME` switches groups of rules and `without NAME` switches a pruner off;
//! after `alone`, cells are read alone. No weights are in use, and the beam is wide.

use tabwise::execute::Executor;
use tabwise::formula::{FormulaId, Formulas, notation};
use tabwise::graph::Cells;
use tabwise::named::Named;
use tabwise::settings::{Pruner, RuleSwitch};
use tabwise::{Knowledge, PreparedTable, Settings, Table};

thread_local! {
    static KNOWLEDGE: Knowledge = Knowledge::embedded();
}

pub fn run(content: &str, input: &str) -> String {
    KNOWLEDGE.with(|knowledge| Case::new(content, input, knowledge).output())
}

struct Case<'k> {
    knowledge: &'k Knowledge,
    table: PreparedTable,
    settings: Settings,
    question: String,
    formula: String,
}

impl<'k> Case<'k> {
    fn new(content: &str, input: &str, knowledge: &'k Knowledge) -> Case<'k> {
        let (asked, formula) = input.split_once("=>").expect("an input has =>");
        let mut settings = Settings { beam: 2000, size: 12, ..Settings::default() };
        let mut question = asked.trim();
        if let Some((switches, rest)) = question.strip_prefix("rules ").and_then(|rest| rest.split_once(' ')) {
            let switches: Vec<RuleSwitch> = switches.split(',').map(|one| one.parse().expect("a switch")).collect();
            settings = settings.switched(&switches, &knowledge.grammar).unwrap_or_else(|error| panic!("{input}: {error}"));
            question = rest;
        }
        if let Some((pruner, rest)) = question.strip_prefix("without ").and_then(|rest| rest.split_once(' ')) {
            settings.pruners = settings.pruners.without(Pruner::named(pruner).expect("there is such a pruner"));
            question = rest;
        }
        if let Some(rest) = question.strip_prefix("alone ") {
            settings.cells = Cells::Alone;
            question = rest;
        }
        let table = Table::from_csv(content).expect("the content is a table");
        let table = PreparedTable::new(&table, knowledge, settings.cells);
        Case { knowledge, table, settings, question: question.to_owned(), formula: formula.trim().to_owned() }
    }

    fn output(&self) -> String {
        if let Some(derivation) = self.derived(&self.settings) {
            return derivation;
        }
        if self.is_undefined() {
            return "dropped by undefined".to_owned();
        }
        let without = |pruner: &Pruner| Settings { pruners: self.settings.pruners.without(*pruner), ..self.settings.clone() };
        match Pruner::ALL.into_iter().find(|pruner| self.derived(&without(pruner)).is_some()) {
            Some(pruner) => format!("dropped by {}", pruner.name()),
            None => "not built".to_owned(),
        }
    }

    /// The derivation of the formula, if it is a candidate under these settings.
    fn derived(&self, settings: &Settings) -> Option<String> {
        let question = self.table.question(&self.question, self.knowledge, settings);
        let mut ranking = self.table.rank(&question, &self.knowledge.grammar, settings, &());
        let id = read(&self.formula, &self.table, ranking.executor.formulas_mut());
        let candidate = ranking.candidates.iter().find(|candidate| candidate.formula == id)?;
        let derivation = candidate.derivation.expect("it was derived");
        let shown = |id: FormulaId| notation::show(ranking.executor.formulas(), &self.table.graph, id);
        Some(ranking.derivations.show(derivation, &self.knowledge.grammar, &shown))
    }

    /// Tells if the formula means nothing in the table, and the search dropped something for that.
    fn is_undefined(&self) -> bool {
        let question = self.table.question(&self.question, self.knowledge, &self.settings);
        let ranking = self.table.rank(&question, &self.knowledge.grammar, &self.settings, &());
        let mut formulas = Formulas::new();
        let id = read(&self.formula, &self.table, &mut formulas);
        let mut dropped = ranking.report.pruned().filter(|(pruner, _)| *pruner == Pruner::Undefined);
        Executor::new(&self.table.graph, formulas).denote(id).is_err() && dropped.any(|(_, count)| count > 0)
    }
}

fn read(text: &str, table: &PreparedTable, formulas: &mut Formulas) -> FormulaId {
    notation::read(text, &table.graph, formulas).unwrap_or_else(|error| panic!("{text}: {error}"))
}
