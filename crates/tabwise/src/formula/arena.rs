//! The arena of formulas. Each distinct node is stored once, so formulas are equal if their ids are. Free variables,
//! size and depth are computed from the parts when a node is added, and looking them up costs nothing afterwards.

use super::{FormulaId, Node, Relation, TextId, TextTest, Var};
use crate::graph::{ColumnId, Reading};
use crate::value::{Date, EntityId, Value};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;

/// Arena that owns formulas and gives each an id.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    ids: Ids,
    /// Texts that formulas look for in cells, each once; few formulas have any.
    texts: Vec<String>,
    /// Reverse of each formula, if it was requested before: the search reverses the same few relations again and again.
    reverses: Vec<Option<FormulaId>>,
    /// Buffer of [`Formulas::join`], kept to save an allocation per join.
    path: Vec<FormulaId>,
}

/// Properties of a formula that follow from its parts.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// Free variables, as bits.
    free: u32,
    /// Number of nodes, as a tree.
    size: u32,
    /// Length of the longest path from the root to a leaf, in nodes.
    depth: u32,
}

/// Finds formulas by their nodes: an open hash table with linear probing, at least a quarter of it empty. It holds ids
/// alone and compares nodes in the arena. At four bytes a slot it stays in the processor's cache while the search adds
/// thousands of formulas; a `HashMap<Node, FormulaId>` would store every node a second time.
#[derive(Clone, Debug, Default)]
struct Ids(
    /// Ids plus one, in a power of two of slots.
    Vec<Option<NonZeroU32>>,
);

impl Ids {
    fn with_capacity(count: usize) -> Ids {
        Ids(vec![None; (4 * count / 3 + 1).next_power_of_two()])
    }

    /// Returns the formula of a node. A new node gives `None` and is entered as the next formula, which the caller must
    /// add.
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

    /// Slot where the search for a node begins.
    fn first(&self, node: &Node) -> usize {
        let mut hasher = FxHasher::default();
        node.hash(&mut hasher);
        // The number of slots is a power of two, so a mask replaces the division.
        hasher.finish() as usize & (self.0.len() - 1)
    }

    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.0.len() - 1)
    }

    /// Makes room for twice the nodes. Nothing is ever removed, so there are no deleted slots to skip.
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
    /// Depth up to which formulas are shown, typed and executed: all three recurse, and the stack is limited.
    pub const DEPTH: usize = 250;

    /// Makes an empty arena.
    pub fn new() -> Formulas {
        Formulas::default()
    }

    /// Makes an empty arena with room for `count` formulas.
    pub fn with_capacity(count: usize) -> Formulas {
        Formulas {
            nodes: Vec::with_capacity(count),
            facts: Vec::with_capacity(count),
            ids: Ids::with_capacity(count),
            ..Formulas::default()
        }
    }

    /// Number of formulas.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Tells if the arena has no formulas.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Node of a formula.
    pub fn node(&self, id: FormulaId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// Returns the formula of a node, adding it if it is new. Joins and reverses are brought to their normal form, as
    /// by [`Formulas::join`] and [`Formulas::reverse`].
    pub fn intern(&mut self, node: Node) -> FormulaId {
        match node {
            Node::Join(binary, unary) => self.join(binary, unary),
            Node::Reverse(binary) => self.reverse(binary),
            _ => self.keep(node),
        }
    }

    /// Returns the formula of a node exactly as given, without bringing it to a normal form.
    fn keep(&mut self, node: Node) -> FormulaId {
        if let Some(known) = self.ids.find_or_add(&self.nodes, &node) {
            return known;
        }
        let id = FormulaId(self.nodes.len() as u32);
        self.facts.push(facts_of(&self.facts, node));
        self.nodes.push(node);
        id
    }

    /// Returns the formula that denotes an entity.
    pub fn entity(&mut self, entity: EntityId) -> FormulaId {
        self.keep(Node::Value(Value::Entity(entity)))
    }

    /// Returns the formula that denotes a number.
    pub fn number(&mut self, n: f64) -> FormulaId {
        self.keep(Node::Value(Value::Number(n)))
    }

    /// Returns the formula that denotes a date.
    pub fn date(&mut self, date: Date) -> FormulaId {
        self.keep(Node::Value(Value::Date(date)))
    }

    /// Returns the formula of the texts that pass a test.
    pub fn text_test(&mut self, test: TextTest, text: &str) -> FormulaId {
        let id = self.text_id(text);
        self.keep(Node::Text(test, id))
    }

    /// Text that a formula looks for in cells.
    pub fn text(&self, id: TextId) -> &str {
        &self.texts[id.0 as usize]
    }

    /// Returns the id of a text, adding it if it is new.
    pub fn text_id(&mut self, text: &str) -> TextId {
        let at = self.texts.iter().position(|known| known == text).unwrap_or_else(|| {
            self.texts.push(text.to_string());
            self.texts.len() - 1
        });
        TextId(at as u32)
    }

    /// Returns the binary of a column.
    pub fn column(&mut self, column: ColumnId) -> FormulaId {
        self.keep(Node::Column(column))
    }

    /// Returns the binary of a reading.
    pub fn reading(&mut self, reading: Reading) -> FormulaId {
        self.keep(Node::Reading(reading))
    }

    /// Relation from a row to its cell in a column, or to a reading of that cell: `City`, `λx[Depth.Number.x]`.
    pub fn relation_to(&mut self, column: ColumnId, reading: Option<Reading>) -> FormulaId {
        let column = self.column(column);
        let Some(reading) = reading else { return column };
        let (reading, x) = (self.reading(reading), self.keep(Node::Var(Var(0))));
        let read = self.keep(Node::Join(reading, x));
        let body = self.keep(Node::Join(column, read));
        self.lambda(Var(0), body)
    }

    /// Returns `b.u` in its normal form: a lambda that is a chain of relations is replaced by joins with each of them,
    /// and a lambda joined with a single value is applied to it. Formulas that rules build in different ways thus get
    /// the same id, and the search keeps them once.
    pub fn join(&mut self, binary: FormulaId, unary: FormulaId) -> FormulaId {
        if let Some((relation, rows)) = self.restricted(binary) {
            let unary = self.among(unary, rows);
            return self.join(relation, unary);
        }
        let Node::Lambda(var, body) = self.node(binary) else { return self.keep(Node::Join(binary, unary)) };
        // Taken out while `self` is borrowed below, and put back at the end.
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        let is_chain = self.follow(var, body, |step| path.push(step));
        let joined = match self.node(unary) {
            _ if is_chain => path.iter().rev().fold(unary, |of, step| self.keep(Node::Join(*step, of))),
            // A value, or a variable that is bound to one member.
            Node::Value(_) => self.apply(var, body, unary),
            Node::Var(member) if member.0 < Var::WRITTEN => self.apply(var, body, unary),
            // The body is executed once for each member of the unary; putting a list in the place of the variable would
            // change the meaning of `λx[sub(R[Index].x, 1)].Rows`.
            _ => self.keep(Node::Join(binary, unary)),
        };
        self.path = path;
        joined
    }

    /// Returns `R[b]` in its normal form: the reverse of a reverse is the binary itself, and the reverse of a chain of
    /// relations is the chain of their reverses: `R[λx[R[Number].R[Year].x]]` is `λx[Year.Number.x]`.
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

    /// Reads `R[λx[b.x & u]]` as `R[b]` and `u`: following it is following `R[b]` from the members of `u` alone.
    fn restricted(&mut self, binary: FormulaId) -> Option<(FormulaId, FormulaId)> {
        let Node::Reverse(inner) = self.node(binary) else { return None };
        let Node::Lambda(var, body) = self.node(inner) else { return None };
        let Node::And(of, rows) = self.node(body) else { return None };
        let is_plain = self.chain(var, of).is_some() && self.facts[rows.0 as usize].free & var.bit() == 0;
        is_plain.then(|| {
            let relation = self.lambda(var, of);
            (self.reverse(relation), rows)
        })
    }

    /// Members of both, where all rows stand for no restriction.
    fn among(&mut self, all: FormulaId, some: FormulaId) -> FormulaId {
        match self.node(all) {
            Node::Rows => some,
            _ => self.keep(Node::And(all, some)),
        }
    }

    /// Builds a reverse that is not known yet.
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

    /// Returns `λx[body]`.
    pub fn lambda(&mut self, var: Var, body: FormulaId) -> FormulaId {
        self.keep(Node::Lambda(var, body))
    }

    /// Relations of `a.b.c.x`, outermost first; `None` if the body is not such a chain.
    pub fn chain(&self, var: Var, body: FormulaId) -> Option<Vec<FormulaId>> {
        let mut path = Vec::new();
        self.follow(var, body, |step| path.push(step)).then_some(path)
    }

    /// Calls `take` for each relation of `a.b.c.x`, outermost first. Returns true if the body is such a chain to its
    /// end.
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

    /// Tells if a binary relates each member by itself, as a column or a reading does. Comparisons need a single value
    /// on their right, so `<.x` for each x is not the same as `<.u`.
    fn is_plain(&self, binary: FormulaId) -> bool {
        self.relation(binary).is_some_and(|(relation, _)| match relation {
            Relation::Column(_) | Relation::Reading(_) | Relation::Next | Relation::Index | Relation::Run(_) => true,
            Relation::Across(..) => !self.is_open(binary),
            Relation::Compare(_) | Relation::Lambda(..) => false,
        })
    }

    /// Formulas directly inside this one, in the order of the notation.
    pub fn children(&self, id: FormulaId) -> impl Iterator<Item = FormulaId> + use<> {
        self.node(id).parts().map(|(part, _)| part)
    }

    /// Every formula inside this one, itself first, as often as it occurs.
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

    /// Tells if the formula has a free variable: one that nothing inside it binds.
    pub fn is_open(&self, id: FormulaId) -> bool {
        self.facts[id.0 as usize].free != 0
    }

    /// Number of nodes of the formula as a tree: shared parts count each time.
    pub fn size(&self, id: FormulaId) -> usize {
        self.facts[id.0 as usize].size as usize
    }

    /// Depth of the formula; a single node has depth 1.
    pub fn depth(&self, id: FormulaId) -> usize {
        self.facts[id.0 as usize].depth as usize
    }
}

/// Derives the facts of a node from those of its parts, which are always in the arena already.
fn facts_of(known: &[Facts], node: Node) -> Facts {
    let free = if let Node::Var(var) = node { var.bit() } else { 0 };
    let mut facts = Facts { free, size: 1, depth: 1 };
    for (part, _) in node.parts() {
        let part = known[part.0 as usize];
        facts.free |= part.free;
        // Parts are shared, so the size as a tree can double with every node.
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
