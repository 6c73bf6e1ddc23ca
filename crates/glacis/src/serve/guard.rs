//! What every request passes: the host it names, the site it comes from, how many came before it;
//! and what every answer carries: the policies that keep a browser safe.

use std::net::{IpAddr, SocketAddr};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::FutureExt;
use kernel::Node;
use rulebook::Lang;
use serde::de::DeserializeOwned;

use super::hall::{SPECTATOR, Table};
use super::{Hosts, Server, Trouble};

/// The address a connection comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) SocketAddr);

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

/// Lets a request pass, or answers why not.
pub(super) async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let lang = language(request.headers(), request.uri().query());
    let mut response = match admit(&server, &request) {
        Ok(()) => {
            let run = AssertUnwindSafe(next.run(request)).catch_unwind().await;
            let response =
                run.unwrap_or_else(|_| Trouble::Broken("a request panicked".to_owned()).answer(lang));
            // The framework's own refusal of a large body has no words.
            if response.status() == Trouble::TooLarge.status()
                && response.headers().get(header::CONTENT_TYPE).is_none_or(|kind| kind != "application/json")
            {
                Trouble::TooLarge.answer(lang)
            } else {
                response
            }
        }
        Err(trouble) => trouble.answer(lang),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn admit(server: &Server, request: &Request) -> Result<(), Trouble> {
    let path = request.uri().path();
    if path == "/healthz" {
        return Ok(());
    }
    let creates = request.method() == Method::POST && matches!(path, "/api/games" | "/api/import");
    let cost = if creates { COST_OF_A_GAME } else { 1.0 };
    if !server.limits.allow(client(server, request), cost) {
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
fn client(server: &Server, request: &Request) -> IpAddr {
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::from([127, 0, 0, 1]), |peer| peer.0.ip());
    let named = || {
        let list = text(request.headers(), &HeaderName::from_static("x-forwarded-for"))?;
        list.rsplit(',').next()?.trim().parse().ok()
    };
    if server.manners.behind_proxy { named().unwrap_or(peer) } else { peer }
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

/// A parameter of an address.
pub(super) fn parameter<'a>(query: Option<&'a str>, name: &str) -> Option<&'a str> {
    query?
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

pub(super) async fn no_such_page(request: Request<Body>) -> Response {
    Trouble::NoSuchPage.answer(language(request.headers(), request.uri().query()))
}

pub(super) async fn wrong_method(request: Request<Body>) -> Response {
    Trouble::WrongMethod.answer(language(request.headers(), request.uri().query()))
}

/// Reads a body as strictly as the command line does.
pub(super) fn body<T: DeserializeOwned>(bytes: &Bytes) -> Result<T, Trouble> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        kernel::Refusal::plain(kernel::phrase::NOT_JSON).with("detail", error.to_string())
    })?;
    Ok(Node::parse(text)?.read()?)
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
