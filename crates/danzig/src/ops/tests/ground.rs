//! The map as drawn, and the terrain table on it.

use kernel::Effect;
use rulebook::options::danzig::{Options, RedoubtEntryCost};

use super::*;
use crate::Arm;

#[test]
fn the_map_has_what_its_plan_counts() {
    let map = map();
    let count = |terrain| Hex::all().filter(|&hex| map.terrain(hex) == terrain).count();
    assert_eq!(count(Terrain::City), 73);
    assert_eq!(count(Terrain::Camp), 13);
    assert_eq!(map.fort, [hex(825), hex(723)]);
    assert_eq!(map.stars.len(), 10);
    assert_eq!(map.redoubts.len(), 10);
    assert_eq!(map.red_arrows, [2608, 2708, 2808, 2908].map(hex));
    assert_eq!(map.west_entries, [901, 2501, 3101, 3901].map(hex));
    assert_eq!(map.east_entry, hex(2036));
    assert_eq!(map.ferry, (hex(2727), hex(2627)));
    assert_eq!(map.waterside.len(), 75);
    assert_eq!(Hex::all().filter(|&hex| map.cell(hex).siege_map).count(), 77);
    assert_eq!(Hex::all().filter(|&hex| map.shaded(hex)).count(), 273);
    let edges = |has: fn(Edge) -> bool| {
        Hex::all()
            .map(|hex| Heading::ALL.iter().filter(|&&side| has(map.edge(hex, side))).count())
            .sum::<usize>()
            / 2
    };
    assert_eq!(edges(Edge::vistula), 111);
    assert_eq!(edges(|edge| edge.up() || edge.down()), 240);
    for gate in Gate::CITY {
        let (inside, outside) = gate.hexes();
        assert_eq!(map.terrain(inside), Terrain::City);
        assert!(map.edge(inside, inside.towards(outside).unwrap()).way());
    }
}

#[test]
fn hexsides_agree_from_both_sides_and_with_the_levels() {
    let map = map();
    for here in Hex::all() {
        for (side, there) in here.around() {
            let (out, back) = (map.edge(here, side), map.edge(there, side.back()));
            assert_eq!(
                (out.vistula(), out.stream(), out.wall(), out.way()),
                (back.vistula(), back.stream(), back.wall(), back.way())
            );
            assert_eq!(out.up(), back.down());
            let land = map.terrain(here) != Terrain::Sea && map.terrain(there) != Terrain::Sea;
            if land {
                let (a, b) = (map.cell(here).level, map.cell(there).level);
                assert_eq!((out.up(), out.down()), (b > a, b < a), "{here} {there}");
                let walled = |hex| matches!(map.terrain(hex), Terrain::City | Terrain::Fort);
                if walled(here) != walled(there) {
                    assert!(out.wall() || out.gate() || out.vistula(), "{here} {there} has no wall");
                }
            }
        }
    }
}

#[test]
fn the_vistula_parts_the_land_into_three() {
    let map = map();
    let mut piece = vec![0; HEXES];
    let mut pieces = Vec::new();
    for start in Hex::all() {
        if piece[start.index()] != 0 || map.terrain(start) == Terrain::Sea {
            continue;
        }
        let number = pieces.len() + 1;
        let mut queue = vec![start];
        let mut size = 0;
        piece[start.index()] = number;
        while let Some(hex) = queue.pop() {
            size += 1;
            for (side, next) in hex.around() {
                if piece[next.index()] == 0
                    && map.terrain(next) != Terrain::Sea
                    && !map.edge(hex, side).vistula()
                {
                    piece[next.index()] = number;
                    queue.push(next);
                }
            }
        }
        pieces.push(size);
    }
    assert_eq!(pieces.len(), 3, "{pieces:?}");
    assert_eq!(piece[hex(1819).index()], piece[hex(2019).index()]);
    assert_ne!(piece[hex(1819).index()], piece[hex(3119).index()]);
    assert_eq!(pieces.iter().copied().min(), Some(40), "Holm");
}

#[test]
fn the_rings_are_those_of_the_table() {
    let map = map();
    for row in &rulebook::tables::danzig::MAP_OPERATIONAL_HEXES {
        let here: Hex = row.hex.parse().unwrap();
        let found = match map.exposure(here, true) {
            Exposure::Ring(far) => Some(i32::from(far)),
            _ => None,
        };
        assert_eq!(found, row.ring, "{here}");
    }
    // Without the camp's guns the zone is smaller, never larger.
    let smaller = Hex::all().filter(|&hex| map.exposure(hex, false) == Exposure::Shaded).count();
    assert!(smaller < 273);
}

fn cost(travel: Travel, from: u16, to: u16, in_line: bool) -> Result<u8, Bar> {
    let map = map();
    let (from, to) = (hex(from), hex(to));
    let edge = map.edge(from, from.towards(to).unwrap());
    let step = Crossing {
        travel,
        in_line,
        uses_ways: false,
        terrain: map.terrain(to),
        redoubt: false,
        edge,
        bridge: false,
    };
    step_cost(&step, &Options::default(), &mut Unheard)
}

#[test]
fn the_terrain_table_hex_by_hex() {
    use Travel::{Artillery, Cavalry, Charge, Infantry};
    let plain = |travel, terrain, redoubt| {
        let step = Crossing {
            travel,
            in_line: false,
            uses_ways: false,
            terrain,
            redoubt,
            edge: Edge::default(),
            bridge: false,
        };
        step_cost(&step, &Options::default(), &mut Unheard)
    };
    for (terrain, costs) in [
        (Terrain::Clear, [Some(1), Some(1), Some(1), Some(1)]),
        (Terrain::Forest, [Some(2), Some(4), None, Some(6)]),
        (Terrain::Difficult, [Some(1), Some(2), Some(2), Some(2)]),
        (Terrain::Marsh, [Some(2), Some(4), Some(5), Some(6)]),
        (Terrain::Village, [Some(1), Some(2), Some(1), Some(6)]),
        (Terrain::Camp, [Some(1), Some(1), Some(1), Some(1)]),
    ] {
        for (travel, cost) in [Infantry, Cavalry, Artillery, Charge].into_iter().zip(costs) {
            assert_eq!(plain(travel, terrain, false).ok(), cost, "{travel:?} into {terrain:?}");
        }
    }
    // A built redoubt: clear and two more for every arm; no charge.
    for travel in [Infantry, Cavalry, Artillery] {
        assert_eq!(plain(travel, Terrain::Forest, true), Ok(3));
    }
    assert_eq!(plain(Charge, Terrain::Clear, true), Err(Bar::ChargeBarred));
    // Camp hexsides: two in all for infantry, closed to the others.
    assert_eq!(cost(Infantry, 419, 418, false).ok().filter(|_| true), cost(Infantry, 418, 419, false).ok());
    let rampart = hex(220);
    assert_eq!(cost(Infantry, 220, 320, false), Ok(2), "{rampart}");
    assert_eq!(cost(Cavalry, 220, 320, false), Err(Bar::CampHexside));
    assert_eq!(cost(Charge, 220, 320, false), Err(Bar::ChargeBarred));
    // Slopes: 1001 to 1101 rises.
    assert_eq!(cost(Infantry, 1001, 1101, false), Ok(2));
    assert_eq!(cost(Infantry, 1101, 1001, false), Ok(1));
    assert_eq!(cost(Cavalry, 1001, 1101, false), Ok(3));
    assert_eq!(cost(Artillery, 1101, 1001, false), Ok(2));
    assert_eq!(cost(Charge, 1101, 1001, false), Ok(3));
}

#[test]
fn redoubt_entry_by_option_costs_the_printed_ground() {
    let options = Options { redoubt_entry_cost: RedoubtEntryCost::PrintedTerrainPlus2, ..Options::default() };
    let step = Crossing {
        travel: Travel::Infantry,
        in_line: false,
        uses_ways: false,
        terrain: Terrain::Forest,
        redoubt: true,
        edge: Edge::default(),
        bridge: false,
    };
    assert_eq!(step_cost(&step, &options, &mut Unheard), Ok(4));
    assert_eq!(step_cost(&step, &Options::default(), &mut Unheard), Ok(3));
}

#[test]
fn streams_cost_a_line_more_and_ways_cancel_everything() {
    let map = map();
    let (from, side) = Hex::all()
        .flat_map(|hex| Heading::ALL.map(|side| (hex, side)))
        .find(|&(hex, side)| {
            let edge = map.edge(hex, side);
            edge.stream()
                && !edge.up()
                && !edge.down()
                && !edge.way()
                && hex.beyond(side).is_some_and(|to| map.terrain(to) == Terrain::Clear)
        })
        .unwrap();
    let to = from.beyond(side).unwrap();
    let step = |travel, in_line| Crossing {
        travel,
        in_line,
        uses_ways: true,
        terrain: map.terrain(to),
        redoubt: false,
        edge: map.edge(from, side),
        bridge: false,
    };
    let options = Options::default();
    assert_eq!(step_cost(&step(Travel::Infantry, false), &options, &mut Unheard), Ok(2));
    assert_eq!(step_cost(&step(Travel::Infantry, true), &options, &mut Unheard), Ok(3));
    assert_eq!(step_cost(&step(Travel::Cavalry, false), &options, &mut Unheard), Ok(3));
    assert_eq!(step_cost(&step(Travel::Artillery, false), &options, &mut Unheard), Ok(4));
    assert_eq!(step_cost(&step(Travel::Charge, false), &options, &mut Unheard), Ok(7));
    // The ferry track runs over the river: by the ferry it costs four.
    let ferry = Crossing {
        travel: Travel::Infantry,
        in_line: false,
        uses_ways: true,
        terrain: Terrain::Village,
        redoubt: false,
        edge: map.edge(hex(2727), hex(2727).towards(hex(2627)).unwrap()),
        bridge: false,
    };
    let (cost, cited) = with_dice(&[], |clerk| step_cost(&ferry, &options, clerk));
    assert_eq!((cost, cited), (Ok(4), vec!["DZ-3.1.3-03".to_owned()]));
}

#[test]
fn every_bar_names_a_rule_and_has_words_in_both_languages() {
    for &bar in Bar::ALL {
        let refusal = kernel::Refusal::from(bar);
        assert!(refusal.rule.is_some(), "{bar:?}");
        for lang in [rulebook::Lang::En, rulebook::Lang::Fr] {
            let text = rulebook::refusal(&refusal, lang);
            assert!(!text.is_empty() && !text.contains('{'), "{bar:?}: {text}");
        }
    }
    let refusal = kernel::Refusal::from(Bar::Points { cost: 5, left: 2, rule: rulebook::rule!(DZ_3_2_03) });
    assert_eq!(rulebook::refusal(&refusal, rulebook::Lang::En), "this costs 5 MP and 2 are left");
}

#[test]
fn the_costs_speak() {
    let step = Crossing {
        travel: Travel::of(Arm::HeavyCavalry),
        in_line: false,
        uses_ways: false,
        terrain: Terrain::Marsh,
        redoubt: false,
        edge: map().edge(hex(1001), hex(1001).towards(hex(1101)).unwrap()),
        bridge: false,
    };
    let (cost, notes) = kernel::scripted(&[], |clerk| step_cost(&step, &Options::default(), clerk)).unwrap();
    assert_eq!(cost, Ok(6));
    let effects: Vec<Effect> = notes.reasons().map(|because| because.effect.clone()).collect();
    assert_eq!(effects, [Effect::Set(4.into()), Effect::Modifier(2)]);
}
