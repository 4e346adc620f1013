"""Real processes under a real load, killed, stopped, cut off and confused."""
