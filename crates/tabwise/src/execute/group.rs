//! Execution of groups and of conditions on them: each different value of a list with its partners in a binary.

use super::keys::ValueKey;
use super::lambda::Bound;
use super::{Denotation, Executor, Group, Item, Undefined};
use crate::formula::FormulaId;
use crate::value::Value;
use rustc_hash::FxHashSet;

impl Executor<'_> {
    /// `group(u, b)`: values without a partner have no line.
    pub(super) fn group(&mut self, of: &Denotation, key: FormulaId) -> Result<Denotation, Undefined> {
        let quick = self.value_key(key);
        let (mut groups, mut bytes) = (Vec::new(), 0);
        for member in self.values_of(of)? {
            let values = self.keys(quick.as_ref(), member, key)?;
            bytes += size_of::<Group>() + values.len() * size_of::<Item>();
            self.has_room(bytes)?;
            if let (Bound::Value(key), false) = (member, values.is_empty()) {
                groups.push(Group { key, values });
            }
        }
        Ok(Denotation::Groups(groups))
    }

    /// `having(u, b, v)`: the items whose value has a partner in `v`.
    pub(super) fn having(
        &mut self,
        of: &Denotation,
        key: FormulaId,
        wanted: &Denotation,
    ) -> Result<Denotation, Undefined> {
        let (quick, wanted): (Option<ValueKey>, _) = (self.value_key(key), wanted.filter()?);
        let mut kept: FxHashSet<Value> = FxHashSet::default();
        for member in self.values_of(of)? {
            let partners = self.keys(quick.as_ref(), member, key)?;
            if let Bound::Value(item) = member
                && partners.iter().any(|partner| wanted.passes(self.graph, partner.value))
            {
                kept.insert(item.value);
            }
        }
        let items = self.list(of)?;
        self.those(&items, |item| kept.contains(&item.value))
    }

    /// Different values of a list; an error for rows.
    fn values_of(&mut self, of: &Denotation) -> Result<Vec<Bound>, Undefined> {
        match of {
            Denotation::Rows(_) => Err(Undefined::Type),
            _ => self.members(of),
        }
    }
}
