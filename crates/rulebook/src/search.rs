//! Finding a rule by words, in either language, with or without accents.

use std::sync::LazyLock;

use kernel::{Refusal, RuleId, Verdict};

use crate::{Entry, Lang, Text, ledger, phrase};

/// The most words of one search.
pub const MOST_WORDS: usize = 16;
/// The longest search, in letters.
pub const LONGEST_SEARCH: usize = 200;

/// A rule or ruling that fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its id.
    pub id: RuleId,
    /// The entry.
    pub entry: Entry,
    /// How well it fits; higher is better.
    pub score: u32,
}

/// Lower case, without accents: `Désordre` and `desordre` are the same word.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            'à' | 'â' | 'ä' => folded.push('a'),
            'ç' => folded.push('c'),
            'é' | 'è' | 'ê' | 'ë' => folded.push('e'),
            'î' | 'ï' => folded.push('i'),
            'ô' | 'ö' => folded.push('o'),
            'ù' | 'û' | 'ü' => folded.push('u'),
            'œ' => folded.push_str("oe"),
            'æ' => folded.push_str("ae"),
            '’' => folded.push('\''),
            other => folded.push(other),
        }
    }
    folded
}

/// The words of a text, folded.
pub fn folded_words(text: &str) -> Vec<String> {
    split(&fold(text)).map(str::to_owned).collect()
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The words that a search asks for, folded, each once. What asks for too much is refused, so that no
/// search costs more than another.
///
/// # Errors
/// When there are more than [`MOST_WORDS`] or it is longer than [`LONGEST_SEARCH`].
pub fn sought(text: &str) -> Verdict<Vec<String>> {
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let refuse = |phrase, found: usize, most: usize| {
        Refusal::field("q", phrase).with("found", number(found)).with("most", number(most))
    };
    let letters = text.chars().count();
    if letters > LONGEST_SEARCH {
        return Err(refuse(phrase::rules::SEARCH_TOO_LONG, letters, LONGEST_SEARCH));
    }
    let mut words = folded_words(text);
    if words.len() > MOST_WORDS {
        return Err(refuse(phrase::rules::SEARCH_TOO_MANY_WORDS, words.len(), MOST_WORDS));
    }
    words.sort_unstable();
    words.dedup();
    Ok(words)
}

/// The words of an entry in one language, folded and sorted: made once, looked up ever after.
struct Indexed {
    entry: Entry,
    words: [Vec<String>; 2],
}

impl Indexed {
    fn of(entry: Entry) -> Self {
        let texts: Vec<&Text> = match entry {
            Entry::Rule(rule) => vec![&rule.text],
            Entry::Ruling(ruling) => vec![&ruling.decision, &ruling.problem],
        };
        let words = Lang::ALL.map(|lang| {
            let mut words: Vec<String> = texts.iter().flat_map(|text| folded_words(text.get(lang))).collect();
            words.sort_unstable();
            words
        });
        Self { entry, words }
    }

    /// How often all these words are found in a language, or nothing if one is missing.
    fn points(&self, wanted: &[String], lang: Lang) -> Option<u32> {
        let place = Lang::ALL.iter().position(|one| *one == lang)?;
        let words = &self.words[place];
        wanted.iter().try_fold(0_u32, |sum, wanted| {
            let from = &words[words.partition_point(|word| word < wanted)..];
            let exact = from.partition_point(|word| word == wanted);
            let begun = from.partition_point(|word| word.starts_with(wanted.as_str()));
            let points = u32::try_from(exact + begun).unwrap_or(u32::MAX);
            (points > 0).then_some(sum.saturating_add(points))
        })
    }
}

static INDEX: LazyLock<Vec<Indexed>> = LazyLock::new(|| {
    let rules = ledger::rules().iter().map(Entry::Rule);
    let rulings = ledger::rulings().iter().map(Entry::Ruling);
    rules.chain(rulings).map(Indexed::of).collect()
});

/// The rules and rulings in which every word of `words` begins some word, best first. The language
/// that is wanted counts double; the other is searched too.
///
/// # Errors
/// When too much is sought at once (see [`sought`]).
pub fn search(words: &str, lang: Lang) -> Verdict<Vec<Hit>> {
    let wanted = sought(words)?;
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let words = words.trim().to_ascii_lowercase();
    let mut hits: Vec<Hit> = INDEX
        .iter()
        .filter_map(|indexed| {
            let score = score(indexed, &words, &wanted, lang);
            (score > 0).then_some(Hit { id: indexed.entry.id(), entry: indexed.entry, score })
        })
        .collect();
    // A stable sort: equal scores stay in the order of the books.
    hits.sort_by_key(|hit| std::cmp::Reverse(hit.score));
    Ok(hits)
}

fn score(indexed: &Indexed, words: &str, wanted: &[String], lang: Lang) -> u32 {
    let id = indexed.entry.id().as_str().to_ascii_lowercase();
    if id == words {
        return 1000;
    }
    let by_id = if id.starts_with(words) { 100 } else { 0 };
    let other = if lang == Lang::Fr { Lang::En } else { Lang::Fr };
    let in_language = |lang: Lang| indexed.points(wanted, lang).unwrap_or(0);
    by_id + 2 * in_language(lang) + in_language(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(words: &str, lang: Lang) -> Vec<Hit> {
        search(words, lang).unwrap()
    }

    #[test]
    fn an_id_is_found_first() {
        assert_eq!(found("fe-5-16", Lang::En)[0].id.as_str(), "FE-5-16");
    }

    #[test]
    fn accents_do_not_matter_and_every_word_must_be_there() {
        let with = found("désordre tireur", Lang::Fr);
        assert!(!with.is_empty());
        assert_eq!(with, found("DESORDRE tireur", Lang::Fr));
        assert!(found("désordre zeppelin", Lang::Fr).is_empty());
        assert!(found("  ", Lang::Fr).is_empty());
    }

    #[test]
    fn the_index_counts_as_a_walk_over_the_texts_does() {
        for (words, lang) in [("fire", Lang::En), ("tir feu", Lang::Fr), ("d", Lang::Fr), ("the", Lang::En)] {
            let wanted = sought(words).unwrap();
            for indexed in INDEX.iter() {
                let texts: Vec<String> = match indexed.entry {
                    Entry::Rule(rule) => vec![fold(rule.text.get(lang))],
                    Entry::Ruling(ruling) => {
                        vec![fold(ruling.decision.get(lang)), fold(ruling.problem.get(lang))]
                    }
                };
                let count = |fits: &dyn Fn(&str) -> bool| {
                    texts.iter().flat_map(|text| split(text)).filter(|word| fits(word)).count()
                };
                let walked = wanted.iter().try_fold(0, |sum, wanted| {
                    let points =
                        count(&|word| word == wanted) + count(&|word| word.starts_with(wanted.as_str()));
                    (points > 0).then_some(sum + u32::try_from(points).unwrap())
                });
                assert_eq!(indexed.points(&wanted, lang), walked, "{} {words}", indexed.entry.id());
            }
        }
    }

    #[test]
    fn too_many_words_and_too_long_ones_are_refused_by_name() {
        let refused = search(&"a ".repeat(17), Lang::En).unwrap_err();
        assert_eq!(
            (refused.field.as_deref(), refused.reason),
            (Some("q"), phrase::rules::SEARCH_TOO_MANY_WORDS)
        );
        let refused = search(&"a".repeat(201), Lang::En).unwrap_err();
        assert_eq!(refused.reason, phrase::rules::SEARCH_TOO_LONG);
        assert!(found(&"the ".repeat(16), Lang::En).len() > 10);
    }
}
