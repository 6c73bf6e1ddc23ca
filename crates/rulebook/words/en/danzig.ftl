# The sequence, the set-up and the stores of Danzig 1807.
danzig-counters-not-measured = nobody has measured the real trench counters yet; play with 25 mm by 12.5 mm
danzig-not-now = this cannot be decided in the present step
danzig-not-due = { $unit } is not waiting to arrive
danzig-one-enters = one unit enters at a time
danzig-no-way = a march needs at least one step
danzig-others-in-hand = others are on the march
danzig-no-such-facing = a facing is a whole number of degrees from 0 to 359
danzig-no-room = at most { $steps } steps may stand there
danzig-step-comes-back = a step comes back to { $unit }
danzig-only-infantry = { $unit } is not infantry
danzig-not-in-the-stack = { $unit } does not stand there
danzig-not-in-the-city = only the city, its walls and Kalke count here
danzig-not-all-placed = not every unit has its place yet
danzig-eight-steps-outside = exactly eight infantry steps of the garrison start outside the city
danzig-battery-on-a-wall = a battery stands on a wall point or in Kalke
danzig-at-full-strength = { $unit } has all the steps it can have
danzig-two-batteries-in-kalke = two batteries already stand in Kalke
danzig-turn-begins = turn { $turn } begins ({ $first } { $first_month ->
        [3] March
        [4] April
        [5] May
       *[6] June
    } to { $last } { $last_month ->
        [3] March
        [4] April
        [5] May
       *[6] June
    })
danzig-ten-batteries-on-walls = ten batteries already stand on the walls
danzig-surrender = Danzig surrenders on turn { $turn }
danzig-surplus-first = the surplus steps on the won point go first
danzig-seven-on-one-half = seven batteries already stand on this half of the walls
danzig-roll-off = the French roll { $french }, the Prussians { $prussian }
danzig-regiment-not-there = no battalion of the regiment of { $unit } is left on the siege map
danzig-position-repeated = the same position for the third time: the operational rounds end
danzig-pool-empty = no repair point is left
danzig-point-has-a-battery = a battery already stands on this point
danzig-one-stack-on-boats = one stack has already taken to the boats in this step
danzig-one-redoubt = a redoubt has already been built
danzig-no-steps-for-russians = { $unit } is Russian: Russians get no replacements
danzig-no-steps-for-guns = { $unit } is artillery: guns get no replacements
danzig-no-infantry-in-kalke = no infantry starts in Kalke
danzig-not-yours = { $unit } belongs to the other player
danzig-not-on-the-walls = { $unit } is not on the walls
danzig-not-on-a-map = { $unit } is on neither map
danzig-not-damaged = { $unit } is no damaged battery
danzig-not-beside-the-vistula = outside the city the garrison starts in the fort, in the camp or beside the Vistula between them and Danzig
danzig-not-a-battery = { $unit } is not a fortress battery
danzig-losses-first = the losses are taken first
danzig-lannes-not-yet = Lannes has not arrived yet
danzig-lands-in-camp-or-fort = Kamenski lands in the camp or in the fort
danzig-kamenski-is-not-postponed = Kamenski cannot be postponed
danzig-invested = the investment is complete; morale { $morale }
danzig-holds-out = Danzig holds out to the end
danzig-deserts = a step of { $unit } deserts
danzig-desertion = desertion: die { $roll }, steps lost { $steps }
danzig-dauntless-fails = the Dauntless is taken (die { $roll })
danzig-dauntless-comes-through = the Dauntless comes through (die { $roll })
danzig-cannot-desert = no step can desert from { $unit }
danzig-benningsen-stays = Benningsen does not move (dice { $roll })
danzig-benningsen-moves = Benningsen moves: Lannes is held back
danzig-battery-first = the battery that lost its point goes first
danzig-another-counter-first = another unit comes before { $unit }
danzig-ammunition-arrives = ammunition arrives: { $twelve } of 12 pounds, { $twenty_four } of 24 pounds
danzig-mine-not-ripe = no mine can be exploded yet
danzig-repairs-come-first = repairs come before new work
danzig-not-enfiladed = no gun enfilades this work
danzig-one-counterattack = the counter-attack of this turn has been made
danzig-no-mine-to-counter = there is no mine to counter
danzig-charges-come-first = charges come before the first move
danzig-no-such-retreat = { $unit } has no such choice in its retreat
danzig-title = The siege of Danzig, 1807
danzig-scenario-danzig-1807 = The whole siege, on both maps
danzig-scenario-first-parallel-1807 = The first parallel, turns 2 to 4: an intact trench within 350 metres of the wall wins for the French
danzig-scenario-relief-1807 = The relief, turns 10 and 11: the Prussian wins by bringing Kamenski through
danzig-scenario-assault-1807 = The assault, turns 10 to 12: the French win by the surrender, through the breach
danzig-cut-ends = Turn { $turn } is over, and with it this part of the siege.
