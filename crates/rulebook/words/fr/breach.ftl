# Ce que disent les sièges fantastiques.
breach-no-end-roll = seul le siège du scénario 3 se termine sur un jet
breach-no-base = { $found } n'est pas un côté de socle ; attendu : plus de 0, au plus { $most } mm
breach-too-many-sections = une forteresse a au plus { $most } sections
breach-courtyard-stands = une cour ne peut pas être détruite
breach-title = Dans la brèche
