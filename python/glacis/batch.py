"""Many games side by side."""

import numpy

from . import _glacis
from .umpire import pairs


class Batch:
    """So many games of a system, stepped together. What is said in :mod:`glacis.environment` of observations
    and actions holds here too; every array has a row for each game. A game that ends makes room for the next
    at once: :meth:`step` then tells of its end, and the arrays show the new one.

    The games follow from the seed, whatever else is played; a game of more than `max_steps` steps is cut short.
    """

    def __init__(self, system, games, scenario=None, options=None, seed="glacis", max_steps=None):
        self._batch = _glacis.Batch(system, games, scenario, pairs(options), str(seed), max_steps)
        self.games, self.sides, self.features = self._batch.shape()

    def step(self, actions):
        """Gives each game its action. Returns `ended` (0 goes on, 1 was over, 2 was cut short) and `rewards`
        (a column for each side: -1 to 1 where a game was over, 0 elsewhere)."""
        self._batch.step(numpy.ascontiguousarray(actions, dtype=numpy.uint16).tobytes())
        ended = numpy.frombuffer(self._batch.ended(), dtype=numpy.uint8)
        rewards = numpy.frombuffer(self._batch.rewards(), dtype=numpy.float32)
        return ended, rewards.reshape(self.games, self.sides)

    def observe(self):
        """What the side that is asked sees in each game."""
        rows = numpy.frombuffer(self._batch.features(), dtype=numpy.float32)
        return rows.reshape(self.games, self.features)

    def masks(self):
        """1 for each action that may be chosen."""
        return numpy.frombuffer(self._batch.masks(), dtype=numpy.int8).reshape(self.games, _glacis.WIDTH)

    def agents(self):
        """The place of the side that is asked, in each game."""
        return numpy.frombuffer(self._batch.asked(), dtype=numpy.uint8)

    def sample(self):
        """For each game an action that may be chosen, each as likely as any other."""
        return numpy.frombuffer(self._batch.any(), dtype=numpy.uint16)
