"""All of the bench."""

from __future__ import annotations

from tests.bench import frames, soak, startup

startup.main()
frames.main()
soak.main()
