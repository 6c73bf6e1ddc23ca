//! The worked examples of the game page, with their numbers: each sets the table, gives the order with its dice, and
//! looks at what came of it. Here the administration, the commands, the marches and the orders for many.

use campaign::game::{Action, Body, Phase, Vedette, Whereabouts};
use campaign::terms::{Army, Weather};
use kernel::Game as _;

use crate::table::{act, at, flags, hex, in_hand, leader, marched, only, path, put, refused, table};

#[test]
fn cg_ex_05_the_centre_moves_after_the_army() {
    let mut state = table("november", Phase::Admin, Army::French);
    state.public.bases[0].ap = 13;
    state.public.control.insert(hex("2742"), Army::French);
    state.public.control.insert(hex("2534"), Army::French);
    only(&mut state, Army::AustroRussian, &[]);
    let too_far = refused(&state, &Action::MoveCentre(hex("2534")));
    assert_eq!(too_far.rule.unwrap().as_str(), "CA-R51");
    assert!(too_far.facts.iter().any(|fact| fact.value == 18.into()), "{too_far:?}");
    assert_eq!(state.public.bases[0].centre, Some(hex("2854")));
    act(&mut state, &Action::MoveCentre(hex("2742")), &[]);
    assert_eq!((state.public.bases[0].centre, state.public.bases[0].ap), (Some(hex("2742")), 13 - 3));
    assert_eq!(state.public.bases[0].ap, 10);
}

#[test]
fn cg_ex_07_dispatches_reach_both_armies() {
    let both =
        [(Army::French, "walther", "2854", "1647"), (Army::AustroRussian, "koutouzov", "1822", "0944")];
    for (side, who, centre, stands) in both {
        let mut state = table("november", Phase::Command, side);
        assert_eq!((state.base(side).centre, at(&state, who).as_str()), (Some(hex(centre)), stands));
        let before = state.public.bases[side as usize].ap;
        act(&mut state, &Action::Command(leader(who)), &[]);
        assert_eq!(state.public.bases[side as usize].ap, before - 1);
        assert!(flags(&state, who).command);
    }
}

#[test]
fn cg_ex_08_legrand_leaves_the_corps() {
    let mut state = table("november", Phase::Organise, Army::French);
    let soult = leader("soult");
    // Halves: three divisions of 2, a cavalry unit of 0.5, guns of 0, of a span of 7.
    assert_eq!(state.host(Army::French).span_used(soult), 13, "6.5 in halves");
    assert_eq!((soult.span(), leader("legrand").subordination()), (2 * 7, 2 * 2));
    act(&mut state, &Action::Detach(leader("legrand")), &[]);
    let host = state.host(Army::French);
    assert_eq!(host.span_used(soult), 9, "4.5 in halves");
    assert!(host.is_head(leader("legrand")));
    assert_eq!(host.strength(leader("legrand")).all(), 8);
    assert_eq!(at(&state, "legrand"), "2251");
    // Oudinot stands in 1848: too far to come under Soult.
    let far = Action::Attach { leader: leader("oudinot"), superior: soult };
    assert_eq!(refused(&state, &far).rule.unwrap().as_str(), "CC-2.6-01");
    put(&mut state, "oudinot", "2251");
    act(&mut state, &far, &[]);
    assert_eq!(state.host(Army::French).span_used(soult), 13);
}

#[test]
fn cg_ex_09_a_corps_is_not_under_a_corps() {
    let state = table("november", Phase::Organise, Army::French);
    let action = Action::Attach { leader: leader("lannes"), superior: leader("soult") };
    let refusal = refused(&state, &action);
    assert_eq!(refusal.reason.key(), "campaign-game-rank");
}

#[test]
fn cg_ex_10_bernadotte_does_not_move() {
    let mut state = table("november", Phase::Move, Army::French);
    put(&mut state, "bernadotte", "1154");
    let action = Action::TakeUp(Body::Formation(leader("bernadotte")));
    assert_eq!(leader("bernadotte").initiative(), 2);
    act(&mut state, &action, &[3]);
    assert!(state.host(Army::French).hand.is_none() && flags(&state, "bernadotte").done);
    assert_eq!(refused(&state, &action).rule.unwrap().as_str(), "CC-5.7-01");
}

#[test]
fn cg_ex_11_bagration_slips_out_of_the_zone() {
    let mut state = table("november", Phase::Move, Army::AustroRussian);
    state.public.weather = Weather::Rain;
    only(&mut state, Army::French, &["walther"]);
    put(&mut state, "walther", "1547");
    assert_eq!(at(&state, "bagration"), "1446");
    let cavalry = |army: Army, who: &str| state.host(army).strength(leader(who)).cavalry;
    assert_eq!((cavalry(Army::French, "walther"), cavalry(Army::AustroRussian, "bagration")), (2, 2));
    act(&mut state, &Action::TakeUp(Body::Formation(leader("bagration"))), &[5]);
    assert!(state.host(Army::AustroRussian).hand.is_some(), "5 - 1 is 4, his initiative");
}

#[test]
fn cg_ex_12_murat_holds_bagration() {
    let mut state = table("november", Phase::Move, Army::AustroRussian);
    only(&mut state, Army::French, &["murat"]);
    put(&mut state, "murat", "1547");
    // Cavalry of 6 against 2.
    let unit = state.hosts[0].units_below(leader("murat"))[0];
    let missing = 6 - state.host(Army::French).strength(leader("murat")).cavalry;
    state.hosts[0].units.get_mut(&unit).unwrap().sp += missing;
    assert_eq!(leader("murat").initiative(), 4);
    act(&mut state, &Action::TakeUp(Body::Formation(leader("bagration"))), &[1]);
    assert!(state.host(Army::AustroRussian).hand.is_none() && flags(&state, "bagration").done);
}

#[test]
fn cg_ex_13_oudinot_marches_to_hollabrunn() {
    let mut state = table("november", Phase::Move, Army::French);
    in_hand(&mut state, "oudinot");
    assert_eq!((at(&state, "oudinot").as_str(), at(&state, "bagration").as_str()), ("1848", "1446"));
    assert_eq!(marched(&state, "oudinot"), ["0", "6"]);
    // Three steps of 0.5 each.
    act(&mut state, &Action::March(path("1748 1647 1547")), &[]);
    assert_eq!(at(&state, "oudinot"), "1547");
    assert_eq!(marched(&state, "oudinot"), ["1.5", "4.5"]);
    assert_eq!(state.public.control.get(&hex("1547")), Some(&Army::French));
    // There is contact: the commander is known.
    let seen = serde_json::to_string(&state.view(Some(Army::French)).stacks).unwrap();
    assert!(seen.contains("bagration"), "{seen}");
}

#[test]
fn cg_ex_14_friant_over_the_river() {
    let mut state = table("november", Phase::Move, Army::French);
    only(&mut state, Army::AustroRussian, &[]);
    put(&mut state, "friant", "1825");
    in_hand(&mut state, "friant");
    for (step, sum) in [("1925", "1"), ("2024", "3"), ("2124", "4"), ("2224", "5")] {
        act(&mut state, &Action::March(path(step)), &[]);
        assert_eq!((at(&state, "friant").as_str(), marched(&state, "friant")[0].as_str()), (step, sum));
    }
}

#[test]
fn cg_ex_41_a_rear_guard_breaks_the_bridge() {
    let mut state = table("november", Phase::Move, Army::AustroRussian);
    put(&mut state, "bagration", "1929");
    only(&mut state, Army::French, &[]);
    in_hand(&mut state, "bagration");
    // 3 MP are left.
    let flags_of = state.hosts[1].flags.or_default(leader("bagration"));
    (flags_of.foot, flags_of.horse) = (6, 12);
    act(&mut state, &Action::DamageBridge(hex("1930")), &[]);
    let done = flags(&state, "bagration");
    assert_eq!((done.worked, done.foot), (4, 6), "2 MP that do not count for attrition");
    assert_eq!(state.public.damaged.len(), 1);
    let mut after = table("november", Phase::Move, Army::French);
    after.public.damaged = state.public.damaged.clone();
    only(&mut after, Army::AustroRussian, &[]);
    put(&mut after, "legrand", "1930");
    in_hand(&mut after, "legrand");
    act(&mut after, &Action::March(path("1929")), &[]);
    assert_eq!(flags(&after, "legrand").foot, 4, "2 MP instead of 1.5");
}

#[test]
fn cg_ex_43_kutuzov_alone_is_captured() {
    let mut state = table("november", Phase::Move, Army::French);
    only(&mut state, Army::AustroRussian, &["koutouzov"]);
    for unit in state.hosts[1].units.values_mut() {
        unit.sp = 0;
    }
    put(&mut state, "legrand", "0945");
    in_hand(&mut state, "legrand");
    let fled = |die: u8| {
        let mut state = state.clone();
        act(&mut state, &Action::March(path("0944")), &[die]);
        state.host(Army::AustroRussian).leaders[&leader("koutouzov")].at
    };
    assert_eq!(fled(1), Whereabouts::Lost);
    act(&mut state, &Action::March(path("0944")), &[2]);
    assert_eq!(state.host(Army::AustroRussian).leaders[&leader("koutouzov")].at, Whereabouts::Lost);
    assert_eq!(at(&state, "legrand"), "0944");
}

#[test]
fn cg_ex_44_the_centre_leaves_brunn() {
    let mut state = table("november", Phase::Move, Army::French);
    only(&mut state, Army::AustroRussian, &[]);
    put(&mut state, "legrand", "1823");
    in_hand(&mut state, "legrand");
    assert_eq!(state.base(Army::AustroRussian).source, hex("2501"));
    act(&mut state, &Action::March(path("1822")), &[]);
    assert_eq!(state.public.bases[1].centre, Some(hex("2516")));
    assert_eq!(state.centre_active(Army::AustroRussian), None);
    assert_eq!(state.public.control.get(&hex("1822")), Some(&Army::French));
}

#[test]
fn cg_ex_57_soult_lays_the_pontoon() {
    let mut state = table("november", Phase::Move, Army::French);
    only(&mut state, Army::AustroRussian, &[]);
    put(&mut state, "soult", "2024");
    state.hosts[0].train = campaign::game::Train::With(leader("soult"));
    in_hand(&mut state, "soult");
    act(&mut state, &Action::LayPontoon(hex("1925")), &[]);
    assert_eq!((flags(&state, "soult").worked, flags(&state, "soult").foot), (6, 0), "3 MP for no attrition");
    assert_eq!(state.host(Army::French).train, campaign::game::Train::Laid);
    assert_eq!(state.public.pontoons.len(), 1);
    act(&mut state, &Action::LiftPontoon(hex("1925")), &[]);
    assert_eq!(flags(&state, "soult").worked, 10, "2 MP more");
}

#[test]
fn cg_ex_58_a_march_into_fog_ends_in_contact() {
    let mut state = table("november", Phase::Move, Army::French);
    put(&mut state, "legrand", "1848");
    in_hand(&mut state, "legrand");
    let way = Action::March(path("1748 1647 1547 1446"));
    let refusal = refused(&state, &way);
    assert_eq!(refusal.reason.key(), "campaign-game-enemy-there");
    state.public.fog = true;
    assert_eq!(marched(&state, "legrand"), ["0", "6"]);
    act(&mut state, &way, &[]);
    assert_eq!((at(&state, "legrand").as_str(), marched(&state, "legrand")[0].as_str()), ("1547", "1.5"));
    assert!(state.host(Army::French).hand.is_some(), "he may go on with what is left");
}

#[test]
fn cg_ex_59_one_order_for_a_march() {
    let order = Action::Order { formation: leader("oudinot"), path: path("1748 1647 1547") };
    let mut state = table("november", Phase::Move, Army::French);
    assert_eq!((leader("oudinot").initiative(), at(&state, "bagration").as_str()), (3, "1446"));
    act(&mut state, &order, &[2]);
    assert_eq!((at(&state, "oudinot").as_str(), marched(&state, "oudinot")[0].as_str()), ("1547", "1.5"));
    assert!(state.host(Army::French).hand.is_none() && flags(&state, "oudinot").done, "halted");
    let mut state = table("november", Phase::Move, Army::French);
    act(&mut state, &order, &[4]);
    assert_eq!(at(&state, "oudinot"), "1848");
    assert!(flags(&state, "oudinot").done);
}

#[test]
fn cg_ex_60_carrying_on_until_something_happens() {
    let mut state = table("november", Phase::Move, Army::French);
    only(&mut state, Army::AustroRussian, &["liechtenstein"]);
    put(&mut state, "liechtenstein", "2747");
    state.public.fog = true;
    let caffarelli = leader("caffarelli");
    state.hosts[0].flags.or_default(caffarelli).command = true;
    act(&mut state, &Action::Standing { formation: caffarelli, goal: Some(hex("2742")) }, &[]);
    assert_eq!((at(&state, "caffarelli").as_str(), caffarelli.initiative()), ("2854", 2));
    act(&mut state, &Action::CarryOn, &[]);
    assert_eq!(at(&state, "caffarelli"), "2847", "by 2853 and 2848, 7 hexes");
    assert_eq!(marched(&state, "caffarelli"), ["3.5", "2.5"]);
    assert_eq!(flags(&state, "caffarelli").goal, None, "contact ends it");
    assert_eq!(state.host(Army::French).hand.map(|hand| hand.body), Some(Body::Formation(caffarelli)));
}

#[test]
fn cg_ex_61_a_hidden_vedette_cuts_the_road() {
    let mut state = table("november", Phase::Admin, Army::French);
    only(&mut state, Army::AustroRussian, &[]);
    state.public.fog = true;
    state.public.bases[0].ap = 10;
    state.public.control.insert(hex("2742"), Army::French);
    let unit = *state.hosts[1].units.keys().next().unwrap();
    state.hosts[1].vedettes.insert(1, Vedette { unit, hex: hex("2745"), spent: 0, done: false });
    // Nobody French stands by: Milhaud is elsewhere.
    put(&mut state, "milhaud", "2854");
    act(&mut state, &Action::MoveCentre(hex("2742")), &[]);
    assert_eq!((state.public.bases[0].centre, state.public.bases[0].ap), (Some(hex("2854")), 10 - 3));
}
