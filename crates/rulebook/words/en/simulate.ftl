# glacis simulate
simulate-progress = { $done } of { $games } games, { $rate } a second, { $left } s left
simulate-played = { $games } games of { $system }, scenario { $scenario }, seed { $seed }: { $players }
simulate-share = { $result }: { $count }, { $percent } % (95 % interval { $low } to { $high } %)
simulate-unfinished = given up after { $decisions } decisions
simulate-turns = ended on turn
simulate-turn = { $turn }: { $count } { $bar }
simulate-to-the-last = played to the last turn: { $count } { $bar }
simulate-length = decisions in a game: median { $median }, fewest { $least }, most { $most }
