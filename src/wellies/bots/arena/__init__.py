"""Round-robin tournaments between bots and versions of bots, with ratings and their confidence intervals."""
