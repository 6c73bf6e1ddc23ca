# La séquence, la mise en place et les magasins de Dantzig 1807.
danzig-counters-not-measured = personne n’a encore mesuré les vrais pions de tranchée ; jouez avec 25 mm sur 12,5 mm
danzig-not-now = cela ne se décide pas à cette étape
danzig-not-due = { $unit } n’est pas en attente d’arrivée
danzig-one-enters = une seule unité entre à la fois
danzig-no-way = une marche veut au moins un pas
danzig-others-in-hand = ce sont d’autres unités qui sont en marche
danzig-no-such-facing = une orientation est un nombre entier de degrés de 0 à 359
danzig-no-room = { $steps } pas au plus peuvent s’y tenir
danzig-step-comes-back = un pas revient à { $unit }
danzig-only-infantry = { $unit } n’est pas de l’infanterie
danzig-not-in-the-stack = { $unit } ne s’y trouve pas
danzig-not-in-the-city = seuls comptent ici la ville, ses murs et Kalke
danzig-not-all-placed = toutes les unités n’ont pas encore leur place
danzig-eight-steps-outside = exactement huit pas d’infanterie de la garnison commencent hors de la ville
danzig-battery-on-a-wall = une batterie se tient sur un point de mur ou dans Kalke
danzig-at-full-strength = { $unit } a tous les pas qu’elle peut avoir
danzig-two-batteries-in-kalke = deux batteries sont déjà dans Kalke
danzig-turn-begins = début du tour { $turn } (du { $first } { $first_month ->
        [3] mars
        [4] avril
        [5] mai
       *[6] juin
    } au { $last } { $last_month ->
        [3] mars
        [4] avril
        [5] mai
       *[6] juin
    })
danzig-ten-batteries-on-walls = dix batteries sont déjà sur les murs
danzig-surrender = Dantzig se rend au tour { $turn }
danzig-surplus-first = les pas en surnombre sur le point conquis d’abord
danzig-seven-on-one-half = sept batteries sont déjà sur cette moitié des murs
danzig-roll-off = les Français font { $french }, les Prussiens { $prussian }
danzig-regiment-not-there = aucun bataillon du régiment de { $unit } ne reste sur la carte de siège
danzig-position-repeated = troisième fois la même position : fin des rounds opérationnels
danzig-pool-empty = il ne reste aucun point de réparation
danzig-point-has-a-battery = une batterie est déjà sur ce point
danzig-one-stack-on-boats = une pile a déjà pris les barques à cette étape
danzig-one-redoubt = une redoute a déjà été bâtie
danzig-no-steps-for-russians = { $unit } est russe : les Russes n’ont pas de remplacements
danzig-no-steps-for-guns = { $unit } est de l’artillerie : pas de remplacements pour les pièces
danzig-no-infantry-in-kalke = aucune infanterie ne commence dans Kalke
danzig-not-yours = { $unit } appartient à l’autre joueur
danzig-not-on-the-walls = { $unit } n’est pas sur les murs
danzig-not-on-a-map = { $unit } n’est sur aucune carte
danzig-not-damaged = { $unit } n’est pas une batterie endommagée
danzig-not-beside-the-vistula = hors de la ville, la garnison commence au fort, au camp ou au bord de la Vistule entre eux et Dantzig
danzig-not-a-battery = { $unit } n’est pas une batterie de forteresse
danzig-losses-first = les pertes d’abord
danzig-lannes-not-yet = Lannes n’est pas encore arrivé
danzig-lands-in-camp-or-fort = Kamenski débarque au camp ou au fort
danzig-kamenski-is-not-postponed = Kamenski ne peut être différé
danzig-invested = l’investissement est complet ; moral { $morale }
danzig-holds-out = Dantzig tient jusqu’au bout
danzig-deserts = un pas de { $unit } déserte
danzig-desertion = désertion : dé { $roll }, pas perdus { $steps }
danzig-dauntless-fails = la Dauntless est prise (dé { $roll })
danzig-dauntless-comes-through = la Dauntless passe (dé { $roll })
danzig-cannot-desert = aucun pas ne peut déserter de { $unit }
danzig-benningsen-stays = Benningsen ne bouge pas (dés { $roll })
danzig-benningsen-moves = Benningsen s’avance : Lannes est retenu
danzig-battery-first = la batterie qui a perdu son point d’abord
danzig-another-counter-first = une autre unité passe avant { $unit }
danzig-ammunition-arrives = des munitions arrivent : { $twelve } de 12 livres, { $twenty_four } de 24 livres
danzig-mine-not-ripe = aucune mine ne peut encore sauter
danzig-repairs-come-first = les réparations précèdent les travaux neufs
danzig-not-enfiladed = aucune pièce n’enfile cet ouvrage
danzig-one-counterattack = la contre-attaque de ce tour a été faite
danzig-no-mine-to-counter = il n’y a pas de mine à contrer
danzig-charges-come-first = les charges précèdent le premier mouvement
danzig-no-such-retreat = { $unit } n’a pas ce choix dans sa retraite
danzig-title = Le siège de Dantzig, 1807
danzig-scenario-danzig-1807 = Le siège entier, sur les deux cartes
danzig-scenario-first-parallel-1807 = La première parallèle, tours 2 à 4 : au Français une tranchée intacte à 350 mètres du mur
danzig-scenario-relief-1807 = Le secours, tours 10 et 11 : au Prussien de faire passer Kamenski
danzig-scenario-assault-1807 = L’assaut, tours 10 à 12 : au Français la reddition, par la brèche
danzig-cut-ends = Fin du tour { $turn } : l’épisode est terminé.
