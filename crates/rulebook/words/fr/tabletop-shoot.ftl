# Ce que dit l'arbitre de la vue et du tir sur une table décrite.
tabletop-shoot-not-seen = pas en vue : { $by } est sur le chemin
