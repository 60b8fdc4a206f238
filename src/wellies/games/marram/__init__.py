"""Marram: snakes, worms, grass and sand on flippable tiles; Classic, Pitchfork and Animals."""
