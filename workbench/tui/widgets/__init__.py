"""The parts of screens, one per file. They display what they are given and fetch nothing."""
