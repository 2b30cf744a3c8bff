//! The text form of formulas. [`read`] is the inverse of [`show`]: the text of a formula reads back as the same formula
//! on the same table.
//!
//! ```text
//! R[Year].argmax(Country.Greece, Index)              the Year of the last row where Country is Greece
//! count(City."St. Louis" & Year.Number.<.1990)       names with spaces or signs are quoted
//! argmax(R[City].Rows, R[λx[count(City.x)]])         `lambda x[..]` is read as well
//! group(R[City].Rows, R[λx[count(City.x)]])          the number of rows for each City
//! argmax(Rows, sub[λx[Home.Number.x], λx[Away.Number.x]], 3)
//!                                                    the 3 rows where Home is the most above Away
//! ```
//!
//! A name in front of a dot is a column, elsewhere an entity. [`paper`] prints formulas with the paper's signs.

mod number;
mod read;
mod show;
mod similar;
mod terms;

pub use number::read_date;
pub use read::{read, read_template};
pub use show::{paper, show};

use super::{Aggregate, Arithmetic, Superlative, Test, TextTest, Var};
use crate::graph::Reading;

/// Words of the notation: a column or an entity of that name must be quoted.
const RESERVED: [&str; 11] = ["R", "Rows", "Next", "Index", "Run", "lambda", "mark", "Type", "and", "or", "λ"];

/// Error in the text of a formula: where it is and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {at} of the formula: {problem}")]
pub struct NotationError {
    /// Position in characters, from 1.
    pub at: usize,
    /// Description of the error, with a suggestion if there is one.
    pub problem: String,
}

/// Tells if a name can be written without quotes and still be read back as a name.
fn is_bare(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(char::is_alphabetic)
        && chars.all(is_name_char)
        && !RESERVED.contains(&name)
        && Var::named(name).is_none()
        && !is_reserved(name)
        && !name.starts_with("XXXX")
        && !name.starts_with('λ')
        && Reading::ALL.iter().all(|r| r.name() != name)
}

/// Tells if a name is that of a function that is always quoted as a name. The others are names unless a parenthesis or a
/// bracket follows, so that formulas with a column called `days` are written as they always were.
fn is_reserved(name: &str) -> bool {
    match function(name) {
        Some(Function::Aggregate(op)) => op != Aggregate::Median,
        Some(Function::Arithmetic(op)) => !matches!(op, Arithmetic::Share | Arithmetic::Days | Arithmetic::Months),
        Some(Function::Superlative(_)) => true,
        Some(Function::Test(_) | Function::Text(_)) => false,
        Some(Function::Group | Function::Having | Function::Except | Function::Exists) => false,
        None => false,
    }
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Operation that is written like a function call.
#[derive(Clone, Copy)]
enum Function {
    Aggregate(Aggregate),
    Superlative(Superlative),
    Arithmetic(Arithmetic),
    Test(Test),
    Text(TextTest),
    Group,
    Having,
    Except,
    Exists,
}

/// Finds a function by its name.
fn function(name: &str) -> Option<Function> {
    let aggregate = Aggregate::ALL.into_iter().find(|op| op.name() == name).map(Function::Aggregate);
    let superlative = Superlative::ALL.into_iter().find(|op| op.name() == name).map(Function::Superlative);
    let arithmetic = Arithmetic::ALL.into_iter().find(|op| op.name() == name).map(Function::Arithmetic);
    let test = Test::ALL.into_iter().find(|op| op.name() == name).map(Function::Test);
    let text = TextTest::ALL.into_iter().find(|op| op.name() == name).map(Function::Text);
    let other = match name {
        "group" => Some(Function::Group),
        "having" => Some(Function::Having),
        "except" => Some(Function::Except),
        "exists" => Some(Function::Exists),
        _ => None,
    };
    aggregate.or(superlative).or(arithmetic).or(test).or(text).or(other)
}
