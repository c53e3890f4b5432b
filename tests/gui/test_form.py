"""Controls: what is typed, dragged and pressed becomes a state, and only the state is shown."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from core import lessons
from core.stage.lesson import Context
from core.stage.params import Range, spec
from gui import paint
from gui.fields import parse_number, written
from gui.scale import SliderScale
from gui.window import Window
from tests.gui.window_helpers import make, settle

Open = Callable[..., Window]


def enter(qtbot: Any, field: Any, words: str) -> None:
    field.setFocus()
    field.selectAll()
    if words.isascii():
        qtbot.keyClicks(field, words)
    else:
        field.insert(words)  # QTest knows no other keys
    qtbot.keyClick(field, Qt.Key.Key_Return)
    settle(QApplication.instance())


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("1,000,000", 1e6), ("−3", -3), ("-3", -3), ("2.5e3", 2500), ("1 000", 1000), ("0,5", 0.5), (" 7 ", 7),
        ("1e400", 1e300), ("+4", 4), (".5", 0.5), ("1_000", 1000), ("12,345.5", 12345.5),
        ("", None), ("abc", None), ("nan", None), ("inf", None), ("1,2,3", None), ("--3", None), ("0x10", None),
        ("3 tokens", None), ("1.2.3", None),
    ],
)  # fmt: skip
def test_what_counts_as_a_number(words: str, number: float | None) -> None:
    assert parse_number(words) == number


def test_how_values_are_written() -> None:
    assert written(1_000_000, integer=True) == "1,000,000"
    assert written(10_000.0) == "10,000"
    assert written(-0.5) == "−0.5"
    assert written(0.00025) == "0.00025"
    for value in (3.0, 0.125, 0.0005, -2.75, 1e8, 12345.678):
        assert parse_number(written(value)) == value


@pytest.mark.parametrize(
    "kind",
    [
        Range(0, 64, integer=True), Range(0, 1_000_000, soft=(0, 64), integer=True), Range(2.0, 1e8, scale="log"),
        Range(0, 1_000_000, scale="log", integer=True), Range(-1.0, 1.0), Range(2, 64, step=2, integer=True),
    ],
)  # fmt: skip
def test_positions_and_values_agree(kind: Range) -> None:
    scale = SliderScale(kind)
    values = [scale.value(position) for position in range(scale.last + 1)]
    assert values == sorted(values)
    assert (values[0], values[-1]) == kind.slider
    for position in range(0, scale.last + 1, max(1, scale.last // 50)):
        assert abs(scale.position(values[position]) - position) <= scale.last // 50
    assert scale.position(1e12) == scale.last
    assert scale.position(-1e12) == 0
    for value in (kind.slider[0], values[len(values) // 2]):
        assert scale.nudge(value, 1) > value
        assert scale.nudge(scale.nudge(value, 1), -1) <= scale.nudge(value, 1)


def test_numbers_are_typed(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    row = window.page.form.rows["position"]
    enter(qtbot, row.field, "1,000")
    assert window.page.state.position == 1000
    assert row.slider.value() == row.slider.maximum()
    enter(qtbot, row.field, "2.5e3")
    assert window.page.state.position == 2500
    assert row.field.text() == "2,500"


def test_bad_numbers_get_a_sentence(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    row = window.page.form.rows["position"]
    enter(qtbot, row.field, "many")
    assert window.page.state.position == 3
    assert row.field.text() == "3"
    assert window.status.sentence == "“many” is not a number; position at work stays at 3."
    enter(qtbot, row.field, "−5")
    assert window.page.state.position == 0
    assert "goes from 0 to 1,000,000; 0 is used" in window.status.sentence
    enter(qtbot, window.page.form.rows["even"].field, "9")
    assert window.page.state.even == 10
    assert "can’t be 9 here; 10 is used" in window.status.sentence
    enter(qtbot, row.field, "4")
    assert window.status.sentence == ""


def test_leaving_a_field_hands_over_and_escape_takes_back(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    field = window.page.form.rows["position"].field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "17")
    qtbot.mouseClick(window.page, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    settle(QApplication.instance())
    assert window.page.state.position == 17
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "99")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "17"
    window.page.setFocus()
    assert window.page.state.position == 17


def test_a_slider_by_keys(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    slider = window.page.form.rows["position"].slider
    slider.setFocus()
    for key, value in (
        (Qt.Key.Key_Right, 4), (Qt.Key.Key_Up, 5), (Qt.Key.Key_Left, 4), (Qt.Key.Key_Down, 3), (Qt.Key.Key_End, 64),
        (Qt.Key.Key_Right, 65), (Qt.Key.Key_Home, 0), (Qt.Key.Key_Left, 0), (Qt.Key.Key_Delete, 3),
    ):  # fmt: skip
        qtbot.keyClick(slider, key)
        assert window.page.state.position == value, key
    even = window.page.form.rows["even"].slider
    qtbot.keyClick(even, Qt.Key.Key_Right)
    assert window.page.state.even == 10


def test_a_drag_is_one_entry_and_reaches_the_ends(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    slider = window.page.form.rows["position"].slider
    middle = slider.height() // 2
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() // 2, middle))
    assert 28 <= window.page.state.position <= 36
    for x in (40, 80, slider.width() - 1):
        qtbot.mouseMove(slider, QPoint(x, middle))
        window.page.form.rows["position"].slider.wanted.emit(slider._at(x))
    assert window.page.state.position == 64
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() - 1, middle))
    assert len(window.desk.history.before) == 1
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(2, middle))
    assert window.page.state.position == 0
    assert len(window.desk.history.before) == 2


def test_flags_choices_texts_vectors(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    page, form = window.page, window.page.form
    qtbot.mouseClick(form.rows["keep"].box, Qt.MouseButton.LeftButton)
    assert page.state.keep is False
    halves = form.rows["pairing"].segments[1]
    qtbot.mouseClick(halves, Qt.MouseButton.LeftButton)
    assert page.state.pairing == "halves"
    assert halves.isChecked()
    halves.setFocus()
    qtbot.keyClick(halves, Qt.Key.Key_Left)
    assert page.state.pairing == "adjacent"
    form.rows["many"].picker.setFocus()
    qtbot.keyClick(form.rows["many"].picker, Qt.Key.Key_Down)
    assert page.state.many == "two"
    assert len(form.pages()) == 2
    qtbot.mouseClick(form.more, Qt.MouseButton.LeftButton)
    enter(qtbot, form.rows["title"].field, "<s> & </b>")
    assert page.state.title == "<s> & </b>"
    enter(qtbot, form.rows["list"].field, "one,  two,,three")
    assert page.state.list == ("one", "two", "three")
    assert form.rows["list"].field.text() == "one, two, three"
    fields = form.rows["vector"].vector.fields
    enter(qtbot, fields[1], "−0,25")
    assert page.state.vector == (1.0, -0.25)
    enter(qtbot, fields[0], "x")
    assert page.state.vector == (1.0, -0.25)
    assert "not a number" in window.status.sentence


def test_a_double_click_on_the_label_resets(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    window.page.edit("position", 40)
    qtbot.mouseDClick(window.page.form.rows["position"].label, Qt.MouseButton.LeftButton)
    assert window.page.state.position == 3


def test_six_at_once_the_rest_behind_more(open_window: Open) -> None:
    window = open_window(size=(1920, 1080))
    form = window.page.form
    assert [name for name, row in form.rows.items() if row.isVisible()] == list(form.names[:6])
    form.more.click()
    assert [name for name, row in form.rows.items() if row.isVisible()] == list(form.names[6:])
    form.more.click()
    assert form.rows["position"].isVisible()


def test_showing_a_state_reports_nothing(open_window: Open) -> None:
    window = open_window()
    heard: list[object] = []
    window.page.form.edited.connect(lambda *what: heard.append(what))
    other = window.page.lesson.state(
        position=900, base=500.0, even=12, keep=False, pairing="halves", many="five", title="x", list=("a",),
        vector=(1.0, 2.0, 3.0),
    )  # fmt: skip
    window.page.form.show_state(other)
    assert heard == []


def test_every_control_has_a_name_a_tip_and_a_place_for_tab(open_window: Open) -> None:
    window = open_window()
    for row in window.page.form.rows.values():
        for stop in row.stops():
            assert stop.accessibleName(), (row.entry.name, stop)
            assert stop.focusPolicy() & Qt.FocusPolicy.TabFocus
            if stop.parent() is row:
                assert "&lt;b&gt;does" in stop.toolTip()  # plain text, whatever it looks like
    for widget in (
        window.bar.sentence, window.bar.table, window.bar.profiles, window.bar.more, window.page.worked,
        *window.page.transport.buttons, window.page.transport.speeds, *window.page.strip.buttons,
    ):  # fmt: skip
        assert widget.accessibleName() or widget.text(), widget


def test_tab_reaches_everything(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    window.page.setFocus()
    seen = []
    for _ in range(120):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        place = window.focusWidget()
        if place in seen:
            break
        seen.append(place)
    page = window.page
    wanted = [
        window.bar.sentence, window.bar.table, window.bar.profiles, window.bar.presenting, window.bar.more,
        window.rail.tabs[0], page.worked, page.worked.step, *page.transport.buttons, page.transport.speeds,
    ]  # fmt: skip
    wanted += [stop for row in page.form.rows.values() for stop in row.stops() if (row.isVisible() and stop.isVisible()
               and not hasattr(stop, "value")) or stop in (page.form.rows["position"].slider,)]  # fmt: skip
    wanted += [button for button in page.strip.buttons if button.isVisible()]
    missing = [widget for widget in wanted if widget not in seen]
    assert not missing, missing


def test_the_ring_is_seen(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    page = window.page
    for widget in (
        page.form.rows["position"].slider, page.form.rows["position"].field, page.form.rows["keep"].box,
        page.form.rows["many"].picker, page.transport.buttons[2], page.strip.buttons[0], page.worked,
        window.rail.tabs[0], window.bar.table, window.bar.sentence, page.form.rows["pairing"].segments[0],
    ):  # fmt: skip
        page.setFocus()
        settle(QApplication.instance())
        before = widget.grab().toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        settle(QApplication.instance())
        assert widget.grab().toImage() != before, widget


def test_a_value_beyond_the_slider_is_an_arrow(open_window: Open) -> None:
    window = open_window()
    slider = window.page.form.rows["position"].slider
    pictures = []
    for value in (64, 503):
        window.page.edit("position", value)
        settle(QApplication.instance())
        assert slider.value() == slider.maximum()
        pictures.append(slider.grab().toImage())
    assert slider.beyond == 1
    assert pictures[0] != pictures[1], "503 is not the largest value"


def test_the_state_decides_where_sliders_end(open_window: Open) -> None:
    lesson = dataclasses.replace(make("fake"), ranges=lambda state: {"even": (2, state.position)})
    window = open_window(ids=("fake",), lessons={"fake": lesson}.__getitem__)
    row = window.page.form.rows["even"]
    window.page.edit("position", 8)
    settle(QApplication.instance())
    assert row.slider.value() == row.slider.maximum() == 3
    window.page.edit("position", 20)
    settle(QApplication.instance())
    assert (row.slider.value(), row.slider.maximum()) == (3, 9)
    assert window.page.state.even == 8


@pytest.mark.parametrize("lesson_id", lessons.IDS)
def test_slider_ends_are_legal(lesson_id: str) -> None:
    lesson = lessons.lesson(lesson_id)
    context = Context()
    for preset in (None, *lesson.presets):
        values = preset.values if preset else {}
        state = lesson.settled(lesson.from_mapping(values, context))
        for name, (low, high) in lesson.slider_ends(state).items():
            kind = spec(lesson.state, name).kind
            assert isinstance(kind, Range)
            assert kind.low <= low <= high <= kind.high, name
            scale = SliderScale(kind, (low, high))
            assert scale.position(high) in (0, scale.last)
            assert scale.value(scale.position(getattr(state, name))) >= low


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_a_label_never_wraps_beside_its_number(open_window: Open, size: tuple[int, int]) -> None:
    window = open_window(size=size)
    window.page.edit("position", 1_000_000)
    settle(QApplication.instance())
    row = window.page.form.rows["position"]
    beside = row.label.geometry().top() < row.field.geometry().bottom()
    if beside and row.label.geometry().bottom() > row.field.geometry().top():
        assert row.label.natural_width() <= row.label.width() + 1


def test_the_gap_between_segments_is_the_same_everywhere(open_window: Open) -> None:
    window = open_window(size=(1920, 1080))
    row = window.page.form.rows["pairing"]
    bodies = [segment.geometry().adjusted(*(round(paint.ring_room(window.look)) * k for k in (1, 1, -1, -1)))
              for segment in row.segments]  # fmt: skip
    gap = bodies[1].left() - bodies[0].right() - 1
    bar = window.page.stage.panel_view("main").segments
    other = bar.buttons[1].geometry().left() - bar.buttons[0].geometry().right() - 1
    assert abs(gap - other) <= 2
    assert min(gap, other) >= 4


def test_the_chosen_preset_has_its_button(open_window: Open) -> None:
    window = open_window()
    strip = window.page.strip
    for number in (0, 8, 3, 8, 1):
        window.page.choose(number)
        settle(QApplication.instance())
        shown = [button for button in strip.buttons if button.isVisible()]
        assert strip.buttons[number] in shown
        assert strip.buttons[number].isChecked()
        assert len(shown) + strip.rest.count() == len(strip.buttons)
        assert strip.rect().contains(strip.rest.geometry())
    window.resize(700, 500)
    window.page.choose(8)
    settle(QApplication.instance())
    assert strip.buttons[8].isVisible()
