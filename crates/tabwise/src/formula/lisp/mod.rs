//! The notation of the dataset's annotated formulas, for example `(!r.venue (argmax 1 1 (r.position c.1st) @index))`.
//! [`read`] turns it into a formula. Names are the original system's ids: a text in lower case with `_` for everything
//! that is not a letter or a digit. Texts with the same id are numbered `_2`, `_3` in the order of the table.

mod expression;

pub use expression::{Lisp, parse, parse_all};

use super::{Aggregate, Arithmetic, Compare, FormulaId, Formulas, Node, Superlative, Var};
use crate::graph::{ColumnId, Graph, Reading};
use crate::value::{Date, EntityId, Value};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Limit on the nesting of lists.
const DEPTH: usize = 100;

/// Error in a formula of this notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LispError {
    /// A parenthesis or a quotation mark without its counterpart.
    #[error("the formula has an unbalanced parenthesis or quotation mark")]
    Unbalanced,
    /// Lists inside lists, or variables inside variables, beyond the limit.
    #[error("formulas nest at most {DEPTH} deep")]
    TooDeep,
    /// An id that nothing in the table has.
    #[error("the table has no {kind} with the id {id:?}")]
    Unknown {
        /// Noun for the thing looked for: "cell" or "column".
        kind: &'static str,
        /// Id as it was written.
        id: String,
    },
    /// An expression that is no formula, as text.
    #[error("this is not a formula: {0}")]
    Malformed(String),
}

/// Reads a formula in the dataset's notation. Its ids must belong to the table.
pub fn read(text: &str, graph: &Graph, formulas: &mut Formulas) -> Result<FormulaId, LispError> {
    read_lisp(&parse(text)?, graph, formulas)
}

/// Tells if a text is probably in this notation and not in [`notation`](super::notation): it begins with a parenthesis,
/// then an operation or a relation, then an argument.
pub fn is_lisp(text: &str) -> bool {
    let Some(rest) = text.trim_start().strip_prefix('(') else { return false };
    let rest = rest.trim_start();
    let (head, behind) = rest.split_at(rest.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(rest.len()));
    let is_head = HEADS.contains(&head) || Compare::ALL.iter().any(|op| op.name() == head);
    let is_relation = ["@", "!r.", "!fb:", "fb:", "r."].iter().any(|start| head.starts_with(start));
    let is_joined = behind.trim_start().starts_with(['&', '|', '⊓', '⊔']);
    let is_list = rest.starts_with("(reverse ") || (rest.starts_with("(lambda ") && !rest.contains('['));
    is_list || ((is_head || is_relation) && !behind.is_empty() && !is_joined)
}

/// Operations with which a formula of this notation may begin.
const HEADS: [&str; 16] = [
    "and", "or", "count", "max", "min", "sum", "avg", "argmax", "argmin", "+", "-", "*", "/", "mark", "date", "number",
];

/// Reads a formula from an expression.
pub fn read_lisp(lisp: &Lisp, graph: &Graph, formulas: &mut Formulas) -> Result<FormulaId, LispError> {
    Reader { graph, formulas, vars: Vec::new() }.unary(lisp)
}

/// Returns the id of a text: lower case without accents, `_` for each run of other characters, none at the end. The id
/// of a text without letters and digits is `null`.
pub fn id_of(text: &str) -> String {
    let mut id = String::new();
    for c in text.nfd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match c {
            'a'..='z' | '0'..='9' => id.push(c),
            _ if id.ends_with('_') => {}
            _ => id.push('_'),
        }
    }
    let kept = id.trim_end_matches('_').len();
    id.truncate(kept);
    if id.is_empty() { "null".into() } else { id }
}

/// Finds the member with an id: the first of that id, or the second if `_2` is appended, and so on. A text may itself
/// end in a number, so the whole id is tried first.
fn by_id<T>(id: &str, all: impl Iterator<Item = T> + Clone, name: impl Fn(&T) -> String) -> Option<T> {
    if let Some(found) = all.clone().find(|item| id_of(&name(item)) == id) {
        return Some(found);
    }
    let (base, number) = id.rsplit_once('_')?;
    let number: usize = number.parse().ok().filter(|n| *n >= 2)?;
    all.filter(|item| id_of(&name(item)) == base).nth(number - 1)
}

struct Reader<'a> {
    graph: &'a Graph,
    formulas: &'a mut Formulas,
    /// Names of the variables in scope; the position is the number of the variable.
    vars: Vec<String>,
}

impl Reader<'_> {
    fn unary(&mut self, lisp: &Lisp) -> Result<FormulaId, LispError> {
        match lisp {
            Lisp::Word(word) => self.atom(word),
            Lisp::List(items) => match items.as_slice() {
                [Lisp::Word(head), rest @ ..] => self.operation(head, rest, lisp),
                [binary, unary] => self.join(binary, unary),
                _ => Err(malformed(lisp)),
            },
        }
    }

    fn atom(&mut self, word: &str) -> Result<FormulaId, LispError> {
        let word = word.strip_prefix("fb:").unwrap_or(word);
        if let Some(id) = strip_any(word, &["c.", "q.", "cell.cell.", "cell.", "part."]) {
            let entity = self.entity(id)?;
            return Ok(self.formulas.entity(entity));
        }
        match word.parse().ok().and_then(Value::number) {
            Some(number) => Ok(self.formulas.intern(Node::Value(number))),
            None => Err(LispError::Malformed(word.into())),
        }
    }

    fn entity(&self, id: &str) -> Result<EntityId, LispError> {
        by_id(id, self.graph.entities(), |e| self.graph.name(*e).to_string())
            .ok_or_else(|| LispError::Unknown { kind: "cell", id: id.into() })
    }

    fn column(&self, id: &str) -> Result<ColumnId, LispError> {
        by_id(id, self.graph.column_ids(), |c| self.graph.column(*c).header.clone())
            .ok_or_else(|| LispError::Unknown { kind: "column", id: id.into() })
    }

    fn operation(&mut self, head: &str, rest: &[Lisp], whole: &Lisp) -> Result<FormulaId, LispError> {
        let node = match (head, rest) {
            ("@type", [_]) => Node::Rows,
            ("var", [Lisp::Word(name)]) => Node::Var(self.var(name)?),
            ("date", [y, m, d]) => Node::Value(Value::Date(date(y, m, d).ok_or_else(|| malformed(whole))?)),
            ("number", [Lisp::Word(n)]) => return self.atom(n),
            ("and", [a, b]) => Node::And(self.unary(a)?, self.unary(b)?),
            ("or", [a, b]) => Node::Or(self.unary(a)?, self.unary(b)?),
            ("count", [a]) => Node::Aggregate(Aggregate::Count, self.unary(a)?),
            ("max", [a]) => Node::Aggregate(Aggregate::Max, self.unary(a)?),
            ("min", [a]) => Node::Aggregate(Aggregate::Min, self.unary(a)?),
            ("sum", [a]) => Node::Aggregate(Aggregate::Sum, self.unary(a)?),
            ("avg", [a]) => Node::Aggregate(Aggregate::Avg, self.unary(a)?),
            ("argmax", [_, _, a, b]) => Node::Superlative(Superlative::Argmax, self.unary(a)?, self.binary(b)?),
            ("argmin", [_, _, a, b]) => Node::Superlative(Superlative::Argmin, self.unary(a)?, self.binary(b)?),
            ("+", [a, b]) => Node::Arithmetic(Arithmetic::Add, self.unary(a)?, self.unary(b)?),
            ("-", [a, b]) => Node::Arithmetic(Arithmetic::Sub, self.unary(a)?, self.unary(b)?),
            ("*", [a, b]) => Node::Arithmetic(Arithmetic::Mul, self.unary(a)?, self.unary(b)?),
            ("/", [a, b]) => Node::Arithmetic(Arithmetic::Div, self.unary(a)?, self.unary(b)?),
            ("mark", [Lisp::Word(name), body]) => {
                let (var, body) = self.bind(name, body)?;
                Node::Mark(var, body)
            }
            (":", [condition]) => return self.whenever(condition),
            (_, [unary]) => return self.join(&Lisp::Word(head.into()), unary),
            _ => return Err(malformed(whole)),
        };
        Ok(self.formulas.intern(node))
    }

    /// Reads `(: u)` inside `(mark x ..)`, which denotes x if `u` is not empty. It needs no node of its own: joining
    /// the constant function `λy[x]` with `u` does the same, `mark x[λy[x].u]`.
    fn whenever(&mut self, condition: &Lisp) -> Result<FormulaId, LispError> {
        let (unused, of) = self.bind("", condition)?;
        let innermost = unused.0.checked_sub(1).ok_or_else(|| malformed(condition))?;
        let itself = self.formulas.intern(Node::Var(Var(innermost)));
        let constant = self.formulas.lambda(unused, itself);
        Ok(self.formulas.join(constant, of))
    }

    fn join(&mut self, binary: &Lisp, unary: &Lisp) -> Result<FormulaId, LispError> {
        let binary = self.binary(binary)?;
        let unary = self.unary(unary)?;
        Ok(self.formulas.join(binary, unary))
    }

    fn binary(&mut self, lisp: &Lisp) -> Result<FormulaId, LispError> {
        match lisp {
            Lisp::Word(word) => self.relation(word),
            Lisp::List(items) => match items.as_slice() {
                [Lisp::Word(head), inner] if head == "reverse" => {
                    let inner = self.binary(inner)?;
                    Ok(self.formulas.reverse(inner))
                }
                [Lisp::Word(head), Lisp::Word(name), body] if head == "lambda" => {
                    let (var, body) = self.bind(name, body)?;
                    Ok(self.formulas.lambda(var, body))
                }
                _ => Err(malformed(lisp)),
            },
        }
    }

    fn relation(&mut self, word: &str) -> Result<FormulaId, LispError> {
        let comparisons = Compare::ALL.into_iter().find(|op| op.name() == word);
        if let Some(op) = comparisons {
            return Ok(self.formulas.intern(Node::Compare(op)));
        }
        if let Some(plain) = without_bang(word) {
            let inner = self.relation(&plain)?;
            return Ok(self.formulas.reverse(inner));
        }
        let node = match word.trim_start_matches('@').trim_start_matches("fb:") {
            "next" | "row.row.next" => Node::Next,
            "index" | "row.row.index" => Node::Index,
            "p.num" | "cell.cell.number" => Node::Reading(Reading::Number),
            "p.num2" | "cell.cell.num2" => Node::Reading(Reading::Number2),
            "p.date" | "cell.cell.date" => Node::Reading(Reading::Date),
            "p.part" | "cell.cell.part" => Node::Reading(Reading::Part),
            name => match name.strip_prefix("row.consecutive.") {
                Some(id) => Node::Run(self.column(id)?),
                None => match strip_any(name, &["row.row.", "r."]) {
                    Some(id) => Node::Column(self.column(id)?),
                    None => return Err(LispError::Malformed(word.into())),
                },
            },
        };
        Ok(self.formulas.intern(node))
    }

    fn var(&self, name: &str) -> Result<Var, LispError> {
        let at = self.vars.iter().rposition(|bound| bound == name);
        at.map(|at| Var(at as u8)).ok_or_else(|| LispError::Malformed(format!("(var {name})")))
    }

    fn bind(&mut self, name: &str, body: &Lisp) -> Result<(Var, FormulaId), LispError> {
        let var = Var(self.vars.len() as u8);
        if var.0 >= Var::WRITTEN {
            return Err(LispError::TooDeep);
        }
        self.vars.push(name.into());
        let body = self.unary(body);
        self.vars.pop();
        Ok((var, body?))
    }
}

/// Removes the `!` of a reversed relation: `!r.x`, `@!p.x`.
fn without_bang(word: &str) -> Option<String> {
    match word.strip_prefix('!') {
        Some(rest) => Some(rest.into()),
        None => word.strip_prefix("@!").map(|rest| format!("@{rest}")),
    }
}

fn strip_any<'w>(word: &'w str, prefixes: &[&str]) -> Option<&'w str> {
    prefixes.iter().find_map(|prefix| word.strip_prefix(prefix))
}

fn malformed(lisp: &Lisp) -> LispError {
    LispError::Malformed(lisp.show())
}

/// Reads `(date year month day)`, with -1 for unknown parts.
fn date(year: &Lisp, month: &Lisp, day: &Lisp) -> Option<Date> {
    let part = |lisp: &Lisp| match lisp {
        Lisp::Word(word) => word.parse::<i32>().ok(),
        Lisp::List(_) => None,
    };
    let known = |n: i32| (n != -1).then_some(n);
    // A part beyond a byte is out of range in any case, and so is 255: `Date::new` refuses it.
    let small = |n: i32| u8::try_from(n).unwrap_or(u8::MAX);
    Date::new(known(part(year)?), known(part(month)?).map(small), known(part(day)?).map(small))
}
