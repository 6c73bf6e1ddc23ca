"""Glacis: umpire, games and opponents for horse-and-musket sieges and battles.

- :func:`ask` puts a question to the umpire and gives the answer, or the exact odds of every answer;
- :class:`Game` is a game that is played and recorded, order by order;
- :func:`env` is a PettingZoo environment of a system, for one game at a time;
- :class:`Batch` steps many games at once;
- :func:`simulate` lets players of the house play many games: here, on all cores, or on a Ray cluster.
"""

from . import _glacis
from .batch import Batch
from .game import Game
from .refused import Refused
from .simulate import simulate
from .umpire import ask, questions, schema, systems

#: So many indexes an action is chosen from, whatever the system.
WIDTH = _glacis.WIDTH

__all__ = ["WIDTH", "Batch", "Game", "Refused", "ask", "env", "questions", "schema", "simulate", "systems"]


def env(system, scenario=None, options=None, max_steps=None):
    """A PettingZoo AEC environment of a system: see :class:`glacis.environment.Environment`."""
    from .environment import env as made

    return made(system, scenario=scenario, options=options, max_steps=max_steps)
