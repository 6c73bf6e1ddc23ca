use kernel::{Centimetres, Whole};
use rulebook::phrase::tabletop_terrain as phrase;

use super::*;
use crate::terrain::testing::told;
use crate::terrain::troops::{Arm, Formation, Troops};

fn fighter(formation: Formation, figures: i32, front: i32, touching: i32) -> Fighter {
    Fighter {
        troops: Troops::new(Arm::Infantry, formation).front(front),
        figures: Whole::new(figures).unwrap(),
        touching: Whole::new(touching).unwrap(),
        followed: false,
        moving: false,
        charging: false,
    }
}

fn fought(place: &Place, n: i32, attacker: &Fighter, defender: &Fighter) -> (Round, Vec<&'static str>) {
    let reached = Reached::Front;
    let melee = Melee { places: std::slice::from_ref(place), round: n, attacker, defender, reached };
    let (fought, said) = told(|clerk| round(&melee, &Options::default(), clerk));
    (fought.unwrap(), said)
}

fn slope(attacker: i32, defender: i32) -> Place {
    Place::Slope(Slope {
        attacker_cm: Centimetres::hundredths(attacker),
        defender_cm: Centimetres::hundredths(defender),
        same_slope: true,
        attacker_whole_front: true,
        defender_whole_front: true,
        attacker_on_slope: true,
    })
}

fn obstacle(class: ObstacleClass) -> Obstacle {
    Obstacle {
        class,
        defender_touches: true,
        attacker_kept_contact: false,
        from_open_side: false,
        defender_caught: false,
        followed_across: None,
    }
}

#[test]
fn te_ex_03_halted_on_a_slope_and_reached_from_below() {
    // The defender has halted and reorganised, so it is formed; the attacker climbs.
    let attacker = fighter(Formation::Line, 12, 12, 12);
    let defender = fighter(Formation::Line, 12, 12, 12);
    let (first, _) = fought(&slope(700, 400), 1, &attacker, &defender);
    assert_eq!((first.defender.state, first.defender.factor), (State::Formed, 2));
    assert_eq!((first.attacker.state, first.attacker.factor), (State::Disorganised, -1));
    let (second, _) = fought(&slope(700, 400), 2, &attacker, &defender);
    for stand in [&second.attacker, &second.defender] {
        assert_eq!((stand.state, stand.factor, stand.fights), (State::Unformed, -2, 12));
    }
    let moving = Fighter { moving: true, ..defender };
    assert_eq!(fought(&slope(700, 400), 1, &attacker, &moving).0.defender.state, State::Disorganised);
}

#[test]
fn te_2_6_09_from_the_second_round_all_figures_fight_on_a_slope() {
    let column = fighter(Formation::CompanyColumn, 12, 3, 3);
    let (second, _) = fought(&slope(700, 400), 2, &column, &column);
    assert_eq!((second.attacker.fights, second.defender.fights), (12, 12));
}

#[test]
fn following_on_a_slope_has_its_bonus() {
    let follower = Fighter { followed: true, ..fighter(Formation::Line, 12, 12, 12) };
    let (second, _) = fought(&slope(700, 400), 2, &follower, &fighter(Formation::Line, 12, 12, 12));
    assert_eq!((second.attacker.factor, second.defender.factor), (0, -2));
}

fn wood(attacker_in: bool) -> Place {
    Place::Wood(Wood { attacker_in, defender_in: true, defender_caught: false })
}

#[test]
fn te_ex_06_unformed_against_skirmishers_in_a_wood() {
    let mut unformed = fighter(Formation::CompanyColumn, 12, 4, 4);
    unformed.troops.state = State::Unformed;
    let open = fighter(Formation::Skirmish, 6, 6, 3);
    let (first, said) = fought(&wood(true), 1, &unformed, &open);
    assert_eq!((first.attacker.fights, first.defender.fights), (4, 4));
    assert_eq!(first.attacker.parts.first(), Some(&Part { what: What::State, value: -2 }));
    assert!(said.contains(&"TE-4.5-05"));
}

#[test]
fn te_ex_42_the_second_round_in_a_wood() {
    let mut battalion = fighter(Formation::Line, 12, 12, 6);
    battalion.troops.state = State::Unformed;
    let open = fighter(Formation::Skirmish, 6, 6, 6);
    let (second, _) = fought(&wood(true), 2, &battalion, &open);
    assert_eq!((second.attacker.state, second.defender.state), (State::Disordered, State::Unformed));
    assert_eq!((second.attacker.cover, second.defender.cover), (MeleeCover::Light, MeleeCover::Light));
    assert_eq!((second.attacker.fights, second.defender.fights), (12, 6));
}

#[test]
fn a_third_round_in_a_wood_drops_nobody_again() {
    let mut battalion = fighter(Formation::Line, 12, 12, 6);
    battalion.troops.state = State::Unformed;
    let (third, _) = fought(&wood(true), 3, &battalion, &battalion);
    assert_eq!(third.attacker.state, State::Unformed);
}

#[test]
fn the_wood_hinders_whoever_fights_into_it() {
    let line = fighter(Formation::Line, 12, 12, 5);
    let outside = fought(&wood(false), 1, &line, &fighter(Formation::Line, 12, 12, 4)).0;
    assert_eq!((outside.attacker.factor, outside.defender.factor), (-1, 0));
    assert_eq!(outside.attacker.fights, 4);
    let inside = fought(&wood(true), 1, &line, &line).0;
    assert_eq!((inside.attacker.factor, inside.defender.factor), (-1, -1));
    let follower = Fighter { followed: true, ..line.clone() };
    let second = fought(&wood(true), 2, &follower, &line).0;
    assert!(second.attacker.parts.contains(&Part { what: What::Following, value: 2 }));
}

#[test]
fn te_ex_56_caught_entering_or_crossing() {
    let defender = fighter(Formation::Line, 12, 12, 4);
    let hedge = Place::Obstacle(Obstacle { defender_caught: true, ..obstacle(ObstacleClass::Light) });
    let edge = Place::Wood(Wood { attacker_in: false, defender_in: true, defender_caught: true });
    for place in [&edge, &hedge] {
        for (arm, charging, state) in [
            (Arm::Infantry, true, State::Unformed),
            (Arm::Infantry, false, State::Unformed),
            (Arm::Cavalry, false, State::Unformed),
            (Arm::Cavalry, true, State::Disordered),
        ] {
            let mut attacker = Fighter { charging, ..fighter(Formation::Line, 12, 12, 4) };
            attacker.troops.arm = arm;
            let (first, _) = fought(place, 1, &attacker, &defender);
            assert_eq!(first.defender.state, state);
            assert_eq!((first.defender.cover, first.defender.fights), (MeleeCover::None, 4));
        }
    }
}

#[test]
fn te_ex_32_six_against_five_across_an_obstacle() {
    let (first, _) = fought(
        &Place::Obstacle(obstacle(ObstacleClass::Light)),
        1,
        &fighter(Formation::Line, 12, 6, 6),
        &fighter(Formation::Line, 5, 5, 5),
    );
    assert_eq!((first.attacker.fights, first.defender.fights), (5, 5));
    assert_eq!((first.attacker.factor, first.defender.factor), (-1, 0));
}

#[test]
fn covers_at_obstacles_round_by_round() {
    let line = fighter(Formation::Line, 12, 6, 6);
    let factors = |class, n, kept| {
        let place = Place::Obstacle(Obstacle { attacker_kept_contact: kept, ..obstacle(class) });
        let (round, _) = fought(&place, n, &line, &line);
        (round.attacker.factor, round.defender.factor)
    };
    assert_eq!(factors(ObstacleClass::Hard, 1, false), (-2, 0));
    assert_eq!(factors(ObstacleClass::Hard, 2, true), (-2, -2));
    assert_eq!(factors(ObstacleClass::Hard, 2, false), (-2, 0));
    assert_eq!(factors(ObstacleClass::RedoubtFace, 1, false), (-3, 0));
    assert_eq!(factors(ObstacleClass::RedoubtFace, 2, true), (-3, 0));
    let apart = Place::Obstacle(Obstacle { defender_touches: false, ..obstacle(ObstacleClass::Hard) });
    let (round, said) = fought(&apart, 1, &line, &line);
    assert_eq!((round.attacker.factor, said.contains(&"TE-8.6-07")), (0, true));
}

#[test]
fn te_ex_34_a_division_column_follows_across_a_hedge() {
    let mut column = fighter(Formation::DivisionColumn, 12, 4, 4);
    column.troops = column.troops.ranks(3);
    let across = |ranks| {
        let place = Place::Obstacle(Obstacle {
            followed_across: Some(FollowedAcross {
                attacker: true,
                ranks_across: Whole::new(ranks).unwrap(),
            }),
            ..obstacle(ObstacleClass::Light)
        });
        fought(&place, 2, &column, &fighter(Formation::Line, 12, 12, 12)).0.attacker
    };
    assert_eq!(across(1).state, State::Unformed);
    assert_eq!(across(3).state, State::Disorganised);
    assert_eq!(across(1).fights, 12);
}

#[test]
fn a_stream_is_below_and_a_unit_pushed_into_it_is_unformed() {
    let line = fighter(Formation::Line, 12, 12, 12);
    let water = |attacker_in, defender_in, defender_pushed_in| {
        Place::Water(Water { attacker_in, defender_in, attacker_pushed_in: false, defender_pushed_in })
    };
    let (first, said) = fought(&water(true, false, false), 1, &line, &line);
    assert_eq!((first.attacker.state, first.defender.state), (State::Disorganised, State::Formed));
    assert_eq!((first.attacker.factor, first.defender.factor), (-1, 2));
    assert!(said.contains(&"TE-R65") && said.contains(&"TE-6.2-02"));
    let (both, _) = fought(&water(true, true, false), 1, &line, &line);
    assert_eq!((both.attacker.factor, both.defender.factor), (-1, -1));
    let follower = Fighter { followed: true, ..line.clone() };
    let thrown_back =
        Water { attacker_in: true, defender_in: false, attacker_pushed_in: true, defender_pushed_in: false };
    let (other, _) = fought(&Place::Water(thrown_back), 2, &line, &follower);
    assert_eq!((other.attacker.factor, other.defender.factor), (-2, 0), "the same for an attacker");
    let (second, _) = fought(&water(false, true, true), 2, &follower, &line);
    assert_eq!((second.attacker.state, second.defender.state), (State::Unformed, State::Unformed));
    assert_eq!((second.attacker.factor, second.defender.factor), (0, -2));
}

#[test]
fn whoever_follows_in_the_open_has_the_bonus() {
    let line = fighter(Formation::Line, 12, 12, 12);
    let follower = Fighter { followed: true, ..line.clone() };
    let factors = |attacker: &Fighter, defender: &Fighter| {
        let (round, _) = fought(&Place::Open, 2, attacker, defender);
        (round.attacker.factor, round.defender.factor)
    };
    assert_eq!((factors(&follower, &line), factors(&line, &follower)), ((2, 0), (0, 2)));
}

#[test]
fn skirmishers_keep_their_order_on_a_slope_and_over_a_wall_where_the_options_say_so() {
    let line = fighter(Formation::Line, 12, 12, 12);
    let open = fighter(Formation::Skirmish, 6, 6, 6);
    let state = |place: &Place, n: i32, options: &Options| {
        let melee = Melee {
            places: std::slice::from_ref(place),
            round: n,
            attacker: &open,
            defender: &line,
            reached: Reached::Front,
        };
        told(|clerk| round(&melee, options, clerk)).0.unwrap().attacker.state
    };
    let mut options = Options::default();
    assert_eq!(state(&slope(700, 400), 1, &options), State::Formed);
    options.skirmishers_on_bare_slope = SkirmishersOnBareSlope::Disorganised;
    assert_eq!(state(&slope(700, 400), 1, &options), State::Disorganised);
    let across = FollowedAcross { attacker: true, ranks_across: Whole::new(1).unwrap() };
    let wall = Place::Obstacle(Obstacle { followed_across: Some(across), ..obstacle(ObstacleClass::Hard) });
    assert_eq!(state(&wall, 2, &options), State::Unformed);
    options.skirmishers_elsewhere = SkirmishersElsewhere::StayFormed;
    assert_eq!(state(&wall, 2, &options), State::Formed);
}

#[test]
fn roads_bridges_and_trees() {
    let line = fighter(Formation::CompanyColumn, 12, 3, 3);
    let road = Road {
        room_to_deploy: true,
        tree_lined: false,
        bridge: false,
        attacker_on_bridge: false,
        attacker_between_trees: false,
        flank: false,
    };
    let state = |road, n| fought(&Place::Road(road), n, &line, &line).0.defender.state;
    assert_eq!(state(road, 2), State::Formed);
    assert_eq!(state(Road { room_to_deploy: false, ..road }, 2), State::Unformed);
    assert_eq!(state(Road { bridge: true, ..road }, 2), State::Unformed);
    assert_eq!(state(Road { bridge: true, ..road }, 1), State::Formed);
    let from_bridge = Place::Road(Road { attacker_on_bridge: true, ..road });
    let (second, _) = fought(&from_bridge, 2, &line, &line);
    assert_eq!((second.attacker.state, second.defender.state), (State::Unformed, State::Formed));
    let flank = Place::Road(Road { tree_lined: true, flank: true, ..road });
    let (first, _) = fought(&flank, 1, &line, &line);
    assert_eq!((first.attacker.state, first.attacker.factor), (State::Unformed, 1));
}

#[test]
fn abandoned_guns_shelter_their_holder() {
    let line = fighter(Formation::Line, 12, 6, 6);
    let guns = Place::AbandonedBattery(Battery { defender_holds: true, attacker_touches: true });
    let factors = |n| {
        let (round, _) = fought(&guns, n, &line, &line);
        (round.attacker.factor, round.defender.factor)
    };
    assert_eq!((factors(1), factors(2)), ((-1, 0), (-1, -1)));
}

#[test]
fn in_the_open_the_wider_front_overlaps() {
    let wide = fighter(Formation::Line, 12, 12, 6);
    let narrow = fighter(Formation::DivisionColumn, 12, 6, 6);
    let (first, _) = fought(&Place::Open, 1, &wide, &narrow);
    assert_eq!((first.attacker.fights, first.defender.fights), (8, 6));
    let (second, _) = fought(&Place::Open, 2, &wide, &narrow);
    assert_eq!((second.attacker.fights, second.defender.fights), (12, 12));
}

#[test]
fn on_a_wooded_slope_the_trees_and_the_height_both_count() {
    let line = fighter(Formation::Line, 12, 12, 12);
    let both = [slope(700, 400), wood(true)];
    let other_way_round = [both[1].clone(), both[0].clone()];
    let on = |places: &[Place], n: i32| {
        let melee = Melee { places, round: n, attacker: &line, defender: &line, reached: Reached::Front };
        told(|clerk| round(&melee, &Options::default(), clerk)).0.unwrap()
    };
    let first = on(&both, 1);
    assert_eq!((first.attacker.cover, first.defender.cover), (MeleeCover::Light, MeleeCover::Light));
    // Above on the slope, the enemy in light shelter; below, disorganised by the climb as well.
    assert_eq!((first.defender.factor, first.attacker.factor), (1, -2));
    let second = on(&both, 2);
    assert_eq!((second.attacker.state, second.attacker.cover), (State::Unformed, MeleeCover::Light));
    for n in 1..=3 {
        assert_eq!(on(&both, n), on(&other_way_round, n));
    }
}

#[test]
fn a_front_that_nobody_said_is_derived_or_asked_for() {
    let unsaid = |formation: Formation, ranks: Option<i32>| {
        let mut fighter = fighter(formation, 12, 1, 4);
        fighter.troops.front = None;
        fighter.troops.ranks = ranks.and_then(Whole::new);
        fighter
    };
    let open = fighter(Formation::Skirmish, 6, 6, 3);
    let fights = |attacker: &Fighter| {
        let place = [wood(true)];
        let melee = Melee { places: &place, round: 1, attacker, defender: &open, reached: Reached::Front };
        told(|clerk| round(&melee, &Options::default(), clerk)).0.map(|round| round.attacker.fights)
    };
    assert_eq!(fights(&unsaid(Formation::Line, None)), Ok(6), "a line has all its figures in front");
    assert_eq!(fights(&unsaid(Formation::CompanyColumn, Some(3))), Ok(4), "twelve in three ranks");
    let needed = fights(&unsaid(Formation::CompanyColumn, None)).unwrap_err();
    assert_eq!(
        (needed.field.as_deref(), needed.reason),
        (Some("attacker.troops.front"), phrase::FRONT_NEEDED)
    );
}
