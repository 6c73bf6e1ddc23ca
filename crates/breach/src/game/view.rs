//! What a side may see (section 7 of the game page): everything, but for lists that are written and units
//! that are set up in secret.

use rulebook::options::breach::{ArmyChoice, Deployment};
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::scenario::{Scenario, Side};

use super::ground::{Formation, Keep};
use super::moves::Mover;
use super::muster::ArmyList;
use super::plan::seat;
use super::state::{Place, State, Step, UnitId, UnitSet, Whereabouts};

/// The table as a reader sees it.
#[derive(Clone, Debug)]
pub struct View {
    /// Who reads; none for a spectator.
    pub reader: Option<Side>,
    /// All there is.
    pub state: State,
}

impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Shown { reader: self.reader, state: &self.state }.serialize(serializer)
    }
}

impl JsonSchema for View {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "View".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Shown::json_schema(generator)
    }
}

/// The view as it is told.
#[derive(Serialize, JsonSchema)]
struct Shown<'a> {
    /// Who reads; none for a spectator.
    reader: Option<Side>,
    #[serde(flatten)]
    state: &'a State,
}

impl State {
    /// Whether something is kept from the other side at this moment.
    pub(crate) fn is_secret(&self) -> bool {
        self.hides_lists() || self.hides_places()
    }

    fn hides_lists(&self) -> bool {
        let hidden = self.table.options.army_choice == ArmyChoice::Hidden;
        hidden && matches!(self.steps.last(), Some(Step::Army(_)))
    }

    /// Whether units are set up in secret now.
    pub(crate) fn hides_places(&self) -> bool {
        let hidden = self.table.options.deployment == Deployment::Hidden;
        let setting_up = matches!(self.steps.last(), Some(Step::Deploy | Step::DeployCharacters));
        rule!(BR_SCENARIO_1_10).holds(hidden && setting_up && self.table.scenario == Scenario::Watchtower)
    }

    /// The game as a reader knows it: of secret lists only that they are done, of units set up in secret
    /// only that they are.
    pub(crate) fn seen_by(&self, reader: Option<Side>) -> Self {
        let mut seen = self.clone();
        for side in [Side::Garrison, Side::Besieger].into_iter().filter(|side| Some(*side) != reader) {
            if self.hides_lists() {
                let list = &mut seen.lists[seat(side)];
                *list = ArmyList { done: list.done, ..ArmyList::default() };
            }
            if self.hides_places() {
                for unit in seen.table.units.iter_mut().filter(|unit| unit.side == side && unit.is_on_table())
                {
                    unit.marks.veiled = true;
                    for stand in &mut unit.stands {
                        if stand.place.is_on_table() {
                            stand.place = Place::Reserve;
                        }
                    }
                }
                let first = seen.table.units.iter().position(|unit| unit.side == side && unit.marks.veiled);
                let first = first.and_then(|at| u8::try_from(at).ok()).map(UnitId);
                for one in seen.table.characters.iter_mut().filter(|one| one.side == side) {
                    if let (true, Some(first)) = (one.is_on_table(), first) {
                        one.place = Whereabouts::With(first);
                    }
                }
            }
        }
        seen
    }

    /// A whole game that agrees with what is seen: veiled units stand somewhere in their zone.
    pub(crate) fn settled(mut self) -> Self {
        let veiled: Vec<UnitId> =
            self.table.each().filter(|(_, unit)| unit.marks.veiled).map(|(id, _)| id).collect();
        for id in veiled {
            self.settle(id);
        }
        self
    }

    fn settle(&mut self, id: UnitId) {
        let Some(unit) = self.table.unit(id).copied() else { return };
        let count = usize::from(unit.began);
        for anchor in &self.table.plan().anchors[seat(unit.side)] {
            for formation in [Formation::Line, Formation::Column] {
                let (places, _) = self.table.template(&unit, formation, anchor.front, anchor.facing);
                let mut after = unit;
                for (stand, place) in after.stands.iter_mut().zip(places).take(count) {
                    stand.place = place;
                }
                after.marks.veiled = false;
                let mover = Mover::new(&self.table, id, 0, UnitSet::default(), Keep::Away(10));
                if mover.is_some_and(|mover| mover.ends(&after).is_ok()) {
                    self.table.with_unit(id, |unit| *unit = after);
                    return;
                }
            }
        }
    }
}
