//! An evening at a real table, kept by the umpire: the table as it lies, the clock of quarters, who has
//! fired at whom. What is laid, marched and fired enters as actions; the table after them leaves, with
//! its losses, markers, places and the book of what each body did. It is a game of the kernel for one
//! seat, the umpire's, so that its record can be replayed, verified, shared and continued.
//!
//! ```
//! use kernel::{Game, Play, Setup, Source};
//! use tabletop::evening::{Action, Evening, Seat, Step};
//!
//! let empty = Setup { scenario: "empty".into(), ..Setup::default() };
//! let mut play = Play::<Evening>::begin(&empty, Source::Table, None).unwrap();
//! play.decide_with(0, Seat::Umpire, &Action::Next(Step::HalfPeriod), &[]).unwrap();
//! assert_eq!(play.state().clock().quarter(), 3);
//! ```

mod battering;
mod books;
mod deeds;
mod fights;
pub mod may;
pub mod quick;
pub mod templates;
mod told;
mod volley;

pub use deeds::garrison;
pub use fights::{Endings, Fought, Lost};
pub use volley::Shot;

use std::cmp::Ordering;

use kernel::{
    Centimetres, Clerk, Desk, Disclosure, Event, Freedom, Game, Live, Options as _, Refusal, Scripted, Sides,
    Silent, Verdict,
};
use rulebook::options::tabletop::Options;
use rulebook::phrase::evening as say;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::fire::Projectile;
use crate::fire::priority::nobody;
use crate::geometry::Point;
use crate::movement::Pace;
use crate::scene::{BodySetup, ElementSetup, Formation, Setup};

/// Something written as JSON: as itself in records, as its text in the hash of a state, which knows no
/// fields that are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written<T>(pub T);

impl<T: Serialize> Written<T> {
    fn text(&self) -> String {
        serde_json::to_string(&self.0).unwrap_or_default()
    }
}

impl<T: Serialize> Serialize for Written<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            self.0.serialize(serializer)
        } else {
            serializer.serialize_str(&self.text())
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Written<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return T::deserialize(deserializer).map(Self);
        }
        let text = String::deserialize(deserializer)?;
        serde_json::from_str(&text).map(Self).map_err(serde::de::Error::custom)
    }
}

impl<T: Serialize + Eq> PartialOrd for Written<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Serialize + Eq> Ord for Written<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text().cmp(&other.text())
    }
}

/// Who keeps the evening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seat {
    /// The umpire: whoever has the table before him.
    Umpire,
}

/// A thing that can be put on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thing {
    /// A terrain element.
    Terrain(ElementSetup),
    /// A body.
    Body(Box<BodySetup>),
}

/// The table itself: its name and its size.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Its name.
    pub name: String,
    /// What happens there.
    #[serde(default)]
    pub story: String,
    /// West to east.
    pub width: Centimetres,
    /// South to north.
    pub depth: Centimetres,
}

/// How far the clock goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// To the next quarter.
    Quarter,
    /// To the first quarter of the next half-period.
    HalfPeriod,
    /// To the first quarter of the next period.
    Period,
}

/// What is done at the table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// The whole table is laid anew, and the evening begins.
    Lay(Written<Setup>),
    /// Things are put down, those of the same name replaced, and others taken away.
    Edit {
        /// Those put down.
        put: Written<Vec<Thing>>,
        /// The names of those taken away.
        taken: Vec<String>,
        /// The name and the size of the table, if they change.
        #[serde(default)]
        sheet: Option<Sheet>,
    },
    /// A body marches for the quarter.
    March {
        /// Who.
        body: String,
        /// Where its head goes, place by place.
        to: Vec<Point>,
        /// How.
        pace: Pace,
    },
    /// A body changes formation where it stands; guns limber or go into position.
    Form {
        /// Who.
        body: String,
        /// Into what.
        formation: Formation,
    },
    /// A body goes on finding its order again.
    Reform {
        /// Who.
        body: String,
    },
    /// A body begins to enter a house it touches.
    Enter {
        /// Who.
        body: String,
        /// Which house.
        house: String,
    },
    /// A garrison leaves its house by a side.
    Leave {
        /// Who.
        body: String,
        /// The side, 0 to 3.
        side: u8,
    },
    /// A fire, with the die that was rolled for it.
    Fire(Shot),
    /// A battery fires at a wall that nobody holds.
    Batter {
        /// Who.
        battery: String,
        /// At which.
        element: String,
    },
    /// A round of melee is over.
    Melee(Fought),
    /// The clock goes on.
    Next(Step),
    /// The evening ends.
    Close,
}

/// Quarters of a period.
const PERIOD: u32 = 4;

/// The time: quarters since the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock(u32);

impl Clock {
    /// The period, from 1.
    #[must_use]
    pub const fn period(self) -> u32 {
        self.0 / PERIOD + 1
    }

    /// The quarter of the period, 1 to 4.
    #[must_use]
    pub const fn quarter(self) -> u32 {
        self.0 % PERIOD + 1
    }

    /// Whether it is the second quarter of its half-period.
    #[must_use]
    pub const fn is_second(self) -> bool {
        self.0 % 2 == 1
    }
}

/// A fire of the phase with its dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rolled {
    shot: Shot,
    dice: Vec<u8>,
}

/// A fire phase that is going on: all fire with the figures that stood at its opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Phase {
    opening: Written<Setup>,
    shots: Vec<Rolled>,
    /// The walls that are fired at.
    #[serde(default)]
    battered: Vec<battering::Battered>,
}

/// Who fired at whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FiredAt {
    /// Who fired.
    pub shooter: String,
    /// At whom.
    pub target: String,
}

/// A body that finds its order again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reforming {
    body: String,
    /// Quarters spent on it.
    spent: i32,
}

/// The evening as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Evening {
    table: Written<Setup>,
    options: Options,
    clock: Clock,
    /// The fire phase, while nothing else happens.
    phase: Option<Phase>,
    /// The fires of this half-period.
    fired: Vec<FiredAt>,
    /// Who has marched, or done something else for a quarter, in this one.
    marched: Vec<String>,
    /// Who is finding its order again.
    reforming: Vec<Reforming>,
    over: bool,
}

impl Evening {
    /// An evening that begins on a table.
    #[must_use]
    pub fn on(table: Setup, options: Options) -> Self {
        Self { table: Written(table), options, ..Self::default() }
    }

    /// The table.
    #[must_use]
    pub const fn table(&self) -> &Setup {
        &self.table.0
    }

    /// The time.
    #[must_use]
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// The fires of this half-period.
    #[must_use]
    pub fn fired(&self) -> &[FiredAt] {
        &self.fired
    }

    /// The options it is played with.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The table on which a body fires: as it lay when the phase opened, if one is going on.
    #[must_use]
    pub fn firing_table(&self, shooter: &str) -> Setup {
        self.opening(shooter).opening.0
    }

    /// Who may still fire in this phase, and at whom: bodies with an eligible target that have not fired.
    #[must_use]
    pub fn open_fires(&self) -> Vec<FiredAt> {
        volley::open(self)
    }

    /// The table once a charge has reached its enemy in this half-period, and the quarters it takes.
    #[must_use]
    pub fn charged(&self, body: &str, enemy: &str) -> Option<(Setup, u32)> {
        let scene = self.table().checked("table", &self.options).ok()?;
        let to = vec![scene.body(enemy, "enemy").ok()?.now().centre];
        let charge = Action::March { body: body.to_owned(), to, pace: Pace::Charge };
        let mut after = self.clone();
        for quarters in 1..=2 {
            let mut nobody = Desk::new(Scripted::new(&[]), Silent);
            after.apply(Seat::Umpire, &charge, &mut nobody).ok()?;
            let charger = after.table().bodies.iter().find(|one| one.id == body)?;
            if charger.record.contact.as_ref().is_some_and(|contact| contact.with == enemy) {
                return Some((after.table.0, quarters));
            }
            if after.clock.is_second() {
                return None;
            }
            after.apply(Seat::Umpire, &Action::Next(Step::Quarter), &mut nobody).ok()?;
        }
        None
    }

    /// Whether a body has not yet spent its quarter.
    fn is_free(&self, body: &str) -> Verdict<()> {
        if self.marched.iter().any(|one| one == body) {
            return Err(Refusal::plain(say::ACTED).with("name", body.to_owned()));
        }
        Ok(())
    }

    fn march(&self, body: &str, to: &[Point], pace: Pace) -> Verdict<books::Gone> {
        self.is_free(body)?;
        books::walk(self.table(), &self.options, body, to, pace)
    }

    /// What a body does on the spot: who it is afterwards.
    fn deed(&self, action: &Action) -> Verdict<Option<deeds::Changed>> {
        let (table, options, clock) = (self.table(), &self.options, self.clock);
        let changed = match action {
            Action::Form { body, formation } => {
                self.is_free(body).and_then(|()| deeds::form(table, options, clock, body, *formation))
            }
            Action::Reform { body } => {
                let spent = self.reforming.iter().find(|one| one.body == *body).map_or(0, |one| one.spent);
                self.is_free(body).and_then(|()| deeds::reform(table, options, clock, body, spent))
            }
            Action::Enter { body, house } => {
                self.is_free(body).and_then(|()| deeds::enter(table, options, clock, body, house))
            }
            Action::Leave { body, side } => {
                self.is_free(body).and_then(|()| deeds::leave(table, options, clock, body, *side))
            }
            _ => return Ok(None),
        };
        changed.map(Some)
    }

    /// Writes down what a body did on the spot, and says so.
    fn done(&mut self, changed: &deeds::Changed, action: &Action, clerk: &mut impl Clerk) {
        let name = changed.body.id.clone();
        let quarters = i64::from(changed.quarters);
        let phrase = match action {
            Action::Reform { .. } => say::REFORMED,
            Action::Enter { .. } => say::ENTERS,
            Action::Leave { .. } => say::LEAVES,
            _ => say::CHANGED,
        };
        if matches!(action, Action::Reform { .. }) {
            match self.reforming.iter_mut().find(|one| one.body == name) {
                Some(one) => one.spent += 1,
                None => self.reforming.push(Reforming { body: name.clone(), spent: 1 }),
            }
        }
        let called = self.called(&name);
        clerk.happened(|| Event::new(phrase).with("name", called).with("quarters", quarters));
        self.marched.push(name);
        deeds::put(&mut self.table.0, &changed.body);
    }

    /// What players call a body.
    fn called(&self, id: &str) -> String {
        let label = self.table().bodies.iter().find(|body| body.id == id).map(|body| body.label.clone());
        label.filter(|label| !label.is_empty()).unwrap_or_else(|| id.to_owned())
    }

    /// What players call a terrain element.
    fn called_element(&self, id: &str) -> String {
        let label = self.table().terrain.iter().find(|one| one.id == id).map(|one| one.label.clone());
        label.filter(|label| !label.is_empty()).unwrap_or_else(|| id.to_owned())
    }

    fn has(&self, id: &str) -> bool {
        let table = self.table();
        table.terrain.iter().any(|element| element.id == id) || table.bodies.iter().any(|body| body.id == id)
    }
}

/// Puts a thing down, in the place of the one of its name if there is one.
fn put(table: &mut Setup, thing: &Thing) {
    match thing {
        Thing::Terrain(element) => match table.terrain.iter_mut().find(|known| known.id == element.id) {
            Some(known) => *known = element.clone(),
            None => table.terrain.push(element.clone()),
        },
        Thing::Body(body) => match table.bodies.iter_mut().find(|known| known.id == body.id) {
            Some(known) => *known = (**body).clone(),
            None => table.bodies.push((**body).clone()),
        },
    }
}

impl Game for Evening {
    const SYSTEM: &'static str = "tabletop";
    type Side = Seat;
    const SIDES: &'static [Seat] = &[Seat::Umpire];
    type Action = Action;
    type View = Self;
    type Outcome = ();

    fn start(setup: &kernel::Setup) -> Verdict<Self> {
        if setup.scenario != "empty" {
            return Err(Refusal::field("scenario", kernel::phrase::UNKNOWN_CHOICE)
                .with("found", setup.scenario.clone())
                .with("expected", "empty"));
        }
        let mut options = Options::default();
        for (name, value) in &setup.options {
            options.set(name, value)?;
        }
        let table =
            Setup { width: Centimetres::whole(120), depth: Centimetres::whole(90), ..Setup::default() };
        Ok(Self::on(table, options))
    }

    fn deciders(&self) -> Sides {
        if self.over { Sides::NONE } else { Sides::NONE.with(0) }
    }

    fn actions(&self, _: Seat, into: &mut Vec<Action>) {
        if !self.over {
            into.extend([Step::Quarter, Step::HalfPeriod, Step::Period].map(Action::Next));
            into.push(Action::Close);
        }
    }

    fn freedom(action: &Action) -> Freedom {
        match action {
            Action::Next(_) | Action::Close => Freedom::Listed,
            Action::Lay(_)
            | Action::Edit { .. }
            | Action::March { .. }
            | Action::Form { .. }
            | Action::Reform { .. }
            | Action::Enter { .. }
            | Action::Leave { .. }
            | Action::Fire(_)
            | Action::Batter { .. }
            | Action::Melee(_) => Freedom::Free,
        }
    }

    fn validate(&self, _: Seat, action: &Action) -> Verdict<()> {
        match action {
            // A table may lie wrongly while it is laid: the survey says so, nothing is corrected.
            Action::Lay(_) | Action::Next(_) | Action::Close => Ok(()),
            Action::Edit { taken, .. } => {
                match taken.iter().position(|id| !self.has(id)) {
                    Some(place) => Err(Refusal::field(format!("taken.{place}"), say::NO_SUCH)
                        .with("name", taken[place].clone())),
                    None => Ok(()),
                }
            }
            Action::March { body, to, pace } => self.march(body, to, *pace).map(|_| ()),
            Action::Form { .. } | Action::Reform { .. } | Action::Enter { .. } | Action::Leave { .. } => {
                self.deed(action).map(|_| ())
            }
            Action::Fire(shot) => volley::may(self, shot),
            Action::Batter { battery, element } => {
                let (battery, element) = (battery.clone(), element.clone());
                battering::may(
                    self,
                    &battering::Battered { battery, element, target: None },
                    Projectile::Ball,
                )
            }
            Action::Melee(fought) => {
                let scene = self.table().checked("table", &self.options)?;
                fights::judge(&scene, &self.options, fought, &mut nobody()).map(|_| ())
            }
        }
    }

    fn perform(&mut self, _: Seat, action: &Action, clerk: &mut impl Clerk) -> Disclosure {
        if !matches!(action, Action::Fire(_) | Action::Batter { .. }) {
            self.phase = None;
        }
        match action {
            Action::Lay(table) => *self = Self::on(table.0.clone(), self.options),
            Action::Edit { put: things, taken, sheet } => {
                let table = &mut self.table.0;
                if let Some(sheet) = sheet.clone() {
                    (table.name, table.story) = (sheet.name, sheet.story);
                    (table.width, table.depth) = (sheet.width, sheet.depth);
                }
                table.terrain.retain(|element| !taken.contains(&element.id));
                table.bodies.retain(|body| !taken.contains(&body.id));
                things.0.iter().for_each(|thing| put(table, thing));
            }
            Action::March { body, to, pace } => {
                // Validated: a way that cannot be walked leaves the body where it is.
                if let Ok(gone) = self.march(body, to, *pace) {
                    let name = self.called(body);
                    let distance = gone.distance;
                    clerk.happened(|| Event::new(say::MARCHED).with("name", name).with("distance", distance));
                    books::arrive(&mut self.table.0, self.clock, body, gone);
                    self.marched.push(body.clone());
                }
            }
            Action::Form { .. } | Action::Reform { .. } | Action::Enter { .. } | Action::Leave { .. } => {
                // Validated: what cannot be done changes nothing.
                if let Ok(Some(changed)) = self.deed(action) {
                    self.done(&changed, action, clerk);
                }
            }
            Action::Fire(shot) => volley::fire(self, shot, clerk),
            Action::Batter { battery, element } => battering::fire(self, battery, element, clerk),
            Action::Melee(fought) => fights::apply(self, fought, clerk),
            Action::Next(step) => {
                books::next(self, *step, clerk);
                let clock = self.clock;
                clerk.happened(|| {
                    Event::new(say::CLOCK)
                        .with("period", i64::from(clock.period()))
                        .with("quarter", i64::from(clock.quarter()))
                });
            }
            Action::Close => self.over = true,
        }
        Disclosure::Nothing
    }

    fn outcome(&self) -> Option<()> {
        self.over.then_some(())
    }

    fn view(&self, _: Option<Seat>) -> Self {
        self.clone()
    }

    fn imagine(view: &Self, _: &mut Live) -> Self {
        view.clone()
    }
}
