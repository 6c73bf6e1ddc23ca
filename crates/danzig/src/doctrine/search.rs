//! What the machine thinks ahead by: the worth of an end and of a position, and the decisions that are worth
//! thinking about at all.

use opponent::Searcher;

use super::evaluate::worth;
use crate::action::Action;
use crate::state::{Hand, Outcome, Phase, Score, State};
use crate::unit::Side;
use crate::view::View;

impl Searcher for State {
    /// To the end of the next turn, as the doctrine plays it.
    const HORIZON: u32 = 250;

    /// A French victory is 1 to the besieger and a draw one half; nobody counts how far the other has won.
    fn score(outcome: &Outcome, side: Side) -> f64 {
        let french = match outcome.result {
            Score::FrenchVictory => 1.0,
            Score::Draw => 0.5,
            Score::PrussianMinor | Score::PrussianMajor => 0.0,
        };
        if side == Side::French { french } else { 1.0 - french }
    }

    fn evaluate(&self, side: Side) -> f64 {
        worth(self, side)
    }

    /// Fights for the walls and in front of them, where one order decides much. A stride of a march or the
    /// place of one battalion is left to the doctrine: nothing that follows would tell one from another.
    fn weighty(_: Side, view: &View, offered: &[Action]) -> bool {
        let fights = matches!(
            view.state.phase,
            Phase::Assault
                | Phase::Sortie
                | Phase::CounterAttack
                | Phase::Defenders
                | Phase::WallRepair
                | Phase::Mine
                | Phase::Countermine
        );
        offered.len() > 1 && fights && view.state.hand == Hand::default()
    }
}
