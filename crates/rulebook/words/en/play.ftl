# glacis play and glacis replay
play-to-move = { $side } to decide
play-help = a number chooses · gN opens group N · /words searches · oN odds of choice N · r RULE reads a rule · a lists all · u takes back · q leaves
play-nothing-found = nothing fits
play-undone = takes back
play-seed-revealed = the seed is revealed
play-resigns = resigns
play-offers = makes an offer
play-accepts = accepts
play-declines = declines
play-seals = has sealed an order
play-pledges = puts a seed of its own into the dice
play-taken-over = another server takes the game over
play-not-asked-of-a-game = { $name } cannot be asked about a game of { $system }
play-no-maps = the maps of { $system } cannot be drawn
