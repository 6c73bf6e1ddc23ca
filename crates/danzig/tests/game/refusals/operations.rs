//! Orders on the operational map that its rules forbid.

use danzig::ops::{Attack, Charge, Gate, Goal, Heading, Melee, Mover, Path, Reaction, Route, Stride};
use danzig::{Action, Formation, Hand, Marks, Phase, Place, Side, State, UnitSet};

use super::{Row, at, hex, row, unit, with};

/// Turn 3, a step of a half-round, nobody but the garrison on the map.
fn half(phase: Phase, phasing: Side) -> State {
    with(at(phase, 3), |state| state.clock.phasing = phasing)
}

/// The same with a counter on the map.
fn standing(phase: Phase, counters: &[(&str, u16, Heading)]) -> State {
    let side = unit(counters[0].0).side();
    with(half(phase, side), |state| {
        for (code, printed, facing) in counters {
            let counter = state.table.unit_mut(unit(code));
            counter.place = Place::Hex(hex(*printed));
            counter.facing = *facing as u16;
            counter.formation = Formation::at_entry(unit(code).data().arm);
        }
    })
}

/// A counter in hand.
fn in_hand(code: &str, printed: u16, facing: Heading) -> State {
    with(standing(Phase::Move, &[(code, printed, facing)]), |state| {
        state.hand = Hand::Moving(Mover::fresh(UnitSet::of(unit(code))));
    })
}

/// A whole march of one counter.
fn along(code: &str, headings: &[Heading]) -> Action {
    let strides: Vec<Stride> = headings.iter().copied().map(Stride::Go).collect();
    let path = Path::of(&strides).expect("a short way");
    Action::MarchAlong(Route { units: UnitSet::of(unit(code)), entry: None, path })
}

fn go(heading: Heading) -> Action {
    Action::March(Stride::Go(heading))
}

pub(super) fn rows() -> Vec<Row> {
    let one = |code: &str| UnitSet::of(unit(code));
    let west = Heading::West;
    let east = Heading::East;
    vec![
        row(
            "a bridge at a shaded bank",
            with(standing(Phase::Move, &[("F01", 2217, east)]), |state| state.phase = Phase::BridgeDeclare),
            Action::DeclareBridge { unit: unit("F01"), across: hex(2218) },
            "DZ-3.1.3-07",
        ),
        row(
            "a bridge built by cavalry",
            with(standing(Phase::Move, &[("F20", 1617, east)]), |state| state.phase = Phase::BridgeDeclare),
            Action::DeclareBridge { unit: unit("F20"), across: hex(1718) },
            "DZ-3.1.3-06",
        ),
        row(
            "an enemy counter taken up",
            half(Phase::Move, Side::French),
            Action::TakeUp { units: one("P20") },
            "DZ-R94",
        ),
        row(
            "an enemy counter sent on a march",
            half(Phase::Move, Side::French),
            along("P20", &[east]),
            "DZ-R94",
        ),
        row(
            "a march whose second step leads into the Vistula",
            standing(Phase::Move, &[("F01", 1616, east)]),
            along("F01", &[east, Heading::SouthEast]),
            "DZ-TET-01",
        ),
        row(
            "a retreat to the fort of one who is nearer to the city",
            with(standing(Phase::Move, &[("P20", 3817, west)]), |state| {
                state.phase = Phase::Retreat;
                state.table.unit_mut(unit("P20")).marks.set(Marks::DISORDERED);
            }),
            Action::Retreat { unit: unit("P20"), goal: Some(Goal::Fort) },
            "DZ-3.6-02",
        ),
        row(
            "a disordered counter taken up",
            with(standing(Phase::Move, &[("F01", 2407, east)]), |state| {
                state.table.unit_mut(unit("F01")).marks.set(Marks::DISORDERED);
            }),
            Action::TakeUp { units: one("F01") },
            "DZ-R30",
        ),
        row(
            "a counter moved twice",
            with(standing(Phase::Move, &[("F01", 2407, east)]), |state| {
                state.table.unit_mut(unit("F01")).marks.set(Marks::MOVED);
            }),
            Action::TakeUp { units: one("F01") },
            "DZ-R94",
        ),
        row("through the Vistula on foot", in_hand("F01", 1617, east), go(Heading::SouthEast), "DZ-TET-01"),
        row("over the city's wall", in_hand("P20", 2813, east), go(east), "DZ-3.1-09"),
        row(
            "French into the fort",
            in_hand("F01", 926, Heading::NorthWest),
            go(Heading::NorthWest),
            "DZ-3.8.1-01",
        ),
        row("guns into the forest", in_hand("F31", 1504, west), go(west), "DZ-TET-09"),
        row(
            "more than its movement points",
            with(in_hand("F45", 2407, east), |state| {
                let mover = Mover { spent: 4, ..Mover::fresh(UnitSet::of(unit("F45"))) };
                state.hand = Hand::Moving(mover);
            }),
            go(east),
            "DZ-3.3.2-01",
        ),
        row(
            "a siege gun unlimbers",
            in_hand("F45", 2407, east),
            Action::March(Stride::Form(Formation::Unlimbered)),
            "DZ-3.3.2-01",
        ),
        row(
            "a mortar unlimbers",
            in_hand("F51", 2407, east),
            Action::March(Stride::Form(Formation::Unlimbered)),
            "DZ-3.3.3-01",
        ),
        row(
            "the line skirmishes",
            in_hand("F12", 2407, east),
            Action::March(Stride::Form(Formation::Skirmish)),
            "DZ-R94",
        ),
        row(
            "a turn to where it looks",
            in_hand("F01", 2407, east),
            Action::March(Stride::Turn(east)),
            "DZ-R94",
        ),
        row(
            "the fort's ferry outside the fort",
            in_hand("P20", 1410, east),
            Action::March(Stride::FortFerry),
            "DZ-3.1.3-05",
        ),
        row(
            "out by a gate that is closed",
            with(half(Phase::Move, Side::Prussian), |state| {
                state.table.danzig.siege_works_begun = true;
                state.hand = Hand::Moving(Mover::fresh(UnitSet::of(unit("P20"))));
                state.table.unit_mut(unit("P20")).place = Place::Reserve;
            }),
            Action::March(Stride::LeaveCity(Gate::Oliva)),
            "DZ-3.1-10",
        ),
        row(
            "the second battalion of the Fusiliers without the first",
            with(half(Phase::Move, Side::Prussian), |state| {
                for code in ["K07", "K07b"] {
                    state.table.unit_mut(unit(code)).place = Place::Reserve;
                }
            }),
            Action::TakeUp { units: one("K07b") },
            "DZ-R22",
        ),
        row(
            "cavalry into the trenches",
            in_hand("F20", 2808, east),
            Action::March(Stride::EnterConcentration),
            "DZ-R71",
        ),
        row(
            "Lannes into the trenches",
            in_hand("L01", 2808, east),
            Action::March(Stride::EnterConcentration),
            "DZ-3.1.4-04",
        ),
        row(
            "into the trenches without an arrow",
            in_hand("F01", 2407, east),
            Action::March(Stride::EnterConcentration),
            "DZ-3.1.4-01",
        ),
        row(
            "a regiment leaves the area that is not in it",
            in_hand("F01", 2407, east),
            Action::March(Stride::LeaveConcentration(hex(2808))),
            "DZ-R71",
        ),
        row(
            "no bridge to destroy",
            in_hand("P20", 1410, east),
            Action::March(Stride::DestroyBridge),
            "DZ-3.1.3-08",
        ),
        row("nothing in hand to be put down", half(Phase::Move, Side::French), Action::PutDown, "DZ-3.1-04"),
        row(
            "nobody leaves anybody's sights",
            half(Phase::Move, Side::French),
            Action::OpportunityShot { firer: unit("P20") },
            "DZ-3.1-04",
        ),
        row(
            "a shot at a charge by somebody who does not see it",
            with(half(Phase::Move, Side::French), |state| {
                let charge = Charge { units: one("F20"), target: hex(2410), heading: east };
                let counter = state.table.unit_mut(unit("F20"));
                (counter.place, counter.formation) = (Place::Hex(hex(2407)), Formation::Formed);
                let mut desk = kernel::Desk::new(kernel::Live::numbered(1), kernel::Silent);
                let run = danzig::ops::Run::begin(&mut state.table, &charge, &mut desk).expect("a charge");
                state.hand = Hand::Running { run, waiting: one("P20"), shelled: false };
            }),
            Action::OpportunityShot { firer: unit("P19") },
            "DZ-3.1-04",
        ),
        row(
            "nobody charges",
            half(Phase::Move, Side::French),
            Action::React { unit: unit("P20"), reaction: Reaction::Square },
            "DZ-3.1-04",
        ),
        row(
            "infantry countercharges",
            with(standing(Phase::Move, &[("F20", 2409, east), ("P20", 2410, west)]), |state| {
                let charge = Charge { units: one("F20"), target: hex(2410), heading: east };
                state.hand = Hand::Charged { charge, waiting: one("P20"), countercharge: UnitSet::EMPTY };
            }),
            Action::React { unit: unit("P20"), reaction: Reaction::Countercharge },
            "DZ-R94",
        ),
        row(
            "a charge after a march",
            with(standing(Phase::Move, &[("F20", 2407, east), ("P20", 2410, west)]), |state| {
                state.clock.moved = true;
            }),
            Action::Charge(Charge { units: one("F20"), target: hex(2410), heading: east }),
            "DZ-R94",
        ),
        row(
            "a charge of infantry",
            standing(Phase::Move, &[("F01", 2407, east), ("P20", 2410, west)]),
            Action::Charge(Charge { units: one("F01"), target: hex(2410), heading: east }),
            "DZ-R94",
        ),
        row(
            "a charge at nobody",
            standing(Phase::Move, &[("F20", 2407, east)]),
            Action::Charge(Charge { units: one("F20"), target: hex(2410), heading: east }),
            "DZ-R94",
        ),
        row(
            "boats far from the river",
            standing(Phase::Move, &[("F01", 2407, east)]),
            Action::BoatsStart { units: one("F01"), across: hex(2408) },
            "DZ-3.1.3-01",
        ),
        row(
            "a redoubt where none is printed",
            with(standing(Phase::Move, &[("F01", 2407, east)]), |state| state.phase = Phase::Redoubt),
            Action::BuildRedoubt { unit: unit("F01") },
            "DZ-3.8.3-01",
        ),
        row(
            "a redoubt by somebody who has marched",
            with(standing(Phase::Move, &[("F01", 2906, east)]), |state| {
                state.phase = Phase::Redoubt;
                state.table.unit_mut(unit("F01")).marks.set(Marks::MOVED);
            }),
            Action::BuildRedoubt { unit: unit("F01") },
            "DZ-3.1-06",
        ),
        row(
            "muskets at two hexes",
            standing(Phase::Fire, &[("F01", 2407, east), ("P20", 2409, west)]),
            Action::Fire(Attack { target: hex(2409), firers: one("F01") }),
            "DZ-R94",
        ),
        row(
            "a siege gun fires in the field",
            standing(Phase::Fire, &[("F45", 2407, east), ("P20", 2408, west)]),
            Action::Fire(Attack { target: hex(2408), firers: one("F45") }),
            "DZ-3.3.2-01",
        ),
        row(
            "fire at an empty hex",
            standing(Phase::Fire, &[("F01", 2407, east)]),
            Action::Fire(Attack { target: hex(2408), firers: one("F01") }),
            "DZ-3.5-01",
        ),
        row(
            "a second shot in a step",
            with(standing(Phase::Fire, &[("F01", 2407, east), ("P20", 2408, west)]), |state| {
                state.table.unit_mut(unit("F01")).marks.set(Marks::FIRED);
            }),
            Action::Fire(Attack { target: hex(2408), firers: one("F01") }),
            "DZ-R94",
        ),
        row(
            "defensive fire after a shot of opportunity",
            with(standing(Phase::Fire, &[("F01", 2407, east), ("P20", 2408, west)]), |state| {
                state.phase = Phase::DefensiveFire;
                state.table.unit_mut(unit("P20")).marks.set(Marks::FIRED_OPPORTUNITY);
            }),
            Action::DefensiveFire(Attack { target: hex(2407), firers: one("P20") }),
            "DZ-R94",
        ),
        row(
            "artillery in a melee",
            standing(Phase::Melee, &[("F31", 2407, east), ("P20", 2408, west)]),
            Action::Melee(Melee { target: hex(2408), attackers: one("F31") }),
            "DZ-R106",
        ),
        row(
            "a melee over the Vistula",
            standing(Phase::Melee, &[("F01", 1618, east), ("P20", 1719, west)]),
            Action::Melee(Melee { target: hex(1719), attackers: one("F01") }),
            "DZ-TET-06",
        ),
        row(
            "a melee behind one's back",
            standing(Phase::Melee, &[("F01", 2407, west), ("P20", 2408, west)]),
            Action::Melee(Melee { target: hex(2408), attackers: one("F01") }),
            "DZ-R94",
        ),
        row(
            "cavalry at a redoubt",
            with(standing(Phase::Melee, &[("P32", 2905, east), ("F01", 2906, west)]), |state| {
                let place = danzig::ops::map().cell(hex(2906)).redoubt.expect("a printed redoubt");
                state.table.ops.redoubts |= 1 << place;
            }),
            Action::Melee(Melee { target: hex(2906), attackers: one("P32") }),
            "DZ-R106",
        ),
    ]
}
