"""A game that is played and recorded."""

import json
import secrets

from . import _glacis
from .umpire import pairs


class Game:
    """A game of any system. The dice follow from the seed, so that the same orders give the same game; without
    one, a seed is drawn and kept in :attr:`seed`. What a rule forbids raises :class:`glacis.Refused`, and
    nothing has changed then."""

    def __init__(self, system, scenario=None, options=None, seed=None, lang="en"):
        self.seed = secrets.token_hex(16) if seed is None else str(seed)
        self.lang = lang
        self._game = _glacis.Game(system, scenario, pairs(options), self.seed, lang)

    @classmethod
    def read(cls, record, lang="en"):
        """A game from its record (text), every line of which is checked."""
        game = cls.__new__(cls)
        game.seed, game.lang = None, lang
        game._game = _glacis.Game.read(record, lang)
        return game

    @property
    def system(self):
        """The name of the system."""
        return self._game.system

    @property
    def scenario(self):
        """The name of the scenario."""
        return self._game.scenario

    @property
    def sides(self):
        """The sides, in order."""
        return self._game.sides

    @property
    def entries(self):
        """How many entries the record has."""
        return self._game.entries

    def deciders(self):
        """The sides whose decision is waited for: none when it is over."""
        return self._game.deciders()

    def _side(self, side):
        return side if side is not None else next(iter(self.deciders()), self.sides[0])

    def actions(self, side=None):
        """What a side may decide; whoever is waited for first, unless told."""
        return json.loads(self._game.actions(self._side(side)))

    def kinds(self, side=None):
        """How many decisions of each kind a side has."""
        return dict(self._game.kinds(self._side(side)))

    def subjects(self, kind, side=None):
        """How many decisions of a kind there are about each subject."""
        return dict(self._game.subjects(self._side(side), kind))

    def candidates(self, kind, subject=None, side=None):
        """The decisions of a kind about a subject."""
        return json.loads(self._game.candidates(self._side(side), kind, subject))

    def suggestion(self, side=None, seed=0):
        """What the sensible player of the house would decide; none where the side is not asked."""
        told = self._game.suggestion(self._side(side), seed)
        return None if told is None else json.loads(told)

    def apply(self, action, side=None):
        """Decides; gives back what was said, entry by entry: side, deed, dice (sides and face), reasons."""
        return json.loads(self._game.apply(self._side(side), json.dumps(action), self.lang))

    def undo(self, side=None):
        """Takes back the last decision of a side, if it neither rolled nor revealed."""
        return json.loads(self._game.undo(self._side(side), self.lang))

    def view(self, reader=None):
        """What a side, or a spectator, may see."""
        return json.loads(self._game.view(reader))

    def outcome(self):
        """How it ended; none before."""
        told = self._game.outcome()
        return None if told is None else json.loads(told)

    def record(self):
        """The record: one JSON object on each line."""
        return self._game.record()
