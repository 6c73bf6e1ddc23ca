//! What follows from what is on the table: who stands where, who is under whom, what a formation can march.

use crate::battle::Points;
use crate::map::HexId;
use crate::terms::{Arm, Army, Game};

use super::action::Action;
use super::muster;
use super::roster::{Key, LeaderId, UnitId, halves, place};
use super::state::{Base, Flags, Force, Host, Leader, Mode, Scenario, State, Train, Unit, Whereabouts};

impl Host {
    /// Where a leader stands on the map.
    #[must_use]
    pub fn leader_at(&self, leader: LeaderId) -> Option<HexId> {
        match self.leaders.get(&leader)?.at {
            Whereabouts::Map(hex) => Some(hex),
            _ => None,
        }
    }

    /// Where a unit stands on the map.
    #[must_use]
    pub fn unit_at(&self, unit: UnitId) -> Option<HexId> {
        let found = self.units.get(&unit)?;
        match found.leader {
            Some(leader) => self.leader_at(leader),
            None => match found.at {
                Whereabouts::Map(hex) => Some(hex),
                _ => None,
            },
        }
    }

    /// The head of a leader's formation.
    #[must_use]
    pub fn head(&self, leader: LeaderId) -> LeaderId {
        let mut at = leader;
        // A tree has three ranks below its head at most.
        for _ in 0..8 {
            match self.leaders.get(&at).and_then(|found| found.superior) {
                Some(superior) => at = superior,
                None => break,
            }
        }
        at
    }

    /// A leader and all below him, by id.
    #[must_use]
    pub fn tree(&self, head: LeaderId) -> Vec<LeaderId> {
        let order = muster::order(self);
        self.leaders.keys().copied().filter(|&leader| order.is_below(leader, head)).collect()
    }

    /// The units of a tree, by id.
    #[must_use]
    pub fn units_below(&self, head: LeaderId) -> Vec<UnitId> {
        let order = muster::order(self);
        let below = |unit: &Unit| unit.leader.is_some_and(|leader| order.is_below(leader, head));
        self.units.iter().filter(|(_, unit)| below(unit)).map(|(&id, _)| id).collect()
    }

    /// The heads of the formations and lone leaders on the map, by id.
    #[must_use]
    pub fn heads(&self) -> Vec<LeaderId> {
        let on_map = |leader: &Leader| leader.superior.is_none() && matches!(leader.at, Whereabouts::Map(_));
        self.leaders.iter().filter(|(_, leader)| on_map(leader)).map(|(&id, _)| id).collect()
    }

    /// Whether a leader heads a formation on the map.
    #[must_use]
    pub fn is_head(&self, leader: LeaderId) -> bool {
        self.leaders.get(&leader).is_some_and(|found| found.superior.is_none())
            && self.leader_at(leader).is_some()
    }

    /// The SP of some units.
    #[must_use]
    pub fn points(&self, units: &[UnitId]) -> Points {
        let mut points = Points::default();
        for unit in units.iter().filter_map(|unit| self.units.get(unit)) {
            points.add(unit.arm, unit.sp);
        }
        points
    }

    /// The SP of a formation.
    #[must_use]
    pub fn strength(&self, head: LeaderId) -> Points {
        muster::order(self).strength(head)
    }

    /// The SP of a force, vedettes as cavalry.
    #[must_use]
    pub fn force_points(&self, force: &Force) -> Points {
        let mut points = self.points(&force.units);
        points.cavalry += i32::try_from(force.vedettes.len()).unwrap_or(0);
        points
    }

    /// Everything of this side in a hex.
    #[must_use]
    pub fn all_at(&self, hex: HexId) -> Force {
        Force {
            leaders: self.leaders.keys().copied().filter(|&id| self.leader_at(id) == Some(hex)).collect(),
            units: self.units.keys().copied().filter(|&id| self.unit_at(id) == Some(hex)).collect(),
            vedettes: self.vedettes.iter().filter(|(_, one)| one.hex == hex).map(|(&id, _)| id).collect(),
        }
    }

    /// What is remembered of a formation.
    #[must_use]
    pub fn flags(&self, head: LeaderId) -> Flags {
        self.flags.get(&head).cloned().unwrap_or_default()
    }

    /// The same, to be changed.
    pub(crate) fn flags_mut(&mut self, head: LeaderId) -> &mut Flags {
        self.flags.or_default(head)
    }

    /// The span that a leader's direct units and subordinates take up, in half points.
    #[must_use]
    pub fn span_used(&self, leader: LeaderId) -> i32 {
        muster::order(self).span_used(leader)
    }

    /// Whether a tree carries the pontoon train.
    #[must_use]
    pub fn carries(&self, head: LeaderId) -> bool {
        matches!(self.train, Train::With(leader) if muster::order(self).is_below(leader, head))
    }

    /// The commander of some leaders.
    #[must_use]
    pub fn commander(leaders: &[LeaderId]) -> Option<LeaderId> {
        leaders.iter().copied().min_by_key(|leader| leader.seniority())
    }
}

/// What a unit takes of a span, in half points.
pub(crate) const fn weight(arm: Arm) -> i32 {
    match arm {
        Arm::Infantry => 2,
        Arm::Cavalry => 1,
        Arm::Artillery => 0,
    }
}

impl Flags {
    /// The larger count of the march.
    #[must_use]
    pub fn marched(&self) -> i16 {
        self.foot.max(self.horse)
    }
}

impl State {
    /// What a side knows alone.
    #[must_use]
    pub const fn host(&self, army: Army) -> &Host {
        &self.hosts[place(army)]
    }

    /// The same, to be changed.
    pub(crate) const fn host_mut(&mut self, army: Army) -> &mut Host {
        &mut self.hosts[place(army)]
    }

    /// The base of a side.
    #[must_use]
    pub const fn base(&self, army: Army) -> &Base {
        &self.public.bases[place(army)]
    }

    /// The same, to be changed.
    pub(crate) const fn base_mut(&mut self, army: Army) -> &mut Base {
        &mut self.public.bases[place(army)]
    }

    /// The kind of game.
    #[must_use]
    pub fn kind(&self) -> Game {
        if self.public.scenario == Scenario::Austerlitz { Game::Battle } else { Game::Campaign }
    }

    /// Whether there are politics.
    #[must_use]
    pub fn politics(&self) -> bool {
        matches!(self.public.scenario, Scenario::November | Scenario::December)
    }

    /// Whether the centre of a side is on the map and active.
    #[must_use]
    pub fn centre_active(&self, army: Army) -> Option<HexId> {
        let base = self.base(army);
        base.centre.filter(|_| base.active_from <= self.public.own_turns[place(army)])
    }

    /// Whether a hex of this side is besieged.
    #[must_use]
    pub fn besieged(&self, army: Army, hex: HexId) -> bool {
        self.public.sieges.iter().any(|siege| siege.hex == hex && siege.army == army)
    }

    /// The ordinary allowances of a formation, in halves: infantry and artillery, then cavalry.
    #[must_use]
    pub fn allowance(&self, army: Army, head: LeaderId) -> [Option<i16>; 2] {
        let host = self.host(army);
        let points = host.strength(head);
        if points.all() == 0 && !host.carries(head) {
            return [None, Some(halves(Key::AllowanceLeader))];
        }
        let flags = host.flags(head);
        let less = |allowance: i16| match flags.mode {
            Mode::Normal => allowance,
            Mode::Forage => halves(Key::ForageMost),
            Mode::Leaving => allowance - halves(Key::ForageLeave),
        };
        let foot = points.infantry + points.artillery > 0 || host.carries(head);
        [
            foot.then(|| less(halves(Key::AllowanceInfantry))),
            (points.cavalry > 0).then(|| less(halves(Key::AllowanceCavalry))),
        ]
    }

    /// Whether an action is one of the group orders that do not count as a choice of their own.
    pub(crate) const fn is_shortcut(action: &Action) -> bool {
        matches!(
            action,
            Action::Spread(_)
                | Action::Gather(_)
                | Action::RecoverAll
                | Action::Commands(_)
                | Action::Order { .. }
                | Action::Standing { .. }
                | Action::CarryOn
                | Action::SkipTo(_)
                | Action::Watch(_)
                | Action::RetreatRest
                | Action::PassBattle
                | Action::Losses { .. }
        )
    }
}
