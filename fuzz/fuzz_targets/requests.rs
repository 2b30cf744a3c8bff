#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    tabwise_server::is_request(data);
});
