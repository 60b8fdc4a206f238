"""Ultimate Aquarium: nine cards in a tank, each worth what its neighbours make of it."""
