//! Engagements of several fronts: the sides of a tower, or a wall and the breach beside it. Each front is
//! a fight of [`combat`]; the result is common. Ruling BR-R66, sections 8.1 to 8.3 of the
//! core rules.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use kernel::{Clerk, Desk, Odds, Scripted, Silent, Stages, Verdict, Walker};
use rulebook::options::breach::{Options, TowerSecondRound};
use rulebook::rule;
use schemars::JsonSchema;
use serde::Serialize;

use crate::combat::{self, Blow, Fight, Outcome, Place, Side, Winner};
use crate::terms::{Arm, Armour, casualties};

/// The profile of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The Attack of a stand.
    pub attack: i32,
    /// The Hits of a stand.
    pub hits: i32,
    /// Its armour.
    pub armour: Armour,
}

/// A unit in the fight: its stands and the hits it has kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Body {
    /// Its stands.
    pub stands: i32,
    /// Hits kept.
    pub odd_hits: i32,
}

/// A front: attacking stands of one unit, and the defending stands that strike back there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Front {
    /// What it is.
    pub place: Place,
    /// The attacking unit, by its place in the list.
    pub unit: usize,
    /// Its stands that fight here.
    pub stands: i32,
    /// Defending stands that strike here.
    pub striking: i32,
}

/// An engagement as it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engagement {
    /// The fronts.
    pub fronts: Vec<Front>,
    /// What the attackers are.
    pub arm: Arm,
    /// Their profile.
    pub attacker: Profile,
    /// That of the defenders.
    pub defender: Profile,
    /// Unsaved hits the attackers took before, which count in the first round.
    pub before: i32,
    /// How many rounds may be fought.
    pub rounds: i32,
}

/// An engagement on its way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Course {
    /// The attacking units.
    pub attackers: Vec<Body>,
    /// The defenders.
    pub defenders: Body,
    /// Stands that fight at each front in this round.
    fighting: Vec<i32>,
    /// What the attackers could take in this round.
    could_take: i32,
    /// Unsaved hits of this round: on the defenders, on the attackers.
    struck: [i32; 2],
    /// Stands lost so far: by the attackers, by the defenders.
    lost: [i32; 2],
    /// How it ended, if it has.
    pub ended: Option<End>,
}

/// How an engagement ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct End {
    /// Rounds fought.
    pub rounds: i32,
    /// Who won the last.
    pub winner: Winner,
    /// What follows.
    pub outcome: Outcome,
    /// How far the losers retreat.
    pub retreat_cm: i32,
    /// Stands the attackers lost in all.
    pub attackers_lost: i32,
    /// Stands the defenders lost in all.
    pub defenders_lost: i32,
}

impl Engagement {
    /// The facts of one front in this round.
    fn fight(&self, front: &Front, stands: i32, striking: i32, round: i32) -> Fight {
        let side = |profile: &Profile, stands: i32| Side {
            stands,
            attack: profile.attack,
            hits: profile.hits,
            armour: profile.armour,
            behind: 0,
            odd_hits: 0,
            before: 0,
            character: 0,
            supports: 0,
            confused: false,
            terror: false,
            flanked: 0,
            units: 1,
        };
        Fight {
            place: front.place,
            charges: round == 1,
            pursues: None,
            arm: self.arm,
            exposed: false,
            attacker: side(&self.attacker, stands),
            defender: side(&self.defender, striking),
        }
    }

    /// A round begins: who fights where.
    fn open(&self, mut course: Course) -> Course {
        let stands = |front: &Front| course.attackers.get(front.unit).map_or(0, |body| body.stands);
        course.fighting = self.fronts.iter().map(|front| front.stands.min(stands(front))).collect();
        let whole: i32 =
            course.attackers.iter().map(|body| body.stands * self.attacker.hits - body.odd_hits).sum();
        // Beyond what can be struck in a round it does not matter how much more they could take.
        let striking: i32 = self.fronts.iter().map(|front| front.striking).sum();
        course.could_take = whole.min(striking * self.defender.attack + 1);
        course
    }

    /// The blow of the attackers at a front, if there is one.
    fn attack(&self, course: &Course, place: usize, round: i32) -> Option<Fight> {
        let stands = *course.fighting.get(place)?;
        let front = self.fronts.get(place)?;
        (course.ended.is_none() && stands > 0).then(|| self.fight(front, stands, front.striking, round))
    }

    /// The blow of the defenders at a front, if there is one: with the stands that are left for it.
    fn defence(&self, course: &Course, place: usize, round: i32) -> Option<Fight> {
        // Nobody is opposed to a side whose attackers are gone.
        let fought = |place: usize| course.fighting.get(place).is_some_and(|stands| *stands > 0);
        let front = self.fronts.get(place)?;
        let earlier = self.fronts.iter().enumerate().take(place).filter(|(place, _)| fought(*place));
        let earlier: i32 = earlier.map(|(_, front)| front.striking).sum();
        let left = (course.defenders.stands - earlier).clamp(0, front.striking);
        (course.ended.is_none() && fought(place) && left > 0)
            .then(|| self.fight(front, front.stands, left, round))
    }

    /// The attackers at a front are hit: after the last front of their unit its stands go. In the last
    /// round it does not matter how they stand.
    fn hurt(
        &self,
        mut course: Course,
        place: usize,
        unsaved: i32,
        round: i32,
        clerk: &mut impl Clerk,
    ) -> Course {
        course.struck[1] += unsaved;
        let Some(front) = self.fronts.get(place) else { return course };
        let last_of_unit = !self.fronts.iter().skip(place + 1).any(|other| other.unit == front.unit);
        if let Some(body) = course.attackers.get_mut(front.unit) {
            body.odd_hits += unsaved;
            if last_of_unit && course.ended.is_none() {
                let lost = casualties(body.stands, self.attacker.hits, body.odd_hits, clerk);
                course.lost[0] += lost.stands;
                let (stands, odd_hits) = (body.stands - lost.stands, lost.odd_hits);
                *body = if round == self.rounds {
                    Body { stands: stands.min(1), odd_hits: 0 }
                } else {
                    Body { stands, odd_hits }
                };
            }
        }
        if place + 1 == self.fronts.len() {
            course.attackers.sort_unstable();
        }
        course
    }

    /// The end of a round.
    fn close(&self, mut course: Course, round: i32, options: &Options, clerk: &mut impl Clerk) -> Course {
        if course.ended.is_some() {
            return course;
        }
        let [dealt, taken] = course.struck;
        let blow = |unsaved: i32| Blow { dice: 0, unsaved };
        let result = combat::decide(&self.whole(&course, round), blow(dealt), blow(taken), options, clerk);
        let kept = course.defenders.odd_hits + dealt;
        let lost = casualties(course.defenders.stands, self.defender.hits, kept, clerk);
        course.lost[1] += lost.stands;
        course.defenders = Body { stands: course.defenders.stands - lost.stands, odd_hits: lost.odd_hits };
        let tower = self.fronts.iter().any(|front| front.place == Place::Tower);
        let again = options.tower_second_round == TowerSecondRound::Allowed
            && tower
            && result.outcome == Outcome::Held
            && round < self.rounds;
        let mut end = End {
            rounds: round,
            winner: result.winner,
            outcome: result.outcome,
            retreat_cm: result.retreat_cm,
            attackers_lost: course.lost[0],
            defenders_lost: course.lost[1],
        };
        if course.attackers.iter().all(|body| body.stands == 0) && !lost.all {
            end = End { winner: Winner::Defender, outcome: Outcome::Destroyed, retreat_cm: 0, ..end };
        }
        course.struck = [0; 2];
        course.fighting.clear();
        course.could_take = 0;
        if !(again && clerk.holds(rule!(BR_R13), true)) {
            // Nothing but the end is told of what is over.
            course.attackers.clear();
            course.defenders = Body { stands: 0, odd_hits: 0 };
            course.lost = [0; 2];
            course.ended = Some(end);
        }
        course
    }

    /// Both sides as one, for the common result.
    fn whole(&self, course: &Course, round: i32) -> Fight {
        let first = self.fronts.first().copied().unwrap_or(Front {
            place: Place::Open,
            unit: 0,
            stands: 0,
            striking: 0,
        });
        let mut whole = self.fight(&first, course.could_take, course.defenders.stands, round);
        whole.attacker.hits = 1;
        whole.attacker.before = if round == 1 { self.before } else { 0 };
        whole.attacker.units = i32::try_from(course.attackers.len()).unwrap_or(1).max(1);
        whole.defender.odd_hits = course.defenders.odd_hits;
        whole
    }

    /// The whole engagement, die by die: of each round the attackers front by front with the saves
    /// against them, then the defenders.
    pub fn run(&self, mut course: Course, options: &Options, clerk: &mut impl Clerk) -> Course {
        for round in 1..=self.rounds {
            course = self.open(course);
            for place in 0..self.fronts.len() {
                if let Some(fight) = self.attack(&course, place, round) {
                    course.struck[0] += combat::attackers_strike(&fight, clerk).unsaved;
                }
            }
            for place in 0..self.fronts.len() {
                let blow = self.defence(&course, place, round);
                let unsaved = match blow {
                    Some(fight) => combat::defenders_strike(&fight, clerk).unsaved,
                    None => 0,
                };
                self.shared(&course, place, clerk);
                course = self.hurt(course, place, unsaved, round, clerk);
            }
            course = self.close(course, round, options, clerk);
        }
        course
    }

    /// Says so where a stand of a tower has more sides than one to defend.
    fn shared(&self, course: &Course, place: usize, clerk: &mut impl Clerk) {
        let tower = self.fronts.get(place).is_some_and(|front| front.place == Place::Tower);
        let alone = course.fighting.get(place).is_some_and(|stands| *stands > 0)
            && self.defence(course, place, 1).is_none();
        if tower && alone && course.ended.is_none() {
            clerk.applied(rule!(BR_TOWERS_10));
        }
    }

    /// The exact odds of it. Both sides strike at the same time, so that either may be reckoned first;
    /// each blow is walked once, whatever went before it.
    ///
    /// # Errors
    /// When there are more outcomes than can be counted.
    pub fn odds(&self, mut course: Stages<Course>, options: &Options) -> Verdict<Stages<Course>> {
        for round in 1..=self.rounds {
            course = course.then(|course, _| Ok(self.open(course.clone())))?;
            for place in 0..self.fronts.len() {
                course = struck(
                    course,
                    |course| self.defence(course, place, round),
                    |fight, clerk| combat::defenders_strike(fight, clerk),
                    |course, unsaved| {
                        let mut quiet = Desk::new(Scripted::new(&[]), Silent);
                        self.hurt(course.clone(), place, unsaved, round, &mut quiet)
                    },
                )?;
            }
            for place in 0..self.fronts.len() {
                course = struck(
                    course,
                    |course| self.attack(course, place, round),
                    |fight, clerk| combat::attackers_strike(fight, clerk),
                    |course, unsaved| {
                        let mut course = course.clone();
                        course.struck[0] += unsaved;
                        course
                    },
                )?;
            }
            course = course.then(|course, clerk| Ok(self.close(course.clone(), round, options, clerk)))?;
        }
        Ok(course)
    }
}

/// A blow that some of the courses meet with: the odds of what it does, walked once for each kind.
fn struck(
    courses: Stages<Course>,
    blow: impl Fn(&Course) -> Option<Fight>,
    strike: impl Fn(&Fight, &mut Walker<'_>) -> Blow,
    after: impl Fn(&Course, i32) -> Course,
) -> Verdict<Stages<Course>> {
    let mut walked = BTreeMap::<Fight, Stages<i32>>::new();
    let mut spared = false;
    for (course, _) in courses.odds.counts() {
        match blow(course) {
            Some(fight) => {
                if let Entry::Vacant(unknown) = walked.entry(fight) {
                    unknown.insert(Stages::first(|clerk| Ok(strike(&fight, clerk).unsaved))?);
                }
            }
            None => spared = true,
        }
    }
    let odds = courses.odds.and_then(|course| {
        let known = blow(course).and_then(|fight| walked.get(&fight));
        let of = known.map_or_else(|| Odds::certain(0), |known| known.odds.clone());
        Ok(of.map(|unsaved| after(course, unsaved)))
    })?;
    let rolled = courses.rolled || walked.values().any(|known| known.rolled);
    let mut because = courses.because;
    // What one blow says in every course is common to all of them.
    if let (false, 1, Some(only)) = (spared, walked.len(), walked.values().next()) {
        because.extend(only.because.iter().cloned());
    }
    Ok(Stages { odds, because, rolled })
}

/// An engagement before its first blow.
#[must_use]
pub fn begun(attackers: Vec<Body>, defenders: Body) -> Course {
    Course {
        attackers,
        defenders,
        fighting: Vec::new(),
        could_take: 0,
        struck: [0; 2],
        lost: [0; 2],
        ended: None,
    }
}
