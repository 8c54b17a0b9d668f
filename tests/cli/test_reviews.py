"""`smriti checkpoint review`: text, documents, exit codes, and the road to a follow-up."""

from __future__ import annotations

from collections.abc import Mapping

from tests.cli.calling import Cli

STATE = {
    "title": "Keep FTS5; load test ok",
    "objective": "Find things",
    "decisions": [
        {"uid": "d1", "text": "The rebuild runs as a job"},
        {"uid": "d2", "text": "the rebuild runs as a job."},
    ],
    "tasks": [{"uid": "t1", "text": "Write the job", "blocked_by": ["nope"]}],
    "open_questions": ["Who runs it?"],
}
CONSISTENT = {"title": "All well", "objective": "Find things", "decisions": ["Use FTS5"]}
RULES = """\
Review of {id} "Keep FTS5; load test ok"

1. Missing blocker
   T1 waits for "nope", which is no task here.
   T1 "Write the job"

2. Duplicate
   D2 says the same as D1.
   D2 "the rebuild runs as a job."
   D1 "The rebuild runs as a job"

Suggested changes
  1. T1 waits for nothing
  2. retire D2, replaced by D1

Checks without a model
  evidence  no item cites anything
  source    no session
  tasks     T1 waits for what is no task here
  chain     the first checkpoint: no links
"""


def made(cli: Cli, content: Mapping[str, object]) -> str:
    cli.space()
    return str(cli.checkpoint("Search", content)["id"])


def test_rules_alone_need_no_model_and_store_nothing(cli: Cli) -> None:
    key = made(cli, STATE)
    before = cli.database.read_bytes()
    assert cli.call("checkpoint", "review", key, "--rules").text == RULES.format(id=key[:7])
    document = cli.ok("checkpoint", "review", key, "--rules")
    assert (document["review"], document["model"], document["open"]) == (None, None, 2)
    assert [each["id"] for each in document["findings"]] == [None, None]
    assert document["checks"]["tasks"] == {"open": 1, "blocked": ["T1"]}
    assert cli.database.read_bytes() == before
    assert cli.fails(3, "checkpoint", "review", key, "--last")["code"] == "not_found"
    refused = cli.fails(5, "checkpoint", "review", key)
    assert "--rules" in refused["hint"]


def test_a_review_by_the_demo_model_and_its_way_to_a_follow_up(cli: Cli) -> None:
    key = made(cli, {**STATE, "entities": ["Tantivy"]})
    cli.extra["SMRITI_BACKGROUND_MODEL"] = "demo"
    told = cli.call("checkpoint", "review", key)
    assert (told.code, told.error) == (0, "asking demo/scripted for a review\n")
    assert "1. Possibly unused entity (open)" in told.text
    assert "3. Duplicate (open)" in told.text
    assert told.text.index("3. Duplicate") < told.text.index("Suggested changes")  # REVIEW-01
    again = cli.call("checkpoint", "review", key, "--last")
    assert again.text == told.text
    shown = cli.ok("checkpoint", "show", key)["review"]
    assert (shown["findings"], shown["open"]) == (3, 3)
    assert "- 3 of 3 findings open (demo/scripted, for ada," in cli.call("restore", key).text

    assert cli.fails(2, "checkpoint", "review", key, "--dismiss", "2")["details"] == {
        "field": "reason"
    }
    cli.fails(3, "checkpoint", "review", key, "--dismiss", "9", "--reason", "x")
    done = cli.ok("checkpoint", "review", key, "--accept", "1", "--accept", "3")
    assert (done["open"], [each["outcome"] for each in done["findings"]]) == (1, ["accepted"] * 2)
    command = "6f1c0a52-7d0e-4a63-9a75-0d3f5a1f2b11"
    dismiss = ("checkpoint", "review", key, "--dismiss", done["findings"][0]["id"][:8])
    once = cli.ok(*dismiss, "--reason", "kept for the record", "--command-id", command)
    assert cli.ok(*dismiss, "--reason", "other words", "--command-id", command) == once
    assert once["findings"][0]["reason"] == "kept for the record"

    written = cli.ok("checkpoint", "review", key, "--write", "--title", "Cleaned")
    assert (written["parents"], written["title"]) == ([key], "Cleaned")
    assert [each["state"] for each in written["decisions"]] == ["live", "retired"]
    assert (written["entities"], written["omitted_count"]) == (["Tantivy"], 0)
    assert cli.fails(4, "checkpoint", "review", key, "--write")["code"] == "branch_needed"
    cli.ok("log", "verify")
    cli.ok("checkpoint", "verify")


def test_nothing_found_is_said_in_plain_words(cli: Cli) -> None:
    key = made(cli, CONSISTENT)
    assert (
        "The checks found nothing. No model was asked.\n"
        in cli.call("checkpoint", "review", key, "--rules").text
    )
    told = cli.call("checkpoint", "review", key, "--model", "demo").text  # REVIEW-03
    assert "Nothing was found: this checkpoint looks consistent.\n" in told
    assert "- nothing was found (demo/scripted" in cli.call("checkpoint", "show", key).text


def test_one_thing_at_a_time(cli: Cli) -> None:
    key = made(cli, STATE)
    for options in (
        ("--rules", "--last"), ("--rules", "--model", "demo"), ("--title", "x"),
        ("--accept", "1", "--write"), ("--reason", "x"), ("--text", "x", "--dismiss", "1"),
        ("--branch", "b", "--last"),
    ):  # fmt: skip
        assert cli.fails(2, "checkpoint", "review", key, *options)["code"] == "usage"


def test_words_of_an_accepted_change_are_ones_own(cli: Cli) -> None:
    key = made(cli, {**CONSISTENT, "objective": ""})
    cli.ok("checkpoint", "review", key, "--model", "demo")
    done = cli.ok("checkpoint", "review", key, "--accept", "1", "--text", "Find \x1b[31mthings")
    assert done["findings"][0]["outcome"] == "edited"
    written = cli.ok("checkpoint", "review", key, "--write")
    assert written["objective"] == "Find \x1b[31mthings"
    assert "\x1b" not in cli.call("checkpoint", "review", key, "--last").text


def test_a_bundle_holds_reviews_and_what_became_of_them(cli: Cli) -> None:
    key = made(cli, STATE)
    cli.ok("checkpoint", "review", key, "--model", "demo")
    cli.ok("checkpoint", "review", key, "--accept", "1")
    assert cli.call("export", "out", "--format", "bundle", "--space", "Search").code == 0
    lines = [
        line
        for path in sorted((cli.cwd / "out" / "events").rglob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    for name in ("request.stored", "request.ended", "review.recorded", "finding.settled"):
        assert sum(f'"{name}"' in line for line in lines) == 1, name
