//! A round of melee that is over (terrain chapter, sections 4.5, 5.5, 8.6 and 9.1). The round itself is fought
//! by the rules of the parent book: who won and what each lost enters; the table leaves with the figures off,
//! the beaten pushed back in the state the ground leaves them, whoever got into a house inside, and whoever is
//! taken from the rear gone.

use kernel::{Centimetres, Clerk, Event, Losses, Refusal, Verdict, Whole};
use rulebook::options::tabletop::Options;
use rulebook::phrase::evening as say;
use serde::{Deserialize, Serialize};

use super::{Evening, Written, deeds};
use crate::Arm;
use crate::fire::phase::{after_losses, take_away};
use crate::fire::priority::nobody;
use crate::fire::removal::Suffered;
use crate::geometry::{Point, Segment, turned};
use crate::scene::{Body, BodySetup, Kind, Place, Presence, Scene, Setup, State};
use crate::terrain::aftermath::{self, AfterObstacle, Choice, OverObstacle, RecoilPath, Winner};
use crate::terrain::ground::Ground;
use crate::terrain::houses::Side as HouseWall;
use crate::terrain::houses::assault::{self, Combat, Ended, Where};
use crate::terrain::melee;
use crate::terrain::on_table::{self, Contact, Rear, house};
use crate::terrain::redoubts::{self, TakenFromRear};

/// A round that was fought, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fought {
    /// Who came.
    pub attacker: String,
    /// Who was there.
    pub defender: String,
    /// Who won.
    pub winner: Winner,
    /// Whether the winner goes after the loser, or into the house.
    #[serde(default)]
    pub choice: Choice,
    /// What each lost.
    #[serde(default)]
    pub lost: Lost,
}

/// Figures lost in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Lost {
    /// By who came.
    pub attacker: Whole<0, 999>,
    /// By who was there.
    pub defender: Whole<0, 999>,
}

/// Where a round was fought.
pub(super) enum Fight {
    /// On the ground, perhaps across an obstacle.
    Ground(Box<Contact>),
    /// At the side of a house, or inside it.
    House { house: String, side: usize, place: Where },
    /// The garrison of a redoubt is reached from behind, and may not refuse (TE-R73).
    Captured,
}

/// The recoil of a beaten body: the ground behind it, and the friend it would run into.
struct Behind {
    path: RecoilPath,
    friend: Option<String>,
}

/// Where and against whom a round is fought, if it can be.
pub(super) fn judge(
    scene: &Scene,
    options: &Options,
    fought: &Fought,
    clerk: &mut impl Clerk,
) -> Verdict<Fight> {
    let attacker = scene.body(&fought.attacker, "attacker")?;
    let defender = scene.body(&fought.defender, "defender")?;
    if attacker.side() == defender.side() {
        return Err(Refusal::field("defender", say::SAME_SIDE).with("name", defender.name().to_owned()));
    }
    for (body, lost, field) in
        [(attacker, fought.lost.attacker, "lost.attacker"), (defender, fought.lost.defender, "lost.defender")]
    {
        if i64::from(lost.get()) > body.strength() {
            return Err(Refusal::field(field, say::TOO_MANY_LOST)
                .with("name", body.name().to_owned())
                .with("figures", body.strength()));
        }
    }
    if let Some(held) = defender.now().house.and_then(|place| scene.elements().get(place)) {
        let (round, quarter) = (Whole::default(), Whole::default());
        let fights = house::assault(scene, &held.id, attacker, round, quarter, options, clerk)?;
        let side = fights.iter().max_by_key(|at| at.fight.attackers).map_or(0, |at| at.side);
        let inside = attacker.setup.record.inside.as_deref() == Some(held.id.as_str());
        let place = if inside { Where::Inside } else { Where::AtTheWall };
        return Ok(Fight::House { house: held.id.clone(), side, place });
    }
    let contact = on_table::contact(scene, attacker, defender, options, clerk)?;
    let taken = matches!(contact.rear, Some(Rear::FromBehind | Rear::ByTheGap));
    if taken && redoubts::taken_from_rear(defender.setup.status, options, clerk) == TakenFromRear::Captured {
        return Ok(Fight::Captured);
    }
    if let Some(round) = across(&contact, attacker, defender, fought) {
        aftermath::over_obstacle(&round, options, &mut nobody())?;
    }
    Ok(Fight::Ground(Box::new(contact)))
}

/// The round as one over an obstacle, if one parted the two.
fn across(contact: &Contact, attacker: &Body, defender: &Body, fought: &Fought) -> Option<OverObstacle> {
    contact.places.iter().find_map(|place| match place {
        melee::Place::Obstacle(line) if !line.defender_caught => Some(OverObstacle {
            class: line.class,
            winner: fought.winner,
            choice: fought.choice,
            attacker: attacker.troops(),
            defender: defender.troops(),
            defender_faces_several_ways: false,
        }),
        _ => None,
    })
}

/// Figures of a body that come off: those nearest to the enemy, in a house those of the side that fought, then
/// its reserve.
fn suffered(scene: &Scene, place: usize, by: &Body, lost: i32, side: Option<usize>) -> Suffered {
    let body = &scene.bodies()[place];
    let figures = &body.now().figures;
    let elsewhere = |k: usize| side.is_some_and(|side| usize::from(figures[k].face) != side);
    let count = |figures: usize| i32::try_from(figures).unwrap_or(i32::MAX);
    let strength = i32::try_from(body.strength()).unwrap_or(i32::MAX);
    let reserve = if body.now().house.is_some() { strength - count(figures.len()) } else { 0 };
    let mut nearest: Vec<usize> = (0..figures.len()).collect();
    nearest.sort_by_key(|&k| (elsewhere(k), figures[k].base.centre.square_to(by.now().centre), k));
    let on_side = count(nearest.iter().filter(|&&k| !elsewhere(k)).count());
    // The reserve fills the gaps of the side before figures of another leave theirs.
    let posted = if lost > on_side { lost - reserve.min(lost - on_side) } else { lost };
    let whole = body.battery().is_some() || body.arm == Arm::Officer;
    nearest.truncate(if whole { 0 } else { usize::try_from(posted).unwrap_or(0) });
    let destroyed = lost >= strength;
    Suffered {
        body: place,
        losses: Losses::ZERO,
        figures: lost,
        marker: if destroyed { Losses::ZERO } else { body.setup.marker },
        removed: nearest,
        destroyed,
        to_ball: 0,
        budget: 0,
        gun_stays: destroyed && body.battery().is_some(),
    }
}

/// The round is applied to the table.
pub(super) fn apply(evening: &mut Evening, fought: &Fought, clerk: &mut impl Clerk) {
    let options = evening.options;
    // Validated: what cannot be fought changes nothing.
    let Ok(scene) = evening.table().checked("table", &options) else { return };
    let Ok(fight) = judge(&scene, &options, fought, clerk) else { return };
    let Some([came, was]) = [&fought.attacker, &fought.defender]
        .map(|id| scene.bodies().iter().position(|body| body.id() == id))
        .into_iter()
        .collect::<Option<Vec<_>>>()
        .and_then(|both| <[usize; 2]>::try_from(both).ok())
    else {
        return;
    };
    let (attacker, defender) = (&scene.bodies()[came], &scene.bodies()[was]);
    let lost = [fought.lost.attacker.get(), fought.lost.defender.get()];
    let side = match &fight {
        // The garrison loses where it fought.
        Fight::House { side, .. } => HouseWall::ALL.get(*side).and_then(|wall| {
            let combat = Combat { side: *wall, losses: Whole::default() };
            assault::figure_comes_off(&[combat], clerk).first().map(|_| *side)
        }),
        _ => None,
    };
    let mut gone = vec![suffered(&scene, came, defender, lost[0], None)];
    let taken = if matches!(fight, Fight::Captured) {
        i32::try_from(defender.strength()).unwrap_or(i32::MAX)
    } else {
        lost[1]
    };
    gone.push(suffered(&scene, was, attacker, taken, side));
    let names = [attacker.name().to_owned(), defender.name().to_owned()];
    let [by, of] = names.clone();
    clerk.happened(|| {
        Event::new(say::FOUGHT)
            .with("attacker", by)
            .with("defender", of)
            .with("lost", lost[0])
            .with("taken", lost[1])
    });
    for (one, name) in gone.iter().zip(names).filter(|(one, _)| one.destroyed) {
        let phrase =
            if one.body == was && matches!(fight, Fight::Captured) { say::CAPTURED } else { say::DESTROYED };
        clerk.happened(|| Event::new(phrase).with("name", name));
    }
    evening.table = Written(after_losses(&scene, &gone));
    for body in [attacker, defender] {
        noted(evening, body);
    }
    match fight {
        Fight::Captured => {}
        Fight::House { house, place, .. } => at_house(evening, &scene, fought, &house, place, clerk),
        Fight::Ground(contact) => {
            let round = across(&contact, attacker, defender, fought);
            let after = round.and_then(|round| aftermath::over_obstacle(&round, &options, clerk).ok());
            on_ground(evening, &scene, fought, after, clerk);
        }
    }
}

/// Who has fought was in melee in this quarter, and is known in his house (TE-5.4-07).
fn noted(evening: &mut Evening, body: &Body) {
    let second = evening.clock.is_second();
    if let Some(written) = evening.written(body.id()) {
        let record = &mut written.record;
        record.melee_q1 |= !second;
        record.melee_q2 |= second;
        record.revealed |= body.now().house.is_some();
    }
}

/// What follows a round at the wall of a house, or inside.
fn at_house(
    evening: &mut Evening,
    scene: &Scene,
    fought: &Fought,
    house: &str,
    place: Where,
    clerk: &mut impl Clerk,
) {
    let ended = match fought.winner {
        Winner::Attacker => Ended::AttackerWon,
        Winner::Defender => Ended::GarrisonWon,
        Winner::Nobody => Ended::Draw,
    };
    let after = assault::after_round(place, ended, clerk);
    let (name, home) = (evening.called(&fought.attacker), evening.called_element(house));
    if after.attacker_may_enter && fought.choice == Choice::Follow {
        if let Some(written) = evening.written(&fought.attacker) {
            written.record.inside = Some(house.to_owned());
            written.state = written.state.max(after.state.unwrap_or(written.state));
        }
        clerk.happened(|| Event::new(say::GETS_IN).with("name", name).with("house", home));
        return;
    }
    if fought.winner == Winner::Nobody {
        clerk.happened(|| Event::new(say::DRAWN_ROUND));
    }
    if after.recoil_cm <= Centimetres::ZERO {
        return;
    }
    if after.put_out {
        if let Some(written) = evening.written(&fought.attacker) {
            written.record.inside = None;
        }
        clerk.happened(|| Event::new(say::PUT_OUT).with("name", name).with("house", home));
    }
    let Some(loser) = scene.bodies().iter().find(|body| body.id() == fought.attacker) else { return };
    push(evening, scene, loser, after.recoil_cm, after.state, clerk);
    part(evening, fought);
}

/// What follows a round on the ground: the loser goes back, and over an obstacle the winner may go after him.
fn on_ground(
    evening: &mut Evening,
    scene: &Scene,
    fought: &Fought,
    after: Option<AfterObstacle>,
    clerk: &mut impl Clerk,
) {
    let (loser, winner) = match fought.winner {
        Winner::Nobody => {
            clerk.happened(|| Event::new(say::DRAWN_ROUND));
            return;
        }
        Winner::Attacker => (&fought.defender, &fought.attacker),
        Winner::Defender => (&fought.attacker, &fought.defender),
    };
    let Some(beaten) = scene.bodies().iter().find(|body| body.id() == loser) else { return };
    let most = after.map_or(Centimetres::whole(999), |after| after.recoil_cm);
    let state = after.map(|after| match fought.winner {
        Winner::Attacker => after.defender_state,
        _ => after.attacker_state,
    });
    let far = push(evening, scene, beaten, most, state, clerk);
    part(evening, fought);
    let Some(after) = after.filter(|_| fought.choice == Choice::Follow) else { return };
    let (dx, dy) = backwards(beaten.now(), far);
    let (options, clock) = (evening.options, evening.clock);
    let Some(written) = evening.written(winner) else { return };
    let mut there = written.clone();
    shift(&mut there.place, dx, dy);
    there.state = there.state.max(match fought.winner {
        Winner::Attacker => after.attacker_state,
        _ => after.defender_state,
    });
    // Who finds no room across stays where he is.
    if deeds::stands(evening.table(), &options, &there).is_ok()
        && let Some(written) = evening.written(winner)
    {
        deeds::leaves(written, clock);
        (written.place, written.state) = (there.place, there.state);
    }
}

/// The two do not touch any more.
fn part(evening: &mut Evening, fought: &Fought) {
    for (own, other) in [(&fought.attacker, &fought.defender), (&fought.defender, &fought.attacker)] {
        if let Some(written) = evening.written(own)
            && written.record.contact.as_ref().is_some_and(|contact| contact.with == *other)
        {
            written.record.contact = None;
        }
    }
}

/// The beaten goes straight back as far as the ground lets him (TE-R98): how far.
fn push(
    evening: &mut Evening,
    scene: &Scene,
    loser: &Body,
    most: Centimetres,
    state: Option<State>,
    clerk: &mut impl Clerk,
) -> Centimetres {
    let options = evening.options;
    if evening.written(loser.id()).is_none() {
        return Centimetres::ZERO;
    }
    let behind = behind(scene, loser);
    let recoil = aftermath::recoil(&loser.troops(), &behind.path, &options, clerk);
    let far = recoil.distance_cm.min(most);
    let name = loser.name().to_owned();
    if recoil.destroyed {
        take_away(&mut evening.table.0, &[loser.id().to_owned()]);
        clerk.happened(|| Event::new(say::DESTROYED).with("name", name));
        return far;
    }
    clerk.happened(|| Event::new(say::RECOILS).with("name", name).with("distance", far));
    if let Some(friend) = behind.friend.filter(|_| recoil.friend_disorganised) {
        let called = evening.called(&friend);
        if let Some(written) = evening.written(&friend) {
            written.state = written.state.max(State::Disorganised);
        }
        clerk.happened(|| Event::new(say::FRIEND_DISORGANISED).with("name", called));
    }
    let (dx, dy) = backwards(loser.now(), far);
    let clock = evening.clock;
    if let Some(written) = evening.written(loser.id()) {
        written.state = written.state.max(recoil.state).max(state.unwrap_or(recoil.state));
        deeds::leaves(written, clock);
        shift(&mut written.place, dx, dy);
    }
    far
}

/// How a body is moved that goes so far straight back.
fn backwards(presence: &Presence, far: Centimetres) -> (i64, i64) {
    let there = turned(Point::new(0, 0), presence.facing, 0, -i64::from(far.count()));
    (there.x, there.y)
}

fn shift(place: &mut Place, dx: i64, dy: i64) {
    match place {
        Place::Stand(stand) => stand.at = stand.at.moved(dx, dy),
        Place::Bases(bases) => bases.bases.iter_mut().for_each(|base| base.at = base.at.moved(dx, dy)),
        Place::Garrison(_) => {}
    }
}

/// So far, in hundredths of a centimetre, does a beaten body look behind itself, by such steps.
const FULL: i64 = 300;
const STRIDE: usize = 10;

/// The water or marsh a body may be pushed into, the worst first.
const WET: [Ground; 6] =
    [Ground::LargeRiver, Ground::River, Ground::Ford, Ground::Marsh, Ground::Stream, Ground::Ditch];

/// What lies behind a beaten body.
fn behind(scene: &Scene, loser: &Body) -> Behind {
    let now = loser.now();
    let at = |far: i64| {
        let (dx, dy) = backwards(now, Centimetres::hundredths(i32::try_from(far).unwrap_or(0)));
        now.moved(dx, dy)
    };
    let meets = |there: &Presence, other: &Body| {
        there.extent.meets(&other.now().extent)
            && there
                .figures
                .iter()
                .any(|one| other.now().figures.iter().any(|two| one.base.overlaps_base(&two.base)))
    };
    let friends = || {
        let own = |other: &&Body| other.side() == loser.side() && other.id() != loser.id();
        scene.bodies().iter().filter(own).filter(|other| other.now().house.is_none())
    };
    let walled = |there: &Presence| {
        let off = there.figures.iter().flat_map(|one| one.base.corners).any(|corner| !scene.holds(corner));
        off || scene.elements().iter().any(|element| match &element.kind {
            Kind::House(house) => there.figures.iter().any(|one| one.base.overlaps(&house.area)),
            _ => false,
        })
    };
    let (mut stopped, mut friend) = (None, None);
    for far in (0..=FULL).step_by(STRIDE).skip(1) {
        let there = at(far);
        friend = friends().find(|other| meets(&there, other)).map(|other| other.id().to_owned());
        if friend.is_some() || walled(&there) {
            let room = far - i64::try_from(STRIDE).unwrap_or(0);
            stopped = Some(Centimetres::hundredths(i32::try_from(room).unwrap_or(0)));
            break;
        }
    }
    let wooded = |there: &Presence| on_table::grounds_of(scene, there).contains(&Ground::Wood);
    let wood = wooded(now) || wooded(&at(FULL));
    let full = if wood { FULL / 2 } else { FULL };
    let far = stopped.map_or(full, |stop| full.min(i64::from(stop.count())));
    let end = at(far);
    let wet = on_table::grounds_of(scene, &end);
    let crossed = now.figures.iter().zip(&end.figures).flat_map(|(from, to)| {
        let way = Segment::new(from.base.centre, to.base.centre);
        scene.elements().iter().filter_map(move |element| match &element.kind {
            Kind::Obstacle(line) => line.crossings(way).filter_map(|(_, _, of)| on_table::class(of)).max(),
            Kind::Redoubt(fort) => {
                fort.faces.crossings(way).filter_map(|(_, _, of)| on_table::class(of)).max()
            }
            _ => None,
        })
    });
    let path = RecoilPath {
        wood,
        garrison: now.house.is_some(),
        into: WET.into_iter().find(|ground| wet.contains(ground)),
        stopped_after_cm: stopped,
        by_a_friend: friend.is_some(),
        across: crossed.max(),
    };
    Behind { path, friend }
}

impl Evening {
    /// A body as it is written on the table.
    pub(super) fn written(&mut self, id: &str) -> Option<&mut BodySetup> {
        self.table.0.bodies.iter_mut().find(|body| body.id == id)
    }

    /// How a round between two bodies may end: whether the winner may go after the loser or into the house, and
    /// whether there is nothing to be decided because the defender is captured.
    ///
    /// # Errors
    /// Why no round is fought between them.
    pub fn endings(&self, attacker: &str, defender: &str) -> Verdict<Endings> {
        let scene = self.table().checked("table", self.options())?;
        let fought = |winner, choice| Fought {
            attacker: attacker.to_owned(),
            defender: defender.to_owned(),
            winner,
            choice,
            lost: Lost::default(),
        };
        let stays = judge(&scene, &self.options, &fought(Winner::Nobody, Choice::Occupy), &mut nobody())?;
        let follows = |winner: Winner| {
            let fought = fought(winner, Choice::Follow);
            match &stays {
                Fight::Captured => false,
                Fight::House { place, .. } => winner == Winner::Attacker && *place == Where::AtTheWall,
                Fight::Ground(contact) => {
                    let both = scene.body(attacker, "").ok().zip(scene.body(defender, "").ok());
                    both.is_some_and(|(came, was)| across(contact, came, was, &fought).is_some())
                        && judge(&scene, &self.options, &fought, &mut nobody()).is_ok()
                }
            }
        };
        Ok(Endings {
            captured: matches!(stays, Fight::Captured),
            at_house: matches!(stays, Fight::House { .. }),
            attacker_follows: follows(Winner::Attacker),
            defender_follows: follows(Winner::Defender),
        })
    }
}

/// How a round may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is offered by itself")]
pub struct Endings {
    /// The defender is captured at once.
    pub captured: bool,
    /// It is fought at a house.
    pub at_house: bool,
    /// The attacker may follow, or go in.
    pub attacker_follows: bool,
    /// The defender may follow.
    pub defender_follows: bool,
}

/// Intruders in a house that nobody else holds any more are its garrison at the end of the period (TE-R56).
pub(super) fn settle(evening: &mut Evening, clerk: &mut impl Clerk) {
    let options = evening.options;
    let intruders: Vec<(String, String)> = evening
        .table()
        .bodies
        .iter()
        .filter_map(|body| Some((body.id.clone(), body.record.inside.clone()?)))
        .collect();
    for (id, house) in intruders {
        let held = |table: &Setup| {
            table.bodies.iter().any(|body| matches!(&body.place, Place::Garrison(at) if at.house == house))
        };
        if held(evening.table()) || !clerk.holds(rulebook::rule!(TE_R56), true) {
            continue;
        }
        let Ok(place) = deeds::garrison(evening.table(), &options, &id, &house) else { continue };
        let (name, home) = (evening.called(&id), evening.called_element(&house));
        if let Some(written) = evening.written(&id) {
            (written.place, written.record.inside) = (place, None);
        }
        clerk.happened(|| Event::new(say::HOLDS_HOUSE).with("name", name).with("house", home));
    }
}
