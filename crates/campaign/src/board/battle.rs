//! The card of a battle: both forces, and what each commitment would come to, counted by the code that rolls. Of an
//! attack that is only considered the same is told for what the enemy may have.

use kernel::board::Reckoning;
use kernel::{Desk, Measure, Saying, Scripted, Silent, Stages};
use rulebook::options::campaign::Options;
use rulebook::phrase::campaign_board as words;

use crate::battle::{self as charts, Points, Stance, Stances};
use crate::game::{Action, Battle, Contact, State, enemy, range};
use crate::map::HexId;
use crate::terms::Army;

/// What one round would come to for a side: the chance to have the better of it in hundredths, and the mean loss of
/// the own and of the other side in tenths of a SP.
#[derive(Clone, Copy, Debug)]
struct Stake {
    better: i64,
    own: i64,
    other: i64,
}

const PITCHED: Stances = Stances { attacker: Stance::Pitched, defender: Stance::Pitched };
const PURSUIT: Stances = Stances { attacker: Stance::Pursuit, defender: Stance::Pursuit };

/// A number to the nearest whole one.
fn rounded(number: f64) -> i64 {
    format!("{number:.0}").parse().unwrap_or(0)
}

/// The coming round of a battle with these choices, for one of its parties.
fn stake(
    battle: &charts::Battle,
    now: charts::State,
    stances: Stances,
    own: usize,
    options: &Options,
) -> Option<Stake> {
    let mut battle = battle.clone();
    battle.rounds = vec![stances; usize::try_from(now.round.max(1)).unwrap_or(1)];
    let before = charts::State { round: now.round.max(1) - 1, ..now };
    let round = Stages::first(|clerk| battle.bombard(before, options, clerk)).ok()?;
    let round = round.then(|&state, clerk| battle.clash(state, options, clerk)).ok()?;
    let round = round.then(|&state, clerk| Ok(battle.chase(state, options, clerk))).ok()?;
    let other = 1 - own;
    let (mut better, mut lost) = (0.0, [0.0; 2]);
    for (after, chance) in round.odds.iter() {
        let share = chance.as_f64();
        let beaten = after.loser.is_some_and(|loser| loser as usize == other);
        if beaten || after.rounds_lost[other] > now.rounds_lost[other] {
            better += share;
        }
        for (sum, (after, now)) in lost.iter_mut().zip(after.lost.into_iter().zip(now.lost)) {
            *sum += share * f64::from(after - now);
        }
    }
    Some(Stake {
        better: rounded(100.0 * better),
        own: rounded(10.0 * lost[own]),
        other: rounded(10.0 * lost[other]),
    })
}

fn percent(hundredths: i64) -> Measure {
    Saying::new(words::PERCENT).with("share", hundredths).into()
}

fn tenths(tenths: i64) -> Measure {
    Saying::new(words::TENTHS).with("whole", tenths / 10).with("tenth", tenths % 10).into()
}

/// The arms of a force.
fn arms(points: Points) -> Measure {
    let arms = Saying::new(words::ARMS)
        .with("infantry", points.infantry)
        .with("cavalry", points.cavalry)
        .with("artillery", points.artillery);
    arms.into()
}

/// A clerk for what rolls nothing and is not told.
fn quiet() -> Desk<Scripted<'static>, Silent> {
    Desk::new(Scripted::new(&[]), Silent)
}

/// The card of the battle that is being fought, for whoever fights it.
pub(super) fn reckoning(state: &State, reader: Option<Army>) -> Option<Reckoning> {
    let side = reader?;
    let battle = state.public.battle.as_ref().filter(|battle| !battle.quiet && !battle.eliminated)?;
    let own = usize::from(battle.attacker != side);
    let (asked, now) = state.engagement(battle, &mut quiet());
    let force = |army: Army| {
        let host = state.host(army);
        host.force_points(&host.force)
    };
    let told = [(words::CARD_OWN, side), (words::CARD_ENEMY, enemy(side))].map(|(phrase, army)| {
        Saying::new(phrase).with("sp", force(army).all()).with("arms", arms(force(army)))
    });
    let settled = battle.loser.is_some();
    let ways = [(words::COMMIT_PITCHED, PITCHED), (words::COMMIT_PURSUIT, PURSUIT)];
    let rows = ways.into_iter().filter(|_| !settled).filter_map(|(name, stances)| {
        let stake = stake(&asked, now, stances, own, &state.public.options)?;
        Some((name.into(), vec![percent(stake.better), tenths(stake.own), tenths(stake.other)]))
    });
    Some(Reckoning {
        title: Saying::new(words::BATTLE).with("hex", battle.hex.called()).with("round", battle.round.max(1)),
        told: told.into(),
        heads: vec![words::CARD_COMMITMENT, words::CARD_BETTER, words::CARD_OWN_LOSS, words::CARD_ENEMY_LOSS],
        rows: rows.collect(),
    })
}

/// The SP that an enemy hex may have by what contact shows, the least and the most that are reckoned with.
fn supposed(contact: Contact) -> [i32; 2] {
    match (contact.open, contact.band) {
        (Some(open), _) => [open.iter().sum(); 2],
        (None, Some(band)) => {
            let (least, most) = range(band);
            [least, most.min(2 * least)]
        }
        (None, None) if contact.class < 3 => [i32::from(contact.class); 2],
        (None, None) => [3, 12],
    }
}

/// What an attack may come to, for the least and the most that the enemy is supposed to have.
pub(super) fn attack(state: &State, side: Army, action: &Action, hex: HexId) -> Vec<Saying> {
    let seen = state.seen(Some(side), enemy(side));
    let Some(contact) = seen.iter().find(|seen| seen.hex == hex).and_then(|seen| seen.contact) else {
        return Vec::new();
    };
    let after = state.glanced(side, action, &mut quiet());
    let Some(battle) = after.public.battle.as_ref().filter(|battle: &&Battle| !battle.quiet) else {
        return Vec::new();
    };
    let (mut asked, now) = after.engagement(battle, &mut quiet());
    let mut sizes = supposed(contact).to_vec();
    sizes.dedup();
    let line = |sp: i32| {
        let points = Points { infantry: sp, cavalry: 0, artillery: 0 };
        asked.forces[1].points = points;
        let now = charts::State { left: [now.left[0], points], ..now };
        let pitched = stake(&asked, now, PITCHED, 0, &state.public.options)?;
        let pursuit = stake(&asked, now, PURSUIT, 0, &state.public.options)?;
        Some(
            Saying::new(words::ATTACK_ODDS)
                .with("sp", sp)
                .with("pitched", percent(pitched.better))
                .with("pitched_own", tenths(pitched.own))
                .with("pitched_other", tenths(pitched.other))
                .with("pursuit", percent(pursuit.better))
                .with("pursuit_own", tenths(pursuit.own))
                .with("pursuit_other", tenths(pursuit.other)),
        )
    };
    sizes.into_iter().filter_map(line).collect()
}
