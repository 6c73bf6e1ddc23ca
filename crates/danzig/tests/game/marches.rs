//! Orders that do many things at once are the same as those things one by one: a march and its strides,
//! a row of shots and each of them; and a march stops where somebody fires at it.

use danzig::ops::{Heading, Hex, Path, Route, Stride};
use danzig::{Action, Formation, Hand, Phase, Place, Side, State, UnitId, UnitSet, auto_choice};
use kernel::{Desk, Game as _, Live, Scripted, Setup, Silent};

fn begun() -> State {
    let mut state = State::start(&Setup::default()).expect("a legal set-up");
    for action in [Action::SetUpTheRest, Action::SetUpDone] {
        decide(&mut state, &action, &[]);
    }
    state
}

fn decide(state: &mut State, action: &Action, dice: &[u8]) {
    let side = state.to_move().expect("somebody is to move");
    let mut desk = Desk::new(Scripted::new(dice), Silent);
    state.apply(side, action, &mut desk).expect("a legal action");
    desk.dice.finish().expect("all dice are used");
}

fn offered(state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    state.actions(state.active(), &mut actions);
    actions
}

#[test]
fn a_march_in_one_order_is_its_strides_one_by_one() {
    let mut state = begun();
    let mut marched = 0;
    while state.phase != Phase::Move {
        let ends = if state.phase == Phase::Half { Action::PlayHalf } else { Action::EndPhase };
        decide(&mut state, &ends, &[]);
    }
    assert_eq!(state.clock.phasing, Side::French);
    while let Some(order @ Action::MarchAlong(Route { units, entry, path })) =
        offered(&state).into_iter().find(|action| matches!(action, Action::MarchAlong(_)))
    {
        let mut step_by_step = state.clone();
        let first = match entry {
            Some(hex) => Action::EnterMap { unit: units.iter().next().expect("a counter"), hex },
            None => Action::TakeUp { units },
        };
        decide(&mut step_by_step, &first, &[]);
        for stride in path.iter() {
            decide(&mut step_by_step, &Action::March(stride), &[]);
        }
        if let Hand::Moving(_) = step_by_step.hand {
            decide(&mut step_by_step, &Action::PutDown, &[]);
        }
        decide(&mut state, &order, &[]);
        assert_eq!(state, step_by_step, "{order:?}");
        marched += 1;
    }
    assert!(marched > 15, "{marched} marches in the first half-round");
}

/// Infantry that marches so many hexes to the west, past guns that look at it.
fn past_the_guns(steps: usize) -> (State, UnitId, UnitId, Action) {
    let mut state = begun();
    (state.phase, state.clock.phasing) = (Phase::Move, Side::French);
    let put = |state: &mut State, code: &str, column: u16, facing: Heading| {
        let unit = UnitId::of_code(code).expect("a counter");
        let counter = state.table.unit_mut(unit);
        counter.place = Place::Hex(Hex::at(6, column).expect("a hex"));
        (counter.facing, counter.formation) = (facing as u16, Formation::at_entry(unit.data().arm));
        unit
    };
    let foot = put(&mut state, "F01", 6, Heading::West);
    let guns = put(&mut state, "K11", 8, Heading::West);
    state.table.unit_mut(guns).formation = Formation::Unlimbered;
    (state, foot, guns, west(foot, steps))
}

fn west(foot: UnitId, steps: usize) -> Action {
    let path = Path::of(&vec![Stride::Go(Heading::West); steps]).expect("a short way");
    Action::MarchAlong(Route { units: UnitSet::of(foot), entry: None, path })
}

#[test]
fn a_march_ends_with_the_counter_that_made_it() {
    let (mut state, foot, guns, march) = past_the_guns(2);
    state.table.unit_mut(foot).steps = 1;
    decide(&mut state, &march, &[]);
    let shot = Action::OpportunityShot { firer: guns };
    let killed = (0..200).find_map(|seed| {
        let mut shot_at = state.clone();
        shot_at.apply(Side::Prussian, &shot, &mut Desk::new(Live::numbered(seed), Silent)).expect("a shot");
        (shot_at.table.unit(foot).steps == 0).then_some(shot_at)
    });
    let killed = killed.expect("a shot that kills");
    assert_eq!((killed.hand, killed.march, killed.to_move()), (Hand::Empty, None, Some(Side::French)));
    // Nothing of it is left to be ordered, and the half-round goes on.
    let about = |action: &Action| matches!(action, Action::MarchAlong(route) if route.units.has(foot));
    let left = offered(&killed);
    assert!(left.contains(&Action::EndPhase) && !left.iter().any(about), "{left:?}");
}

#[test]
fn whoever_is_fired_at_on_the_march_is_asked_again() {
    let (mut state, foot, guns, march) = past_the_guns(2);
    let at = |state: &State| state.table.unit(foot).place;
    let hex = |column: u16| Place::Hex(Hex::at(6, column).expect("a hex"));
    decide(&mut state, &march, &[]);
    assert_eq!((state.to_move(), at(&state)), (Some(Side::Prussian), hex(6)));
    // Nobody fires: the march goes on to its end.
    let mut quiet = state.clone();
    decide(&mut quiet, &Action::Decline, &[]);
    assert_eq!((quiet.hand, at(&quiet)), (Hand::Empty, hex(4)));
    // A shot without effect: the step is made, and the owner is asked.
    decide(&mut state, &Action::OpportunityShot { firer: guns }, &[1]);
    assert_eq!((state.to_move(), at(&state), state.march), (Some(Side::French), hex(5), None));
    assert!(matches!(state.hand, Hand::Moving(_)) && offered(&state).contains(&Action::PutDown));
    let others = Action::MarchAlong(Route {
        units: UnitSet::of(guns),
        entry: None,
        path: Path::of(&[Stride::Go(Heading::West)]).expect("a short way"),
    });
    let refused = state.validate(Side::French, &others).unwrap_err();
    assert_eq!(refused.reason, rulebook::phrase::danzig::OTHERS_IN_HAND);
    decide(&mut state, &west(foot, 1), &[]);
    assert_eq!((state.hand, at(&state)), (Hand::Empty, hex(4)));
}

#[test]
fn a_row_of_shots_is_its_shots_one_by_one() {
    let mut state = State::start(&Setup::default()).expect("a legal set-up");
    let (mut stream, mut desk) = (Live::numbered(1), Desk::new(Live::numbered(2), Silent));
    let mut rows = 0;
    while let Some(side) = state.to_move().filter(|_| rows < 20) {
        let actions = offered(&state);
        let action = actions[auto_choice(&state.view(Some(side)), &actions, &mut stream)];
        if let Action::Bombard { gun, target, shots } = action {
            let ammunition = |state: &State| {
                i32::from(state.table.danzig.ammunition_12) + i32::from(state.table.danzig.ammunition_24)
            };
            let mut row = state.clone();
            row.apply(side, &action, &mut Desk::new(Live::numbered(rows), Silent)).expect("a legal order");
            let fired = ammunition(&state) - ammunition(&row);
            assert!((1..=i32::from(shots)).contains(&fired), "{fired} of {shots} shots");
            let mut one_by_one = state.clone();
            let mut dice = Desk::new(Live::numbered(rows), Silent);
            for _ in 0..fired {
                let shot = Action::FireSiegeGun { gun, target };
                one_by_one.apply(side, &shot, &mut dice).expect("a legal shot");
            }
            assert_eq!(row, one_by_one, "{action:?}");
            rows += 1;
        }
        state.apply(side, &action, &mut desk).expect("what is offered is legal");
    }
    assert!(rows > 5, "{rows} rows of shots");
}
