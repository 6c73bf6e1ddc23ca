# glacis verify
verify-truncated = la dernière ligne, inachevée, est laissée de côté
verify-chain-whole = l'enregistrement de { $system } est entier : { $entries } entrées
verify-unknown-system = les règles de { $system } ne sont pas connues ici : seule la chaîne des lignes a été vérifiée
verify-played-again = chaque ordre et chaque état ont été vérifiés par les règles
verify-open-seed = chaque dé découle de la graine
verify-revealed-seed = la graine révélée est bien celle de l'engagement, et chaque dé en découle
verify-secret-seed = la graine est encore secrète : les dés se vérifieront quand elle sera révélée
verify-table-dice = les dés ont été lancés par les joueurs
verify-lost-seed = ces dés ne peuvent pas être vérifiés : la partie a continué ailleurs et leur graine n'a jamais été révélée
verify-stretch = entrées { $from } à { $to } :
verify-imported = à l'entrée { $entry } un autre serveur a repris la partie ; ce qui précède est tel que le dit celui qui l'a apportée, dans la mesure où les règles le permettent
verify-pledged = { $side } : une graine du joueur est dans les dés ; son empreinte est { $hash }
verify-not-pledged = { $side } : le joueur n'a pas mis de graine dans les dés ; pour cette place ils ne reposent que sur celle du serveur
verify-machine-seat = { $side } : joué par la machine, qui n'a pas de graine à elle
verify-rolls-taken-back = { $count ->
    [one] une décision où l'on avait lancé a été reprise d'un commun accord
   *[other] { $count } décisions où l'on avait lancé ont été reprises d'un commun accord
}
verify-luck = { $side } : { $dice } donnent { $sum }, { $expected } en moyenne ; autant ou plus dans { $more } % des parties, autant ou moins dans { $less } %
verify-results = { $side }, { $decisions ->
    [one] une décision
   *[other] { $decisions } décisions
} : { $gauge } { $actual }, { $expected } en moyenne ; autant ou plus dans { $more } % des parties, autant ou moins dans { $less } %
verify-not-weighed = { $decisions ->
    [one] Une décision n'a pas été pesée : ses dés peuvent tomber de trop de façons
   *[other] { $decisions } décisions n'ont pas été pesées : leurs dés peuvent tomber de trop de façons
}
