//! `danzig.place`: whether a work may be built in a place, as facts or in a saved game.

use kernel::{Clerk, Effect, Inquiry, Question, Verdict, Whole};
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::{WorkFacts, lay_all};
use crate::ops::Unheard;
use crate::siege::{INTACT, Site, WallId, WorkId, WorkKind};
use crate::{Options, State};

/// Whether a work may be built in a place.
pub(super) struct PlaceWork;

/// The level of a wall point.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LevelFacts {
    point: WallId,
    level: Whole<0, 20>,
    /// Prussian infantry stands there.
    #[serde(default)]
    held: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaceRequest {
    /// The new work.
    work: WorkFacts,
    /// The works on the map.
    #[serde(default)]
    works: Vec<WorkFacts>,
    /// Wall points that are not intact or are held.
    #[serde(default)]
    walls: Vec<LevelFacts>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct PlaceAnswer {
    legal: bool,
    /// Construction points.
    cost: u8,
    /// The wall points it would cover.
    covers: Vec<WallId>,
    /// The works it would touch, by their number: the first of the list is 1.
    touches: Vec<u16>,
}

impl Question for PlaceWork {
    const NAME: &'static str = "danzig.place";
    type Options = Options;
    type Request = PlaceRequest;
    type Answer = PlaceAnswer;

    fn answer(request: &PlaceRequest, _: &Options, clerk: &mut impl Clerk) -> Verdict<PlaceAnswer> {
        let pose = request.work.pose("work")?;
        let mut map = lay_all(&request.works)?;
        for wall in &request.walls {
            map.wall_mut(wall.point).level = u8::try_from(wall.level.get()).unwrap_or(INTACT);
        }
        let held = |point: WallId| request.walls.iter().any(|wall| wall.held && wall.point == point);
        let site = crate::siege::check_site(&map, request.work.kind, pose, 0, held, &mut Unheard)?;
        Ok(priced(request.work.kind, &site, clerk))
    }
}

fn priced(kind: WorkKind, site: &Site, clerk: &mut impl Clerk) -> PlaceAnswer {
    clerk.applied(rule!(DZ_4_7_2_12));
    let cost = match kind {
        WorkKind::Sap | WorkKind::Parallel => 1,
        WorkKind::Battery => 2,
    };
    clerk.because(rule!(DZ_4_7_2_15), Effect::Set(kernel::Measure::Number(cost.into())));
    PlaceAnswer {
        legal: true,
        cost,
        covers: site.covers.iter().collect(),
        touches: site.links.iter().map(WorkId::number).collect(),
    }
}

/// A new work in a saved game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewWork {
    /// The new work.
    work: WorkFacts,
}

impl Inquiry for PlaceWork {
    const NAME: &'static str = <Self as Question>::NAME;
    type Position = State;
    type Request = NewWork;
    type Answer = PlaceAnswer;

    fn answer(state: &State, request: &NewWork, clerk: &mut impl Clerk) -> Verdict<PlaceAnswer> {
        let table = &state.table;
        let pose = request.work.pose("work")?;
        let held = |point: WallId| crate::siege::is_manned(table, point);
        let site =
            crate::siege::check_site(&table.siege, request.work.kind, pose, table.turn, held, &mut Unheard)?;
        Ok(priced(request.work.kind, &site, clerk))
    }
}
