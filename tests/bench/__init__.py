"""Speed and memory, as ratios side by side: ``python -m tests.bench``."""
