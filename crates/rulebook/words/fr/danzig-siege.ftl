# La carte de siège de Dantzig.
danzig-siege-out-of-arc = la cible est hors de l’arc de 90 degrés d’une pièce tournée vers { $facing }°
danzig-siege-out-of-range = le facteur { $factor } moins { $bands } pour la portée ne laisse rien pour tirer
