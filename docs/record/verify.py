"""Checks records of Glacis, format 2: form, chain, commitments, sealed orders and dice (docs/record.md).
What the rules allow, and so the states, it cannot know: `glacis verify` plays every order again.
    pip install blake3 && python3 verify.py game.jsonl ..."""
import itertools, json, re, struct, sys
from blake3 import blake3
SHAPE = re.compile(rb'(.*),"chain":"([0-9a-f]{64})"\}')
HEADER = ["glacis", "system", "scenario", "options", "seed", "terms", "product", "chain"]
ENTRY = ["n", "side", "deed", "state", "chain"]
STILL = ["seal", "resign", "offer", "decline", "words", "pledge", "reveal"]  # these change no state
QUARTERS = [[n, (n + k) % 4 + 4, (n + 2 * k) % 4 + 8, (n + 3 * k) % 4 + 12] for k in (0, 1) for n in range(4)]
ORDER, SEAT = "glacis sealed order commitment v1", "glacis seat seed commitment v2"
MOST, raw = 2**32 - 1, bytes.fromhex
def need(holds, otherwise):
    if not holds:
        raise ValueError(otherwise)
def derive(context, *parts, length=32):
    return blake3(b"".join(parts), derive_key_context=context).digest(length)
def text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
def opened(masked, mask, commitment, context, server, pad=b""):  # what is under a mask, if it was committed to
    veil = derive(mask, server, raw(commitment), length=len(masked) // 2)
    found = bytes(a ^ b for a, b in zip(raw(masked), veil)).rstrip(pad)
    need(derive(context, found).hex() == commitment, "what is sealed is not what was committed to")
    return found
def words(key):  # the 32-bit words of ChaCha with twelve rounds, counter and nonce zero
    for block in itertools.count():
        first = struct.unpack("<12I", b"expand 32-byte k" + key) + (block & MOST, block >> 32, 0, 0)
        now = list(first)
        for a, b, c, d in QUARTERS * 6:
            for to, other, into, by in (a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7):
                now[to] = now[to] + now[other] & MOST
                turned = now[into] ^ now[to]
                now[into] = (turned << by | turned >> 32 - by) & MOST
        yield from (a + b & MOST for a, b in zip(now, first))
def face(stream, sides):
    return next(word for word in stream if word < MOST - MOST % sides) % sides + 1

def read(data, at):  # the lines, as far as they are written as they must be and their chain holds
    (*lines, last), chain = data.split(b"\n"), bytes(32)
    for at[0], line in enumerate(lines + [last][:bool(SHAPE.fullmatch(last))], 1):  # the last may be half-written
        need(SHAPE.fullmatch(line), "no hash at its end")
        row, chain = json.loads(line), blake3(SHAPE.fullmatch(line)[1], key=chain).digest()
        need(at[0] > 1 or row["glacis"] == 2, f"of a format that Glacis {row.get('product')} reads")
        need(chain.hex() == row["chain"], "the chain is broken")
        need(list(row) == (ENTRY if at[0] > 1 else HEADER) and text(row) == line, "not as it must be written")
        yield row

def verify(data, at):  # how many lines, dice of the seeds, dice nobody can check and seals there are
    header, *entries = read(data, at)
    revealed = next((raw(entry["deed"]["reveal"]) for entry in entries if "reveal" in entry["deed"]), None)
    def begin(source):  # the dice come from here; nobody has pledged, sealed or rolled yet
        fits = revealed and source == {"committed": derive("glacis seed commitment v1", revealed).hex()}
        server = raw(source["open"]) if "open" in source else revealed if fits else None
        return source, server, source == "table", {}, {}, None, False
    source, server, table, seats, sealed, offered, rolled = begin(header["seed"])
    rolls, checked, unknown, seals, state, closed = 0, 0, 0, 0, None, False
    for at[0], entry in enumerate(entries, 2):
        side, deed, before, state = entry["side"], entry["deed"], state, entry["state"]
        (kind, what), = [(deed, {})] if isinstance(deed, str) else deed.items()
        need(entry["n"] == at[0] - 1 and (side is None) == (kind in ["adopt", "reveal"]), "another number or side")
        need(not closed or kind == "adopt" and not what["commitment"], "nothing follows the end")
        need(kind not in STILL or before in [None, state], "another state, though nothing changed it")
        if kind == "decide":
            dice = [(die["d"], die["face"]) for die in what["dice"]]
            if sealed or "salt" in what:
                hash = derive(ORDER, raw(what.get("salt", "")), text(what["action"])).hex()
                need(sealed.pop(side, None) == hash, "not the order that was sealed")
            need(all(1 <= shown <= sides for sides, shown in dice), "a die without such a face")
            if known := bool(server) and not table:
                mixed = derive("glacis mixed seed v2", server, *seats.values())
                stream = words(blake3(rolls.to_bytes(8, "little"), key=mixed).digest())
                need(all(face(stream, sides) == shown for sides, shown in dice), "not the dice of the seeds")
            checked, unknown = checked + known * len(dice), unknown + (not known) * len(dice)
            rolls, rolled, offered = rolls + bool(dice), rolled or bool(dice), None
        elif kind == "seal":
            sealed[side], seals = what["commitment"], seals + 1
            server and opened(what["masked"], "glacis sealed order v1", sealed[side], ORDER, server, b" ")
        elif kind == "pledge":
            need("committed" in source and not (table or rolled or side in seats), "a pledge too late or too many")
            pledge = what["sealed"], "glacis sealed seat seed v2", what["commitment"]
            seats[side] = server and opened(*pledge, SEAT, server)
        elif kind == "offer":
            offered = what
        elif kind == "accept":  # no system has more than two sides: this word was the last
            table, sealed = table or offered == "table_dice", {} if offered == "take_back" else sealed
        elif kind == "undo" and sealed.pop(side, None) is None:  # not what it sealed, but its last decision
            sealed, offered = {}, None
        elif kind == "adopt" and what["commitment"]:
            source, server, table, seats, sealed, offered, rolled = begin({"committed": what["commitment"]})
        need(kind != "reveal" or server and "committed" in source, "another seed than the one committed to")
        closed = closed or kind == "reveal" or kind == "adopt" and not what["commitment"]
    return at[0], checked, unknown, seals

if __name__ == "__main__":
    for path in sys.argv[1:]:
        try:
            counts = verify(open(path, "rb").read(), at := [0])
            print("{}: {} lines, {} dice of the seeds, {} unknown, {} seals".format(path, *counts))
        except (ValueError, KeyError, TypeError, AttributeError) as fault:
            sys.exit(f"{path}: line {at[0]}: {fault}")
