//! Enums whose variants have names ([`Named`]), and sets of them ([`Set`]). The `named!` macro declares the variants,
//! their spelling and their description in one place, so that a list of all variants or of their names cannot miss one.

use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize, Serializer};
use std::marker::PhantomData;

/// An enum whose variants are written and read by name.
pub trait Named: Copy + Eq + 'static {
    /// Noun for one variant, for messages: "pruner".
    const KIND: &'static str;
    /// Every variant, in the order in which they are declared.
    const ALL: &'static [Self];

    /// Spelling of the variant.
    fn name(self) -> &'static str;

    /// One line on the variant, for people.
    fn doc(self) -> &'static str;

    /// Number of the variant, below 64. It is stored in models where the declaration gives it explicitly.
    fn id(self) -> u8;

    /// Finds a variant by its spelling.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|variant| variant.name() == name)
    }
}

/// Declares an enum that implements [`Named`]: `Variant => "spelling"`, or `Variant = 3 => "spelling"` with an explicit
/// id. The doc comment of a variant is also its description at run time.
macro_rules! named {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Name:ident is $kind:literal {
            $(#[doc = $doc:literal] $(#[$variant_meta:meta])* $Variant:ident $(= $id:literal)? => $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $Name {
            $(#[doc = $doc] $(#[$variant_meta])* $Variant $(= $id)?,)+
        }

        impl $Name {
            /// Every variant, in the order in which they are declared.
            $vis const ALL: [$Name; [$($name),+].len()] = [$($Name::$Variant),+];

            /// Spelling of the variant.
            $vis const fn name(self) -> &'static str {
                match self {
                    $($Name::$Variant => $name,)+
                }
            }
        }

        impl $crate::named::Named for $Name {
            const KIND: &'static str = $kind;
            const ALL: &'static [$Name] = &$Name::ALL;

            fn name(self) -> &'static str {
                self.name()
            }

            fn doc(self) -> &'static str {
                match self {
                    $($Name::$Variant => $doc.trim_ascii(),)+
                }
            }

            fn id(self) -> u8 {
                self as u8
            }
        }
    };
}
pub(crate) use named;

/// A set of variants of an enum. It is serialized as the list of their names; an unknown name is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set<T> {
    /// Bit `n` is set if the variant with id `n` is in the set.
    bits: u64,
    of: PhantomData<T>,
}

impl<T: Named> Set<T> {
    /// Set without members.
    pub const EMPTY: Set<T> = Set { bits: 0, of: PhantomData };

    /// Set of these variants.
    pub fn of(variants: &[T]) -> Set<T> {
        variants.iter().fold(Set::EMPTY, |set, variant| set.with(*variant))
    }

    /// The same set with one more variant.
    pub fn with(self, variant: T) -> Set<T> {
        Set { bits: self.bits | 1 << variant.id(), ..self }
    }

    /// The same set without a variant.
    pub fn without(self, variant: T) -> Set<T> {
        Set { bits: self.bits & !(1 << variant.id()), ..self }
    }

    /// Tells if a variant is in the set.
    pub fn has(self, variant: T) -> bool {
        self.bits >> variant.id() & 1 == 1
    }

    /// Members in the order of their declaration.
    pub fn iter(self) -> impl Iterator<Item = T> {
        T::ALL.iter().copied().filter(move |variant| self.has(*variant))
    }
}

impl<T: Named> Serialize for Set<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.iter().map(T::name).collect::<Vec<_>>().serialize(serializer)
    }
}

impl<'de, T: Named> Deserialize<'de> for Set<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Set<T>, D::Error> {
        let names: Vec<String> = Vec::deserialize(deserializer)?;
        let variants = names.iter().map(|name| T::named(name).ok_or_else(|| D::Error::custom(unknown::<T>(name))));
        Ok(Set::of(&variants.collect::<Result<Vec<T>, _>>()?))
    }
}

/// Error message for a name that no variant has.
fn unknown<T: Named>(name: &str) -> String {
    let names: Vec<&str> = T::ALL.iter().map(|variant| variant.name()).collect();
    format!("there is no {} {name:?}; there are {}", T::KIND, names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    named! {
        /// A few things.
        enum Thing is "thing" {
            /// The first one.
            One = 3 => "one",
            /// The second one.
            Two = 1 => "two",
        }
    }

    #[test]
    fn sets_are_written_by_name() {
        let both = Set::of(&[Thing::Two, Thing::One]);
        assert_eq!(serde_json::to_string(&both).unwrap(), r#"["one","two"]"#);
        assert_eq!(serde_json::from_str::<Set<Thing>>(r#"["two"]"#).unwrap(), both.without(Thing::One));
        assert_eq!((Thing::One.id(), Thing::Two.doc()), (3, "The second one."));
    }

    #[test]
    fn unknown_names_are_errors() {
        let error = serde_json::from_str::<Set<Thing>>(r#"["two", "tow"]"#).unwrap_err().to_string();
        assert!(error.starts_with(r#"there is no thing "tow"; there are one, two"#), "{error}");
    }
}
