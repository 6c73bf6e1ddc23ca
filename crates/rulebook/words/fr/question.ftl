# Ce à quoi répond chaque question, pour les listes et les pages.
question-tabletop-fire = un tir décrit par ses données : facteur, pertes, figurines ôtées
