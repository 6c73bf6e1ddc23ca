//! The units of the national lists as the script puts them down: each with the name a reader knows it by.

use rulebook::phrase::evening as words;
use serde_json::{Value, json};
use tabletop::evening::templates::{Template, templates};
use tabletop::scene::{Company, Formation, Muster};

use crate::reader::Reader;

const INFANTRY: [Formation; 8] = [
    Formation::Line,
    Formation::CompanyColumn,
    Formation::DivisionColumn,
    Formation::ClosedColumn,
    Formation::DoubleLine,
    Formation::HollowSquare,
    Formation::FullSquare,
    Formation::Skirmish,
];
const CAVALRY: [Formation; 4] =
    [Formation::Line, Formation::Column, Formation::DoubleLine, Formation::Foragers];
const ARTILLERY: [Formation; 2] = [Formation::InPosition, Formation::Limbered];

/// The formations troops can take.
pub(super) const fn formations(troops: &Muster) -> &'static [Formation] {
    match troops {
        Muster::Infantry(_) => &INFANTRY,
        Muster::Cavalry(_) => &CAVALRY,
        Muster::Artillery(_) => &ARTILLERY,
        Muster::Officer(_) => &[Formation::Single],
    }
}

const NATIONS: [(&str, kernel::Phrase); 5] = [
    ("French", words::NATION_FRENCH),
    ("British", words::NATION_BRITISH),
    ("Austrian", words::NATION_AUSTRIAN),
    ("Russian", words::NATION_RUSSIAN),
    ("Prussian", words::NATION_PRUSSIAN),
];

/// The armies with their names, the officers at the end.
pub(super) fn nations(reader: &Reader) -> Vec<(Option<&'static str>, String)> {
    let armies = NATIONS.iter().map(|(nation, phrase)| (Some(*nation), reader.say(*phrase)));
    armies.chain([(None, reader.say(words::OFFICERS))]).collect()
}

/// All of them, by army.
pub(crate) fn palette(reader: &Reader) -> Value {
    let all = templates();
    let army = |nation: Option<&str>| -> Vec<Value> {
        all.iter().filter(|one| one.nation == nation).map(|one| unit(reader, one)).collect()
    };
    let armies: Vec<Value> = nations(reader)
        .into_iter()
        .map(|(nation, name)| {
            let key = nation.map_or_else(|| "officers".to_owned(), str::to_lowercase);
            json!({ "key": key, "name": name, "units": army(nation) })
        })
        .collect();
    let formations = |all: &[Formation]| -> Vec<Value> {
        let word = |formation: &Formation| json!(formation).as_str().unwrap_or_default().to_owned();
        all.iter().map(|one| json!([one, crate::answer::value_name(reader, &word(one))])).collect()
    };
    let words = |all: &[&str]| -> Vec<Value> {
        let name =
            |word: &str| reader.named(&format!("evening-word-{word}")).unwrap_or_else(|| word.to_owned());
        all.iter().map(|word| json!([word, name(word)])).collect()
    };
    let kinds = [
        "hedge",
        "wall",
        "wood",
        "hill",
        "house",
        "village",
        "road",
        "stream",
        "plateau",
        "orchard",
        "tall-crops",
        "vineyard",
        "ploughed",
        "marsh",
        "ditch",
        "river",
        "large-river",
        "bridge",
        "ford",
        "track",
        "redoubt",
    ]
    .map(|kind| {
        json!([kind, reader.named(&format!("evening-kind-{kind}")).unwrap_or_else(|| kind.to_owned())])
    });
    json!({
        "armies": armies,
        "kinds": kinds,
        "formations": {
            "infantry": formations(&INFANTRY),
            "cavalry": formations(&CAVALRY),
            "artillery": formations(&ARTILLERY),
            "officer": formations(&[Formation::Single]),
        },
        "words": {
            "state": words(&["formed", "disorganised", "unformed", "disordered"]),
            "situation": words(&["steady", "rallying", "retreating", "routing", "fleeing"]),
            "obstacle": words(&["light", "hard", "hard-final", "open"]),
            "water": words(&["ditch", "stream", "river", "large-river"]),
            "wood": words(&["forest", "orchard"]),
            "field": words(&["tall-crops", "vineyard", "ploughed"]),
            "track": words(&["track", "ride"]),
        },
    })
}

/// What a unit of the lists is called.
pub(super) fn unit_name(reader: &Reader, template: &Template) -> String {
    reader.named(&format!("evening-unit-{}", slug(template.name))).unwrap_or_else(|| template.name.to_owned())
}

/// A unit of the lists as a reader puts it down: its companies are called in his language.
pub(super) fn called(reader: &Reader, template: &Template) -> Template {
    let mut unit = template.clone();
    let companies: &mut [Company] = match &mut unit.troops {
        Muster::Infantry(drill) => &mut drill.companies,
        Muster::Cavalry(weight) => &mut weight.companies,
        Muster::Artillery(_) | Muster::Officer(_) => &mut [],
    };
    for company in companies {
        let (kind, number) = kind_and_number(&company.name);
        if let Some(kind) = reader.named(&format!("evening-figure-{}", slug(kind))) {
            company.name = [kind.as_str(), number].join(" ").trim_end().to_owned();
        }
    }
    unit
}

/// What a company of the lists is made of, and its number where there are several.
fn kind_and_number(name: &str) -> (&str, &str) {
    let numbered =
        name.rsplit_once(' ').filter(|(_, number)| number.chars().all(|letter| letter.is_ascii_digit()));
    numbered.unwrap_or((name, ""))
}

fn unit(reader: &Reader, template: &Template) -> Value {
    let name = unit_name(reader, template);
    let template = called(reader, template);
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

    /// The names of the companies of the units that a reader puts down.
    fn companies(lang: Lang) -> Vec<String> {
        let palette = palette(&Reader::of(lang));
        let units =
            palette["armies"].as_array().unwrap().iter().flat_map(|army| army["units"].as_array().unwrap());
        let troops = units.filter_map(|unit| unit["body"]["troops"].as_object()?.values().next());
        let companies = troops.filter_map(|troops| troops["companies"].as_array()).flatten();
        companies.map(|company| company["name"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn companies_are_called_in_the_language_of_who_puts_them_down() {
        for lang in Lang::ALL {
            let reader = Reader::of(lang);
            for template in templates() {
                let all = match &template.troops {
                    Muster::Infantry(drill) => drill.companies.as_slice(),
                    Muster::Cavalry(weight) => weight.companies.as_slice(),
                    Muster::Artillery(_) | Muster::Officer(_) => &[],
                };
                for company in all {
                    let key = format!("evening-figure-{}", slug(kind_and_number(&company.name).0));
                    assert!(reader.named(&key).is_some(), "{key}");
                }
            }
        }
        let french = companies(Lang::Fr);
        for name in ["fusiliers 4", "voltigeurs", "escadron 2", "compagnie du centre 8"] {
            assert!(french.iter().any(|one| one == name), "no {name} among {french:?}");
        }
        assert_eq!(french.len(), companies(Lang::En).len());
        assert!(companies(Lang::En).iter().any(|one| one == "squadron 2"));
    }
}
