"""The door: paths, progress, stopping, and what readers never do."""

from __future__ import annotations

import gzip
import os
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

from core.tables.messages import SENTENCES, TableError
from core.tables.readers import ReadingCancelled, open_table

TEXT = b"".join(b"w%d %.3f -0.5 0.25\n" % (at, at / 7) for at in range(20_000))


def files(folder: Path) -> list[Path]:
    values = np.random.default_rng(0).normal(size=(20_000, 3)).astype("<f4")
    rows = b"".join(b"w%d " % at + row.tobytes() + b"\n" for at, row in enumerate(values))
    contents = {
        "v.txt": TEXT,
        "v.txt.gz": gzip.compress(TEXT),
        "v.tsv": TEXT.replace(b" ", b"\t"),
        "v.csv": b"word,x,y,z\n" + TEXT.replace(b" ", b","),
        "dirty.txt": TEXT.replace(b"w", b". . w"),
        "v.bin": b"20000 3\n" + rows,
    }
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    np.save(folder / "v.npy", values)
    return [folder / name for name in (*contents, "v.npy")]


def test_progress_goes_up_to_one_in_not_too_many_steps(tmp_path: Path) -> None:
    for path in files(tmp_path):
        shares: list[float] = []
        open_table(path, progress=shares.append)
        assert shares[0] == 0
        assert shares[-1] == 1
        assert shares == sorted(set(shares))
        assert len(shares) <= 210


def test_stopping_acts_at_the_next_question(tmp_path: Path) -> None:
    for path in files(tmp_path):
        asked = 0

        def stop() -> bool:
            nonlocal asked
            asked += 1
            return asked > 2

        with pytest.raises(ReadingCancelled) as caught:
            open_table(path, cancelled=stop)
        assert asked == 3
        assert path.name in str(caught.value)
        assert isinstance(caught.value, TableError)
        again = pickle.loads(pickle.dumps(caught.value))
        assert isinstance(again, ReadingCancelled)


def test_it_is_asked_often_enough(tmp_path: Path) -> None:
    """At least once for every 200 KB of text, however unclean: that is some 50 milliseconds."""
    for path in files(tmp_path)[:5]:
        asked: list[int] = []
        open_table(path, cancelled=lambda: bool(asked.append(1)))  # noqa: B023
        assert len(asked) >= len(TEXT) / 200_000


def test_a_name_too_long_for_companions_opens(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250 + ".tsv")
    path.write_bytes(b"1\t2\n3\t4\n")
    assert len(open_table(path)) == 2


@pytest.mark.parametrize("name", ["ключ 100% #1 ☕.txt", "a\nb.txt", "x'\"y.txt", "no ending"])
def test_any_file_name_opens(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"the 1 2\ncat 3 4\n")
    table = open_table(tmp_path / name)
    assert table.title == name
    assert open_table(str(tmp_path / name)).shape == (2, 2)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path, code in ((tmp_path / "none.txt", "file_missing"), (tmp_path, "file_folder")):
        with pytest.raises(TableError) as caught:
            open_table(path)
        assert caught.value.code == code
    for path in ("", "a\0b", tmp_path / ("x" * 5000)):
        with pytest.raises(TableError):
            open_table(path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        return  # pipes have no names on this system
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(TableError) as caught:
        open_table(tmp_path / "pipe.txt")
    assert caught.value.code == "file_special"


def test_links_that_lead_elsewhere_are_no_companions(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_bytes(b"one\ntwo\n")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "tensors.tsv").write_bytes(b"1\t2\n3\t4\n")
    try:
        (folder / "metadata.tsv").symlink_to(tmp_path / "secret.txt")
    except OSError:
        return  # this system lets nobody make links
    assert open_table(folder / "tensors.tsv").tokens == ["0", "1"]


def test_a_companion_that_is_a_folder_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "metadata.tsv").mkdir()
    (tmp_path / "tensors.tsv").write_bytes(b"1\t2\n3\t4\n")
    assert len(open_table(tmp_path / "tensors.tsv")) == 2


def test_readers_do_without_what_could_run_something() -> None:
    for path in (Path(__file__).parents[4] / "core" / "tables" / "readers").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"import (pickle|marshal|shelve|socket|urllib|http|subprocess|ast)\b", text), path
        assert not re.search(r"(?<![.\w])(eval|exec|compile|literal_eval)\(|np\.load\(|extract(all)?\(", text), path


def test_every_sentence_of_the_readers_is_english_with_a_file_in_it() -> None:
    codes = list(SENTENCES)
    for code in codes[codes.index("reading_cancelled") :]:
        assert "{file}" in SENTENCES[code], code
