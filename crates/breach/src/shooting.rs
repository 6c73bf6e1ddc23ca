//! Shooting: a volley and its target enter; hits, stands lost and the drive back leave. Sections 6 and
//! 7 of the core rules, with the rulings on machines and towers.

use kernel::{Centimetres, Clerk, Reading, Refusal, Verdict};
use rulebook::options::breach::{Options, TowerDriveBack};
use rulebook::{phrase::breach as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bombard::{Breacher, in_range};
use crate::terms::{Arm, Armour, Casualties, MACHINE_HITS, Machine, carried, casualties, count, read, shown};

/// What is shot with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weapon {
    /// Handguns.
    Handgun,
    /// Bows and crossbows.
    Bow,
    /// Pistols.
    Pistol,
    /// A cannon.
    Cannon,
    /// A stone thrower.
    StoneThrower,
    /// A bolt thrower.
    BoltThrower,
    /// A light bolt thrower.
    ElvenBoltThrower,
    /// A volley gun.
    VolleyGun,
    /// A siege engine.
    Mangonel,
    /// A siege engine.
    Bombard,
    /// A siege engine.
    Trebuchet,
}

/// How a target is covered.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Cover {
    /// Not at all.
    #[default]
    Open,
    /// Defended.
    Defended,
    /// Fortified.
    Fortified,
    /// In a tower.
    Tower,
}

/// What a volley is meant to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The Shooting phase.
    Phase,
    /// A charge.
    Charge,
}

/// The shooters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shooter {
    /// What they shoot with.
    pub weapon: Weapon,
    /// Stands in range that see.
    pub stands: i32,
    /// The shooting Attack of a stand of foot or horse.
    pub attack: i32,
    /// Further stands of the target that the ball goes through.
    pub further_stands: i32,
}

/// The target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its stands.
    pub stands: i32,
    /// The Hits of a stand.
    pub hits: i32,
    /// Its armour.
    pub armour: Armour,
    /// What it is.
    pub arm: Arm,
    /// How it is covered.
    pub cover: Cover,
    /// Unsaved hits of this phase so far: of the machine, if there is one.
    pub earlier_hits: i32,
    /// The machine that takes the hits.
    pub machine: Machine,
    /// Whether it is fanatic.
    pub fanatic: bool,
}

/// A volley that may be shot: what it rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Volley {
    /// The dice.
    pub attacks: i32,
    face: i32,
    armour: Armour,
    gun: Option<Moment>,
}

/// What a volley did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Struck {
    /// Hits that no armour stopped.
    pub unsaved: i32,
    /// Whether a volley gun burst.
    pub gun_destroyed: bool,
}

/// What the target suffered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Suffered {
    /// Whole stands lost.
    pub stands_lost: i32,
    /// Hits left over.
    pub odd_hits: i32,
    /// Whether the machine is gone.
    pub machine_destroyed: bool,
    /// Whether nobody is left.
    pub all: bool,
}

/// How a unit is driven back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Driven {
    /// The sum of the dice, that of a rout too.
    pub cm: i32,
    /// Whether it is confused.
    pub confused: bool,
    /// Whether it routs.
    pub routed: bool,
}

impl Weapon {
    /// The same as one that breaks walls.
    const fn breacher(self) -> Option<Breacher> {
        match self {
            Self::Cannon => Some(Breacher::Cannon),
            Self::StoneThrower => Some(Breacher::StoneThrower),
            Self::Mangonel => Some(Breacher::Mangonel),
            Self::Bombard => Some(Breacher::Bombard),
            Self::Trebuchet => Some(Breacher::Trebuchet),
            Self::Handgun
            | Self::Bow
            | Self::Pistol
            | Self::BoltThrower
            | Self::ElvenBoltThrower
            | Self::VolleyGun => None,
        }
    }

    /// Whether foot or horse carry it.
    #[must_use]
    pub const fn is_small(self) -> bool {
        matches!(self, Self::Handgun | Self::Bow | Self::Pistol)
    }

    /// Whether its ball bounces, and covers count one less against it.
    pub(crate) const fn bounces(self) -> bool {
        matches!(self, Self::Cannon | Self::Bombard)
    }

    /// Whether it reaches so far.
    fn reaches(self, distance: Centimetres) -> Verdict<()> {
        let (rule, most) = match self {
            Self::Handgun | Self::Bow => (rule!(BC_6_01), 30),
            Self::Pistol => (rule!(BC_6_01), 15),
            Self::BoltThrower | Self::ElvenBoltThrower => (rule!(BC_6_01), 40),
            Self::VolleyGun => (rule!(BC_7_07), 30),
            Self::Cannon | Self::StoneThrower | Self::Mangonel | Self::Bombard | Self::Trebuchet => {
                return self.breacher().map_or(Ok(()), |gun| gun.reaches(distance, "distance_cm"));
            }
        };
        in_range(rule, distance, (Centimetres::ZERO, Centimetres::whole(most)), "distance_cm")
    }

    /// The dice of a stand.
    fn attacks(self, attack: i32, distance: Centimetres, clerk: &mut impl Clerk) -> i32 {
        match self {
            Self::Handgun | Self::Bow | Self::Pistol => attack,
            Self::BoltThrower => clerk.value(rule!(BC_7_06), 2),
            Self::ElvenBoltThrower => clerk.value(rule!(BC_7_06), 3),
            Self::VolleyGun => {
                let near = |most| distance <= Centimetres::whole(most);
                clerk.value(
                    rule!(BC_7_07),
                    if near(10) {
                        8
                    } else if near(20) {
                        4
                    } else {
                        2
                    },
                )
            }
            Self::Cannon | Self::StoneThrower | Self::Mangonel | Self::Bombard | Self::Trebuchet => {
                self.breacher().map_or(0, |gun| gun.attacks(clerk))
            }
        }
    }

    /// What its shots leave of armour.
    fn against(self, armour: Armour, moment: Moment, clerk: &mut impl Clerk) -> Armour {
        match self {
            Self::Handgun | Self::VolleyGun if armour != Armour::NONE => {
                armour.worse(clerk.value(rule!(BC_6_05), 1))
            }
            Self::Handgun | Self::VolleyGun | Self::Bow | Self::Pistol | Self::ElvenBoltThrower => armour,
            Self::Cannon if moment == Moment::Charge => clerk.rather(rule!(BC_7_04), armour, Armour::NONE),
            Self::Cannon
            | Self::StoneThrower
            | Self::BoltThrower
            | Self::Mangonel
            | Self::Bombard
            | Self::Trebuchet => clerk.rather(rule!(BC_6_06), Armour::NONE, armour),
        }
    }
}

/// Whether the target can stand as it is said to.
fn check_target(target: &Target, moment: Moment) -> Verdict<()> {
    let refused = |rule, reason, field: &str| Err(Refusal::rule(rule, reason).at(field));
    if target.machine != Machine::None && rule!(BR_R05).holds(target.arm != Arm::Infantry) {
        return refused(rule!(BR_R05), phrase::INFANTRY_ONLY, "target.machine");
    }
    if target.cover != Cover::Open {
        if rule!(BC_8_7_02).holds(moment == Moment::Charge) {
            return refused(rule!(BC_8_7_02), phrase::CHARGERS_HAVE_NO_COVER, "target.cover");
        }
        if rule!(BC_14_6_01).holds(target.machine != Machine::None) {
            return refused(rule!(BC_14_6_01), phrase::MACHINE_IS_THE_TARGET, "target.cover");
        }
        if rule!(BC_8_7_01).holds(!target.arm.takes_cover()) {
            return refused(rule!(BC_8_7_01), phrase::NO_COVER_FOR_ARM, "target.cover");
        }
    }
    if target.machine != Machine::None && target.earlier_hits >= MACHINE_HITS {
        return Err(Refusal::rule(rule!(BC_14_6_01), phrase::MACHINE_IS_GONE)
            .at("target.earlier_hits")
            .with("most", MACHINE_HITS - 1));
    }
    Ok(())
}

/// Whether the shooters may shoot at it.
fn check_shooter(shooter: &Shooter, target: &Target, moment: Moment) -> Verdict<()> {
    let weapon = shooter.weapon;
    if moment == Moment::Charge {
        let rule = match weapon {
            Weapon::StoneThrower => Some(rule!(BC_7_05)),
            Weapon::Mangonel | Weapon::Bombard | Weapon::Trebuchet => Some(rule!(BR_R07)),
            _ => None,
        };
        if let Some(rule) = rule.filter(|rule| rule.holds(true)) {
            return Err(Refusal::rule(rule, phrase::NOT_AT_CHARGERS).at("shooter.weapon"));
        }
    }
    if weapon == Weapon::VolleyGun && rule!(BC_7_07).holds(shooter.stands > 1) {
        return Err(Refusal::rule(rule!(BC_7_07), phrase::ONE_VOLLEY_GUN).at("shooter.stands"));
    }
    if shooter.further_stands > 0 {
        let refused = |rule, reason| Err(Refusal::rule(rule, reason).at("shooter.further_stands"));
        if rule!(BC_7_03).holds(!weapon.bounces()) {
            return refused(rule!(BC_7_03), phrase::DOES_NOT_BOUNCE);
        }
        if rule!(BC_7_04).holds(moment == Moment::Charge) {
            return refused(rule!(BC_7_04), phrase::DOES_NOT_BOUNCE);
        }
        if rule!(BR_R68).holds(target.cover == Cover::Tower) {
            return refused(rule!(BR_R68), phrase::DOES_NOT_BOUNCE);
        }
    }
    Ok(())
}

/// What a volley rolls, if it may be shot.
///
/// # Errors
/// Out of range; a weapon, a cover or a machine that does not go with the rest.
pub fn aim(
    shooter: &Shooter,
    distance: Centimetres,
    target: &Target,
    moment: Moment,
    clerk: &mut impl Clerk,
) -> Verdict<Volley> {
    let weapon = shooter.weapon;
    check_shooter(shooter, target, moment)?;
    weapon.reaches(distance)?;
    check_target(target, moment)?;
    let each = weapon.attacks(shooter.attack, distance, clerk);
    let mut attacks = clerk.value(rule!(BC_6_02), shooter.stands * each);
    if shooter.further_stands > 0 {
        let ball = if weapon == Weapon::Bombard { rule!(BR_ARTILLERY_05) } else { rule!(BC_7_03) };
        attacks += clerk.modifier(ball, shooter.further_stands);
    }
    let covered = match target.cover {
        Cover::Open => 4,
        Cover::Defended => 5,
        Cover::Fortified | Cover::Tower => 6,
    };
    let mut face = clerk.value(rule!(BC_6_03), covered);
    if weapon.bounces() && target.cover != Cover::Open {
        face += clerk.modifier(rule!(BC_7_02), -1);
    }
    let armour = match target.machine {
        Machine::None => target.armour,
        Machine::Ram | Machine::SiegeTower | Machine::Sow => {
            clerk.rather(rule!(BC_14_6_01), Armour::MACHINE, target.armour)
        }
    };
    let armour = weapon.against(armour, moment, clerk);
    Ok(Volley { attacks, face, armour, gun: (weapon == Weapon::VolleyGun).then_some(moment) })
}

/// A one and a hit of a volley gun, read off the same dice.
const ONE: u32 = 1 << 8;

/// A ball that goes on through another unit: so many attacks, as a cannon strikes, without armour.
pub fn ball(attacks: i32, target: &Target, clerk: &mut impl Clerk) -> i32 {
    let covered = match target.cover {
        Cover::Open => 4,
        Cover::Defended => 5,
        Cover::Fortified | Cover::Tower => 6,
    };
    let mut face = clerk.value(rule!(BC_6_03), covered);
    if target.cover != Cover::Open {
        face += clerk.modifier(rule!(BC_7_02), -1);
    }
    let hits = shown(attacks, face, clerk);
    clerk.rather(rule!(BC_6_06), Armour::NONE, target.armour).unsaved(hits, clerk)
}

/// Shots at stands that are not protected alike (BR-R84), the least protected first: die by die, each die
/// needs the number of the first stand that is not used up; a stand is used up when the hits of this volley
/// reach its Hits. All volleys are those of one shooter. Armour is rolled after the whole volley.
pub fn roll_in_turn(volleys: &[Volley], hits_of_a_stand: i32, clerk: &mut impl Clerk) -> Struck {
    let Some(first) = volleys.first() else { return Struck::default() };
    let alike = volleys.iter().all(|volley| volley.face == first.face);
    if !clerk.holds(rule!(BR_R84), !alike) {
        return first.roll(clerk);
    }
    let (mut hits, mut ones) = (0, 0);
    for _ in 0..first.attacks {
        let used = usize::try_from(hits / hits_of_a_stand.max(1)).unwrap_or(0);
        let face = volleys.get(used).or(volleys.last()).map_or(first.face, |volley| volley.face);
        let die = i32::from(clerk.d6());
        hits += i32::from(die >= face);
        ones += u32::from(die == 1);
    }
    first.struck(ones, hits, clerk)
}

impl Volley {
    /// The dice of the attacks and of the armour.
    pub fn roll(&self, clerk: &mut impl Clerk) -> Struck {
        if self.gun.is_none() {
            let hits = shown(self.attacks, self.face, clerk);
            return Struck { unsaved: self.armour.unsaved(hits, clerk), gun_destroyed: false };
        }
        let worth = [1, 2, 3, 4, 5, 6].map(|face| if face == 1 { ONE } else { u32::from(face >= self.face) });
        let sum = clerk.tally(count(self.attacks), &Reading::worth(worth)).sum;
        let (ones, hits) = (sum / ONE, read(sum % ONE));
        self.struck(ones, hits, clerk)
    }

    /// Hits and ones are thrown: what the ones do to a volley gun, and armour.
    fn struck(&self, ones: u32, hits: i32, clerk: &mut impl Clerk) -> Struck {
        let Some(moment) = self.gun else {
            return Struck { unsaved: self.armour.unsaved(hits, clerk), gun_destroyed: false };
        };
        if clerk.holds(rule!(BC_7_08), ones >= 4) {
            let hits = if moment == Moment::Charge { 6 } else { 0 };
            return Struck { unsaved: self.armour.unsaved(hits, clerk), gun_destroyed: true };
        }
        let hits = if ones == 3 { clerk.rather(rule!(BC_7_08), 0, hits) } else { hits };
        Struck { unsaved: self.armour.unsaved(hits, clerk), gun_destroyed: false }
    }
}

/// What hits do to a unit or to its machine.
pub fn suffer(target: &Target, unsaved: i32, options: &Options, clerk: &mut impl Clerk) -> Suffered {
    if target.machine != Machine::None {
        let hits = target.earlier_hits + unsaved;
        let destroyed = clerk.holds(rule!(BC_14_6_01), hits >= MACHINE_HITS);
        let lost = match carried(hits, options, clerk) {
            0 => Casualties { stands: 0, odd_hits: if destroyed { 0 } else { hits }, all: false },
            over => casualties(target.stands, target.hits, over, clerk),
        };
        return Suffered {
            stands_lost: lost.stands,
            odd_hits: lost.odd_hits,
            machine_destroyed: destroyed,
            all: lost.all,
        };
    }
    let kept = target.earlier_hits % target.hits.max(1);
    let lost = casualties(target.stands, target.hits, kept + unsaved, clerk);
    Suffered { stands_lost: lost.stands, odd_hits: lost.odd_hits, machine_destroyed: false, all: lost.all }
}

/// The dice that drive a unit back at the end of the phase.
pub fn drive_back_dice(target: &Target, hits: i32, options: &Options, clerk: &mut impl Clerk) -> i32 {
    if target.machine != Machine::None && clerk.holds(rule!(BC_14_6_02), true) {
        return 0;
    }
    if clerk.holds(rule!(BC_17_01), target.fanatic) {
        return 0;
    }
    let in_tower = target.cover == Cover::Tower && options.tower_drive_back == TowerDriveBack::None;
    if clerk.holds(rule!(BR_R68), in_tower) {
        return 0;
    }
    let mut dice = clerk.value(rule!(BC_6_08), hits);
    match target.cover {
        Cover::Open => {}
        Cover::Defended => dice += clerk.modifier(rule!(BC_6_09), -1),
        Cover::Fortified | Cover::Tower => dice += clerk.modifier(rule!(BC_6_09), -2),
    }
    dice.max(0)
}

/// Drives a unit back by so many dice.
pub fn drive_back(target: &Target, dice: i32, clerk: &mut impl Clerk) -> Driven {
    if dice == 0 {
        return Driven::default();
    }
    let rolled = clerk.tally(count(dice), &Reading::SUM.marking(6));
    let cm = read(rolled.sum);
    let confused = clerk.holds(rule!(BC_6_10), rolled.marked);
    let pace = target.arm.full_pace(clerk);
    let routed = clerk.holds(rule!(BC_6_11), Centimetres::whole(cm) > pace);
    Driven { cm, confused, routed }
}
