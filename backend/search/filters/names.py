"""Resolves a path to a property: full or shortened name, or suggestions for an unknown one."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from rapidfuzz import fuzz, process

from backend.language.tokens import composed
from backend.search.filters.parser import fault
from backend.search.filters.tree import Condition, Expression, Path, rewritten
from workbench.contract.schema import PropertyShape, Schema

ENTITY = "entity"
"""The prefix of extracted properties."""

_OWN: Mapping[Path, PropertyShape] = {
    Path(("path",)): PropertyShape(kind="string"),
    Path(("page_count",)): PropertyShape(kind="int"),
    Path((ENTITY,)): PropertyShape.model_construct(kind="object"),
}
_SUGGESTIONS = 3
_LIKENESS = 55.0


def bind(
    expression: Expression,
    is_known: Callable[[Path], bool],
    names: Callable[[], Iterable[Path]],
) -> Expression:
    """Replaces each path by the full path of a known property.

    `entity.` is optional. Invalid for an unknown path; `names` is only called then, to suggest
    similar ones.
    """

    def bound(condition: Condition) -> Condition:
        path = condition.path
        known = resolved(path, is_known)
        if known is None:
            near = hint(path, names())
            raise fault(f"no property is called {path.text!r}{near}", path.column)
        return replace(condition, path=known)

    return rewritten(expression, bound)


def resolved(path: Path, is_known: Callable[[Path], bool]) -> Path | None:
    """The known property that a path names, or None. An extracted property comes before one of the
    document itself, unless the path is written in full.
    """
    plain = replace(path, parts=tuple(map(composed, path.parts)))
    extracted = [replace(one, parts=(ENTITY, *one.parts)) for one in (path, plain)]
    full = path.whole or (path.parts[0] == ENTITY and len(path.parts) > 1)
    forms = [path, plain, *extracted] if full else [*extracted, path, plain]
    return next((one for one in forms if is_known(one)), None)


def hint(path: Path, known: Iterable[Path]) -> str:
    """The end of an error message about an unknown property: similar or known names."""
    spelt = {name.text.removeprefix(f"{ENTITY}."): name.spelt for name in known}
    wanted = path.text.removeprefix(f"{ENTITY}.")
    near = process.extract(
        wanted, list(spelt), scorer=fuzz.WRatio, processor=str.lower, limit=_SUGGESTIONS
    )
    close = [spelt[name] for name, likeness, _ in near if likeness >= _LIKENESS]
    if close:
        return f"; did you mean {', '.join(close)}?"
    if spelt:
        return f"; known are {', '.join(sorted(spelt.values())[:10])}"
    return "; the DocSet has no properties yet"


def path_shapes(schema: Schema | None) -> dict[Path, PropertyShape]:
    """The shapes of all properties with a type: the document's own, and those of the schema."""
    return {**_OWN, **dict(schema_paths(schema))}


def schema_paths(schema: Schema | None) -> Iterator[tuple[Path, PropertyShape]]:
    """The paths that a schema defines, with their shapes, including those inside objects."""
    for prop in schema.properties if schema else ():
        yield from _below((ENTITY, prop.name), prop)


def _below(parts: tuple[str, ...], shape: PropertyShape) -> Iterator[tuple[Path, PropertyShape]]:
    yield Path(parts), shape
    for inner in shape.properties or ():
        yield from _below((*parts, inner.name), inner)
