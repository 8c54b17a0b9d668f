"""The turns that the records of a Codex session make, in the order of its lines.

A file tells its conversation in up to three ways that repeat each other: as events (what was typed
and shown), as completed items, as the model's own history. One of them is read for words; tool
calls stand in the last alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import Final

from smriti_tui.domain.imported import (
    Detail,
    DetailKind,
    Flag,
    ImportedTurn,
    cut_detail,
)
from smriti_tui.domain.model import Role
from smriti_tui.importers.beside import Beside
from smriti_tui.importers.codex_parts import (
    Words,
    as_text,
    content_words,
    items,
    mapping,
    output_of,
    picture,
    readable,
    text_of,
    words_of,
)
from smriti_tui.importers.codex_records import Entry

_QUIET_EVENTS: Final = frozenset({
    "agent_message_delta", "agent_reasoning_section_break", "background_event", "context_compacted",
    "exec_command_begin", "exec_command_end", "exec_command_output_delta", "item_started",
    "mcp_tool_call_begin", "mcp_tool_call_end", "patch_apply_begin", "patch_apply_end",
    "plan_update", "session_configured", "shutdown_complete", "task_complete", "task_started",
    "thread_name_updated", "token_count", "turn_complete", "turn_diff", "turn_started",
    "web_search_begin", "web_search_end",
})  # fmt: skip
"""They tell how work went on, or repeat what response items hold."""
_QUIET_ITEMS: Final = frozenset({
    "compaction", "compaction_summary", "context_compaction", "ghost_snapshot",
})  # fmt: skip
_QUIET_COMPLETED: Final = frozenset({
    "commandexecution", "contextcompaction", "filechange", "imageview", "mcptoolcall", "websearch",
})  # fmt: skip
_QUIET_KINDS: Final = frozenset({"session_meta", "state", "world_state"})


class Telling(Enum):
    """Which records hold the words; the first that a file has counts."""

    EVENTS = "events"
    ITEMS = "items"
    HISTORY = "history"


@dataclass(frozen=True)
class RolledBack:
    """The last turns of the person, and what followed, were taken back."""

    turns: int


class Builder:
    """Takes records one by one and makes turns of them."""

    def __init__(self, telling: Telling, *, keep: bool) -> None:
        """`keep`: whether details are wanted, or only counted."""
        self._telling = telling
        self._beside = Beside(keep=keep)
        self._seen: Counter[str] = Counter()
        self._calls: dict[str, str] = {}
        self._said: tuple[Words, str | None] | None = None
        """The last comment on work under way, and when: the reply, if no other comes."""
        self._model: str | None = None
        self.left_out: Counter[str] = Counter()

    @property
    def waiting(self) -> int:
        """Details that no turn has followed."""
        return self._beside.count + (self._said is not None)

    def take(self, entry: Entry) -> Iterator[ImportedTurn | RolledBack]:
        if entry.kind == "event_msg":
            yield from self._event(entry)
        elif entry.kind == "response_item":
            yield from self._item(entry)
        elif entry.kind == "turn_context":
            self._model = text_of(entry.payload.get("model")) or self._model
        elif entry.kind == "compacted":
            yield from self._compacted(entry)
        elif entry.kind not in _QUIET_KINDS:
            self._unknown("record", entry.kind)

    def _unknown(self, what: str, kind: str) -> None:
        self.left_out[f"{what} {kind[:60]}" if kind else f"{what} without a type"] += 1

    # ---- words -----------------------------------------------------------------------------------

    def _message(
        self, role: str, words: Words, entry: Entry, phase: object
    ) -> Iterator[ImportedTurn]:
        if words.injected:
            self.left_out["injected context"] += words.injected
        if not words.text.strip():
            for detail in words.details:
                self._beside.add(detail)
        elif role == "assistant" and phase == "commentary":
            self._comment()
            self._said = (words, entry.at)
        else:
            if role == "user":
                yield from self._unfinished()
            self._comment()
            yield self._turn(role, words, entry.at)

    def _comment(self) -> None:
        """A comment that others followed is a detail of the reply."""
        if self._said is not None:
            words, self._said = self._said[0], None
            self._beside.add(cut_detail("note", words.text, name="commentary"))
            for detail in words.details:
                self._beside.add(detail)

    def _unfinished(self) -> Iterator[ImportedTurn]:
        """The reply of a turn that ended before its answer: the last that was said."""
        if self._said is not None:
            (words, at), self._said = self._said, None
            yield self._turn("assistant", words, at, ("partial",))

    def _turn(
        self, role: str, words: Words, at: str | None, flags: tuple[Flag, ...] = ()
    ) -> ImportedTurn:
        own: Role = "user" if role == "user" else "assistant" if role == "assistant" else "system"
        # By the words, for a file that grows may tell them in another way than before.
        key = sha256(f"{own}\0{words.text}".encode("utf-8", "surrogatepass")).hexdigest()[:20]
        self._seen[key] += 1
        return ImportedTurn(
            source_id=f"{key}-{self._seen[key]}",
            role=own,
            text=words.text,
            said_at=at,
            model=self._model if own == "assistant" else None,
            # A note of the system's stands amidst work that goes on.
            details=(*(() if own == "system" else self._beside.take()), *words.details),
            flags=(*flags, *words.flags),
            original_role=None if own == role else role,
        )

    # ---- kinds of records ------------------------------------------------------------------------

    def _event(self, entry: Entry) -> Iterator[ImportedTurn | RolledBack]:
        payload = entry.payload
        kind = text_of(payload.get("type"))
        if kind in ("user_message", "agent_message"):
            if self._telling is Telling.EVENTS:
                yield from self._shown(kind, entry)
        elif kind in ("agent_reasoning", "agent_reasoning_raw_content"):
            self._reasoning([payload.get("text")])
        elif kind == "item_completed":
            yield from self._completed(entry)
        elif kind == "turn_aborted":
            yield from self._unfinished()
        elif kind == "thread_rolled_back":
            yield from self._rolled_back(payload.get("num_turns"))
        elif kind in ("error", "stream_error", "warning"):
            text = as_text(payload.get("message"))
            self._beside.add(cut_detail("note", text, name=kind, error=True))
        elif kind not in _QUIET_EVENTS:
            self._unknown("event", kind)

    def _shown(self, kind: str, entry: Entry) -> Iterator[ImportedTurn]:
        payload = entry.payload
        if kind == "agent_message":
            words = content_words(payload.get("message"), person=False)
            yield from self._message("assistant", words, entry, payload.get("phase"))
            return
        if payload.get("kind") in ("user_instructions", "environment_context"):
            self.left_out["injected context"] += 1
            return
        images = [*items(payload.get("images")), *items(payload.get("local_images"))]
        yield from self._message("user", words_of(payload.get("message"), images), entry, None)

    def _completed(self, entry: Entry) -> Iterator[ImportedTurn]:
        item = mapping(entry.payload.get("item"))
        kind = text_of(item.get("type")).replace("_", "").lower()
        if kind in ("usermessage", "agentmessage"):
            if self._telling is Telling.ITEMS:
                person = kind == "usermessage"
                words = content_words(item.get("content"), person=person, typed=True)
                role = "user" if person else "assistant"
                yield from self._message(role, words, entry, item.get("phase"))
        elif kind == "reasoning":
            self._reasoning(items(item.get("summary_text")))
        elif kind == "plan":
            self._beside.add(cut_detail("artifact", as_text(item.get("text")), name="plan"))
        elif kind not in _QUIET_COMPLETED:
            self._unknown("item", kind)

    def _item(self, entry: Entry) -> Iterator[ImportedTurn]:
        payload = entry.payload
        kind = text_of(payload.get("type"))
        if kind == "message":
            if self._telling is Telling.HISTORY:
                yield from self._of_history(entry)
        elif kind == "reasoning":
            self._reasoning([mapping(each).get("text") for each in items(payload.get("summary"))])
        elif kind.endswith("_output"):
            self._output(payload)
        elif kind.endswith("_call"):
            self._call(kind, payload)
        elif kind not in _QUIET_ITEMS:
            self._unknown("response item", kind)

    def _of_history(self, entry: Entry) -> Iterator[ImportedTurn]:
        role = text_of(entry.payload.get("role")) or "unknown"
        if role == "developer":
            self.left_out["injected context"] += 1
            return
        words = content_words(entry.payload.get("content"), person=role != "assistant")
        yield from self._message(role, words, entry, entry.payload.get("phase"))

    def _compacted(self, entry: Entry) -> Iterator[ImportedTurn]:
        words = content_words(entry.payload.get("message"), person=False)
        if words.text.strip():
            yield self._turn("system", words, entry.at, ("summary",))
        else:
            self._beside.add(Detail("note", "compacted", "Codex shortened what the model sees."))

    def _rolled_back(self, turns: object) -> Iterator[ImportedTurn | RolledBack]:
        if isinstance(turns, bool) or not isinstance(turns, int) or turns < 1:
            self._unknown("event", "thread_rolled_back without a number")
            return
        yield from self._unfinished()
        if self.waiting:
            self.left_out["details of what was rolled back"] += self.waiting
            self._beside.take()
        yield RolledBack(turns)

    # ---- details ---------------------------------------------------------------------------------

    def _reasoning(self, texts: list[object]) -> None:
        for each in texts:
            self._beside.add_once(cut_detail("reasoning", readable(text_of(each))))

    def _call(self, kind: str, payload: dict[str, object]) -> None:
        name = text_of(payload.get("name")) or kind.removesuffix("_call")
        asked = next(
            (payload[key] for key in ("arguments", "input", "action") if key in payload), ""
        )
        call = text_of(payload.get("call_id"))
        if call:
            self._calls[call] = name[:200]
        self._add("tool_call", as_text(asked), name, call)
        if kind == "image_generation_call" and (found := picture(payload.get("result"))):
            self._beside.add(Detail("attachment", "image", size_bytes=found.size_bytes))

    def _output(self, payload: dict[str, object]) -> None:
        call = text_of(payload.get("call_id"))
        found = output_of(payload.get("output"))
        name = self._calls.pop(call, "")
        self._add("tool_result", found.text, name, call, error=found.error, after=True)
        for each in found.pictures:
            self._beside.add(each)

    def _add(
        self,
        kind: DetailKind,
        text: str,
        name: str,
        call: str,
        *,
        error: bool = False,
        after: bool = False,
    ) -> None:
        text = readable(text)
        detail = cut_detail(kind, text, name=name[:200], error=error)
        self._beside.add(detail, call, after=after)
