"""PettingZoo's own tests, unchanged, for every system; and what they do not look at."""

import numpy
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

import glacis

SYSTEMS = sorted(glacis.systems())


@pytest.mark.parametrize("system", SYSTEMS)
def test_api(system):
    api_test(glacis.env(system), num_cycles=200)


@pytest.mark.parametrize("system", SYSTEMS)
def test_seed(system):
    seed_test(lambda: glacis.env(system), num_cycles=100)


@pytest.mark.parametrize("system", SYSTEMS)
def test_performance(system, capsys):
    performance_benchmark(glacis.env(system))
    assert "turns per second" in capsys.readouterr().out


def test_a_game_goes_to_its_end_and_one_wins_what_the_other_loses():
    env = glacis.env("breach")
    env.reset(seed=3)
    env.action_space(env.agents[0]).seed(3)
    totals = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter(200_000):
        seen, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
    assert not env.agents
    assert sorted(totals.values()) == [-1.0, 1.0]


def test_a_game_that_is_too_long_is_cut_short():
    env = glacis.env("danzig", max_steps=25)
    env.reset(seed=1)
    steps = 0
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        assert reward == 0 and not terminated
        env.step(None if truncated else int(numpy.flatnonzero(seen["action_mask"])[0]))
        steps += not truncated
    assert steps == 25


def test_every_choice_has_a_meaning_and_nothing_else_has():
    env = glacis.env("danzig")
    env.reset(seed=1)
    seen = env.observe(env.agent_selection)
    raw = env.unwrapped
    for action, allowed in enumerate(seen["action_mask"]):
        assert (raw.meaning(action) is not None) == bool(allowed)
    assert len(raw.names) == len(seen["observation"]) and "unit[F01].steps" in raw.names
    other = next(agent for agent in env.possible_agents if agent != env.agent_selection)
    assert not env.observe(other)["action_mask"].any()


def test_what_may_not_be_chosen_is_refused():
    env = glacis.env("danzig")
    env.reset(seed=1)
    mask = env.observe(env.agent_selection)["action_mask"]
    with pytest.raises(glacis.Refused) as refused:
        env.step(int(numpy.flatnonzero(mask == 0)[0]))
    assert refused.value.field == "action"
