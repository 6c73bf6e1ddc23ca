//! What can go wrong with a request, each with its status and a reason in the reader's language.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use kernel::{Phrase, Refusal, phrase};
use pages::Reader;
use rulebook::{Answered, Lang, phrase as words};

use super::places::Full;
use crate::store::{Damage, StoreFault};

/// Why a request is not granted.
#[derive(Debug)]
pub enum Trouble {
    /// The game, the rules or the request itself refuse it.
    Refused(Refusal),
    /// There is no such game.
    NoSuchGame,
    /// There is no such page.
    NoSuchPage,
    /// There is no such question.
    NoSuchQuestion(String),
    /// The page does not take this method.
    WrongMethod,
    /// No secret was sent.
    NoSecret,
    /// The secret opens no seat of this game.
    WrongSecret,
    /// A spectator gave an order, or a seat asked for what is another's.
    NotYourSeat,
    /// The record would show what is hidden while the game goes on.
    StillHidden,
    /// The request comes from another site.
    Foreign,
    /// The body is larger than is read.
    TooLarge,
    /// The body is not put together as HTTP wants it, or ends before its end.
    BrokenBody,
    /// Too many requests in a short time.
    TooMany,
    /// Too many listen to this game.
    TooManyListeners,
    /// Too many streams of events go to this address.
    TooManyStreams,
    /// Too many games were begun from this address today.
    TooManyGames,
    /// This reader has too much being worked out already.
    TooMuchAtOnce,
    /// Too much is being worked out, or this takes too long.
    Busy,
    /// The address that is asked for is too long.
    LongAddress,
    /// The body did not come in time.
    TooSlow,
    /// The answer would be too large.
    LargeAnswer,
    /// The game is damaged as it is kept: what is asked needs more than is sound of it.
    Damaged(Damage),
    /// The store does not answer now.
    Store(StoreFault),
    /// Something is broken here.
    Broken(String),
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<StoreFault> for Trouble {
    fn from(fault: StoreFault) -> Self {
        Self::Store(fault)
    }
}

impl From<Full> for Trouble {
    fn from(full: Full) -> Self {
        match full {
            Full::Yours => Self::TooMuchAtOnce,
            Full::All => Self::Busy,
        }
    }
}

impl Trouble {
    /// The status of the answer.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Refused(refusal) => refusal_status(refusal),
            Self::NoSuchGame | Self::NoSuchPage | Self::NoSuchQuestion(_) => StatusCode::NOT_FOUND,
            Self::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Self::NoSecret => StatusCode::UNAUTHORIZED,
            Self::WrongSecret | Self::NotYourSeat | Self::StillHidden | Self::Foreign => {
                StatusCode::FORBIDDEN
            }
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BrokenBody => StatusCode::BAD_REQUEST,
            Self::TooMany
            | Self::TooManyListeners
            | Self::TooManyStreams
            | Self::TooManyGames
            | Self::TooMuchAtOnce => StatusCode::TOO_MANY_REQUESTS,
            Self::LongAddress => StatusCode::URI_TOO_LONG,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::LargeAnswer => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Store(_) | Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Damaged(_) => StatusCode::LOCKED,
            Self::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn refusal(&self) -> Refusal {
        let plain = |phrase: Phrase| Refusal::plain(phrase);
        match self {
            Self::Refused(refusal) => refusal.clone(),
            Self::NoSuchGame => plain(words::server::NO_SUCH_GAME),
            Self::NoSuchPage => plain(words::server::NO_SUCH_PAGE),
            Self::NoSuchQuestion(name) => plain(phrase::UNKNOWN_QUESTION).with("name", name.as_str()),
            Self::WrongMethod => plain(words::server::WRONG_METHOD),
            Self::NoSecret => plain(words::server::NO_SECRET),
            Self::WrongSecret => plain(words::server::WRONG_SECRET),
            Self::NotYourSeat => plain(words::server::NOT_YOUR_SEAT),
            Self::StillHidden => plain(words::server::STILL_HIDDEN),
            Self::Foreign => plain(words::server::FOREIGN),
            Self::TooLarge => plain(words::server::TOO_LARGE),
            Self::BrokenBody => plain(words::server::BROKEN_BODY),
            Self::TooMany => plain(words::server::TOO_MANY),
            Self::TooManyListeners => plain(words::server::TOO_MANY_LISTENERS),
            Self::TooManyStreams => plain(words::server::TOO_MANY_STREAMS),
            Self::TooManyGames => plain(words::server::TOO_MANY_GAMES),
            Self::TooMuchAtOnce => plain(words::server::TOO_MUCH_AT_ONCE),
            Self::Busy => plain(words::server::BUSY),
            Self::LongAddress => plain(words::server::LONG_ADDRESS),
            Self::TooSlow => plain(words::server::TOO_SLOW),
            Self::LargeAnswer => plain(words::server::LARGE_ANSWER),
            Self::Damaged(damage) => damage.refusal(),
            Self::Store(StoreFault::Gone { .. }) => plain(words::store::FILE_GONE),
            Self::Store(StoreFault::Full(_)) => plain(words::store::DISK_FULL),
            Self::Store(_) => plain(words::server::STORE_DOWN),
            Self::Broken(_) => plain(words::server::BROKEN),
        }
    }

    /// Why, in words.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        rulebook::refusal(&self.refusal(), lang)
    }

    /// The answer, in a language: a page for a reader of pages, data for everybody else. What is
    /// broken here is told to the log, not to the reader.
    #[must_use]
    pub fn answer(&self, lang: Lang, reader: Option<&Reader>) -> Response {
        match self {
            Self::Store(fault) => log_fault(&fault.to_string()),
            Self::Broken(detail) => super::log(detail),
            _ => {}
        }
        let mut response = match (self, reader) {
            (Self::NoSuchPage, Some(reader)) => pages::not_found(reader),
            (_, Some(reader)) => {
                let why = self.text(reader.lang);
                Html(pages::refusal_page(reader, &why)).into_response()
            }
            (_, None) => {
                let body = Answered::refused(&self.refusal(), lang).json;
                ([(header::CONTENT_TYPE, "application/json")], body).into_response()
            }
        };
        *response.status_mut() = self.status();
        let again = match self {
            Self::TooMany | Self::TooManyListeners | Self::TooManyStreams | Self::Store(_) => Some("1"),
            Self::TooMuchAtOnce | Self::Busy => Some("2"),
            Self::TooManyGames => Some("3600"),
            _ => None,
        };
        if let Some(again) = again {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(again));
        }
        if matches!(self, Self::TooSlow) {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

/// What the store says again and again is written to the log once in this time.
const AGAIN: Duration = Duration::from_secs(10);

/// Writes what is wrong with the store to the log: the same once in a while, however many meet it.
fn log_fault(fault: &str) {
    static LAST: Mutex<Option<(Instant, String)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if is_new(&mut last, fault, Instant::now()) {
        super::log(fault);
    }
}

/// Whether something is to be said that was not said just before.
fn is_new(last: &mut Option<(Instant, String)>, said: &str, now: Instant) -> bool {
    let known = last.as_ref().is_some_and(|(at, before)| before == said && now.duration_since(*at) < AGAIN);
    if !known {
        *last = Some((now, said.to_owned()));
    }
    !known
}

/// Trouble that travels inside an answer until the guard, who knows the reader, puts it into words.
#[derive(Clone)]
pub(super) struct Unspoken(pub(super) Arc<Trouble>);

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(Unspoken(Arc::new(self)));
        response
    }
}

/// A refusal by a rule is a conflict with the table, one of a field a bad request; an order that
/// came too late, or out of turn, is told apart so that a client can refresh.
#[must_use]
pub(super) fn refusal_status(refusal: &Refusal) -> StatusCode {
    const LATE: [Phrase; 15] = [
        phrase::STALE_ORDER,
        phrase::NOT_YOUR_DECISION,
        phrase::GAME_OVER,
        phrase::NOTHING_TO_UNDO,
        phrase::NO_OFFER,
        phrase::OFFER_PENDING,
        phrase::NO_PLEDGES,
        phrase::PLEDGED_ALREADY,
        phrase::PLEDGE_TOO_LATE,
        phrase::TAKE_BACK_OFF,
        phrase::TABLE_ALREADY,
        phrase::MACHINE_SEAT,
        phrase::MACHINE_TABLE,
        phrase::TOO_LONG,
        phrase::TOO_MUCH_TALK,
    ];
    if refusal.field.is_none() && LATE.contains(&refusal.reason) {
        StatusCode::CONFLICT
    } else if refusal.rule.is_some() || refusal.reason == phrase::NOT_OFFERED {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::BAD_REQUEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_trouble_is_logged_once_in_a_while() {
        let (mut last, now) = (None, Instant::now());
        assert!(is_new(&mut last, "the disk is full", now));
        assert!(!is_new(&mut last, "the disk is full", now + AGAIN / 2));
        assert!(is_new(&mut last, "the file is gone", now + AGAIN / 2), "something else");
        assert!(is_new(&mut last, "the file is gone", now + AGAIN * 2), "still so");
    }
}
