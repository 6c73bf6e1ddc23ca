# The siege map of Danzig.
danzig-siege-out-of-arc = the target lies outside the arc of 90 degrees of a gun facing { $facing }°
