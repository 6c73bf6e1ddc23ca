# The siege map of Danzig.
danzig-siege-out-of-arc = the target lies outside the arc of 90 degrees of a gun facing { $facing }°
danzig-siege-out-of-range = factor { $factor } less { $bands } for the range leaves nothing to fire with
