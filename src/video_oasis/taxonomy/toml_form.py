"""A taxonomy as a TOML file that a person reads and edits."""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

import tomli_w

from video_oasis.errors import SchemaError, SettingsError
from video_oasis.taxonomy.category import Category, Taxonomy
from video_oasis.toml_file import read_toml

_HEADER: Final = """\
# Categories for 'oasis categorize RUN --taxonomy FILE'. Change names and definitions as you like,
# add or remove entries; sources and origin say where they come from and change nothing.

"""
_FIELDS: Final = ("name", "definition", "sources")
_TABLES: Final = ("categories", "origin")


def read_taxonomy(file: Path) -> Taxonomy:
    """Read a taxonomy.

    Raises:
        SettingsError: the file cannot be read, or an entry is wrong; the message names both.
    """
    content = read_toml(file)
    _refuse_unknown(content, _TABLES, f"{file}")
    entries = content.get("categories")
    if not isinstance(entries, list):
        raise SettingsError(
            f"{file}: no categories are there; expected entries of the form [[categories]] with "
            f"name and definition"
        )
    origin = content.get("origin", {})
    if not isinstance(origin, dict):
        raise SettingsError(f"{file}: origin is {origin!r}; expected a table, or leave it out")
    categories = tuple(
        _read_entry(entry, f"{file} categories entry {number}")
        for number, entry in enumerate(entries, start=1)
    )
    try:
        return Taxonomy(categories, origin)
    except SchemaError as error:
        raise SettingsError(f"{file}: {error}") from error


def write_taxonomy(taxonomy: Taxonomy) -> str:
    """Write a taxonomy as TOML that ``read_taxonomy`` reads."""
    content: dict[str, Any] = {
        "categories": [
            {
                "name": category.name,
                "definition": category.definition,
                **({"sources": list(category.sources)} if category.sources else {}),
            }
            for category in taxonomy.categories
        ]
    }
    if taxonomy.origin:
        content["origin"] = dict(taxonomy.origin)
    return _HEADER + tomli_w.dumps(content)


@cache
def default_taxonomy() -> Taxonomy:
    """Return the built-in taxonomy: the five categories of arXiv 2603.29616 in our own words."""
    with as_file(files("video_oasis.taxonomy") / "default.toml") as file:
        return read_taxonomy(file)


def _read_entry(entry: Any, where: str) -> Category:
    if not isinstance(entry, dict):
        raise SettingsError(f"{where}: found {entry!r}; expected a table with name and definition")
    if isinstance(entry.get("name"), str):
        where = f"{where} ({entry['name']!r})"
    _refuse_unknown(entry, _FIELDS, where)
    for field in ("name", "definition"):
        if not isinstance(entry.get(field), str):
            found = repr(entry[field]) if field in entry else "missing"
            raise SettingsError(f"{where}: {field} is {found}; expected a text")
    sources = entry.get("sources", [])
    if not isinstance(sources, list) or not all(isinstance(each, str) for each in sources):
        raise SettingsError(f"{where}: sources is {sources!r}; expected a list of texts")
    return Category(entry["name"].strip(), entry["definition"].strip(), tuple(sources))


def _refuse_unknown(table: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    unknown = sorted(table.keys() - set(known))
    if unknown:
        raise SettingsError(
            f"{where}: {', '.join(unknown)} is not known; expected {', '.join(known)}"
        )
