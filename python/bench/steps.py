"""How many steps a second a batch makes on one core, with random actions: `python bench/steps.py [SYSTEM] [GAMES]`.

A step is an index that one game was given. After each, every game's observation and mask are made, as a player that
learns would want them. Time is that of the processor."""

import sys
import time

import glacis


def measure(system, games, seconds=10.0):
    batch = glacis.Batch(system, games, seed="benchmark")
    steps, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        batch.step(batch.sample())
        batch.observe()
        batch.masks()
        steps += games
    return steps / (time.process_time() - began)


if __name__ == "__main__":
    system = sys.argv[1] if len(sys.argv) > 1 else "danzig"
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 64
    print(f"{system}: {measure(system, games):,.0f} steps a second, {games} games side by side")
