//! The pages in a real Chromium: clicks, keys, two seats in two browsers. Where there is no
//! Chromium the tests say so and are counted as skipped.

mod access;
mod advice;
mod aftermath;
mod breach;
mod clicks;
mod columns;
mod driver;
mod evening;
#[path = "../shared/example.rs"]
mod example;
mod fair;
mod game;
mod handling;
mod hands;
mod keys;
mod laying;
mod newcomer;
mod secret;
mod table;
mod umpire;

use std::io::Write as _;
use std::net::SocketAddr;

use driver::Driver;
use glacis::serve::{Each, Forget, Running, Start, start};
use glacis::store::Place;

/// Says that a test cannot be run for want of something, and notes it for whoever counts.
fn skip(name: &str, want: &str) {
    eprintln!("skipped (1): {name}, there is no {want} here; `cargo xtask test` installs one");
    if let Some(note) = std::env::var_os("GLACIS_SKIPPED") {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(note);
        file.and_then(|mut file| writeln!(file, "{name}: no {want}")).expect("the note can be written");
    }
}

/// A server on a database of its own, and a driver; nothing where there is no Chromium.
fn house(name: &str, test: impl FnOnce(&Driver, &str)) {
    house_of(name, glacis::systems(), test);
}

/// The same with these systems.
fn house_of(name: &str, systems: Vec<glacis::System>, test: impl FnOnce(&Driver, &str)) {
    let Some(driver) = Driver::start() else { return skip(name, "chromedriver") };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let folder = std::env::temp_dir().join(format!("glacis-browser-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let running: Running = runtime
        .block_on(start(Start {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            database: Place::Sqlite(folder.join("glacis.db")),
            base_url: None,
            each: Each::default(),
            forget: Forget::default(),
            behind_proxy: false,
            systems,
            questions: glacis::questions(),
        }))
        .unwrap_or_else(|fault| unreachable!("the server does not start: {fault:?}"));
    let address = running.base_url.clone();
    test(&driver, &address);
    runtime.block_on(running.stop());
    let _ = std::fs::remove_dir_all(folder);
}
