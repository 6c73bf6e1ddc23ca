//! Section 9.3 of the terrain chapter: batteries abandoned, spiked or overturned. They stay on the
//! table as cluttered ground.

use kernel::{Clerk, Effect, Refusal, Verdict};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ground::Cited;

/// The base of such a battery.
pub(crate) const ABANDONED: Cited = Cited {
    entry: Some(rule!(TE_9_3_04)),
    speed: Some(rule!(TE_9_3_09)),
    speed_open: None,
    close: Some(rule!(TE_9_3_10)),
    horse: None,
    open: Some(rule!(TE_9_3_05)),
    charge: Some(rule!(TE_R88)),
    change: Some(rule!(TE_R88)),
    deploy: Some(rule!(TE_9_3_04)),
};

/// What became of a battery's guns.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Guns {
    /// Served by their crew.
    #[default]
    Served,
    /// Left by their crew.
    Abandoned,
    /// Made useless.
    Spiked,
    /// Thrown over.
    Overturned,
}

/// What befalls a battery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mishap {
    /// The last gunner falls.
    NoGunnerLeft,
    /// Its gunners are beaten in melee or evade.
    GunnersDriven,
    /// Other troops were in contact with abandoned guns for a half-period.
    OverturnedByTroops,
    /// Gunners touch guns that are merely abandoned.
    GunnersReturn,
}

/// What the guns are afterwards (TE-R95).
///
/// # Errors
/// Guns spiked or overturned are not manned again; served ones are not overturned.
pub fn after(guns: Guns, mishap: Mishap, clerk: &mut impl Clerk) -> Verdict<Guns> {
    let next = match (guns, mishap) {
        (Guns::Served, Mishap::NoGunnerLeft | Mishap::GunnersDriven) => Guns::Abandoned,
        (Guns::Abandoned, Mishap::OverturnedByTroops) => Guns::Overturned,
        (Guns::Abandoned, Mishap::GunnersReturn) => {
            clerk.rather(rule!(TE_R88), Guns::Served, Guns::Abandoned)
        }
        (Guns::Served, Mishap::OverturnedByTroops) => {
            return Refusal::rule(rule!(TE_R95), phrase::GUNS_STILL_SERVED).stands(Guns::Overturned);
        }
        (Guns::Spiked | Guns::Overturned, Mishap::GunnersReturn) => {
            return Refusal::rule(rule!(TE_R95), phrase::GUNS_USELESS).stands(Guns::Served);
        }
        (same, _) => same,
    };
    Ok(clerk.rather(rule!(TE_R95), next, guns))
}

/// Does the battery count as an obstacle? It never leaves the table.
pub fn is_obstacle(guns: Guns, clerk: &mut impl Clerk) -> bool {
    let obstacle = clerk.holds(rule!(TE_9_3_01), guns != Guns::Served);
    if obstacle {
        clerk.because(rule!(TE_9_3_03), Effect::Set(phrase::COVER_LIGHT.into()));
    }
    obstacle
}

/// What of its budget a battery counts as lost with its guns: all of it once they are spiked or
/// overturned.
pub fn budget_lost(guns: Guns, budget: u32, clerk: &mut impl Clerk) -> u32 {
    if !matches!(guns, Guns::Spiked | Guns::Overturned) {
        return 0;
    }
    u32::try_from(clerk.value(rule!(FE_3_7_24), i64::from(budget))).unwrap_or(budget)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    #[test]
    fn how_guns_are_lost_and_manned_again() {
        let after = |guns, mishap| told(|clerk| after(guns, mishap, clerk)).0;
        assert_eq!(after(Guns::Served, Mishap::NoGunnerLeft), Ok(Guns::Abandoned));
        assert_eq!(after(Guns::Served, Mishap::GunnersDriven), Ok(Guns::Abandoned));
        assert_eq!(after(Guns::Abandoned, Mishap::OverturnedByTroops), Ok(Guns::Overturned));
        assert_eq!(after(Guns::Abandoned, Mishap::GunnersReturn), Ok(Guns::Served));
        assert_eq!(after(Guns::Spiked, Mishap::GunnersReturn).unwrap_err().reason, phrase::GUNS_USELESS);
        assert_eq!(
            after(Guns::Served, Mishap::OverturnedByTroops).unwrap_err().reason,
            phrase::GUNS_STILL_SERVED
        );
    }

    #[test]
    fn the_whole_budget_is_lost_with_guns_made_useless() {
        let lost = |guns| told(|clerk| budget_lost(guns, 120, clerk)).0;
        let all = [Guns::Served, Guns::Abandoned, Guns::Spiked, Guns::Overturned];
        assert_eq!(all.map(lost), [0, 0, 120, 120]);
    }

    #[test]
    fn only_lost_guns_are_an_obstacle() {
        assert!(!told(|clerk| is_obstacle(Guns::Served, clerk)).0);
        for guns in [Guns::Abandoned, Guns::Spiked, Guns::Overturned] {
            assert!(told(|clerk| is_obstacle(guns, clerk)).0);
        }
    }
}
