"""A PettingZoo environment (AEC) of any system.

An **action** is an index below 256. A decision is asked for in stages, each a step of the environment: its
*kind*, what it is about (its *subject*), and which *order* of those that are left. A stage with one choice is
passed over; lists longer than 256 are told in blocks. ``action_mask`` marks the indexes that may be chosen, and
:meth:`Environment.meaning` says what each stands for. A kind has the same index in the whole system; a subject has
the index of its number plus one (0: nothing in particular).

An **observation** is a row of numbers of fixed length, from what the side may see and nothing else;
:attr:`Environment.names` names each: ``unit[F01].steps``. The last seven tell what the side is asked.

**Rewards** come at the end: 1 to who has won, -1 to who has lost, 0 to both where neither has.
"""

import json

import numpy
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from . import _glacis
from .umpire import pairs, systems


def env(system, scenario=None, options=None, max_steps=None):
    """The environment with PettingZoo's usual guards around it."""
    made = Environment(system, scenario=scenario, options=options, max_steps=max_steps)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


class Environment(AECEnv):
    """One game at a time. `max_steps` cuts a game short (truncation) after so many steps."""

    def __init__(self, system, scenario=None, options=None, max_steps=None):
        super().__init__()
        self.metadata = {"name": f"{system}_v0", "render_modes": [], "is_parallelizable": False}
        self.render_mode = None
        self._arena = _glacis.Arena(system, scenario, pairs(options))
        self._max_steps = max_steps
        self._random = None
        #: The name of each number of an observation.
        self.names = self._arena.names()
        #: The kinds of decision, by the index of their stage.
        self.kinds = self._arena.kinds()
        self.possible_agents = list(systems()[system]["sides"])
        seen = spaces.Box(-numpy.inf, numpy.inf, (len(self.names),), numpy.float32)
        mask = spaces.Box(0, 1, (_glacis.WIDTH,), numpy.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(_glacis.WIDTH) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        """Begins a game: the same seed gives the same games, one after the other."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self._arena.begin(int(self._random.integers(2**63)))
        self._steps = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._look()

    def _look(self):
        """Sees who is asked."""
        asked = self._arena.asked()
        if asked is not None:
            self.agent_selection = self.possible_agents[asked]

    def observe(self, agent):
        """What this side sees; nothing is to be chosen where it is not asked."""
        place = self.possible_agents.index(agent)
        seen = numpy.frombuffer(self._arena.features(place), dtype=numpy.float32).copy()
        if self._arena.asked() == place:
            mask = numpy.frombuffer(self._arena.mask(), dtype=numpy.int8).copy()
        else:
            mask = numpy.zeros(_glacis.WIDTH, dtype=numpy.int8)
        return {"observation": seen, "action_mask": mask}

    def meaning(self, action):
        """What an action stands for now: ``{"kind": …}``, ``{"subject": …}``, ``{"order": …}`` or
        ``{"block": [first, end]}``; none where it may not be chosen."""
        told = self._arena.meaning(int(action))
        return None if told is None else json.loads(told)

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._arena.choose(int(action))
        self._steps += 1
        self._clear_rewards()
        scores = self._arena.scores()
        if scores is not None:
            for side, score in zip(self.possible_agents, scores):
                self.rewards[side] = 2.0 * score - 1.0
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        elif self._max_steps is not None and self._steps >= self._max_steps:
            self.truncations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self._look()
        self._accumulate_rewards()

    def render(self):
        """Nothing: the pages of the program show games."""

    def close(self):
        """Nothing is open."""
