//! The arena of formulas. A node is kept once, however often it is built, and what is asked of every formula (its free
//! variables, size and depth) is known from its parts when it is made.

use super::{FormulaId, Node, Relation, Var};
use crate::graph::{ColumnId, Reading};
use crate::value::{Date, EntityId, Value};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;

/// All formulas made so far.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    ids: Ids,
    /// The reverse of each formula, where it was asked for: the same few relations are turned round again and again.
    reverses: Vec<Option<FormulaId>>,
    /// Room for the path of a join.
    path: Vec<FormulaId>,
}

/// What is known of a formula from its parts.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// The variables that stand free in it, as bits.
    free: u32,
    size: u32,
    depth: u32,
}

/// The formulas by their nodes: an open hash table of ids alone, at least a quarter of it empty. It is small, so that it
/// stays near the processor while thousands of formulas are made.
#[derive(Clone, Debug, Default)]
struct Ids(Vec<Option<NonZeroU32>>);

impl Ids {
    fn with_capacity(count: usize) -> Ids {
        Ids(vec![None; (4 * count / 3 + 1).next_power_of_two()])
    }

    /// The formula of this node; when it is new, it is noted as the next one.
    fn find_or_add(&mut self, nodes: &[Node], node: &Node) -> Option<FormulaId> {
        if 3 * self.0.len() < 4 * (nodes.len() + 1) {
            self.grow(nodes);
        }
        let mut at = self.first(node);
        while let Some(number) = self.0[at] {
            if nodes[number.get() as usize - 1] == *node {
                return Some(FormulaId(number.get() - 1));
            }
            at = self.after(at);
        }
        self.0[at] = NonZeroU32::new(nodes.len() as u32 + 1);
        None
    }

    fn first(&self, node: &Node) -> usize {
        let mut hasher = FxHasher::default();
        node.hash(&mut hasher);
        hasher.finish() as usize & (self.0.len() - 1)
    }

    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.0.len() - 1)
    }

    fn grow(&mut self, nodes: &[Node]) {
        *self = Ids::with_capacity(2 * (nodes.len() + 1));
        for (node, number) in nodes.iter().zip(1..) {
            let mut at = self.first(node);
            while self.0[at].is_some() {
                at = self.after(at);
            }
            self.0[at] = NonZeroU32::new(number);
        }
    }
}

impl Formulas {
    /// The deepest formula that is shown, typed and executed.
    pub const DEPTH: usize = 250;

    pub fn new() -> Formulas {
        Formulas::default()
    }

    /// An arena with room for so many formulas.
    pub fn with_capacity(count: usize) -> Formulas {
        Formulas {
            nodes: Vec::with_capacity(count),
            facts: Vec::with_capacity(count),
            ids: Ids::with_capacity(count),
            ..Formulas::default()
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn node(&self, id: FormulaId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// The formula of this node, new or known. Joins and reverses are spelt one way, as by [`Formulas::join`] and
    /// [`Formulas::reverse`].
    pub fn intern(&mut self, node: Node) -> FormulaId {
        match node {
            Node::Join(binary, unary) => self.join(binary, unary),
            Node::Reverse(binary) => self.reverse(binary),
            _ => self.keep(node),
        }
    }

    fn keep(&mut self, node: Node) -> FormulaId {
        if let Some(known) = self.ids.find_or_add(&self.nodes, &node) {
            return known;
        }
        let id = FormulaId(self.nodes.len() as u32);
        self.facts.push(facts_of(&self.facts, node));
        self.nodes.push(node);
        id
    }

    pub fn entity(&mut self, entity: EntityId) -> FormulaId {
        self.keep(Node::Value(Value::Entity(entity)))
    }

    pub fn number(&mut self, n: f64) -> FormulaId {
        self.keep(Node::Value(Value::Number(n)))
    }

    pub fn date(&mut self, date: Date) -> FormulaId {
        self.keep(Node::Value(Value::Date(date)))
    }

    pub fn column(&mut self, column: ColumnId) -> FormulaId {
        self.keep(Node::Column(column))
    }

    pub fn reading(&mut self, reading: Reading) -> FormulaId {
        self.keep(Node::Reading(reading))
    }

    /// `b.u`, spelt one way: a lambda that only follows relations is followed, and one that is joined with a single value
    /// is applied to it.
    pub fn join(&mut self, binary: FormulaId, unary: FormulaId) -> FormulaId {
        let Node::Lambda(var, body) = self.node(binary) else { return self.keep(Node::Join(binary, unary)) };
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        let is_chain = self.follow(var, body, |step| path.push(step));
        let joined = match self.node(unary) {
            _ if is_chain => path.iter().rev().fold(unary, |of, step| self.keep(Node::Join(*step, of))),
            Node::Value(_) => self.apply(var, body, unary),
            _ => self.keep(Node::Join(binary, unary)),
        };
        self.path = path;
        joined
    }

    /// `R[b]`, spelt one way: the reverse of a reverse is the binary itself, and that of a lambda that only follows
    /// relations follows them back: `R[λx[R[Number].R[Year].x]]` is `λx[Year.Number.x]`.
    pub fn reverse(&mut self, binary: FormulaId) -> FormulaId {
        if let Node::Reverse(inner) = self.node(binary) {
            return inner;
        }
        let at = binary.0 as usize;
        if let Some(Some(known)) = self.reverses.get(at) {
            return *known;
        }
        let reversed = self.reverse_anew(binary);
        self.reverses.resize(self.reverses.len().max(at + 1), None);
        self.reverses[at] = Some(reversed);
        reversed
    }

    fn reverse_anew(&mut self, binary: FormulaId) -> FormulaId {
        let path = match self.node(binary) {
            Node::Lambda(var, body) => self.chain(var, body).map(|path| (var, path)),
            _ => None,
        };
        let Some((var, path)) = path else { return self.keep(Node::Reverse(binary)) };
        let var_alone = self.keep(Node::Var(var));
        let back = path.into_iter().fold(var_alone, |of, step| {
            let step = self.reverse(step);
            self.keep(Node::Join(step, of))
        });
        self.lambda(var, back)
    }

    pub fn lambda(&mut self, var: Var, body: FormulaId) -> FormulaId {
        self.keep(Node::Lambda(var, body))
    }

    /// The relations of `a.b.c.x`, outermost first, when the body is nothing but such a chain.
    pub fn chain(&self, var: Var, body: FormulaId) -> Option<Vec<FormulaId>> {
        let mut path = Vec::new();
        self.follow(var, body, |step| path.push(step)).then_some(path)
    }

    /// Goes along `a.b.c.x`, outermost first; whether the body is nothing but such a chain.
    fn follow(&self, var: Var, body: FormulaId, mut take: impl FnMut(FormulaId)) -> bool {
        let mut at = body;
        loop {
            match self.node(at) {
                Node::Var(v) => return v == var,
                Node::Join(binary, unary) if self.is_plain(binary) => {
                    take(binary);
                    at = unary;
                }
                _ => return false,
            }
        }
    }

    /// Tells if a binary relates each member by itself, as a column or a reading does.
    fn is_plain(&self, binary: FormulaId) -> bool {
        self.relation(binary).is_some_and(|(relation, _)| match relation {
            Relation::Column(_) | Relation::Reading(_) | Relation::Next | Relation::Index | Relation::Run(_) => true,
            Relation::Compare(_) | Relation::Lambda(..) => false,
        })
    }

    /// The parts of a node that are formulas themselves.
    pub fn children(&self, id: FormulaId) -> impl Iterator<Item = FormulaId> + use<> {
        self.node(id).parts().map(|(part, _)| part)
    }

    /// Every formula inside this one, itself first; a repeated one is given each time it stands there.
    pub fn walk(&self, id: FormulaId) -> Vec<FormulaId> {
        let mut found = vec![id];
        let mut at = 0;
        while at < found.len() {
            found.extend(self.children(found[at]));
            at += 1;
        }
        found
    }

    /// Every formula inside this one, each once, itself first.
    pub fn parts(&self, id: FormulaId) -> Vec<FormulaId> {
        let mut seen = rustc_hash::FxHashSet::from_iter([id]);
        let mut found = vec![id];
        let mut at = 0;
        while at < found.len() {
            found.extend(self.children(found[at]).filter(|child| seen.insert(*child)));
            at += 1;
        }
        found
    }

    /// Whether a variable stands free in the formula: bound nowhere inside it.
    pub fn is_open(&self, id: FormulaId) -> bool {
        self.facts[id.0 as usize].free != 0
    }

    /// How many nodes the formula has, as a tree.
    pub fn size(&self, id: FormulaId) -> usize {
        self.facts[id.0 as usize].size as usize
    }

    /// How deep the formula nests; a single node is 1 deep.
    pub fn depth(&self, id: FormulaId) -> usize {
        self.facts[id.0 as usize].depth as usize
    }
}

fn facts_of(known: &[Facts], node: Node) -> Facts {
    let free = if let Node::Var(var) = node { var.bit() } else { 0 };
    let mut facts = Facts { free, size: 1, depth: 1 };
    for (part, _) in node.parts() {
        let part = known[part.0 as usize];
        facts.free |= part.free;
        facts.size = facts.size.saturating_add(part.size);
        facts.depth = facts.depth.max(part.depth.saturating_add(1));
    }
    facts.free &= !node.binds().map_or(0, Var::bit);
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_spelt_one_way() {
        let mut formulas = Formulas::new();
        let rows = formulas.intern(Node::Rows);
        let column = formulas.column(ColumnId(0));
        let back = formulas.reverse(column);
        assert_eq!(formulas.intern(Node::Reverse(back)), column);

        let x = formulas.intern(Node::Var(Var(0)));
        let body = formulas.join(back, x);
        let lambda = formulas.lambda(Var(0), body);
        let straight = formulas.join(back, rows);
        assert_eq!(formulas.intern(Node::Join(lambda, rows)), straight);

        let turned = formulas.reverse(lambda);
        let entity = formulas.entity(EntityId(0));
        assert_eq!(formulas.join(turned, entity), formulas.join(column, entity));
        assert!(formulas.is_open(body) && !formulas.is_open(lambda));
        assert_eq!((formulas.size(straight), formulas.depth(straight)), (4, 3));
    }
}
