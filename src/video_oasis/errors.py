"""The exceptions of the package, one tree.

    OasisError
    ├── UserError             the user can mend it; the command line prints it and exits with 2
    │   ├── SettingsError     a flag, a settings file or an environment variable
    │   ├── UnknownNameError  a benchmark, diagnostic or model that is not registered
    │   ├── BenchmarkError    the files of a benchmark cannot be read as samples
    │   ├── ModelUnavailable  a model cannot be asked at all: no server, no key, no such model
    │   ├── JudgementsError   a file of human judgements to import or export
    │   └── RunError          the run folder: in use by another process, or damaged
    ├── AskError              one question to one model failed; recorded, the run goes on
    │   ├── AskRejected       the server refuses this request; asking again changes nothing
    │   └── AskInterrupted    a passing fault (rate limit, time-out, reset); worth asking again
    ├── MediaError            one video cannot be shown; recorded, the run goes on
    └── SchemaError           a value that breaks a type's own rules: a fault of the calling code

A message says where, what was found, what was expected and what to do about it.
"""


class OasisError(Exception):
    """Anything this package raises on purpose."""


class UserError(OasisError):
    """Something the user gave or started is wrong, and the message says how to mend it."""


class SettingsError(UserError):
    """A flag, a settings file or an environment variable is missing or wrong."""


class UnknownNameError(UserError):
    """A name that no registry entry carries."""


class BenchmarkError(UserError):
    """The files of a benchmark cannot be read as samples."""


class ModelUnavailable(UserError):
    """A model cannot be asked anything: no server there, no key, or no model of that name."""


class JudgementsError(UserError):
    """A file of human judgements cannot be read or written."""


class RunError(UserError):
    """A run folder is in use by another process, damaged, or not there."""


class AskError(OasisError):
    """One request to one model brought no answer.

    Attributes:
        kind: a short constant word for counting, such as ``timeout`` or ``http_500``.
    """

    def __init__(self, kind: str, message: str) -> None:
        """Keep the kind for counting and the message for reading."""
        super().__init__(message)
        self.kind = kind


class AskRejected(AskError):
    """The server refuses this request, and would refuse it again."""


class AskInterrupted(AskError):
    """A passing fault stopped this request; the next run asks again."""


class MediaError(OasisError):
    """One video, or one stretch of it, cannot be shown.

    Attributes:
        kind: a short constant word for counting, such as ``missing`` or ``truncated``.
    """

    def __init__(self, kind: str, message: str) -> None:
        """Keep the kind for counting and the message for reading."""
        super().__init__(message)
        self.kind = kind


class SchemaError(OasisError, ValueError):
    """A value breaks the rules of the type it was given to."""
