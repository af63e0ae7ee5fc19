#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| delassus_fuzz::mjcf::run(data));
