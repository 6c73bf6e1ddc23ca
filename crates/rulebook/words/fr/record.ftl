# Ce qui ne va pas dans un procès-verbal de partie.
record-empty = l'enregistrement est vide
record-no-header = la première ligne n'est pas l'en-tête d'un enregistrement : { $detail }
record-version = l'enregistrement est au format { $found } : Glacis { $product }, qui l'a écrit, le lit ; ce programme lit le format { $expected }
record-other-system = l'enregistrement est de { $found }, non de { $expected }
record-no-entry = la ligne { $line } n'est pas une entrée : { $detail }
record-altered = la ligne { $line } a été modifiée : son empreinte ne correspond pas
record-missing = il manque une ligne avant la ligne { $line } : entrée { $expected } attendue, { $found } trouvée
record-out-of-order = les lignes sont dans le désordre à la ligne { $line } : entrée { $expected } attendue, { $found } trouvée
record-repeated = la ligne { $line } répète l'entrée { $found } ; entrée { $expected } attendue
record-refused = les règles refusent la ligne { $line } : { $detail }
record-dice = les dés de la ligne { $line } ne conviennent pas : { $detail }
record-not-of-the-seed = les dés de la ligne { $line } ne sont pas ceux de la graine
record-state = après la ligne { $line } l'état n'est pas celui enregistré
record-commitment = la graine révélée à la ligne { $line } n'est pas celle qui était engagée
record-pledge = la graine scellée à la ligne { $line } n'est pas celle de son engagement
record-revealed = la ligne { $line } révèle la graine pendant la partie, ou une seconde fois
record-adopted = la ligne { $line } reprend une partie terminée avec une nouvelle graine, ou une partie en cours sans graine
