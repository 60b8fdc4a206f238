"""Information-set Monte Carlo tree search for any game; `docs/bots.md` describes it."""
