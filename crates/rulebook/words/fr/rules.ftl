# glacis rules
rules-rules = règles
rules-rulings = décisions
rules-examples = exemples
rules-why = pourquoi
rules-more = autres ; précisez
rules-nothing-found = aucune règle ne contient tous ces mots
rules-no-such-rule = cette règle n'existe pas ; cherchez par mots avec --search
