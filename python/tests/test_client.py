"""A client made from the description of the API by `openapi-python-client`: nothing of it is left out, and it
plays a game of every system over HTTP."""

import importlib
import os
import pathlib
import random
import subprocess
import sys

import pytest

import glacis

HERE = pathlib.Path(__file__).parent
PROGRAM = pathlib.Path(os.environ.get("GLACIS_PROGRAM", HERE.parents[1] / "target/debug/glacis"))

#: So many orders are given over HTTP; then the side that is asked gives up.
ORDERS = 40


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built")
    database = tmp_path_factory.mktemp("games") / "games.sqlite"
    command = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--database", f"sqlite:{database}", "--lang", "en"]
    running = subprocess.Popen([*command, "--rate", "0"], stdout=subprocess.PIPE, text=True)
    try:
        yield running.stdout.readline().split()[-1]
    finally:
        running.terminate()
        running.wait(30)


@pytest.fixture(scope="module")
def client(server, tmp_path_factory):
    """The package that the generator writes; it has nothing to complain of."""
    folder = tmp_path_factory.mktemp("generated")
    generator = pathlib.Path(sys.executable).with_name("openapi-python-client")
    command = [generator, "generate", "--url", f"{server}/api", "--output-path", folder / "glacis_client"]
    told = subprocess.run(
        [*command, "--meta", "none", "--config", HERE / "openapi-client.yaml"], capture_output=True, text=True
    )
    said = told.stdout + told.stderr
    assert told.returncode == 0, said
    for complaint in ("warning", "unable", "will not be generated", "omitted"):
        assert complaint not in said.lower(), said
    sys.path.insert(0, str(folder))
    return importlib.import_module("glacis_client")


def operation(client, name):
    return importlib.import_module(f"{client.__name__}.api.default.{name}")


def model(client, name):
    return getattr(importlib.import_module(f"{client.__name__}.models"), name)


def test_no_operation_is_dropped(client, server):
    import httpx

    paths = httpx.get(f"{server}/api").json()["paths"]
    told = sum(len(methods) for methods in paths.values())
    folder = pathlib.Path(client.__file__).parent / "api/default"
    made = [file for file in folder.glob("*.py") if file.name != "__init__.py"]
    assert len(made) == told > 60


@pytest.mark.parametrize("system", sorted(glacis.systems()))
def test_it_plays_a_game_of_every_system(client, server, system):
    anybody = client.Client(base_url=server)
    listed = {one.system: one for one in operation(client, "list_systems").sync(client=anybody)}
    creation = model(client, "Creation")(system=system, scenario=listed[system].scenarios[0])
    created = operation(client, "create_game").sync(client=anybody, body=creation)
    seats = {
        seat.side: client.AuthenticatedClient(base_url=server, token=seat.secret) for seat in created.seats
    }
    lot = random.Random(1807)
    for _ in range(ORDERS):
        side = operation(client, "view_game").sync(created.game, client=next(iter(seats.values()))).deciders[0]
        offered = operation(client, "list_actions").sync(created.game, client=seats[side])
        order = model(client, "Act")(seen=offered.entries, action=lot.choice(offered.actions))
        happened = operation(client, "act").sync(created.game, client=seats[side], body=order)
        assert isinstance(happened, model(client, "Happened")), happened
        if happened.over:
            break
    else:
        give_up = model(client, "Plain")(seen=happened.n)
        happened = operation(client, "resign").sync(created.game, client=seats[side], body=give_up)
    assert happened.over
    ended = operation(client, "view_game").sync(created.game, client=seats[side])
    assert ended.over and ended.outcome is not None
    record = operation(client, "record").sync_detailed(created.game, client=seats[side]).content.decode()
    # What came over the wire is a record that the package itself believes, line by line.
    assert glacis.Game.read(record).outcome() is not None


def test_a_refusal_names_its_rule(client, server):
    anybody = client.Client(base_url=server)
    creation = model(client, "Creation")(system="danzig", scenario="danzig-1807")
    created = operation(client, "create_game").sync(client=anybody, body=creation)
    seat = next(seat for seat in created.seats if seat.side == "prussian")
    prussian = client.AuthenticatedClient(base_url=server, token=seat.secret)
    order = model(client, "Act").from_dict({"seen": 0, "action": {"set-city-unit": {"unit": "F01", "place": "reserve"}}})
    reply = operation(client, "act").sync_detailed(created.game, client=prussian, body=order)
    assert reply.status_code == 422 and reply.parsed.refused.rule.startswith("DZ-")


def test_a_question_is_asked_by_its_type(client, server):
    request = model(client, "TabletopFireRequest").from_dict(
        {"shooter": {"weapon": "musket", "factor": 4, "figures": 12}, "distance_cm": 6, "target": {"class": "mass"}}
    )
    reply = operation(client, "ask_tabletop_fire").sync(client=client.Client(base_url=server), body=request)
    assert reply.odds and reply.because
