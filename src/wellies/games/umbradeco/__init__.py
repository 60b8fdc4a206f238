"""Umbradeco: lay, push and stack umbrellas so that no two of one colour touch."""
