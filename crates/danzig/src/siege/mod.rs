//! The siege map (chapters 4 and 8): a metric plane with two walls, the works of the besieger and the
//! guns of both sides. `list_*` offer what may be decided, `check_*` say why not, the verbs change the
//! table. Losses that the owner may share out, batteries that must leave, surplus steps and occupiers
//! are pushed on `table.owed`.

mod assault;
mod build;
mod candidates;
mod common;
mod counter;
mod exposure;
mod facing;
pub mod fire;
mod garrison;
pub mod geometry;
mod ground;
mod guns;
pub mod melee;
mod moves;
mod muster;
mod network;
mod obstacle;
mod repulse;
mod route;
pub mod sight;
mod sortie;
mod state;
mod tables;
mod trench;

pub use assault::{
    Assault, begin_assault, begin_unopposed, captures, check_assault, check_excess, end_assaults,
    list_assaults, list_excess, place_excess,
};
pub(crate) use build::pick;
pub use build::{Build, begin_build, check_build, demolitions, list_builds, list_repairs};
pub use candidates::candidates;
pub use common::{
    Brawl, check_battery_place, check_room, end_turn, gun_at, has_french, is_french, is_manned, lose_step,
    morale_test, rally, steps_of, steps_on, wall_under,
};
pub use counter::{
    CounterAttack, begin_counterattack, check_counter_fire, check_counter_muster, check_counterattack,
    counter_fire, counter_melee, launch, list_counter_fire, list_counterattacks, may_stay, occupy,
};
pub use exposure::{Errand, Exposure, arrive, exposed_shot, waive_shot};
pub(crate) use facing::facings;
pub(crate) use garrison::KALKE_STEPS;
pub use garrison::{
    GarrisonMove, check_garrison, check_wall_repair, garrison_move, list_garrison, list_wall_repairs,
    repair_wall,
};
pub use geometry::{Facing, Fine, Rect, Spot};
pub use ground::{GROUND, Ground, Piece};
pub use guns::{
    MOST_SHOTS, bombard, check_battery_shot, check_bombard, check_gun_shot, check_mortar, countermine,
    enfilade_shot, enfiladed, explode_mine, fire_battery, fire_gun, fire_mortar, list_battery_shots,
    list_gun_shots, list_mortars, may_countermine, mine_is_ripe, say_why_batteries_are_silent,
    say_why_guns_are_silent,
};
pub(crate) use guns::{french_shot, prussian_shot};
pub use moves::{OpenEnd, SiegeMove, begin_move, check_move, list_moves};
pub use muster::Muster;
pub use repulse::{
    check_defender, check_field_fire, commit_defender, field_fire, list_defenders, list_field_fire,
    night_shot,
};
pub use route::{Danger, dangers, in_village};
pub use sight::{BatteryTarget, GunTarget, Sited, list_enfiladed, rakers, would_be_raked};
pub use sortie::{
    Group, Sortie, SortieRun, SortieTarget, begin_sortie, check_sortie, check_sortie_muster,
    list_sortie_muster, list_sorties, sortie_melee,
};
pub use state::*;
pub use tables::FireResult;
pub(crate) use tables::bears_artillery;
pub use trench::{Site, check_site, leaves_zone};
