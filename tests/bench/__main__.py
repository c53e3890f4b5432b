"""All of the bench."""

from __future__ import annotations

from tests.bench import alibi, frames, hands_on, rotation, search, soak, startup, training, view

startup.main()
frames.main()
view.main()
training.main()
alibi.main()
hands_on.main()
rotation.main()
search.main()
soak.main()
