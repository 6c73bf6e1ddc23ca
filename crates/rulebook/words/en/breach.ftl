# What the fantasy sieges say.
breach-no-end-roll = only the siege of scenario 3 is ended by a roll
breach-no-base = { $found } is no side of a base; expected: above 0, at most { $most } mm
breach-too-many-sections = a fortress has at most { $most } sections
breach-courtyard-stands = a courtyard cannot be destroyed
breach-not-earlier = this scenario does not come before the one asked about
breach-ratio = the besieger must have at least { $least } points
breach-fixed-force = this force is fixed by the scenario
breach-not-in-list = this line is not in the list of the army
breach-other-rules = this scenario says by itself whether it is a siege
breach-no-matter = this does not matter here
breach-no-such-unit = there are not so many units of this line
breach-not-bought = there are not so many of this item
