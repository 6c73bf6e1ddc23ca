# Ce que dit la partie au terminal.
play-headline = tour { $turn }, round { $round }, { $phase } : à { $side } de décider ; moral { $morale }
play-prompt = numéro, mots à chercher, undo ou quit :
play-replayed = { $entries } décisions rejouées, jusqu'au tour { $turn }
