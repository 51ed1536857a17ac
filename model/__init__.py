"""What we talk about: values without I/O. Imports the standard library and pydantic only."""
