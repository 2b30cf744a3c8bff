//! Printing formulas, in the notation or with the paper's signs.

use super::is_bare;
use crate::formula::{FormulaId, Formulas, Node, Var};
use crate::graph::Graph;
use crate::value::{Value, show_number, show_truth};

/// Prints a formula. Parts deeper than [`Formulas::DEPTH`], and all that follow after a megabyte of text, become `…`.
pub fn show(formulas: &Formulas, graph: &Graph, id: FormulaId) -> String {
    Printer { formulas, graph, signs: Signs::PLAIN, depth: 0, out: String::new() }.print(id)
}

/// Prints a formula with the paper's signs (⊓, ⊔, `Type.Row`), for people to read.
pub fn paper(formulas: &Formulas, graph: &Graph, id: FormulaId) -> String {
    Printer { formulas, graph, signs: Signs::PAPER, depth: 0, out: String::new() }.print(id)
}

/// Limit on the text, in bytes: formulas share parts, so a small arena can hold a formula of enormous length.
const LONGEST: usize = 1 << 20;

struct Signs {
    and: &'static str,
    or: &'static str,
    rows: &'static str,
    /// True if the reading of a column is printed as one relation.
    composed: bool,
}

impl Signs {
    const PLAIN: Signs = Signs { and: " & ", or: " | ", rows: "Rows", composed: false };
    const PAPER: Signs = Signs { and: " ⊓ ", or: " ⊔ ", rows: "Type.Row", composed: true };
}

struct Printer<'a> {
    formulas: &'a Formulas,
    graph: &'a Graph,
    signs: Signs,
    depth: usize,
    out: String,
}

impl Printer<'_> {
    fn print(mut self, id: FormulaId) -> String {
        self.formula(id);
        self.out
    }

    fn formula(&mut self, id: FormulaId) {
        if self.depth >= Formulas::DEPTH || self.out.len() > LONGEST {
            return self.out.push('…');
        }
        self.depth += 1;
        self.node(id);
        self.depth -= 1;
    }

    fn node(&mut self, id: FormulaId) {
        match self.formulas.node(id) {
            Node::Value(Value::Entity(entity)) => self.name(self.graph.name(entity)),
            Node::Value(Value::Number(n)) => self.out.push_str(&number_text(n)),
            Node::Value(Value::Date(date)) => self.out.push_str(&date.to_string()),
            Node::Value(Value::Truth(truth)) => {
                self.out.push_str("Truth[");
                self.out.push_str(show_truth(truth));
                self.out.push(']');
            }
            Node::Rows => self.out.push_str(self.signs.rows),
            Node::Var(var) => self.out.push_str(&var.name()),
            Node::Join(binary, unary) => self.join(binary, unary),
            Node::And(a, b) => self.both(a, self.signs.and, b),
            Node::Or(a, b) => self.both(a, self.signs.or, b),
            Node::Aggregate(op, a) => self.call(op.name(), &[a]),
            Node::Superlative(op, a, b) => self.call(op.name(), &[a, b]),
            Node::Arithmetic(op, a, b) => self.call(op.name(), &[a, b]),
            Node::Mark(var, body) => self.body("mark ", var, body),
            Node::Top(op, a, b, n) => self.call(op.name(), &[a, b, n]),
            Node::Group(a, b) => self.call("group", &[a, b]),
            Node::Having(a, b, c) => self.call("having", &[a, b, c]),
            Node::Except(a, b) => self.call("except", &[a, b]),
            Node::Exists(a) => self.call("exists", &[a]),
            Node::Test(op, a, b) => self.call(op.name(), &[a, b]),
            Node::Missing(binary) => self.bracketed("Missing", &[binary]),
            Node::Text(op, text) => {
                self.out.push_str(op.name());
                self.out.push('(');
                self.quoted(self.formulas.text(text));
                self.out.push(')');
            }
            Node::Column(column) => self.name(&self.graph.column(column).name),
            Node::Reading(reading) => self.out.push_str(reading.name()),
            Node::Next => self.out.push_str("Next"),
            Node::Index => self.out.push_str("Index"),
            Node::Run(column) => {
                self.out.push_str("Run[");
                self.name(&self.graph.column(column).name);
                self.out.push(']');
            }
            Node::Compare(op) => self.out.push_str(op.name()),
            Node::Reverse(inner) => self.bracketed("R", &[inner]),
            Node::Lambda(var, body) => self.body("λ", var, body),
            Node::Across(op, a, b) => self.bracketed(op.name(), &[a, b]),
        }
    }

    fn body(&mut self, word: &str, var: Var, body: FormulaId) {
        self.out.push_str(word);
        self.out.push_str(&var.name());
        self.out.push('[');
        self.formula(body);
        self.out.push(']');
    }

    fn join(&mut self, binary: FormulaId, unary: FormulaId) {
        if let Some((column, reading, of)) = self.read_column(binary, unary) {
            self.out.push_str("R[λx[");
            self.formula(column);
            self.out.push('.');
            self.formula(reading);
            self.out.push_str(".x]].");
            return self.tight(of);
        }
        self.formula(binary);
        self.out.push('.');
        self.tight(unary);
    }

    /// Returns the column, the reading and the rows of `R[Number].R[Year].u`, which the paper writes
    /// `R[λx[Year.Number.x]].u`.
    fn read_column(&self, binary: FormulaId, unary: FormulaId) -> Option<(FormulaId, FormulaId, FormulaId)> {
        let Node::Reverse(reading) = self.formulas.node(binary) else { return None };
        let Node::Join(inner, of) = self.formulas.node(unary) else { return None };
        let Node::Reverse(column) = self.formulas.node(inner) else { return None };
        let nodes = (self.formulas.node(column), self.formulas.node(reading));
        let is_read = self.signs.composed && matches!(nodes, (Node::Column(_), Node::Reading(_)));
        is_read.then_some((column, reading, of))
    }

    /// Prints an operand: a union or an intersection gets parentheses.
    fn tight(&mut self, id: FormulaId) {
        match self.formulas.node(id) {
            Node::And(..) | Node::Or(..) => {
                self.out.push('(');
                self.formula(id);
                self.out.push(')');
            }
            _ => self.formula(id),
        }
    }

    fn both(&mut self, a: FormulaId, sign: &str, b: FormulaId) {
        self.tight(a);
        self.out.push_str(sign);
        self.tight(b);
    }

    fn call(&mut self, name: &str, parts: &[FormulaId]) {
        self.out.push_str(name);
        self.out.push('(');
        self.parts(parts);
        self.out.push(')');
    }

    fn bracketed(&mut self, name: &str, parts: &[FormulaId]) {
        self.out.push_str(name);
        self.out.push('[');
        self.parts(parts);
        self.out.push(']');
    }

    fn parts(&mut self, parts: &[FormulaId]) {
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.formula(*part);
        }
    }

    fn name(&mut self, name: &str) {
        match is_bare(name) {
            true => self.out.push_str(name),
            false => self.quoted(name),
        }
    }

    fn quoted(&mut self, name: &str) {
        self.out.push('"');
        for c in name.chars() {
            match c {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                _ => self.out.push(c),
            }
        }
        self.out.push('"');
    }
}

/// Prints a number so that it reads back exactly: as people write it if that suffices, else with all digits.
fn number_text(n: f64) -> String {
    let short = show_number(n);
    if short.parse() == Ok(n) { short } else { format!("{n:?}") }
}
