//! A feed for each seat (Atom), for games that last weeks: what happened, and whose turn it is.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use kernel::{Fact, Phrase, Sides};
use rulebook::{Lang, phrase as words};

use super::guard::Asker;
use super::hall::{SPECTATOR, Table, sentences};
use super::{Server, Trouble, secrets};
use crate::host::Hosted;

/// The feed holds so many entries.
const LENGTH: u64 = 30;

pub(super) async fn atom(
    State(server): State<Arc<Server>>,
    Path((game, seat, word)): Path<(String, String, String)>,
    asker: Asker,
) -> Result<Response, Trouble> {
    let table = server.hall.table(&game).await?;
    let place = if seat == "s" { SPECTATOR } else { seat.parse().map_err(|_| Trouble::NoSuchPage)? };
    let stored = table.seats().iter().find(|seat| seat.place == place).ok_or(Trouble::WrongSecret)?;
    if !secrets::same(&secrets::feed_word(&stored.hash), &word) {
        return Err(Trouble::WrongSecret);
    }
    let text = write(&server, &table, usize::try_from(place).ok(), &asker).await?;
    Ok(([(header::CONTENT_TYPE, "application/atom+xml; charset=utf-8")], text).into_response())
}

/// The title of a game for a reader: whose turn it is.
pub(super) fn title(table: &Table, awaited: Sides, over: bool, reader: Option<usize>, lang: Lang) -> String {
    let speak = |phrase: Phrase| {
        let facts = [
            Fact { name: "system", value: table.system.name.into() },
            Fact { name: "side", value: names(table, awaited, lang).into() },
        ];
        rulebook::speak(phrase, &facts, lang)
    };
    if over {
        speak(words::server::TITLE_OVER)
    } else if reader.is_some_and(|place| awaited.has(place)) {
        speak(words::server::TITLE_YOURS)
    } else {
        speak(words::server::TITLE_OTHERS)
    }
}

/// Those who are waited for, by name.
fn names(table: &Table, awaited: Sides, lang: Lang) -> String {
    let names: Vec<String> = awaited.iter().map(|place| table.side_word(Some(place), lang)).collect();
    if names.is_empty() { table.side_word(None, lang) } else { names.join(", ") }
}

async fn write(
    server: &Arc<Server>,
    table: &Arc<Table>,
    reader: Option<usize>,
    asker: &Asker,
) -> Result<String, Trouble> {
    let lang = asker.lang;
    let entries = server.hall.look(table).await?.game().map_or(0, Hosted::entries);
    let log = server.hall.log(table, entries.saturating_sub(LENGTH), &asker.whose()).await?;
    let (awaited, over, imported) = {
        let seen = server.hall.look(table).await?;
        seen.game().map_or((Sides::NONE, true, None), |game| {
            (game.awaited(), game.is_over(), game.fairness().adopted)
        })
    };
    let base = &server.manners.base_url;
    let link = format!("{base}/g/{}", table.id);
    let updated = log.last().map_or(table.created(), |last| last.at);
    let title = title(table, awaited, over, reader, lang);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" \
         xml:lang=\"{}\"><id>urn:glacis:{}</id><title>{}</title><updated>{}</updated>\
         <author><name>Glacis</name></author><link href=\"{}\"/>",
        lang.code(),
        table.id,
        escaped(&title),
        date(updated),
        escaped(&link),
    );
    if let Some(entry) = imported {
        let entry = Fact { name: "entry", value: i64::try_from(entry).unwrap_or(i64::MAX).into() };
        let said = rulebook::speak(words::server::IMPORTED, &[entry], lang);
        let _ = write!(text, "<subtitle>{}</subtitle>", escaped(&said));
    }
    for happening in log.iter().rev() {
        let n = happening.n;
        let mut lines = sentences(&happening.said, reader, lang);
        lines.extend(happening.words.clone());
        let by = table.side_word(happening.side, lang);
        let deed = rulebook::speak_key(&format!("server-deed-{}", happening.deed), lang);
        let heading = match log.last() {
            Some(last) if n == last.n => title.clone(),
            _ => format!("{n}. {by}: {deed}"),
        };
        let _ = write!(
            text,
            "<entry><id>urn:glacis:{}:{n}</id><title>{}</title><updated>{}</updated><link href=\"{}\"/>\
             <content type=\"text\">{}</content></entry>",
            table.id,
            escaped(&heading),
            date(happening.at),
            escaped(&link),
            escaped(&format!("{n}. {by}: {deed}. {}", lines.join(" "))),
        );
    }
    text.push_str("</feed>\n");
    Ok(text)
}

/// A text inside XML or HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if c.is_control() && c != '\n' => {}
            c => safe.push(c),
        }
    }
    safe
}

/// A moment as Atom writes it: `1807-05-24T12:00:00Z`.
fn date(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(86400), seconds.rem_euclid(86400));
    // The civil calendar counted in eras of 400 years from 1 March 0000.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_atom_wants_them() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(-5_132_116_800), "1807-05-16T12:00:00Z");
    }

    #[test]
    fn no_markup_gets_through() {
        assert_eq!(escaped("<b a='\"'>&\u{7}"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;");
    }
}
