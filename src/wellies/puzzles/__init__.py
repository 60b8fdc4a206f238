"""Puzzles: positions where one move is clearly the best, and the obvious one is not. One of each game for every day."""
