"""Order: self-attention does not see where a token stands; every scheme of positions, and a causal mask, changes that.

Source: the lesson "The order problem"; Vaswani et al. 2017; Haviv et al. 2022, "Transformer Language Models without
Positional Encodings Still Learn Positional Information".
"""

from __future__ import annotations

from core.lessons.order import arrange, formula, matrices, projecting
from core.lessons.order.acts import act
from core.lessons.order.parts import cut, listed, quoted, said, scheme_name, sentence_text
from core.lessons.order.scene import AT_THE_INPUT, Scene
from core.lessons.order.state import OrderState, check, follow, found, settle, step
from core.lessons.order.vectors import MOST, Sentence
from core.stage.frame import Axis, Cell, Frame, Label, Panel, Worked, line
from core.stage.lesson import Context, Lesson, Preset

_PAGES = {"arrange": arrange, "weights": matrices, "formula": formula, "projections": projecting}


def frame(state: OrderState, context: Context) -> Frame:
    """The picture of a state on its page."""
    at = check(settle(state), context)
    read, scene = found(at, context)
    if scene is None:
        return _empty(at, read)
    page = _PAGES[at.page]
    return Frame(
        title=_title(at, scene),
        subtitle=_subtitle(at, scene),
        panels=page.panels(at, read, scene),
        worked=page.worked(at, scene),
        alt=_alt(at, scene, page.alt(at, scene)),
        notice=_notice(at, read),
    )


def _empty(state: OrderState, read: Sentence) -> Frame:
    """A sentence without a token that has numbers."""
    words = listed(read.left_out, 4)
    why = said("empty_missing", words=words, table=said(f"from.{state.vectors}")) if words else said("empty")
    mark = Label("empty", 50.0, 46.0, said("empty_do"), "heading")
    panel = Panel("empty_panel", Cell(0, 0, 12, 12), (mark,), x=Axis(0.0, 100.0), y=Axis(0.0, 100.0))
    facts = (line(said("fact.equivariant")), line(said("fact.invariant")))
    return Frame(said("title.empty"), why, (panel,), Worked(facts), why + " " + said("empty_do"))


def _notice(state: OrderState, read: Sentence) -> str:
    """What was left out or is read otherwise than it looks, in sentences: never silently."""
    table, notes = said(f"from.{state.vectors}"), []
    if read.left_out:
        notes.append(said("left_out", words=listed(read.left_out, 4), table=table))
    if read.too_many:
        notes.append(said("too_many", most=MOST, count=read.too_many))
    if read.unknown:
        notes.append(said("unknown", words=listed(read.unknown, 4), table=table))
    if read.read_as:
        pairs = [said("read_pair", word=cut(typed, 14), row=cut(row, 14)) for typed, row in read.read_as]
        notes.append(said("read_as", pairs=", ".join(pairs[:2]) + (" …" if len(pairs) > 2 else "")))
    return " ".join(notes)


def _cause(state: OrderState, scene: Scene) -> str:
    """Why the outputs are what they are."""
    if scene.unmoved:
        return "unmoved"
    if scene.equivariant:
        if state.scheme == "none":
            return "causal_equal" if state.causal else "none"
        return "mirror" if state.scheme == "alibi" and scene.mirrored else "chance"
    if state.scheme == "none":
        return "causal"
    return "scheme_causal" if state.causal else "scheme"


def _title(state: OrderState, scene: Scene) -> str:
    cause, token, scheme = _cause(state, scene), quoted(scene, state.token), scheme_name(state)
    fields = {"token": token, "scheme": said(f"called.{state.scheme}"), "other": scheme}
    if state.page == "arrange":
        if cause in ("scheme", "causal") and scene.same[state.token]:
            return said(f"title.{cause}_kept", **fields)
        if cause == "scheme" and state.scheme == "alibi":
            return said("title.scheme_alibi", **fields)
        return said(f"title.{cause}", **fields)
    if state.page == "weights":
        if cause in ("none", "mirror", "chance", "unmoved", "causal_equal"):
            return said("title.matrices_same" if cause != "unmoved" else "title.unmoved", **fields)
        return said("title.matrices_causal" if state.causal else "title.matrices_other", **fields)
    if state.page == "formula":
        if state.scheme == "none":
            return said("title.formula_causal" if state.causal else "title.formula")
        return said("title.formula_input" if state.scheme in AT_THE_INPUT else "title.formula_score", **fields)
    kind = "input" if state.scheme in AT_THE_INPUT else state.scheme
    return said(f"title.projections_{kind}", **fields)


def _subtitle(state: OrderState, scene: Scene) -> str:
    typed, moved = sentence_text(scene, scene.typed.order), sentence_text(scene, scene.moved.order)
    both = {"typed": typed, "moved": moved}
    if state.page == "arrange":
        cause = _cause(state, scene)
        key = {"scheme_causal": "scheme", "causal_equal": "causal"}.get(cause, cause)
        return said(f"subtitle.{key}", scheme=said(f"full.{state.scheme}"), **both)
    if state.page == "weights":
        return said("subtitle.weights", scheme=said(f"full.{state.scheme}"), **both)
    if state.page == "formula":
        return said("subtitle.formula", token=quoted(scene, state.token))
    return said("subtitle.projections")


def _alt(state: OrderState, scene: Scene, picture: str) -> str:
    typed, moved = sentence_text(scene, scene.typed.order, 80), sentence_text(scene, scene.moved.order, 80)
    scheme = said(f"full.{state.scheme}")
    mask = said("alt_mask" if state.causal else "alt_no_mask")
    return said("alt", typed=typed, moved=moved, scheme=scheme, mask=mask) + " " + picture


def controls(state: OrderState) -> tuple[str, ...]:
    """What can be set on the page."""
    picked = {"arrange": (), "projections": ("column",)}.get(state.page, ("key_token",))
    return ("arrangement", "causal", "token", *picked, "vectors", "seed")


def ranges(state: OrderState) -> dict[str, tuple[float, float]]:
    """Tokens are counted to the last one of the sentence."""
    last = max(len(state.order) - 1, 0)
    return {"token": (0, last), "key_token": (0, last)}


DOG = {"sentence": "dog bites man"}
MOVED = ("0", "2", "1")
SAW = tuple("04231567")  # the cat saw the dog …

LESSON = Lesson(
    id="order",
    state=OrderState,
    frame=frame,
    act=act,
    step=step,
    beat=1.0,
    check=check,
    controls=controls,
    settle=settle,
    follow=follow,
    ranges=ranges,
    presets=(
        Preset("dog", {"arrangement": "mirror"}, DOG),
        Preset("sinusoidal", {"arrangement": "mirror", "scheme": "sinusoidal"}, DOG),
        Preset("rope", {"arrangement": "mirror", "scheme": "rope"}, DOG),
        Preset("mirror", {"arrangement": "mirror", "scheme": "alibi"}, DOG),
        Preset("no_mirror", {"order": MOVED, "scheme": "alibi"}, DOG),
        Preset("causal", {"arrangement": "mirror", "causal": True}, DOG),
        Preset("not_good", {"token": 1}, {"sentence": "not good"}),
        Preset("minus", {"token": 1}, {"sentence": "3 minus 5"}),
        Preset("matrices", {"arrangement": "mirror", "page": "weights"}, DOG),
        Preset("terms", {"arrangement": "mirror", "page": "formula"}, DOG),
        Preset("terms_rope", {"arrangement": "mirror", "page": "formula", "scheme": "rope"}, DOG),
        Preset("projections", {"arrangement": "mirror", "page": "projections"}, DOG),
        Preset("raw_index", {"arrangement": "mirror", "scheme": "raw_index", "page": "projections", "token": 2}, DOG),
        Preset(
            "glove",
            {"vectors": "glove", "token": 2, "order": SAW},
            {"sentence": "the dog saw the cat on the mat"},
        ),
        Preset(
            "minilm",
            {"vectors": "minilm", "scheme": "learned", "token": 3, "order": tuple("0126453")},
            {"sentence": "the food was good and not bad"},
        ),
    ),
)
