# What the machine says that it is after, step by step.
danzig-intent-french-invest = Every star shall be mine, so that the city is invested: { $open ->
    [0] all are trodden.
    [one] one is still open.
   *[other] { $open } are still open.
}
danzig-intent-french-hold = The stars are to be held, and the relief kept from the gates.
danzig-intent-french-guns = One breach, in both walls, at the same place; batteries are silenced with what is left.
danzig-intent-french-mortars = The city shall burn until it loses heart.
danzig-intent-french-repair = What the guns have damaged is made whole, nearest to the wall first.
danzig-intent-french-build = The trenches go forward where no gun rakes them.
danzig-intent-french-trenches = Guns go forward, guards into the foremost works.
danzig-intent-french-assault = I storm where the odds are good, and not before.
danzig-intent-french-guard = The trenches are to be held against whoever comes out.
danzig-intent-prussian-set-up = The far stars are to cost him turns; the walls need few men yet.
danzig-intent-prussian-contest = Every star that he does not hold costs him a turn.
danzig-intent-prussian-relief = Kamenski marches for the gates.
danzig-intent-prussian-batteries = The guns in front of his trenches shall fire again.
danzig-intent-prussian-fire = I fire where it costs him most, along his trenches before all.
danzig-intent-prussian-city = Men go where his trenches are near; some are kept to sally.
danzig-intent-prussian-walls = The wall is mended where it denies him a storm.
danzig-intent-prussian-countermine = I listen for his miners.
danzig-intent-prussian-sortie = I sally against works that are badly guarded.
danzig-intent-prussian-counter-attack = Whoever has lodged himself on the wall is to be thrown off it.
