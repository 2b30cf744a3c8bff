//! Messages between the server and its workers. A worker gets a [`Message`], a job or news, and answers with a [`Done`]; both
//! travel as frames: a length in eight bytes, and as many bytes of `postcard`.

use crate::failure::Code;
use crate::view::View;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use tabwise::answer::Correction;
use tabwise::learn::{CorrectedTable, Line, Right};
use tabwise::table::{Choice, Header, Listed, Orientation, ReadSettings, Repair, Repairs, Table};

/// Message to a worker.
#[derive(Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "there is one message at a time, and nearly all of them are jobs")]
pub(crate) enum Message<'a> {
    /// Something to do.
    #[serde(borrow)]
    Job(Job<'a>),
    /// Something to know from now on.
    News(News),
}

/// Corrections that a worker has not heard of.
#[derive(Serialize, Deserialize)]
pub(crate) struct News {
    /// True if it has to forget the ones that it knows.
    pub anew: bool,
    /// Corrections that were made and taken back, in order.
    pub lines: Vec<Line>,
}

/// Work for a worker: a table to have at hand, and what is to be done with it.
#[derive(Serialize, Deserialize)]
pub(crate) struct Job<'a> {
    /// Id of the table.
    pub id: &'a str,
    #[serde(borrow)]
    pub source: Source<'a>,
    #[serde(borrow)]
    pub task: Task<'a>,
}

/// What is to be done with a table.
#[derive(Serialize, Deserialize)]
pub(crate) enum Task<'a> {
    /// It is to be described.
    Describe,
    /// Questions are to be answered.
    Answer {
        #[serde(borrow)]
        questions: Vec<Question<'a>>,
        /// True for a list of answers, even if there is one.
        is_list: bool,
        /// Number of interpretations.
        top: Option<usize>,
        /// Confidence below which an answer abstains, if it is not the server's.
        min_confidence: Option<f64>,
        /// True for every value of a long answer.
        all: bool,
    },
    /// A formula is to be executed.
    Execute { formula: &'a str, all: bool },
    /// The answer to a question is to be corrected.
    Correct { question: &'a str, right: Right },
    /// The rows of a view are to be found.
    View(View),
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

/// A question.
#[derive(Serialize, Deserialize)]
pub(crate) struct Question<'a> {
    pub text: &'a str,
    /// Id of its link.
    pub link: &'a str,
}

/// Settings for reading that a client may choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reading {
    format: Option<String>,
    encoding: Option<String>,
    sheet: Option<NumberOrText>,
    table: Option<NumberOrText>,
    select: Option<String>,
    orientation: String,
    header: String,
    keeps_totals: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
        /// JSON of the response, unless the table is to be described; the rows of a view, by `postcard`.
        body: Vec<u8>,
        counts: Counts,
        /// What was learned, if the answer was to be corrected.
        lesson: Option<Box<Lesson>>,
    },
    /// News were heard.
    Heard,
    /// The worker does not have the table any more.
    Missing,
    /// The table or the question cannot be used.
    Failed { status: u16, sentence: String, code: Option<Code> },
    /// A fault of the worker's own.
    Fault(String),
}

/// A correction, and its table unless that is too large.
#[derive(Serialize, Deserialize)]
pub(crate) struct Lesson {
    pub correction: Correction,
    pub table: Option<CorrectedTable>,
}

/// Numbers of questions with an answer and without one.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub answered: u32,
    pub abstained: u32,
}

/// A table, with the notes on it and on its cells.
#[derive(Serialize, Deserialize)]
pub(crate) struct ReadTable {
    pub table: Table,
    pub notes: Vec<String>,
    /// What the page says of it; `None` if it was read for an answer only.
    pub description: Option<Description>,
}

/// What the page says of a table beside its rows.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Description {
    /// Tables or sheets to choose from, if the file holds several.
    pub tables: Vec<Listed>,
    /// Questions to try.
    pub suggestions: Vec<String>,
}

impl Description {
    /// Tables to choose from, and questions to try.
    pub(crate) fn parts(&self) -> (&[Listed], &[String]) {
        (&self.tables, &self.suggestions)
    }
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
            header: settings.header.name().to_owned(),
            keeps_totals: !settings.repairs.has(Repair::TotalRows),
        }
    }

    pub(crate) fn settings(&self) -> ReadSettings {
        let choice = |choice: &NumberOrText| match choice {
            NumberOrText::Number(number) => Choice::Number(*number),
            NumberOrText::Text(text) => Choice::Text(text.clone()),
        };
        let repairs = Repairs::default();
        ReadSettings {
            format: self.format.as_ref().and_then(|name| name.parse().ok()),
            encoding: self.encoding.clone(),
            sheet: self.sheet.as_ref().map(choice),
            table: self.table.as_ref().map(choice),
            select: self.select.clone(),
            orientation: self.orientation.parse().unwrap_or(Orientation::Auto),
            header: self.header.parse().unwrap_or(Header::First),
            repairs: if self.keeps_totals { repairs.without(Repair::TotalRows) } else { repairs },
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
