# glacis verify
verify-truncated = la dernière ligne, inachevée, est laissée de côté
verify-chain-whole = l'enregistrement de { $system } est entier : { $entries } entrées
verify-unknown-system = les règles de { $system } ne sont pas connues ici : seule la chaîne des lignes a été vérifiée
verify-played-again = chaque ordre et chaque état ont été vérifiés par les règles
verify-open-seed = chaque dé découle de la graine
verify-revealed-seed = la graine révélée est bien celle de l'engagement, et chaque dé en découle
verify-secret-seed = la graine est encore secrète : les dés se vérifieront quand elle sera révélée
verify-table-dice = les dés ont été lancés par les joueurs
verify-luck = { $side } : { $dice } donnent { $sum }, { $expected } en moyenne ; autant ou plus dans { $more } % des parties, autant ou moins dans { $less } %
verify-results = { $side }, { $decisions ->
    [one] une décision
   *[other] { $decisions } décisions
} : { $gauge } { $actual }, { $expected } en moyenne ; autant ou plus dans { $more } % des parties, autant ou moins dans { $less } %
verify-not-weighed = { $decisions ->
    [one] Une décision n'a pas été pesée : ses dés peuvent tomber de trop de façons
   *[other] { $decisions } décisions n'ont pas été pesées : leurs dés peuvent tomber de trop de façons
}
