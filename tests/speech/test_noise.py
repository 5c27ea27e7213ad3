import tomllib
from pathlib import Path

import pytest

from video_oasis.speech.files import read_transcript
from video_oasis.speech.noise import judge_speech
from video_oasis.speech.transcript import Segment, Transcript


def _transcript(*texts: str, seconds_each: float = 5.0) -> Transcript:
    return Transcript(
        tuple(
            Segment(number * seconds_each, (number + 1) * seconds_each, text)
            for number, text in enumerate(texts)
        ),
        "test",
    )


def _reason(*texts: str, seconds_each: float = 5.0) -> str:
    return judge_speech(_transcript(*texts, seconds_each=seconds_each)).reason


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("symbols", "♪ ♪ ♪"),
        ("symbols", "🎵🎵🎵"),
        ("symbols", "a . b ... c"),
        ("sound", "[music playing] (applause)"),
        ("sound", "Dramatisk musikk"),
        ("invented_phrase", "Thank you."),
        ("invented_phrase", "Thanks so much, everybody!"),
        ("invented_phrase", "Thank you. Thank you. Thank you."),
        ("invented_phrase", "Thanks for watching!"),
        ("invented_phrase", "And thank you all so very much for viewing our little film today."),
        ("invented_phrase", "Please like, share and subscribe to the channel for more."),
        ("invented_phrase", "We'll see you in the next video. Bye bye!"),
        ("invented_phrase", "Merci d'avoir regardé cette vidéo !"),
        ("invented_phrase", "Vielen Dank fürs Zuschauen."),
        ("invented_phrase", "¡Gracias por ver el vídeo, suscríbete!"),
        ("invented_phrase", "Obrigado por assistir."),
        ("invented_phrase", "Terima kasih sudah menonton."),
        ("invented_phrase", "Спасибо за просмотр!"),
        ("invented_phrase", "İzlediğiniz için teşekkürler."),
        ("invented_phrase", "ご視聴いただきありがとうございます。"),
        ("invented_phrase", "시청해 주셔서 감사합니다."),
        ("invented_phrase", "谢谢大家观看"),
        ("invented_phrase", "请订阅我的频道，谢谢"),
        ("invented_phrase", "شكرا على المشاهدة"),
        ("credit", "Subtitles by A. Writer"),
        ("credit", "Untertitel im Auftrag des Senders, 2019"),
        ("credit", "Субтитры подготовил Иван Иванов"),
        ("credit", "Sous-titrage par la Société"),
        ("credit", "Legendas pela comunidade"),
        ("credit", "字幕由社群提供"),
        ("credit", "자막 제공 아무개"),
        ("credit", "© Some Channel 2022"),
        ("loop", "la la la la la la la la la la la la"),
        ("loop", "Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
        ("loop", "哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈"),
        ("loop", " ".join(["Turn the wheel."] * 12)),
        ("sparse", "Okay."),
        ("sparse", "Roll out!"),
        ("mixed_scripts", "Привет как дела сегодня друг ಮಾಹಿತಿ ಕನ್ನಡ ಭಾಷೆ ಇಲ್ಲಿದೆ"),
    ],
)
def test_no_speech(reason: str, text: str) -> None:
    assert _reason(text) == reason


@pytest.mark.parametrize(
    "text",
    [
        "Put two eggs in the bowl, then stir until it is smooth.",
        "So first we take the old wheel off. Thanks for watching!",
        "I said thank you to the driver and he gave me the blue key.",
        "Die Katze sitzt schon seit gestern auf dem Dach.",
        "Он открыл дверь и увидел на столе письмо.",
        "把两个碗盖上，小球就会从左边移到右边。",
        "まず玉ねぎを細かく切って、弱火で炒めます。",
        "먼저 양파를 잘게 썰어서 약한 불에 볶습니다.",
        "ضع البيضتين في الوعاء ثم حرك المزيج جيدا",
        "पहले प्याज को बारीक काट लें और धीमी आंच पर भून लें",
        "ขั้นแรกหั่นหัวหอมให้ละเอียดแล้วผัดด้วยไฟอ่อน",
        "♪ When the rain comes down we dance along the river ♪",
    ],
)
def test_speech(text: str) -> None:
    verdict = judge_speech(_transcript(text))
    assert (verdict.is_speech, verdict.reason) == (True, "")


def test_empty() -> None:
    assert judge_speech(Transcript((), "test")).reason == "empty"


def test_words_amid_noise_must_be_more() -> None:
    said = "The red car turns left at the second light and stops in front of the bakery."
    assert _reason(said, "no," + 20 * " no") == "loop"
    assert _reason(said, said.replace("red", "green"), "no, no, no, no, no, no.") == ""


def test_too_few_words_for_the_length() -> None:
    said = "He walks over to the other side."
    assert _reason(said, seconds_each=60.0) == ""
    assert _reason(said, seconds_each=600.0) == "sparse"
    assert judge_speech(_transcript(said), duration_seconds=600.0).reason == "sparse"


def test_more_words_than_anybody_can_say() -> None:
    words = " ".join(f"word{number}" for number in range(200))
    assert _reason(words, seconds_each=60.0) == ""
    assert _reason(words, seconds_each=10.0) == "too_fast"


def test_the_same_few_words_in_changing_order() -> None:
    words = [
        ("up", "down", "left", "right", "stop")[(number * number) % 5] for number in range(300)
    ]
    assert _reason(" ".join(words), seconds_each=100.0) == "loop"


def _released(shared_data: Path) -> dict[str, Transcript]:
    root = shared_data / "transcripts"
    return {
        path.relative_to(root).as_posix(): read_transcript(path) for path in root.glob("*/*.json")
    }


def test_released_transcripts_of_the_three_invented_kinds(shared_data: Path) -> None:
    # Found by plain words, not by the rule's patterns.
    n_found = 0
    for name, transcript in _released(shared_data).items():
        text = " ".join(segment.text for segment in transcript.segments)
        words = text.lower().strip(".! ").replace(". ", " ").split()
        only_thanks = set(words) <= {"thank", "thanks", "you", "for", "watching", "very", "much"}
        only_credit = len(words) < 8 and any(
            mark in text for mark in ("Nicolai", "DimaTorzok", "Amara", "Emily Beynon", "BF-WATCH")
        )
        if words and (only_thanks or only_credit):
            n_found += 1
            assert not judge_speech(transcript).is_speech, name
    assert n_found > 50


def test_agreement_with_a_person(shared_data: Path) -> None:
    judged = tomllib.loads((Path(__file__).parent / "hand_judged.toml").read_text("utf-8"))
    held_out = judged["held_out"]
    every = {**judged["seen"], **held_out}
    assert len(every) == 40
    assert set(every.values()) == {"speech", "no speech"}
    root = shared_data / "transcripts"
    refused = {name for name in every if not judge_speech(read_transcript(root / name)).is_speech}
    for names, floor in ((set(every), 0.85), (set(held_out), 0.8)):
        by_hand = {name for name in names if every[name] == "no speech"}
        right = by_hand & refused
        assert len(right) / len(refused & names) >= floor
        assert len(right) / len(by_hand) >= floor
