# glacis play et glacis replay
play-to-move = { $side } : à vous de décider
play-help = un nombre choisit · gN ouvre le groupe N · /mots cherche · oN chances du choix N · r RÈGLE lit une règle · a liste tout · u reprend · q quitte
play-nothing-found = rien ne correspond
play-undone = reprend son coup
play-seed-revealed = la graine est révélée
play-resigns = abandonne
play-offers = fait une proposition
play-accepts = accepte
play-declines = refuse
play-seals = a scellé un ordre
play-pledges = met une graine à lui dans les dés
play-taken-over = un autre serveur reprend la partie
play-not-asked-of-a-game = { $name } ne se pose pas sur une partie de { $system }
play-no-maps = les cartes de { $system } ne peuvent être dessinées
