//! Set-up, arrivals, the order of the steps, desertion.

use danzig::siege::{Mine, WallId};
use danzig::{Action, Marks, Phase, Place, Side, State};

use super::{Row, at, decide, hex, row, start, turn_one, unit, with};

pub(super) fn rows() -> Vec<Row> {
    let point = WallId(0);
    let full = |state: &mut State| {
        for number in 0..10_u8 {
            let battery = unit(
                ["P41", "P42", "P43", "P44", "P45", "P46", "P47", "P48", "P49", "P50"][usize::from(number)],
            );
            state.table.unit_mut(battery).place = Place::Away;
        }
    };
    let batteries_next = || {
        let mut state = turn_one();
        state.phase = Phase::SetUp;
        full(&mut state);
        state
    };
    let placed = |count: u8| {
        with(batteries_next(), |state| {
            for number in 0..count {
                let battery = unit(["P41", "P42", "P43", "P44", "P45", "P46", "P47"][usize::from(number)]);
                state.table.unit_mut(battery).place = Place::Wall(WallId(number * 2));
            }
        })
    };
    let hurt = |code: &str| {
        let code = unit(code);
        with(at(Phase::ReplacementPrussian, 3), |state| state.table.unit_mut(code).steps = 1)
    };
    vec![
        row(
            "infantry into Kalke without the option",
            start(&[]),
            Action::SetCityUnit { unit: unit("P01"), place: Place::Kalke },
            "DZ-R100",
        ),
        row(
            "a third step on a wall point",
            with(start(&[]), |state| {
                decide(state, &Action::SetCityUnit { unit: unit("P01"), place: Place::Wall(point) });
            }),
            Action::SetCityUnit { unit: unit("P02"), place: Place::Wall(point) },
            "DZ-4.2-06",
        ),
        row(
            "a battalion outside, far from the river",
            start(&[]),
            Action::SetOutsideUnit { unit: unit("P01"), hex: hex(3101) },
            "DZ-5.1-03",
        ),
        row(
            "a battery outside the city",
            batteries_next(),
            Action::SetOutsideUnit { unit: unit("P41"), hex: hex(1819) },
            "DZ-4.3.2-08",
        ),
        row("set-up closed too early", start(&[]), Action::SetUpDone, "DZ-5.1-08"),
        row(
            "two batteries on one point",
            placed(1),
            Action::SetBattery { battery: unit("P42"), place: Place::Wall(point), facing: 270 },
            "DZ-5.1-04",
        ),
        row(
            "an eighth battery on one half",
            placed(7),
            Action::SetBattery { battery: unit("P48"), place: Place::Wall(WallId(17)), facing: 270 },
            "DZ-5.1-05",
        ),
        row(
            "Kamenski postponed",
            at(Phase::ArrivalsFrench, 10),
            Action::Postpone { unit: unit("K01") },
            "DZ-R76",
        ),
        row(
            "a unit postponed that is not due",
            at(Phase::ArrivalsFrench, 2),
            Action::Postpone { unit: unit("F41") },
            "DZ-5.3-11",
        ),
        row(
            "Kamenski lands in the city",
            at(Phase::ArrivalsKamenski, 10),
            Action::PlaceKamenski { unit: unit("K01"), hex: hex(3119) },
            "DZ-6.2-01",
        ),
        row(
            "a step for a field battery",
            at(Phase::ReplacementFrench, 3),
            Action::ReplaceFrench { unit: unit("F31") },
            "DZ-6.1-02",
        ),
        row(
            "a step for a unit that has all",
            with(at(Phase::ReplacementFrench, 3), |state| {
                state.table.unit_mut(unit("F01")).place = Place::Hex(hex(3101));
            }),
            Action::ReplaceFrench { unit: unit("F01") },
            "DZ-R28",
        ),
        row("a step for a Russian", hurt("P22"), Action::ReplacePrussian { unit: unit("P22") }, "DZ-6.1-06"),
        row(
            "a step for a battalion outside the city",
            with(hurt("P20"), |state| state.table.unit_mut(unit("P20")).place = Place::Hex(hex(1819))),
            Action::ReplacePrussian { unit: unit("P20") },
            "DZ-6.1-03",
        ),
        row(
            "an undamaged battery repaired",
            at(Phase::BatteryRepair, 3),
            Action::RepairBattery { battery: unit("P41"), point: WallId(1), facing: 270 },
            "DZ-6.1-04",
        ),
        row(
            "a battery of Kalke repaired",
            with(at(Phase::BatteryRepair, 3), |state| {
                state.table.unit_mut(unit("P51")).marks.set(Marks::DAMAGED);
            }),
            Action::RepairBattery { battery: unit("P51"), point: WallId(1), facing: 270 },
            "DZ-4.3.2-04",
        ),
        row(
            "a battery repaired with an empty pool",
            with(at(Phase::BatteryRepair, 3), |state| {
                state.table.unit_mut(unit("P41")).marks.set(Marks::DAMAGED);
                state.table.danzig.repair_pool = 0;
            }),
            Action::RepairBattery { battery: unit("P41"), point: WallId(1), facing: 270 },
            "DZ-6.1-04",
        ),
        row(
            "Lannes before his round",
            with(at(Phase::Move, 10), |state| {
                state.table.unit_mut(unit("L01")).place = Place::Waiting;
                state.clock.round = 1;
                state.clock.phasing = Side::French;
            }),
            Action::EnterMap { unit: unit("L01"), hex: hex(2036) },
            "DZ-3.1-12",
        ),
        row(
            "a unit enters that is not there",
            with(at(Phase::Move, 2), |state| state.clock.phasing = Side::French),
            Action::EnterMap { unit: unit("F41"), hex: hex(901) },
            "DZ-5.3-02",
        ),
        row(
            "a second stack on the boats",
            with(at(Phase::Move, 2), |state| {
                state.clock.phasing = Side::Prussian;
                state.clock.boats_used = true;
            }),
            Action::BoatsStart { units: danzig::UnitSet::of(unit("P01")), across: hex(1718) },
            "DZ-3.1.3-01",
        ),
        row(
            "a second redoubt in a round",
            with(at(Phase::Redoubt, 2), |state| state.clock.redoubt_built = true),
            Action::BuildRedoubt { unit: unit("F01") },
            "DZ-3.1-07",
        ),
        row(
            "fire in the movement step",
            with(at(Phase::Half, 2), |state| state.clock.phasing = Side::French),
            Action::EndPhase,
            "DZ-3.1-04",
        ),
        row(
            "Kamenski's men desert",
            with(at(Phase::Desertion, 11), |state| {
                state.clock.deserters = 1;
                state.table.unit_mut(unit("K01")).place = Place::Reserve;
            }),
            Action::Desert { unit: unit("K01") },
            "DZ-R27",
        ),
        row("no mine to explode", at(Phase::Mine, 5), Action::ExplodeMine, "DZ-8.0-04"),
        row(
            "a work that no gun enfilades",
            at(Phase::Enfilade, 5),
            Action::EnfiladeFire { work: danzig::siege::WorkId(3) },
            "DZ-4.5.3-02",
        ),
        row(
            "a counter-mine without a mine",
            with(at(Phase::Countermine, 5), |state| state.table.siege.mine = Mine::None),
            Action::Countermine,
            "DZ-8.0-03",
        ),
        row("set up at leisure after the set-up", turn_one(), Action::SetUpTheRest, "DZ-2.1-01"),
        row(
            "a counter set up before its turn",
            start(&[]),
            Action::SetCityUnit { unit: unit("P02"), place: Place::Reserve },
            "DZ-5.1-08",
        ),
        row("Benningsen left out", at(Phase::Benningsen, 5), Action::EndPhase, "DZ-R77"),
        row("Benningsen at any time", at(Phase::ReplacementFrench, 5), Action::RollBenningsen, "DZ-2.1-01"),
        row("the corvette at any time", at(Phase::ReplacementFrench, 11), Action::RollDauntless, "DZ-2.1-01"),
        row("desertion rolled twice", at(Phase::Desertion, 5), Action::RollDesertion, "DZ-9.1-04"),
        row(
            "repairs among the building",
            at(Phase::Build, 5),
            Action::Build(danzig::siege::Build::Repair {
                work: danzig::siege::WorkId(0),
                worker: unit("F01a"),
            }),
            "DZ-4.8-04",
        ),
        row(
            "the dice asked for without a repetition",
            at(Phase::Half, 2),
            Action::ClaimRepetition,
            "DZ-3.1-04",
        ),
        row(
            "a last half-round named by nobody's leave",
            at(Phase::Half, 2),
            Action::NameLastHalf { side: Side::French },
            "DZ-3.1-04",
        ),
        row("a Prussian order in a French step", at(Phase::Guns, 5), Action::Countermine, "DZ-2.4-01"),
        row("a French order in a Prussian step", at(Phase::WallRepair, 5), Action::ExplodeMine, "DZ-2.5-01"),
    ]
}
