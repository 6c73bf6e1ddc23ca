//! Worked examples of the game page: declaring battle, its rounds, retreat, pursuit, the end.

use campaign::battle::Stance;
use campaign::game::{Action, Flight, Group, Owed, Phase, State, Walk};
use campaign::terms::{Army, Weather};
use kernel::{Game as _, Spoken};

use crate::table::{
    act, at, at_the_end, battle, flags, hex, leader, no_centre, only, path, points, put, refused, strength,
    table, told,
};

const PITCHED: Action = Action::Stance(Stance::Pitched);
const PURSUIT: Action = Action::Stance(Stance::Pursuit);

fn losses(infantry: u8, cavalry: u8) -> Action {
    Action::TakeLosses { infantry, cavalry }
}

/// Soult and Legrand before the hill of 2322, which Langeron and Przybyszewski hold.
fn pratzen() -> State {
    let mut state = table("austerlitz", Phase::Combat, Army::French);
    only(&mut state, Army::French, &["soult", "legrand"]);
    only(&mut state, Army::AustroRussian, &["langeron", "przybyszewski"]);
    put(&mut state, "soult", "2222");
    put(&mut state, "legrand", "2221");
    state
}

fn attack(state: &mut State, at: &str, heads: &[&str]) -> Spoken {
    let formations = heads.iter().map(|head| leader(head)).collect();
    act(state, &Action::Attack { hex: hex(at), formations }, &[])
}

/// The first round at Pratzen: both want it, the guns hit nobody.
fn first_round(state: &mut State) -> Spoken {
    attack(state, "2322", &["legrand", "soult"]);
    act(state, &PITCHED, &[]);
    act(state, &PITCHED, &[1, 6, 6, 2])
}

#[test]
fn cg_ex_27_the_main_hex_of_an_attack() {
    let mut state = pratzen();
    let defenders: i32 = ["langeron", "przybyszewski"].map(|head| points(&state, head)[0]).iter().sum();
    assert_eq!((points(&state, "soult")[0], points(&state, "legrand"), defenders), (15, [8, 1, 0], 19));
    let said = first_round(&mut state);
    let fight = state.public.battle.as_ref().unwrap();
    assert_eq!((fight.main, fight.hex), (hex("2222"), hex("2322")), "15 against {}", 8 + 1);
    assert_eq!(points(&state, "legrand").iter().sum::<i32>(), 9);
    // 24:19, on a hill.
    assert_eq!(15 + 8 + 1, 24);
    assert_eq!(told(&said, "CA-crt-03"), ["= 1-1"]);
    assert!(told(&said, "CA-terrain-09").contains(&"applied".to_owned()), "line A");
    // The fifth column is 1-1 of line A and 2-3 of line NA.
    assert_eq!(told(&said, "CA-crt-02"), ["= 5"]);
    let column = |line| campaign::tables::combat_line(line)[5 - 1].printed();
    assert_eq!((column(campaign::Line::A), column(campaign::Line::Na)), ("1-1".into(), "2-3".into()));
}

#[test]
fn cg_ex_28_the_first_round() {
    let mut state = pratzen();
    let said = first_round(&mut state);
    assert_eq!(told(&said, "CA-crt-10"), ["-1"], "2 becomes 1");
    let fight = state.public.battle.clone().unwrap();
    assert_eq!((fight.numbers, fight.rounds_lost), ([1, 4], [0, 1]));
    // Who lost four puts his commander at risk; then the defenders attack without being asked.
    act(&mut state, &losses(1, 0), &[3, 4, 6, 6, 4]);
    let fight = state.public.battle.clone().unwrap();
    assert_eq!((fight.round, fight.numbers), (2, [1, 4]));
}

#[test]
fn cg_ex_29_the_counterattack() {
    let mut state = pratzen();
    first_round(&mut state);
    let said = act(&mut state, &losses(1, 0), &[3, 4, 6, 6, 4]);
    // 15:23, into the hill of 2222.
    let left = ["langeron", "przybyszewski"].map(|head| points(&state, head)[0]);
    assert_eq!((left[0] + left[1], leader("langeron").bonus()), (15 - 4, 0));
    assert_eq!(points(&state, "soult")[0] + points(&state, "legrand")[0] + points(&state, "legrand")[1], 23);
    assert_eq!(told(&said, "CA-crt-03"), ["= 1-2"], "level -2");
    assert_eq!(told(&said, "CA-crt-02"), ["= 3"]);
    assert_eq!(campaign::tables::combat_line(campaign::Line::Na)[3 - 1].printed(), "1-3");
    let fight = state.public.battle.clone().unwrap();
    // The attacker of the round lost: 4 and 1.
    assert_eq!((fight.numbers, fight.rounds_lost), ([1, 4], [0, 2]));
    act(&mut state, &losses(1, 0), &[3, 4]);
    assert_eq!(state.public.phase, Phase::RestanceAttacker);
    assert_eq!(state.public.battle.as_ref().unwrap().round, 3);
}

#[test]
fn cg_ex_30_the_defender_is_held_to_pursuit() {
    let mut state = pratzen();
    attack(&mut state, "2322", &["legrand", "soult"]);
    act(&mut state, &PITCHED, &[]);
    assert_eq!(leader("langeron").initiative(), 2);
    act(&mut state, &PITCHED, &[3, 6, 6, 2]);
    let fight = state.public.battle.clone().unwrap();
    assert_eq!(fight.stances, [Some(Stance::Pitched), Some(Stance::Pursuit)]);
    assert!(!fight.pitched && fight.loser == Some(1));
    // In a town he needs no die.
    let mut town = across_the_bridge();
    act(&mut town, &PITCHED, &[3]);
    assert_eq!(town.public.battle.unwrap().stances, [Some(Stance::Pitched); 2]);
}

#[test]
fn cg_ex_31_the_guns() {
    let guns = |fog: bool, dice: &[u8]| {
        let mut state = pratzen();
        state.public.weather = Weather::Rain;
        state.public.fog = fog;
        strength(&mut state, "soult", [15, 0, 4]);
        let theirs = ["langeron", "przybyszewski"].map(|head| points(&state, head)[2]);
        assert_eq!((theirs[0] + theirs[1], leader("langeron").bonus(), leader("soult").bonus()), (2, 0, 1));
        attack(&mut state, "2322", &["soult"]);
        act(&mut state, &PURSUIT, &[]);
        let said = act(&mut state, &PURSUIT, dice);
        (told(&said, "CA-artillery-02"), state.public.battle.unwrap().lost)
    };
    // 3+1-1 = 3 in column 4-5 hits 1; 2+1 = 3 in column 2-3 hits 0.
    let (hits, lost) = guns(false, &[3, 2, 3]);
    assert_eq!(hits, ["= 1", "= 0"]);
    assert_eq!((campaign::tables::artillery(3, 4), campaign::tables::artillery(3, 5)), (1, 1));
    assert_eq!((campaign::tables::artillery(3, 2), campaign::tables::artillery(3, 3)), (0, 0));
    assert_eq!(lost[1], 1);
    let (hits, lost) = guns(true, &[3]);
    assert_eq!((hits.len(), lost[1]), (0, 0), "round 1 in fog");
}

/// The French of the vanguard before Schöngrabern.
fn schongrabern() -> State {
    let mut state = table("november", Phase::Combat, Army::French);
    for head in ["murat", "walther", "oudinot", "legrand", "soult"] {
        put(&mut state, head, "1547");
    }
    put(&mut state, "vandamme", "2251");
    no_centre(&mut state, Army::French);
    state
}

fn pursuit_battle() -> (State, Spoken) {
    let mut state = schongrabern();
    attack(&mut state, "1446", &["legrand", "murat", "oudinot", "soult", "walther"]);
    act(&mut state, &PURSUIT, &[]);
    let said = act(&mut state, &PURSUIT, &[6, 6, 3]);
    (state, said)
}

fn retreated() -> State {
    let (mut state, _) = pursuit_battle();
    act(&mut state, &Action::Stand, &[]);
    act(&mut state, &losses(1, 0), &[]);
    for step in path("1445 1444 1443 1442 1441") {
        act(&mut state, &Action::RetreatTo(step), &[]);
    }
    state
}

#[test]
fn cg_ex_32_schongrabern() {
    let state = schongrabern();
    let fighting = |head: &str| points(&state, head)[0] + points(&state, head)[1];
    assert_eq!(["murat", "walther", "oudinot", "legrand"].map(fighting), [3, 2, 6, 8]);
    assert_eq!((points(&state, "soult")[0], points(&state, "soult")[1]), (7, 1));
    assert_eq!((fighting("bagration"), points(&state, "bagration")[1]), (8, 2));
    assert_eq!((leader("murat").rank(), leader("soult").rank()), (1, 1));
    assert_eq!(
        (leader("murat").initiative(), leader("soult").initiative(), leader("murat").bonus()),
        (4, 4, 1)
    );
    let (mut state, said) = pursuit_battle();
    // 27:8, of them 6 of cavalry.
    assert_eq!((3 + 2 + 6 + 8 + 7 + 1, 3 + 2 + 1), (27, 6));
    assert_eq!(told(&said, "CA-crt-03"), ["= 3-1"]);
    assert_eq!(told(&said, "CA-crt-10"), ["-1"], "3 becomes 2");
    let fight = state.public.battle.clone().unwrap();
    assert_eq!((fight.numbers, fight.loser), ([1, 5], Some(1)));
    act(&mut state, &Action::Stand, &[]);
    act(&mut state, &losses(1, 0), &[]);
    assert_eq!(state.public.walk.as_ref().unwrap().groups[0].left, 5);
    assert_eq!(state.base(Army::French).lost, 1);
}

#[test]
fn cg_ex_33_bagration_retreats() {
    let (mut state, _) = pursuit_battle();
    act(&mut state, &Action::Stand, &[]);
    act(&mut state, &losses(1, 0), &[]);
    assert_eq!(state.base(Army::AustroRussian).centre, Some(hex("1822")));
    assert_eq!((at(&state, "koutouzov"), at(&state, "miloradovitch")), ("0944".into(), "1043".into()));
    assert_eq!(state.public.walk.as_ref().unwrap().enemy, hex("1547"));
    // Towards 1547 he may not go.
    assert_eq!(refused(&state, &Action::RetreatTo(hex("1447"))).rule.unwrap().as_str(), "CA-R61");
    let state = retreated();
    assert_eq!(at(&state, "bagration"), "1441");
    let group = &state.public.walk.as_ref().unwrap().groups[0];
    assert!(!group.zone && group.blocked == 0, "class 1 all the way");
    let mut pursued = state.clone();
    act(&mut pursued, &Action::Pursue(vec![leader("murat")]), &[3]);
    act(&mut pursued, &Action::Advance(5), &[]);
    assert_eq!(at(&pursued, "murat"), "1442");
}

#[test]
fn cg_ex_34_murat_pursues() {
    let mut state = retreated();
    assert_eq!((leader("murat").initiative(), leader("bagration").initiative()), (4, 4));
    let said = act(&mut state, &Action::Pursue(vec![leader("murat")]), &[3]);
    assert_eq!(
        (told(&said, "CA-initiative-02"), told(&said, "CA-cavalry-02")),
        (vec!["+2".into()], vec!["-3".into()])
    );
    // The cavalry of 6 against 2.
    assert_eq!(
        (told(&said, "CA-pursuit-10"), told(&said, "CA-pursuit-02")),
        (vec!["= 2".into()], vec!["= 4".into()])
    );
    let fight = state.public.battle.clone().unwrap();
    assert_eq!((fight.pursuit, fight.limit), (5, 5));
    let too_far = refused(&state, &Action::Advance(6));
    assert_eq!(too_far.rule.unwrap().as_str(), "CC-14.3-01");
    let mut first = state.clone();
    act(&mut first, &Action::Advance(1), &[]);
    assert_eq!(at(&first, "murat"), "1446");
    act(&mut state, &Action::Advance(5), &[]);
    // The toll is max(5, 1); Bagration's side chooses.
    assert_eq!(state.public.owed.first().map(|owed| (owed.army, owed.sp)), Some((Army::AustroRussian, 5)));
}

/// A retreat of four hexes under the eyes of Oudinot.
fn followed(way: &str, main: &str, advance: u8) -> i32 {
    let way = path(way);
    let mut state = table("november", Phase::Pursue, Army::French);
    only(&mut state, Army::French, &["oudinot"]);
    put(&mut state, "oudinot", main);
    put(&mut state, "przybyszewski", &way[4].to_string());
    only(&mut state, Army::AustroRussian, &["przybyszewski"]);
    let guns = points(&state, "przybyszewski")[2];
    strength(&mut state, "przybyszewski", [12, 0, guns]);
    no_centre(&mut state, Army::AustroRussian);
    let mut fight = battle(&mut state, &["oudinot"], main, &["przybyszewski"], &way[0].to_string());
    (fight.numbers, fight.loser, fight.winner_loss) = ([1, 4], Some(1), 1);
    fight.stances = [Some(Stance::Pursuit); 2];
    state.public.battle = Some(fight);
    let force = state.hosts[1].force.clone();
    state.hosts[1].groups = vec![force];
    let group =
        Group { from: way[0], path: way[1..].to_vec(), left: 0, blocked: 0, zone: false, off: false, sp: 12 };
    let flight = Flight::Battle;
    state.public.walk =
        Some(Walk { army: Army::AustroRussian, flight, enemy: hex(main), groups: vec![group] });
    state.public.asked = Some(Army::French);
    let said = act(&mut state, &Action::Pursue(vec![leader("oudinot")]), &[3]);
    assert_eq!(
        (told(&said, "CA-pursuit-02"), told(&said, "CA-pursuit-10")),
        (vec!["= 6".into()], vec!["= 3".into()])
    );
    assert_eq!(state.public.battle.as_ref().unwrap().pursuit, 2);
    act(&mut state, &Action::Advance(advance), &[]);
    let expected = if advance == 1 { way[0] } else { way[1] };
    assert_eq!(hex(&at(&state, "oudinot")), expected);
    state.base(Army::AustroRussian).lost
}

#[test]
fn cg_ex_35_a_river_behind_the_retreat() {
    assert_eq!(leader("oudinot").initiative(), 3);
    // From 1925 into 2024 over the water: r1 is the far bank. The column is 6, the number 2.
    let over_at_once = "1925 2024 2124 2224 2323";
    assert_eq!(followed(over_at_once, "1825", 2), 4);
    assert_eq!(followed(over_at_once, "1825", 1), 2);
    // Only from r1 to r2: the pursuers stay on the near bank.
    assert_eq!(followed("1825 1925 2024 2124 2224", "1824", 2), 2);
    let (column, number) = (6, 2);
    assert_eq!(campaign::tables::pursuit_advance(column, 3), number);
}

/// Legrand at 1929 attacks Dokhturov in Pohrlitz 1930, over the bridge; he wants a pitched battle.
fn across_the_bridge() -> State {
    let mut state = table("november", Phase::Combat, Army::French);
    only(&mut state, Army::French, &["legrand"]);
    only(&mut state, Army::AustroRussian, &["dokhtourov"]);
    put(&mut state, "legrand", "1929");
    put(&mut state, "dokhtourov", "1930");
    no_centre(&mut state, Army::AustroRussian);
    attack(&mut state, "1930", &["legrand"]);
    act(&mut state, &PITCHED, &[]);
    state
}

#[test]
fn cg_ex_36_a_river_excuses_the_counterattack() {
    let mut state = across_the_bridge();
    let said = act(&mut state, &PITCHED, &[3]);
    assert_eq!((state.public.phase, state.public.asked), (Phase::Counter, Some(Army::AustroRussian)));
    assert_eq!(told(&said, "CA-terrain-23"), ["applied"]);
    assert_eq!(state.public.battle.as_ref().unwrap().round, 1);
    act(&mut state, &Action::Stop, &[]);
    assert_eq!((at(&state, "legrand"), at(&state, "dokhtourov")), ("1929".into(), "1930".into()));
    assert!(
        state.public.battle.is_none()
            && !flags(&state, "dokhtourov").shaken
            && !flags(&state, "legrand").shaken
    );
}

#[test]
fn cg_ex_37_bagration_slips_away() {
    let mut state = table("november", Phase::Combat, Army::AustroRussian);
    only(&mut state, Army::French, &["soult"]);
    put(&mut state, "soult", "1447");
    strength(&mut state, "soult", [23, 1, 0]);
    strength(&mut state, "bagration", [6, 2, 0]);
    assert_eq!((points(&state, "bagration").iter().sum::<i32>(), leader("bagration").bonus()), (8, 1));
    assert_eq!(points(&state, "soult").iter().sum::<i32>(), 24);
    attack(&mut state, "1447", &["bagration"]);
    act(&mut state, &PURSUIT, &[]);
    let said = act(&mut state, &PURSUIT, &[2]);
    assert_eq!(
        (told(&said, "CA-crt-03"), told(&said, "CA-crt-10")),
        (vec!["= 1-3".into()], vec!["-1".into()])
    );
    let fight = state.public.battle.clone().unwrap();
    // A modified die of 1: 3/4, and the defender lost.
    assert_eq!((fight.numbers, fight.loser), ([3, 4], Some(1)));
    assert_eq!((state.public.phase, state.public.asked), (Phase::Override, Some(Army::AustroRussian)));
    let mut stands = state.clone();
    act(&mut state, &Action::Override, &[]);
    act(&mut state, &Action::RetreatRest, &[]);
    let walk = state.public.walk.clone().unwrap();
    assert_eq!((walk.army, walk.groups[0].path.len()), (Army::AustroRussian, 3));
    assert_eq!(points(&state, "bagration").iter().sum::<i32>(), 8);
    assert_eq!((state.public.phase, state.public.asked), (Phase::Pursue, Some(Army::French)));
    assert_eq!((at(&state, "soult"), points(&state, "soult")), ("1447".into(), [23, 1, 0]));
    // Had he stood, the 3 would have been his loss.
    act(&mut stands, &Action::Stand, &[]);
    assert_eq!(stands.public.owed.first().map(|owed| owed.sp), Some(3));
}

#[test]
fn cg_ex_38_oudinot_marches_to_the_guns() {
    let mut state = table("austerlitz", Phase::Combat, Army::French);
    only(&mut state, Army::French, &["soult", "oudinot"]);
    only(&mut state, Army::AustroRussian, &["langeron", "bagration"]);
    put(&mut state, "soult", "2222");
    let mut fight = battle(&mut state, &["soult"], "2222", &["langeron"], "2322");
    fight.stances = [Some(Stance::Pitched); 2];
    state.public.battle = Some(fight);
    (state.public.phase, state.public.asked) = (Phase::Guns(Army::French), Some(Army::French));
    assert_eq!((at(&state, "oudinot"), leader("oudinot").initiative()), ("2021".into(), 3));
    act(&mut state, &Action::GunsMarch(leader("oudinot")), &[1]);
    // 3 - 1 + 1 is 3 MP; the road 0.5, then 1.
    let away = refused(&state, &Action::March(path("1922")));
    assert_eq!(away.rule.unwrap().as_str(), "CC-10.4-01");
    let gone = |state: &State| match state.host(Army::French).hand.unwrap().why {
        campaign::game::Why::Guns { foot, gone, .. } => (f32::from(foot) / 2.0, f32::from(gone) / 2.0),
        other => panic!("{other:?}"),
    };
    assert_eq!(gone(&state), (3.0, 0.0));
    act(&mut state, &Action::March(path("2121")), &[]);
    assert_eq!(gone(&state), (3.0 - 0.5, 0.5));
    // Nothing leads out of the zone for 1.5 MP: he halts there by himself.
    let said = act(&mut state, &Action::March(path("2221")), &[3]);
    assert_eq!(at(&state, "oudinot"), "2221");
    assert!(hex("2221").towards(hex("2322")).is_some());
    assert_eq!(
        (told(&said, "CA-attrition-15"), told(&said, "CA-attrition-11")),
        (vec!["+2".into()], vec!["= 1.5 MP".into()])
    );
    assert!(state.host(Army::French).force.leaders.contains(&leader("oudinot")), "from round 2");
    assert_eq!(state.public.battle.as_ref().unwrap().round + 1, 2);
}

#[test]
fn cg_ex_40_olmutz() {
    let mut state = table("november", Phase::Combat, Army::French);
    only(&mut state, Army::AustroRussian, &["essen-i"]);
    let garrison = crate::table::post(&mut state, Army::AustroRussian, "2603", 6);
    put(&mut state, "legrand", "2604");
    no_centre(&mut state, Army::AustroRussian);
    no_centre(&mut state, Army::French);
    attack(&mut state, "2603", &["legrand"]);
    assert_eq!((state.public.phase, state.public.asked), (Phase::Decline, Some(Army::AustroRussian)));
    act(&mut state, &Action::Decline, &[]);
    assert_eq!(state.public.sieges.first().map(|siege| (siege.hex, siege.turns)), Some((hex("2603"), 0)));
    // The third turn of siege.
    state.public.sieges[0].turns = 3 - 1;
    at_the_end(&mut state, Army::AustroRussian);
    let mut holds = state.clone();
    let said = act(&mut holds, &Action::EndForced, &[6, 5, 3, 4, 5]);
    assert_eq!(holds.public.control[&hex("2603")], Army::AustroRussian);
    assert_eq!(told(&said, "CA-attrition-17"), ["= 0"]);
    assert_eq!(
        (told(&said, "CA-attrition-01"), told(&said, "CA-attrition-03")),
        (vec!["= 5".into()], vec!["= 3".into()])
    );
    assert_eq!(holds.hosts[1].units[&garrison].sp, 6);
    act(&mut state, &Action::EndForced, &[6, 6, 3, 4, 5]);
    assert_eq!((state.base(Army::AustroRussian).lost, state.hosts[1].units[&garrison].sp), (6, 0));
    assert_eq!((state.public.control[&hex("2603")], state.public.morale), (Army::French, -1));
}

#[test]
fn cg_ex_42_napoleon_falls() {
    let mut state = table("november", Phase::Leaders, Army::French);
    only(&mut state, Army::French, &["napoleon", "bessieres", "davout"]);
    put(&mut state, "napoleon", "1547");
    put(&mut state, "bessieres", "1547");
    let mut fight = battle(&mut state, &["napoleon", "bessieres"], "1547", &["bagration"], "1446");
    fight.stances = [Some(Stance::Pursuit); 2];
    (fight.loser, fight.numbers) = (Some(1), [0, 2]);
    fight.round_lost = [3, 0];
    state.public.battle = Some(fight);
    state.public.owed = vec![Owed { army: Army::French, sp: 1, attrition: None }];
    state.public.asked = Some(Army::French);
    let mut lucky = state.clone();
    act(&mut lucky, &losses(1, 0), &[1, 2]);
    assert!(!lucky.public.napoleon);
    act(&mut state, &losses(1, 0), &[1, 1]);
    assert_eq!((state.public.battle.as_ref().unwrap().round_lost[0], 1 + 1), (4, 2));
    assert!(state.public.napoleon && state.host(Army::French).leader_at(leader("napoleon")).is_none());
    // At the end of the turn.
    state.public.battle = None;
    state.public.walk = None;
    only(&mut state, Army::AustroRussian, &["essen-i"]);
    at_the_end(&mut state, Army::AustroRussian);
    act(&mut state, &Action::EndForced, &[]);
    assert_eq!((state.public.morale, state.public.phase), (2, Phase::Declare));
    assert_eq!(state.public.asked, Some(Army::AustroRussian));
    act(&mut state, &Action::DeclareVictory, &[]);
    let outcome = state.outcome().unwrap();
    assert_eq!(
        (outcome.winner, outcome.extent),
        (Some(Army::AustroRussian), campaign::game::Extent::Operational)
    );
}

#[test]
fn cg_ex_47_the_third_round() {
    let mut state = pratzen();
    first_round(&mut state);
    act(&mut state, &losses(1, 0), &[3, 4, 6, 6, 4]);
    act(&mut state, &losses(1, 0), &[3, 4]);
    act(&mut state, &PITCHED, &[]);
    assert_eq!(state.host(Army::French).sealed, Some(Stance::Pitched));
    let unseen = serde_json::to_string(&state.view(Some(Army::AustroRussian)).own).unwrap();
    assert!(unseen.contains("\"sealed\":null"), "the other side sees nothing of it");
    let mut goes_on = state.clone();
    act(&mut state, &PURSUIT, &[6, 6, 3]);
    let fight = state.public.battle.clone().unwrap();
    assert_eq!((fight.stances, fight.round), ([Some(Stance::Pitched), Some(Stance::Pursuit)], 3));
    assert!(fight.loser.is_some(), "it ends the affair");
    // To keep to a pitched battle he needs no new die: the guns and the attack alone.
    act(&mut goes_on, &PITCHED, &[6, 6, 3]);
    let fight = goes_on.public.battle.clone().unwrap();
    assert_eq!((fight.stances, fight.loser), ([Some(Stance::Pitched); 2], None));
}

#[test]
fn cg_ex_48_twenty_against_twenty_in_snow() {
    let mut state = table("november", Phase::Combat, Army::French);
    state.public.weather = Weather::Snow;
    only(&mut state, Army::French, &["bernadotte", "milhaud"]);
    only(&mut state, Army::AustroRussian, &["dokhtourov"]);
    for below in ["bernadotte", "rivaud"] {
        put(&mut state, below, "1447");
    }
    state.hosts[0].leaders.get_mut(&leader("rivaud")).unwrap().superior = Some(leader("bernadotte"));
    for unit in state.hosts[0].units.values_mut() {
        unit.sp = 0;
    }
    let units = state.host(Army::French).units_below(leader("bernadotte"));
    let foot =
        units.iter().find(|id| state.hosts[0].units[id].arm == campaign::terms::Arm::Infantry).unwrap();
    state.hosts[0].units.get_mut(foot).unwrap().sp = 19;
    let horse = state.host(Army::French).units_below(leader("milhaud"))[0];
    let horse = state.hosts[0].units.get_mut(&horse).unwrap();
    (horse.sp, horse.leader) = (1, Some(leader("bernadotte")));
    put(&mut state, "dokhtourov", "1446");
    strength(&mut state, "dokhtourov", [20, 0, 0]);
    assert_eq!(points(&state, "bernadotte").iter().sum::<i32>(), 20);
    assert_eq!((leader("bernadotte").bonus(), leader("dokhtourov").bonus()), (0, 0));
    attack(&mut state, "1446", &["bernadotte"]);
    act(&mut state, &PITCHED, &[]);
    let said = act(&mut state, &PITCHED, &[1, 4]);
    assert_eq!(
        (told(&said, "CA-crt-11"), told(&said, "CA-crt-03")),
        (vec!["+1".into()], vec!["= 1-1".into()])
    );
    assert_eq!(4 + 1, 5);
    let fight = state.public.battle.clone().unwrap();
    assert_eq!((fight.numbers, fight.rounds_lost), ([3, 2], [1, 0]));
}

#[test]
fn cg_ex_54_six_rounds_and_both_stay() {
    let mut state = table("november", Phase::Leaders, Army::French);
    only(&mut state, Army::French, &["soult", "davout"]);
    only(&mut state, Army::AustroRussian, &["dokhtourov", "essen-i", "bagration"]);
    put(&mut state, "soult", "1547");
    put(&mut state, "dokhtourov", "1446");
    put(&mut state, "bagration", "1446");
    let mut fight = battle(&mut state, &["soult"], "1547", &["dokhtourov", "bagration"], "1446");
    fight.stances = [Some(Stance::Pitched); 2];
    (fight.pitched, fight.round, fight.start, fight.lost) = (true, 6, [24, 33], [9, 7 - 1]);
    no_centre(&mut state, Army::AustroRussian);
    state.public.battle = Some(fight.clone());
    state.public.owed = vec![Owed { army: Army::AustroRussian, sp: 1, attrition: None }];
    state.public.asked = Some(Army::AustroRussian);
    let mut small = state.clone();
    small.public.battle = Some(campaign::game::Battle { start: [24, 20 - 1], ..fight });
    act(&mut small, &losses(1, 0), &[]);
    assert!(small.public.critical.is_empty());
    act(&mut state, &losses(1, 0), &[]);
    assert_eq!((state.public.battle.clone(), state.public.walk.clone()), (None, None));
    // The Austro-Russians lost 7, the French 9.
    assert_eq!(state.public.critical, [Army::AustroRussian]);
    for head in ["dokhtourov", "bagration"] {
        assert_eq!(at(&state, head), "1446");
    }
    for (winner, morale) in [(Army::AustroRussian, 1), (Army::French, -1)] {
        let mut state = state.clone();
        state.public.critical = vec![winner];
        only(&mut state, Army::AustroRussian, &["essen-i"]);
        no_centre(&mut state, Army::French);
        at_the_end(&mut state, Army::AustroRussian);
        act(&mut state, &Action::EndForced, &[3, 4, 5]);
        assert_eq!(state.public.morale, morale);
    }
}
