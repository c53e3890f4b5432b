"""The classroom states of the Similarity tab: the lesson's own worked examples first."""

from __future__ import annotations

from core.lessons.similarity.curated import FAMILY, FORTY, KINDS, MIXED, SIZES, THINGS
from core.stage.lesson import Preset

_LESSON = {"table": "lesson_animals"}
_GLOVE = {"table": "glove"}
_MINILM = {"table": "minilm"}
_SMOLLM2 = {"table": "smollm2"}
_KING = {"view": "analogy", "a": "king", "b": "man", "c": "woman", "hoped": "queen"}

PRESETS = (
    Preset("cat_dog", {"first": "cat", "second": "dog"}, _LESSON),
    Preset("cat_car", {"first": "cat", "second": "car"}, _LESSON),
    Preset("dog_car", {"first": "dog", "second": "car"}, _LESSON),
    Preset("matrix", {"view": "matrix", "words": ("cat", "dog", "car")}, _LESSON),
    Preset("glove_pair", {"first": "cat", "second": "photosynthesis"}, _GLOVE),
    Preset("glove_neighbours", {"view": "neighbours", "first": "cat", "second": "dog"}, _GLOVE),
    Preset("glove_matrix", {"view": "matrix", "words": MIXED, "order": "clustered"}, _GLOVE),
    Preset("glove_forty", {"view": "matrix", "words": FORTY, "order": "clustered"}, _GLOVE),
    Preset("glove_map", {"view": "map", "words": KINDS}, _GLOVE),
    Preset("glove_whole", {"view": "map", "words": KINDS, "whole": True}, _GLOVE),
    Preset("minilm_neighbours", {"view": "neighbours", "first": "cat", "second": "kitten"}, _MINILM),
    Preset("minilm_map", {"view": "map", "words": KINDS}, _MINILM),
    Preset("smollm2_neighbours", {"view": "neighbours", "first": " cat", "second": " dog"}, _SMOLLM2),
    Preset("smollm2_map", {"view": "map", "words": KINDS}, _SMOLLM2),
    Preset("queen", {**_KING, "method": "rows"}, _GLOVE),
    Preset("queen_unit", {**_KING, "method": "3CosAdd"}, _GLOVE),
    Preset("queen_product", {**_KING, "method": "3CosMul"}, _GLOVE),
    Preset("rome", {"view": "analogy", "a": "paris", "b": "france", "c": "italy", "hoped": "rome"}, _GLOVE),
    Preset(
        "swimming",
        {"view": "analogy", "notation": "sentence", "a": "walk", "b": "walking", "c": "swim", "hoped": "swimming"},
        _GLOVE,
    ),
    Preset(
        "smollm2_rome",
        {"view": "analogy", "a": "Paris", "b": "France", "c": "Italy", "hoped": "Rome", "method": "rows"},
        _SMOLLM2,
    ),
    Preset("axis_things", {"view": "axis", "low": "animal", "high": "machine", "words": THINGS}, _GLOVE),
    Preset("axis_sizes", {"view": "axis", "low": "small", "high": "big", "words": SIZES, "second": "huge"}, _MINILM),
    Preset("axis_family", {"view": "axis", "low": "she", "high": "he", "words": FAMILY, "second": "queen"}, _MINILM),
    Preset("bias", {"view": "bias", "occupation": "captain"}, _GLOVE),
    Preset("bank", {"view": "bank", "many": "bank", "second": "river"}, _GLOVE),
    Preset("bank_minilm", {"view": "bank", "many": "bank", "second": "money"}, _MINILM),
)
