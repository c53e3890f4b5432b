"""Training: what its run teaches, that words drift and don't spin, and that its arithmetic multiplies out."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.encodings import training
from core.encodings.similarity import pca, procrustes
from core.lessons import IDS, lesson
from core.lessons.training import corpus, panels, work
from core.lessons.training.flat import cosines, flat, nearest, unit_rows
from core.lessons.training.lesson import LESSON
from core.lessons.training.scene import Scene, kind_of, scene_of, step_of
from core.lessons.training.state import LONGEST_TEXT, TrainingState, plan_of, step
from core.lessons.training.work import Trained, train
from core.stage.frame import Curve, Drag, Frame, Handle, Key, Label, Pick, Points, Readout
from core.stage.jobs import Cancelled, Job
from core.stage.lesson import Context, Shared
from core.stage.motion import panel_of
from core.stage.session import Session, from_json, from_link, left_out_of_link, to_json, to_link
from tests.core.printed import check_whole

CONTEXT = Context()
QUICK = settings(max_examples=15, deadline=None, derandomize=True, database=None)
SEA = "The whale swims. The shark swims. The ship sails. The boat sails. A whale dives. A shark dives. " * 3


def at(**values: object) -> TrainingState:
    return LESSON.from_mapping(values, CONTEXT)


def drawn(**values: object) -> Frame:
    return LESSON.frame(at(**values), CONTEXT)


def trained(**values: object) -> Trained:
    return train(plan_of(at(**values)), lambda share: None, lambda: False)


def scene(**values: object) -> Scene:
    return scene_of(at(**values), trained(**values))


def lines(frame: Frame) -> list[str]:
    return ["".join(term.text for term in line) for line in frame.worked.lines]


def readouts(frame: Frame) -> dict[str, Readout]:
    return {readout.key: readout for panel in frame.panels for readout in panel.readouts}


def mark(frame: Frame, key: str) -> object:
    return next(mark for _, mark in frame.marks() if mark.key == key)


def value(written: str) -> float:
    return float(written.replace("−", "-").replace(",", ""))


# --- our sentences ---------------------------------------------------------------------------------------------------


def test_our_sentences_are_many_short_and_of_few_words() -> None:
    found = corpus.ours()
    text = (Path(__file__).parents[3] / "assets/corpus/sentences.txt").read_text(encoding="utf-8")
    sentences = text.splitlines()
    assert len(sentences) == len(set(sentences)) == len(found.sentences) >= 500
    assert all(re.fullmatch(r"[A-Z][a-z]*( [a-z]+){2,9}\.", sentence) for sentence in sentences)
    assert 80 <= found.distinct <= 150
    assert found.passed == ("the",)
    assert found.rare == 0
    words = Counter(word for sentence in sentences for word in sentence.lower().rstrip(".").split())
    assert list(corpus.kinds()) == ["animals", "vehicles", "food", "people", "places"]
    for names in corpus.kinds().values():
        assert len(names) == 8
        assert all(words[name] >= 15 for name in names), names


# --- what the run teaches --------------------------------------------------------------------------------------------


def test_the_loss_falls_and_cat_finds_dog_not_car() -> None:
    run = trained()
    assert run.loss[0] == pytest.approx(3 * math.log(2), abs=0.05)
    assert run.loss[-1] < 0.55 * run.loss[0]
    cat, dog, car = (corpus.ours().place(word) for word in ("cat", "dog", "car"))
    with_dog, with_car = cosines(run, cat, dog), cosines(run, cat, car)
    assert with_dog[0] < 0.2
    assert with_dog[-1] > 0.9
    assert with_dog[200:].min() > 0.8
    assert np.abs(with_car).max() < 0.35
    assert with_car[-1] < with_car[0]


@pytest.mark.parametrize("seed", [0, 4, 52])
def test_any_seed_finds_the_kinds(seed: int) -> None:
    run = trained(seed=seed)
    nouns = {corpus.ours().place(word): kind for kind, words in corpus.kinds().items() for word in words}
    right = [nouns[nearest(run, row, run.moments, tuple(nouns))[0][0]] == kind for row, kind in nouns.items()]
    assert np.mean(right) > 0.95
    at_start = [nouns[nearest(run, row, 0, tuple(nouns))[0][0]] == kind for row, kind in nouns.items()]
    assert np.mean(at_start) < 0.5


def test_the_same_seed_gives_the_same_run() -> None:
    one = trained(batches=100)
    work._runs.clear()
    other = trained(batches=100)
    assert one is not other
    assert (one.words == other.words).all()
    assert (one.loss == other.loss).all()
    assert (trained(batches=100, seed=5).words != one.words).any()


def test_a_run_is_kept_and_the_frame_waits_for_it() -> None:
    assert trained(batches=100) is trained(batches=100)
    asked: list[Job] = []

    def later(job: Job) -> None:
        asked.append(job)

    frame = LESSON.frame(at(), Context(ask=later))
    assert frame.computing
    assert asked == [Job(train, (plan_of(at()),))]
    assert [panel.key for panel in frame.panels] == [panel.key for panel in drawn().panels], "nothing jumps"
    assert [panel.cell for panel in frame.panels] == [panel.cell for panel in drawn().panels]
    assert LESSON.act(at(), Pick("labels", (3,)), Context(ask=later)) == at()


def test_the_job_tells_its_progress_and_can_be_cancelled() -> None:
    work._runs.clear()
    heard: list[float] = []
    train(plan_of(at(batches=100)), heard.append, lambda: False)
    assert heard[-1] == 1
    assert heard == sorted(heard)
    work._runs.clear()
    with pytest.raises(Cancelled):
        train(plan_of(at(source="own", own_text=SEA)), heard.append, lambda: True)
    assert not work._runs


# --- the map ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [{}, {"seed": 3}, {"dim": 2}, {"source": "own", "own_text": SEA}])
def test_words_drift_and_do_not_spin(values: dict[str, object]) -> None:
    run = trained(**values)
    found = flat(run, run.corpus.shown)
    for moment in range(0, run.moments, 37):
        turn = procrustes(found.points[moment], found.points[moment + 1], translate=False).rotation
        np.testing.assert_allclose(turn, np.eye(2), atol=1e-6, err_msg="a better turn was left")
    steps = np.linalg.norm(np.diff(found.points, axis=0), axis=2)
    assert steps.mean() < 0.05
    assert steps.mean(axis=1).max() < 0.35, "a jump of the whole map"


def test_the_last_map_is_its_own_pca() -> None:
    run = trained()
    rows = run.corpus.shown
    found, whole = flat(run, rows), pca(unit_rows(run.words[-1, list(rows)]), 2)
    np.testing.assert_allclose(found.points[-1], whole.points, atol=1e-6)
    assert found.shares[-1] == pytest.approx(whole.explained_variance_ratio.sum())


def test_the_share_kept_is_that_of_the_moment() -> None:
    run = trained()
    rows = run.corpus.shown
    found = flat(run, rows)
    for moment in (0, 120, 600):
        units = unit_rows(run.words[moment, list(rows)])
        kept = np.square(found.points[moment]).sum() / np.square(units - units.mean(axis=0)).sum()
        assert (
            panel_of(drawn(batch=float(moment)), "map_panel").note
            == f"2 of 8 directions: {100 * kept:.0f} % of the spread"
        )
    assert found.shares[0] < 0.5 < 0.6 < found.shares[-1]


def test_between_two_batches_words_are_between_two_places() -> None:
    here, there = scene(batch=40.0).points, scene(batch=41.0).points
    np.testing.assert_allclose(scene(batch=40.25).points, here + 0.25 * (there - here), atol=1e-9)


def test_kinds_are_told_by_shape_and_every_word_by_a_label() -> None:
    frame = drawn(batch=600.0)
    shapes = {key: mark(frame, key).shape for key in corpus.kinds()}  # type: ignore[attr-defined]
    assert len(set(shapes.values())) == 5
    labels = mark(frame, "labels")
    assert isinstance(labels, Points)
    assert len(labels.labels) == len(labels.hover) == 25
    assert [labels.labels[index] for index in labels.picked] == ["cat", "dog", "car"]
    assert {mark(frame, f"legend_{kind}_name").text for kind in corpus.kinds()} == set(corpus.kinds())  # type: ignore[attr-defined]
    assert labels.hover[labels.labels.index("cat")].startswith("cat · nearest now: dog, cosine 0.9")


def test_only_one_of_a_crowd_has_a_label() -> None:
    """Beside a watched word no other is written, and of marks of one kind close together one is."""
    for preset in LESSON.presets[:-1]:
        frame = drawn(**preset.values)
        panel = panel_of(frame, "map_panel")
        labels = mark(frame, "labels")
        assert isinstance(labels, Points)
        x = labels.x / (panel.x.high - panel.x.low)
        y = panels.LOW * labels.y / (panel.y.high - panel.y.low)
        named = [index for index, label in enumerate(labels.labels) if label]
        assert set(labels.picked) <= set(named)
        assert len(named) >= 10
        for one in named:
            for other in set(named) - {one}:
                near = np.hypot(x[one] - x[other], y[one] - y[other]) < panels.CLOSE
                kinds = [kind_of(labels.labels[index]) for index in (one, other)]
                watched = {one, other} & set(labels.picked)
                assert not near or {one, other} <= set(labels.picked) or not (watched or kinds[0] == kinds[1])


def test_every_setting_has_a_title_of_its_own() -> None:
    titles = [drawn(**preset.values).title for preset in LESSON.presets]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("values", [{}, {"negatives": 1}, {"negatives": 5}, {"seed": 52}, {"window": 1}], ids=str)
def test_the_title_of_large_steps_holds_from_its_rate_on(values: dict[str, object]) -> None:
    """The map goes on jumping, beside the usual steps with all else equal."""

    def jumps(run: Trained) -> float:
        points = flat(run, run.corpus.shown).points[-101:]
        return float(np.linalg.norm(np.diff(points, axis=0), axis=2).mean())

    usual = jumps(trained(**values))
    for rate in (0.17, 0.2):
        frame = drawn(**values, learning_rate=rate, batch=600.0)
        assert frame.title == "With steps this large the words never settle: the map goes on jumping"
        assert jumps(trained(**values, learning_rate=rate)) > 1.5 * usual
    assert "never settle" not in drawn(**values, learning_rate=0.16, batch=600.0).title


def test_presets_change_one_setting_that_the_loss_depends_on() -> None:
    """A loss can be compared with that of another preset only where as many words are pushed off."""
    assert {at(**preset.values).negatives for preset in LESSON.presets} == {2}


def test_two_numbers_per_word_are_too_few_in_numbers_too() -> None:
    found = next(preset for preset in LESSON.presets if preset.id == "flat")
    crowded, roomy = scene(**found.values), scene(**{**found.values, "dim": 8})
    assert len({kind_of(crowded.names[place]) for place in (0, 2)}) == 2
    assert crowded.cosine(2) > 0.95
    assert roomy.cosine(2) < 0.7
    assert drawn(**found.values).title.startswith("Two numbers per word are too few")


# --- numbers, curves -------------------------------------------------------------------------------------------------


def test_start_and_end_in_numbers() -> None:
    start, end = drawn(), drawn(batch=600.0)
    assert start.title == "Before training the map is noise: nobody has placed a word"
    assert end.title == "The map drew itself: words used alike lie together"
    assert readouts(start)["cosine"].value == "0.06"
    assert readouts(end)["cosine"].value == "0.99"
    assert readouts(end)["cosine_third"].value == "−0.14"
    assert "batch 600 of 600" in end.alt
    assert "Nearest to cat on the map: dog 0.99" in end.alt
    assert "“the”" in end.notice


@given(st.floats(0, 600))
@QUICK
def test_what_is_not_yet_played_is_not_shown(batch: float) -> None:
    frame = drawn(batch=batch)
    here = scene(batch=batch)
    for key, other in (("cosine_curve", 1), ("cosine_third_curve", 2)):
        curve = mark(frame, key)
        assert isinstance(curve, Curve)
        assert len(curve.x) == here.moment + 1
        assert value(readouts(frame)["cosine" if other == 1 else "cosine_third"].value) == round(float(curve.y[-1]), 2)
        assert panel_of(frame, "cosine_panel").x.high == 600
    handle = mark(frame, "scrub")
    assert isinstance(handle, Handle)
    assert handle.x == pytest.approx(batch, abs=1e-5)
    assert f"mean loss {here.loss:.2f}" == panel_of(frame, "loss_panel").title


def test_scrubbing_playing_and_stepping() -> None:
    state = at()
    assert LESSON.act(state, Drag("scrub", 123.4, 9.0), CONTEXT).batch == 123
    assert LESSON.act(state, Drag("scrub", -5.0, 0.0), CONTEXT).batch == 0
    assert LESSON.act(state, Drag("scrub", 1e9, 0.0), CONTEXT).batch == 600
    assert step(state, LESSON.beat).batch == 1
    assert step(at(batch=17.0), -LESSON.beat).batch == 16
    assert step(state, 1e9).batch == 600
    assert at(batch=900.0).batch == 600
    assert at(batch=900.0, batches=1000).batch == 900


def test_the_last_two_picked_words_are_compared() -> None:
    state = at(batch=600.0)
    words = [corpus.ours().words[row] for row in scene().shown]
    picked = LESSON.act(state, Pick("labels", (words.index("bread"),)), CONTEXT)
    assert (picked.first, picked.second, picked.third) == ("dog", "bread", "cat")
    assert picked.batch == 600
    again = LESSON.act(picked, Pick("vehicles", (1,)), CONTEXT)
    assert (again.first, again.second, again.third) == ("bread", words[6], "dog")
    back = LESSON.act(state, Pick("labels", (words.index("cat"),)), CONTEXT)
    assert (back.first, back.second, back.third) == ("dog", "cat", "car")
    assert LESSON.act(state, Pick("labels", (99,)), CONTEXT) == state
    assert LESSON.act(state, Key("labels", "home"), CONTEXT).second == words[0]
    assert LESSON.act(state, Key("labels", "right"), CONTEXT).second == words[words.index("dog") + 1]


def test_other_words_on_the_map_and_words_that_are_not_there() -> None:
    frame = drawn(words=("bread", "sings", "zebra", "Soup", "quiet"), first="zebra")
    labels = mark(frame, "labels")
    assert isinstance(labels, Points)
    assert set(labels.labels) >= {"bread", "sings", "soup", "quiet", "dog", "car"}
    assert "“zebra” has no row here;" in frame.notice
    assert "Not in the text, so not on the map: “zebra”." in frame.notice
    assert mark(frame, "words")


# --- arithmetic ------------------------------------------------------------------------------------------------------

STATES = [
    {"batch": 1.0},
    {"batch": 90.0},
    {"batch": 150.0, "negatives": 5, "dim": 16},
    {"batch": 300.0, "dim": 2, "negatives": 1},
    {"batch": 600.0},
    {"batch": 333.0, "window": 5, "negatives": 3, "learning_rate": 0.07},
    {"source": "own", "own_text": SEA, "batch": 250.0},
]


@pytest.mark.parametrize("values", STATES)
def test_the_arithmetic_multiplies_out(values: dict[str, object]) -> None:
    text = "\n".join(lines(drawn(**values)))
    for product, relation, chance in re.findall(r"σ\(([−\d.]+)\) (=|≈) ([\d.]+),", text):
        sigma = 1 / (1 + math.exp(-value(product)))
        assert (relation == "=") == (abs(sigma - value(chance)) < 0.0005 + 1e-9)
        assert abs(sigma - value(chance)) < 0.0007
    for chance, wanted, error in re.findall(r"error ([\d.]+) − ([01]) = (−?[\d.]+)", text):
        assert value(error) == pytest.approx(value(chance) - value(wanted), abs=1e-9)
    whole = " ".join(text.split())
    factors, parts, relation, result = re.search(
        r"slope \S+\[\d+\] = ((?:\(\S+\)\(\S+\)(?: \+ )?)+) = (.*?) (=|≈) (−?[\d.]+) ", whole
    ).groups()  # type: ignore[union-attr]
    products = [round(value(a) * value(b), 4) for a, b in re.findall(r"\((\S+?)\)\((\S+?)\)", factors)]
    signed = [value(part) for part in re.sub(r" ([−+]) ", r" \1", parts).replace("+", "").split()]
    assert signed == pytest.approx(products, abs=1e-9)
    assert (relation == "=") == (abs(sum(products) - value(result)) < 0.0005 + 1e-9)
    assert abs(sum(products) - value(result)) < 0.006
    old, rate, slope, relation, new = re.search(r"\S+\[\d+\]: (\S+) − (\S+) × \((\S+?)\) (=|≈) (\S+)", whole).groups()  # type: ignore[union-attr]
    assert value(slope) == value(result)
    calculated = value(old) - value(rate) * value(slope)
    assert (relation == "=") == (abs(calculated - value(new)) < 0.0005 + 1e-9)
    assert abs(calculated - value(new)) < 0.0011


@pytest.mark.parametrize("values", [*STATES, *(preset.values for preset in LESSON.presets[:-1])])
def test_every_line_comes_out_with_the_numbers_on_it(values: dict[str, object]) -> None:
    frame = drawn(**values)
    assert check_whole(frame) >= 5
    assert not any("≈" in line for line in lines(frame))
    assert all(len(line) <= 72 for line in lines(frame))


@pytest.mark.parametrize("values", STATES[:-1])
def test_the_update_leads_to_the_next_snapshot(values: dict[str, object]) -> None:
    here = scene(**values)
    worked = step_of(here, at(**values).learning_rate)
    index = min(here.moment, here.last - 1)
    update, run = here.trained.updates[index], here.trained
    moved = run.words[index, worked.centre].astype(np.float64)
    counted = 0
    for (centre, near), drawn_words, keep in zip(update.pairs, update.drawn, update.keep, strict=True):
        if centre == worked.centre:
            counted += 1
            rows = run.contexts[index]
            gradient = training.pair_gradient(run.words[index, centre], rows[near], rows[drawn_words[keep]])
            moved -= worked.rate * gradient.centre
    assert counted == 1 + worked.more
    np.testing.assert_allclose(moved, run.words[index + 1, worked.centre], atol=1e-5)
    np.testing.assert_allclose(worked.after, run.words[index + 1, worked.centre])
    if not worked.more:
        np.testing.assert_allclose(worked.vector - worked.rate * worked.slope, worked.after, atol=1e-5)
    pair = training.pair_gradient(worked.vector, worked.rows[0], worked.rows[1:][list(worked.keep[1:])])
    np.testing.assert_allclose(pair.centre, worked.slope, atol=1e-9)
    assert pair.loss == pytest.approx(worked.loss)


def test_the_first_batch_moves_only_the_neighbours() -> None:
    text = lines(drawn())
    assert all("σ(0.000) = 0.500" in line for line in text[:3])
    assert "= 2.079" in text[3]
    assert text[4] == "mean loss 2.07: over the first batch, each term −ln 0.5 = 0.6931"
    assert text[5] == "(64 + 127) × 0.6931 / 64 = 2.07   pulls 64, pushes 127, skipped 1"
    assert "the neighbours’ table starts at 0: the first batch moves only it" in text
    assert "the neighbours’ second table at 0" in drawn().subtitle
    assert drawn(batch=1.0).subtitle != drawn().subtitle


FIRST = [
    *({"negatives": count, "seed": seed} for count in (1, 3, 5) for seed in (0, 31)),
    {"window": 1},
    {"window": 5, "dim": 2},
    {"learning_rate": 0.2, "batches": 100},
    {"source": "own", "own_text": SEA},
    {"source": "own", "own_text": "cat dog"},
]


@pytest.mark.parametrize("values", FIRST, ids=str)
def test_the_first_loss_is_added_up_with_its_skipped_pushes(values: dict[str, object]) -> None:
    frame, run = drawn(**values), trained(**values)
    text = lines(frame)
    place = next(index for index, line in enumerate(text) if line.startswith("mean loss"))
    pulls, pushes, term, pairs, sign, loss = re.match(
        r"\((\d+) \+ (\d+)\) × ([\d.]+) / (\d+) (=|≈) ([\d.]+)", text[place + 1]
    ).groups()  # type: ignore[union-attr]
    update = run.updates[0]
    assert (int(pulls), int(pushes)) == (len(update.pairs), int(update.keep.sum()))
    assert text[place + 1].endswith(f"skipped {update.keep.size - int(pushes)}")
    assert pairs == pulls
    assert panel_of(frame, "loss_panel").title == f"mean loss {loss}"
    assert (int(pulls) + int(pushes)) * value(term) / int(pairs) == pytest.approx(value(loss), abs=0.0051)
    assert sign == "="
    assert all(len(line) <= 72 for line in text)


@pytest.mark.parametrize(("seed", "batch"), [(1, 1.0), (4, 1.0), (10, 2.0)])
def test_rows_that_are_still_zero_later_are_not_called_the_first_batch(seed: int, batch: float) -> None:
    values: dict[str, object] = {"seed": seed, "negatives": 1, "window": 1, "batches": 100, "batch": batch}
    assert not step_of(scene(**values), 0.1).rows.any()
    text = lines(drawn(**values))
    assert not any("first batch" in line for line in text)
    assert any("still 0" in line for line in text)


@pytest.mark.parametrize("values", [*STATES[:-1], *(preset.values for preset in LESSON.presets[:-1])], ids=str)
def test_errors_stand_below_one_another(values: dict[str, object]) -> None:
    places = {line.index("  error") for line in lines(drawn(**values)) if "  error" in line}
    assert len(places) == 1


@pytest.mark.parametrize("batch", [0.0, 1.0, 120.0, 600.0])
def test_the_cosines_of_the_stage_are_worked_out(batch: float) -> None:
    frame = drawn(batch=batch)
    text = "\n".join(lines(frame))
    found = re.findall(r"cosine cat · \w+ = (\S+) / \((\S+) × (\S+)\) = (\S+)", text)
    assert [result for *_, result in found] == [readouts(frame)[key].value for key in ("cosine", "cosine_third")]
    for product, one, other, result in found:
        assert value(product) / (value(one) * value(other)) == pytest.approx(value(result), abs=0.005)


def test_the_drawn_words_of_the_pair_are_named() -> None:
    worked = step_of(scene(batch=90.0), 0.1)
    names = [corpus.ours().words[row] for row in worked.others]
    caption = panel_of(drawn(batch=90.0), "map_panel").caption
    assert all(f"“{name}”" in caption for name in names)
    assert caption.startswith("Batch 91 pulls")


# --- a text of the class ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("", "empty"),
        (" \n\t ", "empty"),
        ("😀😀 123 … !!! 🦜", "no_words"),
        ("x" * 200, "no_words"),
        ("whale", "one_word"),
        ("Whale! whale? WHALE.", "one_word"),
        ("one\ntwo\nthree", "no_pair"),
    ],
)
def test_a_text_that_teaches_nothing_is_told_so(typed: str, problem: str) -> None:
    frame = drawn(source="own", own_text=typed)
    said = [mark.text for _, mark in frame.marks() if isinstance(mark, Label)]
    assert corpus.read(typed).problem == problem
    assert len(said) == 2
    assert all(sentence in frame.alt for sentence in said)
    assert not frame.computing


def test_words_are_read_as_a_person_reads_them() -> None:
    found = corpus.read("“Don't stop,” she said—twice! The café's cat: a cat. Ne\u0301e? 42 it's 😀 well-known")
    assert set(found.words) == {
        "don't", "stop", "she", "said", "twice", "the", "café's", "cat", "a", "née", "it's", "well-known"
    }  # fmt: skip
    assert [len(sentence) for sentence in found.sentences] == [5, 5, 1, 2]
    assert corpus.read("我喜欢猫。我喜欢狗。").words[:3] == ("喜", "我", "欢")
    assert corpus.read("बिल्ली सोती है। कुत्ता सोता है।").words[0] == "है"
    assert corpus.read("<s> cat & dog <unk>").words == ("cat", "dog", "s", "unk")


def noise(words: int) -> str:
    """Words side by side by chance: nothing in their company makes two of them alike."""
    letters = np.random.default_rng(5).integers(0, 26, (words, 5))
    return " ".join("".join(chr(97 + letter) for letter in word) for word in letters)


@pytest.mark.parametrize("typed", [noise(60), noise(900), "a b c", "one two three four", SEA], ids=len)
@pytest.mark.parametrize("values", [{}, {"dim": 2}, {"learning_rate": 0.2}, {"window": 1}, {"seed": 3}], ids=str)
def test_nothing_is_claimed_of_a_map_that_nobody_has_seen(typed: str, values: dict[str, object]) -> None:
    """The words that stand in are picked as nearest and farthest: that they differ shows no meaning."""
    frame = drawn(source="own", own_text=typed, batches=100, batch=100.0, **values)
    assert frame.title == "This is the map that your text has drawn"
    assert "its nearest at the end" in frame.notice
    assert "its farthest" in frame.notice


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"first": "whale", "second": "shark"}, "instead. Of the others “{third}” is the farthest at the end."),
        ({"first": "whale", "third": "ship"}, "instead. Of the others “{second}” is the nearest at the end."),
        ({"first": "whale"}, "Of the others “{second}” is the nearest at the end, “{third}” the farthest."),
        ({"second": "whale", "third": "ship"}, "“cat” has no row here; “{first}” is shown instead."),
    ],
)  # fmt: skip
def test_stand_ins_are_called_what_they_were_picked_as(values: dict[str, object], said: str) -> None:
    found = {"source": "own", "own_text": SEA, "batches": 100, "batch": 100.0, **values}
    first, second, third = scene(**found).names
    assert said.format(first=first, second=second, third=third) in drawn(**found).notice
    chosen = drawn(**{**found, "first": "whale", "second": "shark", "third": "ship"}).notice
    assert "nearest" not in chosen


@pytest.mark.parametrize("typed", ["cat sat", "cat dog", "b word", "a b c"])
def test_no_stand_in_is_named_twice(typed: str) -> None:
    notice = drawn(source="own", own_text=typed, batches=100).notice
    named = re.findall("“[^”]*”", notice.split(";", 1)[1])
    assert len(set(named)) == len(named)
    assert (" is shown instead" in notice) == (len(named) == 1)


@pytest.mark.parametrize(
    ("typed", "signs"),
    [
        ("the 🦊 ate 🍎🍎. the 🦊 ran", ("🦊", "🍎🍎")),
        ("the fox ate 42 apples", ("42",)),
        ("a cat – a dog … “well”, 'yes' - no!", ()),
        ("b2 or not b2", ()),
    ],
)
def test_what_is_no_word_is_named(typed: str, signs: tuple[str, ...]) -> None:
    assert corpus.read(typed).signs == signs
    notice = drawn(source="own", own_text=typed, batches=100).notice
    assert ("No words, so passed over: " in notice) == bool(signs)
    assert all(f"“{sign}”" in notice for sign in signs)
    assert not corpus.ours().signs


def test_two_words_make_a_run_and_a_map() -> None:
    frame = drawn(source="own", own_text="cat dog", batch=600.0)
    assert readouts(frame)["cosine"].value
    assert drawn(source="own", own_text="a b " * 500, learning_rate=0.2, negatives=5, batch=300.0).alt


def test_like_company_makes_like_words_in_any_text() -> None:
    run = trained(source="own", own_text=SEA, batches=600)
    place = run.corpus.place
    whale, shark, boat = place("whale"), place("shark"), place("boat")
    assert cosines(run, whale, shark)[-1] > 0.8 > 0.4 > cosines(run, whale, boat)[-1]
    frame = drawn(source="own", own_text=SEA, batch=600.0)
    assert "“cat”, “dog” and “car” have no row here;" in frame.notice
    chosen = drawn(source="own", own_text=SEA, batch=600.0, first="whale", second="Shark", third="boat")
    assert "no row" not in chosen.notice
    assert "Nearest to whale on the map: shark" in chosen.alt


def test_a_long_text_keeps_its_commonest_words_and_says_what_it_leaves_out() -> None:
    rng = np.random.default_rng(2)
    names = np.array([f"w{''.join(chr(97 + int(digit)) for digit in str(number))}" for number in range(1500)])
    weights = 1 / np.arange(1, 1501)
    rows = rng.choice(1500, (3000, 12), p=weights / weights.sum())
    typed = ". ".join(" ".join(names[row]) for row in rows)
    run = trained(source="own", own_text=typed, batches=100, dim=2)
    assert len(run.corpus.words) == corpus.MOST_WORDS
    assert run.every > 1
    assert len(run.words) == 101
    assert run.corpus.passed[0] == names[0]
    frame = drawn(source="own", own_text=typed, batches=100, dim=2, batch=100.0)
    assert "the 500 commonest are learnt" in frame.notice
    assert "Left out because they stand beside everything" in frame.notice
    total = 100 * run.every
    assert f"batch {total:,} of {total:,}" in frame.alt


def test_steps_that_run_away_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "_RUNAWAY", 0.1)
    work._runs.clear()
    frame = drawn(batches=200)
    work._runs.clear()
    assert frame.title == "This text draws no map"
    assert "Choose a smaller learning rate." in frame.alt


def test_a_long_text_stays_out_of_links_and_in_session_files() -> None:
    state = at(source="own", own_text="A cat sleeps. " * 400, seed=7)
    link = to_link("training", state, Shared())
    assert len(link) < 200
    assert left_out_of_link(state) == ("own_text",)
    assert from_link(link, lesson, IDS)[1] == at(source="own", seed=7)
    session = Session("training", Shared(), {"training": state})
    assert from_json(to_json(session), lesson, IDS) == session
    short = at(source="own", own_text="A cat sleeps.\nA dog sleeps & eats.")
    assert from_link(to_link("training", short, Shared()), lesson, IDS)[1] == short
    assert len(json.dumps(at(own_text="\U0001f600" * (LONGEST_TEXT + 5)).own_text, ensure_ascii=False)) < 1_000_010
