//! The umpire where bodies meet at the wall: who reaches whom, and how far the fight goes.

use std::collections::BTreeSet;

use kernel::{Clerk, Question, Refusal, Stages, Verdict, Whole};
use rulebook::options::breach::Options;
use rulebook::{Asking, phrase::breach as phrase, question, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wall::{Hits, Stands, counted};
use crate::combat::Place;
use crate::contact::{Charge, Contact, Section, Status, Way};
use crate::engagement::{self, Body, Course, End, Engagement, Front, Profile};
use crate::terms::{Arm, Armour};

/// The question of this page.
pub(super) fn asking() -> Asking {
    question::<ContactAsked>()
}

/// `breach.contact`
struct ContactAsked;

/// A charge at a wall or at a tower; with profiles, also how the fight ends.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ContactRequest {
    /// A charge at sections of wall and breaches.
    wall: Option<WallAsked>,
    /// Or stands at the sides of a tower.
    tower: Option<TowerAsked>,
    /// Who fights: without it the answer says only who touches what.
    fight: Option<FightAsked>,
}

/// A chain of sections and the charge at it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WallAsked {
    /// In order along the wall.
    #[schemars(length(min = 1, max = 24))]
    sections: Vec<SectionAsked>,
    /// The name of the first target.
    target: String,
    /// The stands of the charging unit.
    stands: Stands,
    /// How it comes up a standing wall.
    #[serde(default)]
    way: Way,
    /// The sections its stands can reach; all unless said.
    reach: Option<Vec<String>>,
    /// Sections it attacks without having to.
    #[serde(default)]
    also: Vec<String>,
}

/// A section.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SectionAsked {
    name: String,
    #[serde(default)]
    status: Status,
    /// The unit with a stand on it.
    unit: Option<String>,
}

/// Stands at the sides of a tower, each of another unit.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TowerAsked {
    /// Sides that are attacked.
    sides: Whole<1, 6>,
    /// Stands in the tower.
    stands: Whole<1, 8>,
    /// Stands of each attacking unit, the one that fights included; 3 unless said.
    attackers: Option<Stands>,
    /// Whether flyers attack.
    #[serde(default)]
    flyers: bool,
}

/// The two sides.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FightAsked {
    attacker: ProfileAsked,
    defender: ProfileAsked,
    /// Unsaved hits of reactions, which count for the defenders in the first round.
    #[serde(default)]
    before: Whole<0, 12>,
    /// At a tower, a second round where the first is won; 1 unless said.
    rounds: Option<Whole<1, 2>>,
}

/// The profile of a stand.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ProfileAsked {
    attack: Whole<0, 6>,
    hits: Hits,
    #[serde(default)]
    armour: Armour,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
struct ContactAnswer {
    /// Sections that must be attacked, as far as stands and movement allow.
    must: Vec<String>,
    /// Sections that may be attacked besides.
    may: Vec<String>,
    /// Sections that are touched; sides, of a tower.
    touches: Vec<String>,
    /// Sections whose defenders fight; sides with a stand of their own, of a tower.
    fights: Vec<String>,
    /// Stands of the attackers that do not fight.
    behind: i32,
    /// How the fight ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<End>,
}

/// Who meets whom: what is said of it, and the fight that follows.
struct Met {
    answer: ContactAnswer,
    fight: Option<(Engagement, Course)>,
}

/// The most sections in a chain.
const MOST_SECTIONS: usize = 24;

fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

impl From<ProfileAsked> for Profile {
    fn from(asked: ProfileAsked) -> Self {
        Self { attack: asked.attack.get(), hits: asked.hits.get(), armour: asked.armour }
    }
}

impl WallAsked {
    /// The place of a section by its name.
    fn place(&self, name: &str, field: &str) -> Verdict<usize> {
        self.sections
            .iter()
            .position(|section| section.name == name)
            .ok_or_else(|| Refusal::field(field, phrase::NO_SUCH_SECTION).with("name", name))
    }

    fn places(&self, names: &[String], field: &str) -> Verdict<Vec<usize>> {
        names.iter().map(|name| self.place(name, field)).collect()
    }

    fn met(&self, fight: Option<&FightAsked>, clerk: &mut impl Clerk) -> Verdict<Met> {
        counted(&self.sections, "wall.sections", MOST_SECTIONS)?;
        for (place, section) in self.sections.iter().enumerate() {
            if self.sections.iter().take(place).any(|other| other.name == section.name) {
                return Err(Refusal::field(format!("wall.sections.{place}.name"), phrase::NAME_TWICE)
                    .with("name", section.name.as_str()));
            }
        }
        let sections: Vec<Section> = self
            .sections
            .iter()
            .map(|section| Section { status: section.status, unit: section.unit.clone() })
            .collect();
        let reach = match &self.reach {
            Some(names) => self.places(names, "wall.reach")?,
            None => (0..sections.len()).collect(),
        };
        let charge = Charge {
            sections: &sections,
            target: self.place(&self.target, "wall.target")?,
            stands: usize::try_from(self.stands.get()).unwrap_or(1),
            way: self.way,
            reach: &reach,
            also: &self.places(&self.also, "wall.also")?,
        };
        let contact = charge.contact(clerk).map_err(|refusal| Refusal {
            field: refusal.field.map(|field| format!("wall.{field}")),
            ..refusal
        })?;
        let fight =
            fight.map(|fight| self.engagement(fight, &sections, charge.target, &contact)).transpose()?;
        let names = |places: &[usize]| {
            places.iter().filter_map(|place| Some(self.sections.get(*place)?.name.clone())).collect()
        };
        let answer = ContactAnswer {
            must: names(&contact.must),
            may: names(&contact.may),
            touches: names(&contact.touches),
            fights: names(&contact.fights),
            behind: number(contact.behind),
            end: None,
        };
        Ok(Met { answer, fight })
    }

    /// The fight at the sections touched: the standing ones and the breaches are a front each.
    fn engagement(
        &self,
        fight: &FightAsked,
        sections: &[Section],
        target: usize,
        contact: &Contact,
    ) -> Verdict<(Engagement, Course)> {
        if fight.rounds.is_some_and(|rounds| rounds.get() > 1) {
            return Err(Refusal::rule(rule!(BC_14_4_06), phrase::ONE_ROUND_HERE).at("fight.rounds"));
        }
        let units: BTreeSet<Option<&str>> =
            contact.fights.iter().filter_map(|place| Some(sections.get(*place)?.unit.as_deref())).collect();
        if rule!(BR_R81).holds(units.len() > 1) {
            return Err(Refusal::rule(rule!(BR_R81), phrase::SEVERAL_HOLDERS).at("fight"));
        }
        let place = |status: Status| match (status, self.way) {
            (Status::Breach, _) => Place::Defended,
            (Status::Tower, _) => Place::Tower,
            (_, Way::SiegeTower) => Place::SiegeTower,
            _ => Place::Wall,
        };
        let of = |status: Status, places: &[usize]| {
            let is = |place: &&usize| sections.get(**place).is_some_and(|section| section.status == status);
            number(places.iter().filter(is).count())
        };
        let first = sections.get(target).map_or(Status::Standing, |section| section.status);
        let others = [Status::Standing, Status::Breach].into_iter().filter(|status| *status != first);
        let front = |status: Status| Front {
            place: place(status),
            unit: 0,
            stands: of(status, &contact.touches),
            striking: of(status, &contact.fights),
        };
        let fronts: Vec<Front> = std::iter::once(first)
            .chain(others)
            .map(front)
            .filter(|front| front.stands + front.striking > 0)
            .collect();
        let engagement = Engagement {
            fronts,
            arm: if self.way == Way::Wings { Arm::Flyer } else { Arm::Infantry },
            attacker: fight.attacker.into(),
            defender: fight.defender.into(),
            before: fight.before.get(),
            rounds: 1,
        };
        let attackers = Body { stands: self.stands.get(), odd_hits: 0 };
        let defenders = Body { stands: number(contact.fights.len()), odd_hits: 0 };
        Ok((engagement, engagement::begun(vec![attackers], defenders)))
    }
}

impl TowerAsked {
    fn met(&self, fight: Option<&FightAsked>, clerk: &mut impl Clerk) -> Verdict<Met> {
        let again = fight.is_some_and(|fight| fight.rounds.is_some_and(|rounds| rounds.get() > 1));
        if rule!(BR_FLYERS_03).holds(self.flyers && again) {
            return Err(Refusal::rule(rule!(BR_FLYERS_03), phrase::FLYERS_STAY).at("fight.rounds"));
        }
        let sides = self.sides.get();
        let each = clerk.limit(rule!(BR_TOWERS_07), 1);
        clerk.applied(rule!(BR_TOWERS_08));
        let opposed = clerk.value(rule!(BR_TOWERS_09), 1);
        let stands = self.attackers.map_or(3, Whole::get);
        let named = |count: i32| (1..=count).map(|side| side.to_string()).collect::<Vec<_>>();
        let answer = ContactAnswer {
            must: Vec::new(),
            may: Vec::new(),
            touches: named(sides),
            fights: named(sides.min(self.stands.get())),
            behind: sides * (stands - each),
            end: None,
        };
        let fight = fight.map(|fight| {
            let fronts = (0..sides).map(|side| Front {
                place: Place::Tower,
                unit: usize::try_from(side).unwrap_or(0),
                stands: each,
                striking: opposed,
            });
            let engagement = Engagement {
                fronts: fronts.collect(),
                arm: if self.flyers { Arm::Flyer } else { Arm::Infantry },
                attacker: fight.attacker.into(),
                defender: fight.defender.into(),
                before: fight.before.get(),
                rounds: fight.rounds.map_or(1, Whole::get),
            };
            let attackers = (0..sides).map(|_| Body { stands, odd_hits: 0 }).collect();
            let defenders = Body { stands: self.stands.get(), odd_hits: 0 };
            (engagement, engagement::begun(attackers, defenders))
        });
        Ok(Met { answer, fight })
    }
}

impl ContactRequest {
    fn met(&self, clerk: &mut impl Clerk) -> Verdict<Met> {
        match (&self.wall, &self.tower) {
            (None, None) => Err(Refusal::field("wall", phrase::WALL_OR_TOWER)),
            (Some(_), Some(_)) => Err(Refusal::field("tower", phrase::WALL_OR_TOWER)),
            (Some(wall), None) => wall.met(self.fight.as_ref(), clerk),
            (None, Some(tower)) => tower.met(self.fight.as_ref(), clerk),
        }
    }
}

impl Question for ContactAsked {
    const NAME: &'static str = "breach.contact";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = ContactRequest;
    type Answer = ContactAnswer;

    fn answer(request: &ContactRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<ContactAnswer> {
        let Met { mut answer, fight } = request.met(clerk)?;
        if let Some((engagement, course)) = fight {
            answer.end = engagement.run(course, options, clerk).ended;
        }
        Ok(answer)
    }

    fn stages(request: &ContactRequest, options: &Options) -> Verdict<Stages<ContactAnswer>> {
        let mut said = None;
        let start = Stages::first(|clerk| {
            said = Some(request.met(clerk)?);
            Ok(())
        })?;
        match said {
            Some(Met { answer, fight: Some((engagement, course)) }) => {
                let begun = start.then(|(), _| Ok(course.clone()))?;
                let odds = engagement.odds(begun, options)?;
                odds.then(|course, _| Ok(ContactAnswer { end: course.ended, ..answer.clone() }))
            }
            Some(Met { answer, fight: None }) => start.then(|(), _| Ok(answer.clone())),
            None => Stages::first(|clerk| Self::answer(request, options, clerk)),
        }
    }
}
