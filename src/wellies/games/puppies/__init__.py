"""Good Puppies: pups in groups, tricks that get better with friends, and bones buried in the yard."""
