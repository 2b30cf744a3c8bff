//! Reading the terms of a formula: names, numbers, relations, calls, lambdas and everything in parentheses.

use super::number::number_or_date;
use super::read::{Reader, Term};
use super::{Function, NotationError, function, is_name_char, is_reserved};
use crate::formula::{Arithmetic, Compare, FormulaId, Node, Superlative, Var};
use crate::graph::Reading;
use crate::value::Value;

impl Reader<'_> {
    /// Reads one term, chosen by its first character.
    pub(super) fn term(&mut self) -> Result<Term, NotationError> {
        self.skip_space();
        match self.peek() {
            None => Err(self.error("the formula ends too early")),
            Some('(') => self.parenthesis(),
            Some('$') => self.slot(),
            Some('"') => self.quoted(),
            Some('<' | '>' | '!' | '≤' | '≥' | '≠') => self.comparison(),
            Some('λ') => {
                self.at += 1;
                self.lambda()
            }
            Some(c) if c.is_ascii_digit() || c == '-' || c == '+' => self.number_or_date(),
            Some(_) if self.chars[self.at..].starts_with(&['X'; 4]) => self.number_or_date(),
            Some(c) if c.is_alphabetic() || c == '_' => self.word(),
            Some(c) => Err(self.error(format!("expected a name, a number, a date, a relation or `(`, found {c:?}"))),
        }
    }

    fn slot(&mut self) -> Result<Term, NotationError> {
        let number = self.chars.get(self.at + 1).and_then(|c| c.to_digit(10)).filter(|n| (1..=3).contains(n));
        let number = number.ok_or_else(|| self.error("a slot is $1, $2 or $3"))?;
        self.at += 2;
        Ok(Term::Slot(self.formulas.intern(Node::Var(Var::slot(number as usize)))))
    }

    fn parenthesis(&mut self) -> Result<Term, NotationError> {
        self.at += 1;
        let inner = self.union()?;
        self.expect(")")?;
        Ok(Term::Unary(inner))
    }

    fn quoted(&mut self) -> Result<Term, NotationError> {
        let at = self.at + 1;
        let text = self.quotation()?;
        Ok(Term::Name { text, at })
    }

    /// Reads a text in double quotes.
    fn quotation(&mut self) -> Result<String, NotationError> {
        self.expect("\"")?;
        let mut text = String::new();
        loop {
            let c = self.peek().ok_or_else(|| self.error("the quoted name has no closing `\"`"))?;
            self.at += 1;
            match c {
                '"' => return Ok(text),
                '\\' => {
                    let escaped = self.peek().ok_or_else(|| self.error("the quoted name has no closing `\"`"))?;
                    self.at += 1;
                    text.push(match escaped {
                        'n' => '\n',
                        'r' => '\r',
                        other => other,
                    });
                }
                _ => text.push(c),
            }
        }
    }

    fn comparison(&mut self) -> Result<Term, NotationError> {
        let signs = [
            ("<=", Compare::AtMost),
            ("≤", Compare::AtMost),
            (">=", Compare::AtLeast),
            ("≥", Compare::AtLeast),
            ("!=", Compare::NotEqual),
            ("≠", Compare::NotEqual),
            ("<", Compare::Less),
            (">", Compare::Greater),
        ];
        match signs.into_iter().find(|(sign, _)| self.eat(sign)) {
            Some((_, op)) => Ok(Term::Binary(self.formulas.intern(Node::Compare(op)))),
            None => Err(self.error("expected <, >, <=, >= or !=")),
        }
    }

    fn number_or_date(&mut self) -> Result<Term, NotationError> {
        let (value, end) = number_or_date(&self.chars, self.at).map_err(|problem| self.error(problem))?;
        self.at = end;
        Ok(Term::Unary(self.formulas.intern(Node::Value(value))))
    }

    fn word(&mut self) -> Result<Term, NotationError> {
        let start = self.at;
        while self.peek().is_some_and(is_name_char) {
            self.at += 1;
        }
        let word: String = self.chars[start..self.at].iter().collect();
        if let Some(reading) = Reading::ALL.into_iter().find(|r| r.name() == word) {
            return Ok(Term::Binary(self.formulas.reading(reading)));
        }
        if let Some(var) = Var::named(&word) {
            return Ok(Term::Unary(self.formulas.intern(Node::Var(var))));
        }
        match function(&word) {
            Some(Function::Arithmetic(op)) if self.is_next('[') => return self.across(op),
            Some(function) if is_reserved(&word) || self.is_next('(') => return self.call(function),
            _ => {}
        }
        match word.as_str() {
            "Rows" => Ok(Term::Unary(self.formulas.intern(Node::Rows))),
            "Type" if self.eat(".Row") => Ok(Term::Unary(self.formulas.intern(Node::Rows))),
            "Next" => Ok(Term::Binary(self.formulas.intern(Node::Next))),
            "Index" => Ok(Term::Binary(self.formulas.intern(Node::Index))),
            "R" => self.reverse(),
            "Run" => self.run(),
            "lambda" => self.lambda(),
            "mark" => self.mark(),
            "Missing" if self.is_next('[') => self.missing(),
            "Truth" if self.is_next('[') => self.truth(),
            _ => Ok(Term::Name { text: word, at: start + 1 }),
        }
    }

    fn reverse(&mut self) -> Result<Term, NotationError> {
        self.expect("[")?;
        self.deeper()?;
        let inner = self.binary()?;
        self.shallower();
        self.expect("]")?;
        Ok(Term::Binary(self.formulas.reverse(inner)))
    }

    /// Tells if a sign comes next, after spaces.
    fn is_next(&mut self, sign: char) -> bool {
        self.skip_space();
        self.peek() == Some(sign)
    }

    /// Reads `sub[b, c]` behind the name of the operation.
    fn across(&mut self, op: Arithmetic) -> Result<Term, NotationError> {
        self.expect("[")?;
        self.deeper()?;
        let first = self.binary()?;
        self.expect(",")?;
        let second = self.binary()?;
        self.shallower();
        self.expect("]")?;
        Ok(Term::Binary(self.formulas.intern(Node::Across(op, first, second))))
    }

    fn missing(&mut self) -> Result<Term, NotationError> {
        self.expect("[")?;
        self.deeper()?;
        let binary = self.binary()?;
        self.shallower();
        self.expect("]")?;
        Ok(Term::Unary(self.formulas.intern(Node::Missing(binary))))
    }

    fn truth(&mut self) -> Result<Term, NotationError> {
        self.expect("[")?;
        let truth = self.eat("yes");
        if !truth && !self.eat("no") {
            return Err(self.error("Truth[..] takes yes or no"));
        }
        self.expect("]")?;
        Ok(Term::Unary(self.formulas.intern(Node::Value(Value::Truth(truth)))))
    }

    fn run(&mut self) -> Result<Term, NotationError> {
        self.expect("[")?;
        let column = self.binary()?;
        self.expect("]")?;
        match self.formulas.node(column) {
            Node::Column(column) => Ok(Term::Binary(self.formulas.intern(Node::Run(column)))),
            _ => Err(self.error("Run[..] takes a column")),
        }
    }

    fn lambda(&mut self) -> Result<Term, NotationError> {
        let (var, body) = self.bound()?;
        Ok(Term::Binary(self.formulas.lambda(var, body)))
    }

    fn mark(&mut self) -> Result<Term, NotationError> {
        let (var, body) = self.bound()?;
        Ok(Term::Unary(self.formulas.intern(Node::Mark(var, body))))
    }

    /// Reads the variable and the body of `λx[..]` or `mark x[..]`.
    fn bound(&mut self) -> Result<(Var, FormulaId), NotationError> {
        self.skip_space();
        let start = self.at;
        while self.peek().is_some_and(is_name_char) {
            self.at += 1;
        }
        let name: String = self.chars[start..self.at].iter().collect();
        let var = Var::named(&name).ok_or_else(|| self.error("expected a variable: x, y, z, x3, .. x27"))?;
        self.expect("[")?;
        let body = self.union()?;
        self.expect("]")?;
        Ok((var, body))
    }

    fn call(&mut self, function: Function) -> Result<Term, NotationError> {
        self.expect("(")?;
        if let Function::Text(op) = function {
            let text = self.quotation()?;
            self.expect(")")?;
            return Ok(Term::Unary(self.formulas.text_test(op, &text)));
        }
        let first = self.union()?;
        let node = match function {
            Function::Aggregate(op) => Node::Aggregate(op, first),
            Function::Exists => Node::Exists(first),
            Function::Superlative(op) => self.best(op, first)?,
            Function::Arithmetic(op) => Node::Arithmetic(op, first, self.second()?),
            Function::Test(op) => Node::Test(op, first, self.second()?),
            Function::Except => Node::Except(first, self.second()?),
            Function::Group => Node::Group(first, self.key()?),
            Function::Having => Node::Having(first, self.key()?, self.second()?),
            Function::Text(_) => return Err(self.error("expected a text in double quotes")),
        };
        self.expect(")")?;
        Ok(Term::Unary(self.formulas.intern(node)))
    }

    /// Reads the rest of `argmax(u, b)` or `argmax(u, b, n)`.
    fn best(&mut self, op: Superlative, of: FormulaId) -> Result<Node, NotationError> {
        let key = self.key()?;
        match self.is_next(',') {
            true => Ok(Node::Top(op, of, key, self.second()?)),
            false => Ok(Node::Superlative(op, of, key)),
        }
    }

    /// Reads a comma and a list.
    fn second(&mut self) -> Result<FormulaId, NotationError> {
        self.expect(",")?;
        self.union()
    }

    /// Reads a comma and a relation.
    fn key(&mut self) -> Result<FormulaId, NotationError> {
        self.expect(",")?;
        self.binary()
    }
}
