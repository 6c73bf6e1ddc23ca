//! An evening as it is told to whoever reads its record: what was done, and how the table stands.

use kernel::{Phrase, Saying, Told};
use rulebook::phrase::evening as say;

use super::{Action, Evening, Seat};

impl Told for Evening {
    fn standing(&self) -> Vec<Saying> {
        let (clock, table) = (self.clock(), self.table());
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        vec![
            Saying::new(say::CLOCK)
                .with("period", i64::from(clock.period()))
                .with("quarter", i64::from(clock.quarter())),
            Saying::new(say::STANDING_TABLE)
                .with("bodies", count(table.bodies.len()))
                .with("terrain", count(table.terrain.len())),
        ]
    }

    fn kind(action: &Action) -> Saying {
        Saying::new(match action {
            Action::Lay(_) | Action::Edit { .. } => say::LAY,
            Action::Fire(_) | Action::Batter { .. } => say::WHAT_FIRE,
            _ => say::TITLE,
        })
    }

    fn tell(&self, action: &Action) -> Saying {
        let named = |phrase, id: &str| Saying::new(phrase).with("name", self.called(id));
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        match action {
            Action::Lay(table) => Saying::new(say::TOLD_LAY).with("name", table.0.name.clone()),
            Action::Edit { put, taken, .. } => {
                Saying::new(say::TOLD_EDIT).with("put", count(put.0.len())).with("taken", count(taken.len()))
            }
            Action::March { body, .. } => named(say::TOLD_MARCH, body),
            Action::Form { body, .. } => named(say::TOLD_FORM, body),
            Action::Reform { body } => named(say::TOLD_REFORM, body),
            Action::Enter { body, house } => {
                named(say::TOLD_ENTER, body).with("house", self.called_element(house))
            }
            Action::Leave { body, .. } => named(say::TOLD_LEAVE, body),
            Action::Fire(shot) => {
                named(say::TOLD_FIRE, &shot.shooter).with("target", self.called(&shot.target))
            }
            Action::Batter { battery, element } => {
                named(say::TOLD_FIRE, battery).with("target", self.called_element(element))
            }
            Action::Melee(fought) => {
                named(say::TOLD_MELEE, &fought.attacker).with("target", self.called(&fought.defender))
            }
            Action::Next(_) => Saying::new(say::TOLD_NEXT),
            Action::Close => Saying::new(say::TOLD_CLOSE),
        }
    }

    fn name(_: Seat) -> Phrase {
        say::UMPIRE
    }

    fn ending((): &()) -> Saying {
        Saying::new(say::OVER)
    }
}
