"""Guppies: lay hexagonal tiles so that halves of fish become whole ones."""
