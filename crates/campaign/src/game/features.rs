//! The campaign in numbers, for players that learn: the clock and what both sides know, every leader and unit
//! of the reader's army, and what he sees of the enemy, hex by hex.

use opponent::{Featured, Pen};

use crate::map::HexId;
use crate::terms::Army;

use super::roster::{LeaderId, UnitId, enemy, place};
use super::state::{Flags, Host, Mode, State, Talks, Whereabouts};
use super::view::View;

/// So many enemy hexes have a place of their own; what is seen of more is left out.
const HEXES: usize = 64;

/// So many of the towns and depots that somebody holds.
const HELD: usize = 64;

impl Featured for State {
    fn features(view: &View, pen: &mut impl Pen) {
        let public = &view.public;
        pen.put("reader", view.reader.map_or(-1.0, |army| f64::from(number(army))));
        pen.put("turn", public.turn);
        pen.put("phasing", number(public.phasing));
        pen.put("second", public.second);
        pen.put("asked", public.asked.map_or(-1.0, |army| f64::from(number(army))));
        pen.variant("scenario", Some(&public.scenario));
        pen.variant("phase", Some(&public.phase));
        pen.variant("weather", Some(&public.weather));
        pen.put("fog", public.fog);
        pen.put("morale", public.morale);
        pen.put(
            "talks",
            match public.talks {
                Talks::NotYet => 0u8,
                Talks::UnderWay(_) => 1,
                Talks::Held => 2,
                Talks::Refused => 3,
            },
        );
        for army in [Army::French, Army::AustroRussian] {
            let base = &public.bases[place(army)];
            pen.about(|| format!("base[{}]", number(army)));
            spot(base.centre, pen);
            pen.put("ap", base.ap);
            pen.put("commands", base.commands);
            pen.put("lost", base.lost);
        }
        let mut held = public.control.iter();
        for slot in 0..HELD {
            pen.about(|| format!("held[{slot}]"));
            let held = held.next();
            spot(held.map(|(hex, _)| *hex), pen);
            pen.put("army", held.map_or(-1.0, |(_, army)| f64::from(number(*army))));
        }
        battle(view, pen);
        own(view.own.as_ref(), pen);
        seen(view, pen);
    }
}

/// The battle that is being fought.
fn battle(view: &View, pen: &mut impl Pen) {
    let battle = view.public.battle.as_ref();
    pen.about(|| "battle".to_owned());
    spot(battle.map(|battle| battle.hex), pen);
    pen.put("attacker", battle.map_or(-1.0, |battle| f64::from(number(battle.attacker))));
    pen.put("round", battle.map_or(0, |battle| battle.round));
    for side in 0..2 {
        pen.about(|| format!("battle[{side}]"));
        pen.put("start", battle.map_or(0, |battle| battle.start[side]));
        pen.put("lost", battle.map_or(0, |battle| battle.lost[side]));
    }
}

/// The reader's own army: a spectator has none.
fn own(own: Option<&Host>, pen: &mut impl Pen) {
    let none = Flags::default();
    for id in LeaderId::all() {
        pen.about(|| format!("leader[{}]", id.id()));
        let leader = own.and_then(|own| own.leaders.get(&id));
        let flags = own.and_then(|own| own.flags.get(&id)).unwrap_or(&none);
        pen.put("own", leader.is_some());
        whereabouts(leader.map(|leader| leader.at), pen);
        pen.put(
            "superior",
            leader.and_then(|leader| leader.superior).map_or(-1, |one| i16::from(one.number())),
        );
        pen.put("command", flags.command);
        pen.put("done", flags.done);
        pen.put("forages", flags.mode == Mode::Forage);
        pen.put("foot", flags.foot);
        pen.put("horse", flags.horse);
        pen.put("shaken", flags.shaken);
    }
    for id in UnitId::all() {
        pen.about(|| format!("unit[{}]", id.id()));
        let unit = own.and_then(|own| own.units.get(&id));
        pen.put("sp", unit.map_or(0, |unit| unit.sp));
        pen.put("most", unit.map_or(0, |unit| unit.most));
        pen.put("leader", unit.and_then(|unit| unit.leader).map_or(-1, |one| i16::from(one.number())));
        whereabouts(unit.map(|unit| unit.at), pen);
    }
    pen.about(|| "stragglers".to_owned());
    for (arm, name) in ["infantry", "cavalry"].into_iter().enumerate() {
        pen.put(name, own.map_or(0, |own| own.pool[arm]));
    }
    pen.about(|| "gone".to_owned());
    for (arm, name) in ["infantry", "cavalry", "artillery"].into_iter().enumerate() {
        pen.put(name, own.map_or(0, |own| own.gone[arm]));
    }
}

/// What is seen of the enemy; to a spectator both armies are one.
fn seen(view: &View, pen: &mut impl Pen) {
    let armies: &[Army] = match view.reader {
        Some(army) => &[enemy(army)],
        None => &[Army::French, Army::AustroRussian],
    };
    let mut seen = armies.iter().flat_map(|army| &view.stacks[place(*army)]);
    for slot in 0..HEXES {
        pen.about(|| format!("seen[{slot}]"));
        let seen = seen.next();
        let contact = seen.and_then(|seen| seen.contact);
        spot(seen.map(|seen| seen.hex), pen);
        pen.put("level", seen.map_or(0, super::Seen::level));
        pen.put("headquarters", seen.is_some_and(|seen| seen.headquarters));
        pen.put("forages", seen.is_some_and(|seen| seen.forages));
        pen.put("class", contact.map_or(0, |contact| contact.class));
        pen.put("cavalry", contact.is_some_and(|contact| contact.cavalry));
        pen.put("band", contact.and_then(|contact| contact.band).unwrap_or(0));
    }
}

/// Where a counter is: on the map 1, still to enter 2, not called yet 3, lost or not there 0; and its hex.
fn whereabouts(at: Option<Whereabouts>, pen: &mut impl Pen) {
    let (kind, hex) = match at {
        None | Some(Whereabouts::Lost) => (0u8, None),
        Some(Whereabouts::Map(hex)) => (1, Some(hex)),
        Some(Whereabouts::Due { hex, .. }) => (2, Some(hex)),
        Some(Whereabouts::Called) => (3, None),
    };
    pen.put("place", kind);
    spot(hex, pen);
}

fn spot(hex: Option<HexId>, pen: &mut impl Pen) {
    pen.put("column", hex.map_or(0, |hex| hex.column));
    pen.put("row", hex.map_or(0, |hex| hex.row));
}

const fn number(army: Army) -> u8 {
    match army {
        Army::French => 0,
        Army::AustroRussian => 1,
    }
}
