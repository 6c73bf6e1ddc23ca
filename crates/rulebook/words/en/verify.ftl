# glacis verify
verify-truncated = the last line was left half-written and is dropped
verify-chain-whole = the record of { $system } is whole: { $entries } entries
verify-replayed = every order, die and state was played again and agrees
verify-unknown-system = this program does not know this game: its orders were not played again
