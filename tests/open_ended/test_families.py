"""Which models are kin, by their names."""

import pytest

from video_oasis.open_ended.families import find_family


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("openai/gpt-4o", "gpt"),
        ("openai/openai/gpt-oss-20b", "gpt"),
        ("openai/Qwen/Qwen3-VL-8B-Instruct", "qwen"),
        ("openai/qwq-32b", "qwen"),
        ("openai/meta-llama/Llama-3-70B", "llama"),
        ("openai/claude-opus", "claude"),
        ("openai/google/gemini-2.5-pro", "gemini"),
        ("openai/google/gemma-3-27b-it", "gemma"),
        ("openai/mistralai/Mixtral-8x7B", "mistral"),
        ("openai/Pixtral-12B", "mistral"),
        ("openai/llava-v1.6-vicuna-7b", "llama"),
        ("openai/OpenGVLab/InternVL3-8B", "intern"),
        ("openai/my-own-model", ""),
        ("recall/similar_questions", ""),
        ("openai/o3-mini", "gpt"),
        ("exact_match", ""),
    ],
)
def test_a_family_is_told_by_the_name(name: str, family: str) -> None:
    assert find_family(name) == family
