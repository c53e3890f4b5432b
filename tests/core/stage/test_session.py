"""Session files and links: legal whatever they hold, and nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.lessons import IDS, lesson
from core.stage.lesson import Context, Shared
from core.stage.session import Session, SessionError, from_json, from_link, load, save, set_aside, to_json, to_link


def read(document: object) -> Session:
    return from_json(document if isinstance(document, str) else json.dumps(document), lesson, IDS)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("", "line 1"),
        ("{", "line 1"),
        ('{"volvelle": 1,\n"tab": oops}', "line 2"),
        ("[" * 100_000, "nesting"),
        ("[]", "not written by Volvelle"),
        ('{"tab": "rope"}', "not written by Volvelle"),
        ('{"volvelle": 99}', "version 99"),
        ('{"volvelle": "1"}', "'1'"),
        ('{"volvelle": true}', "True"),
    ],
)
def test_what_is_no_session_is_refused_in_a_sentence(document: str, said: str) -> None:
    with pytest.raises(SessionError, match=said):
        read(document)


@pytest.mark.parametrize(
    "rest",
    [
        {},
        {"tab": "nonsense", "shared": 5, "states": []},
        {"tab": ["rope"], "shared": {"table": "no such table", "sentence": None}, "states": {"unknown": {}}},
        {"states": {"rope": {"query_position": "NaN", "key_position": -5, "base": 1e999}}},
        {"states": {"rope": None, "alibi": "text"}},
    ],
)
def test_damaged_values_become_legal(rest: dict[str, object]) -> None:
    session = read(json.dumps({"volvelle": 1, **rest}))
    assert session.tab in IDS
    for name, state in session.states.items():
        assert lesson(name).legal(state, Context(session.shared)) == state


def test_values_that_cannot_be_are_named_and_the_rest_opens(tmp_path: Path) -> None:
    path = tmp_path / "absurd.json"
    states = {"alibi": {"n_heads": 10**9, "head": 3, "font": -3}, "rope": {"base": -1, "head_dim": 0}, "x": {}}
    shared = {"table": "../../etc/passwd", "sentence": "dog bites man"}
    path.write_text(json.dumps({"volvelle": 1, "tab": "rope", "shared": shared, "states": states}))
    notices: list[str] = []
    session = load(path, lesson, IDS, notices)
    assert session.shared == Shared("dog bites man")
    assert session.states["alibi"].head == 3
    for word in ("n_heads was 1000000000", "font", "base was -1", "head_dim was 0", "passwd", "“x”"):
        assert sum(word in notice for notice in notices) == 1, word
    assert len(notices) == 6
    assert all(notice.startswith("absurd.json: ") for notice in notices)
    save(session, path)
    notices.clear()
    assert load(path, lesson, IDS, notices) == session
    assert notices == []


def test_a_file_comes_back(tmp_path: Path) -> None:
    session = Session("rope", Shared("dog bites man"), {"rope": lesson("rope").initial()})
    path = tmp_path / "deep" / "lesson.json"
    save(session, path)
    save(session, path)
    assert load(path, lesson, IDS) == session
    assert [entry.name for entry in path.parent.iterdir()] == ["lesson.json"], "no part is left behind"


def test_a_failing_save_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "state.json"
    save(Session(), path)
    before = path.read_bytes()

    def broken(source: object, target: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("core.stage.session.os.replace", broken)
    with pytest.raises(OSError, match="disk full"):
        save(Session("rope"), path)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match=r"absent\.json"):
        load(tmp_path / "absent.json", lesson, IDS)
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"{\xff\xfe")
    with pytest.raises(SessionError, match=r"binary\.json.*byte 1"):
        load(binary, lesson, IDS)
    huge = tmp_path / "huge.json"
    huge.write_bytes(b" " * 9_000_000)
    with pytest.raises(SessionError, match=r"huge\.json"):
        load(huge, lesson, IDS)


def test_a_damaged_file_is_set_aside_without_overwriting(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    targets = set()
    for content in ("one", "two"):
        path.write_text(content)
        targets.add(set_aside(path))
    assert len(targets) == 2
    assert sorted(target.read_text() for target in targets) == ["one", "two"]


def test_links() -> None:
    name, state, shared, notices = from_link("rope?query_position=503&key_position=501", lesson, IDS)
    assert (name, state.query_position, state.key_position, shared, notices) == ("rope", 503, 501, Shared(), [])
    assert to_link(name, state, shared) == "rope?query_position=503&key_position=501"
    shared = Shared("good & not/good = 50 %, ok?", "glove")
    link = to_link("rope", state, shared)
    assert from_link(link, lesson, IDS)[1:3] == (state, shared)


def test_links_say_what_they_passed_over() -> None:
    notices = from_link("rope?query_position=abc&colour=red&base=1", lesson, IDS)[3]
    assert len(notices) == 3
    assert any("colour" in notice for notice in notices)
    assert any("abc" in notice for notice in notices)
    for link, said in (("nothing?x=1", "lookup"), ("", "rope"), ("rope?preset=nothing", "presets are")):
        with pytest.raises(SessionError, match=said):
            from_link(link, lesson, IDS)


@pytest.mark.parametrize("lesson_id", IDS)
def test_every_preset_is_a_link(lesson_id: str) -> None:
    for preset in lesson(lesson_id).presets:
        name, state, shared, notices = from_link(f"{lesson_id}?preset={preset.id}", lesson, IDS)
        assert notices == []
        assert from_link(to_link(name, state, shared), lesson, IDS)[1:3] == (state, shared)


def test_json_has_no_nan() -> None:
    json.loads(to_json(Session()), parse_constant=lambda name: pytest.fail(name))
