"""A JSON object is found in an answer of any shape, and nothing is added to it."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from smriti_tui.domain.reply_json import Found, read_object

KNOWN = ("title", "summary", "decisions", "tasks")
GOOD = {
    "title": "Keep FTS5",
    "decisions": [{"text": "Use it", "turn": 15}, 'One "file"\nwith {braces}, ```fences``` // too'],
    "tasks": {"items": ["A\\b", {"text": "B", "blocked_by": ["A\\b"]}]},
}
TEXT = json.dumps(GOOD)
PORTAL = """<!DOCTYPE html><html><head><title>Sign in</title><style>body{margin:0}</style></head>
<script>var page = {title: "Sign in", summary: "Accept the terms"};</script></html>"""

# An answer; the object in it; whether it is cut and whether texts of it were mended.
MALFORMED: dict[str, tuple[str, dict[str, Any] | None, str]] = {
    "as asked": (TEXT, GOOD, ""),
    "fenced": (f"```json\n{TEXT}\n```", GOOD, ""),
    "bash fence first": (
        f"Sure.\n```bash\nmake {{a,b}} && echo ${{HOME}} {{}}\n```\nand\n```json\n{TEXT}\n```\nOK?",
        GOOD, "",
    ),
    "smaller example first": (f'As in {{"title": "x"}}:\n{TEXT}', GOOD, ""),
    "the same twice": ('{"title": "one"}\nUser: more\n{"title": "two"}', {"title": "one"}, ""),
    "thoughts first": (f'<think>{{"title": "no", "tasks": []}}</think>{TEXT}', GOOD, ""),
    "thoughts alone": (f"<think>so {TEXT}</think>", GOOD, ""),
    "mark of byte order": (f"\ufeff{TEXT}", GOOD, ""),
    "in a list": (f"[{TEXT}]", GOOD, ""),
    "below another name": (f'{{"checkpoint": {{"draft": {TEXT}}}}}', GOOD, ""),
    "JSON in JSON": (json.dumps(TEXT), GOOD, ""),
    "raw line end and tab": ('{"title": "a\n\tb"}', {"title": "a\n\tb"}, ""),
    "trailing commas": ('{"title": "a", "tasks": ["b",],}', {"title": "a", "tasks": ["b"]}, ""),
    "comments": (
        '{ // my draft\n"title": "http://a", /* one */ "tasks": ["b" # first\n, ...]}',
        {"title": "http://a", "tasks": ["b"]}, "",
    ),
    "comma forgotten": (
        '{"title": "a"\n"tasks": ["b"\n"c"]}', {"title": "a", "tasks": ["b", "c"]}, "",
    ),
    "typed quotation marks": (
        "{“title”: “a”, „tasks“: [“it’s”]}", {"title": "a", "tasks": ["it’s"]}, "",
    ),
    "marks of Python": (
        "{'title': 'a', 'summary': None, 'tasks': [True]}",
        {"title": "a", "summary": None, "tasks": [True]}, "",
    ),
    "marks inside a text": (
        '{"tasks": ["we said "no" twice", "b"]}', {"tasks": ['we said "no" twice', "b"]}, "mended",
    ),
    "names without marks": (
        '{title: "a", tasks: [{turn: t16}]}', {"title": "a", "tasks": [{"turn": "t16"}]}, "",
    ),
    "backslashes": (r'{"title": "\d+ in C:\dir",}', {"title": r"\d+ in C:\dir"}, ""),
    "half a character": ('{"title": "a\\ud83d"}', {"title": "a\ufffd"}, ""),
    "no value": ('{"title": , "tasks": ["a"]}', {"tasks": ["a"]}, ""),
    "cut in a text": (
        '{"title": "a", "decisions": [{"text": "b", "turn": 1}, {"text": "half of i',
        {"title": "a", "decisions": [{"text": "b", "turn": 1}]}, "cut",
    ),
    "cut in a number": ('{"title": "a", "tasks": [12, 34', {"title": "a", "tasks": [12]}, "cut"),
    "cut behind a mark": ('{"title": "a", "summary": "he said "', {"title": "a"}, "cut"),
    "cut below another name": (
        '{"draft": {"title": "a", "tasks": ["b", "c', {"title": "a", "tasks": ["b"]}, "cut",
    ),
    "cut in a fence": (
        '```json\n{"title": "a", "tasks": [\n```', {"title": "a", "tasks": []}, "cut",
    ),
    "cut in the first field": ('{"title": "Cut off in the', None, ""),
    "broken on the way": (
        '{"title": "a", "tasks": [%%], "summary": "b"}', {"title": "a", "tasks": []}, "cut",
    ),
    "refusal": ("Sorry, I can't {help} with that.", None, ""),
    "empty": ("", None, ""),
    "blank": (" \n\t", None, ""),
    "sign-in page": (PORTAL, None, ""),
    "another object": ('{"error": {"message": "no"}}', None, ""),
    "a list of texts": ('["title", "tasks"]', None, ""),
    "prose": ("We decided to use SQLite: title, summary and tasks follow.", None, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_what_a_malformed_answer_holds(name: str) -> None:
    answer, value, how = MALFORMED[name]
    expected = None if value is None else Found(value, "cut" in how, "mended" in how)
    assert read_object(answer, KNOWN) == expected


@pytest.mark.parametrize(
    "part", ["{", "[", '{"a":', "{'a':'", '{"a":[1,', '" a', "{/*", '{"title":"x', "\\", '{"a":"']
)
def test_200_000_characters_of_anything_take_no_time(part: str) -> None:
    start = time.process_time()
    for before in ("", '{"title": "', '{"title": ['):
        read_object(before + part * (200_000 // len(part)), KNOWN)
    assert time.process_time() - start < 4


PLAIN = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]))
"""NUL is taken out of what is read."""


@given(st.text(alphabet="{}[]\"'\\,:/#*ab1 \n“”"))
def test_reading_never_fails(answer: str) -> None:
    read_object(answer, KNOWN)
    read_object('{"title": ' + answer, KNOWN)


leaves = (
    PLAIN
    | st.integers()
    | st.booleans()
    | st.none()
    | st.floats(allow_nan=False, allow_infinity=False)
)
values = st.recursive(
    leaves, lambda inner: st.lists(inner) | st.dictionaries(PLAIN, inner), max_leaves=12
)
objects = st.dictionaries(st.sampled_from(KNOWN), values, min_size=1)


@given(objects, st.booleans(), st.data())
@example(GOOD, True, None)
@settings(deadline=None)
def test_a_part_of_a_good_answer_gives_a_part_of_its_object(
    value: dict[str, Any], ascii_only: bool, data: st.DataObject | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    ends = range(len(text)) if data is None else [data.draw(st.integers(0, len(text) - 1))]
    for end in ends:
        found = read_object(text[:end], KNOWN)
        assert found is None or (found.cut and not found.mended)
        assert found is None or part_of(found.value, value), text[:end]


def part_of(part: object, whole: object) -> bool:
    """Whether every value of `part` stands in `whole` at its place, whole entries of lists first to
    last."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(name in whole and part_of(part[name], whole[name]) for name in part)
    if isinstance(part, list) and isinstance(whole, list):
        return part == whole[: len(part)]
    return part == whole


@given(objects)
@settings(deadline=None)
def test_the_tolerant_rules_read_strict_json_as_it_is(value: dict[str, Any]) -> None:
    found = read_object(json.dumps(value)[:-1] + ",}", KNOWN)
    assert found is not None
    assert found.value == value
