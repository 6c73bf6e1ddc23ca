//! Worked examples of the game page: weather, reception, attrition, stragglers.

use campaign::game::{Action, Mode, Phase, State};
use campaign::terms::{Army, Weather};
use kernel::{MovementPoints, Spoken};

use crate::table::{
    act, at, at_the_end, hex, leader, no_centre, only, path, points, put, refused, set, strength, table, told,
};

/// The turn begins with a die for the weather and two for what the first player receives.
fn begin(state: &mut State, turn: u8, dice: &[u8]) -> Spoken {
    state.public.phase = Phase::Begin;
    state.public.asked = Some(state.public.first);
    state.public.turn = turn;
    act(state, &Action::Begin, dice)
}

/// A table on which one formation alone pays for its march; afterwards the other side administers itself.
fn lone(scenario: &str, who: &str) -> State {
    let army = leader(who).army();
    let mut state = table(scenario, Phase::Force, army);
    let other = if army == Army::French { Army::AustroRussian } else { Army::French };
    only(&mut state, army, &[who]);
    only(&mut state, other, &[]);
    state.hosts[army as usize].leaders.get_mut(&leader(who)).unwrap().superior = None;
    no_centre(&mut state, other);
    at_the_end(&mut state, army);
    state.public.second = false;
    state
}

#[test]
fn cg_ex_01_mud_and_fog_on_the_first_turn() {
    let mut state = table("november", Phase::Begin, Army::French);
    let said = begin(&mut state, 1, &[4, 3, 4]);
    assert_eq!((state.public.weather, state.public.fog), (Weather::Mud, true));
    assert_eq!(told(&said, "CA-weather-01"), ["= 4"]);
    assert!(told(&said, "CA-weather-03").is_empty() && told(&said, "CA-weather-04").is_empty(), "no memory");
    assert_eq!(state.public.die, Some(4));
}

#[test]
fn cg_ex_02_rain_over_mud() {
    let mut state = table("november", Phase::Begin, Army::French);
    begin(&mut state, 1, &[4, 3, 4]);
    only(&mut state, Army::French, &["napoleon"]);
    let said = begin(&mut state, 2, &[6, 3, 4]);
    assert_eq!(told(&said, "CA-weather-01"), ["= 6"]);
    assert_eq!((state.public.weather, state.public.fog), (Weather::RainMud, false));
    assert_eq!(state.public.die, Some(6));
    // The natural 6 is remembered on turn 3.
    let said = begin(&mut state, 3, &[2, 3, 4]);
    assert_eq!(told(&said, "CA-weather-04"), ["+1"]);
    assert_eq!(told(&said, "CA-weather-01"), ["= 3"]);
}

#[test]
fn cg_ex_03_the_french_receive() {
    let mut state = table("november", Phase::Begin, Army::French);
    let base = *state.base(Army::French);
    assert_eq!((base.centre, base.source, base.ap), (Some(hex("2854")), hex("2854"), 10));
    assert_eq!(at(&state, "napoleon"), "2854");
    let said = begin(&mut state, 1, &[5, 3, 4]);
    // 3 and 4 are 7, in the near column.
    assert_eq!(told(&said, "CA-admin-02"), ["= 0"]);
    assert_eq!(told(&said, "CA-admin-03"), ["applied"]);
    assert_eq!(
        (told(&said, "CA-admin-06"), told(&said, "CA-admin-07")),
        (vec!["= 2".into()], vec!["+1".into()])
    );
    assert_eq!(state.base(Army::French).ap, 13);
    assert_eq!(3 + 4, 7);
}

#[test]
fn cg_ex_04_the_allies_receive() {
    let mut state = table("november", Phase::Begin, Army::AustroRussian);
    state.public.first = Army::AustroRussian;
    let base = *state.base(Army::AustroRussian);
    assert_eq!((base.centre, base.source, base.ap), (Some(hex("1822")), hex("2501"), 10));
    assert_eq!(at(&state, "koutouzov"), "0944");
    let dice = [5, 4];
    let said = begin(&mut state, 1, &[5, dice[0], dice[1]]);
    assert_eq!(told(&said, "CA-admin-02"), ["= 26"]);
    assert_eq!(dice[0] + dice[1], 9);
    assert_eq!(told(&said, "CA-admin-06"), ["= 1"]);
    assert_eq!(told(&said, "CA-admin-07"), ["+1"], "a line of 18 MP at most leads to him");
    assert_eq!(state.base(Army::AustroRussian).ap, 12);
    // Were he farther than 18 MP from the centre, 11 would be all.
    let mut far = table("november", Phase::Begin, Army::AustroRussian);
    far.public.first = Army::AustroRussian;
    put(&mut far, "koutouzov", "3950");
    begin(&mut far, 1, &[5, 5, 4]);
    assert_eq!(far.base(Army::AustroRussian).ap, 11);
}

#[test]
fn cg_ex_06_another_source_costs_the_centre() {
    let mut state = lone("november", "soult");
    strength(&mut state, "soult", [23, 1, 0]);
    assert_eq!(points(&state, "soult").iter().sum::<i32>(), 24);
    state.public.phase = Phase::Admin;
    assert_eq!((state.base(Army::French).source, state.base(Army::French).ap), (hex("2854"), 10));
    let mut twice = state.clone();
    twice.hosts[0].source_changed = true;
    assert_eq!(refused(&twice, &Action::ChangeSource(hex("1154"))).rule.unwrap().as_str(), "CC-5.8-01");
    act(&mut state, &Action::ChangeSource(hex("1154")), &[]);
    assert_eq!((state.base(Army::French).source, state.base(Army::French).ap), (hex("1154"), 9));
    assert_eq!(state.centre_active(Army::French), None);
    at_the_end(&mut state, Army::French);
    let five = 5 * 2;
    (set(&mut state, "soult").foot, set(&mut state, "soult").horse) = (five, five);
    let mut active = state.clone();
    active.public.bases[0].active_from = 0;
    let losses = |state: &mut State, row: &str| {
        let said = act(state, &Action::EndForced, &[4]);
        assert_eq!(told(&said, "CA-attrition-14"), ["-1"], "4 becomes 3");
        assert_eq!(
            (told(&said, "CA-attrition-01"), told(&said, "CA-attrition-03")),
            (vec![row.into()], vec!["= 5".into()])
        );
        24 - points(state, "soult").iter().sum::<i32>()
    };
    assert_eq!(losses(&mut state, "= 9"), 6);
    assert_eq!(campaign::tables::ApColumn::of(9).printed(), "7-10");
    assert_eq!(losses(&mut active, "= 6"), 2);
}

#[test]
fn cg_ex_17_an_extended_march_is_paid_for() {
    for (marched, die, column, loss) in [(8, ["+2"].as_slice(), "= 8", 2), (6, &[], "= 7", 1)] {
        let mut state = lone("november", "legrand");
        assert_eq!((points(&state, "legrand"), leader("legrand").bonus()), ([8, 0, 0], 0));
        assert_eq!(state.base(Army::French).ap, 10, "column 7-10");
        set(&mut state, "legrand").command = true;
        set(&mut state, "legrand").foot = marched * 2;
        let said = act(&mut state, &Action::EndForced, &[5]);
        assert_eq!(told(&said, "CA-attrition-18"), die, "5 and 2 are 7");
        assert_eq!(told(&said, "CA-attrition-01"), ["= 3"]);
        assert_eq!(campaign::tables::distance_bands()[4], "6-9");
        assert_eq!(told(&said, "CA-attrition-03"), [column]);
        assert_eq!(points(&state, "legrand"), [8 - loss, 0, 0]);
    }
}

#[test]
fn cg_ex_21_a_forced_march_in_the_enemys_turn() {
    let mut state = table("november", Phase::React, Army::French);
    state.public.asked = Some(Army::AustroRussian);
    only(&mut state, Army::AustroRussian, &["miloradovitch"]);
    only(&mut state, Army::French, &["murat"]);
    assert_eq!((leader("miloradovitch").initiative(), state.base(Army::AustroRussian).ap), (3, 10));
    assert_eq!(points(&state, "miloradovitch"), [13, 0, 0]);
    put(&mut state, "miloradovitch", "2848");
    act(&mut state, &Action::ForceMarch(leader("miloradovitch")), &[2]);
    // 3 - 2 + 1 is 2 MP, four hexes of road, and no more.
    let more = refused(&state, &Action::March(path("2847 2747 2746 2745 2744")));
    assert_eq!(more.rule.unwrap().as_str(), "CC-7.1-01");
    // With nothing left he halts by himself, and the march is paid for.
    let said = act(&mut state, &Action::March(path("2847 2747 2746 2745")), &[3]);
    assert_eq!(at(&state, "miloradovitch"), "2745");
    assert_eq!(told(&said, "CA-attrition-15"), ["+2"], "3 and 2 are 5");
    assert_eq!(told(&said, "CA-attrition-11"), ["= 2 MP"], "that march alone");
    assert_eq!(
        (told(&said, "CA-attrition-01"), told(&said, "CA-attrition-03")),
        (vec!["= 4".into()], vec!["= 4".into()])
    );
    assert_eq!(points(&state, "miloradovitch"), [13, 0, 0]);
    (state.public.phase, state.public.asked) = (Phase::React, Some(Army::AustroRussian));
    let tried = refused(&state, &Action::ForceMarch(leader("miloradovitch")));
    assert_eq!(tried.rule.unwrap().as_str(), "CC-10.1-01");
}

#[test]
fn cg_ex_23_a_corps_marches_together_or_divided() {
    let ready = |state: &mut State, heads: &[&str]| {
        state.public.bases[0].ap = 9;
        for head in heads {
            (set(state, head).foot, set(state, head).horse) = (6 * 2, 6 * 2);
        }
    };
    let mut whole = lone("november", "soult");
    assert_eq!((points(&whole, "soult"), 23 + 1 + 2, leader("soult").bonus()), ([23, 1, 2], 26, 1));
    let mut divided = whole.clone();
    ready(&mut whole, &["soult"]);
    let said = act(&mut whole, &Action::EndForced, &[3]);
    // 3 - 1 is 2.
    assert_eq!(
        (told(&said, "CA-attrition-14"), told(&said, "CA-attrition-01")),
        (vec!["-1".into()], vec!["= 6".into()])
    );
    assert_eq!(told(&said, "CA-attrition-03"), ["= 5"]);
    assert_eq!(points(&whole, "soult").iter().sum::<i32>(), 26 - 2);

    divided.public.phase = Phase::Organise;
    for below in ["legrand", "vandamme"] {
        act(&mut divided, &Action::Detach(leader(below)), &[]);
    }
    at_the_end(&mut divided, Army::French);
    let three = ["legrand", "vandamme", "soult"];
    let sum = |state: &State| three.map(|head| points(state, head).iter().sum::<i32>());
    assert_eq!((sum(&divided), leader("legrand").bonus(), leader("vandamme").bonus()), ([8, 8, 10], 0, 0));
    ready(&mut divided, &three);
    act(&mut divided, &Action::EndForced, &[3, 3, 3]);
    assert_eq!(sum(&divided), [8 - 1, 8 - 1, 10], "1 + 1 + 0 = 2 SP");
    assert_eq!(8 + 8 + 10 - sum(&divided).iter().sum::<i32>(), 2);
}

#[test]
fn cg_ex_24_cut_off_from_everything() {
    let mut state = lone("november", "dokhtourov");
    assert_eq!(points(&state, "dokhtourov"), [10, 0, 0]);
    no_centre(&mut state, Army::AustroRussian);
    let said = act(&mut state, &Action::EndForced, &[5]);
    assert_eq!(told(&said, "CA-communications-03"), ["= 0"]);
    assert!(told(&said, "CC-6.1-01").is_empty(), "there is no line");
    assert_eq!(
        (told(&said, "CA-attrition-01"), told(&said, "CA-attrition-03")),
        (vec!["= 6".into()], vec!["= 3".into()])
    );
    assert_eq!(points(&state, "dokhtourov"), [10 - 1, 0, 0]);
}

#[test]
fn cg_ex_25_wrede_forages() {
    let mut state = lone("november", "wrede");
    put(&mut state, "wrede", "1119");
    assert_eq!(points(&state, "wrede").iter().sum::<i32>(), 6);
    set(&mut state, "wrede").mode = Mode::Forage;
    (set(&mut state, "wrede").foot, set(&mut state, "wrede").horse) = (2, 2);
    let said = act(&mut state, &Action::EndForced, &[4]);
    // Each hex for itself, in hundredths: the town, clear ground, wooded hills.
    assert_eq!(told(&said, "CA-terrain-11"), ["= 3"]);
    assert_eq!(told(&said, "CA-terrain-03"), ["= 1.2", "= 1.2", "= 1.2"]);
    assert_eq!(told(&said, "CA-terrain-10"), ["= 0", "= 0", "= 0"]);
    let mut foraged = state.host(Army::French).foraging.clone();
    foraged.sort_unstable();
    assert_eq!(foraged, path("1018 1019 1118 1119 1120 1218 1219"));
    // 6.6, and 6 are counted.
    assert_eq!(told(&said, "CA-R03"), ["= 660"]);
    assert_eq!(told(&said, "CA-attrition-19"), ["= 4-6"]);
    assert_eq!(
        (told(&said, "CA-attrition-01"), told(&said, "CA-attrition-03")),
        (vec!["= 3".into()], vec!["= 3".into()])
    );
    assert_eq!(points(&state, "wrede").iter().sum::<i32>(), 6);
    // Two turns running the same hexes yield half.
    let mut again = lone("november", "wrede");
    put(&mut again, "wrede", "1119");
    set(&mut again, "wrede").mode = Mode::Forage;
    again.hosts[0].foraged = path("1018 1019 1118 1119 1120 1218 1219");
    let said = act(&mut again, &Action::EndForced, &[4]);
    assert_eq!(told(&said, "CA-R03"), ["= 330"]);
    assert_eq!(told(&said, "CA-attrition-19"), ["= 1-3"]);
}

#[test]
fn cg_ex_26_stragglers_come_back() {
    let mut state = lone("november", "legrand");
    state.public.bases[0].ap = 9;
    let unit = state.host(Army::French).units_below(leader("legrand"))[0];
    assert_eq!((state.hosts[0].units[&unit].sp, state.hosts[0].units[&unit].most), (8, 8));
    (set(&mut state, "legrand").foot, set(&mut state, "legrand").forced) = (9 * 2, 3 * 2);
    act(&mut state, &Action::EndForced, &[6]);
    assert_eq!((points(&state, "legrand"), 8 - 3), ([5, 0, 0], 5));
    assert_eq!((state.hosts[0].pool, state.hosts[0].gone), ([2, 0], [1, 0, 0]));
    let mut next = table("november", Phase::Organise, Army::French);
    next.hosts = state.hosts.clone();
    let recover = Action::Recover { unit, sp: 2 };
    set(&mut next, "legrand").last_march = 3 * 2;
    assert_eq!(refused(&next, &recover).rule.unwrap().as_str(), "CA-R50");
    set(&mut next, "legrand").last_march = 0;
    act(&mut next, &recover, &[]);
    assert_eq!((points(&next, "legrand"), next.hosts[0].pool), ([7, 0, 0], [0, 0]));
}

#[test]
fn cg_ex_45_attrition_and_losses_fall_on_the_arms() {
    let mut state = lone("november", "bessieres");
    strength(&mut state, "bessieres", [6, 3, 1]);
    (set(&mut state, "bessieres").foot, set(&mut state, "bessieres").horse) = (9 * 2, 9 * 2);
    set(&mut state, "bessieres").forced = 3 * 2;
    let said = act(&mut state, &Action::EndForced, &[6]);
    assert_eq!(told(&said, "CA-attrition-02"), ["= 3"]);
    // 3 x 3 / 9 = 1 of cavalry, 2 of infantry.
    assert_eq!(told(&said, "CA-R73"), ["= 1"]);
    assert_eq!(points(&state, "bessieres"), [4, 2, 1]);
    assert_eq!(state.hosts[0].pool, [2, 0], "half of 3, rounded up, infantry first");

    put(&mut state, "bessieres", "1547");
    put(&mut state, "bagration", "1446");
    let mut fight = crate::table::battle(&mut state, &["bessieres"], "1547", &["bagration"], "1446");
    fight.stances = [Some(campaign::battle::Stance::Pursuit); 2];
    (fight.loser, fight.numbers) = (Some(1), [0, 2]);
    (state.public.battle, state.public.phase) = (Some(fight), Phase::Leaders);
    state.public.asked = Some(Army::French);
    let owe = |state: &State, sp: i32| {
        let mut state = state.clone();
        state.public.owed = vec![campaign::game::Owed { army: Army::French, sp, attrition: None }];
        state
    };
    let offered = |state: &State| {
        let mut actions = Vec::new();
        kernel::Game::actions(state, Army::French, &mut actions);
        actions
    };
    let split = |infantry, cavalry| Action::TakeLosses { infantry, cavalry };
    assert_eq!(offered(&owe(&state, 3)), [split(1, 2), split(2, 1), split(3, 0)]);
    let wrong = refused(&owe(&state, 3), &split(0, 2));
    assert_eq!(wrong.rule.unwrap().as_str(), "CC-12.10-01");
    // The guns pay the seventh, when nobody else is left.
    assert_eq!(offered(&owe(&state, 7)), [split(4, 2)]);
    let free = owe(&state, 3);
    let mut taken = free.clone();
    act(&mut taken, &split(2, 1), &[]);
    assert_eq!(points(&taken, "bessieres"), [4 - 2, 2 - 1, 1]);
}

#[test]
fn cg_ex_46_davout_forces_after_a_march() {
    let mut state = lone("november", "davout");
    put(&mut state, "davout", "2854");
    for below in ["friant", "davout"] {
        put(&mut state, below, "2854");
    }
    state.hosts[0].leaders.get_mut(&leader("friant")).unwrap().superior = Some(leader("davout"));
    let art = points(&state, "davout")[2];
    strength(&mut state, "davout", [9 - art, 0, art]);
    assert_eq!((points(&state, "davout").iter().sum::<i32>(), state.base(Army::French).ap), (9, 10));
    assert_eq!((leader("davout").initiative(), leader("davout").bonus()), (5, 1));
    set(&mut state, "davout").foot = 6 * 2;
    act(&mut state, &Action::ForceMarch(leader("davout")), &[3]);
    // 5 - 3 + 1 is 3 MP: six hexes of road and not one more.
    let more = refused(&state, &Action::March(path("2853 2852 2851 2850 2849 2848 2847")));
    assert_eq!(more.rule.unwrap().as_str(), "CC-7.1-01");
    assert!(more.facts.iter().any(|fact| fact.value == MovementPoints::whole(3).into()), "{more:?}");
    // With nothing left he halts by himself; he is alone, and the turn goes on to his attrition.
    let said = act(&mut state, &Action::March(path("2853 2852 2851 2850 2849 2848")), &[3]);
    assert_eq!(told(&said, "CA-attrition-11"), ["= 9 MP"]);
    assert_eq!(
        (told(&said, "CA-attrition-14"), told(&said, "CA-attrition-15")),
        (vec!["-1".into()], vec!["+3".into()])
    );
    assert_eq!(3 - 1 + 3, 5);
    assert_eq!(
        (told(&said, "CA-attrition-01"), told(&said, "CA-attrition-03")),
        (vec!["= 3".into()], vec!["= 7".into()])
    );
    assert_eq!(points(&state, "davout").iter().sum::<i32>(), 9 - 1);
}
