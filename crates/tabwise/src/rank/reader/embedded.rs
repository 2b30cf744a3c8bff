//! The weights that are part of the program. In the repository they are one file. A package cannot be so large, so in a
//! release that file is empty and two crates hold a half each (`packaging/crates.sh`): joined, the pieces are the same bytes.

/// Weights that are part of the program; empty if all pieces are.
pub(super) static EMBEDDED: &[u8] = &JOINED;

static JOINED: [u8; length()] = joined();

const PIECES: [&[u8]; 3] =
    [include_bytes!("../../../knowledge/reader.bin"), tabwise_weights_1::PART, tabwise_weights_2::PART];

const fn length() -> usize {
    PIECES[0].len() + PIECES[1].len() + PIECES[2].len()
}

const fn joined() -> [u8; length()] {
    let mut all = [0; length()];
    let (first, rest) = all.split_at_mut(PIECES[0].len());
    let (second, third) = rest.split_at_mut(PIECES[1].len());
    first.copy_from_slice(PIECES[0]);
    second.copy_from_slice(PIECES[1]);
    third.copy_from_slice(PIECES[2]);
    all
}
