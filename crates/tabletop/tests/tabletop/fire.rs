//! `tabletop.fire` against the examples of the ledger and the traces of the procedure.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use kernel::{Desk, Live, Node, Odds, Question, Reply, Silent, Verdict, with_dice};
use proptest::prelude::*;
use rulebook::options::tabletop::Options;
use tabletop::fire::facts::{Answer, Fire, Request};

fn request(text: &str) -> Request {
    Node::parse(text).and_then(Node::read).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

fn ask(text: &str, die: u8, options: &Options) -> Verdict<Answer> {
    with_dice::<Fire>(&request(text), options, &[die]).map(|reply| match reply {
        Reply::Answered { answer, .. } => answer,
        Reply::Odds { .. } => unreachable!("the die was given"),
    })
}

fn losses(text: &str, die: u8) -> (Option<i32>, i32) {
    let answer = ask(text, die, &Options::default()).unwrap();
    (answer.factor, answer.losses.count())
}

#[test]
fn fe_ex_26_muskets_beyond_two_thirds() {
    let fire = r#"{"shooter": {"weapon": "musket", "factor": 4, "figures": 8}, "distance_cm": 15, "target": {"class": "mass"}}"#;
    assert_eq!(losses(fire, 5), (Some(3), 20));
    assert_eq!(
        losses(&fire.replace("\"distance_cm\"", "\"duration\": \"quarter\", \"distance_cm\""), 5),
        (Some(3), 10)
    );
}

#[test]
fn point_blank_the_front_of_the_target_limits_who_fires() {
    let fire = r#"{"shooter": {"weapon": "musket", "factor": 4, "figures": 12}, "distance_cm": 4,
                   "target": {"class": "mass"}}"#;
    // Point-blank +1, mass +1: without a front, all that the shooter names fire.
    let all = ask(fire, 5, &Options::default()).unwrap();
    assert_eq!((all.factor, all.losses.count(), all.fires), (Some(8), 85, None));
    // A column of three: 3 + 2 = 5 of 12 fire.
    let column = fire.replace("\"mass\"", "\"mass\", \"front\": 3");
    let five = ask(&column, 5, &Options::default()).unwrap();
    assert_eq!((five.factor, five.losses.count(), five.fires), (Some(8), 35, Some(5)));
    let reply = with_dice::<Fire>(&request(&column), &Options::default(), &[5]).unwrap();
    let Reply::Answered { because, .. } = reply else { unreachable!("the die was given") };
    for rule in ["FE-2.3-01", "FE-2.3-02", "FE-2.3-03"] {
        assert!(because.iter().any(|one| one.rule.as_str() == rule), "{rule}");
    }
    let fires = |from: &str, to: &str| ask(&column.replace(from, to), 5, &Options::default()).unwrap().fires;
    assert_eq!(fires("\"mass\"", "\"open\""), Some(8), "2 x 3 + 2 at skirmishers");
    assert_eq!(fires("\"front\"", "\"arm\": \"cavalry\", \"front\""), Some(7), "at three horsemen");
    assert_eq!(fires("\"distance_cm\": 4", "\"distance_cm\": 5"), Some(5), "5 cm is point-blank");
    assert_eq!(fires("\"distance_cm\": 4", "\"distance_cm\": 5.01"), None);
    assert_eq!(fires("\"front\": 3", "\"front\": 12"), Some(12), "no more than there are");
}

#[test]
fn fe_ex_41_canister_at_eight_centimetres() {
    let fire = r#"{"shooter": {"weapon": "calibre-12", "factor": 5, "figures": 4}, "projectile": "canister",
                   "distance_cm": 8, "duration": "quarter", "target": {"class": "mass"}}"#;
    assert_eq!(losses(fire, 4), (Some(13), 50));
}

#[test]
fn fe_ex_47_skirmishers_never_shoot_badly() {
    let fire = r#"{"shooter": {"weapon": "musket", "factor": 6, "figures": 6, "order": "skirmish"},
                   "distance_cm": 9, "target": {"class": "open"}}"#;
    assert_eq!(losses(fire, 1), (Some(2), 10));
    let light = Options {
        skirmish_die: rulebook::options::tabletop::SkirmishDie::LightCompaniesOnly,
        ..Options::default()
    };
    assert_eq!(ask(fire, 1, &light).unwrap().factor, Some(1));
    let voltigeurs = fire.replace("\"skirmish\"", "\"skirmish\", \"light_company\": true");
    assert_eq!(ask(&voltigeurs, 1, &light).unwrap().factor, Some(2));
}

#[test]
fn fe_ex_50_each_body_of_a_canister_fire() {
    let skirmishers = r#"{"shooter": {"weapon": "calibre-8", "factor": 5, "figures": 4}, "projectile": "canister",
                          "distance_cm": 9, "target": {"class": "open"}}"#;
    assert_eq!(losses(skirmishers, 3), (Some(6), 40));
    let line =
        skirmishers.replace("\"open\"", "\"line\"").replace("\"distance_cm\": 9", "\"distance_cm\": 14");
    assert_eq!(losses(&line, 3), (Some(9), 30));
}

/// A ball of a battery of four gunners with factor 5 at a body.
fn ball(calibre: u8, distance: u8, class: &str) -> String {
    format!(
        r#"{{"shooter": {{"weapon": "calibre-{calibre}", "factor": 5, "figures": 4}}, "distance_cm": {distance}, "target": {{"class": "{class}"}}}}"#
    )
}

#[test]
fn fe_ex_25_each_line_of_two() {
    assert_eq!(losses(&ball(6, 40, "line"), 1), (Some(4), 15));
    assert_eq!(losses(&ball(6, 50, "line"), 1), (Some(0), 5));
}

#[test]
fn fe_ex_42_each_body_on_the_axis() {
    assert_eq!(losses(&ball(12, 30, "open"), 5), (Some(4), 15));
    assert_eq!(losses(&ball(12, 34, "line"), 5), (Some(6), 20));
    assert_eq!(losses(&ball(12, 50, "mass"), 5), (Some(11), 40));
}

#[test]
fn traces_of_the_procedure() {
    let line = r#"{"shooter": {"weapon": "musket", "factor": 4, "figures": 12, "superior": 4}, "distance_cm": 6, "target": {"class": "mass"}}"#;
    let answer = ask(line, 4, &Options::default()).unwrap();
    assert_eq!((answer.losses.count(), answer.figures_lost, answer.marker.count()), (65, 1, 25));
    let charged = r#"{"shooter": {"weapon": "musket", "factor": 5, "figures": 5}, "distance_cm": 0, "duration": "quarter", "target": {"class": "mass"}}"#;
    assert_eq!(losses(charged, 2), (Some(7), 15));
    let pivoted = r#"{"shooter": {"weapon": "calibre-8", "factor": 5, "figures": 4}, "distance_cm": 40, "duration": "quarter", "target": {"class": "mass"}}"#;
    assert_eq!(losses(pivoted, 6), (Some(10), 20));
}

/// Every row of the three modifier tables, one at a time, against the fire without it.
#[test]
fn each_modifier_does_what_its_row_says() {
    let small = r#"{"shooter": {"weapon": "musket", "factor": 4, "figures": 8}, "distance_cm": 6, "target": {"class": "line"}}"#;
    let gun = r#"{"shooter": {"weapon": "calibre-6", "factor": 4, "figures": 4}, "distance_cm": 40, "target": {"class": "line"}}"#;
    let factor = |text: &str| ask(text, 1, &Options::default()).unwrap().factor.unwrap();
    let (plain, ball) = (factor(small), factor(gun));
    assert_eq!((plain, ball), (4, 3));
    for (change, to, modifier) in [
        ("\"line\"", "\"line\", \"irregular\": true", -1),
        ("\"line\"", "\"open\"", -3),
        ("\"line\"", "\"line\", \"cover\": \"light\"", -1),
        ("\"line\"", "\"line\", \"cover\": \"hard\"", -3),
        ("\"line\"", "\"line\", \"arm\": \"cavalry\", \"charging_shooter\": true", -1),
        ("\"line\"", "\"line\", \"charging_shooter\": true", 0),
        ("\"line\"", "\"line\", \"uphill\": true", -1),
        ("\"line\"", "\"mass\"", 1),
        ("\"line\"", "\"line\", \"arm\": \"cuirassiers\"", -1),
        ("\"line\"", "\"line\", \"arm\": \"artillery\", \"in_position\": true", -1),
        ("\"line\"", "\"mass\", \"arm\": \"artillery\", \"in_position\": true", -1),
        ("\"line\"", "\"mass\", \"arm\": \"officer\"", -2),
        ("\"figures\": 8", "\"figures\": 8, \"state\": \"disorganised\"", 0),
        ("\"figures\": 8", "\"figures\": 8, \"state\": \"unformed\"", -2),
        ("\"figures\": 8", "\"figures\": 8, \"state\": \"disordered\"", -4),
        (": 6,", ": 5,", 1),
        (": 6,", ": 7.01,", -2),
        (": 6,", ": 14.01,", -4),
    ] {
        assert_eq!(factor(&small.replacen(change, to, 1)) - plain, modifier, "{to}");
    }
    for (change, to, modifier) in [
        ("\"line\"", "\"open\"", 1 - 3),
        ("\"line\"", "\"mass\"", 1 + 2),
        ("\"line\"", "\"line\", \"arm\": \"artillery\", \"in_position\": true", 1 - 2),
        ("\"line\"", "\"line\", \"arm\": \"officer\"", 1),
        (": 40,", ": 45.01,", -4),
        (": 40,", ": 67.51,", -7),
        (": 40,", ": 20,", 0),
        (": 40,", ": 20, \"projectile\": \"canister\",", 1 + 3),
    ] {
        assert_eq!(factor(&gun.replacen(change, to, 1)) - ball, modifier, "{to}");
    }
}

#[test]
fn each_option_of_a_fire_changes_what_it_says() {
    let set = |name: &str, value: &str| {
        let mut options = Options::default();
        kernel::Options::set(&mut options, name, value).unwrap();
        options
    };
    let point_blank = r#"{"shooter": {"weapon": "musket", "factor": 4, "figures": 8}, "distance_cm": 0.5, "target": {"class": "line"}}"#;
    assert_eq!(ask(point_blank, 1, &Options::default()).unwrap().factor, Some(5));
    assert_eq!(ask(point_blank, 1, &set("point_blank_bonus_from_cm", "1")).unwrap().factor, Some(4));
    let canister = r#"{"shooter": {"weapon": "calibre-6", "factor": 4, "figures": 4}, "projectile": "canister", "distance_cm": 22.5, "target": {"class": "line"}}"#;
    assert!(!ask(canister, 1, &Options::default()).unwrap().lost);
    assert!(ask(canister, 1, &set("canister_limit", "strict")).unwrap().lost);
    let officer = canister.replace("\"line\"", "\"line\", \"arm\": \"officer\"");
    assert!(ask(&officer, 1, &Options::default()).is_ok());
    let refused = ask(&officer, 1, &set("artillery_at_officers", "forbidden")).unwrap_err();
    assert_eq!((refused.rule.unwrap().as_str(), refused.field.as_deref()), ("FE-R62", Some("target.arm")));
    let far = officer.replace("22.5", "22.6");
    assert!(ask(&far, 1, &Options::default()).unwrap().lost);
    let undeclared = ask(&far, 1, &set("artillery_at_officers", "forbidden")).unwrap_err();
    assert_eq!(undeclared.rule.unwrap().as_str(), "FE-R62", "not even declared");
    let flank = point_blank.replace("\"line\"", "\"line\", \"on_flank\": true");
    assert_eq!(ask(&flank, 1, &Options::default()).unwrap().factor, Some(5));
    let enfiladed = set("enfilade", "line_counts_as_deep_from_flank");
    assert_eq!(ask(&flank, 1, &enfiladed).unwrap().factor, Some(6));
}

/// The reasons of one fire, as a reader gets them, in both languages.
#[test]
fn the_explanation_reads_like_the_procedure() {
    let asking = tabletop::questions().into_iter().find(|asking| asking.name == "tabletop.fire").unwrap();
    let fire = r#"{"shooter": {"weapon": "rifle", "factor": 5, "figures": 8, "superior": 2, "state": "unformed"},
                   "distance_cm": 12, "duration": "quarter", "target": {"class": "mass", "cover": "light"}, "dice": [6]}"#;
    let shown = |lang| {
        let reply: serde_json::Value = serde_json::from_str(&asking.ask(fire, lang).json).unwrap();
        reply["because"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| format!("{} {}", line["rule"].as_str().unwrap(), line["effect"].as_str().unwrap()))
            .collect::<Vec<_>>()
            .join("\n")
    };
    insta::assert_snapshot!(shown(rulebook::Lang::En), @r"
    FE-4.1-01 = 5
    FE-5-04 -1
    FE-5-10 -1
    FE-5-12 -2
    FE-5-16 +1
    FE-4.1-05 = 2
    FE-2.2-06 ×11/10
    FE-4.1-06 = 6
    FE-5-27 applies
    FE-4.1-07 +2
    FE-4.3-03 applies
    FE-6-01 = 25
    FE-4.1-08 = 25
    FE-4.1-10 ×1/2
    FE-2.2-05 ×11/10
    FE-4.3-11 applies
    FE-4.3-05 ×11/10
    FE-4.3-06 = 30
    FE-4.3-08 ×1/2
    FE-4.4-01 = 15
    ");
    insta::assert_snapshot!(shown(rulebook::Lang::Fr), @r"
    FE-4.1-01 = 5
    FE-5-04 -1
    FE-5-10 -1
    FE-5-12 -2
    FE-5-16 +1
    FE-4.1-05 = 2
    FE-2.2-06 ×11/10
    FE-4.1-06 = 6
    FE-5-27 s'applique
    FE-4.1-07 +2
    FE-4.3-03 s'applique
    FE-6-01 = 25
    FE-4.1-08 = 25
    FE-4.1-10 ×1/2
    FE-2.2-05 ×11/10
    FE-4.3-11 s'applique
    FE-4.3-05 ×11/10
    FE-4.3-06 = 30
    FE-4.3-08 ×1/2
    FE-4.4-01 = 15
    ");
}

#[test]
fn a_battery_without_its_formation_is_refused_by_the_rule_of_its_state() {
    let rule = |state: &str| {
        let fire = format!(
            r#"{{"shooter": {{"weapon": "calibre-6", "factor": 4, "figures": 4, "state": "{state}"}}, "distance_cm": 40, "target": {{"class": "line"}}}}"#
        );
        let refused = ask(&fire, 1, &Options::default()).unwrap_err();
        assert_eq!(refused.field.as_deref(), Some("shooter.state"));
        refused.rule.unwrap().as_str()
    };
    assert_eq!((rule("unformed"), rule("disordered")), ("FE-3.6-05", "FE-R64"));
}

#[test]
fn a_silent_fire_allocates_nothing() {
    let request = request(
        r#"{"shooter": {"weapon": "musket", "factor": 4, "figures": 12, "superior": 4}, "distance_cm": 6, "target": {"class": "mass"}}"#,
    );
    let options = Options::default();
    let mut desk = Desk::new(Live::numbered(1), Silent);
    // The first fire reads the tables.
    assert!(Fire::answer(&request, &options, &mut desk).is_ok());
    let measured = allocation_counter::measure(|| {
        for _ in 0..100 {
            assert!(Fire::answer(&request, &options, &mut desk).is_ok());
        }
    });
    assert_eq!(measured.count_total, 0);
}

proptest! {
    /// A request cut, doubled and scribbled over at random gets an answer in JSON, never a panic.
    #[test]
    fn a_spoiled_request_is_answered_all_the_same(
        spoils in prop::collection::vec((0_usize..200, 0_usize..12, any::<prop::sample::Index>()), 1..6),
    ) {
        const PIECES: [&str; 8] = ["null", "-1", "1e999", "\"mass\"", "{}", "[", "999999999999999999999", "\"dice\":[6],"];
        let mut text = r#"{"shooter": {"weapon": "calibre-8", "factor": 4, "figures": 12}, "distance_cm": 6.0, "projectile": "canister", "target": {"class": "mass", "marker": 5}, "dice": [4]}"#.to_owned();
        for (place, length, piece) in spoils {
            let from = place.min(text.len());
            let to = (from + length).min(text.len());
            text.replace_range(from..to, PIECES[piece.index(PIECES.len())]);
        }
        let asking = tabletop::questions().into_iter().find(|asking| asking.name == "tabletop.fire").unwrap();
        let reply: serde_json::Value = serde_json::from_str(&asking.ask(&text, rulebook::Lang::Fr).json).unwrap();
        prop_assert_eq!(reply.get("refused").is_some(), asking.ask(&text, rulebook::Lang::En).refused);
    }

    #[test]
    fn odds_sum_to_one_and_more_never_hurts_less(
        factor in -5_i32..15, figures in 0_i32..40, hundredths in 0_i32..2100, class in 0_usize..3, brief: bool,
    ) {
        let text = |factor: i32, figures: i32| format!(
            r#"{{"shooter": {{"weapon": "musket", "factor": {factor}, "figures": {figures}}}, "distance_cm": {}.{:02},
                "duration": "{}", "target": {{"class": "{}", "figures": 999}}}}"#,
            hundredths / 100, hundredths % 100, if brief { "quarter" } else { "whole" },
            ["mass", "line", "open"][class],
        );
        let odds = |factor, figures| {
            let request = request(&text(factor, figures));
            Odds::of(|dice| Fire::answer(&request, &Options::default(), &mut Desk::new(dice, Silent)).unwrap().losses).unwrap()
        };
        let here = odds(factor, figures);
        prop_assert_eq!(here.counts().iter().map(|(_, cases)| cases).sum::<kernel::Count>(), here.total().clone());
        let worst = |odds: &Odds<kernel::Losses>| odds.counts().last().unwrap().0;
        prop_assert!(worst(&odds(factor + 1, figures)) >= worst(&here));
        prop_assert!(worst(&odds(factor, figures + 1)) >= worst(&here));
    }
}

/// A request that was put together in code can be sent: what is written is what is read.
#[test]
fn a_typed_request_is_written_as_it_is_read() {
    use kernel::{Centimetres, Whole};
    use tabletop::Arm;
    use tabletop::fire::facts::{Shooter, Target};
    use tabletop::fire::{Class, Weapon};

    let shooter = Shooter { superior: Whole::new(4), ..Shooter::new(Weapon::Musket, 4, 12).unwrap() };
    let target = Target { class: Some(Class::Mass), arm: Arm::HorseArtillery, ..Target::default() };
    let request = Request::new(shooter, Centimetres::whole(6), target);
    let Reply::Answered { answer, .. } = with_dice::<Fire>(&request, &Default::default(), &[4]).unwrap()
    else {
        panic!("the die is known");
    };
    let mut written = serde_json::to_value(&request).unwrap();
    assert_eq!(written["target"]["arm"], "artillery");
    assert!(written["shooter"].get("order").is_none(), "what is not said is left out: {written}");
    written["dice"] = serde_json::json!([4]);
    let fire = tabletop::questions().into_iter().find(|question| question.name == "tabletop.fire").unwrap();
    let told = fire.reply(&written.to_string(), rulebook::Lang::En).tree();
    assert_eq!(told["answer"], serde_json::to_value(&answer).unwrap());

    let refused = Shooter::new(Weapon::Musket, 41, 12).unwrap_err();
    assert_eq!(refused.field.as_deref(), Some("shooter.factor"));
    assert_eq!(refused.reason, kernel::phrase::IMPOSSIBLE_VALUE);
}
