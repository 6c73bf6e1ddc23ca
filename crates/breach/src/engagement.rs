//! Engagements of several fronts: the sides of a tower, or a wall and the breach beside it. Each front is
//! a fight of [`combat`](crate::combat); the result is common. Ruling BR-R66, sections 8.1 to 8.3 of the
//! core rules.

use kernel::{Clerk, Stages, Verdict};
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
    /// The blows of this round so far: those of the attackers, those of the defenders.
    blows: [Blow; 2],
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

const NO_BLOW: Blow = Blow { dice: 0, unsaved: 0 };

impl Engagement {
    /// The facts of one front in this round.
    fn fight(&self, course: &Course, front: &Front, round: i32) -> Fight {
        let side = |profile: &Profile, stands: i32, behind: i32| Side {
            stands,
            attack: profile.attack,
            hits: profile.hits,
            armour: profile.armour,
            behind,
            odd_hits: 0,
            before: 0,
            character: 0,
            supports: 0,
            confused: false,
            terror: false,
            flanked: 0,
            units: 1,
        };
        let there = course.attackers.get(front.unit).map_or(0, |body| body.stands);
        let stands = front.stands.min(there);
        Fight {
            place: front.place,
            charges: round == 1,
            pursues: None,
            arm: self.arm,
            attacker: side(&self.attacker, stands, there - stands),
            defender: side(&self.defender, front.striking, 0),
        }
    }

    /// The attackers of a front strike.
    fn attack(&self, mut course: Course, front: &Front, round: i32, clerk: &mut impl Clerk) -> Course {
        let fight = self.fight(&course, front, round);
        if course.ended.is_none() && fight.attacker.stands > 0 {
            add(&mut course.blows[0], combat::attackers_strike(&fight, clerk));
        }
        course
    }

    /// The defenders of a front strike: as many stands as are left for it.
    fn defend(
        &self,
        mut course: Course,
        place: usize,
        front: &Front,
        round: i32,
        clerk: &mut impl Clerk,
    ) -> Course {
        // Nobody is opposed to a side whose attackers are gone.
        let lives = |front: &&Front| course.attackers.get(front.unit).is_some_and(|body| body.stands > 0);
        if !lives(&front) {
            return course;
        }
        let earlier: i32 = self.fronts.iter().take(place).filter(lives).map(|front| front.striking).sum();
        let left = (course.defenders.stands - earlier).clamp(0, front.striking);
        if left < front.striking && front.place == Place::Tower {
            clerk.applied(rule!(BR_TOWERS_10));
        }
        if course.ended.is_some() || left == 0 {
            return course;
        }
        let fight = self.fight(&course, &Front { striking: left, ..*front }, round);
        let blow = combat::defenders_strike(&fight, clerk);
        if let Some(body) = course.attackers.get_mut(front.unit) {
            // The stands go at the end of the round: until then the hits are only counted.
            body.odd_hits += blow.unsaved;
        }
        add(&mut course.blows[1], blow);
        course
    }

    /// The end of a round.
    fn close(&self, mut course: Course, round: i32, options: &Options, clerk: &mut impl Clerk) -> Course {
        if course.ended.is_some() {
            return course;
        }
        let [attack, defence] = course.blows;
        let whole = self.whole(&course, round);
        let result = combat::decide(&whole, attack, defence, options, clerk);
        let mut attackers_lost = 0;
        for body in &mut course.attackers {
            let lost = casualties(body.stands, self.attacker.hits, body.odd_hits, clerk);
            attackers_lost += lost.stands;
            *body = Body { stands: body.stands - lost.stands, odd_hits: lost.odd_hits };
        }
        course.attackers.sort_unstable();
        let lost = casualties(
            course.defenders.stands,
            self.defender.hits,
            course.defenders.odd_hits + attack.unsaved,
            clerk,
        );
        course.defenders = Body { stands: course.defenders.stands - lost.stands, odd_hits: lost.odd_hits };
        course.blows = [NO_BLOW; 2];
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
            attackers_lost,
            defenders_lost: lost.stands,
        };
        if course.attackers.iter().all(|body| body.stands == 0) && !lost.all {
            end = End { winner: Winner::Defender, outcome: Outcome::Destroyed, retreat_cm: 0, ..end };
        }
        if !(again && clerk.holds(rule!(BR_R13), true)) {
            course.ended = Some(end);
        }
        course
    }

    /// Both sides as one, for the common result.
    fn whole(&self, course: &Course, round: i32) -> Fight {
        let all: i32 = course.attackers.iter().map(|body| body.stands).sum();
        let kept: i32 = course.attackers.iter().map(|body| body.odd_hits).sum();
        let first = self.fronts.first().copied().unwrap_or(Front {
            place: Place::Open,
            unit: 0,
            stands: 0,
            striking: 0,
        });
        let mut whole = self.fight(course, &first, round);
        let units = i32::try_from(course.attackers.len()).unwrap_or(1).max(1);
        whole.attacker = Side {
            stands: all,
            behind: 0,
            // What was struck in this round counts as the blow, not as kept.
            odd_hits: (kept - course.blows[1].unsaved).max(0),
            before: if round == 1 { self.before } else { 0 },
            units,
            ..whole.attacker
        };
        whole.defender =
            Side { stands: course.defenders.stands, odd_hits: course.defenders.odd_hits, ..whole.defender };
        whole
    }

    /// The whole engagement, die by die: of each round the attackers front by front with the saves
    /// against them, then the defenders.
    pub fn run(&self, course: Course, options: &Options, clerk: &mut impl Clerk) -> Course {
        let before = course.clone();
        let mut course = course;
        for round in 1..=self.rounds {
            for front in &self.fronts {
                course = self.attack(course, front, round, clerk);
            }
            for (place, front) in self.fronts.iter().enumerate() {
                course = self.defend(course, place, front, round, clerk);
            }
            course = self.close(course, round, options, clerk);
        }
        totalled(course, &before)
    }

    /// The exact odds of it, step by step.
    ///
    /// # Errors
    /// When there are more outcomes than can be counted.
    pub fn odds(&self, start: Stages<Course>, before: &Course, options: &Options) -> Verdict<Stages<Course>> {
        let mut course = start;
        for round in 1..=self.rounds {
            for front in &self.fronts {
                course = course.then(|course, clerk| Ok(self.attack(course.clone(), front, round, clerk)))?;
            }
            for (place, front) in self.fronts.iter().enumerate() {
                course = course
                    .then(|course, clerk| Ok(self.defend(course.clone(), place, front, round, clerk)))?;
            }
            course = course.then(|course, clerk| Ok(self.close(course.clone(), round, options, clerk)))?;
        }
        course.then(|course, _| Ok(totalled(course.clone(), before)))
    }
}

/// An engagement before its first blow.
#[must_use]
pub fn begun(attackers: Vec<Body>, defenders: Body) -> Course {
    Course { attackers, defenders, blows: [NO_BLOW; 2], ended: None }
}

fn add(sum: &mut Blow, blow: Blow) {
    sum.dice += blow.dice;
    sum.unsaved += blow.unsaved;
}

/// The losses of all rounds together.
fn totalled(mut course: Course, before: &Course) -> Course {
    let stands = |course: &Course| course.attackers.iter().map(|body| body.stands).sum::<i32>();
    let lost = [stands(before) - stands(&course), before.defenders.stands - course.defenders.stands];
    if let Some(end) = &mut course.ended {
        [end.attackers_lost, end.defenders_lost] = lost;
    }
    course
}
