#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(init: targets::mind_only_what_escapes(), |data: &[u8]| targets::pages(data));
