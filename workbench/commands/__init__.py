"""The commands of `workbench`, one module each: `add_arguments` declares, `run` executes.

Owns output and exit codes; the work itself is in `workbench.objects` and below. Modules only import
cheap modules at the top, because `--help` must not wait for a library.
"""
