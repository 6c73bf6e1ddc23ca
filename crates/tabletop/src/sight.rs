//! Sight: sections 2.3, 3.2, 4.2, 5.3, 8.2 and 9.2 of the terrain chapter and 1.3 of the fire
//! chapter, as tests 1 to 14 of the geometry page. A scene, an instant and two bodies enter; a
//! clear line leaves, or what blocks it and where.

mod block;
mod limits;
mod masking;
pub mod question;
mod relief;
mod shade;

pub use block::{Block, By};
pub use relief::{Outlook, Role};

use kernel::RuleId;
use rulebook::options::tabletop::{CrestViewOverHill, DeadGroundMeasure, Options};
use rulebook::rule;

pub(crate) use self::limits::LIMITS;
use self::shade::{Fan, Group, Shade};
use crate::geometry::{Base, Extent, Point, Polygon, Segment, turned};
use crate::scene::{Battery, Body, Figure, Instant, Kind, Presence, Scene};

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
    /// The box around the observer and his eyes.
    start: Extent,
    elements: Vec<usize>,
    maskers: Vec<usize>,
    friends: Vec<usize>,
    /// Of the elements and the maskers, those that can have a say on a line from above.
    above: [Vec<usize>; 2],
    /// What stops every low line through it, for an observer all of whose lines are low.
    shades: Vec<Shade<'a>>,
}

/// The eyes of a body (geometry page, section 4): the first rank, every figure in open order, the
/// posted figures of a garrison; a hidden observer looks from the crest.
#[must_use]
pub fn eyes<'a>(outlook: &Outlook<'_>, body: usize, presence: &'a Presence) -> Vec<Eye<'a>> {
    if let Some(at) = outlook.lookout(body) {
        return vec![Eye { at, figure: None }];
    }
    let gunners = outlook.scene.bodies()[body].battery().map_or(0, Battery::crew_left);
    presence
        .front()
        .flat_map(|figure| lanes(figure, gunners).into_iter().map(move |at| Eye { at, figure: Some(figure) }))
        .collect()
}

/// The middles of the lanes of a battery's gunners along its front edge, 2.5 cm each; the middle
/// of the front edge for any other figure.
fn lanes(figure: &Figure, gunners: i64) -> Vec<Point> {
    let base = &figure.base;
    if gunners <= 1 {
        return vec![base.front];
    }
    (0..gunners).map(|lane| turned(base.front, base.facing, 250 * lane - 125 * (gunners - 1), 0)).collect()
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
        let mut view = Self::plainly(outlook, (observer, from), (target, to));
        view.above = view.with_a_say_above();
        if outlook.roles(observer).is_empty() {
            view.shades = view.shades();
        }
        view
    }

    /// The same with nothing set aside: every line is walked against everything between the two. It
    /// is what the quicker view is held against.
    #[doc(hidden)]
    #[must_use]
    pub fn plainly(
        outlook: &'a Outlook<'a>,
        (observer, from): (usize, &'a Presence),
        (target, to): (usize, &'a Presence),
    ) -> Self {
        let scene = outlook.scene;
        let start = eyes(outlook, observer, from).iter().fold(from.extent, |extent, eye| extent.with(eye.at));
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
            } else if scene.bodies()[body].side() == side
                && scene.bodies()[body].at(outlook.instant).house.is_none()
            {
                friends.push(body);
            }
        }
        let above = [elements.clone(), maskers.clone()];
        Self {
            outlook,
            observer,
            target,
            from,
            to,
            start,
            elements,
            maskers,
            friends,
            above,
            shades: Vec::new(),
        }
    }

    /// From above, only what stands on the observer's or the target's ground or 15 cm before the
    /// target can stop a line, and only the bodies 10 cm before it.
    fn with_a_say_above(&self) -> [Vec<usize>; 2] {
        let scene = self.outlook.scene;
        let dead_ground = self.to.extent.grown(LIMITS.dead_ground);
        let far_reliefs = self.outlook.options.crest_view_over_hill == CrestViewOverHill::BlocksAll;
        let elements = self.elements.iter().copied().filter(|&place| {
            let element = &scene.elements()[place];
            self.is_underfoot(place)
                || element.extent.meets(&dead_ground)
                || (far_reliefs && matches!(element.kind, Kind::Hill(_) | Kind::Plateau(_)))
        });
        let masked = self.to.extent.grown(LIMITS.high_mask);
        let maskers = self
            .maskers
            .iter()
            .copied()
            .filter(|&body| scene.bodies()[body].at(self.outlook.instant).extent.meets(&masked));
        [elements.collect(), maskers.collect()]
    }

    /// Whether an element may hold the observer or the target, or gives one of them a role.
    fn is_underfoot(&self, place: usize) -> bool {
        let element = &self.outlook.scene.elements()[place];
        element.extent.meets(&self.start)
            || element.extent.meets(&self.to.extent)
            || self.from.house == Some(place)
            || self.to.house == Some(place)
            || self.outlook.role(self.observer, place).is_some()
            || self.outlook.role(self.target, place).is_some()
    }

    /// What stops every low line that runs through it: bodies of class line or mass, and the woods,
    /// houses and reliefs on which neither of the two stands.
    fn shades(&self) -> Vec<Shade<'a>> {
        let scene = self.outlook.scene;
        let bodies = self
            .maskers
            .iter()
            .flat_map(|&body| scene.bodies()[body].at(self.outlook.instant).pieces.iter().map(Vec::as_slice));
        let elements =
            self.elements.iter().filter(|&&place| !self.is_underfoot(place)).filter_map(|&place| {
                let area = match &scene.elements()[place].kind {
                    Kind::Wood(area, _) => area,
                    Kind::House(house) => &house.area,
                    Kind::Hill(hill) => &hill.outline,
                    Kind::Plateau(plateau) => &plateau.outline,
                    _ => return None,
                };
                area.holes().is_empty().then(|| area.outline())
            });
        bodies.chain(elements).map(|corners| Shade::new(corners, Extent::of(corners))).collect()
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
    pub fn clear_to(
        &mut self,
        eye: Eye<'_>,
        figure: &Figure,
        further: impl Fn(&Self, Segment) -> bool,
    ) -> bool {
        let mut high = None;
        let mut last = None;
        let fans = self.fans(eye.at, &Group::new(&figure.base.corners, figure.base.extent));
        if fans.iter().any(|fan| fan.hides(eye.at, &figure.base.corners)) {
            return false;
        }
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
        self.clear_line().ok_or_else(|| self.why_not())
    }

    /// The first clear line from an eye of the observer to a point of the target, for those who do
    /// not ask why there is none.
    pub fn clear_line(&mut self) -> Option<Seen> {
        let to = self.to;
        let eyes = eyes(self.outlook, self.observer, self.from);
        if !self.shades.is_empty() {
            let (corners, extent) = shade::around(eyes.iter().map(|eye| eye.at).collect());
            let (from, whole) = (Group::new(&corners, extent), Group::new(to.footprint.outline(), to.extent));
            if self.shades.iter().any(|shade| shade.hides(&from, &whole)) {
                return None;
            }
        }
        eyes.into_iter().find_map(|eye| self.eye_sees(eye, &to.figures))
    }

    /// The things between an eye and some of the target's ground, as the eye sees them.
    fn fans(&self, eye: Point, to: &Group<'_>) -> Vec<Fan> {
        self.shades.iter().filter_map(|shade| shade.fan(eye, to)).collect()
    }

    /// Whether an eye has a clear line to any of some figures of the target. For an eye placed
    /// high, one single body must hide the whole target (TE-2.3-07).
    pub fn eye_sees(&mut self, eye: Eye<'_>, figures: &[Figure]) -> Option<Seen> {
        let mut open: Option<Seen> = None;
        // The bodies that stop every line so far, for a high eye.
        let mut hidden_by: Option<Vec<usize>> = None;
        let whole = self.to.footprint.outline();
        let mut fans = self.fans(eye.at, &Group::new(whole, self.to.extent));
        if fans.iter().any(|fan| fan.hides(eye.at, whole)) {
            return None;
        }
        for figure in figures {
            // What hid one figure often hides the next: it is asked first.
            if let Some(k) = fans.iter().position(|fan| fan.hides(eye.at, &figure.base.corners)) {
                fans.swap(0, k);
                continue;
            }
            let mut last = None;
            for &point in &figure.base.points {
                if last == Some(point) {
                    continue;
                }
                last = Some(point);
                let line = Segment::new(eye.at, point);
                if fans.iter().any(|fan| fan.stops(eye.at, point)) {
                    continue;
                }
                if !self.is_high(line) {
                    // Bases are quicker to try than ground, and on a crowded table block more often.
                    if self.masked_low(line).is_none()
                        && self.blocked_by_terrain(eye, &figure.base, line).is_none()
                    {
                        return Some(Seen { from: eye.at, to: point });
                    }
                    continue;
                }
                if self.blocked_by_terrain(eye, &figure.base, line).is_some() {
                    continue;
                }
                if self.masked_on_top(eye, &figure.base, line).is_some() {
                    continue;
                }
                open.get_or_insert(Seen { from: eye.at, to: point });
                let stops: Vec<usize> = self.above[1]
                    .iter()
                    .copied()
                    .filter(|&body| self.masks_high(body, &figure.base, line).is_some())
                    .collect();
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

    /// A line with all that the tests ask about its ends.
    fn line<'l>(&self, eye: Eye<'l>, target: &'l Base, line: Segment) -> block::Line<'l>
    where
        'a: 'l,
    {
        block::Line {
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
        }
    }

    /// What of the terrain blocks a line (tests 1 to 13).
    fn blocked_by_terrain(&mut self, eye: Eye<'_>, target: &Base, line: Segment) -> Option<Block> {
        let sight = self.line(eye, target, line);
        let extent = line.extent();
        let asked = if sight.high { &self.above[0] } else { &self.elements };
        let found = asked.iter().enumerate().find_map(|(k, &place)| {
            let must = block::must_look(self.outlook.scene, place, &extent, &sight);
            let block = if must { sight.blocked(place, &self.elements) } else { None };
            block.map(|block| (k, block))
        });
        let (k, block) = found?;
        // What blocked once will block again: it is asked first for the next line.
        let asked = if sight.high { &mut self.above[0] } else { &mut self.elements };
        asked.swap(0, k);
        Some(block)
    }

    /// The body that masks a low line: any of class line or mass whose base the line meets.
    fn masked_low(&mut self, line: Segment) -> Option<Block> {
        for k in 0..self.maskers.len() {
            let body = self.maskers[k];
            if let Some(at) = self.meets(body, line)
                && rule!(FE_1_3_05).holds(true)
            {
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
    /// target, met no more than 10 cm before it (TE-R15).
    fn masks_high(&self, body: usize, mark: &Base, line: Segment) -> Option<Block> {
        let (observer, masker, target) = (self.body(self.observer), self.body(body), self.body(self.target));
        let never = masking::never(self.outlook.instant, masker, target);
        if masker.side() == observer.side() || never.is_some_and(|rule| rule.holds(true)) {
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
                    .map_or_else(
                        || near.gap_to(line.to).rounded(),
                        |ratio| ratio.stretch(crate::geometry::Ratio::END, line.square()),
                    );
                (near, last)
            })
            .min_by_key(|&(_, after)| after)?;
        let behind = match self.outlook.options.dead_ground_measure {
            DeadGroundMeasure::ToTheBase => presence
                .figures
                .iter()
                .map(|figure| figure.base.gap_to(mark).rounded())
                .min()
                .unwrap_or(after),
            DeadGroundMeasure::AlongTheSight => after,
        };
        rule!(TE_2_3_05).holds(behind <= LIMITS.high_mask).then(|| Block::masked_high(masker, body, at))
    }

    /// The rules by which enemies that a line from above meets on its way do not mask the target.
    pub(crate) fn never_masked(&self, line: Segment) -> Vec<RuleId> {
        let (scene, instant) = (self.outlook.scene, self.outlook.instant);
        let side = self.body(self.observer).side();
        let met = |place: usize| {
            let body = self.body(place);
            let there = body.at(instant);
            place != self.target
                && body.side() != side
                && there.house.is_none()
                && there.class.is_some()
                && there.figures.iter().any(|figure| figure.base.is_met_by(line))
        };
        (0..scene.bodies().len())
            .filter(|&place| self.is_high(line) && met(place))
            .filter_map(|place| masking::never(instant, self.body(place), self.body(self.target)))
            .collect()
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
        let sight = self.line(eye, &figure.base, line);
        let extent = line.extent();
        let asked = if sight.high { &self.above[0] } else { &self.elements };
        for &place in asked {
            if block::must_look(self.outlook.scene, place, &extent, &sight) {
                blocks.extend(sight.blocked(place, &self.elements));
            }
        }
        for body in self.maskers.clone() {
            if self.is_high(line) {
                blocks.extend(self.masks_high(body, &figure.base, line));
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

/// Whether a body has discovered an element that a wood hides: it stands in that wood, and no
/// farther away than one sees there. Everything else on the table is known to all.
///
/// # Errors
/// The wood that hides it (TE-4.3-10).
pub fn discovers(outlook: &Outlook<'_>, observer: usize, element: usize) -> Result<Seen, Block> {
    let scene = outlook.scene;
    let element = &scene.elements()[element];
    let from = scene.bodies()[observer].at(outlook.instant);
    let nearest = |eye: Point| {
        let edges = element.area().into_iter().flat_map(Polygon::edges);
        let place = edges.map(|edge| edge.nearest_to(eye)).min_by_key(|place| place.square_to(eye));
        Seen { from: eye, to: place.unwrap_or(element.extent.low) }
    };
    // Base to element, as two bodies in a wood are measured base to base (TE-R36).
    let near = |eye: &&Eye<'_>| match (element.area(), eye.figure) {
        (Some(area), Some(figure)) => figure.base.gap_to_outline(area).rounded() <= LIMITS.in_wood,
        _ => {
            let seen = nearest(eye.at);
            Segment::new(seen.from, seen.to).length() <= LIMITS.in_wood
        }
    };
    let looks = eyes(outlook, observer, from);
    let shortest = |looks: &mut dyn Iterator<Item = Seen>| {
        looks.min_by_key(|seen| (seen.from.square_to(seen.to), seen.from))
    };
    let nobody = Seen { from: from.centre, to: from.centre };
    let plain = shortest(&mut looks.iter().map(|eye| nearest(eye.at))).unwrap_or(nobody);
    let hides = |id: &String| scene.elements().iter().position(|wood| &wood.id == id);
    let Some(wood) = element.hidden_in.as_ref().and_then(hides) else { return Ok(plain) };
    let within = |eye: &&Eye<'_>| match (&scene.elements()[wood].kind, eye.figure) {
        (Kind::Wood(area, _), Some(figure)) => area.holds(figure.base.centre),
        _ => false,
    };
    shortest(&mut looks.iter().filter(within).filter(near).map(|eye| nearest(eye.at)))
        .ok_or_else(|| Block::hidden_in_wood(wood, plain))
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
