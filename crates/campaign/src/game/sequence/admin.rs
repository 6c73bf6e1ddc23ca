//! Administration (section 3.2): supply source, centre of operations, Mortier.

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::options::campaign::CentreMove;
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::map::{HexId, map};
use crate::routes::Field;
use crate::terms::{Army, Hex, Road};

use super::super::action::Action;
use super::super::roster::{Key, LeaderId, constant, enemy, hex, place};
use super::super::state::{Phase, Scenario, State};
use super::{Opened, not_now};

/// Where Mortier comes in.
const MORTIER_AT: &str = "2854";
/// From when on.
const MORTIER_FROM: u8 = 5;

impl State {
    pub(super) fn open_admin(&mut self) -> Opened {
        let army = self.public.phasing;
        if self.host(army).skip.is_some() {
            return self.goes_to(Phase::Organise);
        }
        Opened::Ask(army)
    }

    fn known(&self, side: Army) -> Field<'_> {
        let seen = self.seen(Some(side), enemy(side));
        let base = self.base(side);
        let ends: Vec<HexId> = base.centre.into_iter().chain([base.source]).collect();
        self.field_of(side, &seen, &ends)
    }

    pub(super) fn list_admin(&self, side: Army, into: &mut Vec<Action>) {
        into.push(Action::EndAdmin);
        let mut wanted: Vec<Action> = map().sources(side).iter().copied().map(Action::ChangeSource).collect();
        let base = self.base(side);
        if base.ap > 0 {
            let places = self.public.control.iter().filter(|(_, army)| **army == side).map(|(&hex, _)| hex);
            match base.centre {
                Some(_) => wanted.extend(places.map(Action::MoveCentre)),
                None => wanted.extend(places.chain([base.source]).map(Action::ReformCentre)),
            }
        }
        wanted.push(Action::CallMortier);
        let field = self.known(side);
        into.extend(wanted.into_iter().filter(|action| self.allows(side, action, &field).is_ok()));
        self.list_skips(into);
    }

    pub(super) fn check_admin(&self, side: Army, action: &Action) -> Verdict<()> {
        match action {
            Action::EndAdmin => Ok(()),
            Action::SkipTo(to) => self.check_skip(*to),
            _ => self.allows(side, action, &self.known(side)),
        }
    }

    /// The APs of an administrative order, if it may be given.
    fn price(&self, side: Army, action: &Action, field: &Field<'_>) -> Verdict<i32> {
        let base = self.base(side);
        let host = self.host(side);
        let no_place =
            |rule| move |hex: HexId| Refusal::rule(rule, phrase::NO_PLACE).with("hex", hex.called());
        match *action {
            Action::ChangeSource(source) => {
                if rule!(CC_5_8_01).holds(host.source_changed) {
                    return Err(Refusal::rule(rule!(CC_5_8_01), phrase::ONCE_PER_TURN));
                }
                if source == base.source
                    || !map().sources(side).contains(&source)
                    || field.is_occupied(source)
                {
                    return Err(
                        Refusal::rule(rule!(CC_5_8_01), phrase::NO_SUCH_SOURCE).with("hex", source.called())
                    );
                }
                Ok(constant(Key::SourceChangeCost))
            }
            Action::MoveCentre(to) => {
                if rule!(CA_R51).holds(host.centre_moved) {
                    return Err(Refusal::rule(rule!(CA_R51), phrase::ONCE_PER_TURN));
                }
                let Some(centre) = self.centre_active(side) else {
                    return Err(Refusal::rule(rule!(CA_R51), phrase::CENTRE_INACTIVE));
                };
                if to == centre || !self.may_hold_centre(side, to, field) {
                    return Err(no_place(rule!(CC_5_1_01))(to));
                }
                let roads = field.primary_roads(centre);
                let distance = roads.cost(to).map_or(i32::MAX, |cost| cost.count() / 2);
                let most = match self.public.options.centre_move {
                    CentreMove::PerSix => constant(Key::CentreMoveMost),
                    CentreMove::SixOnly => constant(Key::CentreMoveStep),
                };
                if rule!(CA_R51).holds(distance > most) {
                    return Err(Refusal::rule(rule!(CA_R51), phrase::CENTRE_TOO_FAR)
                        .with("hex", to.called())
                        .with("most", most));
                }
                let step = constant(Key::CentreMoveStep);
                Ok((distance + step - 1) / step)
            }
            Action::ReformCentre(to) => {
                let active = base.active_from <= self.public.own_turns[place(side)];
                if base.centre.is_some() || !active {
                    return Err(Refusal::rule(rule!(CC_5_4_02), phrase::CENTRE_NOT_OFF));
                }
                let near = to == base.source
                    || field
                        .primary_roads(base.source)
                        .cost(to)
                        .is_some_and(|cost| cost.count() / 2 <= constant(Key::CentreMoveStep));
                let settled =
                    self.may_hold_centre(side, to, field) || (to == base.source && !field.is_occupied(to));
                if rule!(CC_5_4_02).holds(!near) || !settled {
                    return Err(no_place(rule!(CC_5_4_02))(to));
                }
                Ok(constant(Key::CentreReformCost))
            }
            Action::CallMortier => {
                let when = self.public.scenario == Scenario::November
                    && side == Army::French
                    && self.public.turn >= MORTIER_FROM
                    && !self.public.mortier;
                if rule!(CC_GAME_02).holds(!when || field.is_occupied(hex(MORTIER_AT))) {
                    return Err(Refusal::rule(rule!(CC_GAME_02), phrase::NOT_CALLED));
                }
                Ok(constant(Key::MortierCost))
            }
            _ => not_now(),
        }
    }

    fn allows(&self, side: Army, action: &Action, field: &Field<'_>) -> Verdict<()> {
        let price = self.price(side, action, field)?;
        if price > self.base(side).ap {
            return Err(Refusal::rule(rule!(CC_5_3_01), phrase::NO_POINTS)
                .with("needed", price)
                .with("left", self.base(side).ap));
        }
        Ok(())
    }

    /// Whether a centre may stand there: an own place on a primary road where no enemy is.
    fn may_hold_centre(&self, side: Army, at: HexId, field: &Field<'_>) -> bool {
        let cell = map().cell(at);
        let settled = matches!(cell.hex, Hex::Town | Hex::Depot | Hex::Citadel);
        let own = self.public.control.get(&at) == Some(&side) && cell.roads.contains(&Road::Primary);
        rule!(CC_5_1_01).holds(settled && own) && !field.is_occupied(at)
    }

    pub(super) fn act_admin(&mut self, side: Army, action: &Action, clerk: &mut impl Clerk) {
        if matches!(action, Action::EndAdmin) {
            return self.end_segment(clerk);
        }
        let price = self.price(side, action, &self.known(side)).unwrap_or(0);
        let ends = [self.base(side).centre, Some(self.base(side).source)];
        let ends: Vec<HexId> = ends.into_iter().flatten().collect();
        // What was legal by what is seen may fail in truth: the points are spent all the same.
        let works = self.price(side, action, &self.true_field(side, &ends)).is_ok();
        let works = clerk.rather(rule!(CA_R84), works, true);
        let own_turn = self.public.own_turns[place(side)];
        match *action {
            Action::ChangeSource(source) => {
                let price = clerk.value(rule!(CC_5_8_01), price);
                let base = self.base_mut(side);
                base.ap -= price;
                if works {
                    base.source = source;
                    base.active_from = own_turn + 1;
                }
                self.host_mut(side).source_changed = true;
            }
            Action::MoveCentre(to) => {
                let price = clerk.value(rule!(CA_R51), price);
                let base = self.base_mut(side);
                base.ap -= price;
                if works {
                    base.centre = Some(to);
                }
                self.host_mut(side).centre_moved = true;
            }
            Action::ReformCentre(to) => {
                let price = clerk.value(rule!(CC_5_4_02), price);
                let base = self.base_mut(side);
                base.ap -= price;
                if works {
                    base.centre = Some(to);
                }
            }
            Action::CallMortier => {
                let price = clerk.value(rule!(CC_GAME_02), price);
                self.base_mut(side).ap -= price;
                if works {
                    self.public.mortier = true;
                    if let Some(mortier) = LeaderId::named("mortier") {
                        self.enter(side, mortier, hex(MORTIER_AT), clerk);
                    }
                }
            }
            _ => {}
        }
        clerk.happened(|| {
            Event::new(if works { phrase::ADMINISTERED } else { phrase::ORDER_FAILED }).only_for(place(side))
        });
    }
}
