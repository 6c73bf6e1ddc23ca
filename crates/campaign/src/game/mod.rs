//! The whole campaign as a game (docs/rules/campaign-game.md). The charts it plays by are those of the other
//! modules of the crate; here is who stands where, who knows what, who decides when, and what happens then.

mod action;
mod doctrine;
mod features;
mod fight;
mod host;
mod knowledge;
mod march;
mod muster;
mod reach;
mod roll;
mod roster;
pub(crate) mod say;
mod search;
mod sequence;
mod setup;
mod state;
mod view;

pub use action::Action;
pub use knowledge::{Contact, Seen, Shown};
pub(crate) use knowledge::{around, range};
pub(crate) use reach::Reach;
pub use roll::Roll;
pub(crate) use roster::{Key, constant, enemy, place};
pub use roster::{LeaderId, UnitId};
pub use setup::SCENARIOS;
pub use state::{
    Base, Battle, Body, Extent, Flags, Flight, Force, Group, Hand, Host, Leader, Mode, Outcome, Owed, Phase,
    Prussia, Public, Reason, Report, Scenario, Segment, Share, Siege, Span, State, Talks, Train, Unit,
    Vedette, Walk, Watch, Whereabouts, Why,
};
pub use view::{ForceSeen, View, twin};
