//! What ground makes of those who stand on it (terrain geometry page, section 9). A table with its
//! bodies as written enters; the states the ground imposes leave, or who cannot stand where he does.

use kernel::{Phrase, Refusal};
use rulebook::options::tabletop::Options;
use rulebook::phrase::{tabletop_scene as say, tabletop_terrain as terrain};

use super::Faults;
use crate::scene::Scene;
use crate::scene::body::{Body, Imposed, class_of};
use crate::terrain::on_table;

/// Gives every body the state its ground imposes, at each place where it stood.
pub(super) fn settle(scene: &mut Scene, options: &Options, faults: &mut Faults) {
    let table: &Scene = scene;
    let judged: Vec<Vec<Option<Imposed>>> = table
        .bodies
        .iter()
        .enumerate()
        .map(|(number, body)| {
            let judge = |(place, presence)| {
                on_table::standing(table, body, presence, options).unwrap_or_else(|refusal| {
                    let path = format!("bodies.{number}.{}", field(body, place));
                    faults.push(named(&refusal, body).at(path));
                    None
                })
            };
            body.presences.iter().enumerate().map(judge).collect()
        })
        .collect();
    for (body, imposed) in scene.bodies.iter_mut().zip(judged) {
        for (presence, imposed) in body.presences.iter_mut().zip(&imposed) {
            let state = imposed.map_or(body.setup.state, |imposed| body.setup.state.max(imposed.state));
            presence.class = class_of(&body.setup, body.arm, state, presence);
        }
        body.imposed = imposed.get(body.at[2]).copied().flatten();
        body.state = body.imposed.map_or(body.setup.state, |imposed| body.setup.state.max(imposed.state));
    }
}

/// Where a place of a body is written.
fn field(body: &Body, place: usize) -> &'static str {
    match body.at {
        [_, _, now] if now == place => "place",
        [_, middle, _] if middle == place => "record.middle",
        _ => "record.start",
    }
}

/// What the ground refuses, with the name of the body.
fn named(refusal: &Refusal, body: &Body) -> Refusal {
    let with = |phrase: Phrase| Refusal { reason: phrase, ..refusal.clone() };
    let told = match refusal.reason {
        reason if reason == terrain::NO_UNLIMBERING => with(say::NO_BATTERY_THERE),
        reason if reason == terrain::TOO_WIDE_FOR_TRACK => {
            with(say::TOO_WIDE_THERE).with("ground", terrain::GROUND_FOREST_TRACK)
        }
        reason if reason == terrain::TOO_WIDE_FOR_BRIDGE => {
            with(say::TOO_WIDE_THERE).with("ground", terrain::GROUND_BRIDGE)
        }
        _ => with(say::CLOSED_GROUND),
    };
    told.with("name", body.id().to_owned())
}
