"""All of the bench."""

from __future__ import annotations

from tests.bench import frames, soak, startup, training, view

startup.main()
frames.main()
view.main()
training.main()
soak.main()
