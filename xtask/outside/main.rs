//! A program outside the house, built from its packages as anybody would: one fire with the die that was rolled,
//! its exact odds, and a game that is recorded and checked. `cargo xtask package` runs it.

use std::error::Error;

use danzig::State;
use kernel::{Game as _, HexHash, Live, Play, Record, Reply, Setup, Source, with_dice, without_dice};
use opponent::Planner as _;
use tabletop::fire::facts::{Fire, Request, Shooter, Target};
use tabletop::fire::{Class, Weapon};

fn main() -> Result<(), Box<dyn Error>> {
    let request = Request::new(
        Shooter::new(Weapon::Musket, 4, 12)?,
        kernel::Centimetres::whole(6),
        Target { class: Some(Class::Mass), ..Target::default() },
    );
    let options = Default::default();
    if let Reply::Answered { answer, because, .. } = with_dice::<Fire>(&request, &options, &[4])? {
        let rules: Vec<&str> = because.iter().map(|because| because.rule.as_str()).collect();
        println!("fire: factor {:?}, {} figures lost, by {}", answer.factor, answer.figures_lost, rules.join(" "));
    }
    if let Reply::Odds { outcomes, .. } = without_dice::<Fire>(&request, &options)? {
        let odds: Vec<String> = outcomes.iter().map(|(p, answer)| format!("{p} of {:?}", answer.factor)).collect();
        println!("odds: {}", odds.join(", "));
    }

    let setup = Setup { scenario: "assault-1807".to_owned(), ..Setup::default() };
    let mut game = Play::<State>::begin(&setup, Source::Open(HexHash([7; 32])), None)?;
    let (mut record, mut stream, mut offered) = (format!("{}\n", game.header_line()), Live::numbered(1), Vec::new());
    while let Some(side) = game.state().to_move() {
        offered.clear();
        game.state().actions(side, &mut offered);
        let order = State::plan(side, &game.state().view(Some(side)), &offered, &mut stream);
        let step = game.decide(game.entries(), side, &order)?;
        record.extend([step.record_line.as_str(), "\n"]);
    }
    let again = Play::<State>::replay(&Record::read(&record)?, None)?;
    println!("game: {} entries, {:?}", again.entries(), again.state().outcome());
    Ok(())
}
