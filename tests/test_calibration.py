"""Perfect answerers on planted samples: the pipeline leaks nothing, and a broken view is noticed.

An answerer knows every clip by heart, but of a request only what it shows: which words, and which
pictures in which order. It is right where that suffices, and guesses otherwise, each answerer
another letter.
"""

import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import pytest

from video_oasis.analysis.consensus import UNION
from video_oasis.audit import OpenAudit, open_audit, plan_audit
from video_oasis.calibration import (
    DIAGNOSTICS_ASKED,
    CalibrationFolder,
    Recipe,
    choose_settings,
    make_calibration,
    make_set,
)
from video_oasis.config import AuditSettings, ModelEntry
from video_oasis.diagnostics.blind import BLIND
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Diagnostic, Need
from video_oasis.diagnostics.interface import Evidence as Shown
from video_oasis.diagnostics.summary import SUMMARY
from video_oasis.errors import SettingsError
from video_oasis.evidence.prepared import ClipText, Prepared
from video_oasis.generate.planted import Evidence, PlantedSample, read_truth
from video_oasis.media.frames import Timeline
from video_oasis.media.sampling import Uniform
from video_oasis.media.store import FrameStore
from video_oasis.media.views import Frames, with_monotone_times
from video_oasis.preparation import prepare_evidence
from video_oasis.prompts import number_captions
from video_oasis.report.calibration.document import CalibrationReport
from video_oasis.report.calibration.sentences import write_verdict
from video_oasis.run_folder import RunFolder
from video_oasis.runner import run_plan
from video_oasis.schema import Answer, Form, Request, Sample, Trial
from video_oasis.store import Store

RECIPE = Recipe(n_samples=84, seed=5)
FPS = 8
N_PARTS = 8
FRAMES_PER_PART = 8
# Four answerers: an even number spreads evenly over two acceptable choices.
N_ANSWERERS = 4


@dataclass(frozen=True)
class Memory:
    """What answerers know of the clips.

    Attributes:
        samples: the samples by question and choices.
        truth: what answers each of them.
        texts: what is said in the clip of a sample, and captions of its eighths.
        numbers: which frames of which clip look like this, by the digest of their picture.
        found: what requests were found to ask, by their ids.
    """

    samples: Mapping[tuple[str, tuple[str, ...]], Sequence[Sample]]
    truth: Mapping[str, PlantedSample]
    texts: Mapping[tuple[str, Need], tuple[str, ...]]
    numbers: Mapping[str, Mapping[str, Collection[int]]]
    found: dict[str, tuple[PlantedSample, Sample] | None] = field(default_factory=dict)

    def find_answer(self, request: Request) -> tuple[PlantedSample, Sample] | None:
        """Return a sample that the request asks, if what it shows answers it."""
        if request.id not in self.found:
            self.found[request.id] = self._find_answer(request)
        return self.found[request.id]

    def _find_answer(self, request: Request) -> tuple[PlantedSample, Sample] | None:
        for sample in self._list_asked(request):
            truth = self.truth[sample.id]
            if any(self._shows(request, sample, truth, each) for each in truth.evidence):
                return truth, sample
        return None

    def _list_asked(self, request: Request) -> Iterator[Sample]:
        for (question, choices), samples in self.samples.items():
            lines = "\n".join(
                f"{letter}. {text}" for letter, text in zip("ABCD", choices, strict=True)
            )
            if request.choices:
                asks = (request.text, request.choices) == (question, choices)
            else:
                asks = question in request.text and lines in request.text
            if asks:
                for sample in samples:
                    clip = sample.video.path
                    if all(clip in self.numbers[frame.digest] for frame in request.frames):
                        yield sample

    def _shows(
        self, request: Request, sample: Sample, truth: PlantedSample, evidence: Evidence
    ) -> bool:
        match evidence:
            case Evidence.TEXT:
                return True
            case Evidence.SPEECH:
                said = self.texts[sample.id, Need.SPEECH]
                return bool(said) and all(line in request.text for line in said)
            case Evidence.CAPTIONS:
                return number_captions(self.texts[sample.id, Need.CAPTIONS]) in request.text
            case _:
                return self._pictures(request, sample, truth, evidence)

    def _pictures(
        self, request: Request, sample: Sample, truth: PlantedSample, evidence: Evidence
    ) -> bool:
        clip = sample.video.path
        shown = [self.numbers[frame.digest][clip] for frame in request.frames]
        if evidence is Evidence.FRAME:
            return any(set(numbers) <= set(truth.frames) for numbers in shown)
        if request.choices:
            return False  # Pictures to match with texts are a set.
        is_backwards = evidence is Evidence.ORDER_EITHER_WAY and is_whole(shown[::-1])
        return is_whole(shown) or is_backwards


def is_whole(shown: Sequence[Collection[int]]) -> bool:
    """Tell whether pictures can be frames of all parts of a clip, part by part in order.

    Args:
        shown: for each picture the frames that look like it.
    """
    reached = {-1}
    for numbers in shown:
        parts = {number // FRAMES_PER_PART for number in numbers}
        reached = {part for part in parts if part in reached or part - 1 in reached}
    return N_PARTS - 1 in reached


class Answerer:
    """An asked model that misses nothing it is shown, and guesses one letter where it must."""

    concurrency = 4
    max_frames = None
    forms: ClassVar[frozenset[Form]] = frozenset(Form)

    def __init__(self, memory: Memory, number: int) -> None:
        self.name = f"answerer {number}"
        self._memory, self._number = memory, number

    def describe(self) -> dict[str, str]:
        return {"name": self.name}

    async def check(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def ask(self, request: Request, draw: int, pictures: Sequence[bytes]) -> Answer:
        assert draw == 0
        assert len(pictures) == len(request.frames)
        found = self._memory.find_answer(request)
        if found is None:
            guess = int(request.id[-8:], 16) + self._number
            return Answer(request.letters[guess % len(request.letters)])
        truth, sample = found
        picks = truth.acceptable or sample.choices
        return Answer(request.letters[sample.choices.index(picks[self._number % len(picks)])])


@dataclass(frozen=True)
class World:
    """A planted set whose clips are looked at, what answerers know of it, and what they said.

    An answer hangs on the request alone, so that each test asks only what no other has asked.
    """

    folder: CalibrationFolder
    prepared: Prepared
    memory: Memory
    answers: Path


def open_set(folder: CalibrationFolder) -> OpenAudit:
    """Open the audit of a set by models that can take all diagnostics."""
    settings = choose_settings(replace(AuditSettings(), n_resamples=200), folder)
    assert settings.diagnostics == DIAGNOSTICS_ASKED
    return open_audit(settings)


def prepare(audit: OpenAudit, run: RunFolder) -> Prepared:
    frames = FrameStore(run.frames)
    with run.lock(), Store.create(run.answers) as store:
        return prepare_evidence(
            audit, run, store, frames, listener=lambda _: None, note=lambda _: None
        )


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    folder = CalibrationFolder(tmp_path_factory.mktemp("calibration"))
    make_set(RECIPE, folder, lambda _: None)
    audit = open_set(folder)
    prepared = prepare(audit, folder.run)
    samples: dict[tuple[str, tuple[str, ...]], list[Sample]] = {}
    for sample in audit.samples:
        samples.setdefault((sample.question, sample.choices), []).append(sample)
    numbers: dict[str, dict[str, set[int]]] = {}
    for key, timeline in prepared.timelines.items():
        assert isinstance(timeline, Timeline)
        for frame in timeline.frames:
            looks = numbers.setdefault(frame.digest, {}).setdefault(key.path, set())
            looks.add(round(frame.seconds * FPS))
    texts = {}
    for text_key, text in prepared.texts.items():
        assert isinstance(text, ClipText)
        texts[text_key.sample_id, text_key.need] = text.parts
    truth = {row.sample_id: row for row in read_truth(folder.planted.truth.parent)}
    return World(
        folder, prepared, Memory(samples, truth, texts, numbers), folder.path / "answers.sqlite"
    )


Calibrate = Callable[..., CalibrationReport]


@pytest.fixture
def calibrate(world: World, tmp_path: Path) -> Calibrate:
    """Ask the answerers everything through the package as it is now, and calibrate.

    Where other frames are shown than those that the world's clips were looked at for, they have to
    be looked at again.
    """

    def run(*, look_again: bool = False) -> CalibrationReport:
        audit = open_set(world.folder)
        prepared = prepare(audit, RunFolder(tmp_path / "run")) if look_again else world.prepared
        answerers = [Answerer(world.memory, number) for number in range(N_ANSWERERS)]
        entries = tuple(ModelEntry(each.name) for each in answerers)
        planned = plan_audit(
            replace(
                audit,
                models={each.name: each for each in answerers},
                settings=replace(audit.settings, models=entries),
            ),
            prepared,
        )
        with Store.create(world.answers) as store:
            # Answerers know pictures by their digests; reading the files would only take time.
            outcome = run_plan(planned.assignments, store, read_picture=lambda _: b"")
            assert outcome.n_failed == 0
            return make_calibration(planned, store, world.folder, RECIPE)

    return run


def list_leaks(report: CalibrationReport) -> set[str]:
    return {row.detector for row in report.calibration.leaking}


def test_perfect_answerers_are_found_out_wherever_something_was_planted_and_nowhere_else(
    calibrate: Calibrate,
) -> None:
    report = calibrate()
    calibration = report.calibration
    assert report.n_lacking == 0
    assert report.is_sound
    assert calibration.threshold == N_ANSWERERS
    judged = [row for row in calibration.detectors if row.is_best]
    assert {row.detector for row in judged} == {
        "audio", "bag_of_frames", "blind", "center_frame", "shuffle", "summary", UNION,
        "consistency", "redundancy", "sensitivity",
    }  # fmt: skip
    for row in judged:
        assert row.planted is not None, row.detector
        assert row.clean is not None, row.detector
        assert (row.planted.rate, row.clean.rate) == (1, 0), row.detector
        assert row.planted.n_known == row.planted.n
        assert row.is_powered
    for found in calibration.findings:
        if found.threshold == N_ANSWERERS:
            assert found.rate == float(found.should_find), found
    shown = {
        row.task: row.accuracy
        for row in calibration.accuracy
        if row.diagnostic == "standard" and row.task in ("native", "center_frame", "order_free")
    }
    assert shown["native"] == shown["center_frame"] == 1
    assert write_verdict(report)[0].startswith("SOUND")


def test_a_shuffle_that_does_not_shuffle_is_noticed(
    calibrate: Calibrate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("video_oasis.media.views.shuffle", lambda frames, **_: frames)
    report = calibrate()
    assert report.idle == ("shuffle",)
    assert not report.is_sound
    assert write_verdict(report)[0].startswith("NOT SOUND: shuffle withholds nothing")


def test_a_shuffle_that_only_swaps_neighbours_leaks(
    calibrate: Calibrate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def swap(frames: Frames, **_: object) -> Frames:
        return with_monotone_times([frames[number ^ 1] for number in range(len(frames))])

    monkeypatch.setattr("video_oasis.media.views.shuffle", swap)
    report = calibrate()
    assert list_leaks(report) == {"shuffle", UNION}
    verdict = write_verdict(report)[0]
    assert verdict.startswith("NOT SOUND: shuffle at ")
    assert "most of it among native samples" in verdict


def test_a_centre_frame_that_is_two_frames_leaks(
    calibrate: Calibrate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("video_oasis.diagnostics.center_frame.CENTRE", Uniform(2))
    report = calibrate(look_again=True)
    assert list_leaks(report) == {"center_frame"}
    assert "order_free" in write_verdict(report)[0]


def test_a_blind_question_with_captions_leaks(
    calibrate: Calibrate, monkeypatch: pytest.MonkeyPatch
) -> None:
    shows_captions = replace(BLIND, need=Need.CAPTIONS, trials=rename_trials(SUMMARY, "blind"))
    monkeypatch.setattr("video_oasis.diagnostics.blind.BLIND", shows_captions)
    report = calibrate()
    assert list_leaks(report) == {"blind"}
    assert "summary" in write_verdict(report)[0]


def test_chunks_of_the_whole_clip_leak(
    calibrate: Calibrate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "video_oasis.diagnostics.chunk.cut_eighths", lambda frames: (frames,) * N_PARTS
    )
    report = calibrate()
    assert list_leaks(report) == {"redundancy"}
    assert "native" in write_verdict(report)[0]


def rename_trials(diagnostic: Diagnostic, name: str) -> Callable[[Sample, Shown], Sequence[Trial]]:
    """Make another diagnostic show what this one does."""
    return lambda sample, shown: [
        replace(trial, diagnostic=name) for trial in diagnostic.trials(sample, shown)
    ]


def test_a_folder_keeps_to_one_set(world: World, tmp_path: Path) -> None:
    make_set(RECIPE, world.folder, lambda _: pytest.fail("drawn again"))
    with pytest.raises(SettingsError, match="holds a calibration of 84 samples with seed 5"):
        make_set(replace(RECIPE, seed=6), world.folder, lambda _: None)

    folder = CalibrationFolder(tmp_path)
    shutil.copy(world.folder.recipe, folder.recipe)
    planted = folder.planted.questions.parent
    shutil.copytree(world.folder.planted.questions.parent, planted)
    make_set(RECIPE, folder, lambda _: pytest.fail("drawn again"))
    for changed in (folder.planted.questions, folder.planted.videos / "clip-0000.mp4"):
        content = changed.read_bytes()
        changed.write_bytes(content + b"\n")
        with pytest.raises(SettingsError, match="planted: its files are not those that were drawn"):
            make_set(RECIPE, folder, lambda _: None)
        changed.write_bytes(content)
    folder.planted.captions.unlink()
    with pytest.raises(SettingsError, match="remove that folder to have them drawn again"):
        make_set(RECIPE, folder, lambda _: None)
    shutil.rmtree(planted)
    make_set(RECIPE, folder, lambda _: None)
    assert folder.planted.captions.read_bytes() == world.folder.planted.captions.read_bytes()


def test_text_models_are_asked_what_they_can_take(tmp_path: Path) -> None:
    clip = ModelEntry("clip/open_clip/ViT-B-32:openai")
    settings = choose_settings(
        AuditSettings(models=(clip,), limit=5, threshold=1), CalibrationFolder(tmp_path)
    )
    assert settings.diagnostics == ("bag_of_frames",)
    assert (settings.limit, settings.threshold) == (None, None)


def test_frames_are_those_that_the_truth_takes(tmp_path: Path) -> None:
    folder = CalibrationFolder(tmp_path)
    settings = choose_settings(AuditSettings(frames=FrameSettings(max_frames=16, fps=4)), folder)
    assert settings.frames == FrameSettings(max_frames=16, fps=1)
    with pytest.raises(SettingsError, match="max_frames is 7"):
        choose_settings(AuditSettings(frames=FrameSettings(max_frames=7)), folder)
