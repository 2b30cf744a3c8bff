//! Compressed input: gzip and zstd around any format. It is unpacked before the format is detected, up to the limit on the
//! size of an input, so a small file that unpacks to gigabytes is an error and takes no more memory than the limit.

use super::{Limits, TableError};
use std::borrow::Cow;
use std::io::{ErrorKind, Read};

/// Endings of compressed files, which hide the ending of the format.
const ENDINGS: [&str; 3] = [".gz", ".zst", ".zstd"];

/// Returns the bytes of an input, unpacked if they are compressed.
pub(super) fn unpacked<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Cow<'a, [u8]>, TableError> {
    if bytes.starts_with(b"\x1f\x8b") {
        return up_to(flate2::read::MultiGzDecoder::new(bytes), "gzip", limits).map(Cow::Owned);
    }
    if bytes.starts_with(b"\x28\xb5\x2f\xfd") {
        return zstd(bytes, limits).map(Cow::Owned);
    }
    Ok(Cow::Borrowed(bytes))
}

/// Returns the name of a file without the ending of a compressed one.
pub(super) fn plain_name(name: Option<&str>) -> Option<&str> {
    let name = name?;
    let ends = |ending: &&&str| name.to_ascii_lowercase().ends_with(**ending);
    Some(ENDINGS.iter().find(ends).map_or(name, |ending| &name[..name.len() - ending.len()]))
}

/// Unpacks the frames of a zstd file, one after the other.
fn zstd(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, TableError> {
    let (mut rest, mut all) = (bytes, Vec::new());
    while !rest.is_empty() {
        let frame = ruzstd::decoding::StreamingDecoder::new(&mut rest).map_err(|error| broken("zstd", &error))?;
        let left = Limits { bytes: limits.bytes.saturating_sub(all.len() as u64), ..*limits };
        let part = up_to(frame, "zstd", &left).map_err(|error| whole(error, limits))?;
        all.extend(part);
    }
    Ok(all)
}

/// The limit that the settings have, for the message: a frame is held to what is left of it.
fn whole(error: TableError, limits: &Limits) -> TableError {
    match error {
        TableError::TooLarge { what, name, .. } => TableError::TooLarge { what, limit: limits.bytes, name },
        other => other,
    }
}

/// Reads to the end, or fails after as many bytes as an input may have.
fn up_to(source: impl Read, what: &'static str, limits: &Limits) -> Result<Vec<u8>, TableError> {
    let mut bytes = Vec::new();
    source.take(limits.bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => TableError::Packed { what, reason: "it ends too early".to_owned() },
        _ => broken(what, &error),
    })?;
    if bytes.len() as u64 > limits.bytes {
        return Err(TableError::TooLarge {
            what: "the unpacked size of the input".to_owned(),
            limit: limits.bytes,
            name: "bytes",
        });
    }
    Ok(bytes)
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
            let whole = pack(b"City,Year\nAthens,1896\nParis,1900\n");
            for end in 4..whole.len() {
                let error = unpacked(&whole[..end], &limits).expect_err("it ends too early");
                assert!(matches!(error, TableError::Packed { .. }), "{error}");
            }
        }
    }

    #[test]
    fn names_lose_the_ending_of_the_compression() {
        let names = ["a.csv.gz", "a.TSV.ZST", "a.csv", "gz"].map(|name| plain_name(Some(name)));
        assert_eq!(names, [Some("a.csv"), Some("a.TSV"), Some("a.csv"), Some("gz")]);
    }
}
