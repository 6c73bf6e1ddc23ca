//! What stands on the map, from the ground upwards: centres, reports that are no longer seen, what is seen of the
//! enemy, one's own columns. Every thing has a spoken name.

use kernel::board::{Picture, Piece, Spot, Stack, Standing, Thing};
use kernel::{Game as _, Measure, Phrase, Saying};
use rulebook::phrase::{campaign as book, campaign_board as words};

use super::counter::{self, Flown};
use super::ground;
use super::names::{body_thing, leader_thing, post_thing, seen_thing};
use crate::battle::Points;
use crate::draw::hex_centre;
use crate::game::{Body, Contact, LeaderId, Mode, Report, Seen, Shown, State, enemy, place, range, say};
use crate::map::HexId;
use crate::terms::{Army, Month};

/// How large a block is on the map.
const SCALE: f64 = 1.6;
/// Reports older than so many turns are no longer drawn.
const OLDEST: u8 = 6;

/// What stands on the map for a reader.
pub(super) fn map(state: &State, reader: Option<Army>) -> Vec<Standing> {
    let mut all = vec![Standing::Drawing(ground::ground(state, reader))];
    all.extend([Army::French, Army::AustroRussian].into_iter().filter_map(|army| centre(state, army)));
    all.extend(state.public.sieges.iter().map(|siege| {
        let label = Saying::new(words::SIEGE).with("hex", siege.hex.called()).with("turns", siege.turns);
        thing(format!("s:{}", siege.hex), "siege", label.into(), siege.hex, r#"<circle r="19"></circle>"#)
    }));
    if let Some(side) = reader {
        all.extend(reports(state, side).into_iter().map(|report| reported(state, side, &report)));
    }
    for army in [Army::French, Army::AustroRussian] {
        if reader == Some(army) {
            all.extend(own(state, army));
        } else {
            let seen = state.seen(reader, army);
            all.extend(seen.iter().map(|one| stack(one.hex, vec![enemy_piece(army, one)])));
        }
    }
    all.extend(battle(state, reader));
    all
}

fn thing(id: String, class: &str, label: Measure, hex: HexId, picture: &str) -> Standing {
    Standing::Thing(Thing {
        id,
        class: class.to_owned(),
        label,
        at: hex_centre(hex),
        picture: Picture::Around(picture.to_owned()),
    })
}

fn centre(state: &State, army: Army) -> Option<Standing> {
    let hex = state.base(army).centre?;
    let (name, class) = match army {
        Army::French => (words::CENTRE_FRENCH, "centre french"),
        Army::AustroRussian => (words::CENTRE_ALLIED, "centre allied"),
    };
    let active = state.centre_active(army).is_some();
    let mut label: Vec<Measure> = vec![name.into(), hex.called().into()];
    label.extend((!active).then_some(words::INACTIVE.into()));
    let class = if active { class.to_owned() } else { format!("{class} idle") };
    let picture =
        r#"<path class="tent" d="M-12 12L0 -13L12 12Z"></path><path class="door" d="M0 -13V12"></path>"#;
    Some(thing(format!("c:{hex}"), &class, Measure::Several(label), hex, picture))
}

fn battle(state: &State, reader: Option<Army>) -> Option<Standing> {
    let battle = state.public.battle.as_ref()?;
    let name = Saying::new(words::BATTLE).with("hex", battle.hex.called()).with("round", battle.round);
    let mut label: Vec<Measure> = vec![name.into()];
    // Whoever fights sees both forces; nobody else does.
    if reader.is_some() {
        let force = |army: Army| {
            let host = state.host(army);
            host.force_points(&host.force).all()
        };
        let forces = Saying::new(words::BATTLE_FORCES)
            .with("attacker", force(battle.attacker))
            .with("defender", force(enemy(battle.attacker)));
        label.push(forces.into());
    }
    let picture = r#"<path class="swords" d="M-9 9L9 -9M-9 -9L9 9M-9 5l4 4M9 5l-4 4"></path>"#;
    let at = hex_centre(battle.hex);
    Some(Standing::Thing(Thing {
        id: format!("b:{}", battle.hex),
        class: "battle".to_owned(),
        label: Measure::Several(label),
        at: (at.0 + 15.0, at.1 - 15.0),
        picture: Picture::Around(picture.to_owned()),
    }))
}

fn stack(hex: HexId, pieces: Vec<Piece>) -> Standing {
    Standing::Stack(Stack { id: format!("h:{hex}"), at: hex_centre(hex), pieces })
}

/// How far a block of a stack is shifted, so that the stack stays centred on its hex.
fn shifted(hex: HexId, at: usize, size: usize) -> Spot {
    let number = |count: usize| f64::from(u16::try_from(count).unwrap_or(0));
    let lift = (number(at) - number(size.saturating_sub(1)) / 2.0) * if size > 4 { 0.6 } else { 1.0 };
    let (x, y) = hex_centre(hex);
    (x + lift * 3.6, y - lift * 4.6)
}

/// The strength of a body in words.
fn strength(points: Points) -> [Measure; 2] {
    let arms = Saying::new(words::ARMS)
        .with("infantry", points.infantry)
        .with("cavalry", points.cavalry)
        .with("artillery", points.artillery);
    [Saying::new(words::SP).with("sp", points.all()).into(), arms.into()]
}

/// What a formation is in, besides its strength.
pub(super) fn conditions(state: &State, side: Army, head: LeaderId) -> Vec<Measure> {
    let host = state.host(side);
    let flags = host.flags(head);
    let besieged = host.leader_at(head).is_some_and(|hex| state.besieged(side, hex));
    let said: [(Phrase, bool); 7] = [
        (words::IN_HAND, host.hand.is_some_and(|hand| hand.body == Body::Formation(head))),
        (words::COMMANDED, flags.command && !flags.entered),
        (words::ENTERED, flags.entered),
        (words::DONE, flags.done),
        (words::FORAGES, flags.mode == Mode::Forage),
        (words::SHAKEN, flags.shaken),
        (words::BESIEGED, besieged),
    ];
    let mut all: Vec<Measure> =
        said.into_iter().filter(|(_, so)| *so).map(|(phrase, _)| phrase.into()).collect();
    all.extend(flags.goal.map(|goal| Saying::new(words::GOAL).with("hex", goal.called()).into()));
    all
}

/// A formation of one's own.
fn formation(state: &State, side: Army, head: LeaderId) -> (String, Measure, Measure, String) {
    let host = state.host(side);
    let (flags, points) = (host.flags(head), host.strength(head));
    let mut label: Vec<Measure> = vec![head.name().into()];
    label.extend(if points.all() > 0 { strength(points).into() } else { vec![words::HEADQUARTERS.into()] });
    label.push(Saying::new(words::INITIATIVE).with("initiative", head.initiative()).into());
    let below: Vec<Measure> = host
        .tree(head)
        .into_iter()
        .filter(|&leader| leader != head)
        .map(|leader| leader.name().into())
        .collect();
    if !below.is_empty() {
        label.push(Saying::new(words::WITH).with("who", Measure::Several(below)).into());
    }
    label.extend(conditions(state, side, head));
    label.extend(host.leader_at(head).map(|hex| hex.called().into()));
    let flown = Flown {
        command: flags.command,
        done: flags.done,
        in_hand: host.hand.is_some_and(|hand| hand.body == Body::Formation(head)),
        forages: flags.mode == Mode::Forage,
        shaken: flags.shaken,
    };
    (leader_thing(head), Measure::Several(label), head.name().into(), counter::column(side, points, flown))
}

/// One's own troops, hex by hex: garrisons below, vedettes, then the formations, the strongest on top.
fn own(state: &State, side: Army) -> Vec<Standing> {
    let host = state.host(side);
    let mut hexes: Vec<HexId> = state.occupied(side);
    hexes.sort_by_key(|hex| (hex.row, hex.column));
    let mut all = Vec::new();
    for hex in hexes {
        let mut pieces: Vec<(String, Measure, Measure, String)> = Vec::new();
        let posted: Vec<_> = host
            .units
            .iter()
            .filter(|(id, unit)| unit.leader.is_none() && unit.sp > 0 && host.unit_at(**id) == Some(hex))
            .map(|(&id, _)| id)
            .collect();
        let points = host.points(&posted);
        if points.all() > 0 {
            let mut label: Vec<Measure> = vec![words::GARRISON.into()];
            label.extend(strength(points));
            label.push(hex.called().into());
            let face = counter::column(side, points, Flown::default());
            pieces.push((post_thing(hex), Measure::Several(label), words::GARRISON.into(), face));
        }
        for (&number, vedette) in host.vedettes.iter().filter(|(_, vedette)| vedette.hex == hex) {
            let body = Body::Vedette(number);
            let label = Measure::Several(vec![body.name(), hex.called().into()]);
            pieces.push((
                body_thing(body),
                label,
                words::VEDETTE.into(),
                counter::vedette(side, vedette.done),
            ));
        }
        let mut heads: Vec<LeaderId> =
            host.heads().into_iter().filter(|&head| host.leader_at(head) == Some(hex)).collect();
        heads.sort_by_key(|&head| (host.strength(head).all(), std::cmp::Reverse(head)));
        pieces.extend(heads.into_iter().map(|head| formation(state, side, head)));
        let size = pieces.len();
        let pieces = pieces.into_iter().enumerate().map(|(at, (id, label, caption, picture))| Piece {
            id,
            side: State::place(side),
            label,
            caption,
            at: shifted(hex, at, size),
            scale: SCALE,
            turn: None,
            picture,
        });
        all.push(stack(hex, pieces.collect()));
    }
    all
}

/// Who commands an enemy hex, as far as it is known.
fn commander(seen: &Seen) -> Measure {
    match seen.contact.map(|contact| contact.commander) {
        _ if seen.headquarters => words::HEADQUARTERS.into(),
        None => words::STACK.into(),
        Some(Shown::Leader(leader)) => leader.name().into(),
        Some(Shown::NoLeader) => words::NO_LEADER.into(),
        Some(Shown::Vedette) => words::VEDETTE.into(),
    }
}

/// How strong an enemy hex is, as far as it is known.
fn known_strength(contact: Contact) -> Vec<Measure> {
    let size = match (contact.open, contact.band) {
        (Some([infantry, cavalry, artillery]), _) => {
            return strength(Points { infantry, cavalry, artillery }).into();
        }
        (None, Some(band)) => match range(band) {
            (least, most) if least == most => Saying::new(words::SP).with("sp", least),
            (least, most) if most > 200 => Saying::new(words::BAND_LAST).with("from", least),
            (least, most) => Saying::new(words::BAND).with("from", least).with("to", most),
        },
        (None, None) if contact.class >= 3 => Saying::new(words::CLASS_MORE),
        (None, None) => Saying::new(words::CLASS).with("class", contact.class),
    };
    let horse = if contact.cavalry { words::CAVALRY } else { words::NO_CAVALRY };
    vec![size.into(), horse.into()]
}

fn enemy_label(army: Army, seen: &Seen) -> Vec<Measure> {
    let mut label: Vec<Measure> = vec![say::army(army).into(), commander(seen)];
    label.extend(seen.contact.map(known_strength).unwrap_or_default());
    label.extend(seen.forages.then_some(words::FORAGES.into()));
    label.push(seen.hex.called().into());
    label
}

fn enemy_piece(army: Army, seen: &Seen) -> Piece {
    let caption = match seen.contact.map(|contact| contact.commander) {
        Some(Shown::Leader(leader)) => leader.name().into(),
        _ => "".into(),
    };
    Piece {
        id: seen_thing(seen.hex),
        side: place(army),
        label: Measure::Several(enemy_label(army, seen)),
        caption,
        at: hex_centre(seen.hex),
        scale: SCALE,
        turn: None,
        picture: counter::seen(army, seen, false),
    }
}

/// The last report of every hex and of every leader that is not seen now, the newest first.
fn reports(state: &State, side: Army) -> Vec<Report> {
    let now = state.seen(Some(side), enemy(side));
    let named = |seen: &Seen| match seen.contact.map(|contact| contact.commander) {
        Some(Shown::Leader(leader)) => Some(leader),
        _ => None,
    };
    let mut known: Vec<Report> = Vec::new();
    for report in state.host(side).reports.iter().rev() {
        let old = state.public.turn.saturating_sub(report.turn) > OLDEST;
        let again = now.iter().chain(known.iter().map(|other| &other.seen)).any(|other| {
            other.hex == report.seen.hex || named(other).is_some_and(|name| named(&report.seen) == Some(name))
        });
        if !old && !again && !report.seen.headquarters {
            known.push(*report);
        }
    }
    known
}

/// A report that is no longer seen: dashed, with its date.
fn reported(state: &State, side: Army, report: &Report) -> Standing {
    let army = enemy(side);
    let (first, month) = state.date(report.turn);
    let month = match month {
        Month::November => (book::WORD_NOVEMBER, 11),
        Month::December => (book::WORD_DECEMBER, 12),
    };
    let mut label = enemy_label(army, &report.seen);
    label.push(Saying::new(words::REPORTED).with("day", first).with("month", month.0).into());
    let age = i32::from(state.public.turn.saturating_sub(report.turn));
    label.push(Saying::new(words::AGE).with("turns", age).into());
    let face = counter::seen(army, &report.seen, true);
    let picture = format!(
        r#"<g transform="scale({SCALE})">{face}<text class="dated" y="-8.500">{first}.{}</text></g>"#,
        month.1
    );
    let class = format!("report age-{age}");
    thing(format!("r:{}", report.seen.hex), &class, Measure::Several(label), report.seen.hex, &picture)
}
