//! Organisation (section 3.3): trees of command, vedettes, forage, stragglers, replacements.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::campaign::Stragglers;
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::map::HexId;
use crate::routes::Field;
use crate::terms::{Arm, Army, Game};

use super::super::action::Action;
use super::super::host::weight;
use super::super::roster::{Key, LeaderId, UnitId, constant, halves};
use super::super::state::{Flags, Mode, Phase, Segment, Share, State, Vedette, Whereabouts};
use super::{Opened, not_now};

/// The most that is listed.
const MOST: usize = 96;

impl State {
    pub(super) fn open_organise(&mut self) -> Opened {
        if self.skips(Segment::Organise) {
            return self.goes_to(Phase::Command);
        }
        Opened::Ask(self.public.phasing)
    }

    pub(super) fn list_organise(&self, side: Army, into: &mut Vec<Action>) {
        into.push(Action::EndOrganise);
        let host = self.host(side);
        let field = self.known_field(side);
        let leaders: Vec<(LeaderId, HexId)> =
            host.leaders.keys().filter_map(|&leader| Some((leader, host.leader_at(leader)?))).collect();
        let mut offer = |action: Action| {
            if self.organises(side, &action, &field).is_ok() {
                into.push(action);
            }
        };
        for &(leader, hex) in &leaders {
            if !host.is_head(leader) {
                offer(Action::Detach(leader));
                continue;
            }
            offer(Action::Spread(leader));
            offer(Action::ForageOn(leader));
            offer(Action::ForageOff(leader));
            let mut others = leaders.iter().filter(|(other, at)| *at == hex && *other != leader).peekable();
            if others.peek().is_some() {
                offer(Action::Gather(leader));
            }
            let ranked = others.filter(|(other, _)| other.rank() < leader.rank());
            ranked.for_each(|&(superior, _)| offer(Action::Attach { leader, superior }));
        }
        for (&unit, found) in host.units.iter() {
            let Some(hex) = host.unit_at(unit) else { continue };
            let (mounted, short) = (found.arm == Arm::Cavalry, found.sp < found.most);
            if mounted && found.sp > 0 && found.leader.is_some() {
                offer(Action::VedetteOut(unit));
            }
            if !short {
                continue;
            }
            offer(Action::Replace(unit));
            (1..=2).for_each(|sp| offer(Action::Recover { unit, sp }));
            let back = host.vedettes.iter().filter(|(_, vedette)| mounted && vedette.hex == hex);
            back.for_each(|(&vedette, _)| offer(Action::VedetteIn { vedette, unit }));
        }
        offer(Action::RecoverAll);
        self.list_skips(into);
        self.list_transfers(side, &leaders, into);
    }

    /// The units that may change their leader inside their hex, as long as the list is not too long.
    fn list_transfers(&self, side: Army, leaders: &[(LeaderId, HexId)], into: &mut Vec<Action>) {
        let host = self.host(side);
        let rooms: Vec<i32> =
            leaders.iter().map(|&(leader, _)| leader.span() - host.span_used(leader)).collect();
        for (&unit, found) in host.units.iter().filter(|(_, found)| !rule!(CA_R67).holds(found.organised)) {
            let Some(hex) = host.unit_at(unit) else { continue };
            let here = leaders
                .iter()
                .zip(&rooms)
                .filter(|((leader, at), _)| *at == hex && found.leader != Some(*leader));
            let fits = here.filter(|(_, room)| !rule!(CC_2_4_01).holds(weight(found.arm) > **room));
            let leaves = found.leader.is_some() && found.sp > 0;
            for to in fits.map(|(&(leader, _), _)| Some(leader)).chain(leaves.then_some(None)) {
                if into.len() >= MOST {
                    return;
                }
                into.push(Action::Transfer { unit, to });
            }
        }
    }

    /// Whether there is plainly something to organise: a unit that may be left by itself.
    pub(super) fn may_organise(&self, side: Army) -> bool {
        let host = self.host(side);
        host.units.iter().any(|(&id, unit)| {
            unit.sp > 0 && unit.leader.is_some() && !unit.organised && host.unit_at(id).is_some()
        })
    }

    pub(super) fn check_organise(&self, side: Army, action: &Action) -> Verdict<()> {
        match action {
            Action::EndOrganise => Ok(()),
            Action::SkipTo(to) => self.check_skip(*to),
            _ => self.organises(side, action, &self.known_field(side)),
        }
    }

    pub(super) fn check_share(&self, side: Army, formation: LeaderId, share: Share) -> Verdict<()> {
        self.formation(side, formation)?;
        let own_turn =
            self.public.phasing == side && self.public.owed.is_empty() && self.public.walk.is_none();
        if !own_turn || self.host(side).flags(formation).share == share {
            return Err(Refusal::rule(rule!(CA_R73), phrase::NOT_NOW));
        }
        Ok(())
    }

    /// A leader on the map.
    fn on_map(&self, side: Army, leader: LeaderId) -> Verdict<HexId> {
        let at = self.host(side).leader_at(leader);
        at.ok_or_else(|| Refusal::plain(phrase::NO_SUCH_FORMATION).with("leader", leader.name()))
    }

    fn unit_on_map(&self, side: Army, unit: UnitId) -> Verdict<HexId> {
        let at = self.host(side).unit_at(unit);
        at.ok_or_else(|| Refusal::plain(phrase::NO_SUCH_UNIT).with("unit", unit.name()))
    }

    /// Same hex, or adjacent hexes that infantry may pass between, neither in an enemy zone.
    fn here(&self, side: Army, one: HexId, other: HexId, field: &Field<'_>) -> Verdict<()> {
        if one == other {
            return Ok(());
        }
        let passes =
            one.towards(other).is_some_and(|direction| field.pace(Arm::Infantry, one, direction).is_some());
        let shut = self.besieged(side, one) || self.besieged(side, other);
        if rule!(CC_2_6_01).holds(!passes || field.in_zone(one) || field.in_zone(other) || shut) {
            return Err(Refusal::rule(rule!(CC_2_6_01), phrase::NOT_HERE));
        }
        Ok(())
    }

    fn not_yet(organised: bool) -> Verdict<()> {
        if rule!(CA_R67).holds(organised) {
            Err(Refusal::rule(rule!(CA_R67), phrase::ORGANISED))
        } else {
            Ok(())
        }
    }

    fn fits(&self, side: Army, superior: LeaderId, more: i32) -> Verdict<()> {
        let (used, most) = (self.host(side).span_used(superior), superior.span());
        if rule!(CC_2_4_01).holds(used + more > most) {
            return Err(Refusal::rule(rule!(CC_2_4_01), phrase::NO_SPAN)
                .with("leader", superior.name())
                .with("most", most / 2));
        }
        Ok(())
    }

    fn organises(&self, side: Army, action: &Action, field: &Field<'_>) -> Verdict<()> {
        let host = self.host(side);
        match *action {
            Action::Attach { leader, superior } => {
                let (at, to) = (self.on_map(side, leader)?, self.on_map(side, superior)?);
                let found = host.leaders.get(&leader);
                Self::not_yet(found.is_some_and(|found| found.organised))?;
                if found.is_some_and(|found| found.superior.is_some()) {
                    return Err(
                        Refusal::rule(rule!(CC_2_6_01), phrase::HAS_SUPERIOR).with("leader", leader.name())
                    );
                }
                if rule!(CC_GAME_03).holds(superior.rank() >= leader.rank()) {
                    return Err(Refusal::rule(rule!(CC_GAME_03), phrase::RANK)
                        .with("leader", leader.name())
                        .with("superior", superior.name()));
                }
                let head = host.head(superior);
                let forages = |head| host.flags(head).mode == Mode::Forage;
                if forages(leader) || forages(head) {
                    return Err(Refusal::rule(rule!(CC_11_3_01), phrase::FORAGES));
                }
                self.here(side, at, to, field)?;
                self.fits(side, superior, leader.subordination())
            }
            Action::Detach(leader) => {
                self.on_map(side, leader)?;
                let found = host.leaders.get(&leader);
                Self::not_yet(found.is_some_and(|found| found.organised))?;
                if found.is_none_or(|found| found.superior.is_none()) {
                    return Err(
                        Refusal::rule(rule!(CC_2_6_01), phrase::NO_SUPERIOR).with("leader", leader.name())
                    );
                }
                Ok(())
            }
            Action::Spread(leader) => {
                self.formation(side, leader)?;
                if self.spread_of(side, leader).is_empty() {
                    return Err(Refusal::rule(rule!(CA_R83), phrase::NOBODY));
                }
                Ok(())
            }
            Action::Gather(leader) => {
                self.formation(side, leader)?;
                if self.gathered(side, leader, field).is_none() {
                    return Err(Refusal::rule(rule!(CA_R83), phrase::NOBODY));
                }
                Ok(())
            }
            Action::Transfer { unit, to } => {
                let at = self.unit_on_map(side, unit)?;
                let Some(found) = host.units.get(&unit) else { return not_now() };
                Self::not_yet(found.organised)?;
                if found.leader == to {
                    return Err(
                        Refusal::rule(rule!(CC_2_6_01), phrase::HAS_SUPERIOR).with("leader", unit.name())
                    );
                }
                match to {
                    Some(leader) => {
                        self.here(side, at, self.on_map(side, leader)?, field)?;
                        self.fits(side, leader, weight(found.arm))
                    }
                    // A unit without SP is nothing by itself.
                    None if found.sp == 0 => Err(Refusal::rule(rule!(CC_2_3_01), phrase::NO_TROOPS)),
                    None => Ok(()),
                }
            }
            Action::VedetteOut(unit) => self.may_detach(side, unit, true),
            Action::VedetteIn { vedette, unit } => {
                let at = self.unit_on_map(side, unit)?;
                let Some(found) = host.vedettes.get(&vedette) else {
                    return Err(Refusal::rule(rule!(CC_2_7_01), phrase::NO_SUCH_VEDETTE));
                };
                let Some(into) = host.units.get(&unit) else { return not_now() };
                Self::not_yet(into.organised)?;
                if rule!(CC_2_7_01).holds(found.hex != at || into.arm != Arm::Cavalry || into.sp >= into.most)
                {
                    return Err(Refusal::rule(rule!(CC_2_7_01), phrase::NO_ROOM).with("unit", unit.name()));
                }
                Ok(())
            }
            Action::ForageOn(head) => {
                self.formation(side, head)?;
                let hex = self.on_map(side, head)?;
                let flags = host.flags(head);
                Self::not_yet(host.leaders.get(&head).is_some_and(|found| found.organised))?;
                let may = self.kind() == Game::Campaign
                    && flags.mode == Mode::Normal
                    && host.strength(head).all() > 0
                    && !field.in_zone(hex)
                    && !self.besieged(side, hex);
                if rule!(CC_13_4_01).holds(flags.shaken) {
                    return Err(Refusal::rule(rule!(CC_13_4_01), phrase::SHAKEN));
                }
                if rule!(CC_11_3_01).holds(!may) {
                    return Err(Refusal::rule(rule!(CC_11_3_01), phrase::NO_FORAGE));
                }
                Ok(())
            }
            Action::ForageOff(head) => {
                self.formation(side, head)?;
                Self::not_yet(host.leaders.get(&head).is_some_and(|found| found.organised))?;
                if host.flags(head).mode != Mode::Forage {
                    return Err(Refusal::rule(rule!(CC_11_3_02), phrase::NO_FORAGE));
                }
                Ok(())
            }
            Action::Recover { unit, sp } => self.may_recover(side, unit, i32::from(sp), field),
            Action::RecoverAll => {
                if self.next_recovery(side, field).is_none() {
                    return Err(Refusal::rule(rule!(CA_R50), phrase::NOBODY));
                }
                Ok(())
            }
            Action::Replace(unit) => {
                let at = self.unit_on_map(side, unit)?;
                let Some(found) = host.units.get(&unit) else { return not_now() };
                Self::not_yet(found.organised)?;
                let due = self.kind() == Game::Campaign
                    && !host.replacement_used
                    && self.calendar().is_some_and(|row| row.replacement);
                if rule!(CC_17_03).holds(!due || found.arm != Arm::Infantry || found.sp >= found.most) {
                    return Err(Refusal::rule(rule!(CC_17_03), phrase::NO_REPLACEMENT));
                }
                if rule!(CA_R81).holds(!self.line_by(side, at, field)) {
                    return Err(Refusal::rule(rule!(CA_R81), phrase::NO_LINE));
                }
                Ok(())
            }
            _ => not_now(),
        }
    }

    /// Whether a vedette may be detached from a unit.
    pub(super) fn may_detach(&self, side: Army, unit: UnitId, organising: bool) -> Verdict<()> {
        let host = self.host(side);
        self.unit_on_map(side, unit)?;
        let Some(found) = host.units.get(&unit) else { return not_now() };
        if organising {
            Self::not_yet(found.organised)?;
        }
        let Some(leader) = found.leader.filter(|_| found.arm == Arm::Cavalry && found.sp > 0) else {
            return Err(Refusal::rule(rule!(CC_2_7_01), phrase::NO_ROOM).with("unit", unit.name()));
        };
        let own = host.units_below(host.head(leader));
        let out = host.vedettes.values().filter(|vedette| own.contains(&vedette.unit)).count();
        if rule!(CC_2_7_01)
            .holds(i32::try_from(out).unwrap_or(i32::MAX) >= constant(Key::VedettesPerFormation))
        {
            return Err(Refusal::rule(rule!(CC_2_7_01), phrase::TOO_MANY_VEDETTES));
        }
        if rule!(CA_R76)
            .holds(i32::try_from(host.vedettes.len()).unwrap_or(i32::MAX) >= constant(Key::VedettesPerSide))
        {
            return Err(Refusal::rule(rule!(CA_R76), phrase::TOO_MANY_VEDETTES));
        }
        Ok(())
    }

    /// Detaches a vedette.
    pub(super) fn detach_vedette(&mut self, side: Army, unit: UnitId) {
        let host = self.host_mut(side);
        let Some(hex) = host.unit_at(unit) else { return };
        let Some(number) = (1..=8).find(|number| !host.vedettes.contains_key(number)) else { return };
        if let Some(found) = host.units.get_mut(&unit) {
            found.sp -= 1;
        }
        host.vedettes.insert(number, Vedette { unit, hex, spent: 0, done: false });
    }

    /// The direct subordinates with SP that may be detached.
    fn spread_of(&self, side: Army, head: LeaderId) -> Vec<LeaderId> {
        let host = self.host(side);
        let below = host.leaders.iter().filter(|(_, found)| found.superior == Some(head) && !found.organised);
        below.map(|(&id, _)| id).filter(|&id| host.strength(id).all() > 0).collect()
    }

    /// The next leader to be gathered: most SP first, then by id.
    fn gathered(&self, side: Army, head: LeaderId, field: &Field<'_>) -> Option<Action> {
        let host = self.host(side);
        let hex = host.leader_at(head)?;
        let mut here: Vec<LeaderId> = host
            .heads()
            .into_iter()
            .filter(|&other| other != head && host.leader_at(other) == Some(hex))
            .collect();
        here.sort_by_key(|&other| (-host.strength(other).all(), other));
        let orders = here.into_iter().map(|leader| Action::Attach { leader, superior: head });
        orders.into_iter().find(|order| self.organises(side, order, field).is_ok())
    }

    fn may_recover(&self, side: Army, unit: UnitId, sp: i32, field: &Field<'_>) -> Verdict<()> {
        let refused = |reason| Err(Refusal::rule(rule!(CA_R50), reason));
        let host = self.host(side);
        let hex = self.unit_on_map(side, unit)?;
        let Some(found) = host.units.get(&unit) else { return not_now() };
        if self.public.options.stragglers == Stragglers::None || self.kind() == Game::Battle {
            return refused(phrase::NO_STRAGGLERS);
        }
        let pool = match found.arm {
            Arm::Infantry => host.pool[0],
            Arm::Cavalry => host.pool[1],
            Arm::Artillery => 0,
        };
        if rule!(CA_R50).holds(pool < sp || found.sp + sp > found.most || !(1..=2).contains(&sp)) {
            return refused(phrase::NO_STRAGGLERS);
        }
        let (marched, taken) = match found.leader {
            Some(leader) => {
                let head = host.head(leader);
                (host.flags(head).last_march, self.recovered(side, head))
            }
            None => (0, 0),
        };
        Self::not_yet(found.organised)?;
        if taken + sp > constant(Key::StragglerReturn) {
            return refused(phrase::ORGANISED);
        }
        if marched > halves(Key::StragglerMarch) {
            return refused(phrase::MARCHED);
        }
        if field.in_zone(hex) {
            return refused(phrase::IN_ZONE);
        }
        if !self.line_by(side, hex, field) {
            return refused(phrase::NO_LINE);
        }
        Ok(())
    }

    /// Stragglers that a formation took back in this turn.
    fn recovered(&self, side: Army, head: LeaderId) -> i32 {
        self.host(side).flags(head).recovered
    }

    fn next_recovery(&self, side: Army, field: &Field<'_>) -> Option<Action> {
        let host = self.host(side);
        if host.pool == [0; 2] {
            return None;
        }
        for head in host.heads() {
            let mut units = host.units_below(head);
            let missing = |unit: &UnitId| host.units.get(unit).map_or(0, |found| found.most - found.sp);
            units.retain(|unit| missing(unit) > 0);
            units.sort_by_key(|unit| (-missing(unit), *unit));
            for unit in units {
                for sp in [2, 1] {
                    if self.may_recover(side, unit, sp, field).is_ok() {
                        return Some(Action::Recover { unit, sp: u8::try_from(sp).unwrap_or(1) });
                    }
                }
            }
        }
        None
    }

    pub(super) fn act_organise(&mut self, side: Army, action: &Action, clerk: &mut impl Clerk) {
        match *action {
            Action::EndOrganise => self.end_segment(clerk),
            Action::Attach { leader, superior } => self.attach(side, leader, superior),
            Action::Detach(leader) => self.detach(side, leader),
            Action::Spread(leader) => {
                clerk.applied(rule!(CA_R83));
                for below in self.spread_of(side, leader) {
                    self.detach(side, below);
                }
            }
            Action::Gather(head) => {
                clerk.applied(rule!(CA_R83));
                for _ in 0..32 {
                    let order = self.gathered(side, head, &self.known_field(side));
                    let Some(Action::Attach { leader, superior }) = order else { break };
                    self.attach(side, leader, superior);
                }
            }
            Action::Transfer { unit, to } => {
                let host = self.host_mut(side);
                let Some(at) = host.unit_at(unit) else { return };
                if let Some(found) = host.units.get_mut(&unit) {
                    found.leader = to;
                    found.at = Whereabouts::Map(at);
                    found.organised = true;
                }
                self.settle(side, at, clerk);
            }
            Action::VedetteOut(unit) => {
                clerk.applied(rule!(CC_2_7_01));
                self.detach_vedette(side, unit);
                if let Some(found) = self.host_mut(side).units.get_mut(&unit) {
                    found.organised = true;
                }
            }
            Action::VedetteIn { vedette, unit } => {
                let host = self.host_mut(side);
                host.vedettes.remove(&vedette);
                if let Some(found) = host.units.get_mut(&unit) {
                    found.sp += 1;
                    found.organised = true;
                }
            }
            Action::ForageOn(head) | Action::ForageOff(head) => {
                let on = matches!(action, Action::ForageOn(_));
                let host = self.host_mut(side);
                host.flags_mut(head).mode = if on {
                    Mode::Forage
                } else {
                    clerk.rather(rule!(CC_11_3_02), Mode::Leaving, Mode::Normal)
                };
                if let Some(leader) = host.leaders.get_mut(&head) {
                    leader.organised = true;
                }
            }
            Action::Recover { unit, sp } => self.recover(side, unit, i32::from(sp), clerk),
            Action::RecoverAll => {
                clerk.applied(rule!(CA_R83));
                for _ in 0..64 {
                    let order = self.next_recovery(side, &self.known_field(side));
                    let Some(Action::Recover { unit, sp }) = order else { break };
                    self.recover(side, unit, i32::from(sp), clerk);
                }
            }
            Action::Replace(unit) => {
                let more = clerk.value(rule!(CC_17_03), constant(Key::Replacement));
                let host = self.host_mut(side);
                host.replacement_used = true;
                host.replaced += more;
                if let Some(found) = host.units.get_mut(&unit) {
                    found.sp += more;
                    found.organised = true;
                }
            }
            _ => {}
        }
    }

    fn recover(&mut self, side: Army, unit: UnitId, sp: i32, clerk: &mut impl Clerk) {
        let sp = clerk.value(rule!(CA_R50), sp);
        let host = self.host_mut(side);
        let Some(found) = host.units.get_mut(&unit) else { return };
        found.sp += sp;
        found.organised = true;
        let leader = found.leader;
        host.pool[usize::from(found.arm == Arm::Cavalry)] -= sp;
        host.worn -= sp;
        if let Some(leader) = leader {
            let head = host.head(leader);
            host.flags_mut(head).recovered += sp;
        }
    }

    /// A tree joins a superior's formation.
    fn attach(&mut self, side: Army, leader: LeaderId, superior: LeaderId) {
        let host = self.host_mut(side);
        let Some(hex) = host.leader_at(superior) else { return };
        let head = host.head(superior);
        let joining = host.flags.remove(&leader).unwrap_or_default();
        for below in host.tree(leader) {
            if let Some(found) = host.leaders.get_mut(&below) {
                found.at = Whereabouts::Map(hex);
            }
        }
        if let Some(found) = host.leaders.get_mut(&leader) {
            found.superior = Some(superior);
            found.organised = true;
        }
        let flags = host.flags_mut(head);
        flags.last_march = flags.last_march.max(joining.last_march);
        flags.entered |= joining.entered;
        flags.command |= joining.command && joining.entered;
        flags.shaken |= joining.shaken;
        flags.recovered += joining.recovered;
    }

    /// A leader heads a formation of his own, with the flags of the old one.
    pub(super) fn detach(&mut self, side: Army, leader: LeaderId) {
        let host = self.host_mut(side);
        let head = host.head(leader);
        let flags = Flags { goal: None, ..host.flags(head) };
        if let Some(found) = host.leaders.get_mut(&leader) {
            found.superior = None;
            found.organised = true;
        }
        host.flags.insert(leader, flags);
    }
}
