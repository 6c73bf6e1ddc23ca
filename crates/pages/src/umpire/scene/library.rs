//! The table a scene is played on: one of the examples, or one of the reader's own that travels in
//! the address if it is short and lies on the shelf if it is not. A query enters; the text of the
//! scene, what is wrong with it, the checked scene, and the query that links are made of leave.

use kernel::Refusal;
use rulebook::options::tabletop::Options;
use rulebook::{Asking, Lang, phrase, phrase::umpire as words};
use serde_json::Value;
use tabletop::scene::{Scene, Setup};

use super::inflate::unpack;
use crate::answer::path_name;
use crate::query::Query;
use crate::reader::Reader;
use crate::shelf::Shelf;

/// An example that comes with the house.
pub(super) struct Example {
    /// Its name in addresses.
    pub(super) name: &'static str,
    pub(super) json: &'static str,
}

macro_rules! examples {
    ($($name:literal),+ $(,)?) => {
        /// The examples, the plainest first.
        pub(super) const EXAMPLES: &[Example] = &[$(Example {
            name: $name,
            json: include_str!(concat!("../../../scenarios/", $name, ".json")),
        }),+];
    };
}

examples!(
    "column-behind-the-hedge",
    "crest",
    "wood-edge",
    "skirmish-screen",
    "grand-battery",
    "square-charged",
    "river-crossing",
    "fortified-farm",
    "village-street",
);

/// The longest text of a scene.
pub(crate) const LONGEST: usize = 256 * 1024;
/// A scene that takes more letters of an address is put on the shelf: each body has a link.
const LONGEST_IN_LINKS: usize = 1500;
/// The most bodies that are drawn on a page.
const MOST_BODIES: usize = 250;
/// The most pieces of ground that are drawn on a page.
const MOST_ELEMENTS: usize = 400;

/// A table, chosen.
pub(super) struct Table {
    /// The query that asks the same of this table, for links.
    pub(super) query: Query,
    /// The example, unless it is the reader's own.
    pub(super) example: Option<&'static str>,
    /// What the reader may change: the scene as it was written.
    pub(super) written: String,
    /// The scene as it is asked about, its names in the reader's language.
    pub(super) text: String,
    /// What is wrong with it.
    pub(super) fault: Option<String>,
    /// Whether it is more than a page takes, or gone: no slip of the pen that is mended in the form.
    pub(super) refused: bool,
    /// The scene, if nothing is.
    pub(super) scene: Option<Scene>,
}

/// What the reader calls an example.
pub(super) fn example_name(reader: &Reader, name: &str) -> String {
    reader.named(&format!("scene-{name}")).unwrap_or_else(|| name.replace('-', " "))
}

/// The examples: name, and what the reader calls each.
pub(crate) fn examples(reader: &Reader) -> Vec<(&'static str, String)> {
    EXAMPLES.iter().map(|example| (example.name, example_name(reader, example.name))).collect()
}

/// An example as it was written.
pub(crate) fn example_text(name: &str) -> Option<&'static str> {
    EXAMPLES.iter().find(|example| example.name == name).map(|example| example.json)
}

/// An example as a picture of its own, with the arcs or the corridor of these bodies, drawn as the umpire
/// draws it; nothing if there is no such example.
#[must_use]
pub fn scene_picture(name: &str, show: &[&str], lang: Lang) -> String {
    let Some(example) = EXAMPLES.iter().find(|example| example.name == name) else { return String::new() };
    let Ok(scene) = serde_json::from_str::<Value>(&translated(&Reader::of(lang), example)) else {
        return String::new();
    };
    let asked = tabletop::questions().into_iter().find(|question| question.name == "tabletop.scene");
    let request = serde_json::json!({ "scene": scene, "show": show }).to_string();
    asked.and_then(|question| question.drawn(&request, lang).picture).unwrap_or_default()
}

impl Table {
    /// The table a query names.
    pub(super) fn of(reader: &Reader, query: &Query, checker: &Asking, shelf: Option<&dyn Shelf>) -> Self {
        let kept = query.get("kept");
        let own = match (kept, query.get("z"), query.get("table")) {
            (Some(word), ..) => match shelf.and_then(|shelf| shelf.find(word)) {
                Some(text) => Some(Ok(text.to_string())),
                None => Some(Err(words::SCENE_EXPIRED)),
            },
            (None, Some(packed), _) => Some(unpack(packed).ok_or(words::SCENE_UNREADABLE)),
            (None, None, Some(text)) => Some(Ok(text.to_owned())),
            (None, None, None) => None,
        };
        let mut table = match own {
            Some(Ok(text)) if text.len() > LONGEST => Self::refused(reader.say(words::SCENE_TOO_LONG)),
            Some(Ok(text)) => Self::checked(reader, None, text.clone(), text, checker),
            Some(Err(phrase)) => Self::refused(reader.say(phrase)),
            None => {
                let wanted = query.get("scene").unwrap_or(EXAMPLES[0].name);
                match EXAMPLES.iter().find(|example| example.name == wanted) {
                    Some(example) => {
                        let text = translated(reader, example);
                        Self::checked(reader, Some(example.name), example.json.to_owned(), text, checker)
                    }
                    None => Self::broken(String::new(), reader.say(words::SCENE_NO_SUCH)),
                }
            }
        };
        let travels = query.get("z").or(query.get("table")).map_or(0, str::len);
        table.query = match shelf {
            Some(shelf) if kept.is_none() && travels > LONGEST_IN_LINKS && table.scene.is_some() => {
                kept_query(query, &shelf.keep(&table.written))
            }
            _ => query.clone(),
        };
        table
    }

    fn broken(written: String, fault: String) -> Self {
        Self {
            query: Query::default(),
            example: None,
            text: written.clone(),
            written,
            fault: Some(fault),
            refused: false,
            scene: None,
        }
    }

    fn refused(fault: String) -> Self {
        Self { refused: true, ..Self::broken(String::new(), fault) }
    }

    fn checked(
        reader: &Reader,
        example: Option<&'static str>,
        written: String,
        text: String,
        checker: &Asking,
    ) -> Self {
        // Only a whole value may stand inside the request; anything else is refused as it is.
        let whole = serde_json::from_str::<Value>(&text);
        if let Some((field, refusal)) = whole.as_ref().ok().and_then(too_many) {
            let fault =
                format!("{} : {}", path_name(reader, field), rulebook::refusal(&refusal, reader.lang));
            return Self::refused(fault);
        }
        let request = match &whole {
            Ok(_) => format!("{{\"scene\":{text},\"draw\":false}}"),
            Err(_) => text.clone(),
        };
        let reply = checker.reply(&request, reader.lang);
        if reply.is_refused() || whole.is_err() {
            let answered = reply.tree();
            let refused = &answered["refused"];
            let message = refused["message"].as_str().unwrap_or_default();
            let fault = match refused["field"].as_str() {
                Some(field) => format!("{} : {message}", path_name(reader, field)),
                None => message.to_owned(),
            };
            return Self::broken(written, fault);
        }
        let scene =
            serde_json::from_str::<Setup>(&text).ok().and_then(|setup| setup.check(&Options::default()).ok());
        Self { query: Query::default(), example, written, text, fault: None, refused: false, scene }
    }
}

/// The query that asks the same of a table on the shelf.
pub(super) fn kept_query(query: &Query, word: &str) -> Query {
    query.with("z", None).with("table", None).with("scene", None).with("kept", Some(word))
}

/// What there is more of than a page draws, before anything is worked out.
fn too_many(scene: &Value) -> Option<(&'static str, Refusal)> {
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    [("bodies", MOST_BODIES), ("terrain", MOST_ELEMENTS)].into_iter().find_map(|(field, most)| {
        let found = scene[field].as_array().map_or(0, Vec::len);
        let refusal = || {
            Refusal::field(field, phrase::tabletop_scene::TOO_MANY)
                .with("found", number(found))
                .with("most", number(most))
        };
        (found > most).then(|| (field, refusal()))
    })
}

/// An example with its names in the reader's language.
fn translated(reader: &Reader, example: &Example) -> String {
    let Ok(mut scene) = serde_json::from_str::<Value>(example.json) else { return example.json.to_owned() };
    scene["name"] = Value::String(example_name(reader, example.name));
    if let Some(story) = reader.named(&format!("scene-{}-story", example.name)) {
        scene["story"] = Value::String(story);
    }
    for list in ["terrain", "bodies"] {
        for entry in scene[list].as_array_mut().into_iter().flatten() {
            let said = entry["label"]
                .as_str()
                .and_then(|label| reader.named(&format!("scene-label-{}", slug(label))));
            if let Some(said) = said {
                entry["label"] = Value::String(said);
            }
        }
    }
    scene.to_string()
}

/// A label as the end of a key.
fn slug(label: &str) -> String {
    let folded = rulebook::fold(&label.replace('ä', "ae"));
    let parts = folded.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checker() -> Asking {
        tabletop::questions().into_iter().find(|question| question.name == "tabletop.scene").unwrap()
    }

    #[test]
    fn every_example_stands_in_both_languages() {
        for lang in [Lang::Fr, Lang::En] {
            let reader = Reader::of(lang);
            for example in EXAMPLES {
                let query = Query::parse(&format!("scene={}", example.name));
                let table = Table::of(&reader, &query, &checker(), None);
                assert_eq!(table.fault, None, "{}", example.name);
                assert!(table.scene.is_some(), "{}", example.name);
            }
        }
        let french = Table::of(&Reader::of(Lang::Fr), &Query::parse("scene=crest"), &checker(), None);
        assert!(french.text.contains("52e d’infanterie") && french.text.contains("Derrière la crête"));
    }

    #[test]
    fn a_fault_is_told_with_its_field() {
        let reader = Reader::of(Lang::En);
        let own = |text: &str| {
            let pairs: String =
                form_urlencoded::Serializer::new(String::new()).append_pair("table", text).finish();
            Table::of(&reader, &Query::parse(&pairs), &checker(), None).fault
        };
        assert!(own("{\"width\": 80").is_some());
        let fault = own(r#"{"name": "x", "width": 80, "depth": 60, "wood": 1}"#).unwrap();
        assert!(fault.contains("wood"), "{fault}");
        assert!(
            own(r#"{"name":"x","width":80,"depth":60,"terrain":[],"bodies":[]}, "draw": true"#).is_some()
        );
        assert_eq!(
            Table::of(&reader, &Query::parse("z=!!"), &checker(), None).fault.as_deref(),
            Some("the scene in this address cannot be read; it may have been cut off")
        );
    }
}
