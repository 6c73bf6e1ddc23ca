# What is seen in the diagrams of the books.
figure-works = Two saps come out of the concentration area; a parallel lies across the head of the second, a battery at its end. The earth is thrown up towards the city.
figure-arc = A battery fires within a quarter of a circle round the way it looks. The dashed lines go to the wall points that lie in its arc and in sight.
figure-enfilade = A parallel that a battery on the walls sees end-on is raked: one shot at the end of the building step, wherever such a line can be drawn.
figure-open-ground = A way over open ground is fired at once for every 250 m begun.
figure-walls = The same wall from its full level to a breach: the ring around each number empties as the guns bring it down.
figure-guns = Hatched: the ground under the guns of Danzig, of the entrenched camp and of the fort, where every hex entered costs a shot.
figure-fortress = The ground before the fortress.
