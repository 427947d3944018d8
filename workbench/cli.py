"""The entry point of the `workbench` command.

It imports nothing before it can be interrupted: ctrl+c ends a command without a traceback also
while its modules are still loading.
"""

import sys

TYPE_CHECKING = False  # `typing` takes longer to load than all of this
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(words: "Sequence[str] | None" = None) -> int:
    """Runs the command and returns its exit code."""
    try:
        from workbench.contract.readable_clock import refuse_unreadable_clock

        refuse_unreadable_clock()
        from workbench.commands.running import run

        return run(sys.argv[1:] if words is None else words)
    except KeyboardInterrupt:
        print("Interrupted. The server finishes what it has accepted.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
