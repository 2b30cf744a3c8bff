//! The deduction rules, read from `knowledge/grammar.rules` and checked against the types when they are loaded. A rule
//! takes formulas of some categories and makes one of another from its template.

use crate::formula::notation::{NotationError, read_template};
use crate::formula::types::{Type, TypeError, type_of};
use crate::formula::{FormulaId, Formulas, Node, Superlative, Var};
use crate::graph::{ColumnId, Graph, Reading};
use crate::named::{Named, named};
use crate::table::Table;
use crate::value::{Date, EntityId};
use crate::words::Words;

/// The rules that are part of the program.
pub const EMBEDDED: &str = include_str!("../knowledge/grammar.rules");

named! {
    /// Use of a formula in a derivation.
    pub enum Category is "category" {
        /// a text of the table
        Entity => "Entity",
        /// one number or date
        Atomic => "Atomic",
        /// values of any kind; a question may ask for them
        Values => "Values",
        /// pairs of a row and the content of a column, perhaps as it reads
        Relation => "Relation",
        /// rows
        Records => "Records",
        /// an order of rows
        RecordFn => "RecordFn",
        /// an order of values, or something to compute from them
        ValueFn => "ValueFn",
    }
}

/// Source of a part of a rule, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
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

/// Parts of a rule, in every combination that the search can apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// No part: the formula as it stands.
    Constant,
    /// `@entity`: an entity that words of the question name.
    Entity,
    /// `@value`: a number or date that words of the question say.
    Value,
    /// `@column`: each column of the table.
    Column,
    /// `@column @reading`: each column with each of its readings.
    Reading,
    /// One part that other rules build.
    Unary(Category),
    /// Two parts that other rules build.
    Binary(Category, Category),
    /// `ValueFn A A`: a function and two arguments of one category.
    Function(Category),
}

impl Form {
    fn new(parts: &[Part]) -> Option<Form> {
        match *parts {
            [] => Some(Form::Constant),
            [Part::Entity] => Some(Form::Entity),
            [Part::Value] => Some(Form::Value),
            [Part::Column] => Some(Form::Column),
            [Part::Column, Part::Reading] => Some(Form::Reading),
            [Part::Of(a)] => Some(Form::Unary(a)),
            [Part::Of(a), Part::Of(b)] => Some(Form::Binary(a, b)),
            [Part::Of(Category::ValueFn), Part::Of(a), Part::Of(b)] if a == b => Some(Form::Function(a)),
            _ => None,
        }
    }

    /// Categories of the parts that other rules build.
    pub fn categories(self) -> impl Iterator<Item = Category> {
        let parts = match self {
            Form::Constant | Form::Entity | Form::Value | Form::Column | Form::Reading => [None; 3],
            Form::Unary(a) => [Some(a), None, None],
            Form::Binary(a, b) => [Some(a), Some(b), None],
            Form::Function(a) => [Some(Category::ValueFn), Some(a), Some(a)],
        };
        parts.into_iter().flatten()
    }

    /// The template of a rule whose part is given by the table or the question, which the search takes as it is.
    fn given(self) -> Option<&'static str> {
        match self {
            Form::Entity | Form::Value | Form::Column => Some("$1"),
            Form::Reading => Some("λx[$1.$2.x]"),
            Form::Constant | Form::Unary(_) | Form::Binary(..) | Form::Function(_) => None,
        }
    }
}

/// A rule, by its position in the [`Grammar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(u16);

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Group that it is switched on and off with.
    pub group: String,
    /// True for a rule that is used only when the question has one of its cue words.
    pub needs_cue: bool,
    /// Name within the group.
    pub name: String,
    /// Category of the formulas that it makes.
    pub result: Category,
    /// Parts that it takes.
    pub form: Form,
    /// Formula with slots for the parts; lives in the grammar's arena.
    pub template: FormulaId,
    /// For a rule of three parts, the piece of the template that the first two parts decide.
    pub prefix: Option<FormulaId>,
    /// For each part, its use in the template: turned round or not.
    pub reversed: [bool; 3],
    /// For each part, the kinds of values that give a well-typed formula.
    pub accepts: [Type; 3],
    /// Number of superlatives in the template.
    pub superlatives: u8,
    /// True for a rule that makes one thing of many: its first part must be many.
    pub needs_many: bool,
    /// True for a rule that compares with its part, for a condition.
    pub compares: bool,
    /// True for a rule that only merges its two parts.
    pub is_merge: bool,
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
    #[error(
        "the search cannot apply a rule to these parts; it takes nothing, `@entity`, `@value`, `@column`, `@column @reading`, one or two categories, or `ValueFn` and the same category twice"
    )]
    Parts,
    #[error("a rule of given parts takes them as they are: `= {0}`")]
    Given(&'static str),
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
    /// The smallest size of a derivation of each category.
    smallest: [usize; Category::ALL.len()],
}

impl Grammar {
    /// The rules that are part of the program.
    pub fn embedded() -> Grammar {
        Grammar::read(EMBEDDED).expect("the embedded rules are tested")
    }

    /// Reads rules and checks the type of each.
    pub fn read(text: &str) -> Result<Grammar, GrammarError> {
        let sample = Sample::new();
        let mut grammar = Grammar { rules: Vec::new(), templates: Formulas::new(), smallest: Default::default() };
        let mut example = "";
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                example = line.trim_start_matches('#').trim();
                continue;
            }
            let rule = grammar.read_rule(line, &sample).map_err(|problem| GrammarError { line: at + 1, problem })?;
            grammar.rules.push(Rule { example: std::mem::take(&mut example).to_string(), ..rule });
        }
        grammar.smallest = smallest(&grammar.rules);
        Ok(grammar)
    }

    /// All rules, in the order of the file.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// A rule.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[self.position(id)]
    }

    /// The position of a rule among [`Grammar::rules`].
    pub fn position(&self, id: RuleId) -> usize {
        usize::from(id.0)
    }

    /// All rules with their ids.
    pub fn numbered(&self) -> impl Iterator<Item = (RuleId, &Rule)> {
        (0..).map(RuleId).zip(&self.rules)
    }

    /// Names of the groups, each once, in the order of the file.
    pub fn groups(&self) -> Vec<&str> {
        let mut groups: Vec<&str> = Vec::new();
        for rule in &self.rules {
            if !groups.contains(&rule.group.as_str()) {
                groups.push(&rule.group);
            }
        }
        groups
    }

    pub fn templates(&self) -> &Formulas {
        &self.templates
    }

    fn read_rule(&mut self, line: &str, sample: &Sample) -> Result<Rule, Problem> {
        let (head, formula) = line.split_once(" = ").ok_or(Problem::Form)?;
        let (names, types) = head.split_once(':').ok_or(Problem::Form)?;
        let (group, name) = names.trim().split_once(char::is_whitespace).ok_or(Problem::Form)?;
        let (group, needs_cue) = group.strip_suffix('?').map_or((group, false), |group| (group, true));
        let (result, parts) = types.split_once("<-").ok_or(Problem::Form)?;
        let result = Category::named(result.trim()).ok_or_else(|| Problem::Category(result.trim().into()))?;
        let parts: Vec<Part> = parts.split_whitespace().map(part).collect::<Result<_, _>>()?;
        let form = Form::new(&parts).ok_or(Problem::Parts)?;
        let template = read_template(formula.trim(), &sample.graph, &mut self.templates)?;
        if let Some(given) = form.given()
            && read_template(given, &sample.graph, &mut self.templates)? != template
        {
            return Err(Problem::Given(given));
        }
        let accepts = self.check(template, &parts, result, sample)?;
        Ok(Rule {
            group: group.into(),
            needs_cue,
            name: name.trim().into(),
            result,
            prefix: (parts.len() == 3).then(|| self.prefix(template)).flatten(),
            reversed: [1, 2, 3].map(|n| self.is_reversed(template, Var::slot(n), false).unwrap_or(false)),
            accepts,
            form,
            superlatives: self.count(template, |node| matches!(node, Node::Superlative(..))) as u8,
            compares: self.count(template, |node| matches!(node, Node::Compare(_))) > 0,
            needs_many: match self.templates.node(template) {
                Node::Aggregate(..) | Node::Superlative(..) => true,
                Node::Arithmetic(..) => parts.len() == 1,
                _ => false,
            },
            is_merge: match self.templates.node(template) {
                Node::And(a, b) | Node::Or(a, b) => {
                    [a, b].map(|part| self.templates.node(part)) == [1, 2].map(|n| Node::Var(Var::slot(n)))
                }
                _ => false,
            },
            template,
            text: line.split_whitespace().collect::<Vec<_>>().join(" "),
            example: String::new(),
        })
    }

    fn count(&self, template: FormulaId, is_wanted: impl Fn(Node) -> bool) -> usize {
        self.templates.walk(template).into_iter().filter(|id| is_wanted(self.templates.node(*id))).count()
    }

    /// The largest size at which each category can still become part of an answer of the size allowed.
    pub fn reach(&self, size: usize) -> [usize; Category::ALL.len()] {
        let mut limits = [0; Category::ALL.len()];
        limits[Category::Values as usize] = size;
        for _ in Category::ALL {
            for rule in &self.rules {
                let all: usize = rule.form.categories().map(|part| self.smallest[part as usize]).sum();
                for part in rule.form.categories().map(|part| part as usize) {
                    let left = limits[rule.result as usize].saturating_sub(1 + all - self.smallest[part]);
                    limits[part] = limits[part].max(left);
                }
            }
        }
        limits
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

/// The smallest size of a derivation of each category: it starts large and shrinks until every rule agrees.
fn smallest(rules: &[Rule]) -> [usize; Category::ALL.len()] {
    let mut sizes = [1000; Category::ALL.len()];
    for _ in Category::ALL {
        for rule in rules {
            let size = 1 + rule.form.categories().map(|part| sizes[part as usize]).sum::<usize>();
            let result = rule.result as usize;
            sizes[result] = sizes[result].min(size);
        }
    }
    sizes
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
