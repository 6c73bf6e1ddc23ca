//! Sight: sections 2.3, 3.2, 4.2, 5.3, 8.2 and 9.2 of the terrain chapter and 1.3 of the fire
//! chapter, as tests 1 to 14 of the geometry page. A scene, an instant and two bodies enter; a
//! clear line leaves, or what blocks it and where.

mod block;
mod masking;
mod relief;

pub use block::{Block, By};
pub use relief::{Outlook, Role};

use rulebook::options::tabletop::Options;

use crate::geometry::{Base, Point, Segment};
use crate::scene::{Body, Figure, Instant, Kind, Presence, Scene};

/// Where an eye of a body is.
#[derive(Clone, Copy, Debug)]
pub struct Eye<'a> {
    /// The point.
    pub at: Point,
    /// The figure whose eye it is; a hidden observer has none.
    pub figure: Option<&'a Figure>,
}

/// A clear line of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// From here.
    pub from: Point,
    /// To there.
    pub to: Point,
}

/// One body looking at another at some instant, with what may stand between them.
pub struct View<'a> {
    outlook: &'a Outlook<'a>,
    /// Who looks.
    pub observer: usize,
    /// At whom.
    pub target: usize,
    /// How the observer stands.
    pub from: &'a Presence,
    /// How the target stands.
    pub to: &'a Presence,
    elements: Vec<usize>,
    maskers: Vec<usize>,
    friends: Vec<usize>,
}

/// The eyes of a body (geometry page, section 4): the first rank, every figure in open order, the
/// posted figures of a garrison; a hidden observer looks from the crest.
#[must_use]
pub fn eyes<'a>(outlook: &Outlook<'_>, body: usize, presence: &'a Presence) -> Vec<Eye<'a>> {
    if let Some(at) = outlook.lookout(body) {
        return vec![Eye { at, figure: None }];
    }
    presence.front().map(|figure| Eye { at: figure.base.front, figure: Some(figure) }).collect()
}

impl<'a> View<'a> {
    /// A body looking at another.
    #[must_use]
    pub fn new(outlook: &'a Outlook<'a>, observer: usize, target: usize) -> Self {
        let scene = outlook.scene;
        let from = scene.bodies()[observer].at(outlook.instant);
        let to = scene.bodies()[target].at(outlook.instant);
        Self::between(outlook, (observer, from), (target, to))
    }

    /// The same for bodies thought to stand elsewhere: a charger on its way.
    #[must_use]
    pub fn between(
        outlook: &'a Outlook<'a>,
        (observer, from): (usize, &'a Presence),
        (target, to): (usize, &'a Presence),
    ) -> Self {
        let scene = outlook.scene;
        let mut start = from.extent;
        if let Some(at) = outlook.lookout(observer) {
            start = start.with(at);
        }
        let side = scene.bodies()[observer].side();
        let (mut elements, mut maskers, mut friends) = (Vec::new(), Vec::new(), Vec::new());
        for number in scene.grid().between(&start, &to.extent) {
            let number = usize::try_from(number).unwrap_or(0);
            if let Some(element) = scene.elements().get(number) {
                if matters(&element.kind) {
                    elements.push(number);
                }
                continue;
            }
            let body = number - scene.elements().len();
            if body == observer || body == target {
                continue;
            }
            if masking::can_mask(outlook, body) {
                maskers.push(body);
            } else if scene.bodies()[body].side() == side && scene.bodies()[body].at(outlook.instant).house.is_none() {
                friends.push(body);
            }
        }
        Self { outlook, observer, target, from, to, elements, maskers, friends }
    }

    /// How bodies stand at the instant.
    #[must_use]
    pub const fn outlook(&self) -> &'a Outlook<'a> {
        self.outlook
    }

    /// The elements that may have a say.
    #[must_use]
    pub fn elements(&self) -> &[usize] {
        &self.elements
    }

    /// The bodies of class line or mass that may stand between.
    #[must_use]
    pub fn maskers(&self) -> &[usize] {
        &self.maskers
    }

    /// The skirmishers and officers of the observer's side that may stand between.
    #[must_use]
    pub fn friends(&self) -> &[usize] {
        &self.friends
    }

    /// Whether an eye has a clear line to a figure of the target that also passes a further test.
    pub fn clear_to(&mut self, eye: Eye<'_>, figure: &Figure, further: impl Fn(&Self, Segment) -> bool) -> bool {
        let mut high = None;
        let mut last = None;
        for &point in &figure.base.points {
            if last == Some(point) {
                continue;
            }
            last = Some(point);
            let line = Segment::new(eye.at, point);
            if self.blocked_by_terrain(eye, &figure.base, line).is_some() {
                continue;
            }
            if self.is_high(line) {
                if self.masked_on_top(eye, &figure.base, line).is_some() {
                    continue;
                }
                let to = self.to;
                if !*high.get_or_insert_with(|| self.eye_sees(eye, &to.figures).is_some()) {
                    continue;
                }
            } else if self.masked_low(line).is_some() {
                continue;
            }
            if further(self, line) {
                return true;
            }
        }
        false
    }

    fn body(&self, place: usize) -> &'a Body {
        &self.outlook.scene.bodies()[place]
    }

    /// Whether any eye of the observer has a clear line to any point of the target.
    ///
    /// # Errors
    /// What blocks the shortest line between them, and where.
    pub fn sees(&mut self) -> Result<Seen, Block> {
        let (outlook, observer, to) = (self.outlook, self.observer, self.to);
        for eye in eyes(outlook, observer, self.from) {
            if let Some(seen) = self.eye_sees(eye, &to.figures) {
                return Ok(seen);
            }
        }
        Err(self.why_not())
    }

    /// Whether an eye has a clear line to any of some figures of the target. For an eye placed
    /// high, one single body must hide the whole target (TE-2.3-07).
    pub fn eye_sees(&mut self, eye: Eye<'_>, figures: &[Figure]) -> Option<Seen> {
        let mut open: Option<Seen> = None;
        // The bodies that stop every line so far, for a high eye.
        let mut hidden_by: Option<Vec<usize>> = None;
        for figure in figures {
            let mut last = None;
            for &point in &figure.base.points {
                if last == Some(point) {
                    continue;
                }
                last = Some(point);
                let line = Segment::new(eye.at, point);
                if self.blocked_by_terrain(eye, &figure.base, line).is_some() {
                    continue;
                }
                if !self.is_high(line) {
                    if self.masked_low(line).is_none() {
                        return Some(Seen { from: eye.at, to: point });
                    }
                    continue;
                }
                if self.masked_on_top(eye, &figure.base, line).is_some() {
                    continue;
                }
                open.get_or_insert(Seen { from: eye.at, to: point });
                let stops: Vec<usize> =
                    self.maskers.iter().copied().filter(|&body| self.masks_high(body, line).is_some()).collect();
                match &mut hidden_by {
                    None => hidden_by = Some(stops),
                    Some(still) => still.retain(|body| stops.contains(body)),
                }
                if hidden_by.as_ref().is_some_and(Vec::is_empty) {
                    return open;
                }
            }
        }
        None
    }

    /// Whether a line starts from above: the eye is on a crest or contour, observes hidden behind
    /// one, stands on a flat top, or on a slope that it faces down and the line does not recross.
    fn is_high(&self, line: Segment) -> bool {
        self.outlook.is_high(self.observer, line)
    }

    /// What of the terrain blocks a line (tests 1 to 13).
    fn blocked_by_terrain(&mut self, eye: Eye<'_>, target: &Base, line: Segment) -> Option<Block> {
        let sight = block::Line {
            outlook: self.outlook,
            observer: self.observer,
            target: self.target,
            eye: eye.figure.map(|figure| &figure.base),
            mark: target,
            house: self.from.house,
            face: eye.figure.map_or(0, |figure| figure.face),
            target_house: self.to.house,
            line,
            high: self.is_high(line),
        };
        let extent = line.extent();
        for k in 0..self.elements.len() {
            let place = self.elements[k];
            if !block::must_look(self.outlook.scene, place, &extent, &sight) {
                continue;
            }
            if let Some(block) = sight.blocked(place, &self.elements) {
                // What blocked once will block again: it is asked first for the next line.
                self.elements.swap(0, k);
                return Some(block);
            }
        }
        None
    }

    /// The body that masks a low line: any of class line or mass whose base the line meets.
    fn masked_low(&mut self, line: Segment) -> Option<Block> {
        for k in 0..self.maskers.len() {
            let body = self.maskers[k];
            if let Some(at) = self.meets(body, line) {
                self.maskers.swap(0, k);
                return Some(Block::masked_low(self.body(body), body, at));
            }
        }
        None
    }

    fn meets(&self, body: usize, line: Segment) -> Option<Point> {
        let presence = self.body(body).at(self.outlook.instant);
        if !presence.extent.meets(&line.extent()) {
            return None;
        }
        let met = presence.figures.iter().find(|figure| figure.base.is_met_by(line))?;
        Some(met.base.nearest_to(line.from))
    }

    /// On a flat top, units on the same top mask as in the plain.
    fn masked_on_top(&self, eye: Eye<'_>, target: &Base, line: Segment) -> Option<Block> {
        let top = self.outlook.shared_top(eye.figure.map(|figure| figure.base.centre), target.centre)?;
        self.maskers.iter().find_map(|&body| {
            let stands_there = self.outlook.is_on_top(body, top);
            let at = if stands_there { self.meets(body, line) } else { None }?;
            Some(Block::masked_low(self.body(body), body, at))
        })
    }

    /// Whether a body stops a line from above: an enemy of the observer, of a kind that can mask the
    /// target, met no more than 10 cm before it.
    fn masks_high(&self, body: usize, line: Segment) -> Option<Block> {
        let (observer, masker, target) = (self.body(self.observer), self.body(body), self.body(self.target));
        if masker.side() == observer.side() || masking::never(self.outlook.instant, masker, target) {
            return None;
        }
        let presence = masker.at(self.outlook.instant);
        let (at, after) = presence
            .figures
            .iter()
            .filter(|figure| figure.base.is_met_by(line))
            .map(|figure| {
                let near = figure.base.nearest_to(line.to);
                let last = figure
                    .base
                    .edges()
                    .filter_map(|edge| line.meeting(edge.from, edge.to))
                    .max()
                    .map_or_else(|| near.gap_to(line.to).rounded(), |ratio| ratio.stretch(crate::geometry::Ratio::END, line.square()));
                (near, last)
            })
            .min_by_key(|&(_, after)| after)?;
        (after <= masking::HIGH_MASK).then(|| Block::masked_high(masker, body, at))
    }

    /// The reason for the shortest line between the two: the first thing that stops it.
    fn why_not(&mut self) -> Block {
        let to = self.to;
        let shortest = eyes(self.outlook, self.observer, self.from)
            .into_iter()
            .flat_map(|eye| to.figures.iter().map(move |figure| (eye, figure)))
            .min_by_key(|(eye, figure)| (eye.at.square_to(figure.base.centre), eye.at, figure.base.centre));
        let Some((eye, figure)) = shortest else {
            return Block::nobody(self.from.centre);
        };
        let line = Segment::new(eye.at, figure.base.centre);
        let mut blocks: Vec<Block> = Vec::new();
        self.elements.sort_unstable();
        self.maskers.sort_unstable();
        for place in self.elements.clone() {
            let only = [place];
            let all = std::mem::replace(&mut self.elements, only.to_vec());
            blocks.extend(self.blocked_by_terrain(eye, &figure.base, line));
            self.elements = all;
        }
        for body in self.maskers.clone() {
            if self.is_high(line) {
                blocks.extend(self.masks_high(body, line));
            } else {
                blocks.extend(self.meets(body, line).map(|at| Block::masked_low(self.body(body), body, at)));
            }
        }
        blocks.extend(self.masked_on_top(eye, &figure.base, line));
        let scene = self.outlook.scene;
        blocks
            .into_iter()
            .min_by_key(|block| (block.at.square_to(eye.at), block.rule, block.name(scene).to_owned()))
            .unwrap_or_else(|| Block::nobody(self.to.centre))
            .along(line)
    }
}

/// Whether an element of this kind can have a say in sight.
const fn matters(kind: &Kind) -> bool {
    matches!(kind, Kind::Hill(_) | Kind::Plateau(_) | Kind::Wood(..) | Kind::House(_) | Kind::Field(..))
}

/// Whether one body sees another at an instant.
///
/// # Errors
/// What blocks the shortest line between them.
pub fn sees(
    scene: &Scene,
    options: &Options,
    instant: Instant,
    observer: usize,
    target: usize,
) -> Result<Seen, Block> {
    let outlook = Outlook::new(scene, options, instant);
    View::new(&outlook, observer, target).sees()
}
