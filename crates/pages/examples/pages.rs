//! Serves the pages without a server around them: `cargo run -p glacis-pages --example pages`.

use std::io;

#[tokio::main]
async fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8064".to_owned());
    let listener = tokio::net::TcpListener::bind(&address).await?;
    println!("http://{}", listener.local_addr()?);
    let mut questions = tabletop::questions();
    questions.extend(campaign::questions());
    questions.extend(breach::questions());
    axum::serve(listener, pages::router(pages::Pages::new(questions))).await
}
