"""The real server on simulated time, storage, channels, processes and clients: see docs/simulation.md."""
