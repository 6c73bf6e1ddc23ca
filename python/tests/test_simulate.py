"""The same seeds give the same bytes: in one process, on all cores, on a Ray cluster of two nodes."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import pandas
import pytest

import glacis

GAMES = {"system": "breach", "games": 20, "seed": "nodes", "players": {"garrison": "random", "besieger": "random"}}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture
def cluster():
    """A head and a second node, each with one core, on this machine only."""
    folder = tempfile.mkdtemp(prefix="ray")
    address = f"127.0.0.1:{free_port()}"
    ray = os.path.join(os.path.dirname(sys.executable), "ray")
    known = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "PYTHONWARNINGS": "ignore"}
    common = ["--node-ip-address=127.0.0.1", "--num-cpus=1", "--object-store-memory=80000000", "--block"]
    head = ["--head", f"--port={address.split(':')[1]}", "--include-dashboard=false", f"--temp-dir={folder}"]
    nodes = []
    try:
        for arguments in (head, [f"--address={address}"]):
            nodes.append(
                subprocess.Popen(
                    [ray, "start", *arguments, *common],
                    env=known,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            )
            wait_for(address, len(nodes))
        yield address
    finally:
        for node in reversed(nodes):
            os.killpg(node.pid, signal.SIGTERM)
        for node in nodes:
            try:
                node.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(node.pid, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(address, nodes, patience=120):
    """Until so many nodes have joined."""
    ask = (
        "import ray, sys\n"
        f"ray.init(address={address!r}, log_to_driver=False, logging_level='ERROR')\n"
        f"sys.exit(sum(node['Alive'] for node in ray.nodes()) < {nodes})\n"
    )
    until = time.monotonic() + patience
    while subprocess.run([sys.executable, "-c", ask], capture_output=True).returncode:
        assert time.monotonic() < until, f"no {nodes} nodes at {address}"


def test_one_process_all_cores_and_two_nodes_write_the_same_bytes(cluster, tmp_path):
    import ray

    written = {}
    for name, how in {"one": {"workers": 1}, "cores": {"workers": 2}}.items():
        glacis.simulate(**GAMES, **how, out=tmp_path / name)
        written[name] = (tmp_path / name).read_bytes()
    ray.init(address=cluster, log_to_driver=False)
    try:
        assert sum(node["Alive"] for node in ray.nodes()) == 2
        glacis.simulate(**GAMES, address=cluster, out=tmp_path / "ray")
    finally:
        ray.shutdown()
    written["ray"] = (tmp_path / "ray").read_bytes()
    assert written["one"] == written["cores"] == written["ray"]
    table = pandas.read_parquet(tmp_path / "ray")
    assert list(table["game"]) == list(range(GAMES["games"]))
    assert ((table["score_garrison"] + table["score_besieger"]) == 1).all()


def test_a_seed_is_other_games_and_a_longer_run_begins_with_a_shorter_one():
    short = glacis.simulate(**{**GAMES, "games": 3}, workers=1).to_pylist()
    assert glacis.simulate(**{**GAMES, "games": 10}, workers=2).to_pylist()[:3] == short
    assert glacis.simulate(**{**GAMES, "games": 3, "seed": "other"}, workers=1).to_pylist() != short


def test_what_is_not_there_is_named():
    for wrong, named in [
        ({"system": "chess"}, "danzig"),
        ({"scenario": "paris"}, "paris"),
        ({"players": {"saxon": "random"}}, "garrison"),
        ({"players": {"garrison": "genius"}}, "sensible"),
    ]:
        with pytest.raises(ValueError, match=named):
            glacis.simulate(**{**GAMES, **wrong}, workers=1)
    with pytest.raises(glacis.Refused) as refused:
        glacis.simulate(**GAMES, options={"nonsense": 1}, workers=1)
    assert refused.value.field == "options.nonsense"
