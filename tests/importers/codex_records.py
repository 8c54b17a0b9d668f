"""Records as Codex writes them."""

from __future__ import annotations

SESSION = "019d0000-0000-7000-8000-000000000001"


def record(kind: str, /, **payload: object) -> dict[str, object]:
    return {"timestamp": "2026-04-02T08:00:00.000Z", "type": kind, "payload": payload}


def meta(**more: object) -> dict[str, object]:
    return record("session_meta", id=SESSION, timestamp="2026-04-02T08:00:00.000Z", **more)


def typed(text: str, /, **more: object) -> dict[str, object]:
    return record("event_msg", type="user_message", message=text, **more)


def shown(text: str, phase: str | None = "final_answer") -> dict[str, object]:
    return record("event_msg", type="agent_message", message=text, phase=phase)


def event(kind: str, /, **more: object) -> dict[str, object]:
    return record("event_msg", type=kind, **more)


def message(role: str, *texts: str, **more: object) -> dict[str, object]:
    """Of the model's history."""
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    return record("response_item", type="message", role=role, content=content, **more)


def item(kind: str, /, **more: object) -> dict[str, object]:
    return record("response_item", type=kind, **more)


def completed(kind: str, /, **more: object) -> dict[str, object]:
    return event("item_completed", item={"type": kind, **more})


def call(name: str, number: str, arguments: str = "{}") -> dict[str, object]:
    return item("function_call", name=name, arguments=arguments, call_id=number)


def output(number: str, found: object) -> dict[str, object]:
    return item("function_call_output", call_id=number, output=found)
