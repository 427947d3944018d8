"""Cleans up rules: joins pieces of one line and groups connected rules."""

from collections import defaultdict

from backend.partition.page import Rect, Rule

TOLERANCE = 2.5
"""Points by which connected rules may miss each other."""
_DASH, _APART = 6.0, 2.0
"""Points: the longest dash of a rule; and the widest blank after one, in its lengths."""


def merged(rules: list[Rule], gap: float = TOLERANCE) -> list[Rule]:
    """Joins collinear pieces at most `gap` apart, and close parallels."""
    out: list[Rule] = []
    for horizontal in (True, False):
        pieces = sorted(
            (rule for rule in rules if rule.horizontal is horizontal), key=lambda rule: rule.at
        )
        cluster: list[Rule] = []
        for piece in pieces:
            if cluster and piece.at - cluster[0].at > TOLERANCE:
                out.extend(_joined(cluster, gap))
                cluster = []
            cluster.append(piece)
        out.extend(_joined(cluster, gap))
    return out


def _joined(cluster: list[Rule], gap: float) -> list[Rule]:
    out: list[Rule] = []
    for piece in sorted(cluster, key=lambda rule: rule.start):
        if out and piece.start <= out[-1].end + gap:
            last = out[-1]
            at = last.at if last.end - last.start >= piece.end - piece.start else piece.at
            out[-1] = Rule(piece.horizontal, at, last.start, max(last.end, piece.end))
        else:
            out.append(piece)
    return out


def without_dashes(rules: list[Rule]) -> list[Rule]:
    """Joins the dashes and dots of each rule that is drawn as such."""
    out = [rule for rule in rules if rule.end - rule.start > _DASH]
    dashes: defaultdict[tuple[bool, float], list[Rule]] = defaultdict(list)
    for rule in rules:
        if rule.end - rule.start <= _DASH:
            dashes[rule.horizontal, round(rule.at, 1)].append(rule)
    for line in dashes.values():
        last: Rule | None = None
        for dash in sorted(line, key=lambda rule: rule.start):
            if last and dash.start - last.end <= _APART * max(dash.end - dash.start, 0.5):
                last = last._replace(end=max(last.end, dash.end))
                continue
            out += [last] if last else []
            last = dash
        out += [last] if last else []
    return out


def edges(fills: list[Rect]) -> list[Rule]:
    """The four sides of each filled box, as rules."""
    out: list[Rule] = []
    for fill in fills:
        out.append(Rule(True, fill.y0, fill.x0, fill.x1))
        out.append(Rule(True, fill.y1, fill.x0, fill.x1))
        out.append(Rule(False, fill.x0, fill.y0, fill.y1))
        out.append(Rule(False, fill.x1, fill.y0, fill.y1))
    return out


def connected(rules: list[Rule]) -> list[list[Rule]]:
    """Groups of rules that meet or cross."""
    parent = list(range(len(rules)))

    def find(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    flat = [i for i, rule in enumerate(rules) if rule.horizontal]
    tall = [i for i, rule in enumerate(rules) if not rule.horizontal]
    for i in flat:
        for j in tall:
            if _meet(rules[i], rules[j]):
                parent[find(i)] = find(j)
    groups: defaultdict[int, list[Rule]] = defaultdict(list)
    for i, rule in enumerate(rules):
        groups[find(i)].append(rule)
    return list(groups.values())


def _meet(flat: Rule, tall: Rule) -> bool:
    return (
        tall.start - TOLERANCE <= flat.at <= tall.end + TOLERANCE
        and flat.start - TOLERANCE <= tall.at <= flat.end + TOLERANCE
    )


def hull_of(rules: list[Rule]) -> Rect:
    flat = [rule for rule in rules if rule.horizontal]
    tall = [rule for rule in rules if not rule.horizontal]
    xs = [x for rule in flat for x in (rule.start, rule.end)] + [rule.at for rule in tall]
    ys = [y for rule in tall for y in (rule.start, rule.end)] + [rule.at for rule in flat]
    return Rect(min(xs), min(ys), max(xs), max(ys))


def positions(values: list[float], apart: float = 2 * TOLERANCE) -> list[float]:
    """Distinct positions, close ones averaged."""
    out: list[list[float]] = []
    for value in sorted(values):
        if out and value - out[-1][-1] <= apart:
            out[-1].append(value)
        else:
            out.append([value])
    return [sum(group) / len(group) for group in out]
