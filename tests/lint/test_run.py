import random
from collections.abc import Callable

from video_oasis.lint.checks import CHECKS
from video_oasis.lint.defects import Severity
from video_oasis.lint.run import LintResult, RowCounts, lint
from video_oasis.schema import METADATA_TIME_REFERENCES, BadRow, OpenQuestion, Sample, Video

MakeSample = Callable[..., Sample]
MakeOpenQuestion = Callable[..., OpenQuestion]

BAD_ROW = BadRow("bench", "rows.json", 7, "x7", "answer", "target_out_of_range", "answer 'E'")


def flawed_samples(make_sample: MakeSample) -> list[Sample]:
    """Samples that show every kind of defect a sample can have."""
    clip = Video("clip.mp4", 3, 9, 30)
    return [
        make_sample("red", "red", "blue", target=0),
        make_sample("red", "red", "blue", target=2),
        make_sample("red", "Red.", "blue", target=2),
        make_sample("red"),
        make_sample("red", ""),
        make_sample(question=""),
        make_sample("red", "(B) blue", "green"),
        make_sample("(A) red", "(C) blue"),
        make_sample("red", "blue", "none of the above"),
        make_sample("x" * 600, "y"),
        make_sample(question="Which? A. cat B. dog"),
        make_sample("red", "blue", question="Why is it red?"),
        make_sample(question="Is option A right?"),
        make_sample("cafÃ© noir", "tea"),
        make_sample("a\N{ZERO WIDTH SPACE}", "b"),
        make_sample("<b>a</b>", "b"),
        make_sample(video=Video("v", 5, 5)),
        make_sample(video=Video("v", 5, 50, 30)),
        make_sample(metadata={METADATA_TIME_REFERENCES: [[9, 3]]}),
        make_sample(video=clip, metadata={METADATA_TIME_REFERENCES: [[40, 50]]}),
        make_sample("cat", "dog", target=0, video=clip, question="Who?"),
        make_sample("cat", "dog", target=0, video=clip, question="Who?"),
        make_sample("cat", "dog", target=1, video=clip, question="Who?"),
        make_sample("fox", "owl", target=1, video=clip, question="Who?"),
        make_sample(video=clip, question="Where was the fork?"),
        make_sample(video=clip, question="Where was the forks?"),
        *(make_sample("win", f"l{i}", "never", task="rates") for i in range(30)),
    ]


def test_every_kind_of_defect_is_reported(
    make_sample: MakeSample, make_open_question: MakeOpenQuestion
) -> None:
    flawed_questions = [
        make_open_question("Which?", "E", question_id="o1"),
        make_open_question("Which?", "F", question_id="o2"),
        make_open_question("Is it day or night?", "night", question_id="o3"),
    ]
    result = lint(flawed_samples(make_sample), flawed_questions, [BAD_ROW])
    assert {defect.code for defect in result.defects} == {
        "target_out_of_range",
        *(check.code for check in CHECKS),
    }


def test_no_defect_in_sound_samples(make_sample: MakeSample) -> None:
    samples = [
        make_sample("a red car", "a blue bus", question=f"What is in scene {i}?", target=i % 2)
        for i in range(20)
    ]
    assert lint(samples).defects == ()


def test_codes_and_meanings_differ() -> None:
    assert len({check.code for check in CHECKS}) == len(CHECKS)
    assert len({check.meaning for check in CHECKS}) == len(CHECKS)


def test_bad_rows_keep_their_code_and_come_first(make_sample: MakeSample) -> None:
    defect = lint([make_sample("a", "a")], bad_rows=[BAD_ROW]).defects[0]
    assert (defect.code, defect.severity) == ("target_out_of_range", Severity.ERROR)
    assert (defect.sample_id, defect.message) == ("x7", str(BAD_ROW))


def test_every_row_is_counted(
    make_sample: MakeSample, make_open_question: MakeOpenQuestion
) -> None:
    result = lint([make_sample(), make_sample()], [make_open_question("q", "r")], [BAD_ROW])
    (counts,) = result.counts
    assert (counts.n_samples, counts.n_open_questions, counts.n_bad_rows) == (2, 1, 1)
    assert counts.n_rows == 4


def test_open_questions_alone(make_open_question: MakeOpenQuestion) -> None:
    questions = [
        make_open_question("Who?", "a man", question_id="o1"),
        make_open_question("Who?", "Man.", question_id="o2", video="w.mp4"),
        make_open_question("Who?", "the man", question_id="o3", video="w.mp4"),
        make_open_question("who", "woman", question_id="o4", video="w.mp4"),
    ]
    result = lint([], questions)
    assert result.counts == (RowCounts("bench", 0, 4, 0),)
    assert (result.bias, result.imbalance) == ((), ())
    assert [(each.code, each.sample_id, each.related) for each in result.defects] == [
        ("other_references", "o2", ("o4",)),
        ("other_references", "o3", ("o4",)),
        ("other_references", "o4", ("o2", "o3")),
        ("repeated_question", "o2", ("o3",)),
        ("repeated_question", "o3", ("o2",)),
    ]
    assert [(row.task, row.n_right, row.n) for row in result.references] == [(None, 3, 4)]


def test_benchmarks_are_kept_apart() -> None:
    def sample(benchmark: str, target: int) -> Sample:
        return Sample("1", benchmark, Video("v"), "Who?", ("a", "b"), target, "task")

    result = lint([sample("two", 0), sample("one", 1)])
    assert not result.defects
    assert [counts.benchmark for counts in result.counts] == ["one", "two"]
    assert {row.benchmark: row.n for row in result.bias} == {"one": 1, "two": 1}


def test_order_of_rows_changes_nothing(make_sample: MakeSample) -> None:
    samples = flawed_samples(make_sample)
    expected = lint(samples)
    shuffler = random.Random(0)
    for _ in range(3):
        shuffler.shuffle(samples)
        assert lint(samples) == expected


def test_nothing_in_gives_nothing_out() -> None:
    assert lint([]) == LintResult((), (), (), (), ())
