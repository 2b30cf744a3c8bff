//! Putting formulas in the place of variables: how a rule's template becomes a formula, and how a lambda is applied.

use super::{FormulaId, Formulas, Node, Var};

impl Formulas {
    /// Copies `template`, a formula of another arena, with each variable that `value` knows replaced.
    pub fn instantiate(
        &mut self,
        templates: &Formulas,
        template: FormulaId,
        value: &dyn Fn(Var) -> Option<FormulaId>,
    ) -> FormulaId {
        self.rebuild(Some(templates), template, value)
    }

    /// `body` with `value` in the place of a variable.
    pub fn apply(&mut self, var: Var, body: FormulaId, value: FormulaId) -> FormulaId {
        self.rebuild(None, body, &|v| (v == var).then_some(value))
    }

    /// Builds a formula anew, of nodes from this arena or another, so that every join is spelt the one way it is.
    fn rebuild(
        &mut self,
        from: Option<&Formulas>,
        id: FormulaId,
        value: &dyn Fn(Var) -> Option<FormulaId>,
    ) -> FormulaId {
        let node = from.map_or_else(|| self.node(id), |formulas| formulas.node(id));
        let mut part = |id: FormulaId| self.rebuild(from, id, value);
        let node = match node {
            Node::Var(var) => match value(var) {
                Some(formula) => return formula,
                None => node,
            },
            Node::Join(b, u) => {
                let (b, u) = (part(b), part(u));
                return self.join(b, u);
            }
            Node::Reverse(b) => {
                let b = part(b);
                return self.reverse(b);
            }
            Node::And(a, b) => Node::And(part(a), part(b)),
            Node::Or(a, b) => Node::Or(part(a), part(b)),
            Node::Aggregate(op, a) => Node::Aggregate(op, part(a)),
            Node::Superlative(op, a, b) => Node::Superlative(op, part(a), part(b)),
            Node::Arithmetic(op, a, b) => Node::Arithmetic(op, part(a), part(b)),
            Node::Mark(var, body) => Node::Mark(var, self.rebuild(from, body, &unless(var, value))),
            Node::Lambda(var, body) => Node::Lambda(var, self.rebuild(from, body, &unless(var, value))),
            leaf => leaf,
        };
        self.intern(node)
    }
}

/// What is to be put for variables in a body that binds one of them: that one stays.
fn unless(bound: Var, value: &dyn Fn(Var) -> Option<FormulaId>) -> impl Fn(Var) -> Option<FormulaId> {
    move |var| if var == bound { None } else { value(var) }
}
