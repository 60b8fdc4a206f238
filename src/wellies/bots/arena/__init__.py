"""Round robins between bots and versions: who is stronger, by how much, and how sure we are of it."""
