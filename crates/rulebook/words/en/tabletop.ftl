# What the umpire of the table says of a fire given as facts.
tabletop-beyond-range = the target is at { $distance }, beyond the range of { $range }
tabletop-no-guns-at-officers = artillery does not aim at a single officer (option artillery_at_officers)
tabletop-negative-distance = a distance is not negative
tabletop-more-superior-than-figures = there are more superior figures than figures that fire
tabletop-batteries-only = only a battery chooses its projectile
tabletop-small-arms-only = this is for small arms only
tabletop-artillery-only = only artillery can be in position
tabletop-battery-without-formation = a battery that is unformed or disordered does not fire
tabletop-title = The miniatures table
