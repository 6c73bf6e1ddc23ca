//! The sheets: the ground below, what stands on it above, every thing with a spoken name.

use kernel::board::{Picture, Piece, Pointing, Position, Sheet, Stack, Standing, Thing, Waiting};
use maud::{Markup, PreEscaped, html};
use rulebook::phrase::board as words;

use super::Seen;
use crate::reader::Reader;

/// A sheet with everything on it.
pub(super) fn sheet(reader: &Reader, seen: &Seen<'_>, sheet: &Sheet, shown: bool) -> Markup {
    let ((x, y), (wide, high)) = (sheet.corner, sheet.size);
    let marks = sheet.marks;
    let (up, near) = match sheet.pointing {
        Pointing::Anywhere(up) => (Some(up), None),
        Pointing::Named(near) => (None, Some(near)),
    };
    let title = reader.say(sheet.title);
    html! {
        div.map id={ "map-" (sheet.name) } hidden[!shown] {
            svg.board data-map=(sheet.name) data-high=[up] data-near=[near]
                data-places=[near.map(|_| format!("/maps/{}.{}.json", sheet.ground, reader.lang.code()))]
                data-sizes=(format!("{} {} {} {} {}", marks.target, marks.reach, marks.cursor, marks.finger, marks.fan))
                viewBox=(format!("{x} {y} {wide} {high}")) role="application" tabindex="0"
                aria-label=(title) aria-describedby="board-keys" {
                (ground(reader, seen, sheet, shown))
                g id={ "standing-" (sheet.name) } { (standing(reader, seen.position, sheet)) }
                g.marks.broad[marks.broad] id={ "marks-" (sheet.name) } {}
            }
            div.card id={ "card-" (sheet.name) } hidden {}
        }
    }
}

/// The ground under a sheet: fetched with the page if the sheet is shown, else when it first is.
fn ground(reader: &Reader, seen: &Seen<'_>, sheet: &Sheet, shown: bool) -> Markup {
    let address = seen.system.map(sheet.ground).map(|map| map.address(reader.lang));
    let ((x, y), (wide, high)) = (sheet.corner, sheet.size);
    html! {
        @if let Some(address) = address {
            image href=[shown.then_some(&address)] data-href=[(!shown).then_some(&address)] x=(x) y=(y)
                width=(wide) height=(high) preserveAspectRatio="none" {}
        }
    }
}

/// What stands on a sheet.
pub(super) fn standing(reader: &Reader, position: &dyn Position, sheet: &Sheet) -> Markup {
    let sides = position.sides();
    html! {
        @for one in position.on_sheet(sheet.name) {
            @match one {
                Standing::Drawing(drawing) => { (PreEscaped(drawing)) },
                Standing::Thing(ref one) => { (thing(reader, one)) },
                Standing::Stack(ref one) => { (stack(reader, &sides, one)) },
            }
        }
    }
}

fn thing(reader: &Reader, thing: &Thing) -> Markup {
    let label = reader.measure(&thing.label);
    let (x, y) = thing.at;
    let (moved, at, picture) = match &thing.picture {
        Picture::Around(picture) => (Some(format!("translate({x:.0} {y:.0})")), None, picture),
        Picture::InPlace(picture) => (None, Some(format!("{x:.0} {y:.0}")), picture),
    };
    html! {
        g class=(thing.class) data-thing=(thing.id) data-at=[at] tabindex="-1" role="img" aria-label=(label) transform=[moved] {
            g aria-hidden="true" { title { (label) } (PreEscaped(picture)) }
        }
    }
}

fn stack(reader: &Reader, sides: &[String], stack: &Stack) -> Markup {
    let (x, y) = stack.at;
    html! {
        g.stack data-stack=(stack.id) data-at=(format!("{x:.1} {y:.1}")) data-size=(stack.pieces.len()) {
            @for one in &stack.pieces { (piece(reader, sides, one)) }
        }
    }
}

/// A piece: a picture with a name; the sheet around it is what takes clicks and keys.
fn piece(reader: &Reader, sides: &[String], piece: &Piece) -> Markup {
    let label = reader.measure(&piece.label);
    let ((x, y), scale) = (piece.at, piece.scale);
    html! {
        g.piece data-thing=(piece.id) data-side=[sides.get(piece.side)] tabindex="-1" role="img" aria-label=(label)
            transform=(format!("translate({x:.1} {y:.1}) scale({scale})")) {
            g aria-hidden="true" {
                title { (label) }
                @if let Some(turn) = piece.turn { path.nose d="M-3.500 -9.500h7l-3.500 -4.500Z" transform=(format!("rotate({turn:.0})")) {} }
                (PreEscaped(&piece.picture))
                text.label y="12.500" { (reader.measure(&piece.caption)) }
            }
        }
    }
}

/// The pieces that are on no sheet but may be given orders: to be chosen beside the sheets.
pub(super) fn tray(reader: &Reader, waiting: &[Waiting]) -> Markup {
    html! {
        div.tray role="group" aria-label=(reader.say(words::TRAY)) {
            @for one in waiting {
                // The drawing lies over its button: its letters are no part of the button's name.
                div.tray-slot.resting[one.rests] {
                    svg viewBox="-12 -9 24 18" aria-hidden="true" { (PreEscaped(&one.picture)) }
                    button.tray-unit type="button" data-thing=(one.id) aria-label=(reader.measure(&one.label)) {
                        span { (reader.measure(&one.caption)) @if one.broken { " ✕" } }
                    }
                }
            }
        }
    }
}
