//! The quick ways of the searches against the slow ones: the chart laid over the map against the chart read step by
//! step, and lines searched from their ends against lines walked one by one.

use campaign::routes::{Enemy, Field};
use campaign::terms::{Arm, Game, Weather};
use campaign::{HexId, map};
use kernel::{Desk, Live, MovementPoints, Scripted, Silent};

fn somewhere(dice: &mut Live) -> HexId {
    let cells = map().cells();
    loop {
        let cell = &cells[dice.below(u32::try_from(cells.len()).unwrap()) as usize];
        if cell.in_play {
            return cell.id;
        }
    }
}

fn enemies(dice: &mut Live) -> Vec<Enemy> {
    let one = |dice: &mut Live| Enemy {
        hex: somewhere(dice),
        sp: i64::from(dice.below(4) + 1) * 100,
        cavalry: dice.below(2) == 0,
        foraging: dice.below(4) == 0,
    };
    let mut list: Vec<Enemy> = (0..12).map(|_| one(dice)).collect();
    list.sort_by_key(|enemy| enemy.hex);
    list.dedup_by_key(|enemy| enemy.hex);
    list
}

#[test]
fn a_pace_is_a_step() {
    let options = Default::default();
    for (number, weather) in (0..).zip([Weather::Clear, Weather::Snow, Weather::Mud]) {
        let mut dice = Live::numbered(number);
        let enemies = enemies(&mut dice);
        let field = Field::new(map(), weather, Game::Campaign, &enemies, &[], &options);
        for cell in map().cells().iter().filter(|cell| cell.in_play) {
            for (arm, direction) in
                [Arm::Infantry, Arm::Cavalry].into_iter().flat_map(|arm| (0..6).map(move |d| (arm, d)))
            {
                let mut desk = Desk::new(Scripted::new(&[]), Silent);
                let step = field.step(arm, cell.id, direction, &mut desk).ok().flatten();
                let pace =
                    field.pace(arm, cell.id, direction).map(|cost| MovementPoints::halves(cost.into()));
                assert_eq!(pace, step, "{} {direction} {arm:?} {weather:?}", cell.id);
            }
        }
    }
}

#[test]
fn lines_to_the_ends_are_the_lines_from_everywhere() {
    let options = Default::default();
    let most = MovementPoints::whole(18);
    for number in 0..12 {
        let mut dice = Live::numbered(number);
        let (enemies, ends) = (enemies(&mut dice), [somewhere(&mut dice), somewhere(&mut dice)]);
        let friends: Vec<HexId> = (0..8).map(|_| somewhere(&mut dice)).collect();
        let field = Field::new(map(), Weather::Clear, Game::Campaign, &enemies, &friends, &options);
        let lines = field.lines_to(&ends, most);
        for _ in 0..60 {
            let from = somewhere(&mut dice);
            // One by one, each end exempt from the test of zones.
            let slow = ends.iter().filter(|end| !field.is_occupied(**end)).filter_map(|&end| {
                let held = [friends.as_slice(), &ends].concat();
                let field = Field::new(map(), Weather::Clear, Game::Campaign, &enemies, &held, &options);
                field.lines_within(from, true, most).cost(end)
            });
            assert_eq!(lines.cost(from), slow.min(), "from {from} to {ends:?}, game {number}");
        }
    }
}
