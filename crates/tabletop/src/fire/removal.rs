//! Applying losses and removing figures: section 4.4 of the fire chapter (procedure, section 12).
//! The fires of a phase enter in their order; markers, figures and their places leave.

use kernel::{Clerk, Losses};
use rulebook::options::tabletop::{BallRemoval, GunnerValue};
use rulebook::rule;

use super::declare::{Declaration, Fired};
use super::ground::{Ground, Target};
use super::measure::CoverChoice;
use super::shelter::shelter;
use super::{Projectile, marker};
use crate::Arm;
use crate::geometry::{Point, into_frame};
use crate::scene::{Body, Figure, Formation, Muster, Presence};
use crate::terrain::cover;
use crate::terrain::houses::fire::{self as house_fire, Taken};

/// What fire did to a body in a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suffered {
    /// The body.
    pub body: usize,
    /// Losses that count.
    pub losses: Losses,
    /// Figures lost.
    pub figures: i32,
    /// What stays on its marker.
    pub marker: Losses,
    /// Places of the figures removed, among those of the body; none for guns and officers.
    pub removed: Vec<usize>,
    /// No figure is left.
    pub destroyed: bool,
    /// Of the figures lost, those lost to ball.
    pub to_ball: u16,
    /// Budget lost with gunners and officers.
    pub budget: u32,
    /// Without gunners, its gun stays where it is as an obstacle (FE-3.7-25).
    pub gun_stays: bool,
}

/// The four sides a fire can come from, by the facing of its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Front,
    Right,
    Rear,
    Left,
}

/// The state of one body while the fires of a phase are applied.
struct Tally<'a> {
    place: usize,
    body: &'a Body,
    presence: &'a Presence,
    left: Vec<usize>,
    figures: i64,
    /// The losses each enemy inflicted so far, and the side of a house it fired at last.
    inflicted: Vec<(usize, Losses, Option<u8>)>,
    sides: Vec<From>,
    done: Suffered,
}

/// Applies the fires of a phase in the order of FE-R57.
pub fn apply(ground: &Ground<'_>, fires: &[Fired], clerk: &mut impl Clerk) -> Vec<Suffered> {
    let mut tallies: Vec<Tally<'_>> = Vec::new();
    for fired in fires {
        for hit in &fired.hits {
            let place = hit.target.body;
            let k = tallies.iter().position(|tally| tally.place == place).unwrap_or_else(|| {
                tallies.push(Tally::new(ground, place));
                tallies.len() - 1
            });
            tallies[k].take(ground, fired.declaration, hit.target, hit.losses, clerk);
        }
    }
    tallies.sort_by_key(|tally| tally.place);
    tallies.into_iter().map(|tally| tally.done).collect()
}

impl<'a> Tally<'a> {
    fn new(ground: &Ground<'a>, place: usize) -> Self {
        let body = ground.body(place);
        let presence = body.now();
        Self {
            place,
            body,
            presence,
            left: (0..presence.figures.len()).collect(),
            figures: body.strength(),
            inflicted: Vec::new(),
            sides: Vec::new(),
            done: Suffered {
                body: place,
                losses: Losses::ZERO,
                figures: 0,
                marker: body.setup.marker,
                removed: Vec::new(),
                destroyed: false,
                to_ball: 0,
                budget: 0,
                gun_stays: false,
            },
        }
    }

    fn take(
        &mut self,
        ground: &Ground<'_>,
        fire: Declaration,
        target: Target,
        losses: Losses,
        clerk: &mut impl Clerk,
    ) {
        let shooter = ground.body(fire.element.body).now();
        let (x, y) = into_frame(self.presence.centre, self.presence.facing, shooter.centre);
        let from = if x.abs() <= y {
            From::Front
        } else if x.abs() <= -y {
            From::Rear
        } else if x > 0 {
            From::Right
        } else {
            From::Left
        };
        if losses > Losses::ZERO && !self.sides.contains(&from) {
            self.sides.push(from);
        }
        match self.inflicted.iter_mut().find(|(by, ..)| *by == fire.element.body) {
            Some((_, sum, at)) => (*sum, *at) = (*sum + losses, target.side),
            None => self.inflicted.push((fire.element.body, losses, target.side)),
        }
        let figures = i32::try_from(self.figures).unwrap_or(i32::MAX);
        if figures <= 0 {
            return;
        }
        let arm = self.body.arm;
        let mut marker = self.done.marker;
        if arm.is_artillery() {
            marker = clerk.rather(rule!(FE_3_1_04), marker, Losses::ZERO);
        }
        let toll = marker::take(marker, losses, figures, arm, ground.options, clerk);
        self.done.losses += toll.losses;
        self.done.marker = toll.marker;
        for _ in 0..toll.figures {
            if self.remove(ground, fire, target, from, clerk) {
                self.figures -= 1;
                self.done.figures += 1;
                let guns = ground.body(fire.element.body).battery().is_some();
                self.done.to_ball += u16::from(guns && fire.projectile == Projectile::Ball);
            }
        }
        if self.figures == 0 {
            self.done.marker = Losses::ZERO;
            self.done.destroyed = true;
        }
        self.count_budget(ground, toll.figures, clerk);
    }

    /// The budget of gunners and officers (FE-3.7-23, FE-1.5-15).
    fn count_budget(&mut self, ground: &Ground<'_>, figures: i32, clerk: &mut impl Clerk) {
        if figures == 0 {
            return;
        }
        match &self.body.setup.troops {
            Muster::Artillery(battery) => {
                let share = match ground.options.gunner_value {
                    GunnerValue::BudgetOverGuns => i64::from(battery.guns.get()),
                    GunnerValue::BudgetOverFigures => battery.full_crew(),
                };
                let lost = i64::from(battery.budget) * i64::from(self.done.figures) / share.max(1);
                let lost = clerk.value(rule!(FE_3_7_23), lost);
                self.done.budget = u32::try_from(lost).unwrap_or(u32::MAX);
                if self.figures == 0 {
                    self.done.budget = clerk.rather(rule!(FE_3_7_22), self.done.budget, battery.budget);
                    self.done.gun_stays = clerk.rather(rule!(FE_3_7_25), true, false);
                    // What it shelters is judged where it stands.
                    clerk.applied(rule!(FE_3_7_26));
                }
            }
            Muster::Officer(officer) => {
                let lost = clerk.value(rule!(FE_1_5_15), i64::from(officer.budget));
                self.done.budget += u32::try_from(lost).unwrap_or(officer.budget);
            }
            Muster::Infantry(_) | Muster::Cavalry(_) => {}
        }
    }

    /// Takes one figure off; false where the place fired at has none left.
    fn remove(
        &mut self,
        ground: &Ground<'_>,
        fire: Declaration,
        target: Target,
        from: From,
        clerk: &mut impl Clerk,
    ) -> bool {
        if self.body.arm.is_artillery() || self.body.arm == Arm::Officer {
            return true;
        }
        let chosen = if let Some(side) = target.side {
            let side = self.side_that_loses(side);
            let posted = |&figure: &usize| self.figure(figure).face == side;
            let count = |figures: usize| i32::try_from(figures).unwrap_or(i32::MAX);
            let on_side = count(self.left.iter().copied().filter(posted).count());
            let reserve = i32::try_from(self.figures).unwrap_or(i32::MAX) - count(self.left.len());
            match house_fire::take_one(on_side, reserve, clerk) {
                Taken::Side => {
                    let shooter = ground.body(fire.element.body).now().centre;
                    self.nearest(|figure| figure.face == side, shooter)
                }
                Taken::Reserve => return true,
                Taken::Nowhere => None,
            }
        } else {
            self.choose(ground, fire, from, clerk)
        };
        let Some(chosen) = chosen else { return false };
        self.left.retain(|&figure| figure != chosen);
        self.done.removed.push(chosen);
        true
    }

    fn figure(&self, place: usize) -> &'a Figure {
        &self.presence.figures[place]
    }

    /// The side of a house that loses the next figure: the one fired at, and after the first figure the
    /// one where the worst of the phase came from (FE-R57).
    fn side_that_loses(&self, fired_at: u8) -> u8 {
        let worst = self.inflicted.iter().find(|(_, sum, _)| *sum == self.most()).and_then(|one| one.2);
        if self.done.figures > 0 { worst.unwrap_or(fired_at) } else { fired_at }
    }

    /// The place of the next figure in the open (first line of the table that fits).
    fn choose(
        &self,
        ground: &Ground<'_>,
        fire: Declaration,
        from: From,
        clerk: &mut impl Clerk,
    ) -> Option<usize> {
        let shooter = ground.body(fire.element.body);
        let guns = shooter.battery().is_some();
        let canister = guns && fire.projectile == Projectile::Canister;
        let ball = guns && !canister;
        let first = self.done.removed.is_empty();
        let several = self.sides.len() > 1;
        let worst = self.worst(ground);
        if fire.choice == CoverChoice::Exposed {
            let muzzles: Vec<Point> =
                ground.figures(fire.element, shooter.now()).map(|figure| figure.base.front).collect();
            let open = |figure: &Figure| {
                muzzles.iter().any(|&from| {
                    cover::is_exposed(shelter(
                        ground.scene,
                        ground.options,
                        self.body,
                        self.presence,
                        figure,
                        from,
                    ))
                })
            };
            if let Some(chosen) = self.nearest(open, shooter.now().centre)
                && clerk.holds(rule!(FE_R14), true)
            {
                return Some(chosen);
            }
        }
        let ranks = self.ranks();
        let lowest = *ranks.first()?;
        if canister && ranks.len() > 1 && clerk.holds(rule!(FE_3_3_11), true) {
            let enemy = if several { worst } else { shooter };
            return self.in_rank(lowest, enemy.now().centre, clerk, rule!(FE_3_7_20));
        }
        if !first && several && clerk.holds(rule!(FE_4_4_07), true) {
            let even = self.inflicted.iter().filter(|(_, sum, _)| *sum == self.most()).count() > 1;
            // The owner leaves it to the first of them; who fires last has no say.
            let owners =
                !even || (clerk.holds(rule!(FE_4_4_08), true) && clerk.holds(rule!(FE_4_4_09), true));
            let from = if owners { worst } else { shooter };
            return self.nearest(|_| true, from.now().centre);
        }
        let line = self.presence.formation == Formation::Line && !self.body.is_shapeless();
        let in_flank = matches!(from, From::Left | From::Right);
        if line && first && in_flank && clerk.holds(rule!(FE_4_4_12), true) {
            let ends = [self.left.first().copied()?, self.left.last().copied()?];
            return ends.into_iter().min_by_key(|&end| {
                (self.figure(end).base.centre.square_to(shooter.now().centre), self.figure(end).file)
            });
        }
        if line && clerk.holds(rule!(FE_4_4_13), true) {
            return self.centre_of_line(clerk);
        }
        if ball && clerk.holds(rule!(FE_4_4_10), true) {
            let chosen = match ground.options.ball_removal {
                BallRemoval::OwnerChoice => fire.taken_from.filter(|rank| ranks.contains(rank)),
                BallRemoval::AdvisedPattern => None,
            };
            // Unattended, or once the rank he named is gone, the advised pattern goes on.
            let lost = usize::from(self.body.setup.lost.to_ball) + usize::from(self.done.to_ball);
            let rank = chosen.unwrap_or(ranks[lost % ranks.len()]);
            return self.in_rank(rank, self.centre_of(rank), clerk, rule!(FE_4_4_06));
        }
        let last = *ranks.last()?;
        if from == From::Rear && first && !canister && clerk.holds(rule!(FE_4_4_05), true) {
            return self.in_rank(last, shooter.now().centre, clerk, rule!(FE_4_4_06));
        }
        let front = clerk.rather(rule!(FE_4_4_04), lowest, last);
        self.in_rank(front, shooter.now().centre, clerk, rule!(FE_4_4_06))
    }

    fn most(&self) -> Losses {
        self.inflicted.iter().map(|&(_, sum, _)| sum).max().unwrap_or_default()
    }

    /// The enemy that inflicted most so far.
    fn worst<'g>(&self, ground: &Ground<'g>) -> &'g Body {
        let by =
            self.inflicted.iter().find(|(_, sum, _)| *sum == self.most()).map_or(self.place, |&(by, ..)| by);
        ground.body(by)
    }

    fn ranks(&self) -> Vec<u16> {
        let mut ranks: Vec<u16> = self.left.iter().map(|&figure| self.figure(figure).rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    fn nearest(&self, wanted: impl Fn(&Figure) -> bool, to: Point) -> Option<usize> {
        self.left
            .iter()
            .copied()
            .filter(|&figure| wanted(self.figure(figure)))
            .min_by_key(|&figure| (self.figure(figure).base.centre.square_to(to), self.figure(figure).file))
    }

    /// The middle of what is left of a rank.
    fn centre_of(&self, rank: u16) -> Point {
        let mut in_rank = self.left.iter().map(|&figure| self.figure(figure)).filter(|one| one.rank == rank);
        let (first, last) = (in_rank.next(), in_rank.next_back());
        let first = first.map_or(self.presence.centre, |figure| figure.base.centre);
        first.towards(last.map_or(first, |figure| figure.base.centre), 1, 2)
    }

    fn is_elite(&self, figure: usize) -> bool {
        self.body
            .companies()
            .get(usize::from(self.figure(figure).company))
            .is_some_and(|company| company.elite)
    }

    /// How many figures the body has lost in the game so far.
    fn lost(&self) -> usize {
        usize::from(self.body.setup.lost.all) + self.done.removed.len()
    }

    /// In a mixed rank regular and elite figures go in turn (FE-4.4-06).
    fn in_rank(&self, rank: u16, to: Point, clerk: &mut impl Clerk, turn: kernel::RuleId) -> Option<usize> {
        let in_rank = |figure: &Figure| figure.rank == rank;
        let mixed = {
            let elite = self.left.iter().filter(|&&f| in_rank(self.figure(f)) && self.is_elite(f)).count();
            let all = self.left.iter().filter(|&&f| in_rank(self.figure(f))).count();
            elite > 0 && elite < all
        };
        if !mixed {
            return self.nearest(in_rank, to);
        }
        let odd = self.lost() % 2 == 1;
        let elite_now = clerk.rather(turn, odd, !odd);
        self.left
            .iter()
            .copied()
            .filter(|&figure| in_rank(self.figure(figure)) && self.is_elite(figure) == elite_now)
            .min_by_key(|&figure| (self.figure(figure).base.centre.square_to(to), self.figure(figure).file))
            .or_else(|| self.nearest(in_rank, to))
    }

    /// The centre of a line, elite figures in proportion to their share (FE-4.4-13, FE-4.4-14).
    fn centre_of_line(&self, clerk: &mut impl Clerk) -> Option<usize> {
        let initial = |elite: bool| -> usize {
            self.body
                .companies()
                .iter()
                .filter(|company| !elite || company.elite)
                .map(|company| company.initial.map_or(company.figures.get(), kernel::Whole::get))
                .filter_map(|count| usize::try_from(count).ok())
                .sum()
        };
        let (all, elite) = (initial(false), initial(true));
        let wanted = (elite > 0 && elite < all).then(|| {
            let every = clerk.value(rule!(FE_4_4_14), i64::try_from(all / elite).unwrap_or(1));
            (self.lost() + 1).is_multiple_of(usize::try_from(every).unwrap_or(1))
        });
        let middle = self.left.len().saturating_sub(1);
        let by_centre = |&(place, _): &(usize, usize)| ((2 * place).abs_diff(middle), place);
        let numbered = || self.left.iter().copied().enumerate();
        numbered()
            .filter(|&(_, figure)| wanted.is_none_or(|elite| self.is_elite(figure) == elite))
            .min_by_key(by_centre)
            .or_else(|| numbered().min_by_key(by_centre))
            .map(|(_, figure)| figure)
    }
}
