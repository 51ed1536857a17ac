"""Text + now → meaning. Pure: no file, network or clock is touched."""
