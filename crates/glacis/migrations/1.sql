-- The record of every game, one row for each line, never changed once written.
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    system TEXT NOT NULL,
    header TEXT NOT NULL,
    -- The secret seed of the dice, in hexadecimal; empty where there is none.
    seed TEXT NOT NULL,
    -- How many entries the record holds: the next one must have the number after it.
    entries BIGINT NOT NULL,
    created BIGINT NOT NULL
);
CREATE TABLE seats (
    game TEXT NOT NULL REFERENCES games (id),
    -- The place of the side; -1 for spectators.
    place BIGINT NOT NULL,
    -- The hash of the secret; the secret itself is nowhere.
    hash TEXT NOT NULL,
    player TEXT NOT NULL,
    PRIMARY KEY (game, place)
);
CREATE TABLE entries (
    game TEXT NOT NULL REFERENCES games (id),
    n BIGINT NOT NULL,
    at BIGINT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (game, n)
);
-- States to open long games from; the record stays the truth, and any of these may be deleted.
CREATE TABLE snapshots (
    game TEXT PRIMARY KEY REFERENCES games (id),
    n BIGINT NOT NULL,
    product TEXT NOT NULL,
    state TEXT NOT NULL
);
