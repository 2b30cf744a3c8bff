//! A table in a JSON request: its id, its rows, or a text in one of the formats.

use super::fields::{reading, text};
use super::{GivenTable, named, repairs, settings_of, text_formats};
use crate::failure::{Failure, Reply};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use tabwise::table::{Choice, Format, ReadSettings};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AdditionalProperties, ArrayBuilder, Object, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

/// A table in JSON. Besides these fields there is one for each text format, named after it (`csv`, `html`, …), which is
/// why deserialising and the schema are written by hand.
#[derive(Default)]
pub(crate) struct JsonTable<'a> {
    id: Option<String>,
    texts: Vec<FormattedText<'a>>,
    name: Option<String>,
    select: Option<String>,
    table: Option<NumberOrText>,
    sheet: Option<NumberOrText>,
    orientation: Option<String>,
    header: Option<String>,
    totals: Option<String>,
}

/// A text and its format, or `None` to detect the format.
type FormattedText<'a> = (Option<Format>, Cow<'a, str>);

impl JsonTable<'_> {
    /// Names of the fields of which a table has exactly one.
    pub(crate) fn sources() -> impl Iterator<Item = &'static str> {
        ["id", "rows", "text"].into_iter().chain(text_formats().map(Format::name))
    }
}

impl PartialSchema for JsonTable<'_> {
    fn schema() -> RefOr<Schema> {
        let mut table = ObjectBuilder::new()
            .description(Some("One table: its id, its rows, or a text. The format of \"text\" is detected."))
            .property("id", text("Id of an uploaded table or of an example."))
            .property("rows", rows())
            .property("text", filled("A table in any of the formats."));
        for format in text_formats() {
            table = match format {
                Format::Json => table.property(format.name(), json_value(format.about())),
                _ => table.property(format.name(), filled(format.about())),
            };
        }
        table = table.property("name", text("File name; its ending is a hint at the format."));
        for (name, schema) in reading() {
            table = table.property(name, schema);
        }
        table.additional_properties(Some(AdditionalProperties::FreeForm(false))).into()
    }
}

impl ToSchema for JsonTable<'_> {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Table")
    }
}

/// Schema of a text that is not empty.
fn filled(about: &str) -> Object {
    ObjectBuilder::from(text(about)).min_length(Some(1)).build()
}

/// Schema of the rows of a table.
fn rows() -> Schema {
    let row = ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::Object, Type::Array]));
    let about = "Rows as objects, or as lists of which the first has the names of the columns.";
    ArrayBuilder::new().min_items(Some(1)).items(row).description(Some(about)).into()
}

/// Schema of plain JSON, or of a string that holds it.
fn json_value(about: &str) -> Schema {
    let types = SchemaType::from_iter([Type::Array, Type::Object, Type::String]);
    ObjectBuilder::new().schema_type(types).description(Some(format!("{about} It may stand in a string."))).into()
}

impl<'de: 'a, 'a> Deserialize<'de> for JsonTable<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<JsonTable<'a>, D::Error> {
        from.deserialize_map(TableVisitor)
    }
}

/// Deserialises a [`JsonTable`].
struct TableVisitor;

impl<'de> Visitor<'de> for TableVisitor {
    type Value = JsonTable<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonTable<'de>, A::Error> {
        let mut table = JsonTable::default();
        while let Some(field) = map.next_key::<String>()? {
            match field.as_str() {
                "id" => set(&mut table.id, &field, &mut map)?,
                "name" => set(&mut table.name, &field, &mut map)?,
                "select" => set(&mut table.select, &field, &mut map)?,
                "table" => set(&mut table.table, &field, &mut map)?,
                "sheet" => set(&mut table.sheet, &field, &mut map)?,
                "orientation" => set(&mut table.orientation, &field, &mut map)?,
                "header" => set(&mut table.header, &field, &mut map)?,
                "totals" => set(&mut table.totals, &field, &mut map)?,
                "rows" => {
                    let rows = map.next_value::<Option<&RawValue>>()?;
                    table.texts.extend(rows.map(|rows| (Some(Format::Json), Cow::Borrowed(rows.get()))));
                }
                "text" => table.texts.extend(map.next_value::<Option<Text>>()?.map(|text| (None, text.0))),
                _ => table.texts.extend(text_of_format(&field, &mut map)?),
            }
        }
        Ok(table)
    }
}

/// A string that is borrowed if it has no escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// Sets a field, which may be given only once.
fn set<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    place: &mut Option<T>,
    field: &str,
    map: &mut A,
) -> Result<(), A::Error> {
    if place.is_some() {
        return Err(Error::custom(format_args!("duplicate field `{field}`")));
    }
    *place = map.next_value()?;
    Ok(())
}

/// Reads a field that is named after a text format. For `json`, the value may be a string or plain JSON.
fn text_of_format<'de, A: MapAccess<'de>>(field: &str, map: &mut A) -> Result<Option<FormattedText<'de>>, A::Error> {
    let format = text_formats().find(|format| format.name() == field);
    let format = format.ok_or_else(|| Error::custom(format_args!("unknown field `{field}`; {}", one_table())))?;
    let text = match format {
        Format::Json => map.next_value::<Option<&RawValue>>()?.map(json_text),
        _ => map.next_value::<Option<Text>>()?.map(|text| text.0),
    };
    Ok(text.map(|text| (Some(format), text)))
}

/// The text of a `json` field: the content of a string, or else the JSON itself.
fn json_text(json: &RawValue) -> Cow<'_, str> {
    serde_json::from_str(json.get()).map_or_else(|_| Cow::Borrowed(json.get()), Cow::Owned)
}

/// A choice of a table or a sheet: by number, or by name.
#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(usize),
    Text(String),
}

impl From<NumberOrText> for Choice {
    fn from(given: NumberOrText) -> Choice {
        match given {
            NumberOrText::Number(number) => Choice::Number(number),
            NumberOrText::Text(text) => Choice::from(text.as_str()),
        }
    }
}

/// Error message for requests without a table or with several.
fn one_table() -> String {
    let names: String = text_formats().map(|format| format!("\"{}\", ", format.name())).collect();
    format!("give one table: an \"id\", \"rows\" as a list of lists or objects, or a text as {names}or \"text\"")
}

impl<'a> JsonTable<'a> {
    /// Checks that there is exactly one table.
    pub(super) fn given(self) -> Reply<GivenTable<'a>> {
        let mut texts = self.texts.into_iter();
        match (self.id, texts.next(), texts.next()) {
            (Some(id), None, _) => Ok(GivenTable::Stored(id)),
            (None, Some((format, text)), None) => {
                let settings = ReadSettings {
                    select: self.select,
                    table: self.table.map(Choice::from),
                    sheet: self.sheet.map(Choice::from),
                    orientation: named(self.orientation)?,
                    header: named(self.header)?,
                    repairs: repairs(self.totals.as_deref())?,
                    ..settings_of(format)
                };
                Ok(GivenTable::Bytes { bytes: into_bytes(text), name: self.name, settings: Box::new(settings) })
            }
            _ => Err(Failure::bad(one_table())),
        }
    }
}

fn into_bytes(text: Cow<str>) -> Cow<[u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_given_once() {
        fn given(text: &str) -> Reply<GivenTable<'_>> {
            serde_json::from_str::<JsonTable>(text).map_err(|error| Failure::bad(error.to_string()))?.given()
        }
        for format in text_formats() {
            let body = format!(r#"{{"{}": "[]"}}"#, format.name());
            let Ok(GivenTable::Bytes { bytes, settings, .. }) = given(&body) else { panic!("{body} is not taken") };
            assert_eq!((&*bytes, settings.format), (&b"[]"[..], Some(format)));
        }
        for body in [r#"{"csv": "a", "csv": "b"}"#, r#"{"id": "a", "id": "b"}"#, "{}"] {
            assert!(given(body).is_err(), "{body}");
        }
    }
}
