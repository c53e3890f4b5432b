"""The whole path: the real numbers of each station, the code that does them, and what a person meets on the way."""

from __future__ import annotations

import contextlib
import io
import json
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.lessons import IDS, lesson
from core.lessons.pipeline import code, compute, program, shapes, walk
from core.lessons.pipeline.compute import PATHS, STATIONS
from core.lessons.pipeline.lesson import LESSON
from core.lessons.pipeline.state import PipelineState, follow, on_path, run_of, settle, step
from core.stage.frame import Cards, Code, Frame, Key, Matrix, Pick, Scroll
from core.stage.lesson import Context, Shared
from core.stage.params import replace
from core.stage.session import from_link
from core.tables import shipped, tokenizers

GOLDEN = Path(__file__).parents[2] / "golden"
CAT = Context(Shared("The cat sat"))
MAT = "the cat sat on the mat"


def golden(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return cases


def at(context: Context = CAT, **values: object) -> PipelineState:
    found: PipelineState = LESSON.from_mapping(values, context)
    return found


def drawn(context: Context = CAT, **values: object) -> Frame:
    return LESSON.frame(at(context, **values), context)


def mark(frame: Frame, key: str) -> Any:
    return next(mark for _, mark in frame.marks() if mark.key == key)


def lines(frame: Frame) -> list[str]:
    return ["".join(term.text for term in line) for line in frame.worked.lines]


def readout(frame: Frame, key: str) -> str:
    return next(entry.value for panel in frame.panels for entry in panel.readouts if entry.key == key)


def cells(frame: Frame, key: str = "array") -> np.ndarray:
    matrix = mark(frame, key)
    assert isinstance(matrix, Matrix)
    return matrix.source.block(slice(*matrix.rows), slice(*matrix.columns))


def value(written: str) -> float:
    return float(written.replace("−", "-").replace(",", ""))


# --- real numbers ----------------------------------------------------------------------------------------------------


def test_minilms_input_layer_is_the_float32_one_within_its_tolerance() -> None:
    (case,) = golden("minilm_input_layer")
    run = compute.run("learned", MAT, 0, 1)
    assert list(run.words) == case["params"]["tokens"]
    assert list(run.ids) == case["params"]["ids"]
    wanted, found = np.array(case["values"]["layer_norm_output"]), run.arrays["norm"]
    assert found.shape == wanted.shape == (8, 384)
    cosines = (wanted * found).sum(1) / np.linalg.norm(wanted, axis=1) / np.linalg.norm(found, axis=1)
    assert cosines.min() >= case["tol"]["cosine_min"]
    assert np.abs(wanted - found).max() <= case["tol"]["atol"]
    # The bound that the stage states.
    degrees, error = float(np.degrees(np.arccos(cosines.min()))), float(np.abs(wanted - found).max())
    assert walk.DEGREES - 0.01 < degrees <= walk.DEGREES, "rounded up: at most"
    assert walk.ERROR - 0.001 < error <= walk.ERROR
    caption = drawn(Context(Shared(MAT)), station=5).panels[1].caption
    assert "1.81°" in caption
    assert "one sentence" in caption
    assert "0.025" in caption


def test_the_lessons_sentence_has_its_ids() -> None:
    frame = drawn(station=2)
    assert [card.title for card in mark(frame, "cards gpt2").cards] == ["464", "3797", "3332"]
    assert [card.title for card in mark(frame, "cards learned").cards] == ["101", "1996", "4937", "2938", "102"]
    assert [card.title for card in mark(drawn(path="rope", station=2), "cards rope").cards] == ["504", "2644", "2643"]
    assert lines(frame)[0].endswith("[464, 3797, 3332]")


@pytest.mark.parametrize("head", [1, 4, 9])
def test_smollm2s_score_sees_only_the_gap(head: int) -> None:
    near, far = (compute.run("rope", "The cat sat", first, head) for first in (1, 501))
    assert (near.positions, far.positions) == ((1, 2, 3), (501, 502, 503))
    assert far.arrays["score"] == pytest.approx(near.arrays["score"], abs=1e-9)
    assert np.abs(far.arrays["turn"] - near.arrays["turn"]).max() > 0.1


def test_both_presets_show_one_score() -> None:
    shown = [
        LESSON.frame(LESSON.from_mapping(LESSON.preset(name).values, CAT), CAT) for name in ("rope_near", "rope_far")
    ]
    assert readout(shown[0], "here") == readout(shown[1], "here")
    assert np.array_equal(np.round(cells(shown[0]), 6), np.round(cells(shown[1]), 6))
    assert "3 − 1 = 2" in lines(shown[0])[2]
    assert "503 − 501 = 2" in lines(shown[1])[2]


def test_drawn_rows_have_the_original_spread() -> None:
    row = compute.drawn_row(464, 512)
    assert row.std() == pytest.approx(512**-0.5, rel=0.1)
    scaled = compute.run("sinusoidal", "The cat sat", 0, 1)
    assert scaled.arrays["scale"] == pytest.approx(scaled.arrays["lookup"] * np.sqrt(512))
    assert scaled.arrays["position"][0, 1] == pytest.approx(scaled.arrays["scale"][0, 1] + 1.0)


def test_alibi_takes_slope_times_gap() -> None:
    run = compute.run("alibi", "The cat sat", 0, 3)
    gaps = np.tril(np.subtract.outer(np.arange(3), np.arange(3)))
    assert run.arrays["bias"] == pytest.approx(run.arrays["score"] - 2.0**-3 * gaps)
    assert run.weights is not None
    assert run.weights.sum(axis=1) == pytest.approx(1.0)


# --- code ------------------------------------------------------------------------------------------------------------


def printed(source: str, **names: object) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(source, "<shown on the stage>", "exec"), dict(names))
    return out.getvalue()


def test_the_program_prints_what_the_lesson_prints() -> None:
    (case,) = (case for case in golden("lesson_code") if case["id"] == "run_verbatim")
    assert printed("\n".join(program.LINES)) == case["values"]["stdout"]
    assert "\n".join(program.PRINTED) + "\n" == case["values"]["stdout"]
    frame = drawn(page="code", code="program", path="sinusoidal", station=5)
    assert mark(frame, "program").lines == program.LINES
    assert mark(frame, "printed").lines == program.PRINTED


def test_the_program_keeps_far_positions_apart() -> None:
    """Rounded inside, positions 5 and 13,828 would be one vector."""
    assert not any("sin" in entry and "round" in entry for entry in program.LINES)


@pytest.mark.parametrize("typed", ["The cat sat", "the cat sat on the mat today"])
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("first", [0, 7])
def test_the_lines_of_numpy_do_what_the_stage_shows(path: str, first: int, typed: str) -> None:
    run = compute.run(path, typed, first, 2)
    table = compute.table_of(path)
    rows = {number: run.arrays["lookup"][at] for at, number in enumerate(run.ids)}

    class Rows:
        """The table, as far as the sentence needs it."""

        def __getitem__(self, ids: np.ndarray) -> np.ndarray:
            return np.array([[rows[int(number)] for number in line] for line in ids])

    norm, layer = shipped.minilm_layernorm(), shipped.smollm2_layer0()
    w_q, w_k = compute.head_weights(path if path == "rope" else "alibi", 2)
    if path == "learned":
        w_q = w_k = np.eye(384)
    names: dict[str, Any] = {
        "np": np, "E": Rows(), "P": shipped.minilm_positions().astype(float), "S": shipped.minilm_token_types(),
        "w": norm.weight, "b": norm.bias, "g": layer.attn_norm, "W_q": w_q, "W_k": w_k, "W_v": w_q,
    }  # fmt: skip
    assert table is None or table.id == compute.VOCABULARY[path]
    steps = code.lines(path, "numpy", run, typed)
    assert max(len(entry) for _, entry in steps) <= 66
    for station in STATIONS[path]:
        source = "\n".join(entry for name, entry in steps if name == station)
        assert source, station
        exec(compile(source, f"<{station}>", "exec"), names)
        if station == "ids":
            assert names["ids"].tolist() == [list(run.ids)]
        elif station in ("lookup", "scale", "position", "norm"):
            assert names["x"][0] == pytest.approx(run.arrays[station], abs=1e-9)
        elif station == "qk":
            assert np.stack([names["q"][0], names["k"][0]]) == pytest.approx(run.arrays["qk"], abs=1e-9)
        elif station == "turn":
            turned = np.stack([names["q"][0], names["k"][0]])
            assert np.stack([turned.real, turned.imag], -1).reshape(2, run.n, 64) == pytest.approx(
                run.arrays["turn"], abs=1e-9
            )
    if path in ("rope", "alibi"):
        low = np.tril_indices(run.n)
        assert names["s"][0][low] == pytest.approx(run.arrays[STATIONS[path][-1]][low], abs=1e-9)
        assert np.isneginf(names["s"][0][np.triu_indices(run.n, 1)]).all()


@pytest.mark.parametrize("path", PATHS)
def test_each_station_lights_its_lines(path: str) -> None:
    for form in ("numpy", "torch"):
        for station in range(len(STATIONS[path])):
            state = at(page="code", path=path, form=form, station=station)
            frame = LESSON.frame(state, CAT)
            shown = mark(frame, "code")
            assert isinstance(shown, Code)
            assert shown.lit, (path, form, station)
            assert shown.lines[shown.lit[0]] in frame.alt, "the code can be copied from the alternative text"
            assert LESSON.act is not None
            assert LESSON.act(at(page="code", path=path, form=form), Pick("code", (shown.lit[-1],)), CAT).station == (
                station
            )


# --- walking ---------------------------------------------------------------------------------------------------------


def test_play_walks_to_the_end_and_rests_on_stations() -> None:
    state = at()
    assert settle(step(state, 3.0)).station == 3
    assert settle(step(state, 3.2)).travel == pytest.approx(0.2)
    end = step(state, 1e6)
    assert settle(end).station == len(STATIONS["learned"]) - 1
    assert step(end, 1.0) == end
    rest, moving = (mark(LESSON.frame(step(state, by), CAT), "present").x for by in (0.5, 0.8))
    assert np.array_equal(rest, mark(LESSON.frame(state, CAT), "present").x)
    assert (moving > rest).all()


def test_another_path_is_entered_at_the_same_station() -> None:
    assert on_path(at(station=5), "rope").station == STATIONS["rope"].index("norm")
    state = at(path="alibi", station=7)
    after = LESSON.edited(state, CAT, path="learned")
    assert after.station == len(STATIONS["learned"]) - 1
    assert follow(state, replace(state, path="rope")).station == 7


@pytest.mark.parametrize("path", PATHS)
def test_every_station_opens_its_tab_and_nothing_is_lost_on_the_way(path: str) -> None:
    for sentence in ("The cat sat", "cats & dogs = 50% #1, naïve?"):
        context = Context(Shared(sentence, "glove"))
        for station, name in enumerate(STATIONS[path]):
            frame = LESSON.frame(at(context, path=path, station=station, token=2, first=3), context)
            button = mark(frame, "open")
            assert isinstance(button, Cards)
            tab, state, shared, notices = from_link(button.link, lesson, IDS)
            assert tab in IDS
            assert tab != "pipeline"
            assert shared.sentence == sentence
            assert notices == [], (path, name, button.link)
            assert lesson(tab).legal(state, Context(shared)) == state
    rope = mark(drawn(path="rope", station=6, token=2, first=501), "open").link
    assert from_link(rope, lesson, IDS)[1].query_position == 503


def opened(context: Context, **values: object) -> tuple[str, Any, Frame]:
    """The tab that the button opens, its state and its picture."""
    frame = LESSON.frame(at(context, **values), context)
    tab, state, shared, notices = from_link(mark(frame, "open").link, lesson, IDS)
    assert notices == [], values
    return tab, state, lesson(tab).frame(state, Context(shared))


@pytest.mark.parametrize(
    "sentence", ["The cat sat", "the cat sat on the mat", "the dog sat | Stop", "  the dog on a mat"]
)
@pytest.mark.parametrize("head", [1, 5, 9])
def test_rope_opens_with_smollm2s_own_numbers(sentence: str, head: int) -> None:
    context = Context(Shared(sentence))
    for token in range(4):
        for key in range(token + 1):
            values = {"path": "rope", "token": token, "key_token": key, "first": 3, "head": head, "column": 5}
            run = run_of(at(context, **values), context)
            token_, key_ = min(token, run.n - 1), min(key, run.n - 1)
            tab, state, frame = opened(context, station=7, **values)
            assert tab == "rope"
            assert (state.query_position, state.key_position) == (run.positions[token_], run.positions[key_])
            if state.page == "gap":
                assert state.attention_head == head
                whole = value(readout(frame, "score"))
                assert whole / 8 == pytest.approx(run.arrays["score"][token_, key_], abs=1e-3)
            for station in (6, 7):
                _, state, _ = opened(context, station=station, **values)
                if state.page == "gap":
                    continue
                pair = slice(2 * state.pair, 2 * state.pair + 2)
                assert station == 7 or state.pair == 2
                asked = key_ if station == 7 else token_  # one token's q and k turn
                assert state.key_position == run.positions[asked]
                for part, row, name in ((0, token_, "query"), (1, asked, "key")):
                    wanted = run.arrays["qk"][part, row, pair]
                    scale = max(1.0, 2.0 ** np.ceil(np.log2(np.abs(wanted).max() / 4.0)))
                    assert getattr(state, name) == pytest.approx(wanted / scale, abs=6e-4)
    assert opened(CAT, path="rope", station=7, token=2, key_token=1)[1].page == "gap"


@pytest.mark.parametrize(
    "sentence", ["The cat sat", "the cat sat on the mat", "I see a dog | Stop", "cats & dogs, naïve"]
)
@pytest.mark.parametrize("path", PATHS)
def test_the_picked_token_and_head_go_along(path: str, sentence: str) -> None:
    """The other tab has picked the same letters of the sentence."""
    context = Context(Shared(sentence, "glove"))
    for station, name in enumerate(STATIONS[path]):
        for token in range(1, 4):
            state = at(context, path=path, station=station, token=token, key_token=1, head=3)
            run = run_of(state, context)
            word = run.words[state.token].strip("␣").removeprefix("##").lower()
            tab, there, _ = opened(context, path=path, station=station, token=token, key_token=1, head=3)
            shared = Context(from_link(mark(LESSON.frame(state, context), "open").link, lesson, IDS)[2])
            if word.startswith("["):
                continue
            if tab == "order":
                found = shared.tokens_in("lesson_animals")[there.token].shown
            elif tab == "lookup" and name in ("text", "tokens"):
                found = [entry for entry in tokenizers.gpt2().words(sentence) if entry.strip()][there.part]
            elif tab == "lookup" and name == "ids":
                assert there.vocabulary == compute.VOCABULARY[path]
                assert there.first != there.second
                found = shared.tokens_in(there.vocabulary)[there.second].shown
            elif tab == "lookup" and name == "lookup":
                found = shared.tokens[there.token].shown
            elif tab == "compare":
                found = shared.tokens[there.query].shown
                assert name != "score" or there.head == 3
            else:
                continue
            assert word in found.lower() or found.strip("␣").lower() in word, (name, word, found)


def test_the_picked_cell_is_the_one_that_is_worked_out() -> None:
    state = at(station=4)
    assert LESSON.act is not None
    picked = LESSON.act(state, Pick("array", (3, 5)), CAT)
    assert (picked.token, picked.column) == (3, 5)
    frame = LESSON.frame(LESSON.legal(picked, CAT), CAT)
    assert readout(frame, "here") == lines(frame)[0].split("= ")[-1]
    moved = LESSON.act(picked, Key("array", "right"), CAT)
    assert (moved.column, moved.window) == (6, 3)
    assert LESSON.act(state, Scroll("array", 0, 4), CAT).window == 4
    assert LESSON.act(state, Pick("strip", (6,)), CAT).station == 6
    assert LESSON.act(at(page="where"), Pick("where alibi", (2,)), CAT).path == "alibi"
    score = at(path="rope", station=7, token=1)
    assert LESSON.act(score, Pick("array", (0, 2)), CAT) == score, "a hidden cell can't be picked"


@pytest.mark.parametrize(("path", "name"), [("learned", "+ position"), ("rope", "turn q, k"), ("alibi", "+ bias")])
def test_the_page_of_where_positions_act_marks_their_station(path: str, name: str) -> None:
    state = LESSON.edited(LESSON.edited(at(station=0), CAT, page="where"), CAT, path=path)
    strip = mark(LESSON.frame(state, CAT), "strip")
    assert isinstance(strip, Cards)
    assert [card.title for card in strip.cards if card.role == "where" and card.picked] == [name]


def test_the_picked_row_of_many_is_in_view() -> None:
    context = Context(Shared(MAT))
    for token in range(8):
        frame = drawn(context, station=5, token=token)
        low, end = mark(frame, "array").rows
        assert low <= token < end
        assert frame.panels[1].caption.startswith(f"Rows {low} – {end - 1} of 8")
    assert mark(drawn(), "strip").cards[5].hover.startswith("LayerNorm")


def test_what_is_added_stays_a_sum() -> None:
    frame = drawn(station=4, token=2, column=1)
    assert "+ (−" in lines(frame)[0]
    assert not any("…" in entry for path in PATHS for entry in lines(drawn(page="where", path=path)))


NUMBER = r"[−-]?[\d,]*\.?\d+"


@pytest.mark.parametrize("path", PATHS)
def test_the_printed_numbers_give_the_printed_result(path: str) -> None:
    """Whoever works the lines out with what is printed gets what is printed."""
    context = Context(Shared(MAT))
    for station, name in enumerate(STATIONS[path]):
        for token, column in ((1, 0), (2, 3), (4, 63), (5, 17)):
            frame = drawn(context, path=path, station=station, token=token, key_token=1, column=column, first=2, head=2)
            for written in lines(frame):
                if name in ("text", "tokens", "ids") or "more" in written or "e^" in written or "10,000^" in written:
                    continue
                body = written.rpartition(": ")[2] if name not in ("turn",) else written.partition("= ")[2]
                parts = body.split(" = ")
                if len(parts) < 2 or not re.fullmatch(r"[\d\s.,()+−×/-]+", parts[-2]):
                    continue
                result = re.match(NUMBER, parts[-1])
                assert result, written
                source = parts[-2].replace("−", "-").replace("×", "*").replace(",", "").replace(")(", ")*(")
                digits = len(result[0].partition(".")[2])
                assert eval(source) == pytest.approx(value(result[0]), abs=0.5000001 * 10**-digits), written


# --- several sentences -----------------------------------------------------------------------------------------------


def test_a_batch_is_padded_and_positions_follow_the_mask() -> None:
    state = at(page="shapes", path="rope", padding="left", others=["It rains all day"])
    found = shapes.batch(state, CAT)
    assert found.shape == (2, 4)
    assert found.positions.tolist() == [[-1, 0, 1, 2], [0, 1, 2, 3]]
    counted = shapes.batch(replace(state, counted="all"), CAT)
    assert counted.positions.tolist() == [[0, 1, 2, 3]] * 2
    assert counted.moved == ("The", 1, 0)
    right = shapes.batch(replace(state, padding="right"), CAT)
    assert right.mask.tolist() == [[True] * 3 + [False], [True] * 4]
    assert right.moved is None


@pytest.mark.parametrize("path", PATHS)
def test_how_far_padding_moved_a_word_is_worked_out(path: str) -> None:
    frame = drawn(page="shapes", path=path, padding="left", counted="all", station=4)
    own, by, place = map(int, re.findall(r"\d+", lines(frame)[1]))
    assert own + by == place
    assert str(place) in frame.title
    assert str(own) in frame.title
    cards = [card.title for card in mark(frame, "sentence 2").cards]
    pad = cards.count("[PAD]" if path == "learned" else "pad")
    assert by == pad
    assert place == pad + own


@pytest.mark.parametrize("path", PATHS)
def test_shapes_follow_the_batch(path: str) -> None:
    context = Context(Shared("The cat sat | Dogs bark | It rains all day"))
    for station, name in enumerate(STATIONS[path]):
        frame = drawn(context, page="shapes", path=path, station=station, others=[])
        shape = tuple(map(int, re.findall(r"\d+", readout(frame, "shape"))))
        assert shape[0] == 3
        assert shape == compute.shape(path, name, 3, 6 if path == "learned" else 4)
    assert LESSON.frame(at(context), context).notice, "the walk says that it takes the first sentence"


def test_the_array_has_the_shape_that_is_written() -> None:
    for path in PATHS:
        run = run_of(at(path=path), CAT)
        for name, array in run.arrays.items():
            shape = compute.shape(path, name, 1, run.n)
            kept = array.shape[-2:]
            assert shape[-2:] == kept, (path, name)


def test_smollm2s_keys_have_fewer_heads_than_its_queries() -> None:
    layer = shipped.smollm2_layer0()
    assert (layer.n_heads, layer.n_kv_heads) == (compute.HEADS["rope"], compute.KEY_HEADS["rope"])
    panel = next(panel for panel in drawn(path="rope", station=5).panels if panel.key == "shape_panel")
    assert panel.caption == "1,728 in q, 576 in k (3 heads)"
    assert "(q; k: a third)" in lines(drawn(path="rope", station=5, page="shapes"))[0]


# --- what is missing -------------------------------------------------------------------------------------------------


def test_a_word_without_a_row_is_said_to_be_missing() -> None:
    context = Context(Shared("The axolotl sat"))
    frame = drawn(context, path="rope", station=2)
    assert "axolotl" in frame.notice
    assert frame.title.startswith("“␣axolotl” has no row")
    assert [card.faint for card in mark(frame, "cards rope").cards] == [False, True, False]
    run = run_of(at(context, path="rope"), context)
    assert (run.n, run.positions) == (2, (0, 2)), "the others keep their positions"
    nothing = drawn(Context(Shared("axolotl")), path="rope", station=5)
    assert "None of these tokens" in nothing.title


TWELVE = "one two three four five six seven eight nine ten eleven twelve"
LONG = "the cat sat on the mat and the dog sat on it"  # as long as a further sentence may be


@pytest.mark.parametrize("page", ["walk", "code", "where", "shapes"])
def test_all_that_is_left_out_is_said(page: str) -> None:
    """Whatever a sentence loses on its way to the stage, the notice tells."""
    long = Context(Shared("The axolotl " + TWELVE))
    both = drawn(long, page=page, path="rope", others=[]).notice
    assert "axolotl" in both
    assert "6 " in both, "of 14 tokens 8 walk"
    several = drawn(Context(Shared("axolotl | " + TWELVE)), page=page, path="rope", others=[]).notice
    assert ("4 in all" in several) == (page == "shapes")
    assert ("first one walks" in several) == (page != "shapes")


@pytest.mark.parametrize("path", PATHS)
def test_a_batch_says_what_it_leaves_out(path: str) -> None:
    def notice(sentence: str, *others: str) -> str:
        return drawn(Context(Shared(sentence)), page="shapes", path=path, others=list(others)).notice

    assert not notice("The cat sat", "The cat on a mat")
    kept = 6 if path == "learned" else 8  # beside [CLS] and [SEP]
    many = len(tokenizers.tokenizer(compute.VOCABULARY[path]).tokens(LONG)) - kept
    assert f"{many} in all are left out" in notice("The cat sat", LONG)
    assert f"{2 * many} in all are left out" in notice(LONG, LONG)
    assert ("axolotl" in notice("The cat sat", "axolotl")) == (path == "rope")
    assert "Only 4 sentences are taken; 2 more" in notice("cat | dog | x | y | z | w")
    assert "Only 4 sentences are taken; 1 more" in notice("cat | dog | x", "y", "z")
    assert "Only" not in notice("cat | dog | x | y")


@pytest.mark.parametrize("sentence", ["", "   ", " | ", "|"])
def test_no_sentence_is_a_designed_state(sentence: str) -> None:
    context = Context(Shared(sentence))
    for page in ("walk", "shapes", "code", "where"):
        assert drawn(context, page=page, others=[]).panels


def test_a_frame_takes_less_than_five_milliseconds() -> None:
    context = Context(Shared(MAT))
    for path in PATHS:
        for page in ("walk", "shapes", "code", "where"):
            state = at(context, path=path, page=page, station=5)
            LESSON.frame(state, context)
            best = min(_seconds(state, context) for _ in range(5))
            assert best < 0.005, (path, page)


def _seconds(state: PipelineState, context: Context) -> float:
    start = time.perf_counter()
    LESSON.frame(state, context)
    return time.perf_counter() - start
