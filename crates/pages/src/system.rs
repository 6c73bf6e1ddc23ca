//! A system as the pages know it: its name, its style, its maps and, if it can be played, its
//! scenarios, sides and options. Whoever serves the pages brings a list of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use kernel::Phrase;
use kernel::board::Board;
use rulebook::{Book, Lang, measure};

/// A system.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// Its name in addresses and records.
    pub name: &'static str,
    /// The style of what its boards show.
    pub style: &'static str,
    /// Its maps.
    pub maps: &'static [Map],
    /// The diagrams of its books.
    pub figures: &'static [Figure],
    /// Its game, if it can be played here.
    pub game: Option<Playable>,
}

/// A game that can be played.
#[derive(Clone, Copy, Debug)]
pub struct Playable {
    /// What it is called.
    pub title: Phrase,
    /// The book whose rulings leave its options open.
    pub book: Option<Book>,
    /// Its scenarios.
    pub scenarios: &'static [&'static str],
    /// The scenario to learn it by, if there is one: short, with a guide of its first turn.
    pub first: Option<&'static str>,
    /// Its sides by place: as records write them, and what they are called.
    pub sides: fn() -> Vec<(String, Phrase)>,
}

impl Playable {
    /// The game of a state.
    #[must_use]
    pub fn of<G: Board>(scenarios: &'static [&'static str], book: Option<Book>) -> Self {
        Self { title: G::WORDING.title, book, scenarios, first: None, sides: sides::<G> }
    }
}

fn sides<G: Board>() -> Vec<(String, Phrase)> {
    let written = |side: &G::Side| match serde_json::to_value(side) {
        Ok(serde_json::Value::String(name)) => name,
        _ => format!("{side:?}"),
    };
    G::SIDES.iter().map(|side| (written(side), G::name(*side))).collect()
}

/// A diagram of a section of a book.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// The book.
    pub book: Book,
    /// The sections it belongs to.
    pub sections: &'static [&'static str],
    /// What is seen in it.
    pub caption: Phrase,
    /// The picture.
    pub picture: Map,
}

/// A map of a system.
#[derive(Clone, Copy, Debug)]
pub struct Map {
    /// Its name in addresses.
    pub name: &'static str,
    /// The map as SVG, with words in a language.
    pub draw: fn(Lang) -> String,
    /// The names of its places as JSON, for pages that read them out.
    pub places: Option<fn(Lang) -> String>,
}

impl Map {
    /// The map, drawn once for each language.
    pub(crate) fn drawn(&self, lang: Lang) -> Arc<str> {
        static DRAWN: Mutex<BTreeMap<(&str, &str), Arc<str>>> = Mutex::new(BTreeMap::new());
        let key = (self.name, lang.code());
        let known = || DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(drawing) = known().get(&key) {
            return drawing.clone();
        }
        let drawing: Arc<str> = (self.draw)(lang).into();
        known().insert(key, drawing.clone());
        drawing
    }

    /// Its address, with its hash so that browsers may keep it until it is drawn anew.
    pub(crate) fn address(&self, lang: Lang) -> String {
        let hash = blake3::hash(self.drawn(lang).as_bytes()).to_hex();
        format!("/maps/{}.{}.svg?{}", self.name, lang.code(), &hash.as_str()[..12])
    }
}

impl System {
    /// The address of its style, with its hash.
    pub(crate) fn style_address(&self) -> String {
        let hash = blake3::hash(self.style.as_bytes()).to_hex();
        format!("/assets/board-{}.{}.css", self.name, &hash.as_str()[..16])
    }

    /// The map or the diagram with this name.
    pub(crate) fn map(&self, name: &str) -> Option<&'static Map> {
        let figures = self.figures.iter().map(|figure| &figure.picture);
        self.maps.iter().chain(figures).find(|map| map.name == name)
    }
}

/// The names of the places of a sheet as JSON: each with where it lies and what it is called.
#[must_use]
pub fn place_names<G: Board>(sheet: &str, lang: Lang) -> String {
    let names: serde_json::Map<String, serde_json::Value> = G::places(sheet)
        .into_iter()
        .map(|place| {
            let (x, y) = place.at;
            (place.id, serde_json::json!([x.round(), y.round(), measure(&place.name, lang)]))
        })
        .collect();
    serde_json::Value::Object(names).to_string()
}
