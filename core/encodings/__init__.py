"""The mathematics: plain functions over arrays. Knows nothing of lessons, files or screens; imports numpy alone."""
