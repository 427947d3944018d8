"""Everything that is claimed of partitioning, in one command, with one table at the end.

    pip install -c constraints.txt '.[all]' rapidfuzz apted      the engine and the scorer
    pip install pdf-inspector edgeparse opendataloader-pdf       the rivals, the last one with Java
    python tests/bench/partition_evidence.py [--quick] [--out FILE]

Runs, one after the other and each in a process of its own, the scores of all sets, the same files
through the rivals, the hostile files through workers, and what it costs: CPU over PDFium's plain
text, OCR over the engine's own command, two workers over one, memory of a 2,000-page PDF. It takes
about half an hour; ratios of time mean something on a machine that does nothing else.
`--quick` looks at the smallest sets and leaves out costs, to see that all is installed. The data
lies where WORKBENCH_BENCH says, else in `../shared/bench` beside the repository.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
QUICK = {
    "score cvat": ["partition.py", "--set", "cvat"],
    "score tagged": ["partition.py", "--set", "tagged"],
    "rivals": ["partition_peers.py", "cvat", "tagged"],
}
NUMBER = r"([\d.]+)"

COMMANDS: dict[str, list[str]] = {
    **{
        f"score {name}": ["partition.py", "--set", name]
        for name in ("dprt", "icdar", "scan", "cvat", "tagged", "office")
    },
    "hostile": ["partition_hostile.py"],
    "rivals": ["partition_peers.py"],
    **{
        f"cost {name}": ["partition_cost.py", name]
        for name in ("digital", "ocr", "workers", "memory")
    },
}
GOALS: list[tuple[str, str, str, str, float]] = [
    ("score dprt", "overall", rf"overall +{NUMBER}", ">=", 0.92),
    ("score dprt", "NID", rf"nid +{NUMBER}", ">=", 0.965),
    ("score dprt", "TEDS", rf"teds +{NUMBER}", ">=", 0.92),
    ("score dprt", "MHS", rf"mhs +{NUMBER}", ">=", 0.78),
    ("score icdar", "TEDS", rf"teds +{NUMBER}", ">=", 0.85),
    ("score scan", "NID", rf"nid +{NUMBER}", ">=", 0.90),
    ("score scan", "overall", rf"overall +{NUMBER}", ">=", 0.75),
    ("score cvat", "overall", rf"overall +{NUMBER}", ">=", 0.915),
    ("score tagged", "overall", rf"overall +{NUMBER}", ">=", 0.663),
    ("score office", "NID", rf"nid +{NUMBER}", ">=", 0.95),
    ("cost digital", "CPU over PDFium's text", rf"all: .*: {NUMBER}", "<=", 6),
    ("cost ocr", "CPU over its command line", rf"process each: .*: {NUMBER}", "<=", 1),
    ("cost workers", "two workers over one", rf": {NUMBER} times", ">=", 1.7),
    ("cost memory", "MB for 2,000 pages", rf"peak {NUMBER} MB", "<=", 600),
]
"""What is measured, by which line of which command, and what is asked of it."""


def main() -> int:
    arguments = read_arguments()
    output: dict[str, str] = {}
    for name, command in (QUICK if arguments.quick else COMMANDS).items():
        print(f"== {name}", flush=True)
        output[name] = answer(command)
        print(output[name], flush=True)
    table = summary(output)
    print(table)
    if arguments.out:
        parts = [f"== {name}\n{text}" for name, text in output.items()]
        arguments.out.write_text("\n".join([*parts, table]), "utf-8")
    return 0


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="the smallest sets, no costs")
    parser.add_argument("--out", type=Path, help="a file for all that was printed")
    return parser.parse_args()


def answer(command: list[str]) -> str:
    """What a bench prints; of one that breaks down the end of its complaint as well."""
    script, *rest = command
    run = [sys.executable, str(FOLDER / script), *rest]
    done = subprocess.run(run, capture_output=True, text=True, cwd=FOLDER.parents[1])
    ending = f"\nENDED WITH {done.returncode}: {done.stderr[-500:]}" if done.returncode else ""
    return done.stdout.rstrip() + ending


def summary(output: dict[str, str]) -> str:
    """One line for each goal, then the hostile files and the rivals side by side."""
    lines = ["", f"{'measured':14} {'what':26} {'seen':>8} {'goal':>10}"]
    for name, what, pattern, sign, goal in GOALS:
        match = re.search(pattern, output.get(name, ""))
        seen = float(match[1]) if match else None
        reached = seen is not None and (seen >= goal if sign == ">=" else seen <= goal)
        shown = "-" if seen is None else f"{seen:g}"
        mark = "" if seen is None else "reached" if reached else "MISSED"
        lines.append(f"{name:14} {what:26} {shown:>8} {sign:>4} {goal:<5g} {mark}".rstrip())
    hostile = output.get("hostile", "").splitlines()[-1:]
    return "\n".join([*lines, "", *hostile, "", output.get("rivals", "")])


if __name__ == "__main__":
    sys.exit(main())
