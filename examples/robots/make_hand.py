"""Writes hand.csv, the hand at the knob of haptic_wall:   python3 make_hand.py > hand.csv

No person was recorded. Reaches are minimum-jerk (T. Flash, N. Hogan, "The coordination of arm movements", J. Neurosci. 5, 1985);
on them lies a physiological tremor in its band of 8 to 12 Hz (R. J. Elble, W. C. Koller, "Tremor", 1990), and the noise of an encoder.
A recording of your own: one angle a line, in 0.1 mrad, 200 a second; lines that begin with # are skipped.
"""

import math
import random

RATE = 200
# (until when [s], where to [rad]): to the lower stop, into the wall, along it, with a knock to the upper stop, back, a double tap.
REACHES = [(0.18, -0.608), (0.24, -0.610), (0.44, 0.412), (0.62, 0.424), (0.68, 0.611), (0.70, 0.609), (0.78, 0.362), (0.82, 0.419),
           (0.86, 0.360), (0.90, 0.423), (1.0, 0.110)]


def main():
    numbers = random.Random(7)
    print("# Angle of a knob in a hand: 0.1 mrad a unit, 200 a second. Made by make_hand.py, which says how; nobody was recorded.")
    begin, start = 0.0, 0.0
    reaches = iter(REACHES)
    end, goal = next(reaches)
    for sample in range(RATE + 1):
        t = sample / RATE
        while t > end:
            begin, start = end, goal
            end, goal = next(reaches)
        s = (t - begin) / (end - begin)
        reach = start + (goal - start) * (10 * s**3 - 15 * s**4 + 6 * s**5)
        tremor = 1.5e-3 * math.sin(2 * math.pi * 9.3 * t) + 0.7e-3 * math.sin(2 * math.pi * 11.1 * t + 1.0)
        noise = numbers.gauss(0.0, 1e-4)
        print(round((reach + tremor + noise) * 1e4))


main()
