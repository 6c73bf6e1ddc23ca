"""Many games at once."""

import hashlib

import numpy
import pytest

import glacis


def digest(system, seed, games=16, steps=200):
    batch = glacis.Batch(system, games, seed=seed, max_steps=150)
    told = hashlib.sha256()
    for _ in range(steps):
        ended, rewards = batch.step(batch.sample())
        for part in (ended, rewards, batch.observe(), batch.masks(), batch.agents()):
            told.update(part.tobytes())
    return told.hexdigest()


@pytest.mark.parametrize("system", sorted(glacis.systems()))
def test_a_batch_follows_from_its_seed(system):
    assert digest(system, "a", steps=40) == digest(system, "a", steps=40) != digest(system, "b", steps=40)


def test_a_row_of_a_batch_is_what_its_side_sees():
    batch = glacis.Batch("danzig", 32, seed=5, max_steps=100)
    random = numpy.random.default_rng(1)
    cut = 0
    for _ in range(150):
        masks = batch.masks()
        actions = (masks * random.random(masks.shape, dtype=numpy.float32)).argmax(axis=1)
        ended, rewards = batch.step(actions)
        cut += int((ended == 2).sum())
        assert batch.observe().shape == (32, batch.features) and rewards.shape == (32, 2)
        assert numpy.isfinite(batch.observe()).all() and (batch.agents() < 2).all()
    assert cut == 32


def test_one_wrong_action_and_no_game_has_changed():
    batch = glacis.Batch("danzig", 4, seed=5)
    before = batch.observe().tobytes()
    actions = batch.sample().copy()
    actions[2] = 255
    with pytest.raises(glacis.Refused) as refused:
        batch.step(actions)
    assert refused.value.field == "actions.2"
    with pytest.raises(glacis.Refused):
        batch.step(actions[:2])
    assert batch.observe().tobytes() == before
