//! Members of a formula: their kind, the places where they may be found, and if there are several. Parts that cannot
//! fit together are told apart by these alone.

use super::cell::Entry;
use crate::execute::{Denotation, Item, Outcome};
use crate::features::Scene;
use crate::formula::types::Type;
use crate::grammar::Category;
use crate::question::Places;
use crate::value::Value;

/// Summary of a formula's members.
#[derive(Clone, Copy)]
pub(super) struct Members {
    /// Kind of the members; of a relation, the kind of its values.
    pub kind: Type,
    /// Places where they may be found; of a relation or function, what it may be joined with.
    pub places: Places,
    /// More than one member.
    pub is_many: bool,
    /// Members that are only described, as all numbers above 5 are: nothing can be made of them.
    pub is_endless: bool,
}

impl Members {
    /// One thing that words or a header name.
    pub(super) fn named(kind: Type, places: Places) -> Members {
        Members { kind, places, is_many: false, is_endless: false }
    }

    /// A function leads to numbers or dates, and may be applied to whatever its first part may. A key leads to what its
    /// column does, and a relation that is computed to numbers.
    pub(super) fn of_function(category: Category, parts: &[&Entry]) -> Members {
        let places = parts.first().map_or(Places::ANY, |first| first.places);
        let (kind, places) = match category {
            Category::Relation => (Type::NUMBER, Places::NUMBER),
            Category::Key | Category::Scope => (parts.first().map_or(Type::ANY, |first| first.kind), places),
            _ => (Type::NUMBER, places),
        };
        Members { kind, places, is_many: true, is_endless: false }
    }

    /// Members of a denotation.
    pub(super) fn of_denotation(outcome: &Outcome, scene: Scene) -> Members {
        match outcome.as_deref() {
            Ok(Denotation::Rows(rows)) => {
                Members { kind: Type::ROW, places: Places::NONE, is_many: rows.is_many(), is_endless: false }
            }
            Ok(Denotation::Values(items)) => {
                let (kind, places) = match items.first().map(|item| item.value) {
                    Some(Value::Number(_)) => (Type::NUMBER, Places::NUMBER),
                    Some(Value::Date(_)) => (Type::DATE, Places::DATE),
                    Some(Value::Truth(_)) => (Type::TRUTH, Places::NONE),
                    _ => (Type::ENTITY, items.iter().fold(Places::NONE, |all, item| all.or(place(item, scene)))),
                };
                Members { kind, places, is_many: items.len() > 1, is_endless: false }
            }
            Ok(Denotation::Passing(filter)) => {
                let (kind, places) = match filter.bound() {
                    Some(Value::Date(_)) => (Type::DATE, Places::DATE),
                    Some(Value::Number(_)) => (Type::NUMBER, Places::NUMBER),
                    _ => (Type::ENTITY, Places::ANY),
                };
                Members { kind, places, is_many: true, is_endless: !filter.is_about_entities() }
            }
            Ok(Denotation::Groups(_)) => {
                Members { kind: Type::TABLE, places: Places::NONE, is_many: true, is_endless: true }
            }
            Err(_) => Members { kind: Type::ANY, places: Places::ANY, is_many: true, is_endless: false },
        }
    }
}

/// The column that an item was read from, or else every column that holds it.
fn place(item: &Item, scene: Scene) -> Places {
    match (item.cell, item.value) {
        (Some(cell), _) => Places::column(cell.column),
        (None, Value::Entity(entity)) => scene.vocabulary.places(entity),
        _ => Places::NONE,
    }
}
