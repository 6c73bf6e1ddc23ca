# Ce que disent les sièges fantastiques.
breach-no-end-roll = seul le siège du scénario 3 se termine sur un jet
breach-no-base = { $found } n'est pas un côté de socle ; attendu : plus de 0, au plus { $most } mm
breach-too-many-sections = une forteresse a au plus { $most } sections
breach-courtyard-stands = une cour ne peut pas être détruite
breach-not-earlier = ce scénario ne précède pas celui qui est demandé
breach-ratio = l’assiégeant doit avoir au moins { $least } points
breach-fixed-force = cette force est fixée par le scénario
breach-not-in-list = cette ligne n’est pas dans la liste de l’armée
breach-other-rules = ce scénario dit de lui-même si c’est un siège
breach-no-matter = cela n’importe pas ici
breach-no-such-unit = il n’y a pas tant d’unités de cette ligne
breach-not-bought = cet article n’a pas été acheté en tel nombre
