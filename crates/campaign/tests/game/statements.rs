//! Statements of the core and game pages that no worked example speaks of, each with its own numbers: what is refused
//! names the statement, and what is done is looked at.

use campaign::battle::Stance;
use campaign::game::{Action, Body, Flight, Group, Mode, Owed, Phase, State, Train, Walk, Whereabouts};
use campaign::terms::{Arm, Army, Weather};
use kernel::Game as _;

use crate::table::{
    act, at, at_the_end, battle, flags, hex, in_hand, leader, marched, no_centre, only, path, points, post,
    put, refused, set, strength, table, told, vedette,
};

const PITCHED: Action = Action::Stance(Stance::Pitched);
const PURSUIT: Action = Action::Stance(Stance::Pursuit);

fn rule_of(state: &State, action: &Action) -> String {
    refused(state, action).rule.map(|rule| rule.as_str().to_owned()).unwrap_or_default()
}

fn unit_of(state: &State, who: &str, arm: Arm) -> campaign::game::UnitId {
    let host = state.host(leader(who).army());
    host.units_below(leader(who)).into_iter().find(|id| host.units[id].arm == arm).unwrap()
}

/// A turn begins; the first player is asked after so many dice.
fn begin(state: &mut State, dice: &[u8]) {
    (state.public.phase, state.public.asked) = (Phase::Begin, Some(state.public.first));
    act(state, &Action::Begin, dice);
}

#[test]
fn what_is_left_behind_stays() {
    let mut state = table("november", Phase::Move, Army::French);
    only(&mut state, Army::AustroRussian, &[]);
    in_hand(&mut state, "soult");
    let guns = unit_of(&state, "soult", Arm::Artillery);
    act(&mut state, &Action::DropUnit(guns), &[]);
    assert_eq!(state.hosts[0].units[&guns].leader, None);
    act(&mut state, &Action::DropLeader(leader("legrand")), &[]);
    assert!(flags(&state, "legrand").done && state.host(Army::French).is_head(leader("legrand")));
    act(&mut state, &Action::March(path("2151")), &[]);
    assert_eq!((at(&state, "soult"), at(&state, "legrand")), ("2151".into(), "2251".into()));
    assert_eq!(state.host(Army::French).unit_at(guns), Some(hex("2251")));
}

#[test]
fn a_span_holds_so_much_and_no_more() {
    let mut state = table("november", Phase::Organise, Army::French);
    // Oudinot's span is 2: his grenadiers take 1, a second division would fit, a third would not.
    put(&mut state, "oudinot", "2251");
    let division = |state: &State, who: &str| Action::Transfer {
        unit: unit_of(state, who, Arm::Infantry),
        to: Some(leader("oudinot")),
    };
    assert_eq!(leader("oudinot").span(), 2 * 2);
    let second = division(&state, "legrand");
    act(&mut state, &second, &[]);
    assert_eq!(state.host(Army::French).span_used(leader("oudinot")), 2 * 2);
    assert_eq!(rule_of(&state, &division(&state, "vandamme")), "CC-2.4-01");
}

#[test]
fn three_vedettes_come_from_a_formation() {
    let mut state = table("november", Phase::Organise, Army::French);
    let horse = unit_of(&state, "murat", Arm::Cavalry);
    state.hosts[0].units.get_mut(&horse).unwrap().sp = 5;
    for _ in 0..3 {
        state.hosts[0].units.get_mut(&horse).unwrap().organised = false;
        act(&mut state, &Action::VedetteOut(horse), &[]);
    }
    state.hosts[0].units.get_mut(&horse).unwrap().organised = false;
    assert_eq!((state.host(Army::French).vedettes.len(), state.hosts[0].units[&horse].sp), (3, 2));
    assert_eq!(rule_of(&state, &Action::VedetteOut(horse)), "CC-2.7-01");
    // They march without command or roll.
    (state.public.phase, state.public.asked) = (Phase::Move, Some(Army::French));
    act(&mut state, &Action::TakeUp(Body::Vedette(1)), &[]);
    assert_eq!(state.host(Army::French).hand.map(|hand| hand.body), Some(Body::Vedette(1)));
}

#[test]
fn the_senior_leader_commands() {
    // Murat (bonus 1) over Legrand (none): the die of the attack is one less.
    let mut state = table("november", Phase::Combat, Army::French);
    only(&mut state, Army::French, &["murat", "legrand"]);
    for head in ["murat", "legrand"] {
        put(&mut state, head, "1547");
    }
    strength(&mut state, "murat", [0, 3, 0]);
    strength(&mut state, "bagration", [8, 0, 0]);
    act(
        &mut state,
        &Action::Attack { hex: hex("1446"), formations: vec![leader("legrand"), leader("murat")] },
        &[],
    );
    act(&mut state, &PURSUIT, &[]);
    act(&mut state, &PURSUIT, &[3]);
    // 11:8 is 1-1; a modified 2 reads 2/3, a 3 would read 2/2.
    assert_eq!(state.public.battle.unwrap().numbers, [2, 3]);
}

#[test]
fn only_seen_hexes_are_attacked() {
    let mut state = table("november", Phase::Combat, Army::French);
    state.public.fog = true;
    let far = Action::Attack { hex: hex("0944"), formations: vec![leader("walther")] };
    assert_eq!(rule_of(&state, &far), "CC-4-01");
    state.public.fog = false;
    assert_eq!(rule_of(&state, &far), "CC-12.1-01", "seen, but not adjacent");
    assert_eq!(
        rule_of(&state, &Action::Attack { hex: hex("0101"), formations: vec![leader("walther")] }),
        "CA-R77"
    );
    // A leader without troops is no target.
    put(&mut state, "koutouzov", "1646");
    for unit in state.hosts[1].units.values_mut() {
        unit.sp = 0;
    }
    assert_eq!(
        rule_of(&state, &Action::Attack { hex: hex("1646"), formations: vec![leader("walther")] }),
        "CC-game-06"
    );
}

#[test]
fn guns_alone_do_not_attack_and_do_not_defend() {
    let mut state = table("november", Phase::Combat, Army::French);
    only(&mut state, Army::French, &["murat", "soult"]);
    only(&mut state, Army::AustroRussian, &["bagration"]);
    no_centre(&mut state, Army::AustroRussian);
    for head in ["murat", "soult"] {
        put(&mut state, head, "1547");
    }
    strength(&mut state, "murat", [0, 0, 1]);
    assert_eq!(
        rule_of(&state, &Action::Attack { hex: hex("1446"), formations: vec![leader("murat")] }),
        "CC-12.2-01"
    );
    strength(&mut state, "bagration", [0, 0, 1]);
    let said = act(&mut state, &Action::Attack { hex: hex("1446"), formations: vec![leader("soult")] }, &[]);
    assert_eq!(told(&said, "CC-game-07"), ["applied"]);
    assert_eq!((state.base(Army::AustroRussian).lost, state.public.phase), (1, Phase::Advance));
}

#[test]
fn nothing_is_received_over_a_cut_road() {
    let received = |change: &dyn Fn(&mut State), dice: &[u8]| {
        let mut state = table("november", Phase::Begin, Army::French);
        only(&mut state, Army::AustroRussian, &[]);
        state.public.bases[0].centre = Some(hex("2742"));
        state.public.control.insert(hex("2742"), Army::French);
        change(&mut state);
        begin(&mut state, dice);
        state.base(Army::French).ap
    };
    // 13 hexes: 7 gives 2 and the commander 1, if a dispatch reaches him.
    assert!(received(&|_| {}, &[5, 3, 4]) > 10);
    assert_eq!(received(&|state| vedette(state, Army::AustroRussian, "2745"), &[5]), 10);
    // A source that the enemy holds gives nothing; Krems is free.
    let held = |state: &mut State| {
        state.public.bases[0].source = hex("1154");
        state.public.bases[0].centre = Some(hex("1154"));
        post(state, Army::AustroRussian, "1154", 1);
    };
    assert_eq!(received(&held, &[5]), 10);
    // The reserve holds 20 at most.
    assert_eq!(received(&|state| state.public.bases[0].ap = 19, &[5, 3, 4]), 20);
}

#[test]
fn a_centre_off_the_map_is_formed_again_near_its_source() {
    let mut state = table("november", Phase::Admin, Army::French);
    no_centre(&mut state, Army::French);
    assert_eq!(rule_of(&state, &Action::ReformCentre(hex("1547"))), "CC-5.4-02", "too far");
    assert_eq!(rule_of(&state, &Action::MoveCentre(hex("2251"))), "CA-R51");
    act(&mut state, &Action::ReformCentre(hex("2854")), &[]);
    assert_eq!((state.base(Army::French).centre, state.base(Army::French).ap), (Some(hex("2854")), 10 - 1));
    // It stands in towns of its own on primary roads.
    let mut state = table("november", Phase::Admin, Army::French);
    assert_eq!(rule_of(&state, &Action::MoveCentre(hex("2848"))), "CC-5.1-01");
    state.public.control.insert(hex("2251"), Army::AustroRussian);
    assert_eq!(rule_of(&state, &Action::MoveCentre(hex("2251"))), "CC-5.1-01");
}

#[test]
fn points_without_a_centre_feed_whoever_reaches_a_source() {
    let mut state = table("november", Phase::Force, Army::French);
    only(&mut state, Army::French, &["caffarelli"]);
    only(&mut state, Army::AustroRussian, &[]);
    no_centre(&mut state, Army::French);
    no_centre(&mut state, Army::AustroRussian);
    at_the_end(&mut state, Army::French);
    set(&mut state, "caffarelli").foot = 6 * 2;
    let said = act(&mut state, &Action::EndForced, &[6]);
    // Column 7-10, row 2 for 6 SP, loss column 7: nobody. The zero column would cost 3.
    assert_eq!(told(&said, "CA-attrition-04"), ["= 7-10"]);
    assert_eq!(points(&state, "caffarelli"), [6, 0, 0]);
}

#[test]
fn commands_reach_18_mp_and_one_formation_once() {
    let mut state = table("november", Phase::Command, Army::French);
    put(&mut state, "walther", "0101");
    assert_eq!(rule_of(&state, &Action::Command(leader("walther"))), "CC-5.5-01");
    act(&mut state, &Action::Command(leader("murat")), &[]);
    assert_eq!(rule_of(&state, &Action::Command(leader("murat"))), "CC-5.5-01");
    state.public.bases[0].ap = 0;
    assert_eq!(rule_of(&state, &Action::Command(leader("lannes"))), "CC-5.4-01");
}

#[test]
fn a_modified_die_is_never_below_0() {
    // Liechtenstein (3) with 6 of cavalry before Walther (2) with 2, in rain: +1 -1 -3.
    let mut state = table("november", Phase::React, Army::French);
    state.public.weather = Weather::Rain;
    state.public.asked = Some(Army::AustroRussian);
    only(&mut state, Army::AustroRussian, &["liechtenstein"]);
    only(&mut state, Army::French, &["walther", "murat"]);
    put(&mut state, "liechtenstein", "1446");
    put(&mut state, "walther", "1547");
    strength(&mut state, "liechtenstein", [0, 6, 0]);
    let said = act(&mut state, &Action::ForceMarch(leader("liechtenstein")), &[1]);
    assert_eq!(told(&said, "CC-5.7-02"), ["limit 0"]);
    assert_eq!(told(&said, "CC-10.2-01"), ["= 8"], "3 - 0 + 1 MP, in halves");
    let granted = state.host(Army::AustroRussian).hand.unwrap().why;
    assert_eq!(granted, campaign::game::Why::Forced { foot: 8, horse: 8 });
}

#[test]
fn an_extended_march_does_not_end_in_a_zone() {
    let mut state = table("november", Phase::Move, Army::French);
    only(&mut state, Army::AustroRussian, &["bagration"]);
    put(&mut state, "bagration", "2745");
    put(&mut state, "caffarelli", "2854");
    set(&mut state, "caffarelli").command = true;
    set(&mut state, "caffarelli").foot = 3 * 2;
    in_hand(&mut state, "caffarelli");
    // Seven hexes of road are 3.5 MP: half a point of extended march, next to the enemy of 2745.
    let way = path("2853 2852 2851 2850 2849 2848 2847");
    state.validate(Army::French, &Action::March(way.clone())).unwrap();
    let into_zone = [way, path("2747 2746")].concat();
    assert_eq!(rule_of(&state, &Action::March(into_zone)), "CC-7.3-01");
}

#[test]
fn one_slips_round_an_enemy_once() {
    let mut state = table("november", Phase::Move, Army::French);
    only(&mut state, Army::AustroRussian, &["bagration"]);
    put(&mut state, "legrand", "1547");
    in_hand(&mut state, "legrand");
    let around = path("1546");
    act(&mut state, &Action::March(around), &[]);
    assert_eq!(flags(&state, "legrand").slipped, [hex("1446")]);
    assert_eq!(rule_of(&state, &Action::March(path("1445"))), "CC-8.2-01");
}

#[test]
fn friends_lift_a_zone_for_a_retreat() {
    let entered = |friends: bool| {
        let mut state = table("november", Phase::Retreat, Army::French);
        only(&mut state, Army::French, &["soult", "murat"]);
        only(&mut state, Army::AustroRussian, &["bagration", "dokhtourov"]);
        put(&mut state, "soult", "1547");
        // Murat stands by the hex behind.
        put(&mut state, "murat", "1345");
        put(&mut state, "bagration", "1446");
        put(&mut state, "dokhtourov", if friends { "1445" } else { "0944" });
        let mut fight = battle(&mut state, &["soult"], "1547", &["bagration"], "1446");
        (fight.loser, fight.numbers) = (Some(1), [0, 1]);
        fight.stances = [Some(Stance::Pursuit); 2];
        state.public.battle = Some(fight);
        let force = state.hosts[1].force.clone();
        state.hosts[1].groups = vec![force];
        let group =
            Group { from: hex("1446"), path: vec![], left: 1, blocked: 0, zone: false, off: false, sp: 9 };
        let walk = Walk {
            army: Army::AustroRussian,
            flight: Flight::Battle,
            enemy: hex("1547"),
            groups: vec![group],
        };
        state.public.walk = Some(walk);
        state.public.asked = Some(Army::AustroRussian);
        state.clone().validate(Army::AustroRussian, &Action::RetreatTo(hex("1445"))).is_ok().then(|| {
            act(&mut state, &Action::RetreatTo(hex("1445")), &[]);
            state.public.walk.as_ref().unwrap().groups[0].zone
        })
    };
    assert_eq!(entered(true), Some(false));
}

#[test]
fn six_to_one_needs_no_die() {
    let mut state = table("november", Phase::Move, Army::French);
    only(&mut state, Army::French, &["soult"]);
    only(&mut state, Army::AustroRussian, &["dokhtourov"]);
    put(&mut state, "soult", "2024");
    put(&mut state, "dokhtourov", "2124");
    strength(&mut state, "dokhtourov", [4, 0, 0]);
    in_hand(&mut state, "soult");
    act(&mut state, &Action::Repulse(hex("2124")), &[6]);
    assert!(flags(&state, "soult").failed_repulse.is_none(), "24 against 4, and a six");
    // A citadel cannot be repulsed, nor can 2 MP be spent that are not left.
    let mut state = table("november", Phase::Move, Army::French);
    only(&mut state, Army::AustroRussian, &[]);
    post(&mut state, Army::AustroRussian, "2603", 1);
    put(&mut state, "soult", "2604");
    in_hand(&mut state, "soult");
    assert_eq!(rule_of(&state, &Action::Repulse(hex("2603"))), "CC-9.3-01");
    post(&mut state, Army::AustroRussian, "2704", 1);
    set(&mut state, "soult").foot = 5 * 2;
    assert_eq!(rule_of(&state, &Action::Repulse(hex("2704"))), "CC-9.1-01");
}

#[test]
fn foragers_do_little_and_leaving_costs_a_march() {
    let mut state = table("november", Phase::Organise, Army::French);
    act(&mut state, &Action::ForageOn(leader("oudinot")), &[]);
    assert_eq!(flags(&state, "oudinot").mode, Mode::Forage);
    assert_eq!(state.allowance(Army::French, leader("oudinot")), [Some(3 * 2), None]);
    let mut forced = state.clone();
    (forced.public.phase, forced.public.asked) = (Phase::Force, Some(Army::French));
    assert_eq!(rule_of(&forced, &Action::ForceMarch(leader("oudinot"))), "CC-11.3-01");
    state.hosts[0].leaders.get_mut(&leader("oudinot")).unwrap().organised = false;
    act(&mut state, &Action::ForageOff(leader("oudinot")), &[]);
    assert_eq!(state.allowance(Army::French, leader("oudinot")), [Some((6 - 3) * 2), None]);
    assert_eq!(marched(&state, "oudinot")[1], "3");
    // Who retreated does not forage.
    set(&mut state, "murat").shaken = true;
    assert_eq!(rule_of(&state, &Action::ForageOn(leader("murat"))), "CC-13.4-01");
}

#[test]
fn who_fought_or_retreated_does_not_attack() {
    let mut state = table("november", Phase::Combat, Army::French);
    put(&mut state, "legrand", "1547");
    let attack = Action::Attack { hex: hex("1446"), formations: vec![leader("legrand")] };
    state.validate(Army::French, &attack).unwrap();
    set(&mut state, "legrand").fought = 1;
    assert_eq!(rule_of(&state, &attack), "CC-12.1-02");
    set(&mut state, "legrand").again = true;
    state.validate(Army::French, &attack).unwrap();
    set(&mut state, "legrand").shaken = true;
    assert_eq!(rule_of(&state, &attack), "CC-13.4-01");
    set(&mut state, "legrand").shaken = false;
    state.public.attacked = vec![hex("1446")];
    assert_eq!(rule_of(&state, &attack), "CC-12.1-01");
}

#[test]
fn a_force_without_a_leader_does_not_counterattack() {
    let mut state = table("november", Phase::Combat, Army::French);
    only(&mut state, Army::French, &["legrand"]);
    only(&mut state, Army::AustroRussian, &[]);
    no_centre(&mut state, Army::AustroRussian);
    put(&mut state, "legrand", "1931");
    post(&mut state, Army::AustroRussian, "1930", 8);
    act(&mut state, &Action::Attack { hex: hex("1930"), formations: vec![leader("legrand")] }, &[]);
    act(&mut state, &PITCHED, &[]);
    // Pohrlitz is a town: no die for the choice. 8:8 and a 3 are 2/2; the battle stops after the round.
    act(&mut state, &PITCHED, &[3]);
    assert!(state.public.battle.is_none());
    assert_eq!((state.base(Army::French).lost, state.base(Army::AustroRussian).lost), (2, 2));
}

#[test]
fn a_retreat_that_is_shut_costs_points_or_leaves_the_map() {
    // Into the corner behind 3903: two hexes of five can be gone, three are paid for.
    let walk = |from: &str, main: &str, hexes: i32| {
        let mut state = table("november", Phase::Retreat, Army::French);
        only(&mut state, Army::French, &["soult"]);
        put(&mut state, "dokhtourov", from);
        only(&mut state, Army::AustroRussian, &["dokhtourov"]);
        no_centre(&mut state, Army::AustroRussian);
        put(&mut state, "soult", main);
        let mut fight = battle(&mut state, &["soult"], main, &["dokhtourov"], from);
        (fight.loser, fight.numbers) = (Some(1), [0, hexes]);
        fight.stances = [Some(Stance::Pursuit); 2];
        state.public.battle = Some(fight);
        state.public.owed = vec![Owed { army: Army::AustroRussian, sp: 1, attrition: None }];
        state.public.asked = Some(Army::AustroRussian);
        state.public.phase = Phase::Leaders;
        strength(&mut state, "dokhtourov", [10, 0, 0]);
        state
    };
    let mut state = walk("3903", "3803", 5);
    act(&mut state, &Action::TakeLosses { infantry: 1, cavalry: 0 }, &[]);
    assert_eq!((at(&state, "dokhtourov"), state.public.phase), ("3901".into(), Phase::Pursue));
    act(&mut state, &Action::NoPursuit, &[]);
    assert_eq!(points(&state, "dokhtourov"), [10 - 1 - 3, 0, 0]);
    // By its own source of 0101 a force leaves the map and comes back after 3 turns.
    let mut state = walk("0103", "0203", 5);
    act(&mut state, &Action::TakeLosses { infantry: 1, cavalry: 0 }, &[]);
    let gone = state.host(Army::AustroRussian).leaders[&leader("dokhtourov")].at;
    assert_eq!(gone, Whereabouts::Due { hex: hex("0101"), turn: 1 + 3 });
}

#[test]
fn a_retreat_enters_no_enemy_hex() {
    let mut state = table("november", Phase::Retreat, Army::French);
    only(&mut state, Army::French, &["soult", "murat"]);
    only(&mut state, Army::AustroRussian, &["bagration"]);
    put(&mut state, "soult", "1547");
    put(&mut state, "murat", "1445");
    let mut fight = battle(&mut state, &["soult"], "1547", &["bagration"], "1446");
    (fight.loser, fight.numbers) = (Some(1), [0, 2]);
    state.public.battle = Some(fight);
    let force = state.hosts[1].force.clone();
    state.hosts[1].groups = vec![force];
    let group =
        Group { from: hex("1446"), path: vec![], left: 2, blocked: 0, zone: false, off: false, sp: 9 };
    state.public.walk = Some(Walk {
        army: Army::AustroRussian,
        flight: Flight::Battle,
        enemy: hex("1547"),
        groups: vec![group],
    });
    state.public.asked = Some(Army::AustroRussian);
    assert_eq!(rule_of(&state, &Action::RetreatTo(hex("1445"))), "CC-13.2-01");
}

#[test]
fn the_train_is_with_one_formation() {
    let mut state = table("november", Phase::Move, Army::French);
    only(&mut state, Army::AustroRussian, &[]);
    state.hosts[0].train = Train::With(leader("murat"));
    strength(&mut state, "murat", [0, 3, 0]);
    assert_eq!(state.allowance(Army::French, leader("murat")), [Some(6 * 2), Some(9 * 2)]);
    put(&mut state, "soult", "2024");
    in_hand(&mut state, "soult");
    assert_eq!(rule_of(&state, &Action::LayPontoon(hex("1925"))), "CC-15.3-01");
}

#[test]
fn replacements_come_every_fourth_turn() {
    let mut state = table("november", Phase::Organise, Army::French);
    let foot = unit_of(&state, "oudinot", Arm::Infantry);
    state.hosts[0].units.get_mut(&foot).unwrap().sp = 4;
    assert_eq!(rule_of(&state, &Action::Replace(foot)), "CC-17-03", "not on turn 1");
    state.public.turn = 4;
    act(&mut state, &Action::Replace(foot), &[]);
    assert_eq!((points(&state, "oudinot"), state.hosts[0].replaced), ([5, 0, 0], 1));
    state.hosts[0].units.get_mut(&foot).unwrap().organised = false;
    assert_eq!(rule_of(&state, &Action::Replace(foot)), "CC-17-03", "one and no more");
}

#[test]
fn mortier_is_called_once_from_turn_5() {
    let mut state = table("november", Phase::Admin, Army::French);
    assert_eq!(rule_of(&state, &Action::CallMortier), "CC-game-02");
    state.public.turn = 5;
    act(&mut state, &Action::CallMortier, &[]);
    assert_eq!((at(&state, "mortier"), state.base(Army::French).ap), ("2854".into(), 10 - 2));
    assert!(flags(&state, "mortier").command);
    (state.public.phase, state.public.asked) = (Phase::Admin, Some(Army::French));
    assert_eq!(rule_of(&state, &Action::CallMortier), "CC-game-02");
}

#[test]
fn the_other_side_forces_first_and_a_battle_has_no_reception() {
    let mut state = table("november", Phase::Move, Army::French);
    state.hosts[1].watch = campaign::game::Watch::Always;
    act(&mut state, &Action::EndMovement, &[]);
    assert_eq!((state.public.phase, state.public.asked), (Phase::React, Some(Army::AustroRussian)));
    let mut state = table("austerlitz", Phase::Begin, Army::AustroRussian);
    let before = state.base(Army::AustroRussian).ap;
    // One die for the weather and none for points.
    begin(&mut state, &[5]);
    assert_eq!((state.base(Army::AustroRussian).ap, state.public.phase), (before, Phase::Organise));
}

#[test]
fn cavalry_reports_what_infantry_only_meets() {
    let band = |who: &str| {
        let mut state = table("november", Phase::Move, Army::French);
        put(&mut state, who, "1648");
        put(&mut state, "walther", "2251");
        in_hand(&mut state, who);
        act(&mut state, &Action::March(path("1647 1547")), &[]);
        let seen = state.view(Some(Army::French)).stacks[1].clone();
        let contact = seen.into_iter().find(|seen| seen.hex == hex("1446")).unwrap().contact.unwrap();
        contact.band.is_some()
    };
    assert_eq!((band("legrand"), band("milhaud")), (false, true));
}

#[test]
fn pursuers_are_of_the_battle() {
    let mut state = table("november", Phase::Pursue, Army::French);
    put(&mut state, "soult", "1547");
    let mut fight = battle(&mut state, &["soult"], "1547", &["bagration"], "1446");
    (fight.loser, fight.numbers) = (Some(1), [0, 2]);
    state.public.battle = Some(fight);
    state.public.asked = Some(Army::French);
    assert_eq!(rule_of(&state, &Action::Pursue(vec![leader("murat")])), "CC-14.1-01");
}
