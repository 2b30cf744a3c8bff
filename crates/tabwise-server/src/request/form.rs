//! Requests as forms: fields with the names of those in JSON, and a file. A field that is repeated is a list.

use super::fields::{object, reading, text};
use super::json::{AskRequest, CorrectRequest, ExecRequest, TableRequest};
use super::{Asked, GivenTable, Wants, meanings, named, probability, repairs, settings_of};
use crate::body::Field;
use crate::failure::{Failure, Reply};
use std::borrow::Cow;
use std::str::FromStr;
use tabwise::table::{Choice, Format, ReadSettings};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, KnownFormat, Object, ObjectBuilder, Schema, SchemaFormat, Type,
};
use utoipa::{PartialSchema, ToSchema};

/// Fields of which one gives the table; those of [`reading`] say how to read it.
pub(crate) const TABLE: [&str; 3] = ["file", "text", "id"];

/// Fields of a form besides those of its table.
fn own(wants: Wants) -> &'static [&'static str] {
    match wants {
        Wants::Table => &[],
        Wants::Answer => &["question", "top", "min_confidence", "all"],
        Wants::Execution => &["formula", "all"],
        Wants::Correction => &["question", "formula", "answer", "top"],
    }
}

/// Parses a form.
pub(super) fn read(fields: &[Field], wants: Wants) -> Reply<Asked<'_>> {
    let known: Vec<&str> =
        TABLE.into_iter().chain(reading().map(|(name, _)| name)).chain(own(wants).iter().copied()).collect();
    if let Some(field) = fields.iter().find(|field| !known.contains(&field.name.as_str())) {
        let name: String = field.name.chars().take(40).collect();
        return Err(Failure::bad(format!("there is no field \"{name}\"; there are {}", known.join(", "))));
    }
    let mut questions = list(fields, "question")?;
    Ok(Asked {
        question: if questions.len() == 1 { questions.pop().filter(|text| !text.is_empty()) } else { None },
        questions: Some(questions).filter(|questions| !questions.is_empty()),
        formula: word(fields, "formula")?,
        answer: Some(list(fields, "answer")?).filter(|values| !values.is_empty()),
        top: meanings(value(fields, "top", "a number")?)?,
        min_confidence: probability(value(fields, "min_confidence", "a number")?)?,
        all: value(fields, "all", "true or false")?.unwrap_or(false),
        ..Asked::of(table(fields)?)
    })
}

/// The table of a form.
fn table(fields: &[Field]) -> Reply<GivenTable<'_>> {
    let file = fields.iter().find(|field| field.name == "file" || field.name == "text");
    match (word(fields, "id")?, file) {
        (Some(id), None) => Ok(GivenTable::Stored(id)),
        (None, Some(file)) => {
            let choice = |name| Ok(word(fields, name)?.map(|text| Choice::from(text.as_str())));
            let settings = ReadSettings {
                select: word(fields, "select")?,
                table: choice("table")?,
                sheet: choice("sheet")?,
                orientation: named(word(fields, "orientation")?)?,
                header: named(word(fields, "header")?)?,
                repairs: repairs(word(fields, "totals")?.as_deref())?,
                ..settings_of(None)
            };
            let (bytes, name) = (Cow::Borrowed(file.bytes.as_ref()), file.file_name.clone());
            Ok(GivenTable::Bytes { bytes, name, settings: Box::new(settings) })
        }
        _ => Err(Failure::bad("give one table: a \"file\", a \"text\", or an \"id\"")),
    }
}

/// The value of a field that is written as `kind`.
fn value<T: FromStr>(fields: &[Field], name: &str, kind: &str) -> Reply<Option<T>> {
    let parsed = word(fields, name)?.map(|text| text.trim().parse());
    parsed.transpose().map_err(|_| Failure::bad(format!("\"{name}\" must be {kind}")))
}

/// The texts of all fields of a name.
fn list(fields: &[Field], name: &str) -> Reply<Vec<String>> {
    fields.iter().filter(|field| field.name == name).map(utf8).collect()
}

/// The text of a form field. An empty field counts as absent, since browsers send all fields of a form.
fn word(fields: &[Field], name: &str) -> Reply<Option<String>> {
    let Some(field) = fields.iter().find(|field| field.name == name) else { return Ok(None) };
    Ok(Some(utf8(field)?).filter(|text| !text.is_empty()))
}

/// The text of a field.
fn utf8(field: &Field) -> Reply<String> {
    let text = std::str::from_utf8(&field.bytes);
    text.map(str::to_owned).map_err(|_| Failure::bad(format!("the field \"{}\" is not UTF-8 text", field.name)))
}

/// Declares the forms as types, for the description of the API.
macro_rules! forms {
    ($($Form:ident: $wants:expr, $Request:ident, $required:expr;)+) => {
        $(
            pub(crate) enum $Form {}

            impl PartialSchema for $Form {
                fn schema() -> RefOr<Schema> {
                    form($wants, &object::<$Request>(), &$required).into()
                }
            }

            impl ToSchema for $Form {}
        )+
    };
}

forms! {
    TableForm: Wants::Table, TableRequest, [];
    AskForm: Wants::Answer, AskRequest, ["question"];
    ExecForm: Wants::Execution, ExecRequest, ["formula"];
    CorrectForm: Wants::Correction, CorrectRequest, ["question"];
}

/// Schema of a form; its own fields are those of the request in JSON.
fn form(wants: Wants, request: &Object, required: &[&str]) -> Object {
    let binary = SchemaFormat::KnownFormat(KnownFormat::Binary);
    let file = ObjectBuilder::new().schema_type(Type::String).format(Some(binary)).description(Some(about_files()));
    let mut form = ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::FreeForm(false)))
        .property("file", file)
        .property("text", text("A table as text, instead of a file."))
        .property("id", text("Id of an uploaded table or of an example, instead of a file."));
    for (name, schema) in reading() {
        form = form.property(name, schema);
    }
    for name in own(wants) {
        let field = request.properties.get(*name).cloned().unwrap_or_default();
        form = match (wants, *name) {
            (Wants::Answer, "question") => {
                let several = ArrayBuilder::new().items(field).min_items(Some(1)).max_items(Some(100));
                form.property(*name, several.description(Some("A question; the field may be repeated.")))
            }
            _ => form.property(*name, field),
        };
    }
    required.iter().fold(form, |form, name| form.required(*name)).build()
}

fn about_files() -> String {
    let mut titles: Vec<&str> = Format::ALL.iter().map(|format| format.title()).collect();
    titles.dedup();
    format!("A file: {}. It may be compressed by gzip or zstd.", titles.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_own_field_is_one_of_the_request_in_json() {
        let requests =
            [object::<TableRequest>(), object::<AskRequest>(), object::<ExecRequest>(), object::<CorrectRequest>()];
        for (wants, request) in Wants::ALL.into_iter().zip(requests) {
            let mut fields: Vec<&str> = request.properties.keys().map(String::as_str).collect();
            // A form has the table's fields as its own, and repeats the question.
            fields.retain(|name| !["table", "questions"].contains(name));
            assert_eq!(own(wants), fields, "{wants:?}");
        }
    }
}
