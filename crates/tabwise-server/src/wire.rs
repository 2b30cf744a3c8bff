//! Messages between the server and its workers. A worker gets a [`Job`] and answers with a [`Done`]; both travel as frames:
//! a length in eight bytes, and as many bytes of `postcard`.

use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use tabwise::table::{Choice, Orientation, ReadSettings, Table};

/// Work for a worker: a table to have at hand, and a question about it.
#[derive(Serialize, Deserialize)]
pub(crate) struct Job<'a> {
    /// Id of the table.
    pub id: &'a str,
    #[serde(borrow)]
    pub source: Source<'a>,
    #[serde(borrow)]
    pub question: Option<Question<'a>>,
}

/// The way to the table of a job.
#[derive(Serialize, Deserialize)]
pub(crate) enum Source<'a> {
    /// The worker may have it.
    Kept,
    /// It is read from a file.
    File {
        #[serde(borrow, serialize_with = "as_bytes")]
        bytes: &'a [u8],
        name: Option<&'a str>,
        reading: Reading,
    },
    /// It was read before.
    Table { table: Box<Table>, name: Option<&'a str> },
}

/// A question, and how it is to be answered.
#[derive(Serialize, Deserialize)]
pub(crate) struct Question<'a> {
    pub text: &'a str,
    /// Number of interpretations.
    pub top: Option<usize>,
    /// True for every value of a long answer.
    pub all: bool,
    /// Path of the page that shows the question again.
    pub link: &'a str,
}

/// Settings for reading that a client may choose.
#[derive(Serialize, Deserialize)]
pub(crate) struct Reading {
    format: Option<String>,
    encoding: Option<String>,
    sheet: Option<NumberOrText>,
    table: Option<NumberOrText>,
    select: Option<String>,
    orientation: String,
}

#[derive(Serialize, Deserialize)]
enum NumberOrText {
    Number(usize),
    Text(String),
}

/// Result of a job.
#[derive(Serialize, Deserialize)]
pub(crate) enum Done {
    Answered {
        /// The table, if it was read from a file.
        table: Option<Box<ReadTable>>,
        /// JSON of the answer, if there was a question.
        body: Vec<u8>,
    },
    /// The worker does not have the table any more.
    Missing,
    /// The table or the question cannot be used.
    Failed { status: u16, sentence: String },
    /// A fault of the worker's own.
    Fault(String),
}

/// A table, with the notes on it and on its cells.
#[derive(Serialize, Deserialize)]
pub(crate) struct ReadTable {
    pub table: Table,
    pub notes: Vec<String>,
}

fn as_bytes<S: serde::Serializer>(bytes: &&[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_bytes(bytes)
}

impl Reading {
    pub(crate) fn new(settings: &ReadSettings) -> Reading {
        let choice = |choice: &Choice| match choice {
            Choice::Number(number) => NumberOrText::Number(*number),
            Choice::Text(text) => NumberOrText::Text(text.clone()),
        };
        Reading {
            format: settings.format.map(|format| format.name().to_owned()),
            encoding: settings.encoding.clone(),
            sheet: settings.sheet.as_ref().map(choice),
            table: settings.table.as_ref().map(choice),
            select: settings.select.clone(),
            orientation: settings.orientation.name().to_owned(),
        }
    }

    pub(crate) fn settings(&self) -> ReadSettings {
        let choice = |choice: &NumberOrText| match choice {
            NumberOrText::Number(number) => Choice::Number(*number),
            NumberOrText::Text(text) => Choice::Text(text.clone()),
        };
        ReadSettings {
            format: self.format.as_ref().and_then(|name| name.parse().ok()),
            encoding: self.encoding.clone(),
            sheet: self.sheet.as_ref().map(choice),
            table: self.table.as_ref().map(choice),
            select: self.select.clone(),
            orientation: self.orientation.parse().unwrap_or(Orientation::Auto),
            ..ReadSettings::default()
        }
    }
}

/// Length of a frame's head.
pub(crate) const HEAD: usize = size_of::<u64>();

/// Makes the frame of a message.
pub(crate) fn frame(message: &impl Serialize) -> Result<Vec<u8>, postcard::Error> {
    let mut frame = postcard::to_extend(message, vec![0; HEAD])?;
    let length = (frame.len() - HEAD) as u64;
    frame[..HEAD].copy_from_slice(&length.to_le_bytes());
    Ok(frame)
}

/// Reads the bytes of the next message; `None` at the end.
pub(crate) fn receive(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; HEAD];
    match from.read_exact(&mut head) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        done => done?,
    }
    let length = usize::try_from(u64::from_le_bytes(head)).map_err(io::Error::other)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(io::Error::other)?;
    bytes.resize(length, 0);
    from.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}

/// Writes a frame.
pub(crate) fn send(frame: &[u8], to: &mut impl Write) -> io::Result<()> {
    to.write_all(frame)?;
    to.flush()
}
