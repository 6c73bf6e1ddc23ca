//! Who masks whom (FE-1.3-05, TE-2.3-05 to TE-2.3-10, TE-R16).

use std::sync::LazyLock;

use kernel::RuleId;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::{MaskingFromCrestCell as Cell, MaskingFromCrestMasker as Masker};

use super::Outlook;
use crate::fire::Class;
use crate::scene::{Body, Formation, Instant};

/// Rows and columns of `masking-from-crest.csv`.
#[derive(Clone, Copy)]
enum Kind {
    InfantryLine,
    InfantryColumn,
    CavalryLine,
    CavalryColumn,
    Skirmishers,
    Artillery,
}

/// Whether the pair can never mask, by the table.
static NEVER: LazyLock<[[bool; 6]; 6]> = LazyLock::new(|| {
    let maskers = [
        Masker::InfantryLine,
        Masker::InfantryColumn,
        Masker::CavalryLine,
        Masker::CavalryColumn,
        Masker::Skirmishers,
        Masker::Artillery,
    ];
    maskers.map(|masker| {
        let row = masker.row();
        [
            row.infantry_line,
            row.infantry_column,
            row.cavalry_line,
            row.cavalry_column,
            row.skirmishers,
            row.artillery,
        ]
        .map(|cell| cell == Cell::Never)
    })
});

fn kind(body: &Body, instant: Instant) -> Kind {
    let presence = body.at(instant);
    let line = !body.is_shapeless() && matches!(presence.formation, Formation::Line | Formation::DoubleLine);
    match presence.class {
        _ if body.arm.is_artillery() => Kind::Artillery,
        Some(Class::Open) => Kind::Skirmishers,
        _ if body.arm.is_mounted() && line => Kind::CavalryLine,
        _ if body.arm.is_mounted() => Kind::CavalryColumn,
        _ if line => Kind::InfantryLine,
        _ => Kind::InfantryColumn,
    }
}

/// By which rule one body never masks another for an eye placed high; none if it can.
pub(super) fn never(instant: Instant, masker: &Body, target: &Body) -> Option<RuleId> {
    let (masker, target) = (kind(masker, instant), kind(target, instant));
    NEVER[masker as usize][target as usize].then_some(match (masker, target) {
        (Kind::Skirmishers, _) => rule!(TE_2_3_10),
        (Kind::InfantryColumn | Kind::CavalryColumn, Kind::InfantryLine | Kind::CavalryLine) => {
            rule!(TE_2_3_08)
        }
        (Kind::InfantryLine, Kind::CavalryLine | Kind::CavalryColumn) => rule!(TE_2_3_09),
        _ => rule!(TE_R16),
    })
}

/// Whether a body can stop a line at all: class line or mass.
pub(super) fn can_mask(outlook: &Outlook<'_>, body: usize) -> bool {
    let presence = outlook.scene.bodies()[body].at(outlook.instant);
    // A garrison stands in its walls, which block by themselves.
    presence.house.is_none() && matches!(presence.class, Some(Class::Line | Class::Mass))
}
