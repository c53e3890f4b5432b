"""What any lesson is made of: parameters, frames, the contract, sessions, undo, time, jobs, theme, texts."""
