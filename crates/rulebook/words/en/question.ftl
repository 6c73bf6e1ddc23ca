# What each question answers, for lists and pages.
question-tabletop-fire = one fire given as facts: factor, losses, figures removed
