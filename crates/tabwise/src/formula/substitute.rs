//! Putting formulas in the place of variables: how a rule's template becomes a formula, and how a lambda is applied.

use super::{FormulaId, Formulas, Node, Var};

/// What is put in the place of variables that follow each other, except of those bound on the way.
#[derive(Clone, Copy)]
struct Put<'p> {
    first: Var,
    values: &'p [FormulaId],
    /// The variables that stay, as bits.
    bound: u32,
}

impl Put<'_> {
    fn value(&self, var: Var) -> Option<FormulaId> {
        let at = var.0.checked_sub(self.first.0)?;
        self.values.get(usize::from(at)).copied().filter(|_| self.bound & var.bit() == 0)
    }

    /// The same inside a body that binds a variable: that one stays.
    fn inside(self, var: Var) -> Self {
        Put { bound: self.bound | var.bit(), ..self }
    }
}

impl Formulas {
    /// Copies `template`, a formula of another arena, with its slots `$1`, `$2`, ... filled.
    pub fn instantiate(&mut self, templates: &Formulas, template: FormulaId, filled: &[FormulaId]) -> FormulaId {
        self.rebuild(Some(templates), template, Put { first: Var::slot(1), values: filled, bound: 0 })
    }

    /// `body` with `value` in the place of a variable.
    pub fn apply(&mut self, var: Var, body: FormulaId, value: FormulaId) -> FormulaId {
        self.rebuild(None, body, Put { first: var, values: &[value], bound: 0 })
    }

    /// Builds a formula anew, of nodes from this arena or another, so that every join is spelt the one way it is.
    fn rebuild(&mut self, from: Option<&Formulas>, id: FormulaId, put: Put) -> FormulaId {
        let node = from.map_or_else(|| self.node(id), |formulas| formulas.node(id));
        if let Node::Var(var) = node
            && let Some(formula) = put.value(var)
        {
            return formula;
        }
        let put = node.binds().map_or(put, |var| put.inside(var));
        let node = node.map(|part, _| self.rebuild(from, part, put));
        self.intern(node)
    }
}
