//! The march attrition chart: a formation, its march and the army's administrative points (or its
//! forage) enter, the loss in strength points leaves.

use kernel::{Clerk, Effect, MovementPoints};
use rulebook::options::campaign::{AttritionRows, AttritionStagger, Options};
use rulebook::rule;

use crate::tables::{self, ApColumn};
use crate::terms::Game;

/// What feeds the formation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provision {
    /// The army's administrative points.
    Points(i32),
    /// A forage value in hundredths.
    Forage(i32),
    /// Nothing: besieged.
    Besieged,
    /// Nothing: no line of communication.
    OutOfSupply,
    /// Nothing: the centre of operations is inactive after a change of supply source.
    InactiveCentre,
    /// Nothing: a battle scenario, and the supply source is farther than 18 MP.
    FarFromSource,
}

/// A march to be paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct March {
    /// All SP of the formation.
    pub size: i32,
    /// The whole distance.
    pub distance: MovementPoints,
    /// Forced march in it, in MP.
    pub forced: i32,
    /// Extended march in it, in MP.
    pub extended: i32,
    /// The commander's bonus.
    pub bonus: i32,
    /// Whether there is mud.
    pub mud: bool,
    /// What feeds it.
    pub provision: Provision,
    /// The kind of game.
    pub game: Game,
}

/// The loss and how it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loss {
    /// SP lost.
    pub sp: i32,
    /// The modified die.
    pub die: i32,
    /// The row of the chart.
    pub row: i32,
    /// The loss column.
    pub column: i32,
}

/// The terms of the regular series of losses (CA-R02).
const SERIES: [i32; 20] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 6, 7, 9, 10, 12, 14, 16];

/// The column of the heading.
pub fn column_of(provision: Provision, game: Game, clerk: &mut impl Clerk) -> ApColumn {
    match provision {
        Provision::Points(points) => {
            let rule = match game {
                Game::Campaign => rule!(CA_ATTRITION_06),
                Game::Battle => rule!(CA_ATTRITION_05),
            };
            let column = clerk.rather(rule, ApColumn::of(points), ApColumn::Zero);
            clerk.value(rule!(CA_ATTRITION_04), column)
        }
        Provision::Forage(hundredths) => clerk.value(rule!(CA_ATTRITION_19), ApColumn::of(hundredths / 100)),
        Provision::Besieged => clerk.value(rule!(CA_ATTRITION_17), ApColumn::Zero),
        Provision::OutOfSupply => clerk.value(rule!(CA_COMMUNICATIONS_03), ApColumn::Zero),
        Provision::InactiveCentre => clerk.value(rule!(CA_ATTRITION_09), ApColumn::Zero),
        Provision::FarFromSource => clerk.value(rule!(CA_ATTRITION_07), ApColumn::Zero),
    }
}

/// The size row of a column.
pub fn row_of(column: ApColumn, size: i32, clerk: &mut impl Clerk) -> i32 {
    let (row, beyond) = tables::attrition_row(column, size);
    clerk.value(if beyond { rule!(CA_ATTRITION_20) } else { rule!(CA_ATTRITION_01) }, row)
}

/// Rolls for attrition.
pub fn roll(march: &March, options: &Options, clerk: &mut impl Clerk) -> Loss {
    clerk.applied(rule!(CA_ATTRITION_10));
    let ap_column = column_of(march.provision, march.game, clerk);
    let row = row_of(ap_column, march.size, clerk);
    if tables::distance_band(march.distance).1 {
        clerk.because(rule!(CA_GENERAL_04), Effect::Limit(MovementPoints::whole(9).into()));
    }
    let (band, _) = tables::distance_band(clerk.value(rule!(CA_ATTRITION_11), march.distance));
    let die = modified(march, clerk);
    let mut column = tables::attrition_column(band, die);
    if options.attrition_stagger == AttritionStagger::Column2 {
        column = (column + clerk.modifier(rule!(CA_R01), 1)).min(10);
    }
    column = clerk.value(rule!(CA_ATTRITION_03), column);
    let read = loss(row, column, options, clerk);
    let sp = if clerk.holds(rule!(CA_ATTRITION_13), read > 0) { read } else { 0 };
    Loss { sp, die, row, column }
}

fn modified(march: &March, clerk: &mut impl Clerk) -> i32 {
    let mut die = i32::from(clerk.d6());
    if march.bonus > 0 {
        die += clerk.modifier(rule!(CA_ATTRITION_14), -march.bonus);
    }
    if march.forced > 0 {
        die += clerk.modifier(rule!(CA_ATTRITION_15), march.forced.min(4));
    }
    if march.game == Game::Campaign && march.extended > 0 {
        die += clerk.modifier(rule!(CA_ATTRITION_18), march.extended);
    }
    if clerk.holds(rule!(CA_WEATHER_05), march.mud) {
        die += clerk.modifier(rule!(CA_ATTRITION_16), 1);
    }
    if die < 0 {
        die = clerk.limit(rule!(CA_GENERAL_04), 0);
    }
    die
}

fn loss(row: i32, column: i32, options: &Options, clerk: &mut impl Clerk) -> i32 {
    if options.attrition_rows == AttritionRows::Regular && (3..=9).contains(&row) {
        let place = usize::try_from(row + column - 2).unwrap_or(0).min(SERIES.len() - 1);
        clerk.because(rule!(CA_R02), Effect::Set(SERIES[place].into()));
        return SERIES[place];
    }
    clerk.value(rule!(CA_ATTRITION_02), tables::attrition_loss(row, column))
}
