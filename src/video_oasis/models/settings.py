"""Settings of asked models: what changes their answers, and how hard to ask."""

from dataclasses import dataclass
from enum import StrEnum

from video_oasis.errors import SettingsError


class Output(StrEnum):
    """How a model is made to answer."""

    TEXT = "text"
    """Free text, from which the choice is read; what the benchmarks' own protocols do."""
    JSON = "json"
    """A JSON object held to a schema whose one field is one of the letters."""
    CHOICE = "choice"
    """vLLM's structured outputs: one of the letters and nothing else."""
    LOGPROBS = "logprobs"
    """One token, and the letter whose log-probability is highest; gives all letters' too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """How to ask a model.

    Attributes:
        output: how it is made to answer; part of the model's identity.
        temperature: sampling temperature, None to leave it to the server; part of the identity.
        max_tokens: longest reply in tokens, None for the backend's default; part of the identity.
        seed: sampling seed sent to the server, None for none; part of the identity.
        revision: the weights' revision as the user states it; part of the identity.
        concurrency: requests under way at once.
        timeout_seconds: how long one call may take.
        max_retries: how often a call is tried again after a passing fault.
        api_key_env: name of the environment variable that holds the key.
    """

    output: Output = Output.TEXT
    temperature: float | None = 0.0
    max_tokens: int | None = None
    seed: int | None = None
    revision: str = ""
    concurrency: int = 16
    timeout_seconds: float = 120.0
    max_retries: int = 5
    api_key_env: str = "OPENAI_API_KEY"

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            SettingsError: one is out of range.
        """
        lowest = {"temperature": 0, "max_tokens": 1, "concurrency": 1, "max_retries": 0}
        for name, least in lowest.items():
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise SettingsError(f"{name} is {value}; expected {least} or more")
        if not self.timeout_seconds > 0:
            raise SettingsError(f"timeout_seconds is {self.timeout_seconds}; expected more than 0")
