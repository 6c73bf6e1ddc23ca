//! Any JSON taken for a scene: checked, drawn, looked over and fired on. `scenarios/tabletop` is a
//! good corpus to start from.
#![no_main]

#[path = "../../crates/tabletop/tests/support/hold.rs"]
mod hold;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(scene) = serde_json::from_slice(data) {
        hold::any_scene(&scene, data.len() % 5, data.len() % 7);
    }
});
