import pytest

from video_oasis.lint.wording import contains_phrase, content_tokens, tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Guilin.", "guilin"),
        ("left-right", "left  right"),
        ("It’s red", "it's RED"),
        ("(two, three)", "two three"),
        ("Ａ cat", "a cat"),
    ],
)
def test_same_but_for_form(one: str, other: str) -> None:
    assert tokens(one) == tokens(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-1", "1"),
        ("1.5", "15"),
        ("10:30", "10 30"),
        ("5%", "5"),
        ("A → B", "A ← B"),
        ("!", "?"),
        ("①②", "②①"),
    ],
)
def test_different_in_meaning(one: str, other: str) -> None:
    assert tokens(one) != tokens(other)


def test_articles_are_no_content() -> None:
    assert content_tokens("Where is the fork?") == ("where", "is", "fork")


def test_phrase_is_found_as_whole_words_only() -> None:
    assert contains_phrase(tokens("Is the red car parked?"), tokens("red car"))
    assert not contains_phrase(tokens("Is the red cart parked?"), tokens("red car"))
    assert not contains_phrase(tokens("Is the car red?"), tokens("red car"))
