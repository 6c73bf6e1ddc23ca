//! What is only looked at on the map: the weather as a tint, who holds which town, broken bridges and pontoons,
//! the lines of supply and of dispatch, the goals of the days to come; and the way of an order that is considered.

use std::fmt::Write;

use crate::draw::{SHEET, hex_centre, hexside};
use crate::game::{Action, Body, Hand, Span, State};
use crate::map::HexId;
use crate::terms::{Army, Weather};

/// Everything that lies under the troops, as a reader may see it.
pub(super) fn ground(state: &State, reader: Option<Army>) -> String {
    let mut drawn = tint(state);
    holders(state, &mut drawn);
    bridges(state, &mut drawn);
    if let Some(side) = reader {
        super::lines::draw(state, side, &mut drawn);
        dispatch(state, side, &mut drawn);
        goals(state, side, &mut drawn);
    }
    drawn
}

const fn weather_class(weather: Weather) -> &'static str {
    match weather {
        Weather::Clear => "clear",
        Weather::Frost => "frost",
        Weather::Snow => "snow",
        Weather::Rain => "rain",
        Weather::Mud => "mud",
        Weather::RainMud => "rain mud",
    }
}

/// The weather over the whole sheet; fog comes on top of it.
fn tint(state: &State) -> String {
    let (wide, high) = SHEET;
    let sheet = format!(r#"width="{wide}" height="{high}""#);
    let mut drawn = format!(r#"<rect class="sky {}" {sheet}></rect>"#, weather_class(state.public.weather));
    if state.public.fog {
        let _ = write!(drawn, r#"<rect class="sky fog" {sheet}></rect>"#);
    }
    drawn
}

/// A pennant on every town that the French hold, and on every one that changed hands in this turn.
fn holders(state: &State, drawn: &mut String) {
    for (&hex, &army) in &state.public.control {
        let taken = state.public.captures.iter().any(|(at, _)| *at == hex);
        if army == Army::AustroRussian && !taken {
            continue;
        }
        let class = if army == Army::French { "french" } else { "allied" };
        let fresh = if taken { " taken" } else { "" };
        let (x, y) = hex_centre(hex);
        let _ = write!(
            drawn,
            r#"<path class="pennant {class}{fresh}" d="M{:.1} {:.1}v-15l10 3.500l-10 3.500"></path>"#,
            x - 9.0,
            y - 3.0,
        );
    }
}

fn bridges(state: &State, drawn: &mut String) {
    let mut put = |span: Span, class: &str| {
        let Some(direction) = span.a.towards(span.b) else { return };
        let ((ax, ay), (bx, by)) = hexside(span.a, direction);
        let (x, y) = (f64::midpoint(ax, bx), f64::midpoint(ay, by));
        let path =
            if class == "broken" { "M-5 -5L5 5M5 -5L-5 5" } else { "M-6 -3H6M-6 3H6M-4 -3V3M0 -3V3M4 -3V3" };
        let _ =
            write!(drawn, r#"<path class="{class}" d="{path}" transform="translate({x:.1} {y:.1})"></path>"#);
    };
    for &span in &state.public.damaged {
        put(span, "broken");
    }
    for &(span, _) in state.public.pontoons.iter().filter(|(span, _)| !state.public.damaged.contains(span)) {
        put(span, "planks");
    }
}

/// A line through hexes.
pub(super) fn through(hexes: &[HexId]) -> String {
    let mut path = String::new();
    for (place, &hex) in hexes.iter().enumerate() {
        let (x, y) = hex_centre(hex);
        let _ = write!(path, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
    }
    path
}

/// The roads by which dispatches reach one's formations; whoever has none is cut off.
fn dispatch(state: &State, side: Army, drawn: &mut String) {
    for (_, line) in state.dispatch_lines(side) {
        if let Some(line) = line.filter(|line| line.len() > 1) {
            let _ = write!(drawn, r#"<path class="dispatch" d="{}"></path>"#, through(&line));
        }
    }
}

/// The goals that formations march on to.
fn goals(state: &State, side: Army, drawn: &mut String) {
    let host = state.host(side);
    for head in host.heads() {
        if let (Some(at), Some(goal)) = (host.leader_at(head), host.flags(head).goal) {
            let (x, y) = hex_centre(goal);
            let _ = write!(
                drawn,
                r#"<path class="goal" d="{}"></path><circle class="goal" cx="{x:.1}" cy="{y:.1}" r="9"></circle>"#,
                through(&[at, goal]),
            );
        }
    }
}

/// The way of a march, and where it would end.
pub(super) fn sketch(state: &State, side: Army, action: &Action) -> Option<String> {
    let (start, path) = match action {
        Action::Order { formation, path } => (state.host(side).leader_at(*formation)?, path.as_slice()),
        Action::March(path) => {
            let hand = state.host(side).hand?;
            (state.body_at(side, hand.body)?, path.as_slice())
        }
        Action::Standing { formation, goal: Some(goal) } => {
            (state.host(side).leader_at(*formation)?, std::slice::from_ref(goal))
        }
        Action::Attack { hex, formations } => {
            let host = state.host(side);
            let mut drawn = String::new();
            for at in formations.iter().filter_map(|&head| host.leader_at(head)) {
                let _ = write!(drawn, r#"<path class="blow" d="{}"></path>"#, through(&[at, *hex]));
            }
            let (x, y) = hex_centre(*hex);
            let _ = write!(drawn, r#"<circle class="blow" cx="{x:.1}" cy="{y:.1}" r="17"></circle>"#);
            return Some(drawn);
        }
        _ => return None,
    };
    let mut hexes = vec![start];
    hexes.extend(path);
    let end = *path.last()?;
    let (x, y) = hex_centre(end);
    let mut drawn = format!(
        r#"<path class="lane" d="{}"></path><circle class="lane-end" cx="{x:.1}" cy="{y:.1}" r="6"></circle>"#,
        through(&hexes),
    );
    let class = if side == Army::French { "a-french" } else { "a-allied" };
    super::lines::blocks(&hexes, 9, class, &mut drawn);
    let head = match (action, state.host(side).hand) {
        (Action::Order { formation, .. } | Action::Standing { formation, .. }, _) => Some(*formation),
        (_, Some(Hand { body: Body::Formation(head), .. })) => Some(head),
        _ => None,
    };
    let march = head.and_then(|head| super::lines::cost(state, side, head, end));
    if let Some(date) = march.and_then(|(hand, cost)| super::lines::dated(state, side, hand, cost)) {
        let _ = write!(drawn, r#"<text class="arrival" x="{:.1}" y="{:.1}">{date}</text>"#, x + 9.0, y - 9.0);
    }
    Some(drawn)
}
