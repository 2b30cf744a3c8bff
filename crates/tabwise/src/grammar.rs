//! The grammar: rules that build formulas, read from `knowledge/grammar.rules`. A [`Rule`] takes formulas of some
//! categories and makes a formula of another from its template. [`Grammar::read`] checks that every rule is well typed
//! and that the search can apply it.

use crate::formula::notation::{NotationError, read_template};
use crate::formula::types::{Type, TypeError, type_of};
use crate::formula::{FormulaId, Formulas, Node, Superlative, Var};
use crate::graph::{ColumnId, Graph, Reading};
use crate::named::{Named, named};
use crate::table::Table;
use crate::value::{Date, EntityId};
use crate::words::Words;

/// `grammar.rules` as it is compiled in.
pub const EMBEDDED: &str = include_str!("../knowledge/grammar.rules");

named! {
    /// Use of a formula in a derivation.
    pub enum Category is "category" {
        /// A text of the table.
        Entity => "Entity",
        /// One number or date.
        Atomic => "Atomic",
        /// Values of any kind; only these are answers.
        Values => "Values",
        /// Pairs of a row and its cell in a column, or a reading of that cell.
        Relation => "Relation",
        /// Rows.
        Records => "Records",
        /// Key by which rows are ordered.
        RecordFn => "RecordFn",
        /// Key by which values are ordered, or a function of values.
        ValueFn => "ValueFn",
        /// Column by whose values rows are grouped, perhaps only some of the rows.
        Key => "Key",
        /// Column of some of the rows.
        Scope => "Scope",
        /// Yes or no, a share or a table of groups: an answer that nothing else is made of.
        Answer => "Answer",
    }
}

impl Category {
    /// True for relations and functions, which denote nothing by themselves.
    pub fn is_function(self) -> bool {
        matches!(self, Category::Relation | Category::RecordFn | Category::ValueFn | Category::Key | Category::Scope)
    }
}

/// Part of a rule, as it is written in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Built by other rules.
    Of(Category),
    /// An entity that words of the question name.
    Entity,
    /// A number or date in the question.
    Value,
    /// Each column of the table.
    Column,
    /// Each reading of the column before it.
    Reading,
    /// A column and a value that words of the question name together.
    Condition,
    /// The two ends of a range in the question.
    Range,
    /// The rows without a value in a column that the question names.
    Missing,
}

/// Parts of a rule, in every combination that the search can apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// No parts: the template is the formula.
    Constant,
    /// `@entity`: an entity that words of the question name.
    Entity,
    /// `@value`: a number or date in the question.
    Value,
    /// `@column`: each column of the table.
    Column,
    /// `@column @reading`: each column with each of its readings.
    Reading,
    /// `@condition`: a column and a value that words of the question name together.
    Condition,
    /// `@range`: the two ends of a range in the question.
    Range,
    /// `@missing`: the rows without a value in a column that the question names.
    Missing,
    /// One part that other rules build.
    Unary(Category),
    /// Two parts that other rules build.
    Binary(Category, Category),
    /// `ValueFn A A`: a function and two arguments of one category.
    Function(Category),
    /// Two parts that other rules build, and a whole number of the question.
    Counted(Category, Category),
}

impl Form {
    /// Form of a list of parts; `None` if the search has no way to apply it.
    fn new(parts: &[Part]) -> Option<Form> {
        match *parts {
            [] => Some(Form::Constant),
            [Part::Entity] => Some(Form::Entity),
            [Part::Value] => Some(Form::Value),
            [Part::Column] => Some(Form::Column),
            [Part::Column, Part::Reading] => Some(Form::Reading),
            [Part::Condition] => Some(Form::Condition),
            [Part::Range] => Some(Form::Range),
            [Part::Missing] => Some(Form::Missing),
            [Part::Of(a)] => Some(Form::Unary(a)),
            [Part::Of(a), Part::Of(b)] => Some(Form::Binary(a, b)),
            [Part::Of(Category::ValueFn), Part::Of(a), Part::Of(b)] if a == b => Some(Form::Function(a)),
            [Part::Of(a), Part::Of(b), Part::Of(Category::Atomic)] => Some(Form::Counted(a, b)),
            _ => None,
        }
    }

    /// Categories of the parts that other rules build.
    pub fn categories(self) -> impl Iterator<Item = Category> {
        let parts = match self {
            Form::Constant | Form::Entity | Form::Value | Form::Column | Form::Reading => [None; 3],
            Form::Condition | Form::Range | Form::Missing => [None; 3],
            Form::Unary(a) => [Some(a), None, None],
            Form::Binary(a, b) => [Some(a), Some(b), None],
            Form::Function(a) => [Some(Category::ValueFn), Some(a), Some(a)],
            Form::Counted(a, b) => [Some(a), Some(b), Some(Category::Atomic)],
        };
        parts.into_iter().flatten()
    }

    /// Parts that fill the slots of the template: words that name a condition or a range fill two.
    fn slots(self, parts: &[Part]) -> Vec<Part> {
        match self {
            Form::Condition => vec![Part::Of(Category::Relation), Part::Of(Category::Values)],
            Form::Range => vec![Part::Of(Category::Atomic); 2],
            _ => parts.to_vec(),
        }
    }

    /// Only template that a rule with `@` parts may have: the search builds these formulas itself.
    fn given(self) -> Option<&'static str> {
        match self {
            Form::Entity | Form::Value | Form::Column | Form::Missing => Some("$1"),
            Form::Reading => Some("λx[$1.$2.x]"),
            Form::Constant | Form::Condition | Form::Range => None,
            Form::Unary(_) | Form::Binary(..) | Form::Function(_) | Form::Counted(..) => None,
        }
    }
}

/// Position of a rule in the [`Grammar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(u16);

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Group with which it is switched on and off.
    pub group: String,
    /// True if it is used only when the question has one of its cue words.
    pub needs_cue: bool,
    /// Name within the group.
    pub name: String,
    /// Category of the formulas that it makes.
    pub result: Category,
    /// Parts that it takes.
    pub form: Form,
    /// Formula with slots for the parts, in the arena of [`Grammar::templates`].
    pub template: FormulaId,
    /// For a rule of three parts, the part of the template that depends only on the first two.
    pub prefix: Option<FormulaId>,
    /// For each part, true if the template uses its reverse.
    pub reversed: [bool; 3],
    /// For each part, the kinds of values that give a well-typed formula.
    pub accepts: [Type; 3],
    /// 1 if the template has a superlative, else 0.
    pub superlatives: u8,
    /// True if it makes one thing of many, so that it is useless for a first part with a single member.
    pub needs_many: bool,
    /// True if the template has a comparison.
    pub compares: bool,
    /// True if it is a plain union or intersection of its two parts.
    pub is_merge: bool,
    /// Line of the file, for messages and for `show rules`.
    pub text: String,
    /// Comment above it in the file: a phrase that it covers.
    pub example: String,
}

impl Rule {
    /// Tells if its first part is a column by which rows are grouped.
    pub fn groups(&self) -> bool {
        matches!(self.form.categories().next(), Some(Category::Key | Category::Scope))
    }
}

/// Error in a file of rules.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the rules: {problem}")]
pub struct GrammarError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Problem with the rule.
    pub problem: Problem,
}

/// Problem with a rule.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// A line that is not a rule.
    #[error("a rule is written `group name: Result <- Part Part = formula`")]
    Form,
    /// An unknown name in place of a category or part.
    #[error("there is no category or part {name:?}; there are {known}", name = .0, known = known())]
    Category(String),
    /// A combination of parts that the search cannot apply.
    #[error(
        "the search cannot apply a rule to these parts; it takes nothing, `@entity`, `@value`, `@column`, `@column @reading`, `@condition`, `@range`, `@missing`, one or two categories, `ValueFn` and the same category twice, or two categories and `Atomic`"
    )]
    Parts,
    /// A rule with `@` parts that changes them.
    #[error("a rule with these parts must take them as they are: `= {0}`")]
    Given(&'static str),
    /// A template that cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A template that has no type, however the slots are filled.
    #[error("the formula has no type: {0}")]
    Type(#[from] TypeError),
    /// A template whose type does not fit the category of the result.
    #[error("the formula denotes {found}, which does not fit the category {result:?}")]
    Result {
        /// Type of the template.
        found: Type,
        /// Category that the rule declares.
        result: Category,
    },
}

/// Names that a rule may use for its result and its parts, for the error message.
fn known() -> String {
    let names = Category::ALL.iter().map(|category| category.name());
    names
        .chain(["@entity", "@value", "@column", "@reading", "@condition", "@range", "@missing"])
        .collect::<Vec<_>>()
        .join(", ")
}

/// All rules, with their templates.
#[derive(Debug)]
pub struct Grammar {
    rules: Vec<Rule>,
    templates: Formulas,
}

impl Grammar {
    /// Rules that are compiled in.
    pub fn embedded() -> Grammar {
        Grammar::read(EMBEDDED).expect("the embedded rules are tested")
    }

    /// Reads rules and checks each: its form, its template and its types. The comment above a rule becomes its example.
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
            let rule = grammar.read_rule(line, &sample).map_err(|problem| GrammarError { line: at + 1, problem })?;
            grammar.rules.push(Rule { example: std::mem::take(&mut example).to_string(), ..rule });
        }
        Ok(grammar)
    }

    /// All rules, in the order of the file.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Rule with an id.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[self.position(id)]
    }

    /// Position of a rule in [`Grammar::rules`].
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

    /// Arena of the templates.
    pub fn templates(&self) -> &Formulas {
        &self.templates
    }

    /// Reads one line.
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
        let accepts = self.check(template, &form.slots(&parts), result, sample)?;
        Ok(Rule {
            group: group.into(),
            needs_cue,
            name: name.trim().into(),
            result,
            prefix: matches!(form, Form::Function(_)).then(|| self.prefix(template)).flatten(),
            reversed: [1, 2, 3].map(|n| self.is_reversed(template, Var::slot(n), false).unwrap_or(false)),
            accepts,
            form,
            superlatives: self.count(template, |node| matches!(node, Node::Superlative(..) | Node::Top(..))).min(1)
                as u8,
            compares: self.count(template, |node| matches!(node, Node::Compare(_))) > 0,
            needs_many: match self.templates.node(template) {
                _ if matches!(form, Form::Binary(Category::Relation, _)) => false,
                Node::Aggregate(..) | Node::Superlative(..) | Node::Top(..) => true,
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

    /// Number of nodes of a template that meet a condition.
    fn count(&self, template: FormulaId, is_wanted: impl Fn(Node) -> bool) -> usize {
        self.templates.walk(template).into_iter().filter(|id| is_wanted(self.templates.node(*id))).count()
    }

    /// Largest part of a template with the first and the second slot, but not the third. The search executes it to see
    /// if it has a single value before it tries any third part.
    fn prefix(&self, template: FormulaId) -> Option<FormulaId> {
        let has = |id: FormulaId, n: usize| {
            self.templates.walk(id).into_iter().any(|part| self.templates.node(part) == Node::Var(Var::slot(n)))
        };
        self.templates.walk(template).into_iter().find(|id| has(*id, 1) && has(*id, 2) && !has(*id, 3))
    }

    /// Tells if a formula uses a slot reversed; `None` if it does not use the slot.
    fn is_reversed(&self, id: FormulaId, slot: Var, turned: bool) -> Option<bool> {
        match self.templates.node(id) {
            Node::Var(var) => (var == slot).then_some(turned),
            Node::Reverse(inner) => self.is_reversed(inner, slot, !turned),
            // A key is followed from the row to its value, as a reversed relation is.
            Node::Superlative(_, of, key) => {
                self.is_reversed(of, slot, turned).or_else(|| self.is_reversed(key, slot, !turned))
            }
            _ => self.templates.children(id).find_map(|child| self.is_reversed(child, slot, turned)),
        }
    }

    /// Checks the type of a rule. It is well typed if there is a way to fill the slots with parts of their categories
    /// such that the formula is. Returns the kinds of each part that occur in such a way.
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

/// Returns, for each category, the largest size at which a derivation by some rules can still become part of an answer of
/// at most `size`. The search need not build larger ones.
pub fn reach(rules: &[&Rule], size: usize) -> [usize; Category::ALL.len()] {
    let smallest = smallest(rules);
    let mut limits = [0; Category::ALL.len()];
    limits[Category::Values as usize] = size;
    limits[Category::Answer as usize] = size;
    // A limit reaches a category through at most as many rules as there are categories, so this many rounds suffice.
    for _ in Category::ALL {
        for rule in rules {
            let all: usize = rule.form.categories().map(|part| smallest[part as usize]).sum();
            for part in rule.form.categories().map(|part| part as usize) {
                let left = limits[rule.result as usize].saturating_sub(1 + all - smallest[part]);
                limits[part] = limits[part].max(left);
            }
        }
    }
    limits
}

/// Computes the smallest size of a derivation of each category, by lowering a large bound until every rule agrees.
fn smallest(rules: &[&Rule]) -> [usize; Category::ALL.len()] {
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

/// Reads the name of a part.
fn part(name: &str) -> Result<Part, Problem> {
    match name {
        "@entity" => Ok(Part::Entity),
        "@value" => Ok(Part::Value),
        "@column" => Ok(Part::Column),
        "@reading" => Ok(Part::Reading),
        "@condition" => Ok(Part::Condition),
        "@range" => Ok(Part::Range),
        "@missing" => Ok(Part::Missing),
        _ => Category::named(name).map(Part::Of).ok_or_else(|| Problem::Category(name.into())),
    }
}

/// Lists every way to choose one item of each list.
fn fillings<T: Copy>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    choices.iter().fold(vec![Vec::new()], |done, choice| {
        done.iter().flat_map(|some| choice.iter().map(|one| [some.as_slice(), &[*one]].concat())).collect()
    })
}

/// Table of one cell on which the types of rules are checked: types do not depend on the content of a table.
struct Sample {
    graph: Graph,
}

impl Sample {
    fn new() -> Sample {
        let mut table = Table::new(vec!["c".into()]);
        table.push_row(["1"]);
        Sample { graph: Graph::new(&table, &Words::embedded()) }
    }

    /// Formulas of every kind that a part may have. The kind of a relation is that of its values.
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
        let keys = [(Type::NUMBER, Reading::Number), (Type::DATE, Reading::Date)];
        let keys = keys.map(|(kind, reading)| (kind, lambda(&[back, column], reading)));
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
            Part::Of(Category::ValueFn) => keys.to_vec(),
            Part::Of(Category::Key | Category::Scope) => vec![(Type::ENTITY, column), numbers],
            Part::Condition | Part::Range | Part::Missing | Part::Of(Category::Answer) => {
                vec![(Type::ROW, formulas.intern(Node::Rows))]
            }
        }
    }

    /// Checks that a formula can be used as its category requires.
    fn is_result(&self, formula: FormulaId, result: Category, formulas: &mut Formulas) -> Result<(), Problem> {
        let rows = formulas.intern(Node::Rows);
        let (used, wanted) = match result {
            Category::Entity => (vec![formula], Type::ENTITY),
            Category::Atomic => (vec![formula], Type::ORDERED),
            Category::Values => (vec![formula], Type::VALUE),
            Category::Records => (vec![formula], Type::ROW),
            Category::Answer => (vec![formula], Type::NUMBER.or(Type::TRUTH).or(Type::TABLE)),
            Category::Relation | Category::Key | Category::Scope => {
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
