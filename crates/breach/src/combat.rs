//! Close combat: the two sides of an engagement enter; a round of it leaves: dice, hits, scores, who
//! won and what follows. Sections 8 and 14.4 to 14.6 of the core rules, and the towers of the supplement.

use std::cmp::Ordering;

use kernel::{Centimetres, Clerk, Refusal, Verdict};
use rulebook::options::breach::{BeatenFromInside, FlyersBeatenOnWalls, Options};
use rulebook::{phrase::breach as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::army::Role;
use crate::terms::{Arm, Armour, casualties, shown};

/// Where and how the two sides meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In the open.
    Open,
    /// The defenders are defended: a breach, a wood, a work.
    Defended,
    /// A wall, from outside, with ladders or on wings.
    Wall,
    /// A wall, from a siege tower.
    SiegeTower,
    /// A rampart, from the courtyard.
    Inside,
    /// Along a rampart.
    Along,
    /// A side of a tower.
    Tower,
}

impl Place {
    /// Whether it is a place of a fortress.
    #[must_use]
    pub const fn at_the_works(self) -> bool {
        !matches!(self, Self::Open | Self::Defended)
    }
}

/// One side of an engagement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    /// Stands that fight.
    pub stands: i32,
    /// The Attack of a stand.
    pub attack: i32,
    /// The Hits of a stand.
    pub hits: i32,
    /// Its armour.
    pub armour: Armour,
    /// Stands of the unit that do not fight.
    pub behind: i32,
    /// Hits kept from before.
    pub odd_hits: i32,
    /// Unsaved hits it took before that count for the enemy's score.
    pub before: i32,
    /// The Attack of the character with it.
    pub character: i32,
    /// Supporting stands.
    pub supports: i32,
    /// Whether it is confused.
    pub confused: bool,
    /// Whether it touches an enemy who spreads terror.
    pub terror: bool,
    /// Stands with an enemy at their side or rear.
    pub flanked: i32,
    /// Its units, supporting and destroyed ones too.
    pub units: i32,
}

/// An engagement before a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fight {
    /// Where.
    pub place: Place,
    /// Whether the attackers have charged.
    pub charges: bool,
    /// How far the enemy they pursue has retreated.
    pub pursues: Option<Centimetres>,
    /// What the attackers are.
    pub arm: Arm,
    /// Whether a rampart gives no cover against the courtyard.
    pub exposed: bool,
    /// The attackers.
    pub attacker: Side,
    /// The defenders.
    pub defender: Side,
}

impl Fight {
    /// Foot against whoever holds this place: nobody has charged or pursues, and a rampart gives its cover.
    #[must_use]
    pub fn new(place: Place, attacker: Side, defender: Side) -> Self {
        Self { place, charges: false, pursues: None, arm: Arm::Infantry, exposed: false, attacker, defender }
    }
}

/// Who has won a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Winner {
    /// The attackers.
    Attacker,
    /// The defenders.
    Defender,
    /// Nobody.
    Draw,
}

/// What follows from a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The defenders retreat.
    Retreat,
    /// The attackers take the place.
    Taken,
    /// The tower is held, although the round is lost.
    Held,
    /// The attackers retreat.
    Repulsed,
    /// The attackers stay in their siege tower.
    Stays,
    /// Both sides fall back; of flyers, they do.
    FallBack,
    /// The fight goes on in the next Combat phase.
    Unresolved,
    /// The losers are wiped out.
    Destroyed,
}

/// What a side did and suffered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Fought {
    /// The dice it rolled.
    pub dice: i32,
    /// The hits it inflicted that no armour stopped, as rolled.
    pub unsaved: i32,
    /// Stands it lost.
    pub stands_lost: i32,
    /// Hits on it that are not enough for another stand.
    pub odd_hits: i32,
    /// Its score.
    pub score: i32,
}

/// A round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Round {
    /// The attackers.
    pub attacker: Fought,
    /// The defenders.
    pub defender: Fought,
    /// Who has won.
    pub winner: Winner,
    /// What follows.
    pub outcome: Outcome,
    /// How far the losers retreat.
    pub retreat_cm: i32,
}

/// The dice of a side and the hits that came of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Blow {
    /// The dice.
    pub dice: i32,
    /// Hits that no armour stopped.
    pub unsaved: i32,
}

/// Whether the two sides can meet like this.
///
/// # Errors
/// Too many stands in a narrow place, an arm that cannot fight there, flanks and supports where there
/// are none, a pursuit out of the open.
pub fn check(fight: &Fight) -> Verdict<()> {
    let place = fight.place;
    let works = place.at_the_works();
    if fight.pursues.is_some() {
        let rule = if place == Place::Tower { rule!(BR_TOWERS_14) } else { rule!(BC_8_5_01) };
        if rule.holds(place != Place::Open) {
            return Err(Refusal::rule(rule, phrase::NO_PURSUIT_HERE).at("pursues_cm"));
        }
    }
    let arm_fits = match place {
        Place::Open | Place::Defended => true,
        Place::Wall | Place::Tower => matches!(fight.arm, Arm::Infantry | Arm::Flyer),
        Place::SiegeTower | Place::Inside | Place::Along => fight.arm == Arm::Infantry,
    };
    if rule!(BC_14_4_01).holds(!arm_fits) {
        return Err(Refusal::rule(rule!(BC_14_4_01), phrase::ARM_NOT_HERE).at("attacker.arm"));
    }
    for (name, side, role) in
        [("attacker", &fight.attacker, Role::Attacker), ("defender", &fight.defender, Role::Defender)]
    {
        let narrow = match (place, role) {
            (Place::SiegeTower, Role::Attacker) => Some(rule!(BC_14_6_03)),
            (Place::Along, _) => Some(rule!(BC_14_5_02)),
            (Place::Tower, Role::Attacker) => Some(rule!(BR_TOWERS_07)),
            (Place::Tower, Role::Defender) => Some(rule!(BR_TOWERS_09)),
            _ => None,
        };
        if let Some(rule) = narrow
            && rule.holds(side.stands > 1)
        {
            return Err(Refusal::rule(rule, phrase::ONE_STAND_FIGHTS).at(format!("{name}.stands")));
        }
        if side.odd_hits >= side.hits {
            return Err(Refusal::rule(rule!(BC_6_07), phrase::TOO_MANY_ODD_HITS)
                .at(format!("{name}.odd_hits"))
                .with("hits", side.hits));
        }
        if side.flanked > side.stands {
            return Err(Refusal::rule(rule!(BC_8_2_06), phrase::MORE_THAN_STANDS)
                .at(format!("{name}.flanked"))
                .with("stands", side.stands));
        }
        if side.flanked > 0 && works {
            let rule = if place == Place::Tower { rule!(BR_TOWERS_11) } else { rule!(BC_14_4_04) };
            if rule.holds(true) {
                return Err(Refusal::rule(rule, phrase::NO_FLANKS_HERE).at(format!("{name}.flanked")));
            }
        }
        if side.supports > 0 && works {
            let rule = if place == Place::Tower { rule!(BR_TOWERS_15) } else { rule!(BC_8_3_03) };
            if rule.holds(true) {
                return Err(Refusal::rule(rule, phrase::NO_SUPPORTS_HERE).at(format!("{name}.supports")));
            }
        }
        if side.units == 1 && side.supports > side.behind {
            return Err(Refusal::rule(rule!(BC_8_3_02), phrase::MORE_THAN_STANDS)
                .at(format!("{name}.supports"))
                .with("stands", side.behind));
        }
    }
    Ok(())
}

/// What charging or pursuing adds to each stand of the attackers.
fn onset(fight: &Fight, clerk: &mut impl Clerk) -> i32 {
    if let Some(distance) = fight.pursues {
        let full = distance.count() / Centimetres::whole(3).count();
        return clerk.modifier(rule!(BC_8_2_04), 1 + full);
    }
    if !fight.charges {
        return 0;
    }
    match fight.place {
        Place::Open => {
            let heavy = matches!(fight.arm, Arm::Monster | Arm::Chariot);
            let more = if heavy { clerk.modifier(rule!(BC_8_2_03), 1) } else { 0 };
            clerk.modifier(rule!(BC_8_2_02), 1) + more
        }
        Place::SiegeTower => clerk.modifier(rule!(BC_14_6_03), 1),
        Place::Along => clerk.modifier(rule!(BC_14_5_02), 1),
        Place::Inside if fight.exposed => clerk.modifier(rule!(BR_R75), 1),
        Place::Wall if fight.arm == Arm::Flyer => clerk.rather(rule!(BR_FLYERS_01), 0, 1),
        Place::Wall => clerk.rather(rule!(BC_14_4_03), 0, 1),
        Place::Tower => clerk.rather(rule!(BR_TOWERS_16), 0, 1),
        Place::Defended | Place::Inside => clerk.rather(rule!(BC_8_7_02), 0, 1),
    }
}

/// The dice of a side.
pub fn dice(fight: &Fight, role: Role, clerk: &mut impl Clerk) -> i32 {
    let side = match role {
        Role::Attacker => &fight.attacker,
        Role::Defender => &fight.defender,
    };
    if side.attack == 0 {
        return 0;
    }
    let mut each = clerk.value(rule!(BC_8_2_01), side.attack);
    if role == Role::Attacker {
        each += onset(fight, clerk);
    }
    if side.terror {
        each += clerk.modifier(rule!(BC_8_2_05), -1);
    }
    if side.confused {
        each += clerk.modifier(rule!(BC_8_2_07), -1);
    }
    let mut aside = each;
    if side.flanked > 0 {
        aside += clerk.modifier(rule!(BC_8_2_06), -1);
    }
    let straight = side.stands - side.flanked;
    let mut dice = straight * each.max(0) + side.flanked * aside.max(0);
    if side.character > 0 {
        // He is with the stand that makes the most of him.
        let with = if straight > 0 { each } else { aside };
        let bonus = clerk.modifier(rule!(BC_8_2_09), side.character);
        dice += (with + bonus).max(0) - with.max(0);
    }
    if dice < 1 { clerk.value(rule!(BC_8_2_08), 1) } else { dice }
}

/// The face that the attackers need.
fn attackers_need(fight: &Fight, clerk: &mut impl Clerk) -> i32 {
    match fight.place {
        Place::Open => clerk.value(rule!(BC_8_2_10), 4),
        Place::Defended => clerk.value(rule!(BC_8_2_10), 5),
        Place::Wall if fight.arm == Arm::Flyer => clerk.value(rule!(BR_FLYERS_01), 6),
        Place::Wall => clerk.value(rule!(BC_14_4_03), 6),
        Place::SiegeTower => clerk.value(rule!(BC_14_6_03), 4),
        Place::Inside if fight.exposed => clerk.value(rule!(BR_R75), 4),
        Place::Inside => clerk.value(rule!(BC_14_5_01), 5),
        Place::Along => clerk.value(rule!(BC_14_5_02), 4),
        Place::Tower => clerk.value(rule!(BR_TOWERS_12), 6),
    }
}

/// The attackers strike: their dice and the armour of the defenders.
pub fn attackers_strike(fight: &Fight, clerk: &mut impl Clerk) -> Blow {
    let dice = dice(fight, Role::Attacker, clerk);
    let need = attackers_need(fight, clerk);
    let hits = shown(dice, need, clerk);
    Blow { dice, unsaved: fight.defender.armour.unsaved(hits, clerk) }
}

/// The defenders strike: chargers have lost their own protection.
pub fn defenders_strike(fight: &Fight, clerk: &mut impl Clerk) -> Blow {
    let dice = dice(fight, Role::Defender, clerk);
    let mut need = clerk.value(rule!(BC_8_2_10), 4);
    if fight.place == Place::Tower {
        // Those at the foot of a tower stand as those at the foot of a wall do.
        need = clerk.value(rule!(BR_TOWERS_27), need);
    }
    let hits = shown(dice, need, clerk);
    Blow { dice, unsaved: fight.attacker.armour.unsaved(hits, clerk) }
}

/// The score of a side: its hits, those it has inflicted before, its supports.
fn score(own: &Side, enemy: &Side, unsaved: i32, clerk: &mut impl Clerk) -> i32 {
    let could_take = (enemy.stands + enemy.behind) * enemy.hits - enemy.odd_hits;
    let mut score = if unsaved > could_take { clerk.limit(rule!(BC_8_3_01), could_take) } else { unsaved };
    if enemy.before > 0 {
        score += clerk.modifier(rule!(BC_6_12), enemy.before);
    }
    if own.supports > 0 {
        score += clerk.modifier(rule!(BC_8_3_02), own.supports);
    }
    score
}

/// What a side has done and suffered, and whether it is wiped out.
fn fought(own: &Side, enemy: &Side, blow: Blow, against: Blow, clerk: &mut impl Clerk) -> (Fought, bool) {
    let score = score(own, enemy, blow.unsaved, clerk);
    let kept = if own.odd_hits > 0 { clerk.modifier(rule!(BC_8_2_11), own.odd_hits) } else { 0 };
    let lost = casualties(own.stands + own.behind, own.hits, (kept + against.unsaved).max(0), clerk);
    let fought = Fought {
        dice: blow.dice,
        unsaved: blow.unsaved,
        stands_lost: lost.stands,
        odd_hits: lost.odd_hits,
        score,
    };
    (fought, lost.all && own.units == 1)
}

/// The end of a round: both sides have struck.
pub fn decide(
    fight: &Fight,
    attackers: Blow,
    defenders: Blow,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Round {
    let (attacker, attackers_gone) = fought(&fight.attacker, &fight.defender, attackers, defenders, clerk);
    let (defender, defenders_gone) = fought(&fight.defender, &fight.attacker, defenders, attackers, clerk);
    let winner = match (attackers_gone, defenders_gone) {
        (true, true) => clerk.rather(rule!(BC_8_3_04), Winner::Draw, Winner::Attacker),
        (true, false) => clerk.rather(rule!(BC_8_3_04), Winner::Defender, Winner::Attacker),
        (false, true) => clerk.rather(rule!(BC_8_3_04), Winner::Attacker, Winner::Defender),
        (false, false) => match attacker.score.cmp(&defender.score) {
            Ordering::Greater => Winner::Attacker,
            Ordering::Less => Winner::Defender,
            Ordering::Equal => Winner::Draw,
        },
    };
    let difference = (attacker.score - defender.score).abs();
    let (outcome, retreat_cm) = match winner {
        Winner::Attacker => attackers_win(fight, difference, defenders_gone, options, clerk),
        Winner::Defender => defenders_win(fight, difference, attackers_gone, options, clerk),
        Winner::Draw => (drawn(fight, clerk), 0),
    };
    Round { attacker, defender, winner, outcome, retreat_cm }
}

/// One whole round: attacks and armour of the attackers' blow, then of the defenders'.
pub fn round(fight: &Fight, options: &Options, clerk: &mut impl Clerk) -> Round {
    let attackers = attackers_strike(fight, clerk);
    let defenders = defenders_strike(fight, clerk);
    decide(fight, attackers, defenders, options, clerk)
}

/// How far the losers go: the difference over their units, rounded up.
fn retreat(difference: i32, losers: &Side, clerk: &mut impl Clerk) -> i32 {
    clerk.value(rule!(BC_8_3_06), (difference + losers.units - 1) / losers.units.max(1))
}

fn attackers_win(
    fight: &Fight,
    difference: i32,
    gone: bool,
    options: &Options,
    clerk: &mut impl Clerk,
) -> (Outcome, i32) {
    let flyers = fight.arm == Arm::Flyer;
    let place = fight.place;
    let along =
        !gone && place == Place::Inside && options.beaten_from_inside == BeatenFromInside::RetreatAlong;
    let taken = match place {
        Place::Open | Place::Defended | Place::Along => false,
        Place::Wall | Place::Tower if clerk.holds(rule!(BR_FLYERS_02), flyers) => false,
        Place::Wall | Place::SiegeTower => clerk.holds(rule!(BC_14_4_05), true),
        Place::Inside if along => clerk.holds(rule!(BR_R76), true),
        Place::Inside => clerk.holds(rule!(BC_14_5_03), true),
        Place::Tower => clerk.holds(rule!(BR_TOWERS_17), gone),
    };
    if taken {
        let leaves = !gone && matches!(place, Place::Wall | Place::SiegeTower);
        let distance = if leaves {
            retreat(difference, &fight.defender, clerk).max(2)
        } else if along {
            retreat(difference, &fight.defender, clerk)
        } else {
            0
        };
        return (Outcome::Taken, distance);
    }
    if gone {
        return (Outcome::Destroyed, 0);
    }
    if place == Place::Tower {
        let rule = if flyers { rule!(BR_FLYERS_07) } else { rule!(BR_TOWERS_13) };
        return clerk.rather(rule, (Outcome::Held, 0), (Outcome::Retreat, difference));
    }
    if place == Place::Wall {
        // Beaten by flyers, they retreat although nobody takes their place.
        let distance = retreat(difference, &fight.defender, clerk);
        return clerk.rather(rule!(BR_FLYERS_04), (Outcome::Retreat, distance), (Outcome::Held, 0));
    }
    (Outcome::Retreat, retreat(difference, &fight.defender, clerk))
}

fn defenders_win(
    fight: &Fight,
    difference: i32,
    gone: bool,
    options: &Options,
    clerk: &mut impl Clerk,
) -> (Outcome, i32) {
    if gone {
        return (Outcome::Destroyed, 0);
    }
    let works = fight.place.at_the_works();
    if works && fight.arm == Arm::Flyer && options.flyers_beaten_on_walls == FlyersBeatenOnWalls::Destroyed {
        return clerk.rather(rule!(BR_R26), (Outcome::Destroyed, 0), (Outcome::Repulsed, difference));
    }
    let distance = retreat(difference, &fight.attacker, clerk);
    match fight.place {
        Place::SiegeTower if clerk.holds(rule!(BC_14_6_04), distance <= 4) => (Outcome::Stays, 0),
        Place::Wall => {
            clerk.rather(rule!(BC_14_4_07), (Outcome::Repulsed, distance), (Outcome::Unresolved, 0))
        }
        Place::Tower => clerk.rather(rule!(BR_R67), (Outcome::Repulsed, distance), (Outcome::Unresolved, 0)),
        _ => (Outcome::Repulsed, distance),
    }
}

/// Nobody has won.
fn drawn(fight: &Fight, clerk: &mut impl Clerk) -> Outcome {
    let (rule, outcome) = match fight.place {
        Place::Open | Place::Defended => (rule!(BC_8_3_05), Outcome::FallBack),
        _ if fight.arm == Arm::Flyer => (rule!(BR_R26), Outcome::FallBack),
        Place::Tower => (rule!(BR_R67), Outcome::Unresolved),
        Place::Wall | Place::SiegeTower | Place::Inside | Place::Along => {
            (rule!(BC_14_4_06), Outcome::Unresolved)
        }
    };
    let other = if outcome == Outcome::FallBack { Outcome::Unresolved } else { Outcome::FallBack };
    clerk.rather(rule, outcome, other)
}
