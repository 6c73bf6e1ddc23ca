//! `cargo bench -p glacis-campaign`: the odds of a whole battle and the reach of a formation.

use campaign::battle::{Battle, Force, Points, Retreat, Stance, Stances};
use campaign::map::{HexId, map};
use campaign::routes::Field;
use campaign::terms::{Arm, Crossing, Game, Ground, Hex, Side, Weather};
use divan::{Bencher, black_box};
use kernel::MovementPoints;
use rulebook::Lang;

fn main() {
    // The map is read once, before the clock starts.
    assert!(map().faults().is_empty());
    divan::main();
}

fn battle(rounds: Vec<Stances>) -> Battle {
    let force = |infantry, cavalry, artillery, initiative, bonus| Force {
        points: Points { infantry, cavalry, artillery },
        initiative,
        bonus,
        ..Force::default()
    };
    Battle {
        forces: [force(31, 8, 5, 5, 2), force(24, 5, 6, 2, 1)],
        hex: Hex::Hill,
        ground: Ground::Clear,
        attacker_hex: Hex::Clear,
        attacker_ground: Ground::Clear,
        side: Side::SecondaryRiver,
        weather: Weather::Snow,
        fog: false,
        rounds,
        shift: 0,
        after_failed_repulse: false,
        declines: false,
        stops_after: None,
        negotiations: false,
        pursue: true,
        retreat: Retreat {
            crossing: Crossing::SecondaryRiver,
            followed: true,
            through_ezoc: false,
            blocked: 0,
        },
        game: Game::Campaign,
    }
}

/// Artillery of both sides, combat, pursuit.
#[divan::bench]
fn odds_of_a_battle(bencher: Bencher<'_, '_>) {
    let battle = battle(Vec::new());
    let options = Default::default();
    bencher.bench(|| black_box(&battle).odds(&options).map(|battle| battle.odds.counts().len()));
}

/// Two pitched rounds, then a pursuit battle.
#[divan::bench]
fn odds_of_three_rounds(bencher: Bencher<'_, '_>) {
    let pitched = Stances { attacker: Stance::Pitched, defender: Stance::Pitched };
    let last = Stances { attacker: Stance::Pursuit, defender: Stance::Pitched };
    let battle = battle(vec![pitched, pitched, last]);
    let options = Default::default();
    bencher.bench(|| black_box(&battle).odds(&options).map(|battle| battle.odds.counts().len()));
}

/// The same battle as a question, text in and text out, every reason collected on every path.
#[divan::bench]
fn battle_asked_without_dice(bencher: Bencher<'_, '_>) {
    let questions = campaign::questions();
    let asking = questions.iter().find(|asking| asking.name == "campaign.battle");
    let request = r#"{"attacker": {"infantry": 31, "cavalry": 8, "artillery": 5, "initiative": 5, "bonus": 2},
        "defender": {"infantry": 24, "cavalry": 5, "artillery": 6, "initiative": 2, "bonus": 1},
        "hex": "hill", "side": "secondary-river", "weather": "snow"}"#;
    bencher.bench(|| asking.map(|asking| asking.ask(black_box(request), Lang::En).json.len()));
}

#[divan::bench(args = [Arm::Infantry, Arm::Cavalry])]
fn reach(bencher: Bencher<'_, '_>, arm: Arm) {
    let options = Default::default();
    let most = MovementPoints::whole(if arm == Arm::Cavalry { 9 } else { 6 });
    bencher.bench(|| {
        HexId::read("1822").map(|start| {
            let field = Field::new(map(), Weather::Clear, Game::Campaign, &[], &[], &options);
            field.reach(arm, black_box(start), most).len()
        })
    });
}

/// The whole map: more MP than any formation has.
#[divan::bench]
fn reach_map_wide(bencher: Bencher<'_, '_>) {
    let options = Default::default();
    bencher.bench(|| {
        HexId::read("1822").map(|start| {
            let field = Field::new(map(), Weather::Clear, Game::Campaign, &[], &[], &options);
            field.reach(Arm::Infantry, black_box(start), MovementPoints::whole(200)).len()
        })
    });
}

#[divan::bench]
fn reach_mixed(bencher: Bencher<'_, '_>) {
    let options = Default::default();
    bencher.bench(|| {
        HexId::read("1822").map(|start| {
            let field = Field::new(map(), Weather::Clear, Game::Campaign, &[], &[], &options);
            field.reach_mixed(black_box(start), MovementPoints::whole(6), MovementPoints::whole(9)).len()
        })
    });
}
