"""What every game is: the contract of states and specs, chance, events, outcomes, options and errors."""
