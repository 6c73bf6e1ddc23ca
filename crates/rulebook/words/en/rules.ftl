# glacis rules
rules-rules = rules
rules-rulings = rulings
rules-examples = examples
rules-why = why
rules-more = more; say it more closely
rules-nothing-found = no rule has all these words
rules-no-such-rule = there is no such rule; look for words with --search
