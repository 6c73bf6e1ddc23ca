//! What every request passes: the host it names, the site it comes from, how many came before it;
//! and what every answer carries: the policies that keep a browser safe.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::Response;
use futures_util::FutureExt;
use kernel::{Node, Refusal, phrase};
use rulebook::Lang;
use serde::de::DeserializeOwned;
use table::Reader;

use super::hall::{SPECTATOR, Table};
use super::trouble::Unspoken;
use super::{Hosts, LARGEST_BODY, Server, Trouble};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What every answer carries.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The cost of beginning a game, in requests.
const COST_OF_A_GAME: f64 = 10.0;

/// Lets a request pass, or answers why not; and puts into words what went wrong behind it.
pub(super) async fn guard(
    server: &Server,
    peer: SocketAddr,
    request: Request,
    pass: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    let lang = language(request.headers(), request.uri().query());
    let (parts, body) = request.into_parts();
    let reader = reads_pages(&parts).then(|| Reader::from_parts(&parts));
    let request = Request::from_parts(parts, body);
    let speak = |trouble: &Trouble| trouble.answer(lang, reader.as_ref());
    let mut response = match admit(server, peer, &request) {
        Ok(()) => match AssertUnwindSafe(pass(request)).catch_unwind().await {
            Ok(mut response) => match response.extensions_mut().remove::<Unspoken>() {
                Some(Unspoken(trouble)) => speak(&trouble),
                None => response,
            },
            Err(_) => speak(&Trouble::Broken("a request panicked".to_owned())),
        },
        Err(trouble) => speak(&trouble),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Whether a person reads the answer: a browser that goes to an address says that it wants a page.
fn reads_pages(parts: &Parts) -> bool {
    parts.method == Method::GET
        && text(&parts.headers, &header::ACCEPT).is_some_and(|kinds| kinds.contains("text/html"))
}

fn admit(server: &Server, peer: SocketAddr, request: &Request) -> Result<(), Trouble> {
    let path = request.uri().path();
    if path == "/healthz" {
        return Ok(());
    }
    let creates = request.method() == Method::POST && matches!(path, "/api/games" | "/api/import");
    let cost = if creates { COST_OF_A_GAME } else { 1.0 };
    if !server.limits.allow(client(server, peer, request.headers()), cost) {
        return Err(Trouble::TooMany);
    }
    let headers = request.headers();
    known_host(server, headers)?;
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        same_site(server, headers)?;
    }
    Ok(())
}

/// The address of the client: what the proxy in front says, where there is one.
fn client(server: &Server, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
    let named = || {
        let list = text(headers, &HeaderName::from_static("x-forwarded-for"))?;
        list.rsplit(',').next()?.trim().parse().ok()
    };
    if server.manners.behind_proxy { named().unwrap_or(peer.ip()) } else { peer.ip() }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Host and port of an address: `https://siege.example:8443/x` has `siege.example:8443`.
fn authority(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

fn known_host(server: &Server, headers: &HeaderMap) -> Result<(), Trouble> {
    let host = text(headers, &header::HOST).ok_or(Trouble::Foreign)?;
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => host.split(':').next().unwrap_or(host),
    };
    let own =
        matches!(name, "localhost" | "127.0.0.1" | "::1") || host == authority(&server.manners.base_url);
    if own || server.manners.hosts == Hosts::Any { Ok(()) } else { Err(Trouble::Foreign) }
}

/// A request that changes something must come from our own pages, or from no browser at all. A
/// browser always says where it comes from; one that sends cookies without saying so is refused.
fn same_site(server: &Server, headers: &HeaderMap) -> Result<(), Trouble> {
    if let Some(origin) = headers.get(header::ORIGIN) {
        let origin = origin.to_str().map_err(|_| Trouble::Foreign)?;
        let host = text(headers, &header::HOST).unwrap_or_default();
        let own = origin == server.manners.base_url
            || (origin.contains("://") && authority(origin) == host && !origin.ends_with('/'));
        return if own { Ok(()) } else { Err(Trouble::Foreign) };
    }
    match text(headers, &HeaderName::from_static("sec-fetch-site")) {
        Some("same-origin") => Ok(()),
        Some(_) => Err(Trouble::Foreign),
        None if headers.contains_key(header::COOKIE) => Err(Trouble::Foreign),
        None => Ok(()),
    }
}

/// The language of a request: named in its address (`lang=fr`), else the browser's.
pub(super) fn language(headers: &HeaderMap, query: Option<&str>) -> Lang {
    let named = query.and_then(|query| {
        query.split('&').filter_map(|pair| pair.strip_prefix("lang=")).find_map(Lang::from_code)
    });
    let accepted = || {
        let list = text(headers, &header::ACCEPT_LANGUAGE)?;
        list.split(',').find_map(|each| Lang::from_code(each.trim().get(..2)?))
    };
    named.or_else(accepted).unwrap_or_default()
}

pub(super) async fn no_such_page() -> Trouble {
    Trouble::NoSuchPage
}

pub(super) async fn wrong_method() -> Trouble {
    Trouble::WrongMethod
}

/// What a request says in its body, of at most so many bytes.
pub(super) struct Sent<const MOST: usize = LARGEST_BODY>(Bytes);

impl<const MOST: usize> FromRequest<Arc<Server>> for Sent<MOST> {
    type Rejection = Trouble;

    async fn from_request(request: Request, _: &Arc<Server>) -> Result<Self, Trouble> {
        // A body that ends before its end is of a client who is gone.
        let bytes = axum::body::to_bytes(request.into_body(), MOST).await;
        bytes.map(Self).map_err(|_| Trouble::TooLarge)
    }
}

impl<const MOST: usize> Sent<MOST> {
    /// The text of the body.
    pub(super) fn text(&self) -> Result<&str, Trouble> {
        let text = std::str::from_utf8(&self.0);
        Ok(text.map_err(|error| Refusal::plain(phrase::NOT_JSON).with("detail", error.to_string()))?)
    }

    /// Reads it as strictly as the command line does.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Trouble> {
        Ok(Node::parse(self.text()?)?.read()?)
    }
}

/// Somebody who asks, whoever he is: his language and what he asked for.
pub(super) struct Asker {
    pub(super) lang: Lang,
    pub(super) query: Option<String>,
}

impl Asker {
    fn of(parts: &Parts) -> Self {
        let query = parts.uri.query();
        Self { lang: language(&parts.headers, query), query: query.map(str::to_owned) }
    }

    /// A parameter of the address he asked for.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let pairs = self.query.as_deref()?.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

impl FromRequestParts<Arc<Server>> for Asker {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Server>) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}

/// Somebody who asks about a game and has the secret of at least one of its seats.
pub(super) struct Seated {
    pub(super) server: Arc<Server>,
    pub(super) table: Arc<Table>,
    /// The places of his seats, in order.
    pub(super) held: Vec<i64>,
    pub(super) asker: Asker,
}

impl FromRequestParts<Arc<Server>> for Seated {
    type Rejection = Trouble;

    async fn from_request_parts(parts: &mut Parts, server: &Arc<Server>) -> Result<Self, Trouble> {
        let Path(game) =
            Path::<String>::from_request_parts(parts, server).await.map_err(|_| Trouble::NoSuchPage)?;
        let table = server.hall.table(&game).await?;
        let held = seats(&table, &parts.headers)?;
        Ok(Self { server: server.clone(), table, held, asker: Asker::of(parts) })
    }
}

impl Seated {
    /// The sides he plays, by place.
    pub(super) fn sides(&self) -> Vec<usize> {
        self.held.iter().filter_map(|&place| usize::try_from(place).ok()).collect()
    }

    /// The seat he looks from: the one he names, the one to move, or his first.
    pub(super) fn reading(&self, to_move: Option<usize>) -> Result<Option<usize>, Trouble> {
        let sides = self.sides();
        match self.asker.parameter("side") {
            Some("spectator") => Ok(None),
            Some(name) => self.own(name).map(Some),
            None => Ok(to_move.filter(|place| sides.contains(place)).or(sides.first().copied())),
        }
    }

    /// The place of a side he names, if it is his.
    pub(super) fn own(&self, name: &str) -> Result<usize, Trouble> {
        let sides = &self.table.sides;
        let place = sides.iter().position(|side| side == name).ok_or_else(|| {
            Refusal::field("side", phrase::UNKNOWN_CHOICE)
                .with("found", format!("\"{name}\""))
                .with("expected", sides.join(", "))
        })?;
        if self.sides().contains(&place) { Ok(place) } else { Err(Trouble::NotYourSeat) }
    }
}

/// The name of the cookie that holds the secret of a seat.
pub(super) fn cookie_name(game: &str, place: i64) -> String {
    format!("glacis_{game}_{}", if place == SPECTATOR { "s".to_owned() } else { place.to_string() })
}

/// The places that the secrets of a request open in this game, in order.
pub(super) fn seats(table: &Table, headers: &HeaderMap) -> Result<Vec<i64>, Trouble> {
    let secrets = secrets(headers, &table.id);
    if secrets.is_empty() {
        return Err(Trouble::NoSecret);
    }
    let mut places: Vec<i64> =
        secrets.iter().filter_map(|secret| table.seat_of(secret)).map(|seat| seat.place).collect();
    places.sort_unstable();
    places.dedup();
    if places.is_empty() { Err(Trouble::WrongSecret) } else { Ok(places) }
}

/// The most secrets that are looked at.
const MOST_SECRETS: usize = 8;

/// The secrets sent for a game: after `Bearer`, or in its cookies.
fn secrets<'a>(headers: &'a HeaderMap, game: &str) -> Vec<&'a str> {
    let bearer = text(headers, &header::AUTHORIZATION)
        .and_then(|value| value.strip_prefix("Bearer "))
        .into_iter()
        .flat_map(|list| list.split(',').map(str::trim));
    let prefix = format!("glacis_{game}_");
    let cookies = cookies(headers).filter(move |(name, _)| name.starts_with(&prefix)).map(|(_, value)| value);
    bearer.chain(cookies).take(MOST_SECRETS).collect()
}

/// The cookies of a request.
pub(super) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
}
