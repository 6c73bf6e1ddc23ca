//! The umpire at the wall: an order, a bombardment, a volley, a round of combat, a kettle of oil.

use kernel::{Clerk, Question, Refusal, Stages, Verdict, Whole};
use rulebook::options::breach::{Options, RampartInside, StructureResistance};
use rulebook::{Asking, phrase::breach as phrase, question, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bombard::{self, Battering, Breacher, Element, Gun, RamItem, Standing};
use crate::combat::{self, Fight, Place, Round, Side};
use crate::command::{self, Character, Obeyed, Order, Ordered};
use crate::oil::{self, Below, Means, Poured};
use crate::shooting::{self, Cover, Driven, Moment, Shooter, Struck, Target, Volley, Weapon};
use crate::terms::{Arm, Armour, Cm, Item, Machine};

/// The questions of this page.
pub(super) fn questions() -> Vec<Asking> {
    vec![
        question::<OrderAsked>(),
        question::<Bombard>(),
        question::<Shoot>(),
        question::<Assault>(),
        question::<Oil>(),
    ]
}

/// The stands of a unit.
pub(super) type Stands = Whole<1, 4>;
/// The Hits of a stand.
pub(super) type Hits = Whole<1, 6>;

/// A list of as many things as may be: refused where it is empty or too long.
pub(super) fn counted<T>(list: &[T], field: &str, most: usize) -> Verdict<()> {
    if list.is_empty() || list.len() > most {
        return Err(Refusal::field(field, kernel::phrase::WRONG_LENGTH)
            .with("found", i64::try_from(list.len()).unwrap_or(i64::MAX))
            .with("expected", format!("1–{most}")));
    }
    Ok(())
}

/// The most units in a brigade, and the most guns at one element.
const MOST_IN_LIST: usize = 4;

/// `breach.order`
struct OrderAsked;

/// An order to a unit or a brigade.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OrderRequest {
    character: Character,
    /// His Command.
    command: Whole<1, 10>,
    /// The how-manieth order to these units in this phase; beyond 3 only in the classic edition.
    order: Option<Whole<1, 10>>,
    /// Whether the move before went wholly along a road.
    #[serde(default)]
    road: bool,
    /// Earlier blunders of 1 that weigh on the units.
    #[serde(default)]
    blunders: Whole<0, 6>,
    /// The unit, or the units of a brigade.
    #[schemars(length(min = 1, max = 4))]
    units: Vec<UnitAsked>,
}

/// A unit that is ordered.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UnitAsked {
    /// From the character.
    distance_cm: Cm,
    #[serde(default)]
    arm: Arm,
    #[serde(default)]
    lost_stands: Whole<0, 3>,
    /// Whether an enemy unit is within 20 cm of it.
    #[serde(default)]
    enemy_near: bool,
    /// Whether a stand of it is in dense ground.
    #[serde(default)]
    dense: bool,
    #[serde(default)]
    item: Item,
}

impl Question for OrderAsked {
    const NAME: &'static str = "breach.order";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = OrderRequest;
    type Answer = Obeyed;

    fn answer(request: &OrderRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<Obeyed> {
        if rule!(BC_4_3_01).holds(request.units.len() > MOST_IN_LIST) {
            return Err(Refusal::rule(rule!(BC_4_3_01), phrase::BRIGADE_TOO_LARGE).at("units"));
        }
        counted(&request.units, "units", MOST_IN_LIST)?;
        let units: Vec<Ordered> = request
            .units
            .iter()
            .map(|unit| Ordered {
                distance: unit.distance_cm.0,
                arm: unit.arm,
                lost_stands: unit.lost_stands.get(),
                enemy_near: unit.enemy_near,
                dense: unit.dense,
                item: unit.item,
            })
            .collect();
        let order = Order {
            character: request.character,
            command: request.command.get(),
            number: request.order.map_or(1, Whole::get),
            road: request.road,
            blunders: request.blunders.get(),
            units: &units,
        };
        command::give(&order, options, clerk)
    }
}

/// `breach.bombard`
struct Bombard;

/// Guns or a ram against an element, over some turns, without reactions.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BombardRequest {
    element: Element,
    /// Those it carries already.
    #[serde(default)]
    destruction_dice: Whole<0, 20>,
    /// Turns in a row; 1 unless said.
    turns: Option<Whole<1, 6>>,
    /// What the players agreed that it withstands, where they set resistances of their own.
    resistance: Option<Whole<1, 100>>,
    /// The guns, in the order of their dice.
    #[schemars(length(min = 1, max = 4))]
    guns: Option<Vec<GunAsked>>,
    /// Or a unit with a ram.
    ram: Option<RamAsked>,
}

/// A gun and its distance.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GunAsked {
    gun: Breacher,
    /// 1 unless said.
    stands: Option<Stands>,
    distance_cm: Cm,
}

/// A unit with a ram.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RamAsked {
    item: RamItem,
    /// 3 unless said.
    stands: Option<Stands>,
}

/// An element as it is battered: what it withstands, and with what.
struct Battered {
    battering: Battering,
    resistance: i32,
}

/// Where the walk of the odds stands: the element, and the hits of this turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Walk {
    standing: Standing,
    hits: i32,
}

impl BombardRequest {
    fn turns(&self) -> i32 {
        self.turns.map_or(1, Whole::get)
    }

    fn battered(&self, options: &Options, clerk: &mut impl Clerk) -> Verdict<Battered> {
        let battering = match (&self.guns, &self.ram) {
            (None, None) => return Err(Refusal::field("guns", phrase::GUNS_OR_RAM)),
            (Some(_), Some(_)) => return Err(Refusal::field("ram", phrase::GUNS_OR_RAM)),
            (Some(guns), None) => {
                counted(guns, "guns", MOST_IN_LIST)?;
                let guns = guns.iter().map(|gun| Gun {
                    gun: gun.gun,
                    stands: gun.stands.map_or(1, Whole::get),
                    distance: gun.distance_cm.0,
                });
                Battering::Guns(guns.collect())
            }
            (None, Some(ram)) => Battering::Ram { item: ram.item, stands: ram.stands.map_or(3, Whole::get) },
        };
        battering.check()?;
        let resistance = resistance(self.element, self.resistance.map(Whole::get), options, clerk)?;
        Ok(Battered { battering, resistance })
    }

    fn untouched(&self) -> Standing {
        Standing { destroyed: false, turn: 0, destruction_dice: self.destruction_dice.get() }
    }
}

/// What an element withstands: its own resistance, or one that the players have set, for this element
/// alone or in the options.
///
/// # Errors
/// When a resistance is named although the table is used, or resistances do not go together.
pub(super) fn resistance(
    element: Element,
    named: Option<i32>,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Verdict<i32> {
    bombard::agreed(options)?;
    match (named, options.structure_resistance) {
        (None, _) => Ok(element.resistance(options, clerk)),
        (Some(named), StructureResistance::Custom) => Ok(clerk.value(rule!(BR_R02), named)),
        (Some(_), _) => Err(Refusal::rule(rule!(BR_R02), phrase::RESISTANCE_OF_THE_TABLE).at("resistance")),
    }
}

/// What a test leaves of an element.
const fn standing(left: Option<i32>, turn: i32) -> Standing {
    match left {
        None => Standing { destroyed: true, turn, destruction_dice: 0 },
        Some(destruction_dice) => Standing { destroyed: false, turn: 0, destruction_dice },
    }
}

impl Question for Bombard {
    const NAME: &'static str = "breach.bombard";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = BombardRequest;
    type Answer = Standing;

    fn answer(request: &BombardRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<Standing> {
        let Battered { battering, resistance } = request.battered(options, clerk)?;
        let mut element = request.untouched();
        for turn in 1..=request.turns() {
            let left = bombard::turn(&battering, resistance, element.destruction_dice, options, clerk);
            element = standing(left, turn);
            if element.destroyed {
                break;
            }
        }
        Ok(element)
    }

    fn stages(request: &BombardRequest, options: &Options) -> Verdict<Stages<Standing>> {
        let mut battered = None;
        let mut walk = Stages::first(|clerk| {
            battered = Some(request.battered(options, clerk)?);
            Ok(Walk { standing: request.untouched(), hits: 0 })
        })?;
        let Some(Battered { battering, resistance }) = battered else {
            return walk.then(|walk, _| Ok(walk.standing));
        };
        for turn in 1..=request.turns() {
            for gun in battering.guns() {
                walk = walk.then(|walk, clerk| {
                    let hits = if walk.standing.destroyed { 0 } else { bombard::shoot_at(gun, clerk) };
                    Ok(Walk { hits: walk.hits + hits, ..*walk })
                })?;
            }
            walk = walk.then(|walk, clerk| {
                if walk.standing.destroyed {
                    return Ok(*walk);
                }
                let hits = walk.hits + battering.certain_hits(options, clerk);
                let dice = walk.standing.destruction_dice;
                let left = bombard::tested(&battering, resistance, hits, dice, clerk);
                Ok(Walk { standing: standing(left, turn), hits: 0 })
            })?;
        }
        walk.then(|walk, _| Ok(walk.standing))
    }
}

/// `breach.shoot`
struct Shoot;

/// A volley and its target.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ShootRequest {
    shooter: ShooterAsked,
    distance_cm: Cm,
    target: TargetAsked,
    /// Whether the target is charging: it is shot at before the fight.
    #[serde(default)]
    at_charger: bool,
    /// Whether the target is driven back now; true unless said.
    drive_back: Option<bool>,
}

/// Who shoots.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ShooterAsked {
    weapon: Weapon,
    /// Those in range that see.
    stands: Stands,
    /// The shooting Attack of a stand, 1 unless said; artillery has its own.
    attack: Option<Whole<1, 3>>,
    /// Further stands of the target that the ball of a cannon or bombard goes through.
    #[serde(default)]
    further_stands: Whole<0, 3>,
}

/// Who is shot at.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TargetAsked {
    stands: Stands,
    hits: Hits,
    #[serde(default)]
    armour: Armour,
    #[serde(default)]
    arm: Arm,
    #[serde(default)]
    cover: Cover,
    /// Unsaved hits of this phase so far: of the machine, if there is one.
    #[serde(default)]
    earlier_hits: Whole<0, 12>,
    /// The covered machine of the unit.
    #[serde(default)]
    machine: Machine,
    #[serde(default)]
    fanatic: bool,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
struct ShootAnswer {
    /// The dice of the attacks.
    attacks: i32,
    /// Hits that no armour stopped, as rolled.
    unsaved: i32,
    stands_lost: i32,
    /// Hits left over, before they are dropped.
    odd_hits: i32,
    /// The sum of the drive back, that of a rout too.
    driven_cm: i32,
    confused: bool,
    routed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    machine_destroyed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gun_destroyed: Option<bool>,
}

impl ShootRequest {
    fn target(&self) -> Target {
        let target = &self.target;
        Target {
            stands: target.stands.get(),
            hits: target.hits.get(),
            armour: target.armour,
            arm: target.arm,
            cover: target.cover,
            earlier_hits: target.earlier_hits.get(),
            machine: target.machine,
            fanatic: target.fanatic,
        }
    }

    fn volley(&self, clerk: &mut impl Clerk) -> Verdict<Volley> {
        let shooter = &self.shooter;
        if shooter.attack.is_some() && !shooter.weapon.is_small() {
            return Err(Refusal::field("shooter.attack", phrase::ATTACK_OF_ARTILLERY));
        }
        let shooters = Shooter {
            weapon: shooter.weapon,
            stands: shooter.stands.get(),
            attack: shooter.attack.map_or(1, Whole::get),
            further_stands: shooter.further_stands.get(),
        };
        let moment = if self.at_charger { Moment::Charge } else { Moment::Phase };
        shooting::aim(&shooters, self.distance_cm.0, &self.target(), moment, clerk)
    }

    /// What the hits do, and how far the target is driven.
    fn end(&self, attacks: i32, struck: Struck, options: &Options, clerk: &mut impl Clerk) -> ShootAnswer {
        let target = self.target();
        let suffered = shooting::suffer(&target, struck.unsaved, options, clerk);
        let hits = target.earlier_hits + struck.unsaved;
        let driven = if suffered.all || hits == 0 || self.drive_back == Some(false) {
            Driven::default()
        } else if self.at_charger {
            clerk.rather(rule!(BC_6_12), Driven::default(), Driven { confused: true, ..Driven::default() })
        } else {
            let dice = shooting::drive_back_dice(&target, hits, options, clerk);
            shooting::drive_back(&target, dice, clerk)
        };
        ShootAnswer {
            attacks,
            unsaved: struck.unsaved,
            stands_lost: suffered.stands_lost,
            odd_hits: suffered.odd_hits,
            driven_cm: driven.cm,
            confused: driven.confused,
            routed: driven.routed,
            machine_destroyed: (target.machine != Machine::None).then_some(suffered.machine_destroyed),
            gun_destroyed: (self.shooter.weapon == Weapon::VolleyGun).then_some(struck.gun_destroyed),
        }
    }
}

impl Question for Shoot {
    const NAME: &'static str = "breach.shoot";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = ShootRequest;
    type Answer = ShootAnswer;

    fn answer(request: &ShootRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<ShootAnswer> {
        let volley = request.volley(clerk)?;
        let struck = volley.roll(clerk);
        Ok(request.end(volley.attacks, struck, options, clerk))
    }

    fn stages(request: &ShootRequest, options: &Options) -> Verdict<Stages<ShootAnswer>> {
        Stages::first(|clerk| {
            let volley = request.volley(clerk)?;
            Ok((volley.attacks, volley.roll(clerk)))
        })?
        .then(|&(attacks, struck), clerk| Ok(request.end(attacks, struck, options, clerk)))
    }
}

/// `breach.assault`
struct Assault;

/// A round of combat.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AssaultRequest {
    place: Place,
    /// Whether the attackers have charged; true unless said.
    charges: Option<bool>,
    /// How far the enemy they pursue has retreated: instead of the charge.
    pursues_cm: Option<Cm>,
    attacker: AttackerAsked,
    defender: DefenderAsked,
}

/// What a side may be said to have.
macro_rules! side {
    ($(#[$meta:meta])* $name:ident, $least:literal $(, $(#[$more:meta])* $field:ident: $type:ty)?) => {
        $(#[$meta])*
        #[derive(Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        struct $name {
            /// Those that fight.
            stands: Stands,
            /// The Attack of a stand.
            attack: Whole<$least, 6>,
            hits: Hits,
            #[serde(default)]
            armour: Armour,
            /// The rest of the unit.
            #[serde(default)]
            behind: Whole<0, 3>,
            /// Hits kept from before, below the Hits of a stand.
            #[serde(default)]
            odd_hits: Whole<0, 5>,
            /// Unsaved hits it took before the round that count for the enemy's score.
            #[serde(default)]
            before: Whole<0, 12>,
            /// The Attack of the character with it.
            #[serde(default)]
            character: Whole<0, 4>,
            /// Supporting stands, in the field.
            #[serde(default)]
            supports: Whole<0, 6>,
            #[serde(default)]
            confused: bool,
            /// Whether it touches an enemy who spreads terror.
            #[serde(default)]
            terror: bool,
            /// Stands with an enemy at their side or rear, in the field.
            #[serde(default)]
            flanked: Whole<0, 4>,
            /// Its units, 1 unless said: the retreat is divided by them.
            units: Option<Whole<1, 4>>,
            $($(#[$more])* $field: $type,)?
        }

        impl $name {
            fn side(&self) -> Side {
                Side {
                    stands: self.stands.get(),
                    attack: self.attack.get(),
                    hits: self.hits.get(),
                    armour: self.armour,
                    behind: self.behind.get(),
                    odd_hits: self.odd_hits.get(),
                    before: self.before.get(),
                    character: self.character.get(),
                    supports: self.supports.get(),
                    confused: self.confused,
                    terror: self.terror,
                    flanked: self.flanked.get(),
                    units: self.units.map_or(1, Whole::get),
                }
            }
        }
    };
}

side!(
    /// Those who attack.
    AttackerAsked, 1,
    /// What they are.
    #[serde(default)]
    arm: Fighting
);
side!(
    /// Those who are attacked.
    DefenderAsked, 0
);

/// The arms that can attack: artillery does not.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Fighting {
    #[default]
    Infantry,
    Cavalry,
    Chariot,
    Monster,
    Flyer,
}

impl From<Fighting> for Arm {
    fn from(fighting: Fighting) -> Self {
        match fighting {
            Fighting::Infantry => Self::Infantry,
            Fighting::Cavalry => Self::Cavalry,
            Fighting::Chariot => Self::Chariot,
            Fighting::Monster => Self::Monster,
            Fighting::Flyer => Self::Flyer,
        }
    }
}

/// The farthest anybody is pursued.
const FARTHEST_PURSUIT: i32 = 60;

impl AssaultRequest {
    fn fight(&self, options: &Options) -> Verdict<Fight> {
        if let Some(Cm(distance)) = self.pursues_cm
            && distance > kernel::Centimetres::whole(FARTHEST_PURSUIT)
        {
            return Err(Refusal::field("pursues_cm", kernel::phrase::IMPOSSIBLE_VALUE)
                .with("found", distance.to_string())
                .with("expected", format!("0–{FARTHEST_PURSUIT}")));
        }
        let fight = Fight {
            place: self.place,
            charges: self.charges.unwrap_or(true),
            pursues: self.pursues_cm.map(|distance| distance.0),
            arm: self.attacker.arm.into(),
            exposed: options.rampart_inside == RampartInside::Open,
            attacker: self.attacker.side(),
            defender: self.defender.side(),
        };
        combat::check(&fight)?;
        Ok(fight)
    }
}

impl Question for Assault {
    const NAME: &'static str = "breach.assault";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = AssaultRequest;
    type Answer = Round;

    fn answer(request: &AssaultRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<Round> {
        Ok(combat::round(&request.fight(options)?, options, clerk))
    }

    fn stages(request: &AssaultRequest, options: &Options) -> Verdict<Stages<Round>> {
        let fight = request.fight(options)?;
        Stages::first(|clerk| Ok(combat::attackers_strike(&fight, clerk)))?.then(|&attackers, clerk| {
            let defenders = combat::defenders_strike(&fight, clerk);
            Ok(combat::decide(&fight, attackers, defenders, options, clerk))
        })
    }
}

/// `breach.oil`
struct Oil;

/// Oil or rocks on an attack.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OilRequest {
    /// With what the works are attacked.
    item: Means,
    stands: Stands,
    hits: Hits,
    #[serde(default)]
    armour: Armour,
    /// Unsaved hits of reactions to this attack so far: of the machine, if it is covered.
    #[serde(default)]
    earlier_hits: Whole<0, 5>,
}

impl Question for Oil {
    const NAME: &'static str = "breach.oil";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = OilRequest;
    type Answer = Poured;

    fn answer(request: &OilRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<Poured> {
        let below = Below {
            means: request.item,
            stands: request.stands.get(),
            hits: request.hits.get(),
            armour: request.armour,
            earlier_hits: request.earlier_hits.get(),
        };
        oil::pour(&below, options, clerk)
    }
}
