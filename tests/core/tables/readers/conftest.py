"""A folder to write files into, and to open them or be refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.tables.messages import TableError
from core.tables.readers import open_table
from core.tables.table import Table


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., Table]:
    """``opened(data, name, companion=bytes …)`` writes the files and opens the first."""

    def open_data(data: bytes, name: str = "words.txt", beside: dict[str, bytes] | None = None) -> Table:
        for other, content in (beside or {}).items():
            (tmp_path / other).write_bytes(content)
        path = tmp_path / name
        path.write_bytes(data)
        return open_table(path)

    return open_data


@pytest.fixture
def refused(opened: Callable[..., Table]) -> Callable[..., TableError]:
    """As ``opened``, for what must be refused; gives the error, whose text names the file."""

    def refusal(data: bytes, name: str = "words.txt", beside: dict[str, bytes] | None = None) -> TableError:
        with pytest.raises(TableError) as caught:
            opened(data, name, beside)
        assert any(file in str(caught.value) for file in (name, *(beside or {}))), str(caught.value)
        return caught.value

    return refusal
