"""Many games between players of the house."""

import json
import os
from concurrent.futures import ThreadPoolExecutor

from . import _glacis
from .umpire import pairs

#: So many games are one piece of work. Results do not depend on it.
PIECE = 8


def simulate(
    system,
    games,
    seed="glacis",
    players=None,
    scenario=None,
    options=None,
    workers=None,
    address=None,
    out=None,
):
    """Plays `games` games and gives back a table (`pyarrow.Table`) with a row for each.

    `players` says who plays which side (``{"french": "random"}``); who is not named plays sensibly. Game number
    `n` of a seed is the same game wherever it is played, so that the same call gives the same bytes

    - in this process (`workers=1`),
    - on so many cores of this machine (`workers=N`, as many as there are unless told),
    - and on a Ray cluster (`address="auto"`, or the address of its head).

    With `out`, the table is written there as Parquet, which pandas and polars read.
    """
    work = [
        (system, scenario, pairs(options), pairs(players), str(seed), first, min(PIECE, games - first))
        for first in range(0, games, PIECE)
    ]
    if address is not None:
        pieces = on_ray(work, address)
    else:
        with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
            pieces = list(pool.map(lambda piece: _glacis.rows(*piece), work))
    table = as_table(b"".join(pieces))
    if out is not None:
        write(table, out)
    return table


def on_ray(work, address):
    """Spreads pieces of work over a Ray cluster, and gives them back in their order."""
    import ray

    mine = not ray.is_initialized()
    if mine:
        ray.init(address=address, log_to_driver=False)
    try:
        play = ray.remote(num_cpus=1)(piece)
        return ray.get([play.remote(*one) for one in work])
    finally:
        if mine:
            ray.shutdown()


def piece(*work):
    """One piece of work, on whichever node it is done."""
    from glacis import _glacis

    return _glacis.rows(*work)


def as_table(lines):
    """Rows of JSON as a table: the plain columns, one column for the score of each side, and what is told of
    turns, losses and the end as JSON text."""
    import pyarrow

    rows = [json.loads(line) for line in lines.splitlines()]
    columns = {
        "game": pyarrow.array([row["game"] for row in rows], pyarrow.uint64()),
        "result": pyarrow.array([row["result"] for row in rows], pyarrow.string()),
        "turn": pyarrow.array([row["turn"] for row in rows], pyarrow.uint8()),
        "decisions": pyarrow.array([row["decisions"] for row in rows], pyarrow.uint32()),
    }
    for side in sorted({side for row in rows for side in row.get("scores", {})}):
        columns[f"score_{side}"] = pyarrow.array([row["scores"][side] for row in rows], pyarrow.float64())
    known = {"game", "result", "turn", "decisions", "scores"}
    for name in sorted({name for row in rows for name in row} - known):
        told = [json.dumps(row.get(name), sort_keys=True, ensure_ascii=False) for row in rows]
        columns[name] = pyarrow.array(told, pyarrow.string())
    return pyarrow.table(columns)


def write(table, path):
    """Writes a table as Parquet: the same table is the same bytes."""
    from pyarrow import parquet

    parquet.write_table(table, path, compression="snappy")
