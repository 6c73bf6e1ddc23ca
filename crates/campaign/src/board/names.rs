//! Names in pages: `u:soult` for a formation or a lone leader, `u:v3` for a vedette, `u:p1822` for a garrison,
//! `u:x1446` for what is seen of an enemy there, `h:1446` for a hex, `r:1446` for a report that is no longer seen.

use kernel::board::{NamedPlace, PIECE, ThingId};
use kernel::{Measure, Phrase, Saying};
use rulebook::phrase::{campaign as book, campaign_board as words};

use crate::draw::hex_centre;
use crate::game::{Body, LeaderId, State};
use crate::map::{HexId, map};
use crate::terms::{Army, Hex};

/// A formation or a lone leader.
pub(super) fn leader_thing(leader: LeaderId) -> ThingId {
    format!("{PIECE}{}", leader.id())
}

/// Whatever moves.
pub(super) fn body_thing(body: Body) -> ThingId {
    match body {
        Body::Formation(head) => leader_thing(head),
        Body::Vedette(number) => format!("{PIECE}v{number}"),
    }
}

/// A garrison without a leader.
pub(super) fn post_thing(hex: HexId) -> ThingId {
    format!("{PIECE}p{hex}")
}

/// What is seen of an enemy hex.
pub(super) fn seen_thing(hex: HexId) -> ThingId {
    format!("{PIECE}x{hex}")
}

/// A hex.
pub(super) fn hex_thing(hex: HexId) -> ThingId {
    format!("h:{hex}")
}

/// What moves under this name.
pub(super) fn body_of(thing: &str) -> Option<Body> {
    let name = thing.strip_prefix(PIECE)?;
    let vedette = || name.strip_prefix('v').and_then(|number| number.parse().ok()).map(Body::Vedette);
    LeaderId::named(name).map(Body::Formation).or_else(vedette)
}

/// The hex of a thing: its own, or where it stands.
pub(super) fn hex_of(state: &State, side: Army, thing: &str) -> Option<HexId> {
    let here = thing.strip_prefix("h:").or_else(|| thing.strip_prefix("r:"));
    let stack = || thing.strip_prefix(PIECE).and_then(|name| name.strip_prefix(['x', 'p']));
    let fixed = here.or_else(stack).and_then(HexId::read);
    fixed.or_else(|| body_of(thing).and_then(|body| state.body_at(side, body)))
}

/// What grows or stands in a hex.
const fn ground(hex: Hex) -> Phrase {
    match hex {
        Hex::Clear => book::WORD_CLEAR,
        Hex::Mountain => book::WORD_MOUNTAIN,
        Hex::Forest => book::WORD_FOREST,
        Hex::Hill => book::WORD_HILL,
        Hex::WoodedHill => book::WORD_WOODED_HILL,
        Hex::Town => book::WORD_TOWN,
        Hex::Depot => book::WORD_DEPOT,
        Hex::Citadel => book::WORD_CITADEL,
    }
}

/// A hex with what is there.
pub(super) fn hex_label(hex: HexId) -> Measure {
    let there = ground(map().cell(hex).hex);
    Saying::new(words::HEX_GROUND).with("hex", hex.called()).with("ground", there).into()
}

/// The hexes in play.
pub(super) fn hexes() -> Vec<NamedPlace> {
    let cells = map().cells().iter().filter(|cell| cell.in_play);
    cells
        .map(|cell| NamedPlace { id: hex_thing(cell.id), at: hex_centre(cell.id), name: hex_label(cell.id) })
        .collect()
}
