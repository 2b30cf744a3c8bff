//! The deduction rules, read from `knowledge/grammar.rules` and checked against the types when they are loaded. A rule
//! takes formulas of some categories and makes one of another from its template.

use crate::formula::notation::{NotationError, read_template};
use crate::formula::types::{Type, TypeError, type_of};
use crate::formula::{FormulaId, Formulas, Node, Superlative, Var};
use crate::graph::{ColumnId, Graph, Reading};
use crate::table::Table;
use crate::value::{Date, EntityId};
use crate::words::Words;

/// The rules that are part of the program.
pub const EMBEDDED: &str = include_str!("../knowledge/grammar.rules");

/// What a formula is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    /// A text of the table.
    Entity,
    /// One number or date.
    Atomic,
    /// Values of any kind; what a question may ask for.
    Values,
    /// From a row to what stands in a column, perhaps as it reads.
    Relation,
    /// Rows.
    Records,
    /// What rows are ordered by.
    RecordFn,
    /// What values are ordered by, or computed with.
    ValueFn,
}

impl Category {
    pub const ALL: [Category; 7] = [
        Category::Entity,
        Category::Atomic,
        Category::Values,
        Category::Relation,
        Category::Records,
        Category::RecordFn,
        Category::ValueFn,
    ];

    fn named(name: &str) -> Option<Category> {
        Category::ALL.into_iter().find(|category| format!("{category:?}") == name)
    }
}

/// Where a part of a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Built by other rules.
    Of(Category),
    /// An entity that words of the question name.
    Entity,
    /// A number or date that words of the question say.
    Value,
    /// Each column of the table.
    Column,
    /// Each reading that the column before it has.
    Reading,
}

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    pub group: String,
    /// Whether it is used only when the question has one of its cue words.
    pub needs_cue: bool,
    pub name: String,
    pub result: Category,
    pub parts: Vec<Part>,
    /// The formula, with slots for the parts; lives in the grammar's arena.
    pub template: FormulaId,
    /// For a rule of three parts, the piece of the template that the first two parts decide.
    pub prefix: Option<FormulaId>,
    /// For each part, whether the template turns it round.
    pub reversed: [bool; 3],
    /// For each part, the kinds of values that give a well-typed formula.
    pub accepts: [Type; 3],
    /// The line of the file, for messages and for `show rules`.
    pub text: String,
    /// The comment above it: a phrase that it is for.
    pub example: String,
}

/// Why a file of rules cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the rules: {problem}")]
pub struct GrammarError {
    pub line: usize,
    pub problem: Problem,
}

/// What is wrong with a rule.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("a rule is written `group name: Result <- Part Part = formula`")]
    Form,
    #[error("there is no category or source {0:?}")]
    Category(String),
    #[error("a rule has at most three parts")]
    Parts,
    #[error(transparent)]
    Notation(#[from] NotationError),
    #[error("the formula has no type: {0}")]
    Type(#[from] TypeError),
    #[error("the formula is {found}, which is not what {result:?} is made of")]
    Result { found: Type, result: Category },
}

/// All rules, with their templates.
#[derive(Debug)]
pub struct Grammar {
    rules: Vec<Rule>,
    templates: Formulas,
}

impl Grammar {
    /// The rules that are part of the program.
    pub fn embedded() -> Grammar {
        Grammar::read(EMBEDDED).expect("the embedded rules are tested")
    }

    /// Reads rules and checks the type of each.
    pub fn read(text: &str) -> Result<Grammar, GrammarError> {
        let sample = Sample::new();
        let mut grammar = Grammar { rules: Vec::new(), templates: Formulas::new() };
        let mut example = "";
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                example = line.trim_start_matches('#').trim();
                continue;
            }
            let rule = grammar.rule(line, &sample).map_err(|problem| GrammarError { line: at + 1, problem })?;
            grammar.rules.push(Rule { example: std::mem::take(&mut example).to_string(), ..rule });
        }
        Ok(grammar)
    }

    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub fn templates(&self) -> &Formulas {
        &self.templates
    }

    fn rule(&mut self, line: &str, sample: &Sample) -> Result<Rule, Problem> {
        let (head, formula) = line.split_once(" = ").ok_or(Problem::Form)?;
        let (names, types) = head.split_once(':').ok_or(Problem::Form)?;
        let (group, name) = names.trim().split_once(char::is_whitespace).ok_or(Problem::Form)?;
        let (group, needs_cue) = group.strip_suffix('?').map_or((group, false), |group| (group, true));
        let (result, parts) = types.split_once("<-").ok_or(Problem::Form)?;
        let result = Category::named(result.trim()).ok_or_else(|| Problem::Category(result.trim().into()))?;
        let parts: Vec<Part> = parts.split_whitespace().map(part).collect::<Result<_, _>>()?;
        if parts.len() > 3 {
            return Err(Problem::Parts);
        }
        let template = read_template(formula.trim(), &sample.graph, &mut self.templates)?;
        let accepts = self.check(template, &parts, result, sample)?;
        Ok(Rule {
            group: group.into(),
            needs_cue,
            name: name.trim().into(),
            result,
            prefix: (parts.len() == 3).then(|| self.prefix(template)).flatten(),
            reversed: [1, 2, 3].map(|n| self.is_reversed(template, Var::slot(n), false).unwrap_or(false)),
            accepts,
            parts,
            template,
            text: line.split_whitespace().collect::<Vec<_>>().join(" "),
            example: String::new(),
        })
    }

    /// The largest piece of a template that speaks of the first and the second slot, and not of the third.
    fn prefix(&self, template: FormulaId) -> Option<FormulaId> {
        let speaks = |id: FormulaId, n: usize| {
            self.templates.walk(id).into_iter().any(|part| self.templates.node(part) == Node::Var(Var::slot(n)))
        };
        self.templates.walk(template).into_iter().find(|id| speaks(*id, 1) && speaks(*id, 2) && !speaks(*id, 3))
    }

    /// Whether a slot is used turned round; `None` when it does not stand in the formula.
    fn is_reversed(&self, id: FormulaId, slot: Var, turned: bool) -> Option<bool> {
        match self.templates.node(id) {
            Node::Var(var) => (var == slot).then_some(turned),
            Node::Reverse(inner) => self.is_reversed(inner, slot, !turned),
            // What things are ordered by is looked up from them: from a row to its value.
            Node::Superlative(_, of, key) => {
                self.is_reversed(of, slot, turned).or_else(|| self.is_reversed(key, slot, !turned))
            }
            _ => self.templates.children(id).find_map(|child| self.is_reversed(child, slot, turned)),
        }
    }

    /// A rule is well typed when its formula is, for at least one way to fill the slots with parts of their categories.
    /// Says which kinds of each part occur in such a way.
    fn check(
        &self,
        template: FormulaId,
        parts: &[Part],
        result: Category,
        sample: &Sample,
    ) -> Result<[Type; 3], Problem> {
        let mut formulas = Formulas::new();
        let choices: Vec<Vec<(Type, FormulaId)>> =
            parts.iter().map(|part| sample.formulas_of(*part, &mut formulas)).collect();
        let mut accepts = [Type::NONE; 3];
        let mut outcome = Ok(());
        let mut found = false;
        for filling in fillings(&choices) {
            let filled: Vec<FormulaId> = filling.iter().map(|(_, formula)| *formula).collect();
            let formula = formulas.instantiate(&self.templates, template, &filled);
            match sample.is_result(formula, result, &mut formulas) {
                Ok(()) => {
                    found = true;
                    filling.iter().zip(&mut accepts).for_each(|((kind, _), all)| *all = all.or(*kind));
                }
                problem => outcome = problem,
            }
        }
        if found { Ok(accepts) } else { outcome.map(|()| accepts) }
    }
}

fn part(name: &str) -> Result<Part, Problem> {
    match name {
        "@entity" => Ok(Part::Entity),
        "@value" => Ok(Part::Value),
        "@column" => Ok(Part::Column),
        "@reading" => Ok(Part::Reading),
        _ => Category::named(name).map(Part::Of).ok_or_else(|| Problem::Category(name.into())),
    }
}

/// Every way to take one of each list.
fn fillings<T: Copy>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    choices.iter().fold(vec![Vec::new()], |done, choice| {
        done.iter().flat_map(|some| choice.iter().map(|one| [some.as_slice(), &[*one]].concat())).collect()
    })
}

/// A table of one cell, on which rules are tried.
struct Sample {
    graph: Graph,
}

impl Sample {
    fn new() -> Sample {
        let mut table = Table::new(vec!["c".into()]);
        table.push_row(["1"]);
        Sample { graph: Graph::new(&table, &Words::embedded()) }
    }

    /// Formulas of every kind that a part may have: the kind of a relation is that of its values.
    fn formulas_of(&self, part: Part, formulas: &mut Formulas) -> Vec<(Type, FormulaId)> {
        let column = formulas.column(ColumnId(0));
        let back = formulas.reverse(column);
        let x = formulas.intern(Node::Var(Var(0)));
        let mut lambda = |path: &[FormulaId], reading: Reading| {
            let reading = formulas.reading(reading);
            let end = formulas.join(reading, x);
            let body = path.iter().rev().fold(end, |u, b| formulas.join(*b, u));
            formulas.lambda(Var(0), body)
        };
        let numbers = (Type::NUMBER, lambda(&[column], Reading::Number));
        let dates = (Type::DATE, lambda(&[column], Reading::Date));
        let key = (Type::NUMBER, lambda(&[back, column], Reading::Number));
        let entity = (Type::ENTITY, formulas.entity(EntityId(0)));
        let number = (Type::NUMBER, formulas.number(1.0));
        let date = (Type::DATE, formulas.date(Date::new(Some(2000), None, None).expect("a year is a date")));
        match part {
            Part::Entity | Part::Of(Category::Entity) => vec![entity],
            Part::Value | Part::Of(Category::Atomic) => vec![number, date],
            Part::Of(Category::Values) => vec![entity, number, date],
            Part::Column => vec![(Type::ENTITY, column)],
            Part::Reading => vec![(Type::NUMBER, formulas.reading(Reading::Number))],
            Part::Of(Category::Relation) => vec![(Type::ENTITY, column), numbers, dates],
            Part::Of(Category::Records) => vec![(Type::ROW, formulas.intern(Node::Rows))],
            Part::Of(Category::RecordFn) => vec![(Type::NUMBER, formulas.intern(Node::Index)), numbers, dates],
            Part::Of(Category::ValueFn) => vec![key],
        }
    }

    /// Whether a formula can be used as the category says.
    fn is_result(&self, formula: FormulaId, result: Category, formulas: &mut Formulas) -> Result<(), Problem> {
        let rows = formulas.intern(Node::Rows);
        let (used, wanted) = match result {
            Category::Entity => (vec![formula], Type::ENTITY),
            Category::Atomic => (vec![formula], Type::ORDERED),
            Category::Values => (vec![formula], Type::VALUE),
            Category::Records => (vec![formula], Type::ROW),
            Category::Relation => {
                let back = formulas.reverse(formula);
                (vec![formulas.join(back, rows)], Type::VALUE)
            }
            Category::RecordFn => {
                (vec![formulas.intern(Node::Superlative(Superlative::Argmax, rows, formula))], Type::ROW)
            }
            Category::ValueFn => {
                let values = self.formulas_of(Part::Of(Category::Values), formulas);
                let key = |(_, of): (Type, FormulaId)| Node::Superlative(Superlative::Argmax, of, formula);
                (values.into_iter().map(|value| formulas.intern(key(value))).collect(), Type::VALUE)
            }
        };
        let types: Vec<Result<Type, TypeError>> = used.iter().map(|id| type_of(formulas, &self.graph, *id)).collect();
        match types.iter().flatten().next() {
            Some(found) if found.and(wanted).is_empty() => Err(Problem::Result { found: *found, result }),
            Some(_) => Ok(()),
            None => types.into_iter().collect::<Result<Vec<Type>, TypeError>>().map(|_| ()).map_err(Problem::Type),
        }
    }
}
