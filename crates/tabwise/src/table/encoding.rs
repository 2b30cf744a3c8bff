//! [`decode`]: bytes to text. A byte order mark decides. Without one, bytes with a zero in every second place are
//! UTF-16, valid UTF-8 is UTF-8, and for anything else `chardetng` guesses by the letters that go together, as a browser does.

use super::{Allowance, ReadSettings, TableError};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use std::borrow::Cow;

/// Number of bytes that are examined for zeros and control bytes.
const SAMPLE: usize = 4096;
/// Number of bytes, from the first that is not UTF-8, by which a legacy encoding is guessed.
const GUESSED: usize = 1 << 20;

/// Decoded input.
pub(super) struct Decoded<'a> {
    /// Text, without a byte order mark.
    pub text: Cow<'a, str>,
    /// Note on the encoding, unless it is plain UTF-8.
    pub note: Option<String>,
}

/// Decodes the input. NUL bytes in an input that is not UTF-16 are an error, because it is not text at all.
pub(super) fn decode<'a>(
    bytes: &'a [u8],
    settings: &ReadSettings,
    allowance: &Allowance,
) -> Result<Decoded<'a>, TableError> {
    let (encoding, bom) = match &settings.encoding {
        Some(label) => (named(label)?, 0),
        None => guess(bytes)?,
    };
    // UTF-8 is used where it is; every other text is written anew, and a byte may become a character of three.
    if encoding != encoding_rs::UTF_8 || std::str::from_utf8(bytes).is_err() {
        allowance.take(bytes.len().saturating_mul(3))?;
    }
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

/// Guesses the encoding; returns it with the length of the byte order mark.
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
        Err(error) => Ok((legacy(&bytes[error.valid_up_to()..]), 0)),
    }
}

/// Guesses the encoding of bytes that are not UTF-8 from their first ones.
fn legacy(bytes: &[u8]) -> &'static encoding_rs::Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes[..bytes.len().min(GUESSED)], true);
    detector.guess(None, Utf8Detection::Deny)
}

/// Recognises UTF-16 that is mostly Latin: zeros on one side of its byte pairs, and hardly any on the other.
fn utf16_without_mark(sample: &[u8]) -> Result<&'static encoding_rs::Encoding, TableError> {
    let zeros = |side: usize| sample.iter().skip(side).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), sample.len() / 2);
    match () {
        () if odd * 2 > pairs && even * 10 < odd => Ok(encoding_rs::UTF_16LE),
        () if even * 2 > pairs && odd * 10 < even => Ok(encoding_rs::UTF_16BE),
        () => Err(TableError::NotText("it holds NUL bytes")),
    }
}

/// True if more than one byte in twenty is a control byte.
fn mostly_control(sample: &[u8]) -> bool {
    let control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    sample.iter().filter(|byte| control(byte)).count() * 20 > sample.len()
}

/// True if broken UTF-8 is still UTF-8: more than nine in ten of the bytes beyond ASCII are parts of valid characters.
fn looks_like_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().bytes().filter(|byte| !byte.is_ascii()).count();
        bad += chunk.invalid().len();
    }
    good > bad * 9
}
