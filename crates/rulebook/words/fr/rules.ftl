# glacis rules
rules-rules = règles
rules-rulings = décisions
rules-examples = exemples
rules-why = pourquoi
rules-more = autres ; précisez
rules-where-law = la loi
rules-where-acts = agit
rules-where-tested = éprouvée
rules-where-unknown = ce programme a été compilé sans ses sources : il ne sait pas où une règle est écrite
rules-nothing-found = aucune règle ne contient tous ces mots
rules-no-such-rule = cette règle n'existe pas ; cherchez par mots avec --search
rules-search-too-many-words = on cherche au plus { $most } mots à la fois ; en voici { $found }
rules-search-too-long = on cherche au plus { $most } lettres à la fois ; en voici { $found }
