//! Compressed input: gzip and zstd around any format. It is unpacked before the format is detected, up to the limits on the
//! size of an input and on memory, so a small file that unpacks to gigabytes is an error and takes no more than the limits.

use super::{Limits, TableError};
use crate::meter::Exceeded;
use std::borrow::Cow;
use std::io::{ErrorKind, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Endings of compressed files, which hide the ending of the format.
const ENDINGS: [&str; 3] = [".gz", ".zst", ".zstd"];

/// Mark of a frame of zstd.
const FRAME: &[u8] = b"\x28\xb5\x2f\xfd";

/// Returns the bytes of an input, unpacked if they are compressed.
pub(super) fn unpacked<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Cow<'a, [u8]>, TableError> {
    if bytes.starts_with(b"\x1f\x8b") {
        return gzip(bytes, limits).map(Cow::Owned);
    }
    if bytes.starts_with(FRAME) || is_skipped(bytes) {
        // The library may panic on a broken file.
        let whole = catch_unwind(AssertUnwindSafe(|| zstd(bytes, limits)));
        return whole.unwrap_or_else(|_| Err(broken("zstd", &"its parts contradict each other"))).map(Cow::Owned);
    }
    Ok(Cow::Borrowed(bytes))
}

/// Returns the name of a file without the ending of a compressed one.
pub(super) fn plain_name(name: Option<&str>) -> Option<&str> {
    let name = name?;
    let ends = |ending: &&&str| name.to_ascii_lowercase().ends_with(**ending);
    Some(ENDINGS.iter().find(ends).map_or(name, |ending| &name[..name.len() - ending.len()]))
}

/// True if a frame of zstd comes first that holds data of some program and no content.
fn is_skipped(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// The bytes after a frame without content.
fn after_skipped(bytes: &[u8]) -> Result<&[u8], TableError> {
    let length = bytes.get(4..8).and_then(|length| length.try_into().ok()).map(u32::from_le_bytes);
    let rest = length.and_then(|length| bytes.get(8..)?.get(length as usize..));
    rest.ok_or(TableError::Packed { what: "zstd", reason: "it ends too early".to_owned() })
}

/// Unpacks the frames of a zstd file, one after the other.
fn zstd(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, TableError> {
    let (mut rest, mut all) = (bytes, Vec::new());
    while !rest.is_empty() {
        if is_skipped(rest) {
            rest = after_skipped(rest)?;
            continue;
        }
        let frame = ruzstd::decoding::StreamingDecoder::new(&mut rest).map_err(|error| broken("zstd", &error))?;
        append(&mut all, frame, "zstd", limits)?;
    }
    all.shrink_to_fit();
    Ok(all)
}

fn gzip(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, TableError> {
    let mut all = Vec::new();
    append(&mut all, flate2::read::MultiGzDecoder::new(bytes), "gzip", limits)?;
    all.shrink_to_fit();
    Ok(all)
}

/// Reads to the end, or fails when all bytes together are more than an input may have.
fn append(all: &mut Vec<u8>, source: impl Read, what: &'static str, limits: &Limits) -> Result<(), TableError> {
    let (most, error) = most(limits);
    source.take(most.saturating_add(1).saturating_sub(all.len() as u64)).read_to_end(all).map_err(
        |error| match error.kind() {
            ErrorKind::UnexpectedEof => TableError::Packed { what, reason: "it ends too early".to_owned() },
            _ => broken(what, &error),
        },
    )?;
    if all.len() as u64 > most { Err(error) } else { Ok(()) }
}

/// Most bytes that an input may unpack to, and the error of more. While they are gathered, they take up to twice as much
/// memory.
fn most(limits: &Limits) -> (u64, TableError) {
    let memory = limits.memory / 2;
    match memory < limits.bytes {
        true => (memory, Exceeded::Memory(limits.memory).into()),
        false => {
            let what = "the unpacked size of the input".to_owned();
            (limits.bytes, TableError::TooLarge { what, limit: limits.bytes, name: "bytes" })
        }
    }
}

fn broken(what: &'static str, error: &dyn std::fmt::Display) -> TableError {
    TableError::Packed { what, reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(bytes).and_then(|()| packer.finish()).expect("memory can be written to")
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    }

    #[test]
    fn parts_come_one_after_the_other() {
        for pack in [gzip, zstd] {
            let file = [pack(b"City,Year\n"), pack(b"Athens,1896\n")].concat();
            let found = unpacked(&file, &Limits::default()).expect("both parts are whole");
            assert_eq!(String::from_utf8_lossy(&found), "City,Year\nAthens,1896\n");
        }
        assert!(matches!(unpacked(b"City,Year\n", &Limits::default()), Ok(Cow::Borrowed(_))));
    }

    #[test]
    fn bombs_and_broken_files_are_errors() {
        let limits = Limits { bytes: 1_000, ..Limits::default() };
        for pack in [gzip, zstd] {
            let bomb = pack(&vec![b'x'; 1_000_000]);
            let error = unpacked(&bomb, &limits).expect_err("it is too large");
            assert!(matches!(error, TableError::TooLarge { limit: 1_000, name: "bytes", .. }), "{error}");
            let halves = [pack(&[b'x'; 600]), pack(&[b'y'; 600])].concat();
            let error = unpacked(&halves, &limits).expect_err("both together are too large");
            assert!(matches!(error, TableError::TooLarge { limit: 1_000, .. }), "{error}");
            let little = Limits { memory: 1_000, ..Limits::default() };
            let error = unpacked(&bomb, &little).expect_err("it takes too much memory");
            assert!(matches!(error, TableError::TooLarge { limit: 1_000, name: "memory", .. }), "{error}");
            let whole = pack(b"City,Year\nAthens,1896\nParis,1900\n");
            for end in 4..whole.len() {
                let error = unpacked(&whole[..end], &limits).expect_err("it ends too early");
                assert!(matches!(error, TableError::Packed { .. }), "{error}");
            }
        }
    }

    #[test]
    fn frames_without_content_are_skipped() {
        let skipped = b"\x5a\x2a\x4d\x18\x03\0\0\0abc";
        let file = [skipped, &zstd(b"City,Year\n")[..], skipped, &zstd(b"Athens,1896\n")].concat();
        let found = unpacked(&file, &Limits::default()).expect("its parts are whole");
        assert_eq!(String::from_utf8_lossy(&found), "City,Year\nAthens,1896\n");
        for end in 4..skipped.len() {
            let cut = [&zstd(b"City,Year\n")[..], &skipped[..end]].concat();
            assert!(unpacked(&cut, &Limits::default()).is_err(), "it ends too early: {end}");
        }
        let huge = [&zstd(b"City,Year\n")[..], b"\x50\x2a\x4d\x18\xff\xff\xff\xff"].concat();
        assert!(unpacked(&huge, &Limits::default()).is_err(), "its length is more than the file has");
    }

    #[test]
    fn names_lose_the_ending_of_the_compression() {
        let names = ["a.csv.gz", "a.TSV.ZST", "a.csv", "gz"].map(|name| plain_name(Some(name)));
        assert_eq!(names, [Some("a.csv"), Some("a.TSV"), Some("a.csv"), Some("gz")]);
    }
}
