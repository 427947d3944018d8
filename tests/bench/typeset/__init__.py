"""Pages of many kinds with their truth, typeset by programs that this project does not own."""
