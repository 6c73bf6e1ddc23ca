//! Orders that do not settle what a player owes first.

use danzig::{Action, Owed, Phase, Place, Side};

use super::siege::{PARALLEL, point, put, set, stormed};
use super::{Row, hex, row, unit, with};

pub(super) fn rows() -> Vec<Row> {
    let owing = |owed: Owed| with(stormed(Phase::Guns), |state| state.table.owed.push(owed));
    let losses = Owed::Losses { side: Side::French, among: set(&["F01a", "F01b"]), steps: 1 };
    let tied = Owed::Retreat { unit: unit("P20"), cause: danzig::ops::Cause::Broken };
    let won = Owed::Occupy { hex: hex(606), victors: set(&["F01"]) };
    let skirmishing = with(owing(Owed::GiveWay(unit("P18"))), |state| {
        put(state, "P18", Place::Hex(hex(606)), 2);
        put(state, "F01", Place::Hex(hex(605)), 4);
    });
    vec![
        row(
            "a retreat to where nobody flees",
            owing(tied),
            Action::Retreat { unit: unit("P20"), goal: Some(danzig::ops::Goal::WestEdge) },
            "DZ-3.6-02",
        ),
        row("something else before the retreat", owing(tied), Action::EndPhase, "DZ-3.6-02"),
        row("a loss taken elsewhere", owing(losses), Action::TakeLoss { unit: unit("F02a") }, "DZ-R43"),
        row("something else before the losses", owing(losses), Action::EndPhase, "DZ-R43"),
        row(
            "skirmishers who give way to where the enemy stands",
            skirmishing,
            Action::GiveWay { unit: unit("P18"), to: Some(hex(605)) },
            "DZ-R94",
        ),
        row(
            "something else before the skirmishers",
            owing(Owed::GiveWay(unit("P18"))),
            Action::EndPhase,
            "DZ-R94",
        ),
        row("victors who were not there", owing(won), Action::Occupy { from: Some(hex(607)) }, "DZ-R94"),
        row("something else before the victors", owing(won), Action::EndPhase, "DZ-R94"),
        row(
            "a displaced battery onto a taken point",
            with(owing(Owed::Battery(unit("P41"))), |state| put(state, "P42", Place::Wall(point("h1")), 1)),
            Action::DisplaceBattery { battery: unit("P41"), point: point("h1"), facing: 270 },
            "DZ-4.2-06",
        ),
        row(
            "something else before the battery",
            owing(Owed::Battery(unit("P41"))),
            Action::EndPhase,
            "DZ-R63",
        ),
        row(
            "surplus into a full work",
            with(owing(Owed::Excess(point("H5"))), |state| put(state, "F07b", Place::Wall(point("H5")), 2)),
            Action::PlaceExcess { unit: unit("F07b"), to: Place::Work(PARALLEL) },
            "DZ-4.8-25",
        ),
        row(
            "an occupier from elsewhere",
            owing(Owed::Occupier { target: point("H5"), from: Place::Wall(point("h5")), won: true }),
            Action::ChooseOccupier { unit: Some(unit("P01")) },
            "DZ-4.9-24",
        ),
        row(
            "nobody stays on what was won",
            owing(Owed::Occupier { target: point("H5"), from: Place::Wall(point("h5")), won: true }),
            Action::ChooseOccupier { unit: None },
            "DZ-4.9-24",
        ),
    ]
}
