"""What Volvelle computes: mathematics, tables, the stage and its lessons. No Qt, no clock, no unseeded randomness."""
