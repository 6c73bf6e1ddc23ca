# What the machine says that it is after, step by step.
danzig-intent-french-invest = Toutes les étoiles seront à moi, pour investir la ville : { $open ->
    [0] toutes sont tenues.
    [one] il en reste une.
   *[other] il en reste { $open }.
}
danzig-intent-french-hold = Il faut tenir les étoiles et écarter les secours des portes.
danzig-intent-french-guns = Une seule brèche, dans les deux murs, au même endroit ; le reste fait taire les batteries.
danzig-intent-french-mortars = La ville brûlera jusqu’à perdre courage.
danzig-intent-french-repair = Ce que le canon a abîmé est remis en état, au plus près du mur d’abord.
danzig-intent-french-build = Les tranchées avancent là où nul canon ne les enfile.
danzig-intent-french-trenches = Les pièces avancent, la garde va dans les ouvrages de tête.
danzig-intent-french-assault = Je donne l’assaut quand les chances sont bonnes, pas avant.
danzig-intent-french-guard = Il faut tenir les tranchées contre qui sortira.
danzig-intent-prussian-set-up = Les étoiles lointaines doivent lui coûter des tours ; les murs ont encore besoin de peu d’hommes.
danzig-intent-prussian-contest = Chaque étoile qu’il ne tient pas lui coûte un tour.
danzig-intent-prussian-relief = Kamenski marche vers les portes.
danzig-intent-prussian-batteries = Les pièces face à ses tranchées doivent tirer de nouveau.
danzig-intent-prussian-fire = Je tire où cela lui coûte le plus, d’enfilade avant tout.
danzig-intent-prussian-city = Les hommes vont où ses tranchées approchent ; on en garde pour sortir.
danzig-intent-prussian-walls = Le mur est réparé là où cela lui refuse un assaut.
danzig-intent-prussian-countermine = J’écoute ses mineurs.
danzig-intent-prussian-sortie = Je sors contre les ouvrages mal gardés.
danzig-intent-prussian-counter-attack = Qui s’est logé sur le mur doit en être jeté.
