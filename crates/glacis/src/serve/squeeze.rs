//! Pages, pictures and answers leave squeezed where the reader can unpack them. What is short is left
//! as it is, and so is what flows: news must not wait for more of it.

use std::io::Write as _;
use std::sync::Arc;

use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::FutureExt;

use super::guard::Network;
use super::{Server, Whose};

/// Shorter bodies fit into a packet or two anyhow.
const SHORTEST: u64 = 1400;
/// Longer ones take a millisecond and more to squeeze.
const LARGE: u64 = 32 << 10;

/// What is made of text: it shrinks to a fifth and less.
const TEXTS: [&str; 5] =
    ["text/", "application/json", "image/svg+xml", "application/atom+xml", "application/xml"];

/// Whether the reader unpacks gzip.
fn unpacks(headers: &HeaderMap) -> bool {
    headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok()).any(|value| {
        value.split(',').any(|coding| {
            let mut parts = coding.split(';').map(str::trim);
            parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"))
                && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
        })
    })
}

fn is_text(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    TEXTS.iter().any(|text| kind.starts_with(text)) && !kind.starts_with("text/event-stream")
}

/// Whether an answer is to be squeezed for this reader: it is text, whole, and long enough.
fn worth(response: &Response, wanted: bool) -> bool {
    wanted
        && is_text(response.headers())
        && !response.headers().contains_key(CONTENT_ENCODING)
        && response.body().size_hint().exact().is_some_and(|length| length >= SHORTEST)
}

/// Whether the reader of an answer to this request unpacks it. What is posted may bring secrets back:
/// their length is nobody's business.
pub(super) fn wanted(request: &Request) -> bool {
    request.method() == Method::GET && unpacks(request.headers())
}

/// Squeezes an answer, where it is worth it.
pub(super) fn squeezed(response: Response, wanted: bool) -> Response {
    if !worth(&response, wanted) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    // The whole of it is there already: nothing can fail here but a body that was cut short.
    let Some(Ok(bytes)) = to_bytes(body, usize::MAX).now_or_never() else {
        return Response::from_parts(head, Body::empty());
    };
    let mut packed = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::fast());
    let packed = packed.write_all(&bytes).and_then(|()| packed.finish());
    let Ok(packed) = packed else { return Response::from_parts(head, Body::from(bytes)) };
    head.headers.remove(CONTENT_LENGTH);
    head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Response::from_parts(head, Body::from(packed))
}

/// Squeezes what leaves: what is small on the spot, what is large in the workshop.
pub(super) async fn squeeze(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let wanted = wanted(&request);
    let whose = Whose::Reader(Network::of(request.extensions()));
    let mut response = next.run(request).await;
    if is_text(response.headers()) {
        response.headers_mut().append(VARY, HeaderValue::from_static("Accept-Encoding"));
    }
    let large = response.body().size_hint().exact().is_some_and(|length| length > LARGE);
    if !large || !worth(&response, wanted) {
        return squeezed(response, wanted);
    }
    let work = server.hall.readers().work(&whose, move || squeezed(response, wanted));
    work.await.unwrap_or_else(IntoResponse::into_response)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(value: &'static str) -> bool {
        unpacks(&HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(value))]))
    }

    #[test]
    fn only_a_reader_who_unpacks_gets_it_packed() {
        assert!(accepts("gzip, deflate, br") && accepts("br;q=1.0, GZIP;q=0.8"));
        assert!(!accepts("br") && !accepts("gzip;q=0, br") && !accepts("x-gzipped"));
        assert!(!unpacks(&HeaderMap::new()));
    }

    #[test]
    fn news_that_flow_are_not_text() {
        let of = |kind| is_text(&HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(kind))]));
        assert!(of("text/html; charset=utf-8") && of("image/svg+xml"));
        assert!(!of("text/event-stream") && !of("image/png"));
    }
}
