# The table that is laid by hand, and the umpire who keeps the evening.
evening-door = Lay a table
evening-door-text = Put hills, hedges, houses and units where they stand on your table, touch who and whom, and let the umpire keep the evening.
evening-title = The table
evening-lead = Choose something from the list, then touch the table where it stands; drag to move it, pull its handle to turn it.
evening-script = The table is laid with a script: this browser does not run it.
evening-mode = What a touch does
evening-lay = Lay
evening-ask = Ask
evening-undo = Take back
evening-redo = Do again
evening-closer = Closer
evening-farther = Farther
evening-whole = The whole table
evening-sheet = The table from above
evening-sheet-keys = Tab goes from thing to thing. Arrows move what has the focus by one centimetre, with Shift by a tenth; Q and E turn it; Delete takes it away; Enter chooses it.
evening-palette = What to put down
evening-ground = Ground
evening-blue = Blue
evening-red = Red
evening-nation = Army
evening-nation-french = French
evening-nation-british = British
evening-nation-austrian = Austrian
evening-nation-russian = Russian
evening-nation-prussian = Prussian
evening-officers = Officers
evening-armed = Touch the table where { $name } stands.
evening-chosen-none = Nothing is chosen.
evening-x = From the west, cm
evening-y = From the south, cm
evening-angle = Facing, degrees
evening-length = Length, cm
evening-width = Width, cm
evening-formation = Formation
evening-front = Figures in front
evening-label = Name
evening-remove = Take away
evening-turn-left = Turn left
evening-turn-right = Turn right
evening-points = Corners
evening-point-add = Add a corner
evening-point-remove = Take a corner away
evening-snap = Snap to contact
evening-table-name = Its name
evening-table-width = West to east, cm
evening-table-depth = South to north, cm
evening-files = This table: its size, examples, files, printing
evening-new = Clear the table
evening-open = Open a file
evening-save = Save as a file
evening-example = Begin with
evening-own = – this table –
evening-print = Print
evening-cards = Unit cards
evening-record = Save the evening’s record
evening-share = Share by link
evening-shared = Shared: whoever has this link lays and asks with you.
evening-other-changed = Changed by another meanwhile: { $names }
evening-in-viewer = Other questions about this table
evening-photo = A photograph beneath
evening-photo-hint = Drag its four corners to the corners of the table.
evening-photo-away = Take the photograph away
evening-legal = Everything stands as the rules want it.
evening-faults = { $count ->
       [one] One thing cannot stand so:
      *[other] { $count } things cannot stand so:
    }
evening-unchecked = Not checked: the umpire cannot be reached. Everything is kept here.
evening-unreadable = This file is no table: { $reason }
evening-conflict = Another had changed meanwhile: { $names }; yours was put on top, theirs is there again if you take it back.
evening-touch-who = Touch who acts.
evening-touch-whom = Touch whom, a house, a hedge or a wall, or an empty place to go there.
evening-may = What { $name } may do now
evening-may-nothing = Nothing: everything is refused.
evening-may-not = { $count ->
       [one] One thing refused
      *[other] { $count } things refused
    }
evening-deed-fire = Fire at { $name }
evening-deed-march = March { $pace }
evening-deed-charge = Charge { $name }
evening-deed-melee = In melee with { $name }
evening-deed-enter = Enter { $name }
evening-deed-far = { $quarter } cm this quarter, { $half } cm in the half-period
evening-pair = { $from } → { $to }
evening-distance = { $distance } cm apart
evening-what-fire = Fire
evening-projectile = It fires
evening-die = The die rolled
evening-roll = Roll here
evening-apply = Apply
evening-applied = Applied.
evening-fired = { $name }: { $losses ->
       [one] 1 loss
      *[other] { $losses } losses
    }, { $figures ->
       [one] 1 figure off
      *[other] { $figures } figures off
    }, marker { $marker }
evening-destroyed = { $name } is destroyed
evening-nothing-lost = no loss
evening-marched = { $name } goes { $distance } cm
evening-clock = Period { $period }, quarter { $quarter }
evening-next-quarter = Next quarter
evening-next-half = Next half-period
evening-next-period = Next period
evening-open-fires = May still fire in this phase
evening-no-open-fires = Nobody may still fire in this phase.
evening-journal = What was done
evening-no-such = there is nothing called { $name } on the table
evening-stands = { $name }, { $x } cm from the west, { $y } cm from the south
evening-faces = facing { $angle } degrees
evening-touches = touching { $names }
evening-wrong = cannot stand so
evening-kind-hill = Hill
evening-kind-plateau = Plateau
evening-kind-wood = Wood
evening-kind-orchard = Orchard
evening-kind-track = Track
evening-kind-house = House
evening-kind-village = Village
evening-kind-road = Road
evening-kind-bridge = Bridge
evening-kind-stream = Stream
evening-kind-ditch = Ditch
evening-kind-river = River
evening-kind-ford = Ford
evening-kind-marsh = Marsh
evening-kind-tall-crops = Tall crops
evening-kind-vineyard = Vineyard
evening-kind-ploughed = Ploughed land
evening-kind-hedge = Hedge
evening-kind-wall = Wall
evening-kind-redoubt = Redoubt
evening-kind-abandoned-battery = Abandoned guns
evening-card-fire = Fire
evening-card-melee = Melee
evening-card-morale = Morale
evening-card-losses = Losses
evening-card-figures = Figures
evening-unit-line-battalion-field-strength = Line battalion, field strength
evening-unit-line-battalion-full-strength = Line battalion, full strength
evening-unit-line-battalion = Line battalion
evening-unit-weak-line-battalion = Weak line battalion
evening-unit-light-battalion = Light battalion
evening-unit-grouped-grenadiers = Grouped grenadiers
evening-unit-grouped-voltigeurs = Grouped voltigeurs
evening-unit-young-guard-battalion = Young Guard battalion
evening-unit-old-guard-battalion = Old Guard battalion
evening-unit-sapper-company = Sapper company
evening-unit-pioneer-company = Pioneer company
evening-unit-rifle-company = Rifle company
evening-unit-foot-guards-battalion = Foot Guards battalion
evening-unit-grenadier-battalion = Grenadier battalion
evening-unit-grenz-battalion = Grenz battalion
evening-unit-jager-battalion = Jäger battalion
evening-unit-jager-company = Jäger company
evening-unit-landwehr-battalion = Landwehr battalion
evening-unit-guard-battalion = Guard battalion
evening-unit-militia-battalion = Militia battalion
evening-unit-musketeer-battalion = Musketeer battalion
evening-unit-fusilier-battalion = Fusilier battalion
evening-unit-hussars-or-chasseurs-a-cheval = Hussars or chasseurs
evening-unit-dragoons = Dragoons
evening-unit-lancers = Lancers
evening-unit-cuirassiers = Cuirassiers
evening-unit-guard-cavalry = Guard cavalry
evening-unit-light-dragoons-or-hussars = Light dragoons or hussars
evening-unit-heavy-dragoons = Heavy dragoons
evening-unit-household-cavalry = Household cavalry
evening-unit-hussars = Hussars
evening-unit-chevau-legers-or-dragoons = Chevau-légers or dragoons
evening-unit-uhlans = Uhlans
evening-unit-cossacks = Cossacks
evening-unit-landwehr-cavalry = Landwehr cavalry
evening-unit-foot-12-pounder = 12-pounder foot battery
evening-unit-foot-9-pounder = 9-pounder foot battery
evening-unit-foot-8-pounder = 8-pounder foot battery
evening-unit-foot-6-pounder = 6-pounder foot battery
evening-unit-horse-6-pounder = 6-pounder horse battery
evening-unit-horse-4-pounder = 4-pounder horse battery
evening-unit-brigade-3-pounder = 3-pounder brigade battery
evening-unit-cavalry-6-pounder = 6-pounder cavalry battery
evening-unit-commander-in-chief-gifted = Commander in chief, gifted
evening-unit-commander-in-chief-ordinary = Commander in chief
evening-unit-general-of-division-or-brigade-good = General, good
evening-unit-general-of-division-or-brigade-ordinary = General
evening-unit-general-poor = General, poor
evening-unit-aide-de-camp = Aide de camp
evening-acted = { $name } has already spent this quarter
evening-too-far = { $name } gets { $distance } on this way, too short to reach { $target }
evening-march-to = March there
evening-picture = Save as a picture
# What a body does on the spot.
evening-deed-assault = Assault { $name }
evening-deed-leave = Leave the house by side { $side }
evening-deed-cross = Cross { $name }
evening-deed-form = Change formation
evening-deed-reform = Re-form
evening-quarters = { $count ->
       [one] 1 quarter
      *[other] { $count } quarters
    }
evening-half-periods = { $count ->
       [one] over within 1 half-period
      *[other] over within { $count } half-periods
    }
evening-cross-how = Touch a place beyond it to march there: the way counts the crossing.
evening-no-obstacle = nothing stands there any more that would have to be crossed
evening-not-in-ranks = { $name } does not stand in ranks
evening-formed-so = { $name } stands in this formation already
evening-formed-already = { $name } is formed
evening-ground-holds = the ground on which { $name } stands takes its order from it
evening-not-in-a-house = { $name } is not in a house
evening-reformed = { $name } re-forms ({ $quarters ->
       [one] 1 quarter
      *[other] { $quarters } quarters
    } in all)
evening-enters = { $name } goes in ({ $quarters ->
       [one] 1 quarter
      *[other] { $quarters } quarters
    })
evening-leaves = { $name } comes out ({ $quarters ->
       [one] 1 quarter
      *[other] { $quarters } quarters
    })
evening-changed = { $name } changes formation
evening-marches = { $name }: march there
evening-pace = How it marches
evening-further = And on from there …
evening-further-armed = Touch where it goes on to.
evening-what-it-costs = What the way costs
evening-apply-charge = Charge
evening-contact-in = { $count ->
       [one] Contact in the first quarter of the charge.
      *[other] Contact in quarter { $count } of the charge.
    }
evening-fires-first = { $name } fires first
evening-fires-not-first = { $name } does not fire first
evening-kind-large-river = Large river
evening-class = It is worth
evening-kind-of = Kind
evening-burning = On fire
evening-closed = Closed
evening-trees = Trees along it, from–to cm
evening-trees-to = to
evening-state = State
evening-situation = It is
evening-marker = On the marker
evening-into-house = Into the house
evening-out-of-house = Out of the house
evening-more = More about it
evening-snap-wall = To the wall
evening-snap-road = To the road
evening-snap-front = In line with its neighbour
evening-snap-water = Across the water
evening-snap-none = There is nothing to snap to.
evening-wheel-left = Left flank: pull to wheel
evening-wheel-right = Right flank: pull to wheel
evening-turn-hand = Pull to turn; Q and E turn it, too
evening-corner-hand = Corner { $count }: pull, or move it with the arrows
evening-forgotten = This link is not kept any more. Your copy is here: share it again.
evening-taken-over = Taken back over a change of another: { $names }
evening-empty = The table is empty. Choose a hill, a hedge or a unit, then touch the table.
evening-word-steady = steady
evening-word-rallying = rallying
evening-word-retreating = retreating
evening-word-routing = routing
evening-word-fleeing = fleeing
evening-word-formed = formed
evening-word-disorganised = disorganised
evening-word-unformed = unformed
evening-word-disordered = disordered
evening-word-light = light cover: hedge, barricade
evening-word-hard = hard cover: wall, abatis
evening-word-hard-final = hard cover, battered
evening-word-open = pulled down
evening-word-ditch = ditch
evening-word-stream = stream
evening-word-river = river
evening-word-large-river = large river
evening-word-forest = forest
evening-word-orchard = orchard
evening-word-tall-crops = tall crops
evening-word-vineyard = vineyard
evening-word-ploughed = ploughed land
evening-word-track = track
evening-word-ride = ride
evening-quick-door = Two units, no table
evening-quick-door-text = Who fires, who reaches whom, which figure comes off: two units, a distance, an answer.
evening-quick-title = Two units
evening-quick-lead = Fire, charge, quarters in range, the figure that comes off and what a screen takes, without laying a table.
evening-quick-ours = Ours
evening-quick-theirs = Theirs
evening-quick-unit = Unit
evening-quick-distance = Distance, cm
evening-quick-cover = Behind
evening-quick-cover-none = nothing
evening-quick-cover-light = a hedge
evening-quick-cover-hard = a wall
evening-quick-aspect = It shows us
evening-quick-aspect-front = its front
evening-quick-aspect-flank = its flank
evening-quick-aspect-rear = its back
evening-quick-came = In this half-period it
evening-quick-came-stood = stood there
evening-quick-came-second = came at us in the second quarter
evening-quick-came-both = came at us in both quarters
evening-quick-screen = Skirmishers before it, cm
evening-quick-screen-name = the screen
evening-quick-comes-off = The next figure to come off
evening-quick-off = { $company }, rank { $rank }, place { $file } from the left
evening-quick-off-none = no figure of its own
evening-quick-back = And back at us
evening-no-room-for-screen = there is no room for skirmishers between the two
evening-card-marker = Marker
evening-replayed = The record was played again and holds: { $count } entries. Go on from here, or take them back one by one.
# A round of melee that is over, and walls that guns shoot to pieces.
evening-fought = { $attacker } and { $defender } have fought a round: { $lost } and { $taken } figures off
evening-drawn-round = nobody gives way
evening-recoils = { $name } goes back { $distance } cm
evening-captured = { $name } is taken prisoner
evening-gets-in = { $name } gets into { $house }
evening-put-out = { $name } is put out of { $house }
evening-holds-house = { $name } holds { $house } from now on
evening-friend-disorganised = { $name } is run into, and disorganised
evening-battered = { $name }: { $length } cm shot to pieces
evening-same-side = { $name } is on the same side
evening-too-many-lost = { $name } has only { $figures ->
       [one] 1 figure
      *[other] { $figures } figures
    }
evening-not-a-battery = { $name } has no guns
evening-not-in-lane = { $name } does not lie before its muzzles
evening-not-behind = { $name } does not stand behind it
evening-enemy-first = { $name } can be fired at, and comes first
evening-round-over = How did the round end?
evening-lost-by = Figures off, { $name }
evening-wins = { $name } wins
evening-wins-and-follows = { $name } wins and follows
evening-wins-and-enters = { $name } wins and goes in
evening-nobody-wins = Nobody wins
evening-is-captured = { $name } is captured
evening-at-the-wall = Shoot at { $name }, too
evening-batter = Shoot at { $name }
# An evening as its record tells it.
evening-umpire = the umpire
evening-told-lay = the table is laid: { $name }
evening-told-edit = { $put } things laid, { $taken } taken away
evening-told-march = { $name } marches
evening-told-form = { $name } changes formation
evening-told-reform = { $name } re-forms
evening-told-enter = { $name } goes into { $house }
evening-told-leave = { $name } comes out of the house
evening-told-fire = { $name } fires at { $target }
evening-told-melee = { $name } and { $target } fight
evening-told-next = the clock goes on
evening-told-close = the evening ends
evening-standing-table = { $bodies } bodies and { $terrain } pieces of ground are on the table
evening-over = The evening is over
# What the companies of a unit of the lists are called.
evening-figure-fusilier = fusiliers
evening-figure-grenadier = grenadiers
evening-figure-voltigeur = voltigeurs
evening-figure-light-chasseur = light chasseurs
evening-figure-light-carabinier = light carabiniers
evening-figure-young-guard = Young Guard
evening-figure-old-guard = Old Guard
evening-figure-sapper = sappers
evening-figure-centre-company = centre company
evening-figure-flank-company = flank company
evening-figure-light-infantry = light infantry
evening-figure-rifleman = riflemen
evening-figure-foot-guard = Foot Guards
evening-figure-grenzer = Grenzer
evening-figure-jager = Jäger
evening-figure-landwehr = Landwehr
evening-figure-pioneer = pioneers
evening-figure-musketeer = musketeers
evening-figure-grenadier-company = grenadier company
evening-figure-guard = Guard
evening-figure-militia = militia
evening-figure-schutze-or-jager = Schützen or Jäger
evening-figure-squadron = squadron
evening-card-command = Command
evening-card-charisma = Charisma
evening-card-in-house = in { $house }
