//! Reading formulas: a recursive descent over `|`, `&` and joins. The terms between the dots are in `terms.rs`.

use super::NotationError;
use super::similar::{no_cell, no_column};
use crate::formula::{FormulaId, Formulas, Node};
use crate::graph::Graph;

/// Limit on the nesting of a text, since reading recurses.
const DEPTH: usize = 100;

/// Reads a formula. Its entities and columns must be in the table.
pub fn read(text: &str, graph: &Graph, formulas: &mut Formulas) -> Result<FormulaId, NotationError> {
    let mut reader = Reader { chars: text.chars().collect(), at: 0, depth: 0, graph, formulas };
    let id = reader.union()?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(id),
        Some(c) if c.is_alphanumeric() => {
            Err(reader
                .error("expected the end of the formula; names with spaces or signs are written in double quotes"))
        }
        Some(c) => Err(reader.error(format!("expected the end of the formula, found {c:?}"))),
    }
}

/// Reads a rule's template: a formula with slots `$1` to `$3`. Unlike a formula, it may be a relation as a whole.
pub fn read_template(text: &str, graph: &Graph, formulas: &mut Formulas) -> Result<FormulaId, NotationError> {
    let mut reader = Reader { chars: text.chars().collect(), at: 0, depth: 0, graph, formulas };
    match reader.term() {
        Ok(Term::Binary(id)) if reader.at == reader.chars.len() => Ok(id),
        _ => read(text, graph, formulas),
    }
}

/// Position in a text, and the arena to which formulas are added.
pub(super) struct Reader<'a> {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    depth: usize,
    graph: &'a Graph,
    pub(super) formulas: &'a mut Formulas,
}

/// Term that was read before it is known if a unary or a binary is needed: that depends on the dot behind it.
pub(super) enum Term {
    /// A list of things.
    Unary(FormulaId),
    /// A relation.
    Binary(FormulaId),
    /// A slot of a rule, which may be either.
    Slot(FormulaId),
    /// A name: a column in front of a dot, otherwise an entity.
    Name { text: String, at: usize },
}

impl Reader<'_> {
    pub(super) fn error(&self, problem: impl Into<String>) -> NotationError {
        NotationError { at: self.at + 1, problem: problem.into() }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Skips a sign and the space before it. Returns false, at the same place, if there is another sign.
    pub(super) fn eat(&mut self, sign: &str) -> bool {
        self.skip_space();
        let sign: Vec<char> = sign.chars().collect();
        let found = self.chars[self.at..].starts_with(&sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), NotationError> {
        if self.eat(sign) { Ok(()) } else { Err(self.error(format!("expected `{sign}`"))) }
    }

    /// Enters a nested formula.
    pub(super) fn deeper(&mut self) -> Result<(), NotationError> {
        self.depth += 1;
        if self.depth <= DEPTH { Ok(()) } else { Err(self.error(format!("formulas nest at most {DEPTH} deep"))) }
    }

    pub(super) fn shallower(&mut self) {
        self.depth -= 1;
    }

    /// Reads a unary with any number of `|` at the top level.
    pub(super) fn union(&mut self) -> Result<FormulaId, NotationError> {
        self.deeper()?;
        let mut left = self.intersection()?;
        while self.eat("|") || self.eat("⊔") {
            let right = self.intersection()?;
            left = self.formulas.intern(Node::Or(left, right));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn intersection(&mut self) -> Result<FormulaId, NotationError> {
        let mut left = self.unary()?;
        while self.eat("&") || self.eat("⊓") {
            let right = self.unary()?;
            left = self.formulas.intern(Node::And(left, right));
        }
        Ok(left)
    }

    /// Reads `b.b.b.u`: relations, then one unary.
    fn unary(&mut self) -> Result<FormulaId, NotationError> {
        let mut path = Vec::new();
        loop {
            let term = self.term()?;
            if self.eat(".") {
                path.push(self.as_binary(term)?);
                if path.len() > DEPTH {
                    return Err(self.error(format!("formulas nest at most {DEPTH} deep")));
                }
                continue;
            }
            let end = self.as_unary(term)?;
            return Ok(path.into_iter().rev().fold(end, |u, b| self.formulas.join(b, u)));
        }
    }

    pub(super) fn binary(&mut self) -> Result<FormulaId, NotationError> {
        let term = self.term()?;
        self.as_binary(term)
    }

    fn as_binary(&mut self, term: Term) -> Result<FormulaId, NotationError> {
        match term {
            Term::Binary(id) | Term::Slot(id) => Ok(id),
            Term::Unary(_) => {
                Err(self.error("expected a relation: a column, a reading, a comparison, R[..] or a lambda"))
            }
            Term::Name { text, at } => match self.graph.column_named(&text) {
                Some(column) => Ok(self.formulas.column(column)),
                None => Err(NotationError { at, problem: no_column(&text, self.graph) }),
            },
        }
    }

    fn as_unary(&mut self, term: Term) -> Result<FormulaId, NotationError> {
        match term {
            Term::Unary(id) | Term::Slot(id) => Ok(id),
            Term::Binary(_) => Err(self.error("a relation needs `.` and a list to join with, as in `City.Athens`")),
            Term::Name { text, at } => match self.graph.entity_named(&text) {
                Some(entity) => Ok(self.formulas.entity(entity)),
                None => Err(NotationError { at, problem: no_cell(&text, self.graph) }),
            },
        }
    }
}
