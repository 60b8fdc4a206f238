"""For learning programs and studies: many games as arrays, and data sets of games. Needs `wellies[research]`."""
