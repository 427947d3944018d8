"""The screens, one per file: seven with a number, and those that they open."""
