"""Opens the judges that settings name, and has all of them grade."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.audit import only_asked, open_models
from video_oasis.config import ModelEntry
from video_oasis.errors import SettingsError
from video_oasis.judges import JUDGES
from video_oasis.models.interface import AskedModel
from video_oasis.open_ended.judging import (
    Grades,
    JudgedPair,
    apply_rule,
    plan_judges,
    read_grades,
)
from video_oasis.open_ended.settings import is_rule
from video_oasis.runner import check_asked_models
from video_oasis.schema import OpenQuestion
from video_oasis.store import Store

_CANNOT_JUDGE: Final = (
    f"cannot judge an answer, as it learns from right answers or matches pictures; expected a rule "
    f"({', '.join(JUDGES)}) or a chat model, such as openai/MODEL@http://localhost:8000/v1"
)


@dataclass(frozen=True, slots=True)
class OpenJudges:
    """Judges that are ready to grade.

    Attributes:
        given: what each judge is, as the settings name it, by the name to show it under, in the
            order of the settings.
        models: those that are models.
    """

    given: Mapping[str, str]
    models: Mapping[str, AskedModel]

    def check(self, question: OpenQuestion, store: Store) -> None:
        """Find out whether every judge can be asked, before anything is.

        Args:
            question: any question.
            store: the answers of the run; a model that has nothing left to say is not looked for.

        Raises:
            SettingsError: what stands after a rule's name does not suit it.
            ModelUnavailable: a judge, or something that a rule needs, is not there.
        """
        pair = JudgedPair(question, question.reference)
        check_asked_models(plan_judges([pair], self.models), store)
        for name in self.given:
            if name not in self.models:
                apply_rule([], self.given[name])

    def grade(self, pairs: Sequence[JudgedPair], store: Store) -> dict[str, Grades]:
        """Read what the models say of each pair, and apply the rules.

        Raises:
            ModelUnavailable: something that a rule needs is not there.
        """
        return {
            name: read_grades(pairs, self.models[name], store)
            if name in self.models
            else apply_rule(pairs, given)
            for name, given in self.given.items()
        }


def open_judges(entries: Sequence[ModelEntry]) -> OpenJudges:
    """Open judges, without connecting to anything.

    Raises:
        SettingsError: two have one name or are one, or a model cannot judge.
    """
    served = tuple(entry for entry in entries if not is_rule(entry))
    models = only_asked(open_models(served, head="[[judges]]"), _CANNOT_JUDGE)
    left = iter(models)
    given: dict[str, str] = {}
    for entry in entries:
        name = _name_rule(entry) if is_rule(entry) else next(left)
        if name in given:
            raise SettingsError(
                f"two judges are called {name}; name each once, or give one another name in a "
                f'settings file: name = "..." under [[judges]]'
            )
        given[name] = entry.model
    return OpenJudges(given, models)


def _name_rule(entry: ModelEntry) -> str:
    """Name a rule as it is given, of a path only the end."""
    rule, slash, argument = entry.model.partition("/")
    return entry.name or f"{rule}{slash}{argument.rstrip('/').rpartition('/')[2]}"
