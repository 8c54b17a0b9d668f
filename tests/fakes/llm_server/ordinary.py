"""Scenarios of ordinary answers: text of every kind, pace and size."""

from __future__ import annotations

import json
from collections.abc import Iterable

from tests.fakes.llm_server.plan import Call, Plan, ScenarioTable, cut, paced, words
from tests.fakes.llm_server.texts import HOSTILE, MARKDOWN

ORDINARY = ScenarioTable()


@ORDINARY.add(
    "echo", "repeats the last user message [chunk, delay_ms, first_ms: for every text scenario]"
)
def _echo(call: Call) -> Plan:
    return paced(call, call.text_of_last("user"))


@ORDINARY.add("echo-all", "the messages that the model got, as JSON text")
def _echo_all(call: Call) -> Plan:
    return paced(call, json.dumps(call.messages, ensure_ascii=False, indent=1))


@ORDINARY.add("count", "'N messages, N characters, roles ...' of what the model got")
def _count(call: Call) -> Plan:
    size = sum(len(m["content"]) for m in call.messages)
    roles = ",".join(m["role"] for m in call.messages)
    return paced(call, f"{len(call.messages)} messages, {size} characters, roles {roles}")


@ORDINARY.add("words", "a number of words [tokens=100]")
def _words(call: Call) -> Plan:
    return paced(call, words(call.integer("tokens", 100)))


@ORDINARY.add("slow", "words, one every delay_ms [delay_ms=200, tokens=100]")
def _slow(call: Call) -> Plan:
    return paced(call, words(call.integer("tokens", 100)), delay=call.num("delay_ms", 200) / 1000)


@ORDINARY.add(
    "slow-start",
    "nothing at all, headers included, for first_ms, then fast [first_ms=5000, tokens=20]",
)
def _slow_start(call: Call) -> Plan:
    return paced(
        call, words(call.integer("tokens", 20)), first_delay=call.num("first_ms", 5000) / 1000
    )


@ORDINARY.add(
    "slow-first-token", "headers at once, first token after wait_ms [wait_ms=5000, tokens=20]"
)
def _slow_first(call: Call) -> Plan:
    return paced(
        call, words(call.integer("tokens", 20)), headers_delay=call.num("wait_ms", 5000) / 1000
    )


@ORDINARY.add("huge", "a long answer as fast as possible [chars=2000000, chunk=200]")
def _huge(call: Call) -> Plan:
    chars, chunk = call.integer("chars", 2_000_000), max(1, call.integer("chunk", 200))
    line = "All work and no play makes a long answer. "

    def produce() -> Iterable[str]:
        text = (line * (chunk // len(line) + 2))[:chunk]
        for _ in range(chars // chunk):
            yield text
        if chars % chunk:
            yield text[: chars % chunk]

    return paced(call, "", pieces=produce())


@ORDINARY.add("long-line", "one line without any break [chars=100000]")
def _long_line(call: Call) -> Plan:
    return paced(call, ["x" * 500] * max(1, call.integer("chars", 100_000) // 500))


@ORDINARY.add("big-chunk", "one single delta [chars=20000]")
def _big_chunk(call: Call) -> Plan:
    return paced(call, ["".join(words(call.integer("chars", 20_000) // 6))])


@ORDINARY.add("empty", "a complete answer with no text")
def _empty(call: Call) -> Plan:
    return paced(call, [])


@ORDINARY.add("markdown", "headings, lists, a table, a fenced block [repeat=1]")
def _markdown(call: Call) -> Plan:
    return paced(call, MARKDOWN * max(1, call.integer("repeat", 1)))


@ORDINARY.add("ansi", "terminal escapes, Textual/Rich markup, control and bidi characters")
def _ansi(call: Call) -> Plan:
    return paced(call, HOSTILE, pieces=cut(HOSTILE, max(1, call.integer("chunk", 3))))


@ORDINARY.add(
    "unicode", "wide, combining, right-to-left text, cut between code points of one grapheme"
)
def _unicode(call: Call) -> Plan:
    return paced(
        call,
        list(
            "日本語テキスト עברית العربية e\u0301 n\u0303 👩🏽\u200d🚀 🏳️\u200d🌈 🇫🇷 ไทย हिन्दी\n" * 3
        ),
    )


@ORDINARY.add("reasoning", "reasoning deltas first, then the answer")
def _reasoning(call: Call) -> Plan:
    return paced(call, "The answer is 42.", reasoning=cut("Let me think about that step by step."))


@ORDINARY.add("refuse", "a polite refusal")
def _refuse(call: Call) -> Plan:
    return paced(call, "I'm sorry, but I can't help with that.")


@ORDINARY.add("content-filter", "some text, then the finish reason content_filter")
def _content_filter(call: Call) -> Plan:
    return paced(call, "This answer was", finish="content_filter")


@ORDINARY.add("length", "some text, cut off with the finish reason length")
def _length(call: Call) -> Plan:
    return paced(call, "This answer is too long and it ends in the mid", finish="length")


@ORDINARY.add("tool-call", "calls the first tool it was given [name, arguments]")
def _tool_call(call: Call) -> Plan:
    tools = call.body.get("tools") or [{}]
    first = tools[0].get("function", tools[0])
    name = call.params.get("name") or first.get("name") or "no_tool_given"
    return paced(
        call,
        [],
        finish="tool_calls",
        tool_calls=[{"name": name, "arguments": call.params.get("arguments", "{}")}],
    )


@ORDINARY.add("repeat-line", "an honest answer of one identical line many times [times=300]")
def _repeat_line(call: Call) -> Plan:
    return paced(call, ["the same line again\n"] * call.integer("times", 300))


@ORDINARY.add("usage-only", "'hi', then a usage chunk without choices and empty deltas, no finish")
def _usage_only(call: Call) -> Plan:
    return paced(call, ["hi"], usage_only=True)


@ORDINARY.add("no-usage", "'hi' and no word about usage")
def _no_usage(call: Call) -> Plan:
    return paced(call, ["hi"], send_usage=False)
