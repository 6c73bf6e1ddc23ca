//! What every request passes: the host it names, the site it comes from, how many came before it;
//! and what every answer carries: the policies that keep a browser safe.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::Response;
use futures_util::{FutureExt, TryStreamExt};
use kernel::{Node, Refusal, Sides, phrase};
use pages::Reader;
use rulebook::Lang;
use serde::de::DeserializeOwned;

use super::hall::{SPECTATOR, Table};
use super::limits::{Bucket, buckets, network};
use super::trouble::Unspoken;
use super::{Hosts, LARGEST_BODY, Server, Trouble, Whose};

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
/// The longest address that is read, in letters after the `?`.
const LONGEST_QUERY: usize = 16 << 10;
/// How long a client may take to send the body of a request.
const BODY_TIME: Duration = Duration::from_secs(10);

/// The network a request comes from, among its extensions.
#[derive(Clone, Copy)]
pub(super) struct Network(pub(super) IpAddr);

impl Network {
    /// The network of a request that passed the guard.
    pub(super) fn of(extensions: &Extensions) -> IpAddr {
        extensions.get::<Self>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |network| network.0)
    }
}

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
    let mut request = Request::from_parts(parts, body);
    let from = network(client(server, peer, request.headers()));
    request.extensions_mut().insert(Network(from));
    let speak = |trouble: &Trouble| trouble.answer(lang, reader.as_ref());
    let mut response = match admit(server, from, &request) {
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

fn admit(server: &Server, from: IpAddr, request: &Request) -> Result<(), Trouble> {
    let path = request.uri().path();
    if path == "/healthz" {
        return Ok(());
    }
    let headers = request.headers();
    let creates = request.method() == Method::POST && matches!(path, "/api/games" | "/api/import");
    let cost = if creates { COST_OF_A_GAME } else { 1.0 };
    let allowed = match seat(server, path, headers) {
        Some(seat) => server.limits.allow([seat], cost),
        None => server.limits.allow(buckets(from), cost),
    };
    if !allowed {
        return Err(Trouble::TooMany);
    }
    if request.uri().query().is_some_and(|query| query.len() > LONGEST_QUERY) {
        return Err(Trouble::LongAddress);
    }
    if headers.get_all(header::HOST).iter().count() > 1 {
        return Err(Refusal::field("host", phrase::DUPLICATE_FIELD).into());
    }
    known_host(server, headers)?;
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        same_site(server, headers)?;
    }
    Ok(())
}

/// The bucket of somebody who sits at a game of this process: his own, which no neighbour empties. A
/// secret that opens nothing opens no bucket either.
fn seat(server: &Server, path: &str, headers: &HeaderMap) -> Option<Bucket> {
    if !server.limits.are_set() {
        return None;
    }
    let rest = path.strip_prefix("/api/games/").or_else(|| path.strip_prefix("/g/"))?;
    let table = server.hall.loaded_table(rest.split('/').next()?)?;
    let place = seats(&table, headers).ok()?.first().copied()?;
    Some(Bucket::Seat(table.id.clone(), place))
}

/// The address of the client: what the proxy in front says, where there is one. Each proxy adds what
/// it saw at the end, on the last line of that name: what stands before it anybody may have written.
fn client(server: &Server, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
    let named = || {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        named_address(last.rsplit(',').next()?.trim())
    };
    if server.manners.behind_proxy { named().unwrap_or(peer.ip()) } else { peer.ip() }
}

/// An address as proxies write it: alone, with a port, an IPv6 one perhaps in brackets.
fn named_address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|with_port| with_port.ip()))
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// An address as browsers name an origin: scheme, host and port, in lower case, the usual port left
/// out; nothing if it is more or less than that.
fn origin(address: &str) -> Option<(String, String)> {
    let (scheme, authority) = address.split_once("://")?;
    let (scheme, authority) = (scheme.to_ascii_lowercase(), authority.to_ascii_lowercase());
    let usual = match scheme.as_str() {
        "http" => ":80",
        "https" => ":443",
        _ => return None,
    };
    let plain =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_' | ':' | '[' | ']');
    let authority = authority.strip_suffix(usual).unwrap_or(&authority);
    (!authority.is_empty() && authority.chars().all(plain)).then(|| (scheme, authority.to_owned()))
}

/// The origin of the base address, whatever path it has.
fn base_origin(server: &Server) -> Option<(String, String)> {
    let (scheme, rest) =
        server.manners.base_url.split_once("://").unwrap_or(("http", &server.manners.base_url));
    origin(&format!("{scheme}://{}", rest.split('/').next().unwrap_or(rest)))
}

fn known_host(server: &Server, headers: &HeaderMap) -> Result<(), Trouble> {
    let host = text(headers, &header::HOST).ok_or(Trouble::Foreign)?;
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => host.split(':').next().unwrap_or(host),
    };
    let base = base_origin(server);
    let named =
        || base.as_ref().is_some_and(|base| origin(&format!("{}://{host}", base.0)).as_ref() == Some(base));
    let own = match server.manners.hosts {
        Hosts::Any => true,
        Hosts::Own => matches!(name, "localhost" | "127.0.0.1" | "::1") || named(),
        Hosts::Named => named(),
    };
    if own { Ok(()) } else { Err(Trouble::Foreign) }
}

/// A request that changes something must come from our own pages, or from no browser at all. A
/// browser always says where it comes from; one that sends cookies without saying so is refused.
fn same_site(server: &Server, headers: &HeaderMap) -> Result<(), Trouble> {
    if let Some(named) = headers.get(header::ORIGIN) {
        let named = named.to_str().ok().and_then(origin).ok_or(Trouble::Foreign)?;
        return if own_origins(server, headers).contains(&Some(named)) {
            Ok(())
        } else {
            Err(Trouble::Foreign)
        };
    }
    match text(headers, &HeaderName::from_static("sec-fetch-site")) {
        Some("same-origin") => Ok(()),
        Some(_) => Err(Trouble::Foreign),
        None if headers.contains_key(header::COOKIE) => Err(Trouble::Foreign),
        None => Ok(()),
    }
}

/// Where our own pages are: at the base address; and, under any other name by which we may be
/// reached, at that name: in plain HTTP, or as the proxy in front says.
fn own_origins(server: &Server, headers: &HeaderMap) -> [Option<(String, String)>; 2] {
    let base = base_origin(server);
    let forwarded = text(headers, &HeaderName::from_static("x-forwarded-proto"));
    let scheme = forwarded.filter(|_| server.manners.behind_proxy).unwrap_or("http");
    let here = text(headers, &header::HOST).and_then(|host| origin(&format!("{scheme}://{host}")));
    let here = here.filter(|(_, host)| base.as_ref().is_none_or(|(_, known)| known != host));
    [base, here]
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

/// The whole of a body, if it is not too large and comes in time.
pub(super) async fn whole_body(body: Body, most: usize) -> Result<Bytes, Trouble> {
    // Who says how much he sends is told at once.
    if body.size_hint().lower() > most as u64 {
        return Err(Trouble::TooLarge);
    }
    let gather = async {
        let mut pieces = body.into_data_stream();
        let mut whole = Vec::new();
        while let Some(piece) = pieces.try_next().await.map_err(|_| Trouble::BrokenBody)? {
            if whole.len() + piece.len() > most {
                return Err(Trouble::TooLarge);
            }
            whole.extend_from_slice(&piece);
        }
        Ok(Bytes::from(whole))
    };
    tokio::time::timeout(BODY_TIME, gather).await.unwrap_or(Err(Trouble::TooSlow))
}

/// What a request says in its body, of at most so many bytes.
pub(super) struct Sent<const MOST: usize = LARGEST_BODY>(Bytes);

impl<const MOST: usize> FromRequest<Arc<Server>> for Sent<MOST> {
    type Rejection = Trouble;

    async fn from_request(request: Request, _: &Arc<Server>) -> Result<Self, Trouble> {
        whole_body(request.into_body(), MOST).await.map(Self)
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

/// Somebody who asks, whoever he is: where he comes from, his language and what he asked for.
pub(super) struct Asker {
    pub(super) from: IpAddr,
    pub(super) lang: Lang,
    pub(super) query: Option<String>,
}

impl Asker {
    fn of(parts: &Parts) -> Self {
        let query = parts.uri.query();
        let from = Network::of(&parts.extensions);
        Self { from, lang: language(&parts.headers, query), query: query.map(str::to_owned) }
    }

    /// Whose turn it is when something is worked out for him.
    pub(super) fn whose(&self) -> Whose {
        Whose::Reader(self.from)
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

    /// The seat he looks from: the one he names, one that is waited for, or his first.
    pub(super) fn reading(&self, awaited: Sides) -> Result<Option<usize>, Trouble> {
        let sides = self.sides();
        match self.asker.parameter("side") {
            Some("spectator") => Ok(None),
            Some(name) => self.own(name).map(Some),
            None => Ok(awaited.iter().find(|place| sides.contains(place)).or(sides.first().copied())),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        let is = |one: &str, other: &str| origin(one).is_some() && origin(one) == origin(other);
        assert!(is("https://siege.example", "https://siege.example:443"));
        assert!(is("http://Siege.Example", "http://siege.example:80"));
        assert!(is("http://[::1]:1807", "http://[::1]:1807"));
        assert!(!is("http://siege.example", "https://siege.example"), "another scheme");
        assert!(!is("https://siege.example", "https://siege.example:80"), "another port");
        assert!(!is("https://siege.example", "https://siege.example.evil.example"));
        for nothing in [
            "null",
            "",
            "siege.example",
            "ftp://siege.example",
            "https://",
            "https://siege.example/",
            "https://a@b",
            "https://a b",
        ] {
            assert_eq!(origin(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn a_proxy_may_write_addresses_as_it_likes() {
        let is = |text: &str, address: &str| assert_eq!(named_address(text), address.parse().ok(), "{text}");
        is("192.0.2.1", "192.0.2.1");
        is("192.0.2.1:4711", "192.0.2.1");
        is("2001:db8::1", "2001:db8::1");
        is("[2001:db8::1]", "2001:db8::1");
        is("[2001:db8::1]:4711", "2001:db8::1");
        for nobody in ["", "unknown", "_hidden", "192.0.2", "192.0.2.1;evil"] {
            assert_eq!(named_address(nobody), None, "{nobody}");
        }
    }
}
