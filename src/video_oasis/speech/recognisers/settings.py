"""Settings of recognisers: what changes their transcripts, and how hard they work."""

from dataclasses import dataclass

from video_oasis.errors import SettingsError


@dataclass(frozen=True, slots=True, kw_only=True)
class RecogniserSettings:
    """How a recogniser listens; each engine reads those of these that concern it.

    Attributes:
        language: the language spoken, as a code such as ``en``; None to find it out. Part of the
            identity.
        beam_size: how many wordings are followed side by side; part of the identity.
        compute_type: number format of weights run in process, ``auto`` for one that suits the
            device; part of the identity.
        revision: the weights' revision as the user states it; part of the identity.
        device: where weights run in process are put, ``auto`` for a GPU if there is one.
        concurrency: sounds listened to at once, None for what suits the engine.
        timeout_seconds: how long one call may take.
        max_retries: how often a call is tried again after a passing fault.
        api_key_env: name of the environment variable that holds the key.
    """

    language: str | None = None
    beam_size: int = 5
    compute_type: str = "auto"
    revision: str = ""
    device: str = "auto"
    concurrency: int | None = None
    timeout_seconds: float = 600.0
    max_retries: int = 5
    api_key_env: str = "OPENAI_API_KEY"

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            SettingsError: one is out of range.
        """
        for name, least in {"beam_size": 1, "concurrency": 1, "max_retries": 0}.items():
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise SettingsError(f"{name} is {value}; expected {least} or more")
        if not self.timeout_seconds > 0:
            raise SettingsError(f"timeout_seconds is {self.timeout_seconds}; expected more than 0")
