"""The commands of `workbench`, one module each: `add_arguments` declares, `run` does.

Owns what is printed and the exit codes. Refuses to know how anything is done: that stands in
`workbench.objects` and below. Modules import at their top only what is cheap; `--help` must not
wait for a library.
"""
