"""Speech of clips: imported transcripts to the lines shown, or the reason there are none."""

from collections.abc import Callable
from pathlib import Path

import pytest

from video_oasis.diagnostics.interface import Need
from video_oasis.errors import SettingsError
from video_oasis.evidence.prepared import ClipText, TextKey
from video_oasis.evidence.speech import import_transcripts, word_speech
from video_oasis.media.frames import MediaFailure
from video_oasis.schema import METADATA_SUBTITLES_PATH, METADATA_SUBTITLES_START, Sample, Video
from video_oasis.speech.transcript import Segment, Transcript

MakeSample = Callable[..., Sample]
TALK = Transcript(
    (
        Segment(1.0, 4.0, "First we wash the rice until the water runs clear."),
        Segment(5.0, 9.0, "Then we let it rest for half an hour in a sieve."),
        Segment(61.0, 64.0, "Now the pot goes on the stove with some salt."),
    ),
    "test",
)


def key_of(sample: Sample) -> TextKey:
    return TextKey(sample.benchmark, sample.id, Need.SPEECH)


def test_speech_is_worded_with_times(make_sample: MakeSample) -> None:
    sample = make_sample()
    assert word_speech([sample], {"v1.mp4": TALK}, 1000)[key_of(sample)] == ClipText(
        (
            "[0:01–0:04] First we wash the rice until the water runs clear.\n"
            "[0:05–0:09] Then we let it rest for half an hour in a sieve.\n"
            "[1:01–1:04] Now the pot goes on the stove with some salt.",
        )
    )


def test_only_what_is_said_in_the_window_is_shown(make_sample: MakeSample) -> None:
    late = make_sample(id="late", video=Video("v1.mp4", 60.0, 70.0))
    silent = make_sample(id="silent", video=Video("v1.mp4", 20.0, 30.0))
    texts = word_speech([late, silent], {"v1.mp4": TALK}, 1000)
    assert texts[key_of(late)] == ClipText(
        ("[1:01–1:04] Now the pot goes on the stove with some salt.",)
    )
    assert texts[key_of(silent)] == ClipText((), outside="no_speech_in_clip")


def test_noise_takes_the_sample_out_of_the_test(make_sample: MakeSample) -> None:
    thanks = Transcript((Segment(0.0, 30.0, "Thank you for watching!"),), "test")
    nothing = Transcript((), "test")
    samples = [make_sample(id="a", video=Video("a")), make_sample(id="b", video=Video("b"))]
    texts = word_speech(samples, {"a": thanks, "b": nothing}, 1000)
    assert texts[key_of(samples[0])] == ClipText((), outside="no_speech_invented_phrase")
    assert texts[key_of(samples[1])] == ClipText((), outside="no_speech_empty")


def test_long_speech_is_cut_and_said_so(make_sample: MakeSample) -> None:
    sample = make_sample()
    text = word_speech([sample], {"v1.mp4": TALK}, 100)[key_of(sample)]
    assert isinstance(text, ClipText)
    assert text.is_cut
    assert 0 < len(text.parts[0]) <= 100


def test_a_video_without_transcript_fails_and_one_not_looked_at_is_left_out(
    make_sample: MakeSample,
) -> None:
    failed, later = make_sample(id="f", video=Video("f")), make_sample(id="l", video=Video("l"))
    failure = MediaFailure("transcript_missing", "f: none")
    assert word_speech([failed, later], {"f": failure}, 1000) == {key_of(failed): failure}


def test_files_are_read_and_a_bad_one_is_its_videos_failure(
    make_sample: MakeSample, tmp_path: Path
) -> None:
    (tmp_path / "good.srt").write_text("1\n00:00:02,000 --> 00:00:03,500\nMind the step.\n")
    (tmp_path / "bad.json").write_text('{"timestamps": 3}')
    samples = [make_sample(id=name, video=Video(f"{name}.mp4")) for name in ("good", "bad", "no")]
    transcripts = import_transcripts(tmp_path, samples).transcripts
    good = transcripts["good.mp4"]
    assert isinstance(good, Transcript)
    assert good.segments == (Segment(2.0, 3.5, "Mind the step."),)
    kinds = {
        path: result.kind
        for path, result in transcripts.items()
        if isinstance(result, MediaFailure)
    }
    assert kinds == {"bad.mp4": "transcript_unreadable", "no.mp4": "transcript_missing"}


CUES = """1
00:09:00,000 --> 00:09:03,000
Before the clip.

2
00:10:02,000 --> 00:10:03,000
Mind the step.

3
00:10:30,000 --> 00:10:31,000
After the clip.
"""


def test_repairs_are_counted(make_sample: MakeSample, tmp_path: Path) -> None:
    (tmp_path / "v1.srt").write_text(
        "1\n00:00:05,000 --> 00:00:02,000\nBack to front.\n\n2\n00:00:06,000 --> 00:00:07,000\n\n"
    )
    imported = import_transcripts(tmp_path, [make_sample()])
    assert (imported.n_files, imported.n_repaired) == (1, 1)
    assert imported.repairs == {"n_swapped": 1, "n_empty": 1}


def test_subtitles_of_a_longer_video_count_from_the_clip(
    make_sample: MakeSample, tmp_path: Path
) -> None:
    (tmp_path / "film.srt").write_text(CUES)
    metadata = {METADATA_SUBTITLES_PATH: "film.srt", METADATA_SUBTITLES_START: 600.0}
    sample = make_sample(metadata=metadata, video=Video("v1.mp4", duration_seconds=10.0))
    transcript = import_transcripts(tmp_path, [sample]).transcripts["v1.mp4"]
    assert isinstance(transcript, Transcript)
    assert transcript.segments == (Segment(2.0, 3.0, "Mind the step."),)


def test_a_folder_that_is_not_there_is_the_users_mistake(
    make_sample: MakeSample, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match="expected the folder that holds the transcripts"):
        import_transcripts(tmp_path / "none", [make_sample()])
