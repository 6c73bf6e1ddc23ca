# glacis verify
verify-truncated = la dernière ligne, inachevée, est laissée de côté
verify-chain-whole = l'enregistrement de { $system } est entier : { $entries } entrées
verify-replayed = chaque ordre, dé et état a été rejoué et concorde
verify-unknown-system = ce programme ne connaît pas ce jeu : ses ordres n'ont pas été rejoués
