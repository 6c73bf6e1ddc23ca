# glacis verify
verify-truncated = the last line was left half-written and is dropped
verify-chain-whole = the record of { $system } is whole: { $entries } entries
verify-unknown-system = the rules of { $system } are not known here: only the chain of its lines was checked
verify-played-again = every order and every state was checked by the rules
verify-open-seed = every die follows from the seed
verify-revealed-seed = the seed revealed is the one committed to, and every die follows from it
verify-secret-seed = the seed is still secret: the dice can be checked when it is revealed
verify-table-dice = the dice were rolled by the players
verify-lost-seed = these dice cannot be checked: the game went on elsewhere and their seed was never revealed
verify-stretch = entries { $from } to { $to }:
verify-imported = with entry { $entry } another server took the game over; what comes before is as its importer says, as far as the rules allow it
verify-pledged = { $side }: a seed of the player's own is in the dice; its hash is { $hash }
verify-not-pledged = { $side }: the player put no seed of his own into the dice; they rest on the server's alone for this seat
verify-machine-seat = { $side }: played by the machine, which has no seed of its own
verify-rolls-taken-back = { $count ->
    [one] one decision that rolled was taken back by agreement
   *[other] { $count } decisions that rolled were taken back by agreement
}
verify-luck = { $side }: { $dice } show { $sum }, { $expected } on average; this much or more in { $more } % of games, this much or less in { $less } %
verify-results = { $side }, { $decisions ->
    [one] one decision
   *[other] { $decisions } decisions
}: { $gauge } { $actual }, { $expected } on average; this much or more in { $more } % of games, this much or less in { $less } %
verify-not-weighed = { $decisions ->
    [one] One decision was not weighed: its dice can fall in too many ways
   *[other] { $decisions } decisions were not weighed: their dice can fall in too many ways
}
