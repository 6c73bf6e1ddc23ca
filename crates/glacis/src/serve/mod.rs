//! The server: games that survive anything, over HTTP.
//!
//! - [`hall`]: the games of this process, between the rules and the store;
//! - `begin`, `orders`, `games`, `events`, `feed`, `ask`, `api`: what can be asked over HTTP;
//! - `guard`, `limits`, `places`, `streams`, `secrets`, `trouble`: who may ask, how often, how much at
//!   once, and what he is told;
//! - `workshop`: where things are worked out, apart from the threads that serve everybody;
//! - `pages`: what a browser is shown, `past`: games as they once stood, `shelf`: scenes kept a while, `tables`:
//!   tables that several lay together;
//! - `squeeze`: what leaves is made small; `listen`, `wire`, `files`: connections and a clean end;
//! - `expiry`: games that nobody plays are forgotten.

mod api;
mod ask;
mod begin;
mod events;
mod expiry;
mod feed;
mod files;
mod games;
mod guard;
pub mod hall;
mod limits;
mod listen;
mod orders;
mod pages;
mod past;
mod places;
mod secrets;
mod shelf;
mod squeeze;
mod streams;
mod tables;
mod trouble;
mod wire;
mod workshop;

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::middleware;
use axum::routing::{get, post};
use rulebook::Asking;
use tokio::sync::watch;

pub use hall::Hall;
pub use listen::{Running, Start, StartFault, start};
pub use trouble::Trouble;
pub use workshop::{Whose, Workshop};

/// The largest body of a request, in bytes.
const LARGEST_BODY: usize = 64 << 10;
/// The largest record that can be imported, in bytes.
const LARGEST_RECORD: usize = 16 << 20;

/// The largest table of a scene as a form sends it, in bytes.
const LARGEST_TABLE: usize = 1 << 20;
/// The largest page or answer of the umpire, in bytes.
const LARGEST_ANSWER: usize = 4 << 20;
/// The most records and tables that one network may send at once, and all together.
const MOST_LARGE_EACH: usize = 2;
const MOST_LARGE: usize = 8;

/// How the server behaves.
#[derive(Clone, Debug)]
pub struct Manners {
    /// The address that players use, without a slash at its end: `https://siege.example`.
    pub base_url: String,
    /// Whether the host names of requests are checked: always, unless the address was left open.
    pub hosts: Hosts,
    /// What one address may do.
    pub each: Each,
    /// Whether a proxy in front names the address of the client (`X-Forwarded-For`).
    pub behind_proxy: bool,
    /// The most listeners to one game.
    pub most_listeners: usize,
}

/// What one address (or IPv6 network) may do; nothing for no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Each {
    /// The most requests a second.
    pub rate: Option<u32>,
    /// The most connections at once; not counted behind a proxy, whose own they are.
    pub connections: Option<usize>,
    /// The most streams of events at once.
    pub streams: Option<usize>,
    /// The most games begun or taken over in a day.
    pub games: Option<u32>,
}

/// After how many days games are forgotten; nothing for never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forget {
    /// Games in which only machines sit, since their last order.
    pub machines: Option<u32>,
    /// Games in which nobody ever gave an order, since they were begun.
    pub unplayed: Option<u32>,
}

/// The host names that requests may use. Others are refused, so that no site can make a browser
/// believe that this server is its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hosts {
    /// That of the base address, which the host gave.
    Named,
    /// This machine's own names, and the address listened on.
    Own,
    /// Any: the server listens to a network and was not told its name.
    Any,
}

/// Everything a request needs.
pub struct Server {
    /// The games.
    pub hall: Arc<Hall>,
    /// The systems as pages show them.
    pub systems: Vec<::pages::System>,
    /// The questions of the umpire.
    pub questions: Vec<Asking>,
    /// How it behaves.
    pub manners: Manners,
    limits: limits::Limits,
    quota: limits::Quota,
    /// The streams of events, by network.
    streams: Arc<places::Places<IpAddr>>,
    /// The streams of events, by seat.
    seats: Arc<streams::Streams>,
    /// Records and tables on their way in, by network: each is held in memory.
    large: Arc<places::Places<IpAddr>>,
    past: past::Past,
    shelves: Arc<shelf::Shelves>,
    /// Tables that several lay together.
    tables: tables::Tables,
    /// Turns true when the server is to stop.
    stopping: watch::Receiver<bool>,
    description: String,
}

impl Server {
    fn new(
        hall: Arc<Hall>,
        systems: Vec<::pages::System>,
        questions: Vec<Asking>,
        manners: Manners,
        stopping: watch::Receiver<bool>,
    ) -> Arc<Self> {
        let description = api::description(&questions, hall.systems(), &manners).to_string();
        Arc::new(Self {
            hall,
            systems,
            questions,
            limits: limits::Limits::new(manners.each.rate),
            quota: limits::Quota::new(manners.each.games),
            streams: places::Places::new(manners.each.streams.unwrap_or(usize::MAX), usize::MAX),
            seats: Arc::default(),
            large: places::Places::new(MOST_LARGE_EACH, MOST_LARGE),
            past: past::Past::default(),
            shelves: Arc::default(),
            tables: tables::Tables::default(),
            manners,
            stopping,
            description,
        })
    }
}

/// All addresses. The pages have their own list in [`pages`].
fn router(server: &Arc<Server>) -> Router {
    let games = Router::new()
        .route("/healthz", get(games::health))
        .route("/api", get(api::get))
        .route("/api/systems", get(games::systems))
        .route("/api/ask", get(ask::list))
        .route("/api/ask/{question}", get(ask::schema).post(ask::answer))
        .route("/api/games", get(games::mine).post(begin::create))
        .route("/api/games/{game}", get(games::view))
        .route("/api/games/{game}/actions", get(games::actions))
        .route("/api/games/{game}/act", post(orders::act))
        .route("/api/games/{game}/undo", post(orders::undo))
        .route("/api/games/{game}/resign", post(orders::resign))
        .route("/api/games/{game}/offer", post(orders::offer))
        .route("/api/games/{game}/answer", post(orders::answer))
        .route("/api/games/{game}/words", post(orders::words))
        .route("/api/games/{game}/pledge", post(orders::pledge))
        .route("/api/games/{game}/events", get(events::stream))
        .route("/api/games/{game}/log", get(games::log))
        .route("/api/games/{game}/luck", get(games::luck))
        .route("/api/games/{game}/record", get(games::record))
        .route("/feed/{game}/{seat}/{word}", get(feed::atom))
        .route("/api/import", post(begin::import))
        .route("/table/shared", post(tables::share))
        .route("/table/shared/{word}", get(tables::get).post(tables::change))
        .route("/table/shared/{word}/events", get(tables::events))
        .merge(pages::routes());
    let pages = ::pages::Pages::new(server.questions.clone()).showing(server.systems.clone());
    let pages = ::pages::routes(pages)
        .with_state(())
        .layer(middleware::from_fn_with_state(server.clone(), pages::worked_out));
    games
        .merge(pages)
        .fallback(guard::no_such_page)
        .method_not_allowed_fallback(guard::wrong_method)
        .layer(middleware::from_fn_with_state(server.clone(), squeeze::squeeze))
        .with_state(server.clone())
}

/// A line of the log: the time of day (UTC) and what happened. No secret ever comes here.
pub(crate) fn log(message: &str) {
    let seconds = crate::store::now().rem_euclid(86400);
    let message = crate::printable(message);
    eprintln!("{:02}:{:02}:{:02} {message}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}
