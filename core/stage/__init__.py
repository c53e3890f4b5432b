"""What any lesson is made of: parameters, frames, the contract of a lesson, sessions, undo, time, jobs, theme, texts."""
