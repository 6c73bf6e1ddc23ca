# glacis verify
verify-truncated = the last line was left half-written and is dropped
verify-chain-whole = the record of { $system } is whole: { $entries } entries
verify-unknown-system = the rules of { $system } are not known here: only the chain of its lines was checked
verify-played-again = every order and every state was checked by the rules
verify-open-seed = every die follows from the seed
verify-revealed-seed = the seed revealed is the one committed to, and every die follows from it
verify-secret-seed = the seed is still secret: the dice can be checked when it is revealed
verify-table-dice = the dice were rolled by the players
verify-luck = { $side }: { $dice } show { $sum }, { $expected } on average; this much or more in { $more } % of games, this much or less in { $less } %
verify-results = { $side }, { $decisions ->
    [one] one decision
   *[other] { $decisions } decisions
}: { $gauge } { $actual }, { $expected } on average; this much or more in { $more } % of games, this much or less in { $less } %
verify-not-weighed = { $decisions ->
    [one] One decision was not weighed: its dice can fall in too many ways
   *[other] { $decisions } decisions were not weighed: their dice can fall in too many ways
}
