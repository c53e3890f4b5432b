"""The command ``volvelle``."""

from __future__ import annotations

import gc
import sys


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0 done, 2 not understood, 3 can't start."""
    # Start-up makes hundreds of thousands of objects and no garbage; app.run turns the collector on again.
    gc.disable()
    from gui.cli import run

    return run(sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
