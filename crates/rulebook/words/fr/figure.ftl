# Ce que l’on voit dans les figures des livres.
figure-works = Deux sapes sortent de la zone de concentration ; une parallèle barre la tête de la seconde, une batterie la termine. La terre est rejetée vers la ville.
figure-arc = Une batterie tire dans un quart de cercle autour de sa direction. Les tirets mènent aux points du mur qui sont dans son arc et en vue.
figure-enfilade = Une parallèle qu’une batterie des murs voit par le bout est prise d’enfilade : un tir à la fin de la construction, partout où une telle ligne peut être tirée.
figure-open-ground = Un trajet à découvert essuie un tir par tranche de 250 m entamée.
figure-walls = Le même mur, du niveau plein à la brèche : l’anneau autour du chiffre se vide à mesure que le canon l’abat.
figure-guns = Hachuré : le terrain sous le canon de Dantzig, du camp retranché et du fort, où chaque hexagone où l’on entre coûte un tir.
figure-fortress = Le terrain devant la forteresse.
