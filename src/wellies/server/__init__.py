"""Tables over HTTP and WebSocket. Nothing here knows any game; importing this package alone loads nothing heavy."""
