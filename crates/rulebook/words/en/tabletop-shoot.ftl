# What the umpire says about sight and fire on a described table.
tabletop-shoot-not-seen = not seen: { $by } is in the way
