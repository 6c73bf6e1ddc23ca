-- Tables that several lay together: what each began as, and the changes since.
CREATE TABLE laid_tables (
    -- Its name in addresses, which is its secret.
    word TEXT PRIMARY KEY,
    start TEXT NOT NULL,
    -- Whose it is: so much is kept for one network.
    network TEXT NOT NULL,
    -- When it was last touched, in seconds since 1970.
    used BIGINT NOT NULL
);
CREATE TABLE laid_changes (
    word TEXT NOT NULL REFERENCES laid_tables (word),
    n BIGINT NOT NULL,
    change TEXT NOT NULL,
    PRIMARY KEY (word, n)
);
