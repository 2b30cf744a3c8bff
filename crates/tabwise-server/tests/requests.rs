//! The target `requests` of `fuzz/` with random bodies: forms and JSON, whole and changed. Nothing that is sent makes the
//! server panic before a worker has it.

use proptest::prelude::*;
use tabwise_server::is_request;

const FORM: &str = "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\na,b\n1,2\n\r\n--x\r\n\
                    content-disposition: form-data; name=\"question\"\r\n\r\nwhich a?\r\n--x--\r\n";
const JSON: &str = r#"{"table": {"csv": "a,b\n1,2\n", "sheet": 1, "orientation": "auto"}, "question": "which a?", "top": 3, "all": true}"#;

/// A body with some bytes in place of others.
fn changed(body: &str, edits: &[(usize, usize, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = body.as_bytes().to_vec();
    for (place, length, with) in edits {
        let start = place % (bytes.len() + 1);
        let end = (start + length).min(bytes.len());
        bytes.splice(start..end, with.iter().copied());
    }
    bytes
}

fn edits() -> impl Strategy<Value = Vec<(usize, usize, Vec<u8>)>> {
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..8),
        prop::sample::select(vec!["--x", "\r\n", "\"", "{", "[[[[", "1e999", "18446744073709551616", "\\ud800", "id"])
            .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec((any::<usize>(), 0..20usize, piece), 0..6)
}

#[test]
fn whole_requests_are_taken() {
    assert!(is_request(FORM.as_bytes()) && is_request(JSON.as_bytes()));
}

proptest! {
    #[test]
    fn changed_requests_are_taken_or_refused(edits in edits()) {
        is_request(&changed(FORM, &edits));
        is_request(&changed(JSON, &edits));
    }
}
