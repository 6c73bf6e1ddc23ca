use super::*;
use crate::terrain::testing::told;
use crate::terrain::troops::Arm;
use kernel::RuleId;
use proptest::prelude::*;
use rulebook::options::tabletop as choice;

fn column() -> Troops {
    Troops::new(Arm::Infantry, Formation::CompanyColumn).front(3).ranks(1)
}

fn open() -> Troops {
    Troops::new(Arm::Infantry, Formation::Skirmish).front(3)
}

fn cm(hundredths: i32) -> Centimetres {
    Centimetres::hundredths(hundredths)
}

fn stretch(hundredths: i32, ground: &[Ground]) -> Stretch {
    Stretch::new(cm(hundredths), ground)
}

fn road(hundredths: i32, ground: &[Ground]) -> Stretch {
    Stretch { on_road: true, ..stretch(hundredths, ground) }
}

fn with(
    troops: &Troops,
    half: i32,
    pace: Pace,
    quarters: i32,
    way: &[Stretch],
    options: &Options,
) -> Verdict<Marched> {
    let march = March {
        troops,
        half_period: cm(half),
        pace,
        quarters,
        way,
        road_bonus: true,
        charge_bonus: cm(400),
        loosened: None,
    };
    told(|clerk| super::march(&march, options, clerk)).0
}

fn went(troops: &Troops, way: &[Stretch]) -> Marched {
    with(troops, 900, Pace::Normal, 2, way, &Options::default()).unwrap()
}

fn refused(troops: &Troops, ground: &[Ground]) -> Option<RuleId> {
    with(troops, 900, Pace::Normal, 2, &[stretch(3000, ground)], &Options::default())
        .err()
        .and_then(|refusal| refusal.rule)
}

#[test]
fn te_ex_04_into_and_through_a_wood() {
    let inside = went(&column(), &[stretch(3000, &[Ground::Wood])]);
    assert_eq!((inside.distance_cm, inside.state), (cm(450), State::Unformed));
    let reached = went(&column(), &[stretch(200, &[]), stretch(3000, &[Ground::Wood])]);
    assert_eq!(reached.distance_cm, cm(550));
    assert_eq!(reached.costs.last().map(|cost| (cost.distance_cm, cost.spent_cm)), Some((cm(350), cm(700))));
}

#[test]
fn te_ex_27_a_column_joins_a_road() {
    // The last rank comes onto the road in the first quarter: no bonus before the second.
    let marched = went(&column(), &[stretch(300, &[]), road(3000, &[Ground::Road])]);
    assert_eq!(marched.quarters_cm, [cm(450), cm(500)]);
}

#[test]
fn te_ex_40_rates_in_a_half_period() {
    use Ground::{Ford, HillSlope, PloughedLand, Vineyard, Wood};
    let distance = |troops: &Troops, ground: &[Ground]| went(troops, &[stretch(3000, ground)]).distance_cm;
    assert_eq!(distance(&column(), &[HillSlope]), cm(450));
    assert_eq!(distance(&column(), &[HillSlope, Wood]), cm(225));
    assert_eq!(distance(&open(), &[HillSlope, Vineyard]), cm(225));
    assert_eq!(distance(&column(), &[PloughedLand]), cm(450));
    assert_eq!(distance(&column(), &[HillSlope, PloughedLand]), cm(225));
    assert_eq!(distance(&column(), &[Ford]), cm(225));
}

#[test]
fn te_ex_48_states_after_crossing() {
    let options = Options::default();
    let over = |troops: &Troops, way: &[Stretch]| {
        with(troops, 1600, Pace::Normal, 2, way, &options).map(|marched| marched.state)
    };
    let hedge = |class| [stretch(100, &[]), Stretch { obstacle: Some(class), ..stretch(3000, &[]) }];
    let cavalry = Troops::new(Arm::Cavalry, Formation::Line);
    assert_eq!(over(&column(), &hedge(ObstacleClass::Light)), Ok(State::Disorganised));
    assert_eq!(over(&cavalry, &hedge(ObstacleClass::Light)), Ok(State::Unformed));
    assert_eq!(over(&column(), &hedge(ObstacleClass::Hard)), Ok(State::Unformed));
    let through = |ground| [stretch(200, &[ground]), stretch(3000, &[])];
    assert_eq!(over(&cavalry, &through(Ground::Stream)), Ok(State::Disorganised));
    assert_eq!(over(&column(), &through(Ground::AbandonedBattery)), Ok(State::Unformed));
    assert_eq!(over(&open(), &through(Ground::AbandonedBattery)), Ok(State::Formed));
}

#[test]
fn te_ex_51_who_may_enter_or_cross() {
    let foot_guns = Troops::new(Arm::FootArtillery, Formation::Limbered);
    let horse_guns = Troops::new(Arm::HorseArtillery, Formation::Limbered);
    let cavalry = Troops::new(Arm::Cavalry, Formation::Column).front(2);
    assert_eq!(refused(&foot_guns, &[Ground::Stream]), Some(rule!(TE_6_2_01)));
    assert_eq!(refused(&horse_guns, &[Ground::Stream]), None);
    assert_eq!(refused(&cavalry, &[Ground::Wood]), Some(rule!(TE_4_3_01)));
    assert_eq!(refused(&cavalry, &[Ground::TallCrops]), None);
    assert_eq!(refused(&foot_guns, &[Ground::TallCrops]), Some(rule!(TE_9_2_01)));
    assert_eq!(cross::may_cross(ObstacleClass::Light, &foot_guns).unwrap_err().rule, Some(rule!(TE_8_4_01)));
    assert_eq!(cross::may_cross(ObstacleClass::Hard, &cavalry).unwrap_err().rule, Some(rule!(TE_8_4_06)));
    assert_eq!(refused(&horse_guns, &[Ground::Ford]), Some(rule!(TE_6_3_06)));
    for troops in [&column(), &open(), &cavalry, &foot_guns, &horse_guns] {
        assert_eq!(refused(troops, &[Ground::Marsh]), Some(rule!(TE_6_5_01)));
    }
    assert_eq!(refused(&cavalry, &[Ground::AbandonedBattery]), None);
    assert_eq!(refused(&foot_guns, &[Ground::AbandonedBattery]), Some(rule!(TE_9_3_04)));
}

#[test]
fn te_ex_57_a_limbered_battery_on_its_way() {
    let twelve = Troops::new(Arm::FootArtillery, Formation::Limbered);
    let way = [road(3000, &[Ground::Road])];
    let marched = with(&twelve, 700, Pace::Normal, 2, &way, &Options::default()).unwrap();
    assert_eq!((marched.distance_cm, marched.quarters_cm), (cm(800), vec![cm(400), cm(400)]));
}

#[test]
fn te_ex_30_march() {
    let deep = column().ranks(6);
    let way = [stretch(0, &[]), Stretch { obstacle: Some(ObstacleClass::Light), ..stretch(3000, &[]) }];
    let ranks = |quarters| {
        with(&deep, 900, Pace::Normal, quarters, &way, &Options::default())
            .unwrap()
            .costs
            .last()
            .and_then(|cost| cost.ranks_across)
    };
    assert_eq!([ranks(2), ranks(4), ranks(6)], [Some(2), Some(4), Some(6)]);
}

#[test]
fn impassable_grounds_name_their_rule() {
    assert_eq!(refused(&column(), &[Ground::House]), Some(rule!(TE_5_2_01)));
    assert_eq!(refused(&column(), &[Ground::River]), Some(rule!(TE_6_3_01)));
    assert_eq!(refused(&column(), &[Ground::LargeRiver]), Some(rule!(TE_6_4_01)));
    assert_eq!(refused(&column(), &[Ground::Mountain]), Some(rule!(TE_1_1_08)));
    let guns = Troops::new(Arm::FootArtillery, Formation::Limbered);
    assert_eq!(refused(&guns, &[Ground::HillSlope, Ground::TallCrops]), Some(rule!(TE_2_4_10)));
    let cavalry = Troops::new(Arm::Cavalry, Formation::Line);
    assert_eq!(refused(&cavalry, &[Ground::HillSlope, Ground::Wood]), Some(rule!(TE_R23)));
}

#[test]
fn a_bridge_is_a_road_over_water() {
    let marched = went(&column(), &[road(3000, &[Ground::Bridge, Ground::River])]);
    assert_eq!((marched.distance_cm, marched.state), (cm(1000), State::Formed));
    let wide = column().front(4);
    let way = [stretch(3000, &[Ground::Bridge, Ground::River])];
    assert_eq!(
        with(&wide, 900, Pace::Normal, 2, &way, &Options::default()).unwrap_err().rule,
        Some(rule!(TE_R67))
    );
    // A road that fords a stream keeps the stream's rules.
    let wet = went(&column(), &[road(3000, &[Ground::Road, Ground::Stream])]);
    assert_eq!((wet.distance_cm, wet.state), (cm(450), State::Disorganised));
}

#[test]
fn a_road_cancels_the_ground_it_goes_through() {
    let marched = went(&column(), &[road(3000, &[Ground::Road, Ground::Wood, Ground::HillSlope])]);
    assert_eq!((marched.distance_cm, marched.state), (cm(1000), State::Formed));
    let wide = went(&column().front(4), &[road(3000, &[Ground::Road])]);
    assert_eq!(wide.distance_cm, cm(900));
}

#[test]
fn tracks_keep_the_pace_and_lose_the_order() {
    let track = went(&column(), &[stretch(3000, &[Ground::Wood, Ground::ForestTrack])]);
    assert_eq!((track.distance_cm, track.state), (cm(900), State::Unformed));
    let ride = went(&column().front(2), &[stretch(3000, &[Ground::Wood, Ground::Ride])]);
    assert_eq!(ride.state, State::Formed);
    assert_eq!(went(&column(), &[stretch(3000, &[Ground::Wood, Ground::Ride])]).state, State::Unformed);
    let horse = Troops::new(Arm::Cavalry, Formation::Column).front(2);
    assert_eq!(refused(&horse, &[Ground::Wood, Ground::ForestTrack]), None);
    let options = Options { forest_track_arms: choice::ForestTrackArms::InfantryOnly, ..Options::default() };
    let way = [stretch(3000, &[Ground::Wood, Ground::ForestTrack])];
    assert_eq!(with(&horse, 1600, Pace::Normal, 2, &way, &options).unwrap_err().rule, Some(rule!(TE_R34)));
}

#[test]
fn skirmishers_and_ground() {
    for (ground, half, state) in [
        (Ground::Wood, 600, State::Formed),
        (Ground::HillSlope, 600, State::Formed),
        (Ground::TallCrops, 600, State::Formed),
        (Ground::PloughedLand, 600, State::Formed),
        (Ground::Stream, 600, State::Disorganised),
    ] {
        let way = [stretch(3000, &[ground])];
        let marched = with(&open(), 1200, Pace::Normal, 2, &way, &Options::default()).unwrap();
        assert_eq!((marched.distance_cm, marched.state), (cm(half), state), "{ground:?}");
    }
    let options = Options {
        skirmishers_on_bare_slope: choice::SkirmishersOnBareSlope::Disorganised,
        skirmishers_elsewhere: choice::SkirmishersElsewhere::StayFormed,
        ..Options::default()
    };
    let state =
        |ground| with(&open(), 1200, Pace::Normal, 2, &[stretch(3000, &[ground])], &options).unwrap().state;
    assert_eq!(state(Ground::HillSlope), State::Disorganised);
    assert_eq!(state(Ground::Stream), State::Formed);
}

#[test]
fn ditches_and_vineyards_are_what_the_table_agreed() {
    let mut options = Options::default();
    let goes = |ground, options: &Options| {
        with(&column(), 900, Pace::Normal, 2, &[stretch(3000, &[ground])], options).unwrap().distance_cm
    };
    assert_eq!(goes(Ground::Ditch, &options), cm(450));
    assert_eq!(goes(Ground::Vineyard, &options), cm(450));
    options.ditch = Ditch::AsLightObstacle;
    options.flat_vineyard = choice::FlatVineyard::AsPlain;
    // A hedge: three quarters of 9.
    assert_eq!(goes(Ground::Ditch, &options), cm(675));
    assert_eq!(goes(Ground::Vineyard, &options), cm(900));
}

#[test]
fn order_comes_back_by_itself_only_with_the_option() {
    let way = [stretch(200, &[Ground::Stream]), stretch(3000, &[])];
    let mut options = Options::default();
    let state = |options: &Options| with(&column(), 900, Pace::Normal, 2, &way, options).unwrap().state;
    assert_eq!(state(&options), State::Disorganised);
    options.degradation_ends = choice::DegradationEnds::AutomaticOnExit;
    assert_eq!(state(&options), State::Formed);
}

#[test]
fn forced_marches_backward_steps_and_bad_order() {
    let options = Options::default();
    let forced = |ground: &[Ground]| {
        with(&column(), 1350, Pace::Forced, 2, &[stretch(3000, ground)], &options).unwrap()
    };
    assert_eq!(forced(&[]).state, State::Unformed);
    assert_eq!(forced(&[Ground::HillSlope]).state, State::Disordered);
    let slope = [stretch(3000, &[Ground::HillSlope])];
    let refusal = with(&column(), 900, Pace::Backward, 2, &slope, &options).unwrap_err();
    assert_eq!(refusal.rule, Some(rule!(TE_2_4_07)));
    let back = with(&column(), 900, Pace::Backward, 2, &[stretch(3000, &[])], &options).unwrap();
    assert_eq!(back.distance_cm, cm(450));
    let loose = column().in_state(State::Unformed);
    assert_eq!(refused(&loose, &[]), Some(rule!(TE_5_2_05)));
    assert_eq!(refused(&loose, &[Ground::Wood]), None);
}

#[test]
fn a_charge_runs_straight_to_contact_and_not_through_ground() {
    let options = Options::default();
    let charge =
        |way: &[Stretch]| with(&column(), 900, Pace::Charge, 2, way, &options).map(|m| m.arrival_quarter);
    assert_eq!(charge(&[stretch(600, &[])]), Ok(Some(1)));
    assert_eq!(charge(&[stretch(1200, &[])]), Ok(Some(2)));
    // 8.9 cm on a road: 4.5 + 4 + 0.4 rounded to 0.5.
    assert_eq!(charge(&[road(850, &[Ground::Road])]), Ok(Some(1)));
    assert_eq!(charge(&[stretch(600, &[Ground::PloughedLand])]).unwrap_err().rule, Some(rule!(TE_9_2_12)));
    let hedge = [stretch(0, &[]), Stretch { obstacle: Some(ObstacleClass::Light), ..stretch(600, &[]) }];
    assert_eq!(charge(&hedge).unwrap_err().rule, Some(rule!(TE_8_6_02)));
}

#[test]
fn a_plateau_slows_on_its_slope_and_one_straggler_slows_all() {
    let way = [
        Stretch { partly: true, ..stretch(200, &[Ground::PlateauSlope, Ground::PlateauTop]) },
        stretch(3000, &[Ground::PlateauTop]),
    ];
    let marched = went(&column(), &way);
    assert_eq!(marched.distance_cm, cm(700));
    assert_eq!(marched.state, State::Disorganised);
}

#[test]
fn leaving_a_tree_lined_road() {
    let leave = |how| {
        let way = [Stretch { leaves_trees: Some(how), ..stretch(3000, &[]) }];
        went(&column(), &way).state
    };
    assert_eq!(leave(LeavesTrees::BetweenTrees), State::Unformed);
    assert_eq!(leave(LeavesTrees::ByGap), State::Formed);
}

#[test]
fn crossing_by_ranks_or_in_one_flow() {
    let deep = column().ranks(6);
    let way = [stretch(0, &[]), Stretch { obstacle: Some(ObstacleClass::Hard), ..stretch(3000, &[]) }];
    let mut options = Options::default();
    let by_rank = with(&deep, 900, Pace::Normal, 8, &way, &options).unwrap();
    assert_eq!(by_rank.distance_cm, cm(1000));
    options.linear_crossing = LinearCrossing::Continuous;
    // 15 cm at half speed need 30 of the 36 cm of four half-periods; 6 are left beyond.
    let flow = with(&deep, 900, Pace::Normal, 8, &way, &options).unwrap();
    assert_eq!(flow.distance_cm, cm(2100));
}

#[test]
fn rates_come_from_the_tables() {
    assert_eq!(rate(&column(), RateClass::A, Pace::Normal), Ok(cm(900)));
    assert_eq!(rate(&column().front(7), RateClass::A, Pace::Normal), Ok(cm(600)));
    assert_eq!(rate(&column(), RateClass::A, Pace::Forced), Ok(cm(1350)));
    assert_eq!(
        rate_named(&column(), "light", Pace::Normal).unwrap_err().field.as_deref(),
        Some("body.class")
    );
    assert_eq!(charge_distance(&column(), None), cm(400));
    assert_eq!(
        charge_distance(&Troops::new(Arm::Cavalry, Formation::Line), Some(ChargeType::Heavy)),
        cm(600)
    );
}

fn any_ground() -> impl Strategy<Value = Vec<Ground>> {
    prop::collection::vec(
        prop::sample::select(vec![
            Ground::HillSlope,
            Ground::PloughedLand,
            Ground::TallCrops,
            Ground::Stream,
            Ground::PlateauTop,
        ]),
        0..3,
    )
}

fn any_stretch() -> impl Strategy<Value = Stretch> {
    use Ground::*;
    let grounds = vec![
        Plain,
        HillSlope,
        HillCrest,
        PlateauSlope,
        PlateauTop,
        Wood,
        Clearing,
        ForestTrack,
        Ride,
        House,
        Street,
        Stream,
        Ditch,
        River,
        LargeRiver,
        Bridge,
        Ford,
        Marsh,
        Road,
        TreeLinedRoad,
        Redoubt,
        TallCrops,
        Vineyard,
        PloughedLand,
        AbandonedBattery,
        Mountain,
    ];
    let classes = vec![
        None,
        Some(ObstacleClass::Light),
        Some(ObstacleClass::Hard),
        Some(ObstacleClass::RedoubtFace),
        Some(ObstacleClass::HardForGood),
    ];
    (
        0..100_000_i32,
        prop::collection::vec(prop::sample::select(grounds), 0..6),
        any::<bool>(),
        prop::sample::select(classes),
        0..99_i32,
    )
        .prop_map(|(length, ground, on_road, obstacle, across)| Stretch {
            on_road,
            partly: length % 2 == 0,
            obstacle,
            ranks_across: Whole::new(across).unwrap(),
            leaves_trees: (length % 7 == 0).then_some(LeavesTrees::BetweenTrees),
            bridge_width_cm: (length % 5 == 0).then_some(cm(300)),
            ..stretch(length, &ground)
        })
}

fn any_troops() -> impl Strategy<Value = Troops> {
    use Formation::*;
    let arms = vec![Arm::Infantry, Arm::Cavalry, Arm::FootArtillery, Arm::HorseArtillery];
    let formations = vec![CompanyColumn, DivisionColumn, Line, HollowSquare, Skirmish, Column, Limbered];
    let states = vec![State::Formed, State::Disorganised, State::Unformed, State::Disordered];
    (
        prop::sample::select(arms),
        prop::sample::select(formations),
        prop::sample::select(states),
        1..999_i32,
        1..99_i32,
    )
        .prop_map(|(arm, formation, state, front, ranks)| {
            Troops::new(arm, formation).front(front).ranks(ranks).in_state(state)
        })
}

proptest! {
    #[test]
    fn no_way_breaks_a_march(
        troops in any_troops(),
        way in prop::collection::vec(any_stretch(), 1..6),
        half in 0..100_000_i32,
        quarters in 1..40_i32,
        pace in prop::sample::select(vec![Pace::Normal, Pace::Forced, Pace::Backward, Pace::Charge]),
        flow in any::<bool>(),
    ) {
        let linear_crossing = if flow { LinearCrossing::Continuous } else { LinearCrossing::ByRank };
        let options = Options { linear_crossing, ..Options::default() };
        if let Ok(marched) = with(&troops, half, pace, quarters, &way, &options) {
            let whole: i32 = way.iter().map(|stretch| stretch.cm.count()).sum();
            prop_assert!(marched.distance_cm.count() <= whole);
            prop_assert_eq!(marched.quarters_cm.len(), usize::try_from(quarters).unwrap());
            prop_assert!(marched.state >= troops.state);
        }
    }

    #[test]
    fn ground_never_speeds_a_body_up(
        ground in any_ground(), length in 0..4000_i32, half in 0..3000_i32, quarters in 1..8_i32,
    ) {
        let way = [stretch(length, &ground)];
        let plain = [stretch(length, &[])];
        let options = Options::default();
        let hindered = with(&column(), half, Pace::Normal, quarters, &way, &options).unwrap();
        let free = with(&column(), half, Pace::Normal, quarters, &plain, &options).unwrap();
        prop_assert!(hindered.distance_cm <= free.distance_cm);
        prop_assert!(hindered.distance_cm.count() <= length);
        prop_assert_eq!(hindered.quarters_cm.iter().map(|cm| cm.count()).sum::<i32>(), hindered.distance_cm.count());
    }

    #[test]
    fn more_quarters_never_carry_less_far(ground in any_ground(), length in 0..4000_i32, quarters in 1..8_i32) {
        let way = [stretch(length / 2, &ground), stretch(length, &[])];
        let options = Options::default();
        let sooner = with(&column(), 900, Pace::Normal, quarters, &way, &options).unwrap();
        let later = with(&column(), 900, Pace::Normal, quarters + 1, &way, &options).unwrap();
        prop_assert!(sooner.distance_cm <= later.distance_cm);
    }
}
