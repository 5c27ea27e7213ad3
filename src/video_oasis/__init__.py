"""Video-Oasis: find out whether a video question-answering benchmark measures video understanding.

The names below are the public interface; each is imported when first used, so that importing the
package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from video_oasis.analysis.summary import summarise
    from video_oasis.benchmarks import BENCHMARKS
    from video_oasis.benchmarks.generic import own_benchmark
    from video_oasis.benchmarks.loading import load, read_contents
    from video_oasis.config import AuditSettings
    from video_oasis.diagnostics import DIAGNOSTICS
    from video_oasis.models import open_model
    from video_oasis.models.settings import ModelSettings
    from video_oasis.plan import make_plan
    from video_oasis.runner import run_plan
    from video_oasis.schema import Sample, Video
    from video_oasis.store import Store
    from video_oasis.table import make_long_table

_HOMES = {
    "AuditSettings": "video_oasis.config",
    "BENCHMARKS": "video_oasis.benchmarks",
    "DIAGNOSTICS": "video_oasis.diagnostics",
    "ModelSettings": "video_oasis.models.settings",
    "Sample": "video_oasis.schema",
    "Store": "video_oasis.store",
    "Video": "video_oasis.schema",
    "load": "video_oasis.benchmarks.loading",
    "make_long_table": "video_oasis.table",
    "make_plan": "video_oasis.plan",
    "open_model": "video_oasis.models",
    "own_benchmark": "video_oasis.benchmarks.generic",
    "read_contents": "video_oasis.benchmarks.loading",
    "run_plan": "video_oasis.runner",
    "summarise": "video_oasis.analysis.summary",
}

__all__ = [
    "BENCHMARKS",
    "DIAGNOSTICS",
    "AuditSettings",
    "ModelSettings",
    "Sample",
    "Store",
    "Video",
    "load",
    "make_long_table",
    "make_plan",
    "open_model",
    "own_benchmark",
    "read_contents",
    "run_plan",
    "summarise",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'video_oasis' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
