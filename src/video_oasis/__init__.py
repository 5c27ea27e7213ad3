"""Video-Oasis: find out whether a video question-answering benchmark measures video understanding.

The names below are the public interface; each is imported when first used, so that importing the
package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from video_oasis.benchmarks.loading import load, read_contents
    from video_oasis.models import open_model
    from video_oasis.plan import make_plan
    from video_oasis.runner import run_plan
    from video_oasis.store import Store
    from video_oasis.table import make_long_table

_HOMES = {
    "Store": "video_oasis.store",
    "load": "video_oasis.benchmarks.loading",
    "make_long_table": "video_oasis.table",
    "make_plan": "video_oasis.plan",
    "open_model": "video_oasis.models",
    "read_contents": "video_oasis.benchmarks.loading",
    "run_plan": "video_oasis.runner",
}

__all__ = [
    "Store",
    "load",
    "make_long_table",
    "make_plan",
    "open_model",
    "read_contents",
    "run_plan",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'video_oasis' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
