"""The umpire: answers with dice, odds without, refusals that say why."""

from fractions import Fraction

import pytest

import glacis

FIRE = {"shooter": {"weapon": "musket", "factor": 4, "figures": 12}, "distance_cm": 6, "target": {"class": "mass"}}


def test_with_dice_it_answers_and_without_it_gives_every_answer_its_odds():
    answered = glacis.ask("tabletop.fire", {**FIRE, "dice": [4]})
    assert answered["dice"] == [4] and answered["because"]
    odds = glacis.ask("tabletop.fire", FIRE)["odds"]
    assert sum(Fraction(one["p"]) for one in odds) == 1
    assert answered["answer"] in [one["answer"] for one in odds]


def test_both_languages_are_spoken():
    french, english = (glacis.ask("tabletop.fire", {**FIRE, "dice": [4]}, lang)["because"] for lang in ("fr", "en"))
    assert [one["rule"] for one in french] == [one["rule"] for one in english]
    assert [one["text"] for one in french] != [one["text"] for one in english]


def test_a_refusal_is_an_answer_that_names_its_field():
    assert glacis.ask("tabletop.fire", {**FIRE, "distance_cm": "near"})["refused"]["field"] == "distance_cm"


def test_every_question_has_its_schemas():
    assert "tabletop.fire" in glacis.questions()
    assert all({"request", "answer"} <= glacis.schema(question).keys() for question in glacis.questions())


def test_a_question_that_nobody_knows_is_refused():
    with pytest.raises(glacis.Refused) as refused:
        glacis.ask("tabletop.nonsense", {})
    assert refused.value.field == "question"
