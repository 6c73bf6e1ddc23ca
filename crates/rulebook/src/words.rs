//! Data becomes words here and nowhere else.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use kernel::{Effect, Fact, Measure, Phrase, Refusal};
use unic_langid::LanguageIdentifier;

use crate::{Lang, Text, tables};

/// A phrase for every message of the word files.
pub mod phrase {
    use crate::Text;

    include!(concat!(env!("OUT_DIR"), "/words.rs"));
}

type Bundle = FluentBundle<FluentResource>;

static FRENCH: LazyLock<Bundle> = LazyLock::new(|| bundle(Lang::Fr, |text| text.fr));
static ENGLISH: LazyLock<Bundle> = LazyLock::new(|| bundle(Lang::En, |text| text.en));

fn bundle(lang: Lang, pick: fn(&Text) -> &'static str) -> Bundle {
    let identifier: LanguageIdentifier = lang.code().parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![identifier]);
    bundle.set_use_isolating(false);
    for text in phrase::WORDS {
        // The build has parsed every file; a resource with errors cannot reach this place.
        let resource =
            FluentResource::try_new(pick(text).to_owned()).unwrap_or_else(|(resource, _)| resource);
        bundle.add_resource_overriding(resource);
    }
    bundle
}

/// A phrase with its facts, in a language.
#[must_use]
pub fn speak(phrase: Phrase, facts: &[Fact], lang: Lang) -> String {
    say(phrase.key(), facts, lang)
}

/// The phrase with this key, if the words have one.
#[must_use]
pub fn phrase_of(key: &str) -> Option<Phrase> {
    let place = phrase::ALL.binary_search_by(|phrase| phrase.key().cmp(key)).ok()?;
    phrase::ALL.get(place).copied()
}

/// A message whose key is made from a name, such as that of a question; the key itself where there
/// is no such message.
#[must_use]
pub fn speak_key(key: &str, lang: Lang) -> String {
    say(key, &[], lang)
}

/// A message whose key is made from a name, with its facts.
#[must_use]
pub fn speak_with_key(key: &str, facts: &[Fact], lang: Lang) -> String {
    say(key, facts, lang)
}

fn say(key: &str, facts: &[Fact], lang: Lang) -> String {
    let bundle = match lang {
        Lang::Fr => &*FRENCH,
        Lang::En => &*ENGLISH,
    };
    let Some(pattern) = bundle.get_message(key).and_then(|message| message.value()) else {
        return key.to_owned();
    };
    let mut arguments = FluentArgs::new();
    for fact in facts {
        let value = match &fact.value {
            Measure::Number(number) => FluentValue::from(*number),
            other => FluentValue::String(Cow::Owned(measure(other, lang))),
        };
        arguments.set(fact.name, value);
    }
    let mut errors = Vec::new();
    let sentence = bundle.format_pattern(pattern, Some(&arguments), &mut errors).into_owned();
    debug_assert!(errors.is_empty(), "{key}: {errors:?}");
    sentence
}

/// A value in a language: numbers with their unit, words translated.
#[must_use]
pub fn measure(value: &Measure, lang: Lang) -> String {
    let decimal = |text: String| match lang {
        Lang::Fr => text.replace('.', ","),
        Lang::En => text,
    };
    match value {
        Measure::Word(phrase) => speak(*phrase, &[], lang),
        Measure::MovementPoints(points) => {
            let unit = if lang == Lang::Fr { "PM" } else { "MP" };
            format!("{} {unit}", decimal(points.to_string()))
        }
        Measure::Centimetres(_) | Measure::Metres(_) => decimal(value.to_string()),
        Measure::Name(text) => name(text, lang),
        Measure::Said(saying) => speak(saying.phrase, &saying.facts, lang),
        Measure::Several(several) => {
            several.iter().map(|one| measure(one, lang)).collect::<Vec<_>>().join(", ")
        }
        Measure::Refusal(inner) => reason(inner, lang),
        other => other.to_string(),
    }
}

/// A proper name, or several, as a language writes it: most are the same in both (`glossary/names.csv`). The
/// names of leaders and troops stand in the tables that bring them.
#[must_use]
pub fn name(text: &str, lang: Lang) -> String {
    static NAMES: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
        use tables::campaign::{GAME_LEADERS, GAME_REINFORCEMENTS, GAME_SETUP};
        let leaders = GAME_LEADERS.iter().map(|row| (row.name_en, row.name_fr));
        let troops = GAME_SETUP.iter().map(|row| (row.name_en, row.name_fr));
        let entering = GAME_REINFORCEMENTS.iter().map(|row| (row.name_en, row.name_fr));
        let others = tables::glossary::NAMES.iter().map(|row| (row.en, row.fr));
        leaders.chain(troops).chain(entering).chain(others).collect()
    });
    if lang == Lang::En {
        return text.to_owned();
    }
    if let Some(french) = NAMES.get(text) {
        return (*french).to_owned();
    }
    let several = [", ", " + "].into_iter().find(|between| text.contains(between));
    several.map_or_else(
        || text.to_owned(),
        |between| text.split(between).map(|one| name(one, lang)).collect::<Vec<_>>().join(between),
    )
}

/// What a rule did, in a language: `+1`, `×2`, `= 60`.
#[must_use]
pub fn effect(effect: &Effect, lang: Lang) -> String {
    match effect {
        Effect::Applied => speak(phrase::kernel::APPLIED, &[], lang),
        Effect::Refused => speak(phrase::kernel::REFUSED, &[], lang),
        Effect::Modifier(value) => format!("{value:+}"),
        Effect::Times(numerator, 1) => format!("×{numerator}"),
        Effect::Times(numerator, denominator) => format!("×{numerator}/{denominator}"),
        Effect::Set(value) => format!("= {}", measure(value, lang)),
        Effect::Limit(value) => {
            let facts = [Fact { name: "value", value: value.clone() }];
            speak(phrase::kernel::LIMIT, &facts, lang)
        }
    }
}

/// A refusal that explains another: with the field and the rule it names.
fn reason(inner: &Refusal, lang: Lang) -> String {
    let field = inner.field.as_ref().map(|field| format!("{field}{}", lang.colon())).unwrap_or_default();
    let rule = inner.rule.map(|rule| format!(" [{rule}]")).unwrap_or_default();
    format!("{field}{}{rule}", refusal(inner, lang))
}

/// A refusal in a language.
#[must_use]
pub fn refusal(refusal: &Refusal, lang: Lang) -> String {
    speak(refusal.reason, &refusal.facts, lang)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_can_say_everything_in_both_languages() {
        let reader = kernel::wanted_phrases();
        for phrase in kernel::phrase::ALL.iter().chain(kernel::record::record_phrase::ALL).chain(&reader) {
            for lang in Lang::ALL {
                let bundle = if lang == Lang::Fr { &*FRENCH } else { &*ENGLISH };
                assert!(bundle.has_message(phrase.key()), "{} lacks {}", lang.code(), phrase.key());
            }
        }
    }

    #[test]
    fn a_refusal_speaks_the_readers_language() {
        let refused = Refusal::field("dice", kernel::phrase::DIE_IMPOSSIBLE)
            .with("roll", 1)
            .with("face", 7)
            .with("sides", 6);
        assert_eq!(refusal(&refused, Lang::En), "die 1 shows 7, which a die of 6 cannot");
        assert_eq!(refusal(&refused, Lang::Fr), "le dé 1 montre 7, impossible pour un dé à 6 faces");
    }

    #[test]
    fn names_are_written_as_each_language_does() {
        let several = Measure::Name("Reserve 1 + Diericke I, Cossacks".to_owned());
        assert_eq!(measure(&several, Lang::Fr), "Réserve 1 + Diericke I, Cosaques");
        assert_eq!(measure(&several, Lang::En), several.to_string());
        assert_eq!(name("ferry, north landing", Lang::Fr), "bac, rive nord");
    }
}
