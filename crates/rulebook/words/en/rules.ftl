# glacis rules
rules-rules = rules
rules-rulings = rulings
rules-examples = examples
rules-why = why
rules-more = more; say it more closely
rules-where-law = the law
rules-where-acts = acts
rules-where-tested = tested
rules-where-unknown = this program was built without its sources: it cannot say where a rule is written
rules-nothing-found = no rule has all these words
rules-no-such-rule = there is no such rule; look for words with --search
rules-search-too-many-words = at most { $most } words can be sought at once; these are { $found }
rules-search-too-long = at most { $most } letters can be sought at once; these are { $found }
