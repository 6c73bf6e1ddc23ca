# What is wrong with a record.
record-empty = the record is empty
record-no-header = the first line is not the header of a record: { $detail }
record-version = the record is of format { $found }: Glacis { $product }, which wrote it, reads it; this program reads format { $expected }
record-other-system = the record is of { $found }, not of { $expected }
record-no-entry = line { $line } is not an entry: { $detail }
record-altered = line { $line } was altered: its hash does not fit
record-missing = a line is missing before line { $line }: entry { $expected } is expected, { $found } stands there
record-out-of-order = the lines are out of order at line { $line }: entry { $expected } is expected, { $found } stands there
record-repeated = line { $line } repeats entry { $found }; entry { $expected } is expected
record-refused = the rules refuse line { $line }: { $detail }
record-dice = the dice of line { $line } do not fit: { $detail }
record-not-of-the-seed = the dice of line { $line } are not those of the seed
record-state = after line { $line } the state is another than the one recorded
record-commitment = the seed revealed in line { $line } is not the one committed to
record-pledge = the sealed seed in line { $line } is not the one it commits to
record-revealed = line { $line } reveals the seed while the game goes on, or a second time
record-adopted = line { $line } takes over a game that is over with a new seed, or one that goes on without any
