"""Names to objects, with near misses suggested and third-party entries found by entry point."""

import difflib
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast

from video_oasis.errors import SettingsError, UnknownNameError

T = TypeVar("T")


class Registry(Generic[T]):
    """The members of one plug-in family by name, each imported when first asked for.

    Args:
        noun: what a member is, for messages (``benchmark``).
        shipped: name to ``module:attribute`` for the members this package ships.
        group: the entry-point group in which other packages announce theirs.
    """

    def __init__(self, noun: str, shipped: Mapping[str, str], *, group: str) -> None:
        """Note where the members are; nothing is imported yet."""
        self.noun = noun
        self._shipped = shipped
        self._group = group

    @cached_property
    def _entries(self) -> dict[str, EntryPoint]:
        entries = {
            name: EntryPoint(name, value, self._group) for name, value in self._shipped.items()
        }
        for entry in entry_points(group=self._group):
            if entry.name in entries:
                raise SettingsError(
                    f"{self.noun} {entry.name!r}: {entry.value} announces a name that is taken; "
                    f"rename that entry point or uninstall its package"
                )
            entries[entry.name] = entry
        return entries

    def __contains__(self, name: object) -> bool:
        """Tell whether a member has this name."""
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        """Give the names in alphabetical order."""
        return iter(sorted(self._entries))

    def __getitem__(self, name: str) -> T:
        """Return the member of that name.

        Raises:
            UnknownNameError: no member has it; the message lists the nearest names, or all.
            SettingsError: another package announces it, and its module cannot be imported.
        """
        try:
            entry = self._entries[name]
        except KeyError:
            raise UnknownNameError(self._unknown(name)) from None
        try:
            return cast("T", entry.load())
        except (ImportError, AttributeError) as error:
            raise SettingsError(
                f"{self.noun} {name!r}: {entry.value} cannot be imported ({error}); install what "
                f"it needs"
            ) from error

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name.lower(), self._entries, n=3, cutoff=0.5)
        if near:
            return f"no {self.noun} is called {name!r}; did you mean {' or '.join(near)}?"
        return f"no {self.noun} is called {name!r}; there are: {', '.join(self)}"
