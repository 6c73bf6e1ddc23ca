//! The umpire among the works: what falls, a ram and those above it, spades.

use std::collections::BTreeMap;

use kernel::{Clerk, Question, Refusal, Stages, Verdict, Whole};
use rulebook::options::breach::Options;
use rulebook::{Asking, phrase::breach as phrase, question, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contact;
use super::wall::{Hits, Stands, counted, resistance};
use crate::bombard::{Element, RamItem};
use crate::collapse::{self, Fate, Remains, Ruin};
use crate::earthworks::{self, Diggers};
use crate::oil::{Below, Means};
use crate::ram::{self, Attempt, Rammed, Reaction};
use crate::shooting::{Shooter, Weapon};
use crate::terms::{Arm, Armour, Cm};

/// The questions of this page.
pub(super) fn questions() -> Vec<Asking> {
    vec![question::<Collapse>(), contact::asking(), question::<Ram>(), question::<Earthwork>()]
}

/// `breach.collapse`
struct Collapse;

/// An element that falls, and those on it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CollapseRequest {
    element: Element,
    /// The units with stands on it.
    #[serde(default)]
    #[schemars(length(max = 8))]
    units: Vec<OnItAsked>,
    /// The characters on it.
    #[serde(default)]
    #[schemars(length(max = 4))]
    characters: Vec<CharacterAsked>,
}

/// A unit, in line.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OnItAsked {
    /// All its stands.
    stands: Stands,
    /// Those on the element, counted along the line from 1.
    on: Vec<Stands>,
}

/// A character on the element.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CharacterAsked {
    /// The unit he is with, counted from 1 in the list; alone unless said.
    with: Option<Whole<1, 8>>,
    /// How far the nearest friendly unit is that he may join.
    friend_cm: Option<Cm>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
struct CollapseAnswer {
    /// What the place becomes.
    ruin: Ruin,
    /// Stands lost in all.
    stands_lost: i32,
    /// What is left of each unit, in the order of the request.
    units: Vec<Remains>,
    /// What each character does.
    characters: Vec<Fate>,
}

/// The most units and characters on one element.
const MOST_ON_IT: usize = 8;

/// A list that may be empty, but not longer than this.
fn at_most<T>(list: &[T], field: &str, most: usize) -> Verdict<()> {
    if list.is_empty() { Ok(()) } else { counted(list, field, most) }
}

impl Question for Collapse {
    const NAME: &'static str = "breach.collapse";
    type Options = Options;
    type Request = CollapseRequest;
    type Answer = CollapseAnswer;

    fn answer(request: &CollapseRequest, _: &Options, clerk: &mut impl Clerk) -> Verdict<CollapseAnswer> {
        at_most(&request.units, "units", MOST_ON_IT)?;
        at_most(&request.characters, "characters", MOST_ON_IT)?;
        let ruin = collapse::ruin(request.element, clerk);
        let mut units = Vec::new();
        for (place, unit) in request.units.iter().enumerate() {
            let on = |stand: i32| unit.on.iter().any(|on| on.get() == stand);
            if let Some(far) = unit.on.iter().find(|on| on.get() > unit.stands.get()) {
                return Err(Refusal::field(format!("units.{place}.on"), phrase::MORE_THAN_STANDS)
                    .with("stands", unit.stands.get())
                    .with("found", far.get()));
            }
            let twice = unit
                .on
                .iter()
                .enumerate()
                .find(|(at, on)| unit.on.iter().take(*at).any(|other| other == *on));
            if let Some((_, on)) = twice {
                return Err(
                    Refusal::field(format!("units.{place}.on"), phrase::STAND_TWICE).with("found", on.get())
                );
            }
            let on_it: Vec<bool> = (1..=unit.stands.get()).map(on).collect();
            units.push(collapse::remains(request.element, &on_it, clerk));
        }
        let mut characters = Vec::new();
        for (place, character) in request.characters.iter().enumerate() {
            let with = character.with.map(|with| usize::try_from(with.get() - 1).unwrap_or(usize::MAX));
            let unit = with.map(|with| units.get(with));
            if unit == Some(None) {
                return Err(Refusal::field(format!("characters.{place}.with"), phrase::NO_UNIT_OF_THAT_RANK));
            }
            let destroyed = unit.flatten().is_some_and(|unit| unit.destroyed);
            // Stands of his own unit that survive are the nearest friends there are.
            let survivors = unit.flatten().filter(|unit| !unit.destroyed).map(|_| kernel::Centimetres::ZERO);
            let friend = survivors.or(character.friend_cm.map(|distance| distance.0));
            characters.push(collapse::fate(request.element, destroyed, friend, clerk));
        }
        let stands_lost = units.iter().map(|unit| unit.stands_lost).sum();
        Ok(CollapseAnswer { ruin, stands_lost, units, characters })
    }
}

/// `breach.ram`
struct Ram;

/// An attempt with a ram, with the reactions of those above in their order.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RamRequest {
    element: Element,
    #[serde(default)]
    destruction_dice: Whole<0, 20>,
    /// What the players agreed that it withstands, where they set resistances of their own.
    resistance: Option<Whole<1, 100>>,
    item: RamItem,
    stands: Stands,
    hits: Hits,
    #[serde(default)]
    armour: Armour,
    /// Whether it is the turn of its own side; true unless said.
    own_turn: Option<bool>,
    #[serde(default)]
    confused: bool,
    /// Whether it fights troops on the ground.
    #[serde(default)]
    engaged: bool,
    /// What the defenders do before the attempt, unit by unit.
    #[serde(default)]
    #[schemars(length(max = 4))]
    reactions: Vec<ReactionAsked>,
}

/// What one unit does: oil, or shots.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReactionAsked {
    /// Whether it pours oil or throws rocks.
    #[serde(default)]
    oil: bool,
    /// Or with what it shoots.
    weapon: Option<Weapon>,
    /// Stands that shoot; 1 unless said.
    stands: Option<Stands>,
    /// The shooting Attack of a stand, 1 unless said; artillery has its own.
    attack: Option<Whole<1, 3>>,
    /// Those of its stands that are on the element; 1 unless said.
    on_element: Option<Whole<0, 4>>,
}

impl ReactionAsked {
    fn reaction(&self, place: usize) -> Verdict<Reaction> {
        let field = |name: &str| format!("reactions.{place}.{name}");
        match (self.oil, self.weapon) {
            (true, Some(_)) if rule!(BR_RAMMING_11).holds(true) => {
                Err(Refusal::rule(rule!(BR_RAMMING_11), phrase::OIL_OR_SHOTS).at(field("weapon")))
            }
            (true, _) => match (self.stands, self.attack) {
                (Some(_), _) => Err(Refusal::field(field("stands"), phrase::OIL_OR_SHOTS)),
                (_, Some(_)) => Err(Refusal::field(field("attack"), phrase::OIL_OR_SHOTS)),
                (None, None) => Ok(Reaction::Oil),
            },
            (false, None) => Err(Refusal::field(field("weapon"), phrase::OIL_OR_SHOTS)),
            (false, Some(weapon)) => {
                if self.attack.is_some() && !weapon.is_small() {
                    return Err(Refusal::field(field("attack"), phrase::ATTACK_OF_ARTILLERY));
                }
                let shooter = Shooter {
                    weapon,
                    stands: self.stands.map_or(1, Whole::get),
                    attack: self.attack.map_or(1, Whole::get),
                    further_stands: 0,
                };
                Ok(Reaction::Shots { shooter, on_element: self.on_element.map_or(1, Whole::get) })
            }
        }
    }
}

/// An attempt that may be made.
struct Made {
    unit: Below,
    resistance: i32,
    reactions: Vec<Reaction>,
}

/// The most units that react.
const MOST_REACTIONS: usize = 4;

impl RamRequest {
    fn made(&self, options: &Options, clerk: &mut impl Clerk) -> Verdict<Made> {
        at_most(&self.reactions, "reactions", MOST_REACTIONS)?;
        let unit = Below {
            means: match self.item {
                RamItem::Ram => Means::Ram,
                RamItem::PortableRam => Means::PortableRam,
            },
            stands: self.stands.get(),
            hits: self.hits.get(),
            armour: self.armour,
            earlier_hits: 0,
        };
        ram::may_try(&Attempt {
            unit,
            own_turn: self.own_turn.unwrap_or(true),
            confused: self.confused,
            engaged: self.engaged,
        })?;
        let reactions = self.reactions.iter().enumerate().map(|(place, one)| one.reaction(place));
        let reactions: Vec<Reaction> = reactions.collect::<Verdict<_>>()?;
        ram::check_reactions(&reactions)?;
        let resistance = resistance(self.element, self.resistance.map(Whole::get), options, clerk)?;
        Ok(Made { unit, resistance, reactions })
    }

    /// A refusal inside a reaction, by its place in the list.
    fn within(place: usize) -> impl Fn(Refusal) -> Refusal {
        move |refusal| {
            let field = refusal.field.as_deref().map(|field| field.trim_start_matches("shooter."));
            Refusal { field: field.map(|field| format!("reactions.{place}.{field}")), ..refusal }
        }
    }
}

impl Question for Ram {
    const NAME: &'static str = "breach.ram";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = RamRequest;
    type Answer = Rammed;

    fn answer(request: &RamRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<Rammed> {
        let Made { unit, resistance, reactions } = request.made(options, clerk)?;
        let mut rammers = ram::untouched(&unit);
        for (place, reaction) in reactions.iter().enumerate() {
            rammers =
                ram::react(&unit, rammers, reaction, options, clerk).map_err(RamRequest::within(place))?;
        }
        let dice = request.destruction_dice.get();
        Ok(ram::attempt(&unit, rammers, resistance, dice, options, clerk))
    }

    fn stages(request: &RamRequest, options: &Options) -> Verdict<Stages<Rammed>> {
        let mut made = None;
        let start = Stages::first(|clerk| {
            made = Some(request.made(options, clerk)?);
            Ok(())
        })?;
        let Some(Made { unit, resistance, reactions }) = made else {
            return Stages::first(|clerk| Self::answer(request, options, clerk));
        };
        let mut rammers = start.then(|(), _| Ok(ram::untouched(&unit)))?;
        for (place, reaction) in reactions.iter().enumerate() {
            rammers = rammers.then(|rammers, clerk| {
                ram::react(&unit, *rammers, reaction, options, clerk).map_err(RamRequest::within(place))
            })?;
        }
        let dice = request.destruction_dice.get();
        rammers.then(|rammers, clerk| Ok(ram::attempt(&unit, *rammers, resistance, dice, options, clerk)))
    }
}

/// `breach.earthwork`
struct Earthwork;

/// Stands that dig at earthworks, each at a section named beforehand.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EarthworkRequest {
    /// In the order of their dice.
    #[schemars(length(min = 1, max = 4))]
    stands: Vec<DiggerAsked>,
    #[serde(default)]
    arm: Arm,
    #[serde(default)]
    engaged: bool,
    /// Whether it is the turn of their own side; true unless said.
    own_turn: Option<bool>,
}

/// A stand in contact with a section.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DiggerAsked {
    attack: Whole<0, 6>,
    /// The name of the section.
    section: String,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
struct EarthworkAnswer {
    /// The dice of all stands.
    dice: i32,
    /// Sections that are removed, by name.
    destroyed: Vec<String>,
    /// Sections that stay.
    standing: Vec<String>,
}

impl Question for Earthwork {
    const NAME: &'static str = "breach.earthwork";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = EarthworkRequest;
    type Answer = EarthworkAnswer;

    fn answer(
        request: &EarthworkRequest,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<EarthworkAnswer> {
        counted(&request.stands, "stands", 4)?;
        let diggers = Diggers {
            arm: request.arm,
            engaged: request.engaged,
            own_turn: request.own_turn.unwrap_or(true),
        };
        earthworks::may_dig(&diggers, options)?;
        let mut sections = BTreeMap::<&str, bool>::new();
        clerk.applied(rule!(BR_EARTHWORKS_15));
        for stand in &request.stands {
            let gone = earthworks::dig(stand.attack.get(), clerk);
            // A six at one section never counts at another.
            *sections.entry(&stand.section).or_insert(false) |= clerk.holds(rule!(BR_EARTHWORKS_16), gone);
        }
        let named = |gone: bool| {
            sections.iter().filter(|(_, is)| **is == gone).map(|(name, _)| (*name).to_owned()).collect()
        };
        Ok(EarthworkAnswer {
            dice: request.stands.iter().map(|stand| stand.attack.get()).sum(),
            destroyed: named(true),
            standing: named(false),
        })
    }
}
