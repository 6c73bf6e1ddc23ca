# glacis verify
verify-truncated = the last line was left half-written and is dropped
verify-chain-whole = the record of { $system } is whole: { $entries } entries
