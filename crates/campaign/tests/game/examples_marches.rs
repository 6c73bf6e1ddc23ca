//! Worked examples of the game page: two counts of a march, zones, repulses, forced marches, entrants.

use campaign::battle::Stance;
use campaign::game::{Action, Phase, State, Whereabouts};
use campaign::terms::{Army, Weather};
use kernel::{Game as _, MovementPoints};

use crate::table::{
    act, at, battle, flags, hex, in_hand, leader, no_centre, only, path, points, post, put, refused, set,
    strength, table, told, vedette,
};

/// What infantry and cavalry of a formation have marched.
fn counts(state: &State, who: &str) -> [String; 2] {
    let flags = flags(state, who);
    [flags.foot, flags.horse].map(|halves| MovementPoints::halves(i32::from(halves)).to_string())
}

/// Soult's corps in hand in a hex.
fn soult(at: &str) -> State {
    let mut state = table("november", Phase::Move, Army::French);
    only(&mut state, Army::French, &["soult"]);
    only(&mut state, Army::AustroRussian, &[]);
    put(&mut state, "soult", at);
    in_hand(&mut state, "soult");
    state
}

#[test]
fn cg_ex_15_two_counts() {
    let mut state = soult("1101");
    assert_eq!(state.allowance(Army::French, leader("soult")), [Some(6 * 2), Some(9 * 2)]);
    act(&mut state, &Action::March(path("1201")), &[]);
    assert_eq!(counts(&state, "soult"), ["2", "4"]);
    act(&mut state, &Action::March(path("1301")), &[]);
    // 2 + 2 and 4 + 4.
    assert_eq!(counts(&state, "soult"), ["4", "8"]);
    let spent = refused(&state, &Action::March(path("1302")));
    assert_eq!(spent.rule.unwrap().as_str(), "CC-7.2-01");
    // It would bring the cavalry to 12 of 9: what is left to it is 1, to the infantry 2.
    assert!(spent.facts.iter().any(|fact| fact.value == MovementPoints::whole(9 - 8).into()), "{spent:?}");
    assert_eq!((8 + 4, 6 - 4), (12, 2));
    assert_eq!(flags(&state, "soult").marched(), 8 * 2);
}

#[test]
fn cg_ex_16_out_of_a_small_zone() {
    let leaving = |sp: i32| {
        let mut state = soult("1930");
        if sp > 0 {
            post(&mut state, Army::AustroRussian, "2030", sp);
        }
        act(&mut state, &Action::March(path("1929")), &[]);
        counts(&state, "soult")
    };
    // The road, then the bridge with it.
    let mut road = soult("1929");
    act(&mut road, &Action::March(path("1928")), &[]);
    assert_eq!(counts(&road, "soult"), ["0.5", "0.5"]);
    assert_eq!(leaving(0), ["1.5", "1.5"], "0.5 and 1");
    assert_eq!(leaving(1), ["1.5", "1.5"], "1 SP holds nobody");
    assert_eq!(leaving(2), ["2.5", "1.5"]);
    assert_eq!(leaving(3), ["3.5", "1.5"]);
}

#[test]
fn cg_ex_18_a_vedette_is_pushed_away() {
    let mut state = soult("2024");
    let fighting: i32 = points(&state, "soult")[..2].iter().sum();
    assert_eq!(fighting, 24);
    vedette(&mut state, Army::AustroRussian, "2124");
    // 4 MP are left for either arm.
    (set(&mut state, "soult").foot, set(&mut state, "soult").horse) = (12 - 4 * 2, 18 - 4 * 2);
    act(&mut state, &Action::Repulse(hex("2124")), &[]);
    assert_eq!(flags(&state, "soult").foot, 12 - 4 * 2 + 2 * 2);
    while state.public.asked == Some(Army::AustroRussian) {
        act(&mut state, &Action::RetreatRest, &[]);
    }
    assert_eq!(state.public.asked, Some(Army::French));
    let fled = state.host(Army::AustroRussian).vedettes[&1].hex;
    assert!(fled != hex("2124") && fled.towards(hex("2024")).is_none());
    // The 2 MP that are left take him in.
    assert_eq!(12 - flags(&state, "soult").foot, 2 * 2);
    act(&mut state, &Action::March(path("2124")), &[]);
    assert_eq!(at(&state, "soult"), "2124");
}

#[test]
fn cg_ex_19_miloradovich_is_repulsed() {
    let mut state = soult("2024");
    put(&mut state, "miloradovitch", "2124");
    strength(&mut state, "miloradovitch", [7, 0, 0]);
    let own = points(&state, "soult");
    assert_eq!((own[0] + own[1], own[1], leader("soult").initiative()), (24, 1, 4));
    assert!(own[0] + own[1] >= 3 * 7 && own[0] + own[1] < 6 * 7);
    assert_eq!(leader("miloradovitch").initiative(), 3);
    let mut held = state.clone();
    let said = act(&mut state, &Action::Repulse(hex("2124")), &[4]);
    assert_eq!(
        (told(&said, "CA-initiative-02"), told(&said, "CA-cavalry-02")),
        (vec!["+1".into()], vec!["-3".into()])
    );
    // 4 and a resistance of -2 are 2.
    assert_eq!((1 - 3, 4 - 2), (-2, 2));
    while state.public.asked == Some(Army::AustroRussian) {
        act(&mut state, &Action::RetreatRest, &[]);
    }
    assert!(
        at(&state, "miloradovitch") != "2124"
            && hex(&at(&state, "miloradovitch")).towards(hex("2124")).is_none(),
        "2 hexes away"
    );
    // A weaker will and the same die fail: the mover is halted.
    held.hosts[0].leaders.get_mut(&leader("soult")).unwrap().superior = None;
    strength(&mut held, "soult", [24, 0, 2]);
    act(&mut held, &Action::Repulse(hex("2124")), &[5]);
    assert_eq!((held.public.walk.clone(), flags(&held, "soult").failed_repulse), (None, Some(hex("2124"))));
}

#[test]
fn cg_ex_20_too_weak_whatever_the_die() {
    let lannes = |die: u8, enemy: i32| {
        let mut state = table("november", Phase::Move, Army::French);
        only(&mut state, Army::French, &["lannes"]);
        only(&mut state, Army::AustroRussian, &["dokhtourov"]);
        put(&mut state, "lannes", "2024");
        put(&mut state, "dokhtourov", "2124");
        strength(&mut state, "lannes", [13, 0, 0]);
        strength(&mut state, "dokhtourov", [enemy, 0, 0]);
        in_hand(&mut state, "lannes");
        act(&mut state, &Action::Repulse(hex("2124")), &[die]);
        state
    };
    // Even a 1 fails against 5: 13 is less than 15.
    assert_eq!(3 * 5, 15);
    let mut state = lannes(1, 5);
    assert_eq!((flags(&state, "lannes").foot, flags(&state, "lannes").done), (2 * 2, true));
    assert_eq!(state.host(Army::French).hand, None);
    assert!(!flags(&lannes(1, 4), "lannes").done, "against 4 the die is enough");
    no_centre(&mut state, Army::AustroRussian);
    (state.public.phase, state.public.asked) = (Phase::Combat, Some(Army::French));
    act(&mut state, &Action::Attack { hex: hex("2124"), formations: vec![leader("lannes")] }, &[]);
    act(&mut state, &Action::Stance(Stance::Pursuit), &[]);
    let said = act(&mut state, &Action::Stance(Stance::Pursuit), &[3]);
    assert_eq!(told(&said, "CA-crt-09"), ["-2"]);
    // 13 against 5 is column 2-1, the eighth; the sixth is used, with Lannes' bonus on the die.
    assert_eq!(told(&said, "CA-crt-02"), ["= 8"]);
    assert_eq!(state.public.battle.as_ref().unwrap().numbers, [2, 3]);
}

/// No Austro-Russian has an initiative of 5: Bagration, with Friant's 4, stands before Davout.
#[test]
fn cg_ex_22_held_in_the_zone() {
    let mut state = table("november", Phase::React, Army::French);
    state.public.weather = Weather::Snow;
    state.public.asked = Some(Army::AustroRussian);
    only(&mut state, Army::AustroRussian, &["bagration"]);
    only(&mut state, Army::French, &["murat"]);
    strength(&mut state, "bagration", [6, 0, 0]);
    put(&mut state, "davout", "1547");
    let cavalry = state.host(Army::French).units_below(leader("murat"))[0];
    for (id, unit) in state.hosts[0].units.iter_mut() {
        if *id == cavalry {
            (unit.leader, unit.sp) = (Some(leader("davout")), 3);
            unit.arm = campaign::terms::Arm::Cavalry;
        } else {
            unit.sp = 0;
        }
    }
    assert_eq!((points(&state, "davout"), leader("davout").initiative()), ([0, 3, 0], 5));
    assert_eq!((leader("bagration").initiative(), leader("friant").initiative()), (4, 4));
    let mut calm = state.clone();
    let said = act(&mut state, &Action::ForceMarch(leader("bagration")), &[2]);
    assert_eq!(told(&said, "CA-initiative-02"), ["+2"]);
    assert_eq!(
        (told(&said, "CA-initiative-03"), told(&said, "CA-cavalry-03")),
        (vec!["-1".into()], vec!["+3".into()])
    );
    assert_eq!(2 + 2 - 1 + 3, 6);
    assert!(state.host(Army::AustroRussian).hand.is_none() && flags(&state, "bagration").tried);
    // He may still hear the guns.
    put(&mut calm, "dokhtourov", "1444");
    set(&mut calm, "bagration").tried = true;
    put(&mut calm, "murat", "1343");
    let mut fight = battle(&mut calm, &["murat"], "1343", &["dokhtourov"], "1444");
    fight.stances = [Some(Stance::Pitched); 2];
    calm.public.battle = Some(fight);
    (calm.public.phase, calm.public.asked) = (Phase::Guns(Army::AustroRussian), Some(Army::AustroRussian));
    let guns = Action::GunsMarch(leader("bagration"));
    calm.validate(Army::AustroRussian, &guns).unwrap();
    set(&mut calm, "bagration").forced_used = true;
    assert_eq!(refused(&calm, &guns).rule.unwrap().as_str(), "CA-R63");
}

#[test]
fn cg_ex_39_a_vedette_without_a_way_out() {
    let mut state = table("november", Phase::Combat, Army::French);
    only(&mut state, Army::French, &["soult"]);
    only(&mut state, Army::AustroRussian, &[]);
    no_centre(&mut state, Army::AustroRussian);
    put(&mut state, "soult", "0203");
    // Behind 0103 lies the corner of the map.
    vedette(&mut state, Army::AustroRussian, "0103");
    // Each step has one hex to choose: they are made by themselves.
    let said = act(&mut state, &Action::Attack { hex: hex("0103"), formations: vec![leader("soult")] }, &[]);
    assert_eq!(told(&said, "CC-13.1-01").len(), 2);
    assert!(state.host(Army::AustroRussian).vedettes.is_empty());
    assert_eq!((state.base(Army::AustroRussian).lost, state.public.phase), (1, Phase::Advance));
    assert_eq!(refused(&state, &Action::Advance(2)).rule.unwrap().as_str(), "CC-14.3-01");
    act(&mut state, &Action::Advance(1), &[]);
    assert_eq!(at(&state, "soult"), "0103");
}

#[test]
fn cg_ex_53_bernadotte_is_kept_out() {
    let turn = |state: &mut State, turn: u8, dice: &[u8]| {
        (state.public.phase, state.public.asked) = (Phase::Begin, Some(Army::French));
        (state.public.turn, state.public.own_turns) = (turn, [turn - 1; 2]);
        act(state, &Action::Begin, dice);
    };
    let mut state = table("november", Phase::Begin, Army::French);
    only(&mut state, Army::AustroRussian, &[]);
    vedette(&mut state, Army::AustroRussian, "1154");
    turn(&mut state, 2, &[5]);
    let bernadotte = leader("bernadotte");
    assert_eq!((state.public.phase, state.host(Army::French).leader_at(bernadotte)), (Phase::Entry, None));
    let redirect = |source: &str| Action::Redirect { entrant: bernadotte, source: hex(source) };
    assert_eq!(refused(&state, &redirect("1822")).rule.unwrap().as_str(), "CC-17-02");
    let mut waits = state.clone();
    act(&mut state, &redirect("2854"), &[3, 4]);
    let at = |state: &State| state.host(Army::French).leaders[&bernadotte].at;
    assert_eq!(at(&state), Whereabouts::Due { hex: hex("2854"), turn: 3 });
    // Wrede is kept out by it on that turn.
    turn(&mut state, 3, &[5]);
    assert_eq!(at(&state), Whereabouts::Map(hex("2854")));
    assert!(flags(&state, "bernadotte").command && flags(&state, "bernadotte").entered);

    act(&mut waits, &Action::Wait(bernadotte), &[3, 4]);
    assert_eq!(at(&waits), Whereabouts::Due { hex: hex("1154"), turn: 2 });
    assert_eq!(waits.host(Army::AustroRussian).vedettes.len(), 1);
    waits.hosts[1].vedettes.clear();
    turn(&mut waits, 3, &[5, 3, 4]);
    assert_eq!(at(&waits), Whereabouts::Map(hex("1154")));
}
