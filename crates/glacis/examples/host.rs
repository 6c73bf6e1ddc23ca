//! A server for a game of one's own: the kernel's example game, hosted like any other and beside them.
//!
//! `cargo run --example host -- [ADDRESS] [DATABASE] [REQUESTS A SECOND, 0 FOR NO LIMIT]`

#[path = "../tests/shared/example.rs"]
mod example;

use glacis::serve::{Each, Forget, Start, start};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |default: &str| arguments.next().unwrap_or_else(|| default.to_owned());
    let listen = next("127.0.0.1:1807").parse()?;
    let database = next("sqlite:countermine.db").parse()?;
    let rate = Some(next("0").parse()?).filter(|&rate: &u32| rate > 0);
    // Who limits nobody's requests limits nobody at all; otherwise the usual limits hold.
    let usual = Each { rate, connections: Some(512), streams: Some(128), games: Some(200) };
    let each = rate.map_or_else(Each::default, |_| usual);
    let mut systems = vec![example::example()];
    systems.extend(glacis::systems());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let running = start(Start {
            listen,
            database,
            base_url: None,
            each,
            forget: Forget::default(),
            behind_proxy: false,
            systems,
            questions: glacis::questions(),
        })
        .await?;
        println!("{}", running.address);
        tokio::signal::ctrl_c().await?;
        running.stop().await;
        Ok(())
    })
}
