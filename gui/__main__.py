"""The command ``volvelle``."""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0 done, 2 not understood, 3 can't start."""
    from gui.cli import run

    return run(sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
