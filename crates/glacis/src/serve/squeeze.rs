//! Pages, pictures and answers leave squeezed where the reader can unpack them. What is short is left
//! as it is, and so is what flows: news must not wait for more of it.

use std::io::Write as _;

use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Shorter bodies fit into a packet or two anyhow.
const SHORTEST: u64 = 1400;

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

/// Squeezes what leaves.
pub(super) async fn squeeze(request: Request, next: Next) -> Response {
    // What is posted may bring secrets back: their length is nobody's business.
    let wanted = request.method() == Method::GET && unpacks(request.headers());
    let mut response = next.run(request).await;
    if !is_text(response.headers()) || response.headers().contains_key(CONTENT_ENCODING) {
        return response;
    }
    response.headers_mut().append(VARY, HeaderValue::from_static("Accept-Encoding"));
    let whole = response.body().size_hint().exact();
    if !wanted || whole.is_none_or(|length| length < SHORTEST) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    // The whole of it is known already: nothing can fail here but a body that was cut short.
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return Response::from_parts(head, Body::empty());
    };
    let mut packed = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::fast());
    let packed = packed.write_all(&bytes).and_then(|()| packed.finish());
    let Ok(packed) = packed else { return Response::from_parts(head, Body::from(bytes)) };
    head.headers.remove(CONTENT_LENGTH);
    head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Response::from_parts(head, Body::from(packed))
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
