//! Parsing requests. A request has a table, given in full or by its id, and a question; it is a JSON object or a form
//! with the same field names. Texts are borrowed from the body where possible, since tables can be large.

use crate::body::{Content, Field};
use crate::failure::{Failure, Reply};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use tabwise::table::{Choice, Format, ReadSettings, Repair, Repairs};

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
    /// A request for a stored table.
    pub(crate) fn stored(id: String) -> Asked<'a> {
        Asked {
            table: GivenTable::Stored(id),
            question: None,
            questions: None,
            formula: None,
            answer: None,
            top: None,
            min_confidence: None,
            all: false,
        }
    }

    /// Parses a body.
    pub(crate) fn read(content: &'a Content) -> Reply<Asked<'a>> {
        match content {
            Content::Json(bytes) => of_json(bytes),
            Content::Form(fields) => of_form(fields),
        }
    }
}

/// A request in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonRequest<'a> {
    #[serde(borrow)]
    table: JsonTable<'a>,
    question: Option<String>,
    questions: Option<Vec<String>>,
    formula: Option<String>,
    answer: Option<Vec<String>>,
    top: Option<usize>,
    min_confidence: Option<f64>,
    #[serde(default)]
    all: bool,
}

/// A table in JSON. Besides these fields there is one for each text format, named after it (`csv`, `html`, …), which is
/// why deserialising is written by hand.
#[derive(Default)]
struct JsonTable<'a> {
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

/// The formats that are text, and so fit into a JSON string.
fn text_formats() -> impl Iterator<Item = Format> {
    Format::ALL.iter().copied().filter(|format| format.is_text())
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

fn of_json(bytes: &[u8]) -> Reply<Asked<'_>> {
    let request: JsonRequest = serde_json::from_slice(bytes)
        .map_err(|error| Failure::bad(format!("the JSON body is not a request: {error}; see /api/openapi.json")))?;
    let JsonRequest { table, question, questions, formula, answer, top, min_confidence, all } = request;
    Ok(Asked {
        table: table.given()?,
        question,
        questions,
        formula,
        answer,
        top,
        min_confidence: probability(min_confidence)?,
        all,
    })
}

/// Checks a confidence.
fn probability(given: Option<f64>) -> Reply<Option<f64>> {
    match given {
        Some(p) if !(0.0..=1.0).contains(&p) => Err(Failure::bad("\"min_confidence\" must be a number from 0 to 1")),
        given => Ok(given),
    }
}

impl<'a> JsonTable<'a> {
    /// Checks that there is exactly one table.
    fn given(self) -> Reply<GivenTable<'a>> {
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

/// The repairs: all of them, or all but leaving out rows of totals.
fn repairs(totals: Option<&str>) -> Reply<Repairs> {
    match totals {
        None | Some("leave-out") => Ok(Repairs::default()),
        Some("keep") => Ok(Repairs::default().without(Repair::TotalRows)),
        Some(_) => Err(Failure::bad("\"totals\" must be \"leave-out\" or \"keep\"")),
    }
}

fn of_form(fields: &[Field]) -> Reply<Asked<'_>> {
    const KNOWN: [&str; 15] = [
        "file",
        "text",
        "id",
        "question",
        "formula",
        "answer",
        "top",
        "min_confidence",
        "all",
        "select",
        "table",
        "sheet",
        "orientation",
        "header",
        "totals",
    ];
    if let Some(field) = fields.iter().find(|field| !KNOWN.contains(&field.name.as_str())) {
        let name: String = field.name.chars().take(40).collect();
        return Err(Failure::bad(format!("there is no field \"{name}\"; there are {}", KNOWN.join(", "))));
    }
    let top = word(fields, "top")?.map(|top| top.trim().parse().map_err(|_| Failure::bad("\"top\" must be a number")));
    let all = match word(fields, "all")?.as_deref() {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(Failure::bad("\"all\" must be true or false")),
    };
    let min_confidence = word(fields, "min_confidence")?.map(|text| text.trim().parse());
    let min_confidence = min_confidence.transpose().map_err(|_| Failure::bad("\"min_confidence\" must be a number"))?;
    let asked: Vec<&Field> = fields.iter().filter(|field| field.name == "question").collect();
    let values = fields.iter().filter(|field| field.name == "answer").map(utf8).collect::<Reply<Vec<String>>>()?;
    Ok(Asked {
        table: form_table(fields)?,
        question: word(fields, "question")?.filter(|_| asked.len() == 1),
        questions: if asked.len() > 1 { Some(asked.into_iter().map(utf8).collect::<Reply<_>>()?) } else { None },
        formula: word(fields, "formula")?,
        answer: Some(values).filter(|values| !values.is_empty()),
        top: top.transpose()?,
        min_confidence: probability(min_confidence)?,
        all,
    })
}

/// The table of a form.
fn form_table(fields: &[Field]) -> Reply<GivenTable<'_>> {
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
    use serde_json::Value;

    #[test]
    fn the_page_and_the_description_of_the_api_name_every_format() {
        let page = include_str!("../web/index.html");
        let (_, accept) = page.split_once("accept=\"").expect("the page has a field for a file");
        let accepted: Vec<&str> = accept.split('"').next().unwrap_or("").split(',').collect();
        let api: Value = serde_json::from_str(include_str!("../web/openapi.json")).expect("it is JSON");
        let table = &api["components"]["schemas"]["Table"];
        let choices = table["oneOf"].as_array().expect("a table is given in one of several ways");
        for format in Format::ALL {
            assert!(page.contains(format.title()), "index.html: no {}", format.title());
            for ending in format.endings() {
                assert!(accepted.contains(&format!(".{ending}").as_str()), "index.html: accept lacks .{ending}");
            }
        }
        for format in text_formats() {
            let name = format.name();
            assert!(table["properties"].get(name).is_some(), "openapi.json: Table has no property {name}");
            assert!(
                choices.iter().any(|choice| choice["required"][0] == name),
                "openapi.json: Table: oneOf lacks {name}"
            );
        }
    }

    #[test]
    fn a_table_is_given_once() {
        fn given(text: &str) -> Reply<GivenTable<'_>> {
            of_json(text.as_bytes()).map(|asked| asked.table)
        }
        for format in text_formats() {
            let body = format!(r#"{{"table": {{"{}": "[]"}}}}"#, format.name());
            let Ok(GivenTable::Bytes { bytes, settings, .. }) = given(&body) else { panic!("{body} is not taken") };
            assert_eq!((&*bytes, settings.format), (&b"[]"[..], Some(format)));
        }
        for body in
            [r#"{"table": {"csv": "a", "csv": "b"}}"#, r#"{"table": {"id": "a", "id": "b"}}"#, r#"{"table": {}}"#]
        {
            assert!(given(body).is_err(), "{body}");
        }
    }
}
