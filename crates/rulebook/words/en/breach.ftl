# What the fantasy sieges say.
breach-no-end-roll = only the siege of scenario 3 is ended by a roll
breach-no-base = { $found } is no side of a base; expected: above 0, at most { $most } mm
breach-too-many-sections = a fortress has at most { $most } sections
breach-courtyard-stands = a courtyard cannot be destroyed
breach-title = Into the breach
