# Ce que l'arbitre de la table dit d'un tir décrit par ses données.
tabletop-beyond-range = la cible est à { $distance }, au-delà de la portée de { $range }
tabletop-no-guns-at-officers = l'artillerie ne vise pas un officier isolé (option artillery_at_officers)
tabletop-negative-distance = une distance n'est pas négative
tabletop-more-superior-than-figures = il y a plus de figurines supérieures que de figurines qui tirent
tabletop-batteries-only = seule une batterie choisit son projectile
tabletop-small-arms-only = ceci ne concerne que les armes portatives
tabletop-artillery-only = seule l'artillerie peut être en position
tabletop-battery-without-formation = une batterie sans formation ou en désordre ne tire pas
tabletop-title = La table à figurines
