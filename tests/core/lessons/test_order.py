"""Order: outputs that move with their tokens to 1e-12, what breaks that, and arithmetic with the printed numbers."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.encodings.attention import attention
from core.lessons.order import vectors
from core.lessons.order.lesson import LESSON
from core.lessons.order.scene import SAME, SCHEMES, Scene, run
from core.lessons.order.state import ARRANGEMENTS, PAGES, OrderState, arranged, check, found, settle, step
from core.lessons.order.symbols import symbols
from core.stage.frame import Cards, Curve, Drop, Formula, Frame, Key, Label, Matrix, Pick, Scroll
from core.stage.lesson import Context, Shared
from core.stage.motion import panel_of
from core.stage.numbers import number
from tests.core.lessons.test_lookup_pages import equations, evaluated

DOG = Context(Shared(sentence="dog bites man"))
FOUR = Context(Shared(sentence="the dog bites man"))
GOLDEN = Path(__file__).parents[2] / "golden" / "attention_permutation.json"
BREAKING = [scheme for scheme in SCHEMES if scheme != "none"]


def at(context: Context = DOG, **values: object) -> OrderState:
    return LESSON.from_mapping({"arrangement": "mirror", **values}, context)


def scene(context: Context = DOG, **values: object) -> Scene:
    seen = found(at(context, **values), context)[1]
    assert seen is not None
    return seen


def drawn(context: Context = DOG, **values: object) -> Frame:
    return LESSON.frame(at(context, **values), context)


def lines(frame: Frame) -> list[str]:
    return ["".join(term.text for term in line) for line in frame.worked.lines]


def marks(frame: Frame) -> dict[str, Any]:
    return {mark.key: mark for _, mark in frame.marks()}


def values(frame: Frame, key: str) -> np.ndarray:
    found_ = marks(frame)[key]
    assert isinstance(found_, Matrix)
    return found_.source.block(slice(*found_.rows), slice(*found_.columns))


def read(written: str) -> float:
    return float(written.replace("−", "-").replace(",", "").replace("(", "").replace(")", ""))


def sign(frame: Frame) -> str:
    return panel_of(frame, "sign_panel").readouts[0].value


# --- equal, and what breaks it ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", vectors.ORIGINS)
@pytest.mark.parametrize("arrangement", ["swapped", "mirror", "rotated"])
def test_without_positions_every_output_moves_with_its_token(origin: str, arrangement: str) -> None:
    seen = scene(FOUR, vectors=origin, arrangement=arrangement)
    assert seen.gaps.max() <= SAME
    assert seen.equivariant
    assert not seen.invariant, "the outputs do not stay in their places"
    np.testing.assert_allclose(seen.moved.output, seen.typed.output[list(seen.moved.order)], rtol=0, atol=1e-12)
    both = np.ix_(seen.moved.order, seen.moved.order)
    np.testing.assert_allclose(seen.moved.weights, seen.typed.weights[both], rtol=0, atol=1e-12)


@pytest.mark.parametrize("scheme", BREAKING)
@pytest.mark.parametrize("origin", vectors.ORIGINS)
def test_every_scheme_breaks_it_for_an_order_that_is_no_mirror_image(scheme: str, origin: str) -> None:
    seen = scene(FOUR, scheme=scheme, vectors=origin, arrangement="rotated")
    assert not seen.mirrored
    assert not seen.equivariant
    assert seen.gaps.max() > 1e-3
    # A token that has the same distances to all others as before keeps its output under symmetric ALiBi.
    assert seen.same == ((False, False, True, False) if scheme == "alibi" else (False,) * 4)


@pytest.mark.parametrize("scheme", [scheme for scheme in BREAKING if scheme != "alibi"])
def test_bites_differs_as_soon_as_a_scheme_is_switched_on(scheme: str) -> None:
    assert sign(drawn()) == "="
    frame = drawn(scheme=scheme)
    assert sign(frame) == "≠"
    assert panel_of(frame, "sign_panel").readouts[0].role == "warn"
    assert drawn().title != frame.title


def test_symmetric_alibi_keeps_the_sign_for_a_mirror_image_only() -> None:
    mirrored = drawn(scheme="alibi")
    assert sign(mirrored) == "="
    assert "mirror" in mirrored.title
    assert scene(scheme="alibi").gaps.max() <= SAME
    other = drawn(scheme="alibi", arrangement="own", order=("0", "2", "1"))
    assert [card.title for card in marks(other)["moved"].cards] == ["dog", "man", "bites"]
    assert sign(other) == "≠"
    assert sign(drawn(scheme="alibi", causal=True)) == "≠", "a causal mask tells the direction"


def test_a_causal_mask_alone_breaks_it() -> None:
    frame = drawn(causal=True)
    assert sign(frame) == "≠"
    assert "mask leaks order" in frame.title
    seen = scene(causal=True)
    assert seen.typed.weights[0].tolist() == [1.0, 0.0, 0.0]
    assert not seen.equivariant
    # The last of an unchanged last place sees the same tokens in both orders.
    kept = scene(causal=True, arrangement="own", order=("1", "0", "2"))
    assert kept.same == (False, False, True)
    assert "bites" not in drawn(causal=True, token=2, order=("1", "0", "2"), arrangement="own").title


@pytest.mark.parametrize("seed", range(5))
def test_no_seed_changes_what_holds(seed: int) -> None:
    assert scene(FOUR, seed=seed, arrangement="rotated").equivariant
    for scheme in BREAKING:
        assert not scene(FOUR, seed=seed, arrangement="rotated", scheme=scheme).equivariant, scheme


def test_equal_sequences_are_no_reordering() -> None:
    frame = drawn(arrangement="typed", scheme="rope")
    assert sign(frame) == "="
    assert "read the same" in frame.title
    twins = Context(Shared(sentence="the cat the"))
    assert "read the same" in drawn(twins, arrangement="swapped", scheme="rope").title


def test_attention_as_pytorch_computes_it() -> None:
    """The handed case of torch's scaled_dot_product_attention, both orders, with and without the causal mask."""
    case = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"][0]
    given, wanted = case["params"], case["values"]
    x, order = np.array(given["X"]), given["permutation"]
    q, k, v = (x @ np.array(given[name]) for name in ("Wq", "Wk", "Wv"))
    mask = np.tril(np.ones((3, 3), dtype=bool))
    close = {"rtol": 0, "atol": 1e-12}
    for name, here in (("", [0, 1, 2]), ("_permuted_input", order)):
        free, causal = (attention(q[here], k[here], v[here], mask=m) for m in (None, mask))
        np.testing.assert_allclose(free.output, wanted["out" + name], **close)
        np.testing.assert_allclose(causal.output, wanted["causal_out" + name], **close)
    np.testing.assert_allclose(wanted["out_permuted_input"], np.array(wanted["out"])[order], **close)


def test_a_run_is_attention_over_its_own_projections() -> None:
    seen = scene(scheme="sinusoidal").typed
    w = vectors.projections("lesson", 24)[:, :4]
    wanted = attention(seen.x @ w[0], seen.x @ w[1], seen.x @ w[2])
    np.testing.assert_allclose(seen.output, wanted.output, rtol=0, atol=1e-12)
    np.testing.assert_allclose(seen.x[2, :2], [0.2 + np.sin(2), -0.8 + np.cos(2)], atol=1e-12)


# --- the picture -----------------------------------------------------------------------------------------------------


def test_all_digits_of_the_picked_output_stand_in_both_columns() -> None:
    for scheme, wanted in (("none", "="), ("rope", "≠")):
        rows = marks(drawn(scheme=scheme))["digits"].rows[1:]
        assert len(rows) == 4
        for here, between, there in rows:
            assert len(here.partition(".")[2]) == 12
            assert between == wanted
            assert (here == there) == (wanted == "=")


def test_a_strand_leads_from_each_output_to_where_it_is_found_again() -> None:
    frame = drawn(FOUR, arrangement="rotated")
    found_ = marks(frame)
    typed, moved = values(frame, "typed_out"), values(frame, "moved_out")
    places = {token: place for place, token in enumerate(arranged("rotated", 4))}
    for token, place in places.items():
        np.testing.assert_allclose(typed[:, token], moved[:, place], rtol=0, atol=1e-12)
        strand, mark = found_[f"strand {token}"], found_[f"sign {token}"]
        assert isinstance(strand, Curve)
        assert isinstance(mark, Label)
        assert mark.text == "="
        assert mark.x == pytest.approx(strand.x[-1])
    assert [found_[f"sign {t}"].text for t in range(4)] == ["="] * 4
    broken = marks(drawn(FOUR, arrangement="rotated", scheme="rope"))
    assert {(broken[f"sign {t}"].text, broken[f"sign {t}"].role) for t in range(4)} == {("≠", "warn")}


@pytest.mark.parametrize(
    ("chosen", "equivariant", "invariant"),
    [({}, "✓ equivariant", "✗ not invariant"), ({"scheme": "rope"}, "✗ not equivariant", "✗ not invariant")],
)
def test_both_words_are_told_and_which_is_right(chosen: dict[str, str], equivariant: str, invariant: str) -> None:
    told = [readout.value for readout in panel_of(drawn(**chosen), "words_panel").readouts]
    assert told == [equivariant, invariant]


def test_seeded_and_missing_words_are_never_silent() -> None:
    caption = panel_of(drawn(), "big").caption
    assert "bites" in caption
    assert "man" in caption
    assert "dog" not in caption, "dog has a row in a lesson table"
    np.testing.assert_array_equal(scene().typed.x[0], [0.7, 0.7, 0.2, -0.1])
    odd = Context(Shared(sentence="dog qqqq man"))
    frame = drawn(odd, vectors="glove")
    assert "qqqq" in frame.notice
    assert [card.title for card in marks(frame)["typed"].cards] == ["dog", "man"]
    nothing = drawn(Context(Shared(sentence="qqqq")), vectors="glove")
    assert "qqqq" in nothing.subtitle
    long = Context(Shared(sentence="one two three four five six seven eight nine ten eleven twelve thirteen"))
    assert len(marks(drawn(long))["typed"].cards) == 12
    assert "12" in drawn(long).notice


def test_learned_positions_of_minilm_are_its_own() -> None:
    from core.tables import shipped

    seen = scene(vectors="minilm", scheme="learned")
    np.testing.assert_array_equal(seen.typed.places, shipped.minilm_positions()[:3].astype(float))


def test_the_same_word_always_has_the_same_numbers() -> None:
    other = Context(Shared(sentence="a man bites"))
    np.testing.assert_array_equal(scene().typed.x[1], scene(other).typed.x[2])


# --- what a person does ----------------------------------------------------------------------------------------------


def cards(state: OrderState, key: str = "moved", context: Context = DOG) -> list[str]:
    found_ = marks(LESSON.frame(state, context))[key]
    assert isinstance(found_, Cards)
    return [card.title for card in found_.cards]


def test_dragging_a_card_lays_it_elsewhere() -> None:
    act = LESSON.act
    assert act is not None
    state = LESSON.legal(act(at(arrangement="typed"), Drop("moved", 2, 0), DOG), DOG)
    assert cards(state) == ["man", "dog", "bites"]
    assert cards(state, "typed") == ["dog", "bites", "man"]
    assert state.arrangement == "rotated" or state.arrangement == "own"
    back = LESSON.legal(act(state, Drop("moved", 0, 2), DOG), DOG)
    assert back.arrangement == "typed"
    assert act(state, Drop("typed", 0, 2), DOG) == state, "the upper cards stay as typed"
    assert act(state, Drop("moved", 0, 7), DOG) == state


def test_a_named_arrangement_lays_the_cards() -> None:
    for name in ARRANGEMENTS[:-1]:
        state = LESSON.edited(at(FOUR, arrangement="typed"), FOUR, arrangement=name)
        assert tuple(map(int, state.order)) == arranged(name, 4)
        assert state.arrangement == name


def test_another_sentence_keeps_the_arrangement() -> None:
    state = check(at(), FOUR)
    assert cards(state, context=FOUR) == ["man", "bites", "dog", "the"]
    assert cards(check(at(order=("0", "2", "1"), arrangement="own"), FOUR), context=FOUR)[0] == "man"


def test_picking_tokens_pairs_and_symbols() -> None:
    act = LESSON.act
    assert act is not None
    assert act(at(), Pick("moved", (0,)), DOG).token == 2
    assert act(at(), Pick("typed", (0,)), DOG).token == 0
    assert act(at(), Pick("moved_out", (3, 2)), DOG).token == 0
    assert act(at(), Pick("strand 2"), DOG).token == 2
    assert act(at(), Key("moved", "right"), DOG).token == 0
    assert act(at(), Key("moved", "home"), DOG).token == 2
    pair = act(at(page="weights"), Pick("moved_scores", (0, 1)), DOG)
    assert (pair.token, pair.key_token) == (2, 1)
    assert act(pair, Key("moved_scores", "right"), DOG).key_token == 0
    formula = at(page="formula")
    picked = act(formula, Pick("formula", (5,)), DOG)
    assert symbols("none", False)[5].name == "q"
    assert picked.symbol == 5
    assert act(picked, Pick("formula", (5,)), DOG).symbol == -1
    assert act(formula, Pick("formula", (1,)), DOG).symbol == -1, "the equals sign stands for nothing"
    assert act(formula, Pick("v", (2, 1)), DOG).key_token == 2
    assert act(at(page="projections"), Pick("W_k", (1, 3)), DOG).column == 3
    wide = at(page="projections", vectors="glove")
    assert act(wide, Scroll("W_q", 3, 0), DOG).first == 3
    assert act(wide, Scroll("W_q", 10**6, 0), DOG).first == 50 - 8


def test_the_clock_walks_over_tokens_terms_and_numbers() -> None:
    for page, name, last in (("arrange", "token", 2), ("formula", "key_token", 2), ("projections", "column", 3)):
        state = at(page=page, token=0)
        on = settle(step(state, 1.0))
        assert getattr(on, name) == getattr(state, name) + 1
        assert getattr(settle(step(state, 100.0)), name) == last
        assert getattr(settle(step(on, -100.0)), name) == 0


# --- formula and arithmetic ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_formula_on_the_stage_and_in_the_arithmetic_have_the_same_symbols(scheme: str) -> None:
    frame = drawn(page="formula", scheme=scheme)
    formula = marks(frame)["formula"]
    assert isinstance(formula, Formula)
    known = symbols(scheme, False)
    assert formula.parts == tuple(symbol.latex for symbol in known)
    assert [term.text for term in frame.worked.lines[0]][: len(known)] == [symbol.plain for symbol in known]
    lit = [index for term in frame.worked.lines[0] for key, index in term.lights if key == "formula"]
    named = {i for i, symbol in enumerate(known) if symbol.name}
    assert {index[0] for index in lit} == named, "every symbol lights up"
    elsewhere = {key for term in frame.worked.lines[0] for key, _ in term.lights if key != "formula"}
    assert {"q", "k", "weights", "v", "scores", "sum"} <= elsewhere
    orange = [symbol for symbol in known if symbol.role == "where"]
    assert bool(orange) == (scheme != "none"), "only a scheme knows a place"


def test_the_sum_grows_term_by_term_to_the_output() -> None:
    for j in range(3):
        frame = drawn(page="formula", key_token=j)
        seen = scene().typed
        wanted = sum(seen.weights[1, t] * seen.v[t] for t in range(j + 1))
        np.testing.assert_allclose(values(frame, "sum")[0], wanted, atol=1e-12)
        assert (marks(frame)["v"].plain[:, 0] == (np.arange(3) > j)).all()
    np.testing.assert_allclose(values(drawn(page="formula", key_token=2), "sum")[0], seen.output[1], atol=1e-12)


_PRODUCT = re.compile(r"\((−?[\d.]+)\)\((−?[\d.]+)\)")
CHOICES = [{"scheme": scheme, "causal": causal} for scheme in SCHEMES for causal in (False, True)]


@pytest.mark.parametrize("chosen", CHOICES, ids=lambda chosen: f"{chosen['scheme']}-{chosen['causal']}")
def test_the_arithmetic_is_done_with_the_printed_numbers(chosen: dict[str, Any]) -> None:
    checked = 0
    for page in PAGES:
        for token in range(3):
            for line in lines(drawn(page=page, token=token, **chosen)):
                pairs = _PRODUCT.findall(line)
                tail = re.search(r" (=|≈) (−?[\d.,]+)$", line)
                if pairs and tail and "…" not in line:
                    total = sum(read(a) * read(b) for a, b in pairs)
                    decimals = len(tail[2].partition(".")[2])
                    assert (number(total, decimals) == tail[2]) == (tail[1] == "="), line
                    checked += 1
                halved = re.fullmatch(r".* = (−?[\d.]+)(?:,  q·k)? / √4(?: − 0\.5 × (\d))? (=|≈) (−?[\d.]+)", line)
                if halved:
                    score = read(halved[1]) / 2 - 0.5 * float(halved[2] or 0)
                    assert (number(score) == halved[4]) == (halved[3] == "="), line
                    checked += 1
                term = re.search(r"([\d.]+) × \[(.*)\] (=|≈) \[(.*)\]", line)
                if term:
                    decimals = len(term[4].split()[0].partition(".")[2])
                    made = [number(read(term[1]) * read(value), decimals) for value in term[2].split()]
                    assert (made == term[4].split()) == (term[3] == "="), line
                    checked += 1
    assert checked > 10


def calculable(line: str) -> str:
    """Factors side by side as products, powers of e and absolute differences as their numbers."""
    line = re.sub(r"e\^\((−?[\d.]+)\)", lambda power: f"{np.exp(read(power[1])):.9f}", line).replace(")(", ")×(")
    return re.sub(r"^[a-z -]+: (?=[^=]*[=≈])", "", line)


def comes_out(line: str) -> int:
    """Each equation with the printed numbers: "=" to the last digit, "≈" within five of it; returns how many."""
    checked = 0
    for left, relation, right in equations(calculable(line)):
        a, b = evaluated(left), evaluated(right)
        if a is None or b is None:
            continue
        decimals = len(right.strip().rpartition(" ")[2].partition(".")[2]) or 9
        if "/" in right:  # a fraction of rounded numbers, in place of another
            assert a == pytest.approx(b, abs=1e-3), line
            continue
        off = abs(round(a, min(decimals, 9)) - b)
        assert off < 1e-9 if relation == "=" else off <= 5.0 * 10.0**-decimals, line
        checked += 1
    return checked


def joined(frame: Frame) -> list[str]:
    """The lines, a sum that goes on in the next ones as one."""
    whole: list[str] = []
    for line in lines(frame):
        if whole and whole[-1].endswith(" +"):
            whole[-1] += " " + line.strip()
        else:
            whole.append(line)
    return whole


@pytest.mark.parametrize("preset", LESSON.presets, ids=[preset.id for preset in LESSON.presets])
def test_every_presets_equations_come_out(preset: Any) -> None:
    context = Context(Shared(**{**dataclasses.asdict(Shared()), **preset.shared}))
    frame = LESSON.frame(LESSON.from_mapping(preset.values, context), context)
    assert max(map(len, lines(frame))) <= 72
    checked = 0
    for line in joined(frame):
        term = re.search(r"([\d.]+) × \[(.*)\] (?:=|≈) \[(.*)\]", line)
        if term:
            made = [read(term[1]) * read(value) for value in term[2].split()]
            np.testing.assert_allclose(made, [read(value) for value in term[3].split()], atol=0.003)
            checked += 1
        else:
            checked += comes_out(re.sub(r"^[qkv]\[\d\] = ", "", line))
    gap = panel_of(frame, "sign_panel").readouts[1].detail
    assert "largest difference" in gap
    if sign(frame) == "≠":
        found_ = next(filter(None, (re.search(r"\|(\S+) − (\S+)\| (=|≈) (\S+)$", line) for line in lines(frame))))
        assert gap.endswith(found_[4])
        assert abs(abs(read(found_[1]) - read(found_[2])) - read(found_[4])) < (1e-9 if found_[3] == "=" else 0.0011)
    assert checked >= 1


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_scores_come_out_with_the_printed_queries_and_keys(scheme: str) -> None:
    for token in range(3):
        frame = drawn(page="formula", scheme=scheme, token=token)
        q, k = (np.round(values(frame, name), marks(frame)[name].decimals) for name in "qk")
        scores = values(frame, "scores")[:, 0]
        made = (k @ q[0]) / 2
        if scheme == "alibi":
            made -= 0.5 * np.abs(np.arange(3) - token)
        places = marks(frame)["scores"].decimals
        exact = [number(a, places) for a in made] == [number(b, places) for b in scores]
        assert places == (3 if [number(a) for a in made] == [number(b) for b in scores] else 2) or not exact
        np.testing.assert_allclose(made, scores, atol=0.003)
        assert ("score = q" in panel_of(frame, "scores_panel").caption) == exact


def test_what_the_sums_use_is_written_out() -> None:
    for preset in LESSON.presets:
        if preset.values.get("page", "arrange") != "arrange":
            continue
        context = Context(Shared(**{**dataclasses.asdict(Shared()), **preset.shared}))
        written = lines(LESSON.frame(LESSON.from_mapping(preset.values, context), context))
        used, moved = (set(re.findall(r"v[₀-₉]*\(\w+\)", line)) for line in written[:2])
        assert used
        assert {name for name in used | moved if any(f"{name} = [" in line for line in written)} == used | moved
        used, moved = ({name.partition("(")[2] for name in names} for names in (used, moved))
        if not preset.values.get("causal"):
            assert used == moved, "the same terms can be matched"


def test_the_sliders_end_with_the_sentence() -> None:
    assert LESSON.slider_ends(at())["token"] == (0, 2)
    assert LESSON.slider_ends(at(FOUR))["key_token"] == (0, 3)


@pytest.mark.parametrize("page", PAGES)
def test_long_numbers_and_words_keep_to_the_columns(page: str) -> None:
    words = " ".join(["incomprehensibilities"] * 2 + ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"])
    context = Context(Shared(sentence=words))
    for scheme in ("raw_index", "alibi"):
        frame = drawn(context, page=page, scheme=scheme, token=11, key_token=11, causal=True)
        assert max(map(len, lines(frame))) <= 72


def test_alt_tells_numbers_and_both_sentences() -> None:
    for page in PAGES:
        alt = drawn(page=page).alt
        assert "dog bites man" in alt
        assert "man bites dog" in alt
        assert re.search(r"\d", alt)


def test_presets_show_what_their_names_say() -> None:
    told = {}
    for preset in LESSON.presets:
        context = Context(Shared(**{**dataclasses.asdict(Shared()), **preset.shared}))
        told[preset.id] = sign(LESSON.frame(LESSON.from_mapping(preset.values, context), context))
    for name in ("dog", "mirror", "not_good", "minus", "matrices", "terms", "projections", "glove"):
        assert told[name] == "=", name
    for name in ("sinusoidal", "rope", "no_mirror", "causal", "terms_rope", "raw_index", "minilm"):
        assert told[name] == "≠", name


def test_one_run_is_a_pure_function() -> None:
    words = scene().words
    first, second = (run("lesson", words, "rope", False, 3, (2, 0, 1)) for _ in "ab")
    np.testing.assert_array_equal(first.output, second.output)


def test_a_hidden_token_is_no_term_of_the_sum() -> None:
    for token, said in ((0, "the only term"), (1, "sum of all 2 terms"), (2, "sum of all 3 terms")):
        frame = drawn(page="formula", causal=True, token=token, key_token=2)
        assert lines(frame)[2].startswith(said)
    assert any(line.startswith("Σ(j≤i)   over the tokens j up to i") for line in lines(frame))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("origin", vectors.ORIGINS)
def test_one_name_of_a_value_is_one_value(scheme: str, origin: str) -> None:
    """Where the position is in the vector, the value of a token at 0 is not that of the same token at 2."""
    for sentence in ("dog bites man", "the dog saw the cat", "the food was good and not bad"):
        context = Context(Shared(sentence=sentence))
        for token in (0, 1, 2):
            named: dict[str, set[str]] = {}
            written = lines(drawn(context, scheme=scheme, vectors=origin, token=token))
            for name, value in re.findall(r"(v[₀-₉]*\(\w+\)) = (\[[^]]*\])", " ".join(written)):
                named.setdefault(name, set()).add(value)
            assert named
            assert all(len(found_) == 1 for found_ in named.values()), named
            picked = sentence.split()[token]
            assert all(f"({picked})" in line for line in written[:2]), "the picked token is always named"


@pytest.mark.parametrize("scheme", ["none", "rope", "alibi"])
def test_terms_come_out_with_the_printed_weights(scheme: str) -> None:
    plain = 0
    for seed in range(12):
        for token in range(3):
            for j in range(3):
                frame = drawn(page="formula", scheme=scheme, seed=seed, token=token, key_token=j)
                factor, values_, relation, terms = re.match(  # type: ignore[union-attr]
                    r"j = \d: +(\S+) × \[(.*)\] ([=≈]) \[(.*)\]$", lines(frame)[1]
                ).groups()
                assert len(factor.partition(".")[2]) == marks(frame)["weights"].decimals
                places = len(terms.split()[0].partition(".")[2])
                made = [number(read(factor) * read(value), places) for value in values_.split()]
                assert (made == terms.split()) == (relation == "=")
                plain += relation == "="
    assert plain >= 0.9 * 12 * 9


def test_unknown_signs_and_capitals_are_told() -> None:
    seen = drawn(Context(Shared(sentence="the 🦊 sat in Paris")), vectors="minilm")
    assert "“🦊”: unknown to MiniLM" in seen.notice
    assert "“Paris” as “paris”" in seen.notice
    assert "“Paris” as “paris”" in drawn(Context(Shared(sentence="Paris sat")), vectors="glove").notice
    assert "“café” as “cafe”" in drawn(Context(Shared(sentence="café")), vectors="minilm").notice
    for origin in vectors.ORIGINS:
        assert not drawn(FOUR, vectors=origin).notice


def test_equal_sums_show_the_tokens_that_changed_places() -> None:
    preset = next(preset for preset in LESSON.presets if preset.id == "glove")
    context = Context(dataclasses.replace(Shared(), **preset.shared))
    first, second = lines(drawn(context, **{"arrangement": "own", **preset.values}))[:2]
    assert re.findall(r"v\((\w+)\)", first) == ["dog", "saw", "cat"]
    assert re.findall(r"v\((\w+)\)", second) == ["cat", "saw", "dog"]


def test_facts_hold_for_the_scheme_that_is_on() -> None:
    said = {
        (scheme, causal): " ".join(
            line for page in ("arrange", "weights") for line in lines(drawn(page=page, scheme=scheme, causal=causal))
        )
        for scheme, causal in (("none", False), ("none", True), ("rope", False), ("alibi", False))
    }
    assert ["mean of all outputs is invariant" in text for text in said.values()] == [True, False, False, False]
    assert ["mean of all outputs is the same" in text for text in said.values()] == [False, False, False, True]
    assert ["permuted alike by P" in text for text in said.values()] == [True, False, False, True]
    assert "the mask does not move along" in said["none", True]


def test_no_formula_line_is_cut() -> None:
    for scheme in SCHEMES:
        for causal in (False, True):
            frame = drawn(page="formula", scheme=scheme, causal=causal)
            assert not any("…" in line for line in lines(frame)), scheme


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_symbol_can_be_picked_and_lights_its_place(scheme: str, causal: bool) -> None:
    state = at(page="formula", scheme=scheme, causal=causal)
    plain = marks(LESSON.frame(state, DOG))
    for index, symbol in enumerate(symbols(scheme, causal)):
        picked = LESSON.act(state, Pick("formula", (index,)), DOG)
        assert picked.symbol == (index if symbol.name else -1), symbol.latex
        now = marks(LESSON.frame(picked, DOG))
        lit = [key for key, mark in plain.items() if isinstance(mark, Matrix) and mark.outlines != now[key].outlines]
        assert bool(lit) == bool(symbol.name), symbol.latex
