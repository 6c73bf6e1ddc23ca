//! What stops a line: tests 1 to 13 of the geometry page, one function for each kind of element.

use kernel::{Refusal, RuleId};
use rulebook::options::tabletop::{CrestViewOverHill, DeadGroundMeasure, FlatVineyard};
use rulebook::phrase::tabletop_shoot as say;
use rulebook::rule;

use super::limits::LIMITS;
use super::relief::{Outlook, Role};
use crate::Arm;
use crate::geometry::{Base, Extent, Point, Polygon, Ratio, Segment, crosses_line};
use crate::scene::{Body, FieldKind, Hill, House, Kind, Plateau, Scene};
use crate::terrain::woods::is_at_edge;

/// What blocks: an element or a body, by its place in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A terrain element.
    Element(usize),
    /// A body.
    Body(usize),
    /// Nobody is there to see or be seen.
    Nobody,
}

/// A blocked line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The rule that blocks it.
    pub rule: RuleId,
    /// What blocks it.
    pub by: By,
    /// Where.
    pub at: Point,
    /// The line that is blocked.
    pub line: Option<Segment>,
}

impl Block {
    const fn new(rule: RuleId, by: By, at: Point) -> Self {
        Self { rule, by, at, line: None }
    }

    pub(super) const fn nobody(at: Point) -> Self {
        Self::new(rule!(TE_5_3_01), By::Nobody, at)
    }

    /// It is seen, but not by or through the part that is asked about.
    #[must_use]
    pub const fn elsewhere(seen: super::Seen) -> Self {
        Self::new(rule!(TE_5_3_01), By::Nobody, seen.to)
    }

    pub(super) const fn hidden_in_wood(wood: usize, seen: super::Seen) -> Self {
        Self::new(rule!(TE_4_3_10), By::Element(wood), seen.to).along(Segment::new(seen.from, seen.to))
    }

    pub(super) const fn along(self, line: Segment) -> Self {
        Self { line: Some(line), ..self }
    }

    pub(super) const fn masked_low(_: &Body, body: usize, at: Point) -> Self {
        Self::new(rule!(FE_1_3_05), By::Body(body), at)
    }

    pub(super) const fn masked_high(_: &Body, body: usize, at: Point) -> Self {
        Self::new(rule!(TE_2_3_05), By::Body(body), at)
    }

    /// The name of what blocks.
    #[must_use]
    pub fn name(self, scene: &Scene) -> &str {
        match self.by {
            By::Element(place) => scene.elements()[place].name(),
            By::Body(place) => scene.bodies()[place].name(),
            By::Nobody => "",
        }
    }

    /// The refusal it makes of a fire at a body: why it is not seen, and what hides it.
    #[must_use]
    pub fn refusal(self, scene: &Scene, target: &Body) -> Refusal {
        let (target, by) = (target.name().to_owned(), self.name(scene).to_owned());
        let because = |phrase| Refusal::rule(self.rule, phrase);
        let hidden = |phrase| because(phrase).with("target", target.clone()).with("by", by.clone());
        if self.by == By::Nobody {
            return because(say::NOT_SEEN_FROM_THERE).with("target", target);
        }
        match self.rule {
            rule if rule == rule!(TE_5_3_04) || rule == rule!(TE_4_2_05) => {
                because(say::NOT_REVEALED).with("target", target)
            }
            rule if rule == rule!(TE_4_2_02) || rule == rule!(TE_9_2_06) => {
                because(say::TOO_DEEP_TO_SEE_OUT).with("by", by)
            }
            rule if rule == rule!(TE_4_2_04) || rule == rule!(TE_4_4_02) => hidden(say::HIDDEN_IN),
            rule if rule == rule!(TE_9_2_05) => hidden(say::HIDDEN_IN_CROPS),
            rule if rule == rule!(TE_4_2_03) || rule == rule!(TE_9_2_08) => hidden(say::TOO_FAR_INSIDE),
            rule if rule == rule!(TE_2_3_12) => hidden(say::WATCHES_UNSEEN),
            rule if rule == rule!(TE_3_2_02) || rule == rule!(TE_3_2_03) => hidden(say::BELOW_CONTOUR),
            _ => because(say::NOT_SEEN).with("by", by),
        }
    }
}

/// Whether an element can have a say on a line: it reaches to it, or (plateaus) reaches out 15 cm.
pub(super) fn must_look(scene: &Scene, place: usize, extent: &Extent, line: &Line<'_>) -> bool {
    let element = &scene.elements()[place];
    element.extent.meets(extent) || line.house == Some(place) || line.target_house == Some(place)
}

/// One line of sight with all that the tests ask about its ends.
pub(super) struct Line<'a> {
    pub(super) outlook: &'a Outlook<'a>,
    pub(super) observer: usize,
    pub(super) target: usize,
    /// The base of the observing figure; none for a lookout.
    pub(super) eye: Option<&'a Base>,
    /// The base of the target figure.
    pub(super) mark: &'a Base,
    /// The house of the observer, and the side he looks from.
    pub(super) house: Option<usize>,
    pub(super) face: u8,
    /// The house of the target.
    pub(super) target_house: Option<usize>,
    pub(super) line: Segment,
    pub(super) high: bool,
}

impl Line<'_> {
    /// What of one element blocks the line. `near` are the elements that may lie on slopes.
    pub(super) fn blocked(&self, place: usize, near: &[usize]) -> Option<Block> {
        let found = match &self.outlook.scene.elements()[place].kind {
            Kind::House(house) => self.house(place, house),
            Kind::Wood(area, _) => self.wood(area),
            Kind::Field(kind, area) => self.field(*kind, area),
            Kind::Hill(hill) => self.hill(place, hill, near),
            Kind::Plateau(plateau) => self.plateau(place, plateau, near),
            _ => None,
        };
        let (rule, at) = found?;
        rule.holds(true).then(|| Block::new(rule, By::Element(place), at))
    }

    fn body(&self, place: usize) -> &Body {
        &self.outlook.scene.bodies()[place]
    }

    fn length(&self, from: Ratio, to: Ratio) -> i64 {
        from.stretch(to, self.line.square())
    }

    /// Tests 1 and 3: what stands in the way blocks from the plain, and from above hides 15 cm
    /// behind it.
    fn in_the_way(&self, area: &Polygon, plain: RuleId, above: RuleId) -> Option<(RuleId, Point)> {
        if !self.high {
            if !area.is_entered_by(self.line) {
                return None;
            }
            let at = area.parts(self.line).first().map_or(self.line.from, |part| self.line.at(part.0));
            return Some((plain, at));
        }
        let parts = area.parts(self.line);
        let last = parts.last()?;
        (self.behind(area, last.1) <= LIMITS.dead_ground).then(|| (above, self.line.at(last.1)))
    }

    /// How far behind an area that the line leaves there the target figure stands (TE-R15).
    fn behind(&self, area: &Polygon, leaves: Ratio) -> i64 {
        match self.outlook.options.dead_ground_measure {
            DeadGroundMeasure::ToTheBase => self.mark.gap_to_outline(area).rounded(),
            DeadGroundMeasure::AlongTheSight => self.length(leaves, Ratio::END),
        }
    }

    /// Tests 1 and 2.
    fn house(&self, place: usize, house: &House) -> Option<(RuleId, Point)> {
        if self.house == Some(place) {
            let side = &house.sides[usize::from(self.face.min(3))];
            let outside = side.left.turn(side.right, self.line.to) < 0;
            return (!outside || house.area.is_entered_by(self.line))
                .then_some((rule!(TE_5_3_01), self.line.from));
        }
        if self.target_house == Some(place) {
            if !self.body(self.target).setup.record.revealed {
                return Some((rule!(TE_5_3_04), self.line.to));
            }
            let part = house.area.parts(self.line).first().copied();
            return part.map(|part| (rule!(TE_5_3_02), self.line.at(part.0)));
        }
        self.in_the_way(&house.area, rule!(TE_5_3_02), rule!(TE_5_3_03))
    }

    /// Tests 3 to 7.
    fn wood(&self, area: &Polygon) -> Option<(RuleId, Point)> {
        let (e, p) = (self.line.from, self.line.to);
        let (eye_in, mark_in) = (area.holds_strictly(e), area.holds_strictly(p));
        let (eye_within, mark_within) = (area.outline_holds_strictly(e), area.outline_holds_strictly(p));
        if (eye_within && !eye_in && !mark_within) || (mark_within && !mark_in && !eye_within) {
            return Some((rule!(TE_4_3_10), if mark_within { p } else { e }));
        }
        let parts = area.parts(self.line);
        match (eye_in, mark_in) {
            (false, false) => {
                if let Some(block) = self.in_the_way(area, rule!(TE_4_2_01), rule!(TE_2_3_04)) {
                    return Some(block);
                }
            }
            (true, false) => {
                let [(from, to)] = parts.as_slice() else { return Some((rule!(TE_4_2_01), e)) };
                if *from != Ratio::START || !is_at_edge(self.length(*from, *to)) {
                    return Some((rule!(TE_4_2_02), self.line.at(*to)));
                }
            }
            (false, true) => {
                let [(from, to)] = parts.as_slice() else { return Some((rule!(TE_4_2_01), p)) };
                if *to != Ratio::END || !is_at_edge(self.length(*from, *to)) {
                    // Somebody at the edge who has shown nothing is hidden by that, not by its depth.
                    let unknown = self.concealed(area).filter(|_| self.is_at_edge_of(area));
                    return unknown.or(Some((rule!(TE_4_2_04), self.line.at(*from))));
                }
            }
            (true, true) => return self.inside_wood(area, &parts).or_else(|| self.concealed(area)),
        }
        self.concealed(area)
    }

    /// Test 6.
    fn inside_wood(&self, area: &Polygon, parts: &[(Ratio, Ratio)]) -> Option<(RuleId, Point)> {
        if self.stays_within(area, parts) {
            let apart = self.eye.map_or(self.line.length(), |eye| eye.gap_to(self.mark).rounded());
            return (apart > LIMITS.in_wood).then_some((rule!(TE_4_2_03), self.line.to));
        }
        let short = |part: &(Ratio, Ratio)| is_at_edge(self.length(part.0, part.1));
        match parts {
            [first, last]
                if first.0 == Ratio::START && last.1 == Ratio::END && short(first) && short(last) =>
            {
                None
            }
            _ => Some((rule!(TE_4_2_01), parts.first().map_or(self.line.to, |part| self.line.at(part.1)))),
        }
    }

    /// Whether the line stays within the outline of a wood, clearings included.
    fn stays_within(&self, area: &Polygon, parts: &[(Ratio, Ratio)]) -> bool {
        if let [(from, to)] = parts
            && *from == Ratio::START
            && *to == Ratio::END
        {
            return true;
        }
        if area.holes().is_empty() {
            return false;
        }
        let solid = Polygon::new(area.outline().to_vec());
        matches!(solid.parts(self.line).as_slice(), [(from, to)] if *from == Ratio::START && *to == Ratio::END)
    }

    /// Test 7: a figure in a wood is seen from outside only at the edge, and once it has shown itself.
    fn concealed(&self, area: &Polygon) -> Option<(RuleId, Point)> {
        if !area.holds(self.mark.centre) {
            return None;
        }
        let eye_in = self.eye.map_or_else(|| area.holds(self.line.from), |eye| area.holds(eye.centre));
        if eye_in && area.parts(self.line).len() == 1 {
            return None;
        }
        if !self.body(self.target).setup.record.revealed {
            return Some((rule!(TE_4_2_05), self.line.to));
        }
        (!self.is_at_edge_of(area)).then_some((rule!(TE_4_4_02), self.line.to))
    }

    /// Whether the target figure stands at the edge of a wood.
    fn is_at_edge_of(&self, area: &Polygon) -> bool {
        is_at_edge(area.gap_to_outline(self.mark.front).rounded())
    }

    /// Test 8.
    fn field(&self, kind: FieldKind, area: &Polygon) -> Option<(RuleId, Point)> {
        let tall = match kind {
            FieldKind::TallCrops => true,
            FieldKind::Vineyard => self.outlook.options.flat_vineyard == FlatVineyard::AsTallCrops,
            FieldKind::Ploughed => false,
        };
        if !tall {
            return None;
        }
        let eye_in = self.eye.is_some_and(|eye| area.holds(eye.centre));
        if self.body(self.target).arm == Arm::Infantry && area.holds(self.mark.centre) {
            if !eye_in {
                return Some((rule!(TE_9_2_05), self.line.to));
            }
            let gap = self.eye.map_or(i64::MAX, |eye| eye.gap_to(self.mark).rounded());
            return (gap >= LIMITS.in_crops).then_some((rule!(TE_9_2_08), self.line.to));
        }
        if eye_in && self.body(self.observer).arm == Arm::Infantry && !area.holds(self.mark.centre) {
            let inside: i64 = area.parts(self.line).iter().map(|part| self.length(part.0, part.1)).sum();
            return (inside >= LIMITS.crops_edge).then_some((rule!(TE_9_2_06), self.line.from));
        }
        None
    }

    /// Where the line crosses a crest, or its start.
    fn crossing(&self, crest: &[Point]) -> Point {
        crest
            .windows(2)
            .filter(|edge| self.line.crosses(edge[0], edge[1]))
            .filter_map(|edge| self.line.meeting(edge[0], edge[1]))
            .min()
            .map_or(self.line.from, |ratio| self.line.at(ratio))
    }

    /// Tests 9 to 12.
    fn hill(&self, place: usize, hill: &Hill, near: &[usize]) -> Option<(RuleId, Point)> {
        let mine = self.outlook.role(self.observer, place);
        let watches = matches!(mine, Some(Role::Crest | Role::Hidden(_)));
        let on_it = hill.outline.holds(self.line.from) || hill.outline.holds(self.line.to);
        let crosses = crosses_line(self.line, &hill.long_crest);
        if on_it {
            // A base astride the crest is seen from both sides, wherever its points lie (TE-R12).
            if crosses && !watches && !self.mark.gap_to_line(&hill.crest).touches() {
                return Some((rule!(TE_2_3_01), self.crossing(&hill.long_crest)));
            }
        } else if !self.high {
            if hill.outline.is_entered_by(self.line) {
                let at =
                    hill.outline.parts(self.line).first().map_or(self.line.from, |part| self.line.at(part.0));
                return Some((rule!(TE_2_3_01), at));
            }
        } else if crosses && let Some(block) = self.over_relief(&hill.outline) {
            return Some(block);
        }
        let hidden = matches!(self.outlook.role(self.target, place), Some(Role::Hidden(_)));
        if hidden && crosses && !watches {
            return Some((rule!(TE_2_3_12), self.crossing(&hill.long_crest)));
        }
        if mine.is_some() && self.high {
            return self.covered_slope(&hill.outline, near);
        }
        None
    }

    /// From above over another relief: its far foot hides 15 cm (TE-R14).
    fn over_relief(&self, outline: &Polygon) -> Option<(RuleId, Point)> {
        let parts = outline.parts(self.line);
        let last = parts.last()?;
        let blocks = match self.outlook.options.crest_view_over_hill {
            CrestViewOverHill::DeadGround15 => self.behind(outline, last.1) <= LIMITS.dead_ground,
            CrestViewOverHill::BlocksAll => true,
            CrestViewOverHill::SeesAll => false,
        };
        blocks.then(|| (rule!(TE_R14), self.line.at(last.0)))
    }

    /// Test 12: less than 15 cm from the foot, behind a covered slope.
    fn covered_slope(&self, outline: &Polygon, near: &[usize]) -> Option<(RuleId, Point)> {
        if outline.holds(self.line.to) || self.mark.gap_to_outline(outline).rounded() >= LIMITS.covered_slope
        {
            return None;
        }
        let on_slope = outline.parts(self.line);
        near.iter().find_map(|&place| {
            let area = match &self.outlook.scene.elements()[place].kind {
                Kind::Wood(area, _) | Kind::Field(FieldKind::TallCrops | FieldKind::Vineyard, area) => area,
                Kind::House(house) => &house.area,
                _ => return None,
            };
            let parts = area.parts(self.line);
            let shared = parts
                .iter()
                .find(|part| on_slope.iter().any(|slope| part.0.max(slope.0) < part.1.min(slope.1)))?;
            Some((rule!(TE_2_3_06), self.line.at(shared.0)))
        })
    }

    /// Test 13.
    fn plateau(&self, place: usize, plateau: &Plateau, near: &[usize]) -> Option<(RuleId, Point)> {
        let (mine, theirs) = (self.outlook.role(self.observer, place), self.outlook.role(self.target, place));
        let eye_on_top = self.eye.is_some_and(|eye| plateau.top.holds(eye.centre));
        let mark_on_top = plateau.top.holds(self.mark.centre);
        let entry = |area: &Polygon| area.parts(self.line).first().map(|part| self.line.at(part.0));
        if eye_on_top && mark_on_top {
            return None;
        }
        if let (Some(Role::Hidden(_)), false) =
            (theirs, matches!(mine, Some(Role::Hidden(_) | Role::Contour)))
        {
            return Some((rule!(TE_R19), self.line.to));
        }
        if matches!(mine, Some(Role::Contour | Role::Hidden(_))) {
            return self.covered_slope(&plateau.outline, near);
        }
        if theirs == Some(Role::Contour) {
            return None;
        }
        if mine == Some(Role::Top) {
            let near = self.mark.gap_to_line(&plateau.contour).rounded() <= LIMITS.below_contour;
            return near.then_some((rule!(TE_3_2_02), self.line.to));
        }
        if theirs == Some(Role::Top) {
            let near = self
                .eye
                .is_some_and(|eye| eye.gap_to_line(&plateau.contour).rounded() <= LIMITS.top_from_plain);
            return (near && !self.high).then_some((rule!(TE_3_2_03), self.line.to));
        }
        if plateau.outline.holds(self.line.from) || plateau.outline.holds(self.line.to) {
            return entry(&plateau.top).map(|at| (rule!(TE_R19), at));
        }
        if !self.high {
            return plateau
                .outline
                .is_entered_by(self.line)
                .then(|| (rule!(TE_R19), entry(&plateau.outline).unwrap_or(self.line.from)));
        }
        if plateau.top.is_entered_by(self.line) { self.over_relief(&plateau.outline) } else { None }
    }
}
