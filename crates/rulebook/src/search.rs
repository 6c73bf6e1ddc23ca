//! Finding a rule by words, in either language, with or without accents.

use kernel::RuleId;

use crate::{Entry, Lang, ledger};

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
    text.chars()
        .flat_map(char::to_lowercase)
        .flat_map(|letter| {
            let plain: &'static str = match letter {
                'à' | 'â' | 'ä' => "a",
                'ç' => "c",
                'é' | 'è' | 'ê' | 'ë' => "e",
                'î' | 'ï' => "i",
                'ô' | 'ö' => "o",
                'ù' | 'û' | 'ü' => "u",
                'œ' => "oe",
                'æ' => "ae",
                '’' => "'",
                _ => return vec![letter],
            };
            plain.chars().collect()
        })
        .collect()
}

/// The rules and rulings in which every word of `words` begins some word, best first. The language
/// that is wanted counts double; the other is searched too.
#[must_use]
pub fn search(words: &str, lang: Lang) -> Vec<Hit> {
    let folded = fold(words);
    let wanted: Vec<&str> = split(&folded).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let rules = ledger::rules().iter().map(Entry::Rule);
    let rulings = ledger::rulings().iter().map(Entry::Ruling);
    let mut hits: Vec<Hit> = rules
        .chain(rulings)
        .filter_map(|entry| {
            let score = score(entry, words.trim(), &wanted, lang);
            (score > 0).then_some(Hit { id: entry.id(), entry, score })
        })
        .collect();
    // A stable sort: equal scores stay in the order of the books.
    hits.sort_by_key(|hit| std::cmp::Reverse(hit.score));
    hits
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn score(entry: Entry, words: &str, wanted: &[&str], lang: Lang) -> u32 {
    let id = entry.id().as_str();
    if id.eq_ignore_ascii_case(words) {
        return 1000;
    }
    let by_id = if id.to_ascii_lowercase().starts_with(&words.to_ascii_lowercase()) { 100 } else { 0 };
    let texts: Vec<&crate::Text> = match entry {
        Entry::Rule(rule) => vec![&rule.text],
        Entry::Ruling(ruling) => vec![&ruling.decision, &ruling.problem],
    };
    let in_language = |lang: Lang| {
        let texts: Vec<String> = texts.iter().map(|text| fold(text.get(lang))).collect();
        wanted.iter().try_fold(0, |sum, word| {
            let exact = texts.iter().flat_map(|text| split(text)).filter(|found| found == word).count();
            let begun =
                texts.iter().flat_map(|text| split(text)).filter(|found| found.starts_with(word)).count();
            let points = u32::try_from(exact + begun).unwrap_or(u32::MAX);
            (points > 0).then_some(sum + points)
        })
    };
    let other = if lang == Lang::Fr { Lang::En } else { Lang::Fr };
    by_id + 2 * in_language(lang).unwrap_or(0) + in_language(other).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_found_first() {
        assert_eq!(search("fe-5-16", Lang::En)[0].id.as_str(), "FE-5-16");
    }

    #[test]
    fn accents_do_not_matter_and_every_word_must_be_there() {
        let with = search("désordre tireur", Lang::Fr);
        assert!(!with.is_empty());
        assert_eq!(with, search("DESORDRE tireur", Lang::Fr));
        assert!(search("désordre zeppelin", Lang::Fr).is_empty());
        assert!(search("  ", Lang::Fr).is_empty());
    }
}
