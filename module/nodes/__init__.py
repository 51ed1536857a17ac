"""The graph's nodes, one a file. Each returns the keys it changes and changes nothing in place."""
