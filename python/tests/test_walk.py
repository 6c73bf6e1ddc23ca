"""The walk of docs/python.md: its blocks of Python are run one after the other, in one place."""

import pathlib
import re

WALK = pathlib.Path(__file__).parents[2] / "docs/python.md"


def test_the_walk_goes_where_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", WALK.read_text(), re.DOTALL)
    assert len(blocks) >= 6
    names = {}
    for block in blocks:
        exec(compile(block, str(WALK), "exec"), names)
