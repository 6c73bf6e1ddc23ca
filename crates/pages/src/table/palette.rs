//! The units of the national lists as the script puts them down: each with the name a reader knows it by.

use rulebook::phrase::evening as words;
use serde_json::{Value, json};
use tabletop::evening::templates::{Template, templates};
use tabletop::scene::Muster;

use crate::reader::Reader;

/// All of them, by army.
pub(crate) fn palette(reader: &Reader) -> Value {
    let nations = [
        ("French", words::NATION_FRENCH),
        ("British", words::NATION_BRITISH),
        ("Austrian", words::NATION_AUSTRIAN),
        ("Russian", words::NATION_RUSSIAN),
        ("Prussian", words::NATION_PRUSSIAN),
    ];
    let all = templates();
    let army = |nation: Option<&str>| -> Vec<Value> {
        all.iter().filter(|one| one.nation == nation).map(|one| unit(reader, one)).collect()
    };
    let mut armies: Vec<Value> = nations
        .iter()
        .map(|(nation, phrase)| {
            json!({ "key": nation.to_lowercase(), "name": reader.say(*phrase), "units": army(Some(nation)) })
        })
        .collect();
    armies.push(json!({ "key": "officers", "name": reader.say(words::OFFICERS), "units": army(None) }));
    let formations = |names: &[&str]| -> Vec<Value> {
        names.iter().map(|name| json!([name, crate::answer::value_name(reader, name)])).collect()
    };
    let kinds = [
        "hedge",
        "wall",
        "wood",
        "hill",
        "house",
        "road",
        "stream",
        "plateau",
        "orchard",
        "tall-crops",
        "vineyard",
        "ploughed",
        "marsh",
        "river",
        "bridge",
        "ford",
        "redoubt",
    ]
    .map(|kind| {
        json!([kind, reader.named(&format!("evening-kind-{kind}")).unwrap_or_else(|| kind.to_owned())])
    });
    json!({
        "armies": armies,
        "kinds": kinds,
        "formations": {
            "infantry": formations(&["line", "company-column", "division-column", "closed-column", "double-line", "hollow-square", "full-square", "skirmish"]),
            "cavalry": formations(&["line", "column", "double-line", "foragers"]),
            "artillery": formations(&["in-position", "limbered"]),
            "officer": formations(&["single"]),
        },
    })
}

fn unit(reader: &Reader, template: &Template) -> Value {
    let name = reader
        .named(&format!("evening-unit-{}", slug(template.name)))
        .unwrap_or_else(|| template.name.to_owned());
    let arm = match &template.troops {
        Muster::Infantry(_) => "infantry",
        Muster::Cavalry(_) => "cavalry",
        Muster::Artillery(_) => "artillery",
        Muster::Officer(_) => "officer",
    };
    json!({
        "name": name,
        "strength": template.strength,
        "arm": arm,
        "body": { "troops": template.troops, "status": template.status, "morale": template.morale },
        "formation": template.formation,
    })
}

/// A name as the end of a key.
fn slug(name: &str) -> String {
    let folded = rulebook::fold(name);
    let parts = folded.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulebook::Lang;

    #[test]
    fn every_unit_has_a_name_in_both_languages() {
        for lang in Lang::ALL {
            let reader = Reader::of(lang);
            for template in templates() {
                let key = format!("evening-unit-{}", slug(template.name));
                assert!(reader.named(&key).is_some(), "{key}");
            }
        }
    }
}
