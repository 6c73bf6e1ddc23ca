# glacis verify
verify-truncated = la dernière ligne, inachevée, est laissée de côté
verify-chain-whole = l'enregistrement de { $system } est entier : { $entries } entrées
