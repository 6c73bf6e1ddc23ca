//! What ground does to a melee: who fights in which round, in which state, behind what, and with
//! which bonus. A house has its own assault ([`super::houses::assault`]); everything else is here.

use kernel::{Centimetres, Clerk, Effect, RuleId, Whole};
use rulebook::options::tabletop::{Options, SkirmishersOnBareSlope};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cover::{self, MeleeCover};
use super::hills::{self, Height};
use super::obstacles::{ObstacleClass, cross};
use super::rivers;
use super::roads::{self, RoadMelee};
use super::state::{self, Catcher, State};
use super::troops::Troops;

/// One side of a melee.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fighter {
    /// The body.
    pub troops: Troops,
    /// All its figures.
    pub figures: Whole<1, 999>,
    /// First-rank figures in contact: with an enemy figure, or with the obstacle opposite one.
    pub touching: Whole<0, 999>,
    /// It has followed an enemy that recoiled in the round before.
    #[serde(default)]
    pub followed: bool,
    /// It was moving when the enemy touched it.
    #[serde(default)]
    pub moving: bool,
    /// It charged.
    #[serde(default)]
    pub charging: bool,
}

/// The ground of a melee.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Place {
    /// Plain, crops, ploughed land, a plateau's top.
    Open,
    /// A slope.
    Slope(Slope),
    /// A wood.
    Wood(Wood),
    /// A linear obstacle, or the face of a redoubt.
    Obstacle(Obstacle),
    /// A stream or a ford.
    Water(Water),
    /// A road, a street, a bridge.
    Road(Road),
    /// A battery abandoned, spiked or overturned.
    AbandonedBattery(Battery),
}

/// Melee on a slope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slope {
    /// Mean distance of the attacker's contacted figures from the crest.
    pub attacker_cm: Centimetres,
    /// Mean distance of the defender's.
    pub defender_cm: Centimetres,
    /// Both stand on one slope, or the lower one at its foot.
    #[serde(default = "yes")]
    pub same_slope: bool,
    /// The attacker's whole front stands on that slope.
    #[serde(default = "yes")]
    pub attacker_whole_front: bool,
    /// The defender's does.
    #[serde(default = "yes")]
    pub defender_whole_front: bool,
    /// The attacker touches the slope, instead of reaching its foot from outside.
    #[serde(default = "yes")]
    pub attacker_on_slope: bool,
}

/// Melee in a wood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wood {
    /// The attacker's figures that fight are in the wood.
    #[serde(default)]
    pub attacker_in: bool,
    /// The defender's are.
    #[serde(default = "yes")]
    pub defender_in: bool,
    /// The defender was caught while entering or leaving.
    #[serde(default)]
    pub defender_caught: bool,
}

/// Melee over a linear obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Obstacle {
    /// Its class.
    pub class: ObstacleClass,
    /// The defender touches it.
    #[serde(default = "yes")]
    pub defender_touches: bool,
    /// The attacker touches it too, from the other side, since the round before.
    #[serde(default)]
    pub attacker_kept_contact: bool,
    /// The attacker comes from a side where the obstacle is not.
    #[serde(default)]
    pub from_open_side: bool,
    /// The defender was caught while crossing it.
    #[serde(default)]
    pub defender_caught: bool,
    /// One side has followed across: ranks of it that are over.
    pub followed_across: Option<FollowedAcross>,
}

/// A body that followed across an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FollowedAcross {
    /// It is the attacker, not the defender.
    #[serde(default = "yes")]
    pub attacker: bool,
    /// Ranks over.
    pub ranks_across: Whole<0, 99>,
}

/// Melee at water.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Water {
    /// The attacker touches it.
    #[serde(default)]
    pub attacker_in: bool,
    /// The defender does.
    #[serde(default)]
    pub defender_in: bool,
    /// The attacker was pushed back into it.
    #[serde(default)]
    pub attacker_pushed_in: bool,
    /// The defender was pushed back into it.
    #[serde(default)]
    pub defender_pushed_in: bool,
}

/// Melee on a road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Road {
    /// The unit on the road has room for its line.
    #[serde(default = "yes")]
    pub room_to_deploy: bool,
    /// Trees line it.
    #[serde(default)]
    pub tree_lined: bool,
    /// It is a bridge, and the unit is partly on it.
    #[serde(default)]
    pub bridge: bool,
    /// The attack comes in flank.
    #[serde(default)]
    pub flank: bool,
}

/// Melee at abandoned guns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Battery {
    /// The defender stands among them, or touches them on the side of the contact.
    #[serde(default = "yes")]
    pub defender_holds: bool,
    /// Both touch them from opposite sides.
    #[serde(default)]
    pub attacker_touches: bool,
}

fn yes() -> bool {
    true
}

/// One side of the melee, as the ground leaves it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Stand {
    /// Figures that fight.
    pub fights: i32,
    /// In this state.
    pub state: State,
    /// Behind this.
    pub cover: MeleeCover,
    /// The factor ground and state add, in all.
    pub factor: i32,
    /// The parts of that factor.
    pub parts: Vec<Part>,
    /// Whether a charge bonus counts.
    pub charge_bonus: bool,
}

/// A part of a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Part {
    /// What for.
    pub what: What,
    /// How much.
    pub value: i32,
}

/// What ground counts for in melee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// The state of the body.
    State,
    /// The cover of the enemy.
    EnemyCover,
    /// Above on a slope, or dry before an enemy in a stream.
    Above,
    /// Following a recoiling enemy.
    Following,
    /// Taking a unit between trees in flank.
    Flank,
}

/// Both sides of a round.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Round {
    /// The attacker.
    pub attacker: Stand,
    /// The defender.
    pub defender: Stand,
}

/// A melee on some ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Melee<'a> {
    /// Where.
    pub place: &'a Place,
    /// Which round.
    pub round: i32,
    /// Who came.
    pub attacker: &'a Fighter,
    /// Who was there.
    pub defender: &'a Fighter,
}

/// Takes up what ground does to one side.
#[derive(Debug)]
struct Sheet {
    stand: Stand,
    above: Option<bool>,
    follows: Option<RuleId>,
}

impl Sheet {
    fn new(fighter: &Fighter, fights: i32) -> Self {
        Self {
            stand: Stand {
                fights,
                state: fighter.troops.state,
                charge_bonus: fighter.charging,
                ..Stand::default()
            },
            above: None,
            follows: None,
        }
    }

    fn worsen(&mut self, imposed: State, rule: RuleId, clerk: &mut impl Clerk) {
        self.stand.state = state::worsen(self.stand.state, imposed, rule, clerk);
    }

    fn part(&mut self, what: What, value: i32) {
        if value != 0 {
            self.stand.parts.push(Part { what, value });
        }
    }

    fn finish(mut self, enemy_cover: MeleeCover, clerk: &mut impl Clerk) -> Stand {
        let state = state::melee_factor(self.stand.state);
        if state != 0 {
            clerk.modifier(rule!(TE_R90), state);
        }
        self.part(What::State, state);
        let penalty = cover::melee_penalty(enemy_cover, clerk);
        self.part(What::EnemyCover, penalty);
        if self.above == Some(true) {
            let bonus = clerk.modifier(rule!(TE_R90), cover::melee_value("above"));
            self.part(What::Above, bonus);
        }
        if let Some(rule) = self.follows {
            let bonus = clerk.modifier(rule, cover::melee_value("follow"));
            self.part(What::Following, bonus);
        }
        self.stand.factor = self.stand.parts.iter().map(|part| part.value).sum();
        self.stand
    }
}

/// Figures in contact, with one more on each flank of the wider front where ground allows it
/// (tabletop-core, section 10).
fn in_the_open(melee: &Melee<'_>) -> (i32, i32) {
    let (a, d) = (melee.attacker, melee.defender);
    if melee.round > 1 {
        return (a.figures.get(), d.figures.get());
    }
    let overlap = |own: &Fighter, enemy: &Fighter| {
        let spare = own.troops.abreast() - own.touching.get();
        if own.troops.abreast() > enemy.troops.abreast() { spare.clamp(0, 2) } else { 0 }
    };
    (a.touching.get() + overlap(a, d), d.touching.get() + overlap(d, a))
}

/// What the ground makes of this round.
pub fn round(melee: &Melee<'_>, options: &Options, clerk: &mut impl Clerk) -> Round {
    let (a, d) = in_the_open(melee);
    let mut attacker = Sheet::new(melee.attacker, a);
    let mut defender = Sheet::new(melee.defender, d);
    if melee.round > 1 {
        attacker.stand.charge_bonus = false;
        defender.stand.charge_bonus = false;
    }
    // The cover each side has against the other.
    let (mut own_a, mut own_d) = (MeleeCover::None, MeleeCover::None);
    match melee.place {
        Place::Open => follow(melee, rule!(TE_R90), &mut attacker, &mut defender),
        Place::Slope(slope) => on_slope(melee, slope, options, &mut attacker, &mut defender, clerk),
        Place::Wood(wood) => {
            (own_a, own_d) = in_wood(melee, *wood, options, &mut attacker, &mut defender, clerk);
        }
        Place::Obstacle(obstacle) => {
            (own_a, own_d) = at_obstacle(melee, obstacle, options, &mut attacker, &mut defender, clerk);
        }
        Place::Water(water) => at_water(melee, *water, &mut attacker, &mut defender, clerk),
        Place::Road(road) => on_road(melee, *road, &mut attacker, &mut defender, clerk),
        Place::AbandonedBattery(guns) => {
            clerk.applied(rule!(TE_R88));
            attacker.stand.charge_bonus = false;
            if guns.defender_holds {
                own_d = MeleeCover::Light;
            }
            if guns.attacker_touches && melee.round > 1 {
                own_a = MeleeCover::Light;
            }
        }
    }
    attacker.stand.cover = own_a;
    defender.stand.cover = own_d;
    Round { attacker: attacker.finish(own_d, clerk), defender: defender.finish(own_a, clerk) }
}

fn on_slope(
    melee: &Melee<'_>,
    slope: &Slope,
    options: &Options,
    attacker: &mut Sheet,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) {
    let height = |own, enemy, whole_front, attacks| Height {
        own,
        enemy,
        whole_front,
        same_slope: slope.same_slope,
        attacks,
    };
    let up = height(slope.attacker_cm, slope.defender_cm, slope.attacker_whole_front, true);
    let down = height(slope.defender_cm, slope.attacker_cm, slope.defender_whole_front, false);
    attacker.above = Some(hills::above(up, melee.round, clerk));
    defender.above = Some(hills::above(down, melee.round, clerk));
    if melee.round == 1 {
        if slope.attacker_on_slope {
            loosen(melee.attacker, rule!(TE_2_4_02), options, attacker, clerk);
            attacker.stand.charge_bonus = false;
        }
        if melee.defender.moving {
            loosen(melee.defender, rule!(TE_2_6_06), options, defender, clerk);
        }
        return;
    }
    for sheet in [&mut *attacker, &mut *defender] {
        sheet.worsen(State::Unformed, rule!(TE_2_6_04), clerk);
    }
    clerk.applied(rule!(TE_2_6_09));
    follow(melee, rule!(TE_2_6_10), attacker, defender);
}

/// A move on a slope loosens a body, but skirmishers only if the option says so (TE-R08).
fn loosen(fighter: &Fighter, rule: RuleId, options: &Options, sheet: &mut Sheet, clerk: &mut impl Clerk) {
    if fighter.troops.skirmishes() && options.skirmishers_on_bare_slope == SkirmishersOnBareSlope::Formed {
        clerk.because(rule!(TE_R08), state::set(sheet.stand.state));
    } else {
        sheet.worsen(State::Disorganised, rule, clerk);
    }
}

/// The side that followed has the bonus.
fn follow(melee: &Melee<'_>, rule: RuleId, attacker: &mut Sheet, defender: &mut Sheet) {
    if melee.attacker.followed {
        attacker.follows = Some(rule);
    }
    if melee.defender.followed {
        defender.follows = Some(rule);
    }
}

/// A body caught while entering or crossing fights so, without the cover it was making for.
fn caught(
    melee: &Melee<'_>,
    rules: [RuleId; 3],
    options: &Options,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) {
    let [state_rule, contact_rule, cover_rule] = rules;
    clerk.applied(state_rule);
    let by = Catcher { arm: melee.attacker.troops.arm, charging: melee.attacker.charging };
    defender.stand.state = state::caught(defender.stand.state, by, options, clerk);
    clerk.because(contact_rule, Effect::Set(melee.defender.touching.get().into()));
    clerk.because(cover_rule, Effect::Set(phrase::COVER_NONE.into()));
    defender.stand.fights = melee.defender.touching.get();
}

fn in_wood(
    melee: &Melee<'_>,
    wood: Wood,
    options: &Options,
    attacker: &mut Sheet,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) -> (MeleeCover, MeleeCover) {
    let (a, d) = (melee.attacker, melee.defender);
    if melee.round > 1 {
        clerk.applied(rule!(TE_4_5_12));
        for sheet in [&mut *attacker, &mut *defender] {
            // The drop comes once, at the start of the second round (TE-R32).
            if melee.round == 2 {
                let better = sheet.stand.state < State::Unformed;
                let worse = if better { State::Unformed } else { State::Disordered };
                sheet.worsen(worse, rule!(TE_4_5_13), clerk);
            }
        }
        clerk.because(rule!(TE_4_5_14), Effect::Set(phrase::COVER_LIGHT.into()));
        follow(melee, rule!(TE_4_5_11), attacker, defender);
        return (MeleeCover::Light, MeleeCover::Light);
    }
    if wood.defender_caught {
        caught(melee, [rule!(TE_4_5_06), rule!(TE_4_5_07), rule!(TE_4_5_08)], options, defender, clerk);
        return (MeleeCover::None, MeleeCover::None);
    }
    clerk.because(rule!(TE_4_5_02), Effect::Set(0.into()));
    attacker.stand.charge_bonus = false;
    let mixed = a.troops.skirmishes() != d.troops.skirmishes();
    let fights = if mixed {
        clerk.applied(rule!(TE_4_5_04));
        clerk.applied(rule!(TE_4_5_05));
        a.troops.abreast().min(d.troops.abreast())
    } else {
        clerk.applied(rule!(TE_4_5_03));
        a.touching.get().min(d.touching.get())
    };
    clerk.because(rule!(TE_R33), Effect::Set(fights.into()));
    attacker.stand.fights = fights;
    defender.stand.fights = fights;
    let cover = |inside: bool, clerk: &mut _| {
        if inside {
            shelter(rule!(TE_4_5_01), MeleeCover::Light, clerk);
            MeleeCover::Light
        } else {
            MeleeCover::None
        }
    };
    (cover(wood.attacker_in, clerk), cover(wood.defender_in, clerk))
}

fn shelter(rule: RuleId, cover: MeleeCover, clerk: &mut impl Clerk) {
    clerk.because(rule, Effect::Set(cover::melee_word(cover).into()));
}

fn at_obstacle(
    melee: &Melee<'_>,
    obstacle: &Obstacle,
    options: &Options,
    attacker: &mut Sheet,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) -> (MeleeCover, MeleeCover) {
    let redoubt = obstacle.class == ObstacleClass::RedoubtFace;
    if let (Some(across), true) = (obstacle.followed_across, melee.round > 1) {
        followed_across(melee, obstacle.class, across, options, attacker, defender, clerk);
        return (MeleeCover::None, MeleeCover::None);
    }
    if obstacle.defender_caught && melee.round == 1 {
        caught(melee, [rule!(TE_8_6_08), rule!(TE_8_6_09), rule!(TE_8_6_23)], options, defender, clerk);
        return (MeleeCover::None, MeleeCover::None);
    }
    if obstacle.from_open_side {
        return (MeleeCover::None, MeleeCover::None);
    }
    if !obstacle.defender_touches {
        shelter(rule!(TE_8_6_07), MeleeCover::None, clerk);
        return (MeleeCover::None, MeleeCover::None);
    }
    attacker.stand.charge_bonus = false;
    let fights = melee.attacker.touching.get().min(melee.defender.touching.get());
    attacker.stand.fights = fights;
    defender.stand.fights = fights;
    let cover = obstacle.class.melee_cover();
    if melee.round == 1 {
        clerk.applied(rule!(TE_8_6_03));
        clerk.because(rule!(TE_8_6_04), Effect::Set(fights.into()));
        clerk.applied(rule!(TE_8_6_06));
        shelter(if redoubt { rule!(TE_9_1_02) } else { rule!(TE_8_6_21) }, cover, clerk);
        clerk.because(rule!(TE_8_6_22), Effect::Set(0.into()));
        return (MeleeCover::None, cover);
    }
    clerk.because(rule!(TE_8_6_16), Effect::Set(fights.into()));
    if redoubt {
        shelter(rule!(TE_9_1_02), cover, clerk);
        return (MeleeCover::None, cover);
    }
    if obstacle.attacker_kept_contact {
        shelter(rule!(TE_R79), cover, clerk);
        shelter(rule!(TE_8_6_18), cover, clerk);
        return (cover, cover);
    }
    (MeleeCover::None, cover)
}

/// From the second round a body that followed across fights with all its figures.
fn followed_across(
    melee: &Melee<'_>,
    class: ObstacleClass,
    across: FollowedAcross,
    options: &Options,
    attacker: &mut Sheet,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) {
    let (sheet, fighter) =
        if across.attacker { (attacker, melee.attacker) } else { (defender, melee.defender) };
    let all_over = across.ranks_across.get() >= fighter.troops.deep();
    let imposed = if all_over {
        cross::imposes(class, &fighter.troops, options, clerk).unwrap_or_default()
    } else {
        State::Unformed
    };
    clerk.because(rule!(TE_R78), state::set(imposed));
    sheet.worsen(imposed, rule!(TE_8_6_14), clerk);
    sheet.stand.fights = fighter.figures.get();
    sheet.follows = Some(rule!(TE_8_6_15));
}

fn at_water(
    melee: &Melee<'_>,
    water: Water,
    attacker: &mut Sheet,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) {
    attacker.above =
        Some(rivers::enemy_below_in_stream(water.attacker_in, water.defender_in, melee.round, clerk));
    defender.above =
        Some(rivers::enemy_below_in_stream(water.defender_in, water.attacker_in, melee.round, clerk));
    if melee.round == 1 {
        return;
    }
    if water.defender_pushed_in {
        pushed_in(defender, attacker, melee.attacker, clerk);
    }
    if water.attacker_pushed_in {
        pushed_in(attacker, defender, melee.defender, clerk);
    }
}

/// Whoever was pushed into a stream fights on without formation, and so does who followed him.
fn pushed_in(loser: &mut Sheet, winner: &mut Sheet, follower: &Fighter, clerk: &mut impl Clerk) {
    loser.worsen(State::Unformed, rule!(TE_6_2_09), clerk);
    if follower.followed {
        winner.stand.state = rivers::follow_into_stream(&follower.troops, clerk);
        winner.follows = Some(rule!(TE_6_2_10));
    }
}

fn on_road(
    melee: &Melee<'_>,
    road: Road,
    attacker: &mut Sheet,
    defender: &mut Sheet,
    clerk: &mut impl Clerk,
) {
    let whole_strength = melee.round > 1;
    if road.bridge && whole_strength {
        defender.stand.state = rivers::whole_strength_on_bridge(&melee.defender.troops, clerk);
        return;
    }
    let how = RoadMelee {
        room_to_deploy: road.room_to_deploy,
        tree_lined: road.tree_lined,
        whole_strength,
        round: melee.round,
    };
    defender.stand.state = roads::melee_state(&melee.defender.troops, how, clerk);
    if road.tree_lined && road.flank {
        attacker.stand.charge_bonus = false;
        attacker.stand.state = roads::flank_attack_between_trees(&melee.attacker.troops, clerk);
        if melee.round == 1 {
            attacker.part(What::Flank, cover::melee_value("flank"));
        }
    }
}

#[cfg(test)]
#[path = "melee_tests.rs"]
mod tests;
