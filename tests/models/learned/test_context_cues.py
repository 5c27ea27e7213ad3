"""Context cues say how a choice's words stand in a transcript or in captions."""

import time
from collections.abc import Callable

from video_oasis.models.learned.context_cues import list_context_cues
from video_oasis.models.learned.cues import Cues, Family
from video_oasis.schema import Sample, Trial

MakeSample = Callable[..., Sample]
Show = Callable[..., Trial]

TRANSCRIPT = """[0:00–0:04] Welcome back to my kitchen.
[0:05–0:09] Today we slice a red onion.
[0:10–0:15] Then some tea is served, green tea of course.
[1:07–1:12] Thanks for watching."""


def test_words_and_phrases(make_sample: MakeSample, show: Show) -> None:
    sample = make_sample(
        0, ["green tea", "a red pepper", "black coffee"], 0, question="What is served?"
    )
    tea, pepper, coffee = list_context_cues([show(sample, context=TRANSCRIPT)])[0]
    assert "only option all of whose words are in the context" in tea[Family.CONTEXT_WORDS]
    # Of "a", "red" and "pepper" two stand in the transcript: "a red onion".
    assert "words 60 to 80 % in the context" in pepper[Family.CONTEXT_WORDS]
    assert "no word in the context" in coffee[Family.CONTEXT_WORDS]
    # "green" once and "tea" twice, "a" once and "red" once, nothing.
    assert "its words most often in the context" in tea[Family.CONTEXT_WORDS]
    assert "no. 2 of 3 by rising number of its words in the context" in pepper[Family.CONTEXT_WORDS]
    assert "only option in the context word for word" in tea[Family.CONTEXT_PHRASES]
    assert "in the context word for word" not in pepper[Family.CONTEXT_PHRASES]
    # "is" and "served" stand in the line about tea only; "a red onion" is in the line before.
    assert "most of its words near words of the question in the context" in tea[Family.CONTEXT_NEAR]


def test_nearness_reaches_one_line(make_sample: MakeSample, show: Show) -> None:
    lines = ["she opens the drawer", "and takes a spoon", "much later", "he drops a fork"]
    sample = make_sample(0, ["spoon", "fork"], 0, question="What is in the drawer?")
    spoon, fork = list_context_cues([show(sample, context="\n".join(lines))])[0]
    assert "only option near words of the question in the context" in spoon[Family.CONTEXT_NEAR]
    assert fork[Family.CONTEXT_NEAR] == [
        "no. 1 of 2 by rising words near words of the question in the context",
        "fewest of its words near words of the question in the context",
    ]


def test_order_of_mention(make_sample: MakeSample, show: Show) -> None:
    sample = make_sample(0, ["tea", "onion", "kitchen", "pan"], 0)
    tea, onion, kitchen, pan = (
        cues[Family.CONTEXT_PHRASES]
        for cues in list_context_cues([show(sample, context=TRANSCRIPT)])[0]
    )
    assert "first option to come in the context" in kitchen
    assert "last option to come in the context" in tea
    assert "most often in the context word for word" in tea
    assert not any("option to come" in cue for cue in [*onion, *pan])


def test_times_of_lines_are_no_numbers(make_sample: MakeSample, show: Show) -> None:
    sample = make_sample(0, ["7", "12", "30"], 0)
    of_choices = list_context_cues([show(sample, context=f"{TRANSCRIPT}\nall 30 of you")])[0]
    found = ["in the context word for word" in cues[Family.CONTEXT_PHRASES] for cues in of_choices]
    assert found == [False, False, True]


def test_words_are_whole_words_but_in_scripts_without_spaces(
    make_sample: MakeSample, show: Show
) -> None:
    def is_found(choice: str, context: str) -> bool:
        cues: Cues = list_context_cues(
            [show(make_sample(0, [choice, "zebra"], 0), context=context)]
        )[0][0]
        return "in the context word for word" in cues[Family.CONTEXT_PHRASES]

    assert not is_found("art", "the party begins")
    assert is_found("Чай", "потом подают чай")
    assert is_found("绿茶", "[0:10–0:15] 然后我们喝绿茶和咖啡")
    assert not is_found("红茶", "[0:10–0:15] 然后我们喝绿茶和咖啡")


def test_no_context_names_no_family(make_sample: MakeSample, show: Show) -> None:
    assert list_context_cues([show(make_sample(0, ["a", "b"], 0))]) == [[{}, {}]]
    wordless = list_context_cues([show(make_sample(0, ["", "b"], 0), context="[0:00–0:01] …")])
    assert wordless[0][0][Family.CONTEXT_WORDS] == ["no word in the context"]


def test_long_transcripts_take_milliseconds(make_sample: MakeSample, show: Show) -> None:
    words = [f"word{number * 37 % 1009}" for number in range(5000)]
    contexts = [
        "\n".join(" ".join(words[at : at + 8]) for at in range(0, len(words), 8)) + f"\n{number}"
        for number in range(20)
    ]
    assert len(contexts[0]) > 39_000
    choices = [" ".join(words[at : at + 9]) for at in (0, 90, 180, 270, 360)]
    trials = [
        show(make_sample(number, choices, 0, question="Where is word5?"), context=contexts[number])
        for number in [*range(20)] * 10
    ]
    started = time.perf_counter()
    list_context_cues(trials)
    # Twenty texts of 40,000 characters and ten questions on each take a third of a second here.
    assert time.perf_counter() - started < 5
