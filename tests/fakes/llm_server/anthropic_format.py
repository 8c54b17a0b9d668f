"""Anthropic messages, streamed and whole."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from tests.fakes.llm_server.openai_format import OpenAIFormat
from tests.fakes.llm_server.plan import Call, Plan, cut
from tests.fakes.llm_server.request import tokens_in


class AnthropicFormat(OpenAIFormat):
    path = "/v1/messages"
    STOP: ClassVar[dict[str, str]] = {
        "stop": "end_turn",
        "length": "max_tokens",
        "content_filter": "refusal",
        "tool_calls": "tool_use",
    }
    ERRORS: ClassVar[dict[str, str]] = {
        "server_error": "api_error",
        "insufficient_quota": "rate_limit_error",
    }

    def __init__(self, call: Call, number: int) -> None:
        super().__init__(call, number)
        self.id, self.index, self.open = f"msg_fake_{number:06d}", -1, ""

    @staticmethod
    def event(kind: str, **data: Any) -> bytes:
        text = json.dumps({"type": kind, **data}, ensure_ascii=False)
        return f"event: {kind}\ndata: {text}\n\n".encode()

    def _asked(self) -> int:
        return tokens_in("".join(m["content"] for m in self.call.messages))

    def _switch(self, kind: str, block: dict[str, Any]) -> bytes:
        if self.open == kind and kind != "tool_use":
            return b""
        out = self.event("content_block_stop", index=self.index) if self.open else b""
        self.index, self.open = self.index + 1, kind
        return out + self.event(
            "content_block_start", index=self.index, content_block={"type": kind, **block}
        )

    def begin(self, plan: Plan) -> bytes:
        message: dict[str, Any] = {
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "model": self.call.model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": self._asked(), "output_tokens": 1},
        }
        return self.event("message_start", message=message) + self.event("ping")

    def reasoning(self, text: str) -> bytes:
        return self._switch("thinking", {"thinking": "", "signature": ""}) + self.event(
            "content_block_delta",
            index=self.index,
            delta={"type": "thinking_delta", "thinking": text},
        )

    def piece(self, text: str, plan: Plan) -> bytes:
        if plan.empty_choices:
            return self.event("ping")
        return self._switch("text", {"text": ""}) + self.event(
            "content_block_delta", index=self.index, delta={"type": "text_delta", "text": text}
        )

    def tool(self, index: int, tool: dict[str, Any]) -> bytes:
        out = self._switch(
            "tool_use", {"id": f"toolu_fake_{index}", "name": tool["name"], "input": {}}
        )
        for part in cut(tool["arguments"], 8):
            out += self.event(
                "content_block_delta",
                index=self.index,
                delta={"type": "input_json_delta", "partial_json": part},
            )
        return out

    def end(self, plan: Plan, text: str) -> bytes:
        out = self.event("content_block_stop", index=self.index) if self.open else b""
        delta = {"stop_reason": self.STOP.get(plan.finish, "end_turn"), "stop_sequence": None}
        usage = {"output_tokens": tokens_in(text)}
        if plan.usage_only:
            out += self.event("message_delta", delta={}, usage={"input_tokens": 3, **usage})
        out += self.event("message_delta", delta=delta, usage=usage)
        return out + self.event("message_stop")

    def garbage(self) -> bytes:
        return (
            b"event: content_block_delta\n"
            b'data: {"type": "content_block_delta", "delta": {"text": "cut he\n\n'
        )

    def stream_error(self, plan: Plan) -> bytes:
        return self.event("error", error=self.error(plan)["error"])

    def error(self, plan: Plan) -> dict[str, Any]:
        kind = self.ERRORS.get(plan.error_type, plan.error_type)
        return {"type": "error", "error": {"type": kind, "message": plan.error_message}}

    def whole(self, plan: Plan, text: str, reasoning: str) -> dict[str, Any]:
        content: list[dict[str, Any]] = []
        if reasoning:
            content.append({"type": "thinking", "thinking": reasoning, "signature": ""})
        if text or not plan.tool_calls:
            content.append({"type": "text", "text": text})
        for i, tool in enumerate(plan.tool_calls):
            content.append(
                {
                    "type": "tool_use",
                    "id": f"toolu_fake_{i}",
                    "name": tool["name"],
                    "input": json.loads(tool["arguments"] or "{}"),
                }
            )
        return {
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "model": self.call.model,
            "content": content,
            "stop_reason": self.STOP.get(plan.finish, "end_turn"),
            "stop_sequence": None,
            "usage": {"input_tokens": self._asked(), "output_tokens": tokens_in(text)},
        }

    def status(self, plan: Plan) -> int:
        return 529 if plan.error_type == "overloaded_error" else plan.status


FORMATS: dict[str, type[OpenAIFormat]] = {
    "/v1/chat/completions": OpenAIFormat,
    "/chat/completions": OpenAIFormat,
    "/v1/messages": AnthropicFormat,
    "/messages": AnthropicFormat,
}
