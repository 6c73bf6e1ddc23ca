# What the game in the terminal says.
play-headline = turn { $turn }, round { $round }, { $phase }: { $side } decides; morale { $morale }
play-prompt = number, words to search for, undo or quit:
play-replayed = { $entries } decisions played again, up to turn { $turn }
