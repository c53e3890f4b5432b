"""All of the bench."""

from __future__ import annotations

from tests.bench import frames, hands_on, search, soak, startup, training, view

startup.main()
frames.main()
view.main()
training.main()
hands_on.main()
search.main()
soak.main()
