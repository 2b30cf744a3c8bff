//! What a client asks for: a table, given in full or by its id, and a question. It is said in JSON or in the fields of a
//! form, with the same names.

use crate::body::{Content, Field};
use crate::failure::{Failure, Reply};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use tabwise::table::{Choice, Format, ReadSettings};

/// A request, read.
pub struct Asked<'a> {
    pub table: Given<'a>,
    pub question: Option<String>,
    pub top: Option<usize>,
}

/// A table as it was given.
pub enum Given<'a> {
    /// One that is kept, by its id.
    Kept(String),
    /// The bytes of a file or a text, and how to read them.
    Bytes { bytes: Cow<'a, [u8]>, name: Option<String>, settings: Box<ReadSettings> },
}

impl<'a> Asked<'a> {
    /// Reads what was sent.
    pub fn read(content: &'a Content) -> Reply<Asked<'a>> {
        match content {
            Content::Json(bytes) => of_json(bytes),
            Content::Form(fields) => of_form(fields),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonRequest<'a> {
    #[serde(borrow)]
    table: JsonTable<'a>,
    question: Option<String>,
    top: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonTable<'a> {
    id: Option<String>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    csv: Option<Cow<'a, str>>,
    #[serde(borrow)]
    tsv: Option<Cow<'a, str>>,
    #[serde(borrow)]
    html: Option<Cow<'a, str>>,
    #[serde(borrow)]
    markdown: Option<Cow<'a, str>>,
    #[serde(borrow)]
    json: Option<&'a RawValue>,
    #[serde(borrow)]
    jsonl: Option<Cow<'a, str>>,
    name: Option<String>,
    select: Option<String>,
    table: Option<NumberOrText>,
    sheet: Option<NumberOrText>,
}

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

const ONE_TABLE: &str =
    "give one table: an \"id\", or a text as \"csv\", \"tsv\", \"html\", \"json\", \"jsonl\", \"markdown\" or \"text\"";

fn of_json(bytes: &[u8]) -> Reply<Asked<'_>> {
    let request: JsonRequest = serde_json::from_slice(bytes)
        .map_err(|error| Failure::bad(format!("the JSON body is not a request: {error}; see /api/openapi.json")))?;
    Ok(Asked { table: request.table.given()?, question: request.question, top: request.top })
}

impl<'a> JsonTable<'a> {
    fn given(self) -> Reply<Given<'a>> {
        let json = self.json.map(|json| match serde_json::from_str::<String>(json.get()) {
            Ok(text) => Cow::Owned(text),
            Err(_) => Cow::Borrowed(json.get()),
        });
        let texts = [
            (self.text, None),
            (self.csv, Some(Format::Csv)),
            (self.tsv, Some(Format::Tsv)),
            (self.html, Some(Format::Html)),
            (self.markdown, Some(Format::Markdown)),
            (json, Some(Format::Json)),
            (self.jsonl, Some(Format::JsonLines)),
        ];
        let mut texts = texts.into_iter().filter_map(|(text, format)| text.map(|text| (text, format)));
        match (self.id, texts.next(), texts.next()) {
            (Some(id), None, _) => Ok(Given::Kept(id)),
            (None, Some((text, format)), None) => {
                let settings =
                    settings(format, self.select, self.table.map(Choice::from), self.sheet.map(Choice::from));
                Ok(Given::Bytes { bytes: into_bytes(text), name: self.name, settings })
            }
            _ => Err(Failure::bad(ONE_TABLE)),
        }
    }
}

fn into_bytes(text: Cow<str>) -> Cow<[u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

fn settings(
    format: Option<Format>,
    select: Option<String>,
    table: Option<Choice>,
    sheet: Option<Choice>,
) -> Box<ReadSettings> {
    // A text that came in JSON is UTF-8, whatever it says of itself.
    let encoding = format.map(|_| "utf-8".to_owned());
    Box::new(ReadSettings { format, encoding, select, table, sheet, ..ReadSettings::default() })
}

fn of_form(fields: &[Field]) -> Reply<Asked<'_>> {
    const KNOWN: [&str; 8] = ["file", "text", "id", "question", "top", "select", "table", "sheet"];
    if let Some(field) = fields.iter().find(|field| !KNOWN.contains(&field.name.as_str())) {
        let name: String = field.name.chars().take(40).collect();
        return Err(Failure::bad(format!("there is no field \"{name}\"; there are {}", KNOWN.join(", "))));
    }
    let top = word(fields, "top")?.map(|top| top.trim().parse().map_err(|_| Failure::bad("\"top\" must be a number")));
    Ok(Asked { table: form_table(fields)?, question: word(fields, "question")?, top: top.transpose()? })
}

fn form_table(fields: &[Field]) -> Reply<Given<'_>> {
    let file = fields.iter().find(|field| field.name == "file" || field.name == "text");
    match (word(fields, "id")?, file) {
        (Some(id), None) => Ok(Given::Kept(id)),
        (None, Some(file)) => {
            let choice = |name| Ok(word(fields, name)?.map(|text| Choice::from(text.as_str())));
            let settings = settings(None, word(fields, "select")?, choice("table")?, choice("sheet")?);
            Ok(Given::Bytes { bytes: Cow::Borrowed(&file.bytes), name: file.file_name.clone(), settings })
        }
        _ => Err(Failure::bad("give one table: a \"file\", a \"text\", or an \"id\"")),
    }
}

/// The text of a field that is not a file; an empty one counts as not given.
fn word(fields: &[Field], name: &str) -> Reply<Option<String>> {
    let Some(field) = fields.iter().find(|field| field.name == name) else { return Ok(None) };
    let text = std::str::from_utf8(&field.bytes);
    let text = text.map_err(|_| Failure::bad(format!("the field \"{name}\" is not UTF-8 text")))?;
    Ok(Some(text.to_owned()).filter(|text| !text.is_empty()))
}
