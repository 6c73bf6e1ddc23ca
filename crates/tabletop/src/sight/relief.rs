//! How bodies stand on hills and plateaus (geometry page, section 3): who is on a crest, behind one,
//! on a flat top, or on a slope facing down.

use rulebook::options::tabletop::{Options, PlateauHiddenObservers};
use rulebook::rule;

use super::limits::LIMITS;
use crate::Arm;
use crate::geometry::{Base, Facing, Gap, Point, Segment, crosses_line, forward};
use crate::scene::{Element, Hill, Instant, Kind, Plateau, Presence, Scene};

/// What a body is on a relief.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It occupies the crest of a hill.
    Crest,
    /// It watches from behind a crest, unseen; its eye is that point of the crest.
    Hidden(Point),
    /// It stands on the contour of a plateau.
    Contour,
    /// It stands on the flat top, short of the contour.
    Top,
    /// It stands on a slope and faces down it.
    Downhill,
}

/// How every body stands on the reliefs at one instant.
pub struct Outlook<'a> {
    /// The table.
    pub scene: &'a Scene,
    /// The options.
    pub options: &'a Options,
    /// The instant.
    pub instant: Instant,
    /// For each body, its roles by element.
    roles: Vec<Vec<(usize, Role)>>,
    plateaus: Vec<usize>,
}

impl<'a> Outlook<'a> {
    /// Judges every body.
    #[must_use]
    pub fn new(scene: &'a Scene, options: &'a Options, instant: Instant) -> Self {
        let mut roles = vec![Vec::new(); scene.bodies().len()];
        for (place, element) in scene.elements().iter().enumerate() {
            if !matches!(element.kind, Kind::Hill(_) | Kind::Plateau(_)) {
                continue;
            }
            for (body, roles) in scene.bodies().iter().zip(&mut roles) {
                let presence = body.at(instant);
                if presence.house.is_none() && presence.extent.meets(&element.extent) {
                    roles.extend(role(element, presence, body.arm, options).map(|role| (place, role)));
                }
            }
        }
        let plateau = |place: &usize| matches!(scene.elements()[*place].kind, Kind::Plateau(_));
        let plateaus = (0..scene.elements().len()).filter(plateau).collect();
        Self { scene, options, instant, roles, plateaus }
    }

    /// The role of a body on one relief.
    #[must_use]
    pub fn role(&self, body: usize, element: usize) -> Option<Role> {
        self.roles[body].iter().find(|(place, _)| *place == element).map(|&(_, role)| role)
    }

    /// All roles of a body.
    #[must_use]
    pub fn roles(&self, body: usize) -> &[(usize, Role)] {
        &self.roles[body]
    }

    /// The point from which a hidden observer looks.
    #[must_use]
    pub fn lookout(&self, body: usize) -> Option<Point> {
        self.roles[body].iter().find_map(|&(_, role)| match role {
            Role::Hidden(at) => Some(at),
            _ => None,
        })
    }

    /// Whether a line of a body starts from above.
    #[must_use]
    pub fn is_high(&self, body: usize, line: Segment) -> bool {
        self.roles[body].iter().any(|&(place, role)| match (role, &self.scene.elements()[place].kind) {
            (Role::Downhill, Kind::Hill(hill)) => !crosses_line(line, &hill.long_crest),
            (Role::Downhill, Kind::Plateau(plateau)) => !plateau.top.is_entered_by(line),
            (Role::Downhill, _) => false,
            _ => true,
        })
    }

    /// The plateau on whose flat top both points lie.
    #[must_use]
    pub fn shared_top(&self, one: Option<Point>, other: Point) -> Option<usize> {
        let one = one?;
        self.plateaus.iter().copied().find(|&place| match &self.scene.elements()[place].kind {
            Kind::Plateau(plateau) => plateau.top.holds(one) && plateau.top.holds(other),
            _ => false,
        })
    }

    /// Whether a body stands on the flat top of a plateau.
    #[must_use]
    pub fn is_on_top(&self, body: usize, plateau: usize) -> bool {
        let presence = self.scene.bodies()[body].at(self.instant);
        match &self.scene.elements()[plateau].kind {
            Kind::Plateau(plateau) => {
                presence.figures.iter().any(|figure| plateau.top.holds(figure.base.centre))
            }
            _ => false,
        }
    }
}

fn role(element: &Element, presence: &Presence, arm: Arm, options: &Options) -> Option<Role> {
    match &element.kind {
        Kind::Hill(hill) => on_hill(hill, presence, arm),
        Kind::Plateau(plateau) => on_plateau(plateau, presence, arm, options),
        _ => None,
    }
}

/// Whether an arm so far behind a crest observes unseen: one base length.
fn observes(arm: Arm, nearest: Gap) -> bool {
    let (rule, limit) = match arm {
        Arm::Infantry => (rule!(TE_2_3_13), LIMITS.infantry_observes),
        Arm::Cavalry | Arm::Cuirassiers | Arm::Officer => (rule!(TE_2_3_14), LIMITS.cavalry_observes),
        Arm::FootArtillery | Arm::HorseArtillery => (rule!(TE_2_3_15), LIMITS.guns_observe),
    };
    rule.holds(nearest.rounded() <= limit)
}

fn on_hill(hill: &Hill, presence: &Presence, arm: Arm) -> Option<Role> {
    let nearest =
        presence.figures.iter().map(|figure| figure.base.gap_to_line(&hill.crest)).min().unwrap_or(Gap::FAR);
    if rule!(TE_2_3_02).holds(nearest.touches()) {
        return Some(Role::Crest);
    }
    let on_hill = presence.figures.iter().any(|figure| figure.base.overlaps(&hill.outline));
    if !on_hill {
        return None;
    }
    // A unit on a slope that faces down it has passed the crest: it does not hide behind it.
    let down = hill.slopes.iter().any(|slope| {
        presence.figures.iter().all(|figure| figure.base.corners.iter().all(|&corner| slope.holds(corner)))
            && presence.front().all(|figure| {
                leaves(&figure.base, hill.outline.edges(), |line| crosses_line(line, &hill.long_crest))
            })
    });
    if down {
        return Some(Role::Downhill);
    }
    rule!(TE_2_3_12).holds(observes(arm, nearest)).then(|| Role::Hidden(lookout(&hill.crest, presence)))
}

fn on_plateau(plateau: &Plateau, presence: &Presence, arm: Arm, options: &Options) -> Option<Role> {
    let nearest = presence
        .figures
        .iter()
        .map(|figure| figure.base.gap_to_line(&plateau.contour))
        .min()
        .unwrap_or(Gap::FAR);
    if rule!(TE_3_2_01).holds(nearest.touches()) {
        return Some(Role::Contour);
    }
    let all = |inside: &dyn Fn(Point) -> bool| {
        presence.figures.iter().all(|figure| figure.base.corners.iter().all(|&corner| inside(corner)))
    };
    if all(&|corner| plateau.top.holds(corner)) {
        let hides = options.plateau_hidden_observers == PlateauHiddenObservers::Yes && observes(arm, nearest);
        return Some(if hides { Role::Hidden(lookout(&plateau.contour, presence)) } else { Role::Top });
    }
    let down = all(&|corner| plateau.outline.holds(corner) && !plateau.top.holds_strictly(corner))
        && presence.front().all(|figure| {
            leaves(&figure.base, plateau.outline.edges(), |line| plateau.top.is_entered_by(line))
        });
    down.then_some(Role::Downhill)
}

/// Whether the half-line ahead of a figure leaves an outline before it meets what it must not.
fn leaves(base: &Base, outline: impl Iterator<Item = Segment>, meets: impl Fn(Segment) -> bool) -> bool {
    let ahead = Segment::new(base.front, far_ahead(base.front, base.facing));
    let exit = outline.filter_map(|edge| ahead.meeting(edge.from, edge.to)).min();
    exit.is_none_or(|exit| !meets(Segment::new(ahead.from, ahead.at(exit))))
}

/// A point straight ahead, beyond any table.
fn far_ahead(from: Point, facing: Facing) -> Point {
    let (x, y) = forward(facing);
    Point::new(from.x + ((x * 200_000) >> 30), from.y + ((y * 200_000) >> 30))
}

/// The point of a crest nearest to any base; the first along the line if equal.
fn lookout(crest: &[Point], presence: &Presence) -> Point {
    let edges = || crest.windows(2).map(|edge| Segment::new(edge[0], edge[1]));
    let near = presence
        .figures
        .iter()
        .flat_map(|figure| edges().map(move |edge| (figure.base.gap_to_segment(edge), edge, figure)))
        .min_by_key(|(gap, ..)| *gap);
    near.map_or(presence.centre, |(_, edge, figure)| {
        figure
            .base
            .corners
            .iter()
            .map(|&corner| edge.nearest_to(corner))
            .min_by_key(|&point| figure.base.nearest_to(point).square_to(point))
            .unwrap_or(edge.from)
    })
}
