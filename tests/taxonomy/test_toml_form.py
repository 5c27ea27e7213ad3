"""The file of a taxonomy, as people write and break it."""

from pathlib import Path

import pytest

from video_oasis.errors import SchemaError, SettingsError
from video_oasis.taxonomy.category import Category, Taxonomy
from video_oasis.taxonomy.toml_form import default_taxonomy, read_taxonomy, write_taxonomy

TWO = """
[[categories]]
name = "Order"
definition = "When things happen."

[[categories]]
name = "Place"
definition = "Where things are."
"""


def test_the_built_in_taxonomy_has_the_five_categories_of_the_paper() -> None:
    taxonomy = default_taxonomy()
    assert taxonomy.names == (
        "Fine-Grained Perception",
        "Spatial World Understanding",
        "Temporal Dynamics & Tracking",
        "Causality & Logical Reasoning",
        "Global Narrative",
    )
    assert all(len(category.definition) > 80 for category in taxonomy.categories)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    taxonomy = Taxonomy(
        (
            Category('With "quotes" and \\', "Über\nmehrere Zeilen.", ("b: a (2 of 3)",)),
            Category("Plain", "Words."),
        ),
        {"proposed_by": "openai/x", "replies": {"propose_valid": 2}},
    )
    file = tmp_path / "taxonomy.toml"
    file.write_text(write_taxonomy(taxonomy), encoding="utf-8")
    assert read_taxonomy(file) == taxonomy
    assert file.read_text(encoding="utf-8").startswith("# Categories for 'oasis categorize")


def test_sources_and_origin_do_not_change_what_a_panel_is_told(tmp_path: Path) -> None:
    file = tmp_path / "taxonomy.toml"
    file.write_text(TWO, encoding="utf-8")
    plain = read_taxonomy(file)
    file.write_text(TWO + 'sources = ["b: where"]\n[origin]\nby = "me"\n', encoding="utf-8")
    assert read_taxonomy(file).id == plain.id
    file.write_text(TWO.replace("When", "How long"), encoding="utf-8")
    assert read_taxonomy(file).id != plain.id


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no categories are there; expected entries"),
        ("categories = 3", "no categories are there"),
        ("categories = [3, 4]", "categories entry 1: found 3; expected a table"),
        ("[[categories]", "not TOML in UTF-8"),
        (TWO[: TWO.index("\n\n[[")], "1 categories; expected 2 to 26"),
        (TWO.replace('definition = "Where things are."', ""), "entry 2 \\('Place'\\): definition"),
        (TWO.replace('"When things happen."', "7"), "entry 1 \\('Order'\\): definition is 7"),
        (TWO.replace('"Place"', '" order"'), "category 2 \\('order'\\): category 1 has this name"),
        (TWO.replace('"When things happen."', '" "'), "category 1 \\('Order'\\): definition is em"),
        (TWO.replace('"Order"', '""'), "category 1 \\(''\\): name is empty"),
        (TWO.replace('"Order"', '"a\\nb"'), "name has several lines"),
        (TWO + 'defintion = "x"\n', "entry 2 \\('Place'\\): defintion is not known; expected name"),
        (TWO + "sources = [1]\n", "entry 2 \\('Place'\\): sources is"),
        ("orign = 3\n" + TWO, "orign is not known; expected categories, origin"),
        ("origin = 3\n" + TWO, "origin is 3; expected a table"),
    ],
)
def test_errors_name_the_file_and_the_entry(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=f"mine.toml.*{message}"):
        read_taxonomy(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"absent\.toml: cannot be read"):
        read_taxonomy(tmp_path / "absent.toml")


def test_no_more_categories_than_letters() -> None:
    with pytest.raises(SchemaError, match="27 categories"):
        Taxonomy(tuple(Category(f"name {n}", "words") for n in range(27)))


def test_names_are_found_whatever_their_case() -> None:
    taxonomy = default_taxonomy()
    assert taxonomy.find(" global  NARRATIVE") == "Global Narrative"
    assert taxonomy.find("Narrative") is None
