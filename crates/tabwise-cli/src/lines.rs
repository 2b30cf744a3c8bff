//! Lines of questions, from a file or a pipe. What has no end, such as `/dev/zero`, is an error before it takes all memory, and so
//! is a line that is too long for a question: each word of one takes memory.

use anyhow::{Context, Result, ensure};
use std::io::{BufRead, Read};

/// Bytes of questions that are read at most.
const MOST: u64 = 64 << 20;
/// Number of lines that are read at most.
const MOST_LINES: usize = 1_000_000;
/// Bytes of one line at most.
const LONGEST: u64 = 1 << 20;

/// Reads the lines of a source, which has to be text and of a reasonable length.
pub(crate) fn lines(source: impl BufRead) -> Result<Vec<String>> {
    let mut bytes = Vec::new();
    source.take(MOST + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= MOST, "there are more than {MOST} bytes of questions; ask fewer");
    // A line break at the end begins no further line.
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let breaks = bytes.iter().filter(|byte| **byte == b'\n').count();
    ensure!(breaks < MOST_LINES, "there are more than {MOST_LINES} lines of questions; ask fewer");
    let numbered = bytes.split(|byte| *byte == b'\n').zip(1..);
    numbered.map(|(bytes, number)| line(bytes, number)).collect()
}

/// Reads the next line of a source, the one of this number; `None` at its end.
pub(crate) fn next_line(source: &mut impl BufRead, number: usize) -> Result<Option<String>> {
    let mut bytes = Vec::new();
    source.by_ref().take(LONGEST + 1).read_until(b'\n', &mut bytes)?;
    let is_end = bytes.is_empty();
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    if is_end { Ok(None) } else { line(bytes, number).map(Some) }
}

/// The text of a line.
fn line(bytes: &[u8], number: usize) -> Result<String> {
    ensure!(bytes.len() as u64 <= LONGEST, "line {number} has more than {LONGEST} bytes; ask a shorter question");
    let text = std::str::from_utf8(bytes).with_context(|| format!("line {number} is not text in UTF-8"))?;
    Ok(text.trim_end_matches('\r').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, repeat};

    #[test]
    fn lines_are_read_to_the_end() {
        assert_eq!(lines(&b"a\r\n\nb\n"[..]).expect("it is text"), ["a", "", "b"]);
        let (mut source, mut read) = (&b"a\r\n\nb"[..], Vec::new());
        while let Some(line) = next_line(&mut source, 1).expect("it is text") {
            read.push(line);
        }
        assert_eq!(read, ["a", "", "b"]);
    }

    #[test]
    fn what_is_endless_or_no_text_is_an_error() {
        let said = |result: Result<Vec<String>>| result.expect_err("it is wrong").to_string();
        assert!(said(lines(BufReader::new(repeat(b'\n')))).contains("bytes of questions"));
        assert!(said(lines(&[b'\n'; MOST_LINES + 1][..])).contains("lines of questions"));
        let long = [b"short\n".to_vec(), vec![b'x'; 2 << 20]].concat();
        assert!(said(lines(&long[..])).starts_with("line 2 has more than 1048576 bytes"));
        assert!(said(lines(&b"a\nb\xff\n"[..])).starts_with("line 2 is not text"));
        let endless = next_line(&mut BufReader::new(repeat(b'x')), 7).expect_err("it has no end").to_string();
        assert!(endless.starts_with("line 7 has more than"), "{endless}");
    }
}
