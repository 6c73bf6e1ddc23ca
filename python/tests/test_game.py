"""Games of every system, order by order."""

import pickle

import pytest

import glacis

SYSTEMS = sorted(glacis.systems())


def played(system, seed, orders=40):
    game = glacis.Game(system, seed=seed)
    for _ in range(orders):
        if game.outcome() is not None:
            break
        game.apply(game.suggestion())
    return game


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_same_orders_and_seed_are_the_same_record_and_it_is_read_again(system):
    game = played(system, "a")
    assert game.entries >= 40 and len(game.record().splitlines()) == game.entries + 1
    assert game.record() == played(system, "a").record()
    again = glacis.Game.read(game.record())
    assert again.record() == game.record()
    assert (again.system, again.scenario) == (system, glacis.systems()[system]["scenarios"][0])
    assert all(again.view(side) == game.view(side) for side in game.sides)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_stages_come_to_the_whole_list(system):
    game = played(system, "b", 12)
    side = game.deciders()[0]
    staged = [
        action
        for kind in game.kinds(side)
        for subject in game.subjects(kind, side)
        for action in game.candidates(kind, subject, side)
    ]
    actions = game.actions(side)
    assert len(staged) == len(actions) == sum(game.kinds(side).values())
    assert all(action in actions for action in staged)


def test_what_is_refused_has_changed_nothing():
    game = glacis.Game("danzig", seed=1)
    assert game.deciders() == ["prussian"]
    before = game.record()
    with pytest.raises(glacis.Refused) as refused:
        game.apply("end-phase", side="french")
    assert "prussian" in str(refused.value).lower()
    with pytest.raises(glacis.Refused) as refused:
        game.apply({"set-city-unit": {"unit": "F01", "place": "reserve"}})
    assert refused.value.rule and refused.value.rule.startswith("DZ-")
    with pytest.raises(glacis.Refused) as refused:
        game.apply({"march-to-paris": 3})
    assert refused.value.field.startswith("action")
    assert game.record() == before
    assert pickle.loads(pickle.dumps(refused.value)).field == refused.value.field


def test_what_is_not_there_is_named():
    for wrong, field in [
        (lambda: glacis.Game("chess"), "system"),
        (lambda: glacis.Game("danzig", scenario="paris"), "scenario"),
        (lambda: glacis.Game("danzig", options={"nonsense": 1}), "options.nonsense"),
        (lambda: glacis.Game("danzig").actions("saxon"), "side"),
    ]:
        with pytest.raises(glacis.Refused) as refused:
            wrong()
        assert refused.value.field == field


def test_a_step_without_dice_is_taken_back():
    game = glacis.Game("danzig", seed=1)
    seen = game.view("prussian")
    game.apply(game.candidates("set-city-unit", next(iter(game.subjects("set-city-unit"))))[0])
    assert game.view("prussian") != seen
    game.undo("prussian")
    assert game.view("prussian") == seen
