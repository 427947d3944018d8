"""The DocSets of an account: listed as a frame, looked up by name, created."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from workbench.client import AmbiguousName, AsyncClient, Mistake, NotFound, UnknownName
from workbench.contract.docsets import DocSetMetadata
from workbench.contract.schema import Schema
from workbench.formats import counted
from workbench.frames.columns import instants, of_type, table_of
from workbench.frames.frame import Frame
from workbench.nearest import suggestion
from workbench.objects.arguments import text
from workbench.objects.docset import DocSet
from workbench.objects.engine import Engine
from workbench.objects.naming import is_like_id
from workbench.objects.schemas import SchemaLike, schema_of

if TYPE_CHECKING:
    import polars as pl

_LARGEST_PAGE = 1000


class DocSets(Frame):
    """The DocSets at the time of `Workbench.docsets`; looked up by name or id.

    Columns: docset_id, name, documents, properties (how many the schema has), created_at (UTC),
    readonly.

    Example: client.docsets["reports"]
    """

    def __init__(self, engine: Engine, listed: list[DocSetMetadata]) -> None:
        self._engine = engine
        self._listed = listed

    def __len__(self) -> int:
        return len(self._listed)

    def __iter__(self) -> Iterator[DocSet]:
        return (DocSet(self._engine, metadata) for metadata in self._listed)

    def __getitem__(self, name_or_id: str) -> DocSet:
        """The current DocSet with that name or id.

        Raises UnknownName (a KeyError) if there is none, AmbiguousName if several have the name.
        """
        if (docset := self.get(name_or_id)) is None:
            known = [metadata.name for metadata in self._listed]
            raise UnknownName(f"There is no DocSet {name_or_id!r}.{suggestion(name_or_id, known)}")
        return docset

    def get(self, name_or_id: str) -> DocSet | None:
        """The DocSet with the name or id `name_or_id`, or None.

        Raises AmbiguousName when several have the name.

        Example: client.docsets.get("no such name") is None
        """
        named = self._engine.run(lambda client: named_docsets(client, name_or_id))
        if len(named) > 1:
            raise AmbiguousName(
                f"{len(named)} DocSets are called {name_or_id!r}; choose one by its id: "
                f"{'; '.join(map(_line, named))}."
            )
        return DocSet(self._engine, named[0]) if named else None

    def __contains__(self, name_or_id: object) -> bool:
        return any(name_or_id in (listed.name, listed.docset_id) for listed in self._listed) or (
            bool(self._engine.run(lambda client: named_docsets(client, str(name_or_id))))
        )

    def create(
        self,
        name: str,
        *,
        schema: SchemaLike | None = None,
        exist_ok: bool = False,
        properties: Mapping[str, Any] | None = None,
        embedding: str | None = None,
    ) -> DocSet:
        """A new, empty DocSet called `name`; the properties of its schema are extracted from every
        document that is added.

        With `exist_ok` an existing DocSet of that name is returned, so that a notebook can be run
        again. It must have the properties of `schema`. `schema` is a dictionary of names and
        types, a pydantic class, a dataclass, a list of properties in the service's JSON form, or a
        `Schema`; `embedding` is the model of its
        vectors, one of `Workbench.models`. `properties` are the DocSet's own, free JSON.

        Raises Mistake if the name is in use, or for a schema with a misspelt type.

        Example: client.docsets.create("maintenance", schema={"year": int, "state": ["WA", "AK"]})
        """
        wanted = None if schema is None else schema_of(schema)
        if (existing := self._of_name(name, exist_ok)) is not None:
            _check_schema(existing, wanted)
            return existing
        made = self._engine.run(
            lambda client: client.create_docset(
                name, schema=wanted, properties=properties, embedding=embedding
            )
        )
        self._listed.append(made)
        self.__dict__.pop("_data", None)
        return DocSet(self._engine, made)

    def _of_name(self, name: str, exist_ok: bool) -> DocSet | None:
        """The existing DocSet; Mistake if it exists but must not."""
        named = self._engine.run(lambda client: named_docsets(client, name, ids=False))
        if named and not exist_ok:
            raise Mistake(
                f"There is a DocSet {name!r} already ({'; '.join(map(_line, named))}): pass "
                "exist_ok=True to use it, or choose another name."
            )
        return self.get(named[0].name) if named else None

    def _ipython_key_completions_(self) -> list[str]:
        return [metadata.name for metadata in self._listed]

    def title(self) -> str:
        return f"DocSets({len(self):,} on {self._engine.client.base_url})"

    def _table(self) -> "pl.DataFrame":
        listed = self._listed
        counts = [len(one.schema_.properties) if one.schema_ else 0 for one in listed]
        return table_of(
            {
                "docset_id": of_type([one.docset_id for one in listed], "string"),
                "name": of_type([one.name for one in listed], "string"),
                "documents": of_type([one.size or 0 for one in listed], "int64"),
                "properties": of_type(counts, "int64"),
                "created_at": instants([one.created_at for one in listed]),
                "readonly": of_type([one.readonly for one in listed], "bool"),
            }
        )


def docsets_of(engine: Engine) -> DocSets:
    """The current DocSets."""
    return DocSets(
        engine, list(engine.iterate(lambda client: client.docsets(page_size=_LARGEST_PAGE)))
    )


async def named_docsets(
    client: AsyncClient, name_or_id: str, *, ids: bool = True
) -> list[DocSetMetadata]:
    """The DocSets with that name, oldest first; with `ids` the one with that id."""
    text("The name or id of a DocSet", name_or_id)
    if ids and is_like_id(name_or_id):
        with suppress(NotFound):
            return [await client.docset(name_or_id)]
    named = [docset async for docset in client.docsets(name_eq=name_or_id)]
    return sorted(named, key=lambda docset: docset.created_at)


def _check_schema(docset: DocSet, wanted: Schema | None) -> None:
    """Raises Mistake if the DocSet lacks a property or has it with another type."""
    for prop in wanted.properties if wanted is not None else ():
        existing = docset.schema.get(prop.name)
        if existing is None:
            raise Mistake(
                f"The DocSet {docset.name!r} exists, but has no property {prop.name!r}: "
                "omit the schema and use docset.extract, or choose another name."
            )
        if existing.kind != prop.kind:
            raise Mistake(
                f"The DocSet {docset.name!r} exists, and its property {prop.name!r} is "
                f"{existing.kind}, not {prop.kind}: choose another name or omit the schema."
            )


def _line(metadata: DocSetMetadata) -> str:
    documents = counted(metadata.size or 0, "document")
    return f"{metadata.docset_id}, {documents}, created {metadata.created_at:%Y-%m-%d %H:%M}"
