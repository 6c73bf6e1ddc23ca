# What the kernel itself says.
kernel-applied = applies
kernel-refused = refused
kernel-limit = at most { $value }
kernel-not-json = this is not JSON: { $detail }
kernel-not-an-object = this must be an object
kernel-unknown-field = there is no such field; known: { $expected }
kernel-missing-field = this field is missing
kernel-duplicate-field = this field is given twice
kernel-wrong-type = { $found } is not { $expected }
kernel-impossible-value = { $found } is impossible here; expected: { $expected }
kernel-unknown-choice = { $found } is none of: { $expected }
kernel-wrong-length = { $found } elements where { $expected } are expected
kernel-bad-value = this value is refused: { $found }
kernel-die-missing = die { $roll } (of { $sides } sides) is missing
kernel-die-left-over =
    { $given } dice are given where { $used ->
        [one] one is rolled
       *[other] { $used } are rolled
    }
kernel-die-impossible = die { $roll } shows { $face }, which a die of { $sides } cannot
kernel-no-dice = no die is rolled for this question
kernel-too-many-outcomes = more than { $limit } outcomes: too many to count
kernel-not-your-decision = the decision belongs to { $to_move }
kernel-stale-order = the game has moved on: it stands at { $expected }, the order was given at { $found }
kernel-game-over = the game is over
kernel-nothing-to-undo = nothing to take back: the last step rolled a die, revealed something or was not yours
kernel-no-offer = nothing is offered that you could answer
kernel-offer-pending = an offer is waiting for an answer already
kernel-dice-not-asked = this game rolls its own dice: none can be sent with an order
kernel-seed-unknown = the seed of the dice is not known here: nothing can be rolled
kernel-no-pledges = the dice of this game take no seed from this seat
kernel-pledged-already = this seat has put its seed into the dice already
kernel-pledge-too-late = a die has been rolled: no seed can be put into the dice any more
kernel-take-back-off = in this game no die and no revelation is taken back against the machine
kernel-table-already = the dice are rolled on a real table already
kernel-order-sealed = all orders are in: the one you sealed can no longer be changed
kernel-machine-seat = the machine plays this seat: it decides, declines and gives back, and does nothing else
kernel-machine-table = the machine cannot roll on a real table: with a machine at the table the server rolls
kernel-too-long = the record holds { $most } entries, as many as one may: all that is left is to give up
kernel-too-much-talk = this side has spoken and proposed { $most } times, as often as one may in a game
kernel-control-character = this text holds a character that cannot be read ({ $found })
kernel-not-offered = this is none of the choices offered
kernel-unknown-question = there is no question { $name }
kernel-wanted-flag = true or false
kernel-wanted-whole = a whole number
kernel-wanted-number = a number
kernel-wanted-text = a text
kernel-wanted-list = a list
kernel-wanted-object = an object
