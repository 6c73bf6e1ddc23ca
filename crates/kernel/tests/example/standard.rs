//! The records of `docs/record`, which are part of its specification: each is played here, line by line,
//! and must come out as it stands there. `docs/record/verify.py` is run against them elsewhere.

use countermine::{Action, Countermine, Side, setup};
use kernel::record::{HexHash, Offer, Record, Source, commitment};
use kernel::{Play, Seed, Step, Terms, Verdict};

use Side::{Besieger, Garrison};

type Siege = Play<Countermine>;

const SERVER: Seed = [5; 32];
const OTHER: Seed = [9; 32];

/// A game and its lines.
struct Written {
    play: Siege,
    text: String,
}

impl Written {
    fn begin(scenario: &str, source: Source, secret: Option<Seed>) -> Self {
        let play = Siege::begin(&setup(scenario, None), source, secret).unwrap();
        let text = format!("{}\n", play.header_line());
        Self { play, text }
    }

    fn committed(scenario: &str) -> Self {
        Self::begin(scenario, Source::Committed(HexHash(commitment(&SERVER))), Some(SERVER))
    }

    fn line(&mut self, line: &str) {
        self.text.extend([line, "\n"]);
    }

    fn does(&mut self, deed: impl FnOnce(&mut Siege, u64) -> Verdict<Step>) {
        let seen = self.play.entries();
        let step = deed(&mut self.play, seen).unwrap();
        self.line(&step.record_line);
    }

    fn decides(&mut self, orders: &[(Side, Action)]) {
        for (side, action) in orders {
            self.does(|play, seen| play.decide(seen, *side, action));
        }
    }

    /// The garrison gives up, and the server reveals its seed.
    fn ends(&mut self) {
        self.does(|play, seen| play.resign(seen, Garrison));
        let line = self.play.reveal_at_the_end().unwrap();
        self.line(&line);
    }

    /// It is what stands in the book of records, and can be played again.
    fn stands_in(&self, name: &str) {
        let file = format!("{}/../../docs/record/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
        kernel::conformance::golden(file, &self.text);
        let again = Siege::replay(&Record::read(&self.text).unwrap(), None).unwrap();
        assert_eq!(again.chain(), self.play.chain());
    }
}

/// A gallery is dug to its end.
const DUG: [(Side, Action); 4] = [
    (Garrison, Action::Lay(1)),
    (Besieger, Action::Dig(0)),
    (Besieger, Action::Dig(0)),
    (Garrison, Action::Hold),
];

#[test]
fn with_an_open_seed() {
    let mut game = Written::begin("narrow", Source::Open(HexHash([7; 32])), None);
    game.decides(&DUG);
    game.decides(&[(Besieger, Action::Dig(1))]);
    game.does(|play, seen| play.undo(seen, Besieger));
    game.decides(&[(Besieger, Action::Assault(0))]);
    game.does(|play, seen| play.words(seen, Garrison, "Bien visé ! \"4\""));
    game.stands_in("open");
}

#[test]
fn with_a_committed_seed_and_pledges_and_a_roll_taken_back() {
    let mut game = Written::committed("narrow");
    game.does(|play, _| play.pledge(Garrison, &[1; 32]));
    game.does(|play, _| play.pledge(Besieger, &[2; 32]));
    game.decides(&DUG);
    game.decides(&[(Besieger, Action::Assault(0))]);
    game.does(|play, seen| play.offer(seen, Besieger, Offer::TakeBack));
    game.does(|play, seen| play.accept(seen, Garrison));
    game.decides(&[(Besieger, Action::Assault(0))]);
    game.ends();
    game.stands_in("committed");
}

#[test]
fn with_orders_in_secret_one_of_them_changed() {
    let mut game = Written::committed("dark");
    game.decides(&[
        (Garrison, Action::Lay(1)),
        (Besieger, Action::Dig(2)),
        (Besieger, Action::Dig(0)),
        (Garrison, Action::Hold),
        // The night: the besieger sleeps, thinks better of it, and meets a patrol.
        (Besieger, Action::Sleep),
    ]);
    game.does(|play, seen| play.undo(seen, Besieger));
    game.decides(&[(Besieger, Action::Sap(2)), (Garrison, Action::Patrol(2))]);
    while let Some(opened) = game.play.open_next() {
        game.line(&opened.step.record_line);
    }
    game.ends();
    game.stands_in("secret");
}

#[test]
fn taken_over_by_another_server_and_at_its_end_by_a_third() {
    let mut game = Written::committed("narrow");
    game.decides(&DUG);
    game.decides(&[(Besieger, Action::Assault(0)), (Besieger, Action::Dig(0)), (Garrison, Action::Hold)]);
    let line = game.play.adopt(OTHER, Terms::default()).unwrap();
    game.line(&line);
    game.does(|play, _| play.pledge(Besieger, &[3; 32]));
    game.decides(&[(Besieger, Action::Dig(0)), (Besieger, Action::Assault(0))]);
    game.ends();
    let line = game.play.adopt([11; 32], Terms::default()).unwrap();
    game.line(&line);
    game.stands_in("taken-over");
}

#[test]
fn with_dice_of_a_real_table_from_the_middle_on() {
    let mut game = Written::committed("narrow");
    game.decides(&DUG);
    game.decides(&[(Besieger, Action::Assault(0)), (Besieger, Action::Dig(0)), (Garrison, Action::Hold)]);
    game.does(|play, seen| play.offer(seen, Garrison, Offer::TableDice));
    game.does(|play, seen| play.accept(seen, Besieger));
    game.decides(&[(Besieger, Action::Dig(0))]);
    game.does(|play, seen| play.decide_with(seen, Besieger, &Action::Assault(0), &[3]));
    game.ends();
    game.stands_in("table");
}
