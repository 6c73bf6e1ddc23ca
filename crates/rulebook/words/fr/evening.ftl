# La table qu'on dresse à la main, et l'arbitre qui tient la soirée.
evening-door = Dresser une table
evening-door-text = Posez collines, haies, maisons et unités comme sur votre table, touchez qui et à qui, et laissez l'arbitre tenir la soirée.
evening-title = La table
evening-lead = Choisissez quelque chose dans la liste, puis touchez la table où cela se trouve ; glissez pour déplacer, tirez la poignée pour tourner.
evening-script = La table se dresse avec un script : ce navigateur ne l'exécute pas.
evening-mode = Ce que fait un toucher
evening-lay = Dresser
evening-ask = Demander
evening-undo = Reprendre
evening-redo = Refaire
evening-closer = Plus près
evening-farther = Plus loin
evening-whole = Toute la table
evening-sheet = La table vue d'en haut
evening-sheet-keys = Tab va d'une chose à l'autre. Les flèches déplacent celle qui a le curseur d'un centimètre, avec Maj d'un dixième ; Q et E la tournent ; Suppr l'enlève ; Entrée la choisit.
evening-palette = Que poser
evening-ground = Terrain
evening-blue = Bleus
evening-red = Rouges
evening-nation = Armée
evening-nation-french = Français
evening-nation-british = Britanniques
evening-nation-austrian = Autrichiens
evening-nation-russian = Russes
evening-nation-prussian = Prussiens
evening-officers = Officiers
evening-armed = Touchez la table où se trouve : { $name }.
evening-chosen-none = Rien n'est choisi.
evening-x = Depuis l'ouest, cm
evening-y = Depuis le sud, cm
evening-angle = Orientation, degrés
evening-length = Longueur, cm
evening-width = Largeur, cm
evening-formation = Formation
evening-front = Figurines de front
evening-label = Nom
evening-remove = Enlever
evening-turn-left = Tourner à gauche
evening-turn-right = Tourner à droite
evening-points = Sommets
evening-point-add = Ajouter un sommet
evening-point-remove = Enlever un sommet
evening-snap = Mettre au contact
evening-table-name = Son nom
evening-table-width = D'ouest en est, cm
evening-table-depth = Du sud au nord, cm
evening-files = Cette table : mesures, exemples, fichiers, impression
evening-new = Vider la table
evening-open = Ouvrir un fichier
evening-save = Enregistrer dans un fichier
evening-example = Partir de
evening-own = – cette table –
evening-print = Imprimer
evening-cards = Fiches d'unités
evening-record = Enregistrer le procès-verbal de la soirée
evening-share = Partager par un lien
evening-shared = Partagée : qui a ce lien dresse et demande avec vous.
evening-other-changed = Changé par un autre entre-temps : { $names }
evening-in-viewer = Autres questions sur cette table
evening-photo = Une photographie dessous
evening-photo-hint = Glissez ses quatre coins sur les coins de la table.
evening-photo-away = Enlever la photographie
evening-legal = Tout se tient comme le veulent les règles.
evening-faults = { $count ->
       [one] Une chose ne peut pas se tenir ainsi :
      *[other] { $count } choses ne peuvent pas se tenir ainsi :
    }
evening-unchecked = Non vérifié : l'arbitre ne répond pas. Tout est gardé ici.
evening-unreadable = Ce fichier n'est pas une table : { $reason }
evening-conflict = Un autre avait changé entre-temps : { $names } ; votre changement est posé par-dessus, le sien se retrouve en reprenant.
evening-touch-who = Touchez qui agit.
evening-touch-whom = Touchez à qui, une maison, une haie ou un mur, ou une place vide pour y aller.
evening-may = Ce que { $name } peut faire maintenant
evening-may-nothing = Rien : tout est refusé.
evening-may-not = { $count ->
       [one] Une chose refusée
      *[other] { $count } choses refusées
    }
evening-deed-fire = Tirer sur { $name }
evening-deed-march = Marcher { $pace }
evening-deed-charge = Charger { $name }
evening-deed-melee = En mêlée avec { $name }
evening-deed-enter = Entrer : { $name }
evening-deed-far = { $quarter } cm ce quart, { $half } cm dans la demi-période
evening-pair = { $from } → { $to }
evening-distance = à { $distance } cm
evening-what-fire = Tir
evening-projectile = Elle tire
evening-die = Le dé jeté
evening-roll = Jeter ici
evening-apply = Appliquer
evening-applied = Appliqué.
evening-fired = { $name } : { $losses ->
       [one] { $losses } perte
      *[other] { $losses } pertes
    }, { $figures ->
       [one] { $figures } figurine ôtée
      *[other] { $figures } figurines ôtées
    }, marqueur { $marker }
evening-destroyed = { $name } : détruit
evening-nothing-lost = aucune perte
evening-marched = { $name } fait { $distance } cm
evening-clock = Période { $period }, quart { $quarter }
evening-next-quarter = Quart suivant
evening-next-half = Demi-période suivante
evening-next-period = Période suivante
evening-open-fires = Peuvent encore tirer dans cette phase
evening-no-open-fires = Plus personne ne peut tirer dans cette phase.
evening-journal = Ce qui a été fait
evening-no-such = il n'y a rien qui s'appelle { $name } sur la table
evening-stands = { $name }, à { $x } cm de l'ouest, { $y } cm du sud
evening-faces = tourné à { $angle } degrés
evening-touches = touche { $names }
evening-wrong = ne peut pas se tenir ainsi
evening-kind-hill = Colline
evening-kind-plateau = Plateau
evening-kind-wood = Bois
evening-kind-orchard = Verger
evening-kind-track = Chemin forestier
evening-kind-house = Maison
evening-kind-village = Village
evening-kind-road = Route
evening-kind-bridge = Pont
evening-kind-stream = Ruisseau
evening-kind-ditch = Fossé
evening-kind-river = Rivière
evening-kind-ford = Gué
evening-kind-marsh = Marais
evening-kind-tall-crops = Hautes cultures
evening-kind-vineyard = Vigne
evening-kind-ploughed = Labours
evening-kind-hedge = Haie
evening-kind-wall = Mur
evening-kind-redoubt = Redoute
evening-kind-abandoned-battery = Pièces abandonnées
evening-card-fire = Tir
evening-card-melee = Mêlée
evening-card-morale = Moral
evening-card-losses = Pertes
evening-card-figures = Figurines
evening-unit-line-battalion-field-strength = Bataillon de ligne, effectif de campagne
evening-unit-line-battalion-full-strength = Bataillon de ligne, effectif complet
evening-unit-line-battalion = Bataillon de ligne
evening-unit-weak-line-battalion = Bataillon de ligne affaibli
evening-unit-light-battalion = Bataillon léger
evening-unit-grouped-grenadiers = Grenadiers réunis
evening-unit-grouped-voltigeurs = Voltigeurs réunis
evening-unit-young-guard-battalion = Bataillon de la Jeune Garde
evening-unit-old-guard-battalion = Bataillon de la Vieille Garde
evening-unit-sapper-company = Compagnie de sapeurs
evening-unit-pioneer-company = Compagnie de pionniers
evening-unit-rifle-company = Compagnie de fusils rayés
evening-unit-foot-guards-battalion = Bataillon des gardes à pied
evening-unit-grenadier-battalion = Bataillon de grenadiers
evening-unit-grenz-battalion = Bataillon de grenzer
evening-unit-jager-battalion = Bataillon de jäger
evening-unit-jager-company = Compagnie de jäger
evening-unit-landwehr-battalion = Bataillon de landwehr
evening-unit-guard-battalion = Bataillon de la garde
evening-unit-militia-battalion = Bataillon de milice
evening-unit-musketeer-battalion = Bataillon de mousquetaires
evening-unit-fusilier-battalion = Bataillon de fusiliers
evening-unit-hussars-or-chasseurs-a-cheval = Hussards ou chasseurs
evening-unit-dragoons = Dragons
evening-unit-lancers = Lanciers
evening-unit-cuirassiers = Cuirassiers
evening-unit-guard-cavalry = Cavalerie de la Garde
evening-unit-light-dragoons-or-hussars = Dragons légers ou hussards
evening-unit-heavy-dragoons = Dragons lourds
evening-unit-household-cavalry = Cavalerie de la Maison
evening-unit-hussars = Hussards
evening-unit-chevau-legers-or-dragoons = Chevau-légers ou dragons
evening-unit-uhlans = Uhlans
evening-unit-cossacks = Cosaques
evening-unit-landwehr-cavalry = Cavalerie de landwehr
evening-unit-foot-12-pounder = Batterie à pied de 12
evening-unit-foot-9-pounder = Batterie à pied de 9
evening-unit-foot-8-pounder = Batterie à pied de 8
evening-unit-foot-6-pounder = Batterie à pied de 6
evening-unit-horse-6-pounder = Batterie à cheval de 6
evening-unit-horse-4-pounder = Batterie à cheval de 4
evening-unit-brigade-3-pounder = Batterie de brigade de 3
evening-unit-cavalry-6-pounder = Batterie de cavalerie de 6
evening-unit-commander-in-chief-gifted = Commandant en chef, doué
evening-unit-commander-in-chief-ordinary = Commandant en chef
evening-unit-general-of-division-or-brigade-good = Général, bon
evening-unit-general-of-division-or-brigade-ordinary = Général
evening-unit-general-poor = Général, médiocre
evening-unit-aide-de-camp = Aide de camp
evening-acted = { $name } a déjà employé ce quart
evening-too-far = { $name } fait { $distance } par ce chemin, trop peu pour atteindre { $target }
evening-march-to = Marcher là
evening-picture = Enregistrer comme image
# Ce qu'un corps fait sur place.
evening-deed-assault = Donner l'assaut : { $name }
evening-deed-leave = Quitter la maison par le côté { $side }
evening-deed-cross = Franchir { $name }
evening-deed-form = Changer de formation
evening-deed-reform = Se reformer
evening-quarters = { $count ->
       [one] 1 quart
      *[other] { $count } quarts
    }
evening-half-periods = { $count ->
       [one] passé en 1 demi-période
      *[other] passé en { $count } demi-périodes
    }
evening-cross-how = Touchez une place au-delà pour y marcher : le chemin compte le franchissement.
evening-no-obstacle = rien ne s'y dresse plus qu'il faille franchir
evening-not-in-ranks = { $name } n'est pas en rangs
evening-formed-so = { $name } est déjà dans cette formation
evening-formed-already = { $name } est en ordre
evening-ground-holds = le terrain où se tient { $name } lui ôte son ordre
evening-not-in-a-house = { $name } n'est pas dans une maison
evening-reformed = { $name } se reforme ({ $quarters ->
       [one] { $quarters } quart
      *[other] { $quarters } quarts
    } en tout)
evening-enters = { $name } entre ({ $quarters ->
       [one] { $quarters } quart
      *[other] { $quarters } quarts
    })
evening-leaves = { $name } sort ({ $quarters ->
       [one] { $quarters } quart
      *[other] { $quarters } quarts
    })
evening-changed = { $name } change de formation
evening-marches = { $name } : y marcher
evening-pace = Son allure
evening-further = Et plus loin …
evening-further-armed = Touchez où il continue.
evening-what-it-costs = Ce que coûte le chemin
evening-apply-charge = Charger
evening-contact-in = { $count ->
       [one] Contact au premier quart de la charge.
      *[other] Contact au quart { $count } de la charge.
    }
evening-fires-first = { $name } tire d'abord
evening-fires-not-first = { $name } ne tire pas d'abord
evening-kind-large-river = Fleuve
evening-class = Il vaut
evening-kind-of = Genre
evening-burning = En feu
evening-closed = Fermé
evening-trees = Arbres le long, de–à cm
evening-trees-to = à
evening-state = État
evening-situation = Il est
evening-marker = Sur le marqueur
evening-into-house = Dans la maison
evening-out-of-house = Hors de la maison
evening-more = Plus de détails
evening-snap-wall = Contre le mur
evening-snap-road = Sur la route
evening-snap-front = Aligner sur son voisin
evening-snap-water = En travers de l'eau
evening-snap-none = Il n'y a rien où l'accrocher.
evening-wheel-left = Aile gauche : tirez pour converser
evening-wheel-right = Aile droite : tirez pour converser
evening-turn-hand = Tirez pour tourner ; Q et E tournent aussi
evening-corner-hand = Sommet { $count } : tirez, ou déplacez-le avec les flèches
evening-forgotten = Ce lien n'est plus gardé. Votre copie est ici : partagez-la de nouveau.
evening-taken-over = Repris par-dessus un changement d'un autre : { $names }
evening-empty = La table est vide. Choisissez une colline, une haie ou une unité, puis touchez la table.
evening-word-steady = calme
evening-word-rallying = en ralliement
evening-word-retreating = en retraite
evening-word-routing = en déroute
evening-word-fleeing = en fuite
evening-word-formed = en ordre
evening-word-disorganised = désorganisé
evening-word-unformed = sans formation
evening-word-disordered = en désordre
evening-word-light = couvert léger : haie, barricade
evening-word-hard = couvert dur : mur, abattis
evening-word-hard-final = couvert dur, entamé
evening-word-open = abattu
evening-word-ditch = fossé
evening-word-stream = ruisseau
evening-word-river = rivière
evening-word-large-river = fleuve
evening-word-forest = forêt
evening-word-orchard = verger
evening-word-tall-crops = hautes cultures
evening-word-vineyard = vigne
evening-word-ploughed = labour
evening-word-track = chemin
evening-word-ride = laie
evening-quick-door = Deux unités, sans table
evening-quick-door-text = Qui tire, qui atteint qui, quelle figurine part : deux unités, une distance, une réponse.
evening-quick-title = Deux unités
evening-quick-lead = Tir, charge, quarts à portée, la figurine qui part et ce que prend un écran, sans dresser de table.
evening-quick-ours = Les nôtres
evening-quick-theirs = Les leurs
evening-quick-unit = Unité
evening-quick-distance = Distance, cm
evening-quick-cover = Derrière
evening-quick-cover-none = rien
evening-quick-cover-light = une haie
evening-quick-cover-hard = un mur
evening-quick-aspect = Elle nous montre
evening-quick-aspect-front = son front
evening-quick-aspect-flank = son flanc
evening-quick-aspect-rear = son dos
evening-quick-came = Dans cette demi-période, elle
evening-quick-came-stood = se tenait là
evening-quick-came-second = est venue sur nous au second quart
evening-quick-came-both = est venue sur nous aux deux quarts
evening-quick-screen = Tirailleurs devant elle, cm
evening-quick-screen-name = l'écran
evening-quick-comes-off = La prochaine figurine ôtée
evening-quick-off = { $company }, rang { $rank }, place { $file } depuis la gauche
evening-quick-off-none = aucune figurine en propre
evening-quick-back = Et en retour sur nous
evening-no-room-for-screen = il n'y a pas de place pour des tirailleurs entre les deux
evening-card-marker = Marqueur
evening-replayed = Le procès-verbal a été rejoué et se vérifie : { $count } entrées. Continuez d'ici, ou reprenez-les une à une.
# Un tour de mêlée fini, et des murs que le canon abat.
evening-fought = { $attacker } et { $defender } ont livré un tour de mêlée : { $lost } et { $taken } figurines retirées
evening-drawn-round = personne ne cède
evening-recoils = { $name } recule de { $distance } cm
evening-captured = { $name } est fait prisonnier
evening-gets-in = { $name } pénètre dans { $house }
evening-put-out = { $name } est rejeté de { $house }
evening-holds-house = { $name } tient désormais { $house }
evening-friend-disorganised = { $name } est bousculé et désorganisé
evening-battered = { $name } : { $length } cm démolis par le canon
evening-same-side = { $name } est du même camp
evening-too-many-lost = { $name } n’a que { $figures ->
       [one] { $figures } figurine
      *[other] { $figures } figurines
    }
evening-not-a-battery = { $name } n’a pas de canons
evening-not-in-lane = { $name } n’est pas devant ses pièces
evening-not-behind = { $name } ne se tient pas derrière
evening-enemy-first = on peut tirer sur { $name }, qui passe d’abord
evening-round-over = Comment le tour a-t-il fini ?
evening-lost-by = Figurines retirées, { $name }
evening-wins = { $name } gagne
evening-wins-and-follows = { $name } gagne et suit
evening-wins-and-enters = { $name } gagne et entre
evening-nobody-wins = Personne ne gagne
evening-is-captured = { $name } est capturé
evening-at-the-wall = Tirer aussi sur { $name }
evening-batter = Tirer sur { $name }
# Une soirée telle que son procès-verbal la raconte.
evening-umpire = l’arbitre
evening-told-lay = la table est mise : { $name }
evening-told-edit = { $put } choses posées, { $taken } retirées
evening-told-march = { $name } marche
evening-told-form = { $name } change de formation
evening-told-reform = { $name } se reforme
evening-told-enter = { $name } entre dans { $house }
evening-told-leave = { $name } sort de la maison
evening-told-fire = { $name } tire sur { $target }
evening-told-melee = { $name } et { $target } se battent
evening-told-next = l’horloge avance
evening-told-close = la soirée finit
evening-standing-table = { $bodies } corps et { $terrain } éléments de terrain sont sur la table
evening-over = La soirée est finie
# Comment s'appellent les compagnies d'une unité des listes.
evening-figure-fusilier = fusiliers
evening-figure-grenadier = grenadiers
evening-figure-voltigeur = voltigeurs
evening-figure-light-chasseur = chasseurs légers
evening-figure-light-carabinier = carabiniers légers
evening-figure-young-guard = Jeune Garde
evening-figure-old-guard = Vieille Garde
evening-figure-sapper = sapeurs
evening-figure-centre-company = compagnie du centre
evening-figure-flank-company = compagnie de flanc
evening-figure-light-infantry = infanterie légère
evening-figure-rifleman = fusils rayés
evening-figure-foot-guard = gardes à pied
evening-figure-grenzer = grenzer
evening-figure-jager = jäger
evening-figure-landwehr = Landwehr
evening-figure-pioneer = pionniers
evening-figure-musketeer = mousquetaires
evening-figure-grenadier-company = compagnie de grenadiers
evening-figure-guard = Garde
evening-figure-militia = milice
evening-figure-schutze-or-jager = schützen ou jäger
evening-figure-squadron = escadron
evening-card-command = Commandement
evening-card-charisma = Charisme
evening-card-in-house = dans { $house }
