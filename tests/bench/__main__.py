"""All of the bench."""

from __future__ import annotations

from tests.bench import frames, soak, startup, view

startup.main()
frames.main()
view.main()
soak.main()
