"""Files of views: what is written is read back, byte for byte, whatever it holds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.clean import clean
from smriti_tui.domain.errors import Conflict, Invalid
from smriti_tui.domain.view_files import FILES, Taken, file_of
from smriti_tui.domain.view_files.lines import line_of, name_and_value, named, value_of
from smriti_tui.domain.views import VIEWS, Fact, ViewState

AT = "2026-03-02T14:05:09.000000Z"
HOSTILE = "[/x] \x1b[2J \u202e न\n\u2028- 1. # \x9b31m \U000e0001 \x7f"


def fold(view: str, facts: list[tuple[str, dict[str, Any]]], state: ViewState | None = None) -> Any:
    state = state or ViewState()
    for number, (name, payload) in enumerate(facts):
        VIEWS[view].apply(state, Fact(name, payload, "ada", AT, f"e{number}"))
    return state


def items(*items: dict[str, Any]) -> str:
    return json.dumps({"items": list(items)})


def take(view: str, state: ViewState, text: str) -> Taken:
    form = FILES[view]
    assert form.take is not None
    return form.take(state, text)


# ---- any state -----------------------------------------------------------------------------------

ODD = ("", "null", "12", "NaN", '"', "- a", "a: b", HOSTILE, "##")
WORDS = st.one_of(st.text(max_size=8), st.sampled_from(ODD))
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.one_of(WORDS, st.none(), st.booleans(), st.integers(), FLOATS)
ANY = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)  # fmt: skip
TIMES = st.sampled_from(({}, {"timestamp": AT}, {"timestamp": "yesterday"}))


def told(name: str, **fields: Any) -> Any:
    return st.tuples(st.just(name), st.fixed_dictionaries(fields), TIMES).map(
        lambda each: (each[0], {**each[1], **each[2]})
    )


STATUS = st.lists(
    st.one_of(
        told("phase_changed", phase=WORDS, reason=WORDS | st.none()),
        told("phase_set", phase=WORDS),
        told("activity_changed", activity=WORDS),
        told("status_cleared"),
        told("next_steps_updated", steps=st.lists(ANY, max_size=3)),
        told("decision_locked", key=WORDS, value=ANY, justification=ANY),
        told("audit_findings_recorded", level=ANY, findings_count=ANY, summary=ANY),
    ),
    max_size=8,
)
LOG = st.lists(
    st.one_of(
        told("buildlog_entry", line=WORDS),
        told("buildlog_header", text=WORDS.map(lambda text: f"{text}\n## Entries\n")),
    ),
    max_size=6,
)
KEYS = st.sampled_from(("a", "b", "c-1", "नमस्ते"))
ITEMS = st.lists(
    st.one_of(
        st.tuples(st.just("item_created"), st.builds(
            lambda key, more, title: {**more, "id": key, "title": title},
            KEYS, st.dictionaries(st.sampled_from(("own", "tags", "pr_link", "")), ANY), WORDS,
        )),
        st.tuples(st.just("item_updated"), st.fixed_dictionaries(
            {"id": KEYS}, optional={"status": st.sampled_from(("todo", "done")), "notes": WORDS}
        )),
        st.tuples(st.just("item_archived"), st.fixed_dictionaries({"id": KEYS})),
    ),
    max_size=8,
)  # fmt: skip


@pytest.mark.parametrize(
    ("view", "histories"),
    [("orchestrator_status", STATUS), ("buildlog", LOG), ("tracker", ITEMS)],
)
@given(data=st.data())
def test_what_is_written_is_read_back(view: str, histories: Any, data: st.DataObject) -> None:
    state = fold(view, data.draw(histories))
    text = FILES[view].render(state)
    assert text == clean(text) or "header" in state.head, "a header is kept byte for byte"
    assert text.endswith("\n")
    assert take(view, state, text).facts == []
    taken = take(view, ViewState(), text)
    again = fold(view, taken.facts)
    assert FILES[view].render(again) == text
    assert take(view, again, text).facts == []


@given(value=ANY, key=WORDS)
def test_a_value_stands_on_one_line(value: Any, key: str) -> None:
    assert value_of(line_of(value)) == value
    line = named(key, value)
    assert "\n" not in line
    if key:
        assert name_and_value(line) == (key, value)


# ---- edits by hand -------------------------------------------------------------------------------


def test_an_edited_field_is_one_update_with_this_field() -> None:
    state = fold("tracker", [("item_created", {"id": "a", "title": "A", "notes": "n"})])
    taken = take("tracker", state, items({"id": "a", "title": "B", "notes": "n"}))
    assert taken.facts == [("item_updated", {"id": "a", "title": "B"})]
    assert taken.counts == {"updated": 1}


def test_what_is_closed_stays_closed_and_the_rest_is_taken() -> None:
    done = {"id": "a", "title": "A", "status": "done", "completed_at": AT}
    state = fold("tracker", [("item_created", done)])
    text = items({"id": "a", "title": "B", "status": "todo", "completed_at": None})
    taken = take("tracker", state, text)
    assert taken.facts == [("item_updated", {"id": "a", "title": "B"})]
    assert "stays closed" in taken.left[0]
    assert take("tracker", state, items({**done, "completed_at": None})).facts == []


def test_an_item_is_archived_and_what_is_left_out_stays() -> None:
    state = fold(
        "tracker",
        [("item_created", {"id": "a", "own": 1}), ("item_created", {"id": "b"})],
    )
    taken = take("tracker", state, items({"id": "a", "status": "archived", "title": "T"}))
    assert taken.facts == [
        ("item_updated", {"id": "a", "title": "T"}),
        ("item_archived", {"id": "a"}),
    ]
    assert taken.left == [
        "a: `own` is not in the file; it stays.",
        "b is not in the file; it stays.",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "no JSON"),
        ("[]", "no JSON object"),
        ('{"items": 3}', "not a list"),
        (items({"id": "a"}, {"id": "b"}, {"title": "no id"}), "Item 3 of the file has no id"),
        (items({"id": "a"}, {"id": "a"}), "Item 2 of the file has the id of item 1"),
        ('{"items": [1]}', "Item 1 of the file is no object"),
        (items({"id": "a/b"}), "is no id"),
        (items({"id": "a..b"}), "is no id"),
        (items({"id": "a", "title": 3}), "`title` is no text"),
        ('{"items": [], "items": []}', "stands twice"),
        ('{"items": [{"id": "a", "x": NaN}]}', "NaN"),
        ("[" * 100_000, "nested"),
    ],
)
def test_a_bad_tracker_file_is_refused_with_the_place(text: str, words: str) -> None:
    with pytest.raises(Invalid, match=words):
        take("tracker", ViewState(), text)


def test_entries_are_only_added() -> None:
    state = fold("buildlog", [("buildlog_entry", {"line": "one"})])
    text = FILES["buildlog"].render(state)
    assert take("buildlog", state, f"{text}- two\n").facts == [("buildlog_entry", {"line": "two"})]
    with pytest.raises(Conflict, match="Entry 1"):
        take("buildlog", state, text.replace("one", "1"))
    with pytest.raises(Invalid, match="Line 6"):
        take("buildlog", state, f"{text}two\n")
    with pytest.raises(Invalid, match="Entries"):
        take("buildlog", state, "one\n")
    own = text.replace("# Build log", "# Ours\n\n- not an entry")
    assert take("buildlog", state, own).facts == [
        ("buildlog_header", {"text": "# Ours\n\n- not an entry\n"})
    ]


def test_a_status_is_edited_line_by_line() -> None:
    state = fold(
        "orchestrator_status",
        [
            ("phase_changed", {"phase": "plan", "timestamp": AT}),
            ("next_steps_updated", {"steps": ["a"], "timestamp": AT}),
            ("decision_locked", {"key": "db", "value": "pg", "timestamp": AT}),
        ],
    )
    text = FILES["orchestrator_status"].render(state)
    edited = text.replace("Phase: plan", "Phase: build").replace("1. a\n", "1. a\n2. b\n")
    assert take("orchestrator_status", state, edited).facts == [
        ("next_steps_updated", {"steps": ["a", "b"]}),
        ("phase_changed", {"phase": "build", "reason": None}),
    ]
    gone = take("orchestrator_status", state, text.replace("- db: pg\n", ""))
    assert gone.facts == []
    assert gone.left == ["The decision db is not in the file; it stays."]
    with pytest.raises(Invalid, match="Line 3"):
        take("orchestrator_status", state, text.replace("- Phase: plan", "Phase: plan"))
    with pytest.raises(Invalid, match="Phase is no text"):
        take("orchestrator_status", state, text.replace("plan", "12"))


def test_what_has_no_file_is_told() -> None:
    with pytest.raises(Invalid, match="view of a Space"):
        file_of("state:abcd")
    assert FILES["agent_traces"].take is None
