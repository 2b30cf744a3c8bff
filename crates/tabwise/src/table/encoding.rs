//! Bytes to text. A byte order mark decides; without one, text that is valid UTF-8 is UTF-8, text with a zero in every
//! second byte is UTF-16, and anything else is Windows-1252, which never fails.

use super::{ReadSettings, TableError};
use std::borrow::Cow;

/// How much of the input is looked at to find out what it is.
const SAMPLE: usize = 4096;

/// The text of the input, without a byte order mark, and what had to be done to get it.
pub(super) struct Decoded<'a> {
    pub text: Cow<'a, str>,
    pub note: Option<String>,
}

/// Decodes the input. NUL bytes in text that is not UTF-16 mean that it is no text at all.
pub(super) fn decode<'a>(bytes: &'a [u8], settings: &ReadSettings) -> Result<Decoded<'a>, TableError> {
    let (encoding, bom) = match &settings.encoding {
        Some(label) => (named(label)?, 0),
        None => guess(bytes)?,
    };
    let (text, _, broken) = encoding.decode(&bytes[bom..]);
    let note = match (encoding == encoding_rs::UTF_8, broken) {
        (true, false) => None,
        (_, false) => Some(format!("read as {}", encoding.name())),
        (_, true) => Some(format!("read as {}; bytes that are not {0} became \u{fffd}", encoding.name())),
    };
    Ok(Decoded { text, note })
}

fn named(label: &str) -> Result<&'static encoding_rs::Encoding, TableError> {
    encoding_rs::Encoding::for_label(label.as_bytes()).ok_or_else(|| TableError::Encoding(label.to_owned()))
}

/// The encoding and the length of the byte order mark.
fn guess(bytes: &[u8]) -> Result<(&'static encoding_rs::Encoding, usize), TableError> {
    if let Some(found) = encoding_rs::Encoding::for_bom(bytes) {
        return Ok(found);
    }
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    if sample.contains(&0) {
        return utf16_without_mark(sample).map(|encoding| (encoding, 0));
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => Ok((encoding_rs::UTF_8, 0)),
        Err(_) if mostly_control(sample) => Err(TableError::NotText("it is full of control bytes")),
        Err(error) if error.valid_up_to() > 0 && looks_like_utf8(bytes) => Ok((encoding_rs::UTF_8, 0)),
        Err(_) => Ok((encoding_rs::WINDOWS_1252, 0)),
    }
}

/// UTF-16 that is mostly Latin has zeros on one side of its byte pairs and hardly any on the other.
fn utf16_without_mark(sample: &[u8]) -> Result<&'static encoding_rs::Encoding, TableError> {
    let zeros = |side: usize| sample.iter().skip(side).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), sample.len() / 2);
    match () {
        () if odd * 2 > pairs && even * 10 < odd => Ok(encoding_rs::UTF_16LE),
        () if even * 2 > pairs && odd * 10 < even => Ok(encoding_rs::UTF_16BE),
        () => Err(TableError::NotText("it holds NUL bytes")),
    }
}

fn mostly_control(sample: &[u8]) -> bool {
    let control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    sample.iter().filter(|byte| control(byte)).count() * 20 > sample.len()
}

/// Whether broken UTF-8 is still UTF-8: at least nine in ten of the bytes beyond ASCII are parts of valid characters.
fn looks_like_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().bytes().filter(|byte| !byte.is_ascii()).count();
        bad += chunk.invalid().len();
    }
    good > bad * 9
}
