//! Parsing requests. A request has a table, given in full or by its id, and what is to be done with it; it is a JSON object
//! ([`json`]) or a form with the same field names ([`form`]). Texts are borrowed from the body where possible, since tables
//! can be large. The types of this module also describe the requests in the description of the API.

mod fields;
pub(crate) mod form;
pub(crate) mod json;
pub(crate) mod table;

use crate::body::Content;
use crate::failure::{Failure, Reply};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use std::borrow::Cow;
use std::str::FromStr;
use tabwise::table::{Format, ReadSettings, Repair, Repairs};

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wants {
    Table,
    Answer,
    Execution,
    Correction,
}

impl Wants {
    pub(crate) const ALL: [Wants; 4] = [Wants::Table, Wants::Answer, Wants::Execution, Wants::Correction];
}

/// A parsed request.
pub(crate) struct Asked<'a> {
    pub table: GivenTable<'a>,
    pub question: Option<String>,
    /// Several questions in one request.
    pub questions: Option<Vec<String>>,
    /// Formula to execute, or that is right.
    pub formula: Option<String>,
    /// Values of the right answer.
    pub answer: Option<Vec<String>>,
    pub top: Option<usize>,
    /// Confidence below which an answer abstains.
    pub min_confidence: Option<f64>,
    /// True for every value of a long answer.
    pub all: bool,
}

/// A table as the client gave it.
pub(crate) enum GivenTable<'a> {
    /// The id of a stored table.
    Stored(String),
    /// The content of a file or a text, and the settings to read it with.
    Bytes { bytes: Cow<'a, [u8]>, name: Option<String>, settings: Box<ReadSettings> },
}

impl<'a> Asked<'a> {
    /// A request for a table, and nothing else.
    pub(crate) fn of(table: GivenTable<'a>) -> Asked<'a> {
        Asked {
            table,
            question: None,
            questions: None,
            formula: None,
            answer: None,
            top: None,
            min_confidence: None,
            all: false,
        }
    }

    /// A request for a stored table.
    pub(crate) fn stored(id: String) -> Asked<'a> {
        Asked::of(GivenTable::Stored(id))
    }

    /// Parses a body.
    pub(crate) fn read(content: &'a Content, wants: Wants) -> Reply<Asked<'a>> {
        match content {
            Content::Json(bytes) => json::read(bytes, wants),
            Content::Form(fields) => form::read(fields, wants),
        }
    }
}

/// Number of questions in a body, found without reading its table; that of a body which is no request may be anything.
pub(crate) fn question_count(content: &Content) -> usize {
    match content {
        Content::Json(bytes) => json::question_count(bytes),
        Content::Form(fields) => fields.iter().filter(|field| field.name == "question").count(),
    }
}

/// The formats that are text, and so fit into a JSON string.
fn text_formats() -> impl Iterator<Item = Format> {
    Format::ALL.iter().copied().filter(|format| format.is_text())
}

/// Maximum number of interpretations in a response.
const MOST_MEANINGS: usize = 20;

/// Checks a number of interpretations.
fn meanings(given: Option<usize>) -> Reply<Option<usize>> {
    match given {
        Some(top) if !(1..=MOST_MEANINGS).contains(&top) => {
            Err(Failure::bad(format!("\"top\" must be a number from 1 to {MOST_MEANINGS}")))
        }
        given => Ok(given),
    }
}

/// Checks a confidence.
fn probability(given: Option<f64>) -> Reply<Option<f64>> {
    match given {
        Some(p) if !(0.0..=1.0).contains(&p) => Err(Failure::bad("\"min_confidence\" must be a number from 0 to 1")),
        given => Ok(given),
    }
}

/// The default settings for a text in a format, or for a file.
fn settings_of(format: Option<Format>) -> ReadSettings {
    // A JSON string is Unicode, whatever a `<meta charset>` in the text says.
    let encoding = format.map(|_| "utf-8".to_owned());
    ReadSettings { format, encoding, ..ReadSettings::default() }
}

/// A setting by name, or its default.
fn named<T: Default + FromStr<Err = String>>(name: Option<String>) -> Reply<T> {
    name.map_or(Ok(T::default()), |name| name.parse().map_err(Failure::bad))
}

/// What becomes of rows of totals: the default, and the other.
const TOTALS: [&str; 2] = ["leave-out", "keep"];

/// The repairs: all of them, or all but leaving out rows of totals.
fn repairs(totals: Option<&str>) -> Reply<Repairs> {
    let [leave_out, keep] = TOTALS;
    match totals {
        None => Ok(Repairs::default()),
        Some(name) if name == leave_out => Ok(Repairs::default()),
        Some(name) if name == keep => Ok(Repairs::default().without(Repair::TotalRows)),
        Some(_) => Err(Failure::bad(format!("\"totals\" must be \"{leave_out}\" or \"{keep}\""))),
    }
}

/// The id or name in the address of a request. One that is not UTF-8 belongs to nothing.
pub(crate) struct Id(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Reply<Id> {
        let Path(id) = Path::from_request_parts(parts, state).await.map_err(|_| Failure::nothing())?;
        Ok(Id(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_every_format() {
        let page = include_str!("../../web/index.html");
        let (_, accept) = page.split_once("accept=\"").expect("the page has a field for a file");
        let accepted: Vec<&str> = accept.split('"').next().unwrap_or("").split(',').collect();
        for format in Format::ALL {
            assert!(page.contains(format.title()), "index.html: no {}", format.title());
            for ending in format.endings() {
                assert!(accepted.contains(&format!(".{ending}").as_str()), "index.html: accept lacks .{ending}");
            }
        }
    }
}
