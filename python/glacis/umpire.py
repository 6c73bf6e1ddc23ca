"""The umpire's questions, and the systems that can be played."""

import json

from . import _glacis


def ask(question, request, lang="en"):
    """The answer of the umpire: ``{"answer": …, "because": […]}`` with the dice of the request, ``{"odds": …}``
    where dice are needed and none are given, ``{"refused": …}`` where a rule or the reader says no."""
    return json.loads(_glacis.ask(question, json.dumps(request), lang))


def questions():
    """The names of the questions."""
    return _glacis.questions()


def schema(question):
    """The JSON Schemas of a question: ``request`` and ``answer``."""
    return json.loads(_glacis.schema(question))


def systems():
    """The systems that can be played: scenarios and sides of each, by name."""
    return json.loads(_glacis.systems())


def pairs(options):
    """Options as the engine reads them."""
    return [(str(name), str(value)) for name, value in (options or {}).items()]
