//! Substitution of formulas for variables. [`Formulas::instantiate`] fills a rule's template, [`Formulas::apply`]
//! applies a lambda to an argument. Bound variables are not renamed: nothing is captured as long as the substituted
//! formulas are closed, as single values and the parts of rules are.

use super::{FormulaId, Formulas, Node, Var};

/// Substitution for variables with consecutive numbers.
#[derive(Clone, Copy)]
struct Put<'p> {
    first: Var,
    values: &'p [FormulaId],
    /// Variables that are bound on the way and therefore stay, as bits.
    bound: u32,
}

impl Put<'_> {
    fn value(&self, var: Var) -> Option<FormulaId> {
        let at = var.0.checked_sub(self.first.0)?;
        self.values.get(usize::from(at)).copied().filter(|_| self.bound & var.bit() == 0)
    }

    /// Substitution inside a body that binds a variable, which hides the outer one of the same name.
    fn inside(self, var: Var) -> Self {
        Put { bound: self.bound | var.bit(), ..self }
    }
}

impl Formulas {
    /// Copies a template from another arena into this one, with its slots `$1`, `$2`, ... filled.
    pub fn instantiate(&mut self, templates: &Formulas, template: FormulaId, filled: &[FormulaId]) -> FormulaId {
        self.rebuild(Some(templates), template, Put { first: Var::slot(1), values: filled, bound: 0 })
    }

    /// Replaces a variable in a lambda's body.
    pub fn apply(&mut self, var: Var, body: FormulaId, value: FormulaId) -> FormulaId {
        self.rebuild(None, body, Put { first: var, values: &[value], bound: 0 })
    }

    /// Rebuilds a formula of this arena or another. Nodes are interned on the way, so the result is in its normal form.
    fn rebuild(&mut self, from: Option<&Formulas>, id: FormulaId, put: Put) -> FormulaId {
        let node = from.map_or_else(|| self.node(id), |formulas| formulas.node(id));
        if let Node::Var(var) = node
            && let Some(formula) = put.value(var)
        {
            return formula;
        }
        if let (Node::Text(test, text), Some(formulas)) = (node, from) {
            return self.text_test(test, formulas.text(text));
        }
        let put = node.binds().map_or(put, |var| put.inside(var));
        let node = node.map(|part, _| self.rebuild(from, part, put));
        self.intern(node)
    }
}
