//! What a side, or a spectator, may see (section 6 of the game page), and whole states that agree with it.

use std::collections::BTreeMap;

use kernel::Live;
use schemars::JsonSchema;
use serde::Serialize;

use crate::battle::Stance;
use crate::map::HexId;
use crate::terms::{Arm, Army};

use super::knowledge::{Seen, Shown, least_of};
use super::roster::{LeaderId, UnitId, enemy, place};
use super::setup;
use super::state::{
    Flags, Flight, Force, Host, Leader, Mode, Phase, Public, State, Unit, Vedette, Whereabouts,
};

/// A force of the battle, as both sides see it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ForceSeen {
    /// Its SP by hex: infantry, cavalry, artillery.
    pub points: Vec<(HexId, [i32; 3])>,
    /// Its commander and where he is.
    pub commander: Option<(LeaderId, HexId)>,
    /// The vedettes among its cavalry, where there is nothing else.
    pub vedettes: bool,
}

/// What a reader may see.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct View {
    /// Who reads; nobody is a spectator.
    pub reader: Option<Army>,
    /// What both sides know.
    pub public: Public,
    /// What the reader knows of his own army.
    pub own: Option<Host>,
    /// What he sees of the armies that are not his, by hex.
    pub stacks: [Vec<Seen>; 2],
    /// The forces of the battle, for those who fight it.
    pub forces: Option<[ForceSeen; 2]>,
}

impl View {
    /// What a reader may see of a state.
    pub(crate) fn of(state: &State, reader: Option<Army>) -> Self {
        let stacks = [Army::French, Army::AustroRussian]
            .map(|army| if reader == Some(army) { Vec::new() } else { state.seen(reader, army).to_vec() });
        let fights = state.public.battle.is_some() && reader.is_some();
        Self {
            reader,
            public: state.public.clone(),
            own: reader.map(|army| state.host(army).clone()),
            stacks,
            forces: fights
                .then(|| [Army::French, Army::AustroRussian].map(|army| force_seen(state.host(army)))),
        }
    }

    /// A whole state that its reader cannot tell from the true one.
    pub(crate) fn imagine(&self, stream: &mut Live) -> State {
        let hosts = [Army::French, Army::AustroRussian].map(|army| match &self.own {
            Some(own) if self.reader == Some(army) => own.clone(),
            _ => self.host(army, stream),
        });
        State { public: self.public.clone(), hosts }
    }

    /// An army that looks like what is seen of it.
    fn host(&self, army: Army, stream: &mut Live) -> Host {
        let known = setup::table(self.public.scenario, self.public.options).hosts[place(army)].clone();
        let seen = &self.stacks[place(army)];
        let force = self.forces.as_ref().map(|forces| forces[place(army)].clone()).unwrap_or_default();
        Muster::new(known, &self.public, seen, &force).muster(seen, &force, stream)
    }
}

/// The SP of a force by hex.
fn force_seen(host: &Host) -> ForceSeen {
    let mut points: BTreeMap<HexId, [i32; 3]> = BTreeMap::new();
    for id in &host.force.units {
        let (Some(unit), Some(hex)) = (host.units.get(id), host.unit_at(*id)) else { continue };
        if unit.sp > 0 {
            points.entry(hex).or_default()[arm_slot(unit.arm)] += unit.sp;
        }
    }
    let units = !points.is_empty();
    for vedette in host.force.vedettes.iter().filter_map(|id| host.vedettes.get(id)) {
        points.entry(vedette.hex).or_default()[1] += 1;
    }
    let commander = Host::commander(&host.force.leaders);
    ForceSeen {
        vedettes: !units && !points.is_empty(),
        points: points.into_iter().collect(),
        commander: commander.and_then(|leader| Some((leader, host.leader_at(leader)?))),
    }
}

const fn arm_slot(arm: Arm) -> usize {
    match arm {
        Arm::Infantry => 0,
        Arm::Cavalry => 1,
        Arm::Artillery => 2,
    }
}

const ARMS: [Arm; 3] = [Arm::Infantry, Arm::Cavalry, Arm::Artillery];

/// An army in the making.
struct Muster<'a> {
    public: &'a Public,
    host: Host,
    units: Vec<UnitId>,
    leaders: Vec<LeaderId>,
}

impl<'a> Muster<'a> {
    fn new(known: Host, public: &'a Public, seen: &[Seen], force: &ForceSeen) -> Self {
        let turn = public.turn;
        let waits = |at: Whereabouts| match at {
            Whereabouts::Due { turn: due, .. } => due > turn,
            Whereabouts::Called => !public.mortier,
            _ => false,
        };
        let mut named: Vec<LeaderId> = seen
            .iter()
            .filter_map(|seen| match seen.contact?.commander {
                Shown::Leader(leader) => Some(leader),
                _ => None,
            })
            .collect();
        named.extend(force.commander.map(|(leader, _)| leader));
        let mut host = known;
        let (mut units, mut leaders) = (Vec::new(), Vec::new());
        let waiting = |host: &Host, leader: LeaderId| {
            host.leaders.get(&leader).is_some_and(|found| waits(found.at)) && !named.contains(&leader)
        };
        let unit_waits: Vec<(UnitId, bool)> = host
            .units
            .iter()
            .map(|(&id, unit)| (id, unit.leader.map_or(waits(unit.at), |leader| waiting(&host, leader))))
            .collect();
        for (id, waits) in unit_waits {
            if !waits {
                units.push(id);
            }
        }
        let all: Vec<LeaderId> = host.leaders.keys().copied().collect();
        for leader in all {
            if !waiting(&host, leader) {
                host.leaders
                    .insert(leader, Leader { superior: None, at: Whereabouts::Lost, organised: false });
                if !named.contains(&leader) {
                    leaders.push(leader);
                }
            }
        }
        for id in &units {
            if let Some(unit) = host.units.get_mut(id) {
                *unit = Unit { sp: 0, leader: None, at: Whereabouts::Lost, ..*unit };
            }
        }
        host.train = super::state::Train::None;
        units.reverse();
        leaders.reverse();
        Self { public, host, units, leaders }
    }

    /// Puts SP of an arm into a hex, under a leader or not; a vedette where no unit is left.
    fn put(&mut self, hex: HexId, arm: Arm, sp: i32, leader: Option<LeaderId>) -> Option<UnitId> {
        if sp <= 0 {
            return None;
        }
        match self.units.pop() {
            Some(id) => {
                let most = sp.max(self.host.units.get(&id).map_or(sp, |unit| unit.most));
                let unit = Unit { arm, sp, most, leader, at: Whereabouts::Map(hex), organised: false };
                self.host.units.insert(id, unit);
                Some(id)
            }
            None => {
                self.picket(hex);
                None
            }
        }
    }

    fn picket(&mut self, hex: HexId) -> Option<u8> {
        let number = (1..=u8::MAX).find(|number| !self.host.vedettes.contains_key(number))?;
        let unit = self.host.units.keys().next().copied()?;
        self.host.vedettes.insert(number, Vedette { unit, hex, spent: 0, done: false });
        Some(number)
    }

    fn stand(&mut self, leader: LeaderId, hex: HexId) {
        self.host
            .leaders
            .insert(leader, Leader { superior: None, at: Whereabouts::Map(hex), organised: false });
    }

    fn muster(mut self, seen: &[Seen], force: &ForceSeen, stream: &mut Live) -> Host {
        let mut hexes: Vec<HexId> = seen.iter().map(|seen| seen.hex).collect();
        hexes.extend(force.points.iter().map(|(hex, _)| *hex));
        hexes.extend(force.commander.map(|(_, hex)| hex));
        hexes.sort_unstable();
        hexes.dedup();
        if let Some((leader, hex)) = force.commander {
            self.stand(leader, hex);
            self.host.force.leaders.push(leader);
        }
        for hex in hexes {
            let shown = seen.iter().find(|seen| seen.hex == hex).copied();
            let engaged =
                force.points.iter().find(|(at, _)| *at == hex).map_or([0; 3], |(_, points)| *points);
            self.fill(hex, shown, engaged, force);
        }
        self.groups();
        let sealed = matches!(self.public.phase, Phase::StanceDefender | Phase::RestanceDefender);
        let attacks = self.public.battle.as_ref().is_some_and(|battle| {
            self.host.leaders.keys().next().is_some_and(|leader| leader.army() == battle.attacker)
        });
        if sealed && attacks {
            let pitched = stream.below(2) == 0;
            self.host.sealed = Some(if pitched { Stance::Pitched } else { Stance::Pursuit });
        }
        let heads = self.host.force.leaders.clone();
        self.host.pursuers = heads;
        self.host
    }

    fn fill(&mut self, hex: HexId, shown: Option<Seen>, engaged: [i32; 3], force: &ForceSeen) {
        let contact = shown.and_then(|seen| seen.contact);
        let in_force: i32 = engaged.iter().sum();
        if let Some(contact) = contact.filter(|contact| contact.commander == Shown::Vedette) {
            let count =
                contact.open.map_or(contact.band.map_or(i32::from(contact.class), least_of), |points| {
                    points.iter().sum()
                });
            for place in 0..count {
                if let Some(number) = self.picket(hex).filter(|_| place < in_force) {
                    self.host.force.vedettes.push(number);
                }
            }
            return;
        }
        if force.vedettes && in_force > 0 {
            for _ in 0..in_force {
                let number = self.picket(hex);
                self.host.force.vedettes.extend(number);
            }
        }
        let leader = match contact.map(|contact| contact.commander) {
            Some(Shown::Leader(leader)) => Some(leader),
            Some(_) => None,
            None => {
                let here = force.commander.filter(|(_, at)| *at == hex).map(|(leader, _)| leader);
                let needed = shown.is_some_and(|seen| seen.headquarters || seen.forages);
                here.or_else(|| if needed { self.leaders.pop() } else { None })
            }
        };
        if let Some(leader) = leader {
            self.stand(leader, hex);
        }
        if shown.is_some_and(|seen| seen.headquarters) {
            return;
        }
        if !force.vedettes {
            for (arm, sp) in ARMS.into_iter().zip(engaged) {
                let unit = self.put(hex, arm, sp, leader);
                self.host.force.units.extend(unit);
            }
        }
        let (extra, horse) = match contact {
            Some(contact) => match contact.open {
                Some(open) => ([open[0] - engaged[0], open[1] - engaged[1], open[2] - engaged[2]], false),
                None => {
                    let least = contact.band.map_or(i32::from(contact.class), least_of);
                    ([(least - in_force).max(0), 0, 0], contact.cavalry && engaged[1] == 0)
                }
            },
            None => ([i32::from(shown.is_some() && in_force == 0), 0, 0], false),
        };
        if horse {
            self.put(hex, Arm::Cavalry, extra[0].max(1), leader);
        } else {
            for (arm, sp) in ARMS.into_iter().zip(extra) {
                self.put(hex, arm, sp, leader);
            }
        }
        if shown.is_some_and(|seen| seen.forages)
            && let Some(leader) = leader
        {
            self.host.flags.insert(leader, Flags { mode: Mode::Forage, ..Flags::default() });
        }
    }

    /// Who belongs to the groups that retreat.
    fn groups(&mut self) {
        let Some(walk) = &self.public.walk else { return };
        let own = self.host.leaders.keys().next().map(|leader| leader.army());
        if own != Some(walk.army) {
            return;
        }
        let mut pickets: Vec<u8> = self.host.vedettes.keys().copied().collect();
        for group in &walk.groups {
            let at = group.at();
            let here = self.host.all_at(at);
            let members = match walk.flight {
                _ if group.off => Force::default(),
                Flight::Repulse => here,
                Flight::Battle => Force {
                    leaders: here
                        .leaders
                        .into_iter()
                        .filter(|one| self.host.force.leaders.contains(one))
                        .collect(),
                    units: here.units.into_iter().filter(|one| self.host.force.units.contains(one)).collect(),
                    vedettes: here
                        .vedettes
                        .into_iter()
                        .filter(|one| self.host.force.vedettes.contains(one))
                        .collect(),
                },
                Flight::Vedettes => {
                    let found = pickets.iter().position(|id| here.vedettes.contains(id));
                    let one = found.map(|place| pickets.remove(place));
                    Force { vedettes: one.into_iter().collect(), ..Force::default() }
                }
            };
            self.host.groups.push(members);
        }
    }
}

/// Another state that this side cannot tell from the given one: two enemy units of one arm of which it knows
/// no strength exchange their SP.
#[must_use]
pub fn twin(state: &State, side: Army, choice: &mut Live) -> Option<State> {
    let other = enemy(side);
    let seen = state.seen(Some(side), other);
    if state.public.battle.is_some() || state.public.outcome.is_some() {
        return None;
    }
    let host = state.host(other);
    let hidden = |id: &UnitId| {
        host.unit_at(*id)
            .is_some_and(|hex| !seen.iter().any(|seen| seen.hex == hex && seen.contact.is_some()))
    };
    let units: Vec<UnitId> =
        host.units.iter().filter(|(id, unit)| unit.sp > 0 && hidden(id)).map(|(&id, _)| id).collect();
    let count = u32::try_from(units.len()).ok().filter(|count| *count > 1)?;
    let one = *units.get(choice.below(count) as usize)?;
    let two = *units.get(choice.below(count) as usize)?;
    let (first, second) = (*host.units.get(&one)?, *host.units.get(&two)?);
    if first.arm != second.arm || (first.sp, first.most) == (second.sp, second.most) {
        return None;
    }
    let mut twin = state.clone();
    let host = &mut twin.hosts[place(other)];
    host.units.insert(one, Unit { sp: second.sp, most: second.most, ..first });
    host.units.insert(two, Unit { sp: first.sp, most: first.most, ..second });
    Some(twin)
}
