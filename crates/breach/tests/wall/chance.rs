//! What must hold for any request: no panic, odds that sum to one, dice that land among them.

use std::time::{Duration, Instant};

use kernel::{Chance, Count};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::ask;

/// An exact fraction of two long numbers, as parts.
fn parts(p: &str) -> (Vec<u32>, Vec<u32>) {
    let digits = |text: &str| text.bytes().rev().map(|digit| u32::from(digit - b'0')).collect();
    let (cases, of) = p.split_once('/').unwrap();
    (digits(cases), digits(of))
}

/// As a count, whatever its length.
fn count(digits: &[u32]) -> Count {
    let ten = Count::from(10);
    digits
        .iter()
        .rev()
        .fold(Count::ZERO, |so_far, digit| so_far.times(&ten).plus(&Count::from(u128::from(*digit))))
}

/// The sum of the odds of a reply.
fn sum(reply: &Value) -> String {
    let (mut cases, mut of) = (Count::ZERO, Count::ONE);
    for outcome in reply["odds"].as_array().unwrap() {
        let (favourable, whole) = parts(outcome["p"].as_str().unwrap());
        let (favourable, whole) = (count(&favourable), count(&whole));
        let added = Chance::new(cases.times(&whole).plus(&favourable.times(&of)), of.times(&whole));
        let (new_cases, new_of) = added.parts();
        (cases, of) = (new_cases.clone(), new_of.clone());
    }
    format!("{cases}/{of}")
}

/// Rolls until the question has the dice it wants: the reply with them.
fn rolled(question: &str, request: &Value, faces: &[u8]) -> Value {
    let mut dice: Vec<u8> = Vec::new();
    let mut faces = faces.iter().cycle();
    loop {
        dice.extend(faces.next());
        let mut request = request.clone();
        request["dice"] = json!(dice);
        let reply = ask(question, &request);
        if reply["refused"]["field"] != "dice" {
            return reply;
        }
        assert!(dice.len() < 400, "{question} {request} is never content: {reply}");
    }
}

/// Asks without dice and with these: the odds are whole, and what was rolled is among them.
fn holds(question: &str, request: &Value, faces: &[u8]) {
    let reply = ask(question, request);
    if reply["refused"].is_object() {
        assert!(reply["refused"]["message"].as_str().is_some_and(|message| !message.is_empty()));
        assert!(reply["refused"]["field"].is_string(), "{question} {request}: {reply}");
        return;
    }
    let with_dice = rolled(question, request, faces);
    let answer = &with_dice["answer"];
    if reply["answer"].is_object() {
        assert_eq!(&reply["answer"], answer, "{question} {request}");
        return;
    }
    assert_eq!(sum(&reply), "1/1", "{question} {request}");
    let among = reply["odds"].as_array().unwrap().iter().any(|outcome| &outcome["answer"] == answer);
    assert!(among, "{question} {request}: {answer} is not among the odds");
    let told = |reply: &Value| super::reasons(reply);
    let all = told(&with_dice);
    for reason in told(&reply) {
        assert!(all.contains(&reason), "{question} {request}: {reason:?} holds whatever the dice show");
    }
}

fn word(words: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(words)
}

const ARMS: &[&str] =
    &["infantry", "infantry", "infantry", "cavalry", "chariot", "artillery", "monster", "flyer"];

fn armour() -> impl Strategy<Value = i32> {
    prop::sample::select(vec![0, 3, 4, 5, 6])
}

prop_compose! {
    fn unit()(distance in 0_u32..9_000, arm in word(ARMS), lost in 0..4, near: bool, dense: bool,
        item in word(&["none", "none", "ladders", "mantlets", "portable_ram", "ram", "siege_tower", "sow"])) -> Value {
        json!({ "distance_cm": f64::from(distance) / 100.0, "arm": arm, "lost_stands": lost, "enemy_near": near,
            "dense": dense, "item": item })
    }
}

prop_compose! {
    fn order()(character in word(&["general", "hero", "wizard"]), command in 1..11, order in 1..5, road: bool,
        blunders in 0..7, units in prop::collection::vec(unit(), 1..5),
        edition in word(&["revolution", "classic"]),
        orders in word(&["one_per_turn", "several_with_extra_penalty"])) -> Value {
        json!({ "character": character, "command": command, "order": order, "road": road && order > 1,
            "blunders": blunders, "units": units,
            "options": { "core_edition": edition, "machine_orders": orders } })
    }
}

prop_compose! {
    fn gun()(gun in word(&["cannon", "stone_thrower", "mangonel", "bombard", "trebuchet"]), stands in 1..5,
        distance in 0_u32..7_000) -> Value {
        json!({ "gun": gun, "stands": stands, "distance_cm": f64::from(distance) / 100.0 })
    }
}

prop_compose! {
    fn bombard()(element in word(&["gate", "wall", "tower", "gate_tower", "palisade_wall", "palisade_tower"]),
        dice in 0..21, turns in 1..4, guns in prop::collection::vec(gun(), 1..4),
        ram in word(&["no", "no", "ram", "portable_ram"]), stands in 1..5,
        hits in word(&["one", "one_per_stand"])) -> Value {
        let mut request = json!({ "element": element, "destruction_dice": dice, "turns": turns,
            "options": { "ram_hits": hits } });
        if ram == "no" {
            request["guns"] = json!(guns);
        } else {
            request["ram"] = json!({ "item": ram, "stands": stands });
        }
        request
    }
}

prop_compose! {
    fn target()(stands in 1..5, hits in 1..7, armour in armour(), arm in word(ARMS), fanatic: bool,
        cover in word(&["open", "open", "defended", "fortified", "tower"]), earlier in 0..13,
        machine in word(&["none", "none", "none", "ram", "siege_tower", "sow"])) -> Value {
        let plain = machine == "none";
        json!({ "stands": stands, "hits": hits, "armour": armour, "arm": if plain { arm } else { "infantry" },
            "cover": if plain { cover } else { "open" }, "machine": machine,
            "earlier_hits": if plain { earlier } else { earlier % 3 }, "fanatic": fanatic && plain })
    }
}

prop_compose! {
    fn shoot()(weapon in word(&["handgun", "bow", "pistol", "cannon", "stone_thrower", "bolt_thrower",
            "elven_bolt_thrower", "volley_gun", "mangonel", "bombard", "trebuchet"]),
        stands in 1..5, attack in 1..4, further in 0..4, distance in 0_u32..4_000, target in target(),
        charger in prop::bool::weighted(0.2), drive_back in prop::bool::weighted(0.8),
        tower in word(&["none", "normal"])) -> Value {
        let small = ["handgun", "bow", "pistol"].contains(&weapon);
        let mut shooter = json!({ "weapon": weapon, "stands": if weapon == "volley_gun" { 1 } else { stands } });
        if small {
            shooter["attack"] = json!(attack);
        }
        if ["cannon", "bombard"].contains(&weapon) && !charger && target["cover"] != "tower" {
            shooter["further_stands"] = json!(further);
        }
        json!({ "shooter": shooter, "distance_cm": f64::from(distance) / 100.0, "target": target,
            "at_charger": charger, "drive_back": drive_back, "options": { "tower_drive_back": tower } })
    }
}

prop_compose! {
    fn side(least: i32)(stands in 1..5, attack in least..7, hits in 1..7, armour in armour(), behind in 0..4,
        odd in 0..6, before in 0..13, character in 0..5, supports in 0..7, confused: bool, terror: bool,
        flanked in 0..5, units in 1..5) -> Value {
        json!({ "stands": stands, "attack": attack, "hits": hits, "armour": armour, "behind": behind,
            "odd_hits": odd % hits, "before": before, "character": character,
            "supports": if units == 1 { supports % (behind + 1) } else { supports }, "confused": confused,
            "terror": terror, "flanked": flanked % (stands + 1), "units": units })
    }
}

prop_compose! {
    fn assault()(place in word(&["open", "defended", "wall", "siege_tower", "inside", "along", "tower"]),
        charges: bool, pursues in prop::option::weighted(0.2, 0..61), attacker in side(1), defender in side(0),
        arm in word(&["infantry", "infantry", "cavalry", "chariot", "monster", "flyer"]),
        flyers in word(&["retreat", "destroyed"])) -> Value {
        let mut request = json!({ "place": place, "charges": charges, "attacker": attacker, "defender": defender,
            "options": { "flyers_beaten_on_walls": flyers } });
        if place == "open" && let Some(pursues) = pursues {
            request["pursues_cm"] = json!(pursues);
        }
        let field = ["open", "defended"].contains(&place);
        request["attacker"]["arm"] = match place {
            "wall" | "tower" if arm == "flyer" => json!("flyer"),
            _ if field => json!(arm),
            _ => json!("infantry"),
        };
        for name in ["attacker", "defender"] {
            if !field {
                request[name]["flanked"] = json!(0);
                request[name]["supports"] = json!(0);
            }
            if ["along", "tower"].contains(&place) || (place == "siege_tower" && name == "attacker") {
                request[name]["stands"] = json!(1);
            }
        }
        request
    }
}

prop_compose! {
    fn oil()(item in word(&["ladders", "siege_tower", "ram", "portable_ram"]), stands in 1..5, hits in 1..7,
        armour in armour(), earlier in 0..6, six in word(&["yes", "no"])) -> Value {
        let covered = ["siege_tower", "ram"].contains(&item);
        json!({ "item": item, "stands": stands, "hits": hits, "armour": armour,
            "earlier_hits": earlier % if covered { 3 } else { hits },
            "options": { "oil_six_aborts_ramming": six } })
    }
}

prop_compose! {
    fn profile()(attack in 0..7, hits in 1..7, armour in armour()) -> Value {
        json!({ "attack": attack, "hits": hits, "armour": armour })
    }
}

prop_compose! {
    fn tower()(sides in 1..4, stands in 1..9, attackers in 1..5, flyers: bool, attacker in profile(),
        defender in profile(), before in 0..5, rounds in 1..3, again in word(&["allowed", "never"])) -> Value {
        json!({ "tower": { "sides": sides, "stands": stands, "attackers": attackers, "flyers": flyers },
            "fight": { "attacker": attacker, "defender": defender, "before": before, "rounds": rounds },
            "options": { "tower_second_round": again } })
    }
}

prop_compose! {
    fn wall()(sections in prop::collection::vec((word(&["standing", "standing", "breach", "tower"]),
            prop::option::weighted(0.8, word(&["e1", "e2", "e3"]))), 1..7),
        target in 0_usize..7, stands in 1..5, way in word(&["none", "ladders", "siege_tower", "wings"]),
        attacker in profile(), defender in profile()) -> Value {
        let name = |place: usize| format!("s{place}");
        let target = name(target % sections.len());
        let sections: Vec<Value> = sections.iter().enumerate().map(|(place, (status, unit))| {
            let mut section = json!({ "name": name(place), "status": status });
            if let Some(unit) = unit {
                section["unit"] = json!(unit);
            }
            section
        }).collect();
        json!({ "wall": { "sections": sections, "target": target, "stands": stands, "way": way },
            "fight": { "attacker": attacker, "defender": defender } })
    }
}

prop_compose! {
    fn reaction()(weapon in word(&["oil", "bow", "handgun", "pistol", "cannon", "bolt_thrower", "mangonel"]),
        stands in 1_i32..5, on in 1_i32..5) -> Value {
        if weapon == "oil" {
            json!({ "oil": true })
        } else {
            json!({ "weapon": weapon, "stands": stands, "on_element": on.min(stands) })
        }
    }
}

prop_compose! {
    fn ram()(element in word(&["gate", "wall", "tower", "gate_tower", "palisade_wall", "palisade_tower"]),
        dice in 0..8, item in word(&["ram", "portable_ram"]), stands in 1..5, hits in 1..7, armour in armour(),
        reactions in prop::collection::vec(reaction(), 0..4),
        on in word(&["whole_unit", "stands_on_section"]), back in word(&["stay_in_contact", "fall_back_10cm"]))
        -> Value {
        json!({ "element": element, "destruction_dice": dice, "item": item, "stands": stands, "hits": hits,
            "armour": armour, "reactions": reactions,
            "options": { "ram_reaction_stands": on, "ram_after_failure": back } })
    }
}

prop_compose! {
    fn spades()(stands in prop::collection::vec((0..7, word(&["P", "Q", "R"])), 1..5)) -> Value {
        let stands: Vec<Value> =
            stands.iter().map(|(attack, section)| json!({ "attack": attack, "section": section })).collect();
        json!({ "stands": stands })
    }
}

fn faces() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(1_u8..7, 40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_order(request in order(), faces in faces()) {
        holds("breach.order", &request, &faces);
    }

    #[test]
    fn any_bombardment(request in bombard(), faces in faces()) {
        holds("breach.bombard", &request, &faces);
    }

    #[test]
    fn any_volley(request in shoot(), faces in faces()) {
        holds("breach.shoot", &request, &faces);
    }

    #[test]
    fn any_round(request in assault(), faces in faces()) {
        holds("breach.assault", &request, &faces);
    }

    #[test]
    fn any_kettle(request in oil(), faces in faces()) {
        holds("breach.oil", &request, &faces);
    }

    #[test]
    fn any_tower(request in tower(), faces in faces()) {
        holds("breach.contact", &request, &faces);
    }

    #[test]
    fn any_wall(request in wall(), faces in faces()) {
        holds("breach.contact", &request, &faces);
    }

    #[test]
    fn any_ram(request in ram(), faces in faces()) {
        holds("breach.ram", &request, &faces);
    }

    #[test]
    fn any_spade(request in spades(), faces in faces()) {
        holds("breach.earthwork", &request, &faces);
    }

    #[test]
    fn nonsense_is_refused_and_nothing_breaks(text in ".{0,60}", number in any::<i32>()) {
        for question in breach::questions() {
            for request in [json!(text), json!({ "place": text, "stands": number }), json!({ "dice": [number] })] {
                let reply = ask(question.name, &request);
                prop_assert!(reply["refused"].is_object(), "{}: {reply}", question.name);
            }
        }
    }
}

/// The sum of odds that long takes longer than they do.
fn quick(question: &str, request: &Value, most: Duration) -> Value {
    let start = Instant::now();
    let reply = ask(question, request);
    let took = start.elapsed();
    assert!(took < yardstick::patience(most), "{question} took {took:?}");
    reply
}

#[test]
fn the_largest_affairs_have_exact_odds_and_soon() {
    let side = json!({ "stands": 4, "attack": 6, "hits": 6, "armour": 6, "behind": 3, "character": 4 });
    let assault = json!({ "place": "open", "pursues_cm": 60, "attacker": side, "defender": side });
    let reply = quick("breach.assault", &assault, Duration::from_secs(20));
    assert!(reply["odds"].as_array().unwrap().len() > 1_000);
    let guns = vec![json!({ "gun": "trebuchet", "stands": 4, "distance_cm": 50 }); 4];
    let bombard = json!({ "element": "tower", "turns": 6, "guns": guns });
    assert_eq!(sum(&quick("breach.bombard", &bombard, Duration::from_secs(20))), "1/1");
    let volley = json!({ "shooter": { "weapon": "trebuchet", "stands": 4 }, "distance_cm": 50,
        "target": { "stands": 4, "hits": 6, "earlier_hits": 12 } });
    assert_eq!(sum(&quick("breach.shoot", &volley, Duration::from_secs(20))), "1/1");
}
