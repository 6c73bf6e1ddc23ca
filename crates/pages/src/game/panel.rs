//! Beside the sheets: whose decision it is, the tracks, what may be decided, the journal.

use std::collections::{BTreeMap, BTreeSet};

use kernel::board::{
    Choice, Extent, Kind, Leg, Offered, Reckoning, Roll, Sense, Standing, Tool, Track, Waiting, Wanted, When,
};
use kernel::{Chosen, Line, Phrase};
use maud::{Markup, html};
use rulebook::phrase::{board as words, table as common};

use super::{Entry, MOST_OF_A_KIND, Offers, Seen, board};
use crate::page::rule_link_under;
use crate::reader::Reader;

/// The title: whose turn it is.
pub(super) fn headline(reader: &Reader, seen: &Seen<'_>) -> String {
    let wording = seen.position.wording();
    let game = reader.say(wording.title);
    if seen.at.is_some() {
        format!("{} · {game}", reader.say(words::REPLAY))
    } else if seen.over {
        format!("{} · {game}", reader.say(wording.over.unwrap_or(words::OVER)))
    } else if seen.deciding().is_some() && seen.sealed.is_none() {
        format!("● {} · {game}", reader.say(words::YOUR_DECISION))
    } else if seen.awaited.is_empty() {
        game
    } else {
        format!("{} · {game}", reader.say_with(words::DECIDES, "side", seen.side_names(reader, seen.awaited)))
    }
}

/// The panel.
pub(super) fn panel(reader: &Reader, seen: &Seen<'_>, offers: &Offers) -> Markup {
    let status = seen.position.status();
    let wording = seen.position.wording();
    let deciding = seen.deciding();
    // Whoever looks back sees who decided then.
    let then = seen.position.deciders();
    let deciders = if seen.at.is_some() { then.as_slice() } else { seen.awaited };
    html! {
        header.turn data-n=(seen.entries) data-deciding=[deciding.and_then(|place| seen.side_key(place))]
            data-map=[offers.first_sheet()] {
            p.turn-number { (reader.tell(&status.turn)) }
            h2 tabindex="-1" { (reader.say(status.step)) @if let Some(round) = &status.round { span.quiet { " · " (reader.tell(round)) } } }
            p.quiet {
                // Whoever looks back reads how it stood then.
                @if (seen.over && seen.at.is_none()) || deciders.is_empty() { (reader.say(status.ending.or(wording.over).unwrap_or(words::OVER))) }
                @else if let Some(side) = deciding.filter(|_| seen.sealed.is_none()) { strong { (reader.say_with(words::YOU_DECIDE, "side", seen.side_name(reader, side))) } }
                @else { (reader.say_with(words::DECIDES, "side", seen.side_names(reader, deciders))) }
            }
        }
        (super::advice::machines(reader, seen))
        @if seen.over && seen.at.is_none() { p { a.button id="review" href={ "/g/" (seen.game) "/review" } { (reader.say(words::REVIEW)) } } }
        @if let Some(why) = seen.damaged { p role="alert" { strong { (why) } } }
        (legs(reader, &status.legs))
        (tracks(reader, &status.tracks))
        @if let Some(stake) = seen.position.reckoning() { (reckoning(reader, &stake)) }
        @if let Some(list) = seen.position.roll() { (roll(reader, &list)) }
        @if let Some(label) = seen.sealed.and_then(|action| seen.position.label(action)) {
            p.hint.sealed { (reader.say_with(words::SEALED, "order", label)) }
        }
        @if deciding.is_some() { (choices(reader, seen, status.prompt, offers)) }
        @else if seen.at.is_some() { p.hint { (reader.say(words::PAST)) " " a href={ "/g/" (seen.game) } { (reader.say(words::NOW)) } } }
        @else if seen.seats.is_empty() { p.hint { (reader.say(words::WATCHING)) } }
        @else if !seen.over && seen.damaged.is_none() { p.hint { (reader.say(words::WAITING)) } }
        (super::gazette::gazette(reader, seen))
        (super::dice::dice(reader, seen))
    }
}

/// What is at stake: what is known of it, and what each way to meet it would come to.
fn reckoning(reader: &Reader, stake: &Reckoning) -> Markup {
    html! {
        section.reckoning aria-labelledby="reckoning" {
            h3 id="reckoning" { (reader.tell(&stake.title)) }
            @for line in &stake.told { p { (sentence(&reader.tell(line))) } }
            @if !stake.rows.is_empty() {
                div.roll-rows { table {
                    thead { tr { @for head in &stake.heads { th scope="col" { (reader.say(*head)) } } } }
                    tbody { @for (way, cells) in &stake.rows { tr {
                        th scope="row" { (reader.measure(way)) }
                        @for cell in cells { td { (reader.measure(cell)) } }
                    } } }
                } }
            }
        }
    }
}

/// What it is all about, for whoever sits down for the first time.
pub(super) fn aim(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let side = match seen.seats {
        [only] => Some(*only),
        _ => None,
    };
    let Some((goal, way)) = seen.position.aims(side).split_first() else { return html! {} };
    html! {
        details.aim id="aim" open[seen.position.status().is_young] {
            summary { (reader.say(words::AIM)) }
            p { (reader.say(*goal)) }
            @if !way.is_empty() { ol { @for step in way { li { (reader.say(*step)) } } } }
        }
    }
}

/// A line that begins like a sentence.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The parts of a game that is played in several: how each ended, and what the next inherits.
fn legs(reader: &Reader, legs: &[Leg]) -> Markup {
    let word = |when: When| match when {
        When::Past => ("past", words::LEG_PAST),
        When::Now => ("now", words::LEG_NOW),
        When::Ahead => ("ahead", words::LEG_AHEAD),
    };
    html! {
        @if !legs.is_empty() {
            ol.legs aria-label=(reader.say(words::LEGS)) {
                @for leg in legs {
                    @let (class, said) = word(leg.when);
                    li class=(class) aria-current=[(leg.when == When::Now).then_some("step")] {
                        strong { (reader.say(leg.name)) } " " span.quiet { (reader.say(said)) }
                        @for line in &leg.told { span.told { (sentence(&reader.tell(line))) } }
                    }
                }
            }
        }
    }
}

/// The list of the staff: every name chooses its piece.
fn roll(reader: &Reader, roll: &Roll) -> Markup {
    html! {
        details.roll {
            summary { (reader.say(roll.title)) " " span.quiet { "(" (roll.rows.len()) ")" } }
            div.roll-rows { table {
                thead { tr { @for head in &roll.heads { th scope="col" { (reader.say(*head)) } } } }
                tbody { @for row in &roll.rows { tr {
                    th scope="row" { button.enrolled type="button" data-thing=(row.thing) { (reader.measure(&row.name)) } }
                    @for cell in &row.cells { td { (reader.measure(cell)) } }
                } } }
            } }
        }
    }
}

fn tracks(reader: &Reader, tracks: &[Track]) -> Markup {
    html! {
        @if !tracks.is_empty() {
            dl.tracks {
                @for track in tracks {
                    div class=[track.out_of.then(|| format!("track-{}", track.class))] {
                        dt { (reader.say(track.name)) }
                        dd { (track.value) @if track.out_of { " / " (track.most) } (scale(track)) }
                    }
                }
            }
        }
    }
}

fn scale(track: &Track) -> Markup {
    let share = 100.0 * f64::from(track.value.min(track.most)) / f64::from(track.most.max(1));
    html! {
        svg class={ "bar " (track.class) } viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
            rect.bar-ground width="100" height="10" {}
            rect.bar-share width=(format!("{share:.1}")) height="10" {}
        }
    }
}

/// What may be decided, with what is needed for it.
fn choices(reader: &Reader, seen: &Seen<'_>, prompt: Phrase, offers: &Offers) -> Markup {
    html! {
        section.choices aria-label=(reader.say(words::CHOICES)) {
            (guide(reader, seen))
            p.hint { (reader.say(prompt)) }
            @match offers {
                Offers::Listed(offers) => { (listed(reader, seen, offers)) },
                Offers::Staged(kinds) => { (staged(reader, seen, kinds)) },
            }
            button.suggest type="button" id="suggest" { (reader.say(words::SUGGEST)) }
            button.undo type="button" id="undo" { (reader.say(words::UNDO)) }
            @if seen.fairness.take_backs && !seen.fairness.machines.is_empty() {
                button.undo type="button" id="take-back" { (reader.say(words::TAKE_BACK)) }
            }
        }
    }
}

/// The guide of a first turn: what to click and why. Whoever knows it skips it, for good.
fn guide(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let Some(lesson) = seen.position.lesson() else { return html! {} };
    html! {
        aside.guide id="guide" aria-label=(reader.say(words::GUIDE)) data-points-at=(lesson.points_at.join(" ")) {
            p.guide-head { strong { (reader.say(words::GUIDE)) } button.guide-skip type="button" id="guide-skip" { (reader.say(words::GUIDE_SKIP)) } }
            p.guide-deed { (reader.say(lesson.deed)) }
            p.guide-why { (reader.say(lesson.why)) }
        }
    }
}

/// Whether an order neither names nor needs a piece: such orders are large buttons.
fn is_plain(choice: &Choice) -> bool {
    choice.subjects.is_empty() && choice.at.is_none()
}

/// All that may be decided.
fn listed(reader: &Reader, seen: &Seen<'_>, offers: &[Offered]) -> Markup {
    let (plain, aimed): (Vec<&Offered>, Vec<&Offered>) =
        offers.iter().partition(|offered| is_plain(&offered.choice));
    let mut kinds: Vec<(String, Vec<&Offered>)> = Vec::new();
    for offered in aimed {
        let heading = reader.say(offered.choice.heading);
        match kinds.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, list)) => list.push(offered),
            None => kinds.push((heading, vec![offered])),
        }
    }
    let subjects: BTreeSet<&str> =
        offers.iter().flat_map(|offered| &offered.choice.subjects).map(String::as_str).collect();
    let mut waiting: Vec<Waiting> = seen.position.beside();
    waiting.retain(|one| subjects.contains(one.id.as_str()));
    html! {
        @if !waiting.is_empty() { (board::tray(reader, &waiting)) }
        (tools(reader, seen))
        div id="selected" {}
        @for (heading, list) in &kinds {
            details.kind data-count=(list.len()) open[list.len() <= 6 && waiting.is_empty()] {
                summary { (heading) " " span.quiet { "(" (list.len()) ")" } }
                (of_kind(reader, seen, list))
            }
        }
        (large(reader, plain))
    }
}

/// So many orders of a kind stand in one list; more are told by who acts, then where.
const IN_ONE_LIST: usize = 24;

/// The orders of a kind: in a list, to be ticked where several are often ordered in a row, or by whoever
/// acts if they are many.
fn of_kind(reader: &Reader, seen: &Seen<'_>, list: &[&Offered]) -> Markup {
    let mut actors: Vec<(&str, Vec<&Offered>)> = Vec::new();
    for offered in list {
        let actor = offered.choice.subjects.first().map_or("", String::as_str);
        match actors.iter_mut().find(|(known, _)| *known == actor) {
            Some((_, orders)) => orders.push(offered),
            None => actors.push((actor, vec![offered])),
        }
    }
    let ticked = list.len() > 1 && list.iter().all(|offered| offered.choice.in_a_row);
    html! {
        @if ticked {
            ul.ticked { @for (place, offered) in list.iter().enumerate() { li {
                @let id = format!("tick-{}-{place}", offered.choice.kind);
                input.tick type="checkbox" id=(id) aria-label=(reader.tell(&offered.choice.label));
                (button(reader, offered, "choice"))
            } } }
            button.order-ticked type="button" { (reader.say(words::ORDER_TICKED)) }
        } @else if list.len() > IN_ONE_LIST && actors.len() > 1 && actors.len() < list.len() {
            @let names = names(reader, seen);
            ul { @for (actor, orders) in &actors { @if actor.is_empty() { @for offered in orders { li { (button(reader, offered, "choice")) } } } @else { li {
                details.actor {
                    summary { (names.get(*actor).map_or(*actor, String::as_str)) " " span.quiet { "(" (orders.len()) ")" } }
                    ul { @for offered in orders { li { (button(reader, offered, "choice")) } } }
                }
            } } } }
        } @else {
            ul { @for offered in list { li { (button(reader, offered, "choice")) } } }
        }
    }
}

/// What the pieces are called for short, wherever they stand.
fn names(reader: &Reader, seen: &Seen<'_>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for sheet in seen.position.sheets() {
        for standing in seen.position.on_sheet(sheet.name) {
            if let Standing::Stack(stack) = standing {
                names
                    .extend(stack.pieces.into_iter().map(|piece| (piece.id, reader.measure(&piece.caption))));
            }
        }
    }
    names.extend(seen.position.beside().into_iter().map(|one| (one.id, reader.measure(&one.caption))));
    names
}

/// The kinds of what may be decided; the script asks for the orders of a kind, or of a piece.
fn staged(reader: &Reader, seen: &Seen<'_>, kinds: &[Kind]) -> Markup {
    let (plain, aimed): (Vec<&Kind>, Vec<&Kind>) = kinds.iter().partition(|kind| is_plain(&kind.first));
    let plain: Vec<Offered> = plain
        .into_iter()
        .flat_map(|kind| seen.position.some_offers(&Wanted::Kind(&kind.name), MOST_OF_A_KIND))
        .collect();
    html! {
        (tools(reader, seen))
        div id="selected" {}
        ul.fetched id="fetched" hidden {}
        @for kind in aimed {
            details.kind.staged data-count=(kind.count) data-kind=(kind.name) {
                summary { (reader.say(kind.first.heading)) " " span.quiet { "(" (kind.count) ")" } }
                ul {}
                @if kind.count > MOST_OF_A_KIND { p.quiet { (reader.say(words::FIRST_OF_MANY)) } }
            }
        }
        (large(reader, plain.iter().collect()))
    }
}

/// Orders in a list.
pub(super) fn list(reader: &Reader, offers: &[Offered]) -> Markup {
    html! { @for offered in offers { li { (button(reader, offered, "choice")) } } }
}

/// What does something comes before what lets the moment pass.
fn large(reader: &Reader, mut plain: Vec<&Offered>) -> Markup {
    plain.sort_by_key(|offered| matches!(offered.choice.sense, Sense::Pass | Sense::Forgo));
    let forgoes = plain.iter().any(|offered| offered.choice.sense == Sense::Forgo);
    html! {
        div.plain {
            @for offered in plain { (button(reader, offered, plain_class(offered.choice.sense))) }
            @if forgoes { button.pass-on type="button" id="pass-on" aria-pressed="false" { (reader.say(words::PASS_ON)) } }
        }
    }
}

fn plain_class(sense: Sense) -> &'static str {
    if matches!(sense, Sense::Pass | Sense::Forgo) { "choice ends" } else { "choice primary" }
}

fn button(reader: &Reader, offered: &Offered, class: &str) -> Markup {
    let choice = &offered.choice;
    let at = choice.at.map(|(_, (x, y))| format!("{x:.1} {y:.1}"));
    let pose = choice
        .pose
        .map(|pose| format!("{} {} {} {} {}", pose.tool, pose.at.0, pose.at.1, pose.facing, pose.length));
    html! {
        button class=(class) type="button" data-action=(offered.action) data-kind=(choice.kind)
            data-sense=[(choice.sense != Sense::Deed).then(|| choice.sense.name())] data-once[choice.at_once]
            data-subjects=[(!choice.subjects.is_empty()).then(|| choice.subjects.join(" "))]
            data-object=[choice.object.as_deref()] data-map=[choice.at.map(|(sheet, _)| sheet)]
            data-at=[at] data-pose=[pose] { (reader.tell(&choice.label)) }
    }
}

/// What can be placed freely. What fits nowhere can still be tried; the rules then say why.
fn tools(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let tools = seen.position.tools();
    let title = seen.position.wording().tools.unwrap_or(words::TOOLS);
    let extent = |extent| match extent {
        Extent::Fixed(length) => length.to_string(),
        Extent::Length => "length".to_owned(),
    };
    html! {
        @if !tools.is_empty() {
            div.tools role="group" aria-label=(reader.say(title)) {
                @for Tool { name, title, key, sheet, broad, deep, snap, turn } in &tools {
                    button.tool type="button" data-tool=(name) data-key=(key) data-map=(sheet) data-broad=(extent(*broad)) data-deep=(extent(*deep))
                        data-snap=(snap) data-turn=[turn] aria-pressed="false" { (reader.say(*title)) }
                }
            }
        }
    }
}

/// The journal, the newest entry first: the whole of it, or what the page adds as the game goes on.
pub(super) fn journal(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let chosen = seen.position.chosen();
    html! { @for told in seen.told.iter().rev() { (entry(reader, seen, told, &chosen)) } }
}

/// What happened in an entry: its words, how often it happened in a row before, and why.
struct Told<'a> {
    phrase: Option<Phrase>,
    text: String,
    before: Vec<String>,
    reasons: Vec<&'a kernel::Because>,
}

/// The events of an entry. What is said again and again in a row, step by step or shot by shot, is one
/// line: how it ended. What only repeats the order keeps its reasons.
fn events<'a>(reader: &Reader, told: &'a Entry) -> Vec<Told<'a>> {
    let mut events: Vec<Told<'a>> = Vec::new();
    let mut because = Vec::new();
    for line in &told.said {
        let event = match line {
            Line::Because(reason) => {
                because.push(reason);
                continue;
            }
            Line::Happened(event) => event,
        };
        let text = sentence(&rulebook::speak(event.phrase, &event.facts, reader.lang));
        let mut reasons = std::mem::take(&mut because);
        match events.last_mut().filter(|last| last.phrase == Some(event.phrase)) {
            Some(last) => {
                last.before.push(std::mem::replace(&mut last.text, text));
                last.reasons.append(&mut reasons);
            }
            None if told.order.as_deref() != Some(text.as_str()) => {
                events.push(Told { phrase: Some(event.phrase), text, before: Vec::new(), reasons });
            }
            None if reasons.is_empty() => {}
            None => {
                let text = reader.say(common::REASONS);
                events.push(Told { phrase: None, text, before: Vec::new(), reasons });
            }
        }
    }
    if let Some(last) = events.last_mut() {
        last.reasons.append(&mut because);
    }
    if events.is_empty() && !because.is_empty() {
        let nothing = if told.dice.is_empty() { common::REASONS } else { words::NO_EFFECT };
        let text = sentence(&reader.say(nothing));
        events.push(Told { phrase: None, text, before: Vec::new(), reasons: because });
    }
    events
}

/// An entry: when, what was ordered, the dice, then each event, which opens into its reasons.
fn entry(reader: &Reader, seen: &Seen<'_>, told: &Entry, chosen: &Chosen) -> Markup {
    let events = events(reader, told);
    html! {
        @if told.order.is_some() || !events.is_empty() {
            li class=[told.by.and_then(|place| seen.side_key(place))] data-n=(told.n) data-takes-back[told.takes_back]
                data-map=[told.at.map(|(sheet, _)| sheet)] data-at=[told.at.map(|(_, (x, y))| format!("{x:.1} {y:.1}"))] {
                @if let Some(moment) = &told.moment { h3.moment { (moment) } }
                @if let Some(order) = &told.order {
                    span.order { (order) @if !told.dice.is_empty() { " " (dice(&told.dice)) } }
                }
                @for Told { text, before, reasons, .. } in &events {
                    @if reasons.is_empty() && before.is_empty() { span.event { (text) } } @else {
                        details { summary { (text) @if !before.is_empty() { " " span.quiet { "× " (before.len() + 1) } } }
                            @if !before.is_empty() { ol.before { @for text in before { li { (text) } } } }
                            @if !reasons.is_empty() { ul.reasons { @for reason in reasons { li {
                                span.effect { (rulebook::effect(&reason.effect, reader.lang)) }
                                span.reason { (rule_link_under(reason.rule.as_str(), chosen)) }
                            } } } }
                        }
                    }
                }
            }
        }
    }
}

/// Dice as they fell.
fn dice(faces: &[u8]) -> Markup {
    let pips = |face: u8| match face {
        1..=6 => char::from_u32(0x267F + u32::from(face)).map(String::from),
        _ => None,
    };
    html! { span.dice { @for face in faces { span.die title=(face) { (pips(*face).unwrap_or_else(|| face.to_string())) } } } }
}
