# Ce que le noyau dit lui-même.
kernel-applied = s'applique
kernel-refused = refusé
kernel-limit = au plus { $value }
kernel-not-json = ce n'est pas du JSON : { $detail }
kernel-not-an-object = il faut un objet
kernel-unknown-field = ce champ n'existe pas ; champs connus : { $expected }
kernel-missing-field = ce champ manque
kernel-duplicate-field = ce champ est donné deux fois
kernel-wrong-type = { $found } n'est pas { $expected }
kernel-impossible-value = { $found } est impossible ici ; attendu : { $expected }
kernel-unknown-choice = { $found } n'est aucun de : { $expected }
kernel-wrong-length = { $found } éléments au lieu de { $expected }
kernel-bad-value = cette valeur est refusée : { $found }
kernel-die-missing = le dé { $roll } (à { $sides } faces) manque
kernel-die-left-over =
    { $given } dés sont donnés, { $used ->
        [one] un seul est lancé
       *[other] { $used } sont lancés
    }
kernel-die-impossible = le dé { $roll } montre { $face }, impossible pour un dé à { $sides } faces
kernel-no-dice = aucun dé ne se jette pour cette question
kernel-too-many-outcomes = plus de { $limit } issues : trop pour être comptées
kernel-not-your-decision = la décision revient à { $to_move }
kernel-stale-order = la partie a avancé : elle en est à { $expected }, l'ordre a été donné à { $found }
kernel-game-over = la partie est terminée
kernel-nothing-to-undo = rien à reprendre : la dernière étape a lancé un dé, révélé quelque chose ou n'était pas la vôtre
kernel-no-offer = rien n'est proposé à quoi vous puissiez répondre
kernel-offer-pending = une proposition attend déjà sa réponse
kernel-dice-not-asked = cette partie lance ses propres dés : un ordre n'en apporte pas
kernel-seed-unknown = la graine des dés n'est pas connue ici : rien ne peut être lancé
kernel-no-pledges = les dés de cette partie ne prennent pas de graine de cette place
kernel-pledged-already = cette place a déjà mis sa graine dans les dés
kernel-pledge-too-late = un dé a été lancé : plus aucune graine ne peut entrer dans les dés
kernel-take-back-off = dans cette partie, ni dé ni révélation ne se reprennent contre la machine
kernel-table-already = les dés se lancent déjà sur une vraie table
kernel-order-sealed = tous les ordres sont remis : celui que vous avez scellé ne peut plus être changé
kernel-machine-seat = la machine tient cette place : elle décide, décline et rend un coup, rien d'autre
kernel-machine-table = la machine ne peut lancer de dés sur une vraie table : avec une machine à la table, c'est le serveur qui les lance
kernel-too-long = l'enregistrement a { $most } entrées, le plus qu'il puisse avoir : il ne reste qu'à abandonner
kernel-too-much-talk = ce camp a parlé et proposé { $most } fois, autant qu'on le peut dans une partie
kernel-control-character = ce texte contient un caractère qui ne se lit pas ({ $found })
kernel-not-offered = ce choix n'est pas proposé
kernel-unknown-question = il n'y a pas de question { $name }
kernel-wanted-flag = vrai ou faux
kernel-wanted-whole = un nombre entier
kernel-wanted-number = un nombre
kernel-wanted-text = un texte
kernel-wanted-list = une liste
kernel-wanted-object = un objet
