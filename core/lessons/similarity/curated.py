"""Word lists that the tab brings along. The bias page shows these occupations and no others."""

from __future__ import annotations

ANIMALS = ("cat", "dog", "horse", "rabbit", "lion", "wolf")
VEHICLES = ("car", "truck", "bus", "train", "bicycle", "boat")
FOOD = ("bread", "cheese", "apple", "rice", "soup", "cake")
KINDS = ANIMALS + VEHICLES + FOOD
MIXED = tuple(name for three in zip(ANIMALS, VEHICLES, FOOD, strict=True) for name in three)

COUNTRIES = ("france", "italy", "germany", "spain", "japan", "china", "egypt", "brazil")
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
_FIVE = ((*ANIMALS, "sheep", "bird"), (*VEHICLES, "ship", "plane"), (*FOOD, "meat", "milk"), COUNTRIES, NUMBERS)
FORTY = tuple(name for five in zip(*_FIVE, strict=True) for name in five)
KIND_OF = {name: kind for kind, names in enumerate(_FIVE) for name in names}

THINGS = ("cat", "dog", "horse", "lion", "wolf", "robot", "computer", "truck", "car", "engine", "tractor")
SIZES = ("tiny", "little", "narrow", "mouse", "cat", "horse", "elephant", "whale", "massive", "enormous", "huge")
FAMILY = (
    "actress", "girl", "daughter", "sister", "queen", "mother", "aunt",
    "actor", "boy", "son", "brother", "king", "father", "uncle",
)  # fmt: skip

# The bias page. Names of occupations that fit anyone; nothing here is a word for a group of people.
POLES = ("she", "he")
OCCUPATIONS = (
    "captain", "coach", "manager", "boss", "engineer", "economist", "scientist", "programmer", "pilot", "teacher",
    "librarian", "doctor", "singer", "dancer", "hairdresser", "receptionist", "nurse", "housekeeper", "homemaker",
)  # fmt: skip

# One row, two senses.
RIVER = ("river", "shore", "stream", "water", "flood")
MONEY = ("money", "loan", "credit", "savings", "deposit")
