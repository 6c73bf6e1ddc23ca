# glacis simulate
simulate-progress = { $done } parties sur { $games }, { $rate } par seconde, encore { $left } s
simulate-played = { $games } parties de { $system }, scénario { $scenario }, graine { $seed } : { $players }
simulate-share = { $result } : { $count }, { $percent } % (intervalle à 95 % : { $low } à { $high } %)
simulate-unfinished = abandonnée après { $decisions } décisions
simulate-turns = finies au tour
simulate-turn = { $turn } : { $count } { $bar }
simulate-to-the-last = jouées jusqu'au dernier tour : { $count } { $bar }
simulate-length = décisions par partie : médiane { $median }, au moins { $least }, au plus { $most }
