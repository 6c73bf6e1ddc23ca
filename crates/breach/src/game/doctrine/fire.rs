//! What is shot at: what falls soonest and matters most.

use super::super::ElementId;
use super::super::state::UnitId;
use super::Staff;
use crate::terms::Item;

impl Staff<'_> {
    /// What a shot at a unit is worth: rams and towers first, then who is about to lose a stand.
    pub(super) fn shot(&self, unit: UnitId, target: UnitId) -> i64 {
        let (Some(unit), Some(enemy)) = (self.table.unit(unit), self.table.unit(target)) else { return 0 };
        let machine = match enemy.item {
            Item::Ram | Item::SiegeTower | Item::PortableRam => 60,
            Item::Ladders | Item::Sow => 20,
            Item::None | Item::Mantlets => 0,
        };
        let nearly = 10 * i64::from(enemy.shot_hits + enemy.odd_hits);
        let near = (6_000 - self.table.gap(unit, enemy)).max(0) / 200;
        100 + machine + nearly + near
    }

    /// What a shot at the works is worth: the leaf until it falls, then whatever is cracked most.
    pub(super) fn bombardment(&self, element: ElementId, leaf: bool) -> i64 {
        let Some(works) = self.table.elements.get(usize::from(element.0)) else { return 0 };
        let held = i64::try_from(self.table.on(element).count()).unwrap_or(0);
        if leaf {
            return 400 + 20 * i64::from(works.leaf_dice);
        }
        200 + 20 * i64::from(works.dice + works.hits) + 5 * held
    }
}
