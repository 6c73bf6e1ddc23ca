//! A rule says what it says under the options that are played.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use kernel::{Chosen, Options};
use rulebook::options::{breach, campaign, danzig, tabletop};
use rulebook::{Entry, Lang, Ruling, rule, rulings, text};

fn chosen(pairs: &[(&str, &str)]) -> Chosen {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Every value of every option: the ruling says something else under each, in both languages.
#[test]
fn every_value_of_every_option_has_its_own_sentence() {
    let mut values = 0;
    for ruling in rulings() {
        for toggle in ruling.options {
            let said = |lang: Lang| -> Vec<&str> {
                let under = |value: &&str| text(ruling.id, &chosen(&[(toggle.name, value)]), lang);
                toggle.values.iter().map(under).collect()
            };
            for lang in Lang::ALL {
                let mut said = said(lang);
                assert_eq!(said[0], ruling.decision.get(lang), "the default of {}", ruling.id);
                values += said.len();
                said.sort_unstable();
                said.dedup();
                assert_eq!(said.len(), toggle.values.len(), "{} {}", ruling.id, toggle.name);
            }
        }
    }
    assert!(values > 400, "{values} sentences");
}

/// What a typed set of options names as chosen is what was set, and nothing else.
#[test]
fn options_know_what_was_chosen() {
    fn check<O: Options>() {
        assert!(O::default().chosen().is_empty());
        for (name, values) in O::all() {
            for value in &values[1..] {
                let mut options = O::default();
                options.set(name, value).unwrap();
                assert_eq!(options.chosen(), chosen(&[(name, value)]));
            }
        }
    }
    check::<breach::Options>();
    check::<campaign::Options>();
    check::<danzig::Options>();
    check::<tabletop::Options>();
}

#[test]
fn choices_made_together_have_their_own_sentence_and_others_change_nothing() {
    let back = ("ram_after_failure", "fall_back_10cm");
    let hits = ("ram_hits", "one_per_stand");
    let says = |pairs: &[(&str, &str)]| text(rule!(BR_R03), &chosen(pairs), Lang::En);
    assert!(says(&[back]).contains("10 cm") && says(&[back]).contains("1 automatic hit:"));
    assert!(says(&[back, hits]).contains("10 cm") && says(&[back, hits]).contains("for each stand"));
    assert_eq!(says(&[("magic", "on")]), says(&[]));
    // A rule that states the default reading follows the option too.
    let assault = |pairs: &[(&str, &str)]| text(rule!(DZ_4_8_14), &chosen(pairs), Lang::Fr);
    assert!(
        assault(&[]).contains("niveau 16")
            && assault(&[("wall_assault_max_level", "14")]).contains("niveau 14")
    );
    let Some(Entry::Ruling(Ruling { otherwise, .. })) = rulebook::entry("CA-R13") else { panic!("a ruling") };
    assert_eq!(otherwise.len(), 2);
}
