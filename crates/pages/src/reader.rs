//! Who reads a page: the language and the light he wants it in, and where he is.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header::{ACCEPT_LANGUAGE, COOKIE};
use axum::http::request::Parts;
use kernel::{Fact, Measure, Phrase, Saying};
use rulebook::{Lang, speak};

/// The name of the cookie that remembers the language.
pub(crate) const LANG_COOKIE: &str = "glacis-lang";
/// The name of the cookie that remembers the light.
pub(crate) const THEME_COOKIE: &str = "glacis-theme";

/// Day or night.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the reader's device wants it.
    #[default]
    Device,
    /// Paper and ink.
    Light,
    /// Slate and chalk.
    Dark,
}

impl Theme {
    /// All, in the order in which the switch goes round.
    pub const ALL: [Self; 3] = [Self::Device, Self::Light, Self::Dark];

    /// Its name in cookies and pages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// The reader of a page.
#[derive(Clone, Debug)]
pub struct Reader {
    /// His language.
    pub lang: Lang,
    /// Day or night.
    pub theme: Theme,
    /// The path and query he asked for.
    pub place: String,
}

impl Reader {
    /// A reader of this language at the front door.
    #[must_use]
    pub fn of(lang: Lang) -> Self {
        Self { lang, theme: Theme::Device, place: "/".to_owned() }
    }

    /// A phrase in his language.
    #[must_use]
    pub fn say(&self, phrase: Phrase) -> String {
        speak(phrase, &[], self.lang)
    }

    /// A phrase with one fact.
    #[must_use]
    pub fn say_with(&self, phrase: Phrase, name: &'static str, value: impl Into<Measure>) -> String {
        speak(phrase, &[Fact { name, value: value.into() }], self.lang)
    }

    /// A phrase with its facts.
    #[must_use]
    pub fn tell(&self, saying: &Saying) -> String {
        speak(saying.phrase, &saying.facts, self.lang)
    }

    /// A value or a name in his language.
    #[must_use]
    pub fn measure(&self, value: &Measure) -> String {
        rulebook::measure(value, self.lang)
    }

    /// A message whose key is made from a name, if there is one.
    pub(crate) fn named(&self, key: &str) -> Option<String> {
        let said = rulebook::speak_key(key, self.lang);
        (said != key).then_some(said)
    }

    /// What a system is called.
    pub(crate) fn system_name(&self, system: &str) -> String {
        let title = self.named(&format!("{system}-title"));
        title.or_else(|| self.named(&format!("table-system-{system}"))).unwrap_or_else(|| system.to_owned())
    }

    /// The reader who sends a request: its cookies, its languages, its address.
    #[must_use]
    pub fn from_parts(parts: &Parts) -> Self {
        let cookies = parts.headers.get_all(COOKIE);
        let cookie = |name: &str| {
            cookies
                .iter()
                .filter_map(|value| value.to_str().ok())
                .flat_map(|value| value.split(';'))
                .filter_map(|pair| pair.trim().split_once('='))
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.to_owned())
        };
        let wanted = parts.headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let asked = parts.uri.query().and_then(|query| {
            form_urlencoded::parse(query.as_bytes())
                .find(|(name, _)| name == "lang")
                .and_then(|(_, code)| Lang::from_code(&code))
        });
        let lang = asked
            .or_else(|| cookie(LANG_COOKIE).and_then(|code| Lang::from_code(&code)))
            .unwrap_or_else(|| preferred(wanted.unwrap_or_default()));
        let theme = cookie(THEME_COOKIE)
            .and_then(|name| Theme::ALL.into_iter().find(|theme| theme.name() == name))
            .unwrap_or_default();
        let place = parts.uri.path_and_query().map_or("/", |place| place.as_str()).to_owned();
        Self { lang, theme, place }
    }
}

impl<S: Sync> FromRequestParts<S> for Reader {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::from_parts(parts))
    }
}

/// The language a browser likes best; English if it names neither.
fn preferred(header: &str) -> Lang {
    let mut best = (Lang::default(), 0.0_f32);
    for part in header.split(',') {
        let mut words = part.split(';');
        let code = words.next().unwrap_or_default().trim();
        let primary = code.split('-').next().unwrap_or_default().to_ascii_lowercase();
        let weight = words
            .find_map(|word| word.trim().strip_prefix("q="))
            .map_or(1.0, |weight| weight.trim().parse().unwrap_or(0.0));
        if let Some(lang) = Lang::from_code(&primary).filter(|_| weight > best.1) {
            best = (lang, weight);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_chooses_before_the_cookie_and_the_browser() {
        let reader = |address: &str| {
            let request = axum::http::Request::builder()
                .uri(address)
                .header(COOKIE, "glacis-lang=fr")
                .header(ACCEPT_LANGUAGE, "fr")
                .body(())
                .expect("a request");
            Reader::from_parts(&request.into_parts().0).lang
        };
        assert_eq!(reader("/g/one?at=3&lang=en"), Lang::En);
        assert_eq!(reader("/g/one?lang=tlh"), Lang::Fr);
        assert_eq!(reader("/g/one"), Lang::Fr);
    }

    #[test]
    fn the_browser_chooses_the_language() {
        assert_eq!(preferred("fr-CH, fr;q=0.9, en;q=0.8"), Lang::Fr);
        assert_eq!(preferred("de, en;q=0.5, fr;q=0.7"), Lang::Fr);
        assert_eq!(preferred("en-GB,en;q=0.9,fr;q=0.1"), Lang::En);
        assert_eq!(preferred("de"), Lang::En);
        assert_eq!(preferred(""), Lang::En);
        assert_eq!(preferred("fr;q=nonsense"), Lang::En);
    }
}
