//! The lines of an army: by which roads it is supplied as far as its staff knows, where they are cut and by whom, the
//! tails of the columns on those roads, and when a march arrives.

use std::collections::BTreeSet;
use std::fmt::Write;

use kernel::{Measure, MovementPoints, Saying};
use rulebook::phrase::{campaign as book, campaign_board as words};

use super::ground::through;
use crate::draw::hex_centre;
use crate::game::{Body, Hand, Key, LeaderId, State, Why, constant};
use crate::map::HexId;
use crate::terms::{Army, Month};

/// How a hex is supplied.
pub(super) enum Supply {
    /// By this line, from the hex to where it ends.
    Open(Vec<HexId>),
    /// It would be by this line, but the enemy is in these hexes or commands them.
    Cut {
        /// The line.
        way: Vec<HexId>,
        /// Where it is cut.
        at: Vec<HexId>,
    },
    /// Every end is too far.
    Far,
}

/// How a hex of a side is supplied, as far as the side knows.
pub(super) fn supply(state: &State, side: Army, from: HexId) -> Supply {
    let field = state.known_field(side);
    let most = MovementPoints::whole(constant(Key::Supply));
    let ends = state.line_ends(side, |hex| field.is_occupied(hex));
    if ends.contains(&from) {
        return Supply::Open(vec![from]);
    }
    let shortest = |blocked: bool| {
        let ways = field.lines_within(from, blocked, most);
        let end = ends.iter().filter_map(|&end| Some((ways.cost(end)?, end))).min();
        end.map(|(_, end)| ways.path(end))
    };
    if let Some(way) = shortest(true) {
        return Supply::Open(way);
    }
    let Some(way) = shortest(false) else { return Supply::Far };
    let own = state.occupied(side);
    // The ends are exempt from the test of zones.
    let between = way.iter().skip(1).take(way.len().saturating_sub(2));
    let commanded = between.filter(|hex| field.in_zone(**hex) && !own.contains(hex));
    let at: BTreeSet<HexId> =
        commanded.chain(way.iter().filter(|hex| field.is_occupied(**hex))).copied().collect();
    if at.is_empty() { Supply::Open(way) } else { Supply::Cut { way, at: at.into_iter().collect() } }
}

/// What is wrong with the supply of a formation, in words.
pub(super) fn trouble(state: &State, side: Army, head: LeaderId) -> Option<Measure> {
    let at = state.host(side).leader_at(head).filter(|_| state.host(side).strength(head).all() > 0)?;
    match supply(state, side, at) {
        Supply::Open(_) => None,
        Supply::Cut { at, .. } => {
            let hexes = Measure::Several(at.into_iter().map(|hex| hex.called().into()).collect());
            Some(Saying::new(words::SUPPLY_CUT).with("hexes", hexes).into())
        }
        Supply::Far => Some(words::SUPPLY_FAR.into()),
    }
}

/// The lines of supply of a side, each stretch once, with crosses where they are cut; and the tails of the columns.
pub(super) fn draw(state: &State, side: Army, drawn: &mut String) {
    let host = state.host(side);
    let mut stretches: BTreeSet<(HexId, HexId)> = BTreeSet::new();
    let (mut severed, mut tails) = (String::new(), String::new());
    let class = if side == Army::French { "a-french" } else { "a-allied" };
    for head in host.heads() {
        let Some(from) = host.leader_at(head).filter(|_| host.strength(head).all() > 0) else { continue };
        match supply(state, side, from) {
            Supply::Open(way) => {
                if host.flags(head).marched() > 0 {
                    blocks(&way, host.strength(head).all(), class, &mut tails);
                }
                stretches.extend(way.windows(2).map(|two| (two[0].min(two[1]), two[0].max(two[1]))));
            }
            Supply::Cut { way, at } => {
                let _ = write!(severed, r#"<path class="supply cut" d="{}"></path>"#, through(&way));
                for hex in at {
                    let (x, y) = hex_centre(hex);
                    let _ = write!(
                        severed,
                        r#"<path class="severed" d="M-7 -7L7 7M7 -7L-7 7" transform="translate({x:.1} {y:.1})"></path>"#
                    );
                }
            }
            Supply::Far => {
                let (x, y) = hex_centre(from);
                let _ =
                    write!(severed, r#"<circle class="supply-far" cx="{x:.1}" cy="{y:.1}" r="24"></circle>"#);
            }
        }
    }
    let open: String = stretches.into_iter().map(|(from, to)| through(&[from, to])).collect();
    if !open.is_empty() {
        let _ = write!(drawn, r#"<path class="supply" d="{open}"></path>"#);
    }
    drawn.push_str(&severed);
    drawn.push_str(&tails);
}

/// A column on a road: blocks one behind the other from the first hex of a way, more for more men.
pub(super) fn blocks(way: &[HexId], strength: i32, class: &str, drawn: &mut String) {
    let most = strength.clamp(3, 18) / 3;
    let points: Vec<(f64, f64)> = way.iter().take(4).map(|&hex| hex_centre(hex)).collect();
    for block in 0..most {
        // The head of the column is hidden by its counter.
        let along = 0.62 + 0.24 * f64::from(block);
        let mut left = along;
        let mut stretches = points.windows(2);
        let stretch = loop {
            match stretches.next() {
                Some(stretch) if left <= 1.0 => break Some(stretch),
                Some(_) => left -= 1.0,
                None => break None,
            }
        };
        let Some(&[(ax, ay), (bx, by)]) = stretch else { break };
        let (x, y) = (ax + (bx - ax) * left, ay + (by - ay) * left);
        let angle = (by - ay).atan2(bx - ax).to_degrees();
        let _ = write!(
            drawn,
            r#"<path class="train {class}" d="M-3.200 -2.200h6.400v4.400h-6.400Z" transform="translate({x:.1} {y:.1}) rotate({angle:.0})"></path>"#
        );
    }
}

const fn month(month: Month) -> (kernel::Phrase, u8) {
    match month {
        Month::November => (book::WORD_NOVEMBER, 11),
        Month::December => (book::WORD_DECEMBER, 12),
    }
}

/// The day on which a march of so many halves ends that begins in this turn: an ordinary march fills two days.
fn arrival(state: &State, side: Army, hand: Hand, cost: i32) -> Option<(i64, Month)> {
    let Body::Formation(head) = hand.body else { return None };
    let allowance =
        state.allowance(side, head).into_iter().flatten().min().map(i32::from).filter(|mp| *mp > 0)?;
    let turns = (cost - 1).max(0) / allowance;
    let turn = state.public.turn.saturating_add(u8::try_from(turns).ok()?);
    let (first, month) = state.date(turn);
    let late = 2 * (cost - turns * allowance) > allowance;
    Some((first + i64::from(late), month))
}

/// The same in words.
pub(super) fn arrives(state: &State, side: Army, hand: Hand, cost: i32) -> Option<Saying> {
    let (day, when) = arrival(state, side, hand, cost)?;
    Some(Saying::new(words::ARRIVES).with("day", day).with("month", month(when).0))
}

/// The same as a short date on the map.
pub(super) fn dated(state: &State, side: Army, hand: Hand, cost: i32) -> Option<String> {
    let (day, when) = arrival(state, side, hand, cost)?;
    Some(format!("{day}.{}", month(when).1))
}

/// What a march to a hex costs in all, however many turns it takes, in halves.
pub(super) fn cost(state: &State, side: Army, head: LeaderId, to: HexId) -> Option<(Hand, i32)> {
    let hand = Hand { body: Body::Formation(head), why: Why::March };
    state.long_cost(side, hand, to).map(|cost| (hand, cost))
}
