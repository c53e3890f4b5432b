"""The row for a long text: pasted as a whole, shown by its beginning."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from core import lessons
from core.lessons.training.state import LONGEST_TEXT, TrainingState
from core.stage.params import spec
from core.stage.session import Session
from core.stage.theme import THEMES
from gui.paste import SHOWN, PasteRow
from gui.rows import TextRow, row_for
from gui.theming import Look
from gui.window import Window
from tests.gui.window_helpers import settle

TEXT = "A whale swims.\nA shark swims.\n" * 40


class Heard:
    """What a row said."""

    def __init__(self, row: PasteRow) -> None:
        self.edits: list[tuple[str, object]] = []
        self.said: list[str] = []
        row.edited.connect(self.hear_edit)
        row.said.connect(self.said.append)

    def hear_edit(self, name: str, value: object, gesture: str) -> None:
        assert gesture == ""
        self.edits.append((name, value))


@pytest.fixture
def row(qapp: QApplication) -> Iterator[PasteRow]:
    parent = QWidget()
    made = row_for("training", spec(TrainingState, "own_text"), parent)
    assert isinstance(made, PasteRow)
    made.set_look(Look(THEMES["projector"], 1080.0))
    made.resize(300, made.height_for(300))
    yield made
    parent.deleteLater()


def test_only_long_texts_are_pasted(qapp: QApplication) -> None:
    parent = QWidget()
    assert type(row_for("training", spec(TrainingState, "first"), parent)) is TextRow


def test_the_button_takes_the_whole_clipboard_with_its_lines(row: PasteRow) -> None:
    heard = Heard(row)
    QGuiApplication.clipboard().setText(TEXT)
    row.paste.click()
    assert heard.edits == [("own_text", TEXT)]
    assert heard.said == []


def test_the_keys_do_the_same(row: PasteRow) -> None:
    heard = Heard(row)
    QGuiApplication.clipboard().setText(TEXT)
    QTest.keyClick(row.field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert heard.edits == [("own_text", TEXT)]


def test_a_short_text_can_be_typed(row: PasteRow) -> None:
    heard = Heard(row)
    QTest.keyClicks(row.field, "cat dog")
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    assert heard.edits == [("own_text", "cat dog")]


def test_a_long_text_shows_how_it_begins_and_how_long_it_is(row: PasteRow) -> None:
    row.show_value(TEXT)
    assert row.field.isReadOnly()
    assert row.field.text().startswith("A whale swims. A shark swims. A whale")
    assert row.field.text().endswith("…")
    assert len(row.field.text()) == SHOWN + 1
    assert "(1,200 characters)" in row.label.text()
    row.show_value("cat dog")
    assert not row.field.isReadOnly()
    assert row.field.text() == "cat dog"


def test_nothing_to_paste_and_too_much(row: PasteRow) -> None:
    heard = Heard(row)
    QGuiApplication.clipboard().setText("  \n")
    row.paste.click()
    assert heard.edits == []
    assert heard.said == ["There is no text to paste."]
    QGuiApplication.clipboard().setText("ab " * 400_000)
    row.paste.click()
    assert "1,200,000 characters; the first 1,000,000" in heard.said[-1]


def test_clearing(row: PasteRow) -> None:
    heard = Heard(row)
    assert not row.clear.isEnabled()
    row.show_value(TEXT)
    row.clear.click()
    assert heard.edits == [("own_text", "")]


def test_a_pasted_text_is_trained_on_and_left_out_of_the_link(open_window: Callable[..., Window]) -> None:
    window = open_window(
        Session("training"), size=(1280, 720), at_once=True, keep=None, ids=lessons.IDS, lessons=lessons.lesson
    )
    window.page.edit("source", "own")
    QGuiApplication.clipboard().setText(TEXT * 10)
    row = window.page.form.rows["own_text"]
    assert isinstance(row, PasteRow)
    row.paste.click()
    settle(QApplication.instance())
    assert window.page.state.own_text == TEXT * 10
    assert len(window.page.state.own_text) <= LONGEST_TEXT
    assert "whale" in window.page.frame.alt
    window.commands.do_copy_link()
    assert "own_text" not in QGuiApplication.clipboard().text()
    assert "“your own text”" in window.status.sentence
    window.commands.do_undo()
    assert window.page.state.own_text == ""
