"""OpenAI chat completions, streamed and whole."""

from __future__ import annotations

import json
import time
from typing import Any

from tests.fakes.llm_server.plan import Call, Plan, cut
from tests.fakes.llm_server.request import tokens_in


class OpenAIFormat:
    path = "/v1/chat/completions"

    def __init__(self, call: Call, number: int) -> None:
        self.call, self.id = call, f"chatcmpl-fake-{number:06d}"
        options = call.body.get("stream_options") or {}
        self.include_usage = bool(options.get("include_usage"))

    def _chunk(self, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": int(time.time()),
            "model": self.call.model,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }

    @staticmethod
    def sse(data: dict[str, Any] | str) -> bytes:
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        return f"data: {text}\n\n".encode()

    def begin(self, plan: Plan) -> bytes:
        return self.sse(self._chunk({"role": "assistant", "content": ""}))

    def reasoning(self, text: str) -> bytes:
        return self.sse(self._chunk({"reasoning_content": text}))

    def piece(self, text: str, plan: Plan) -> bytes:
        if plan.empty_choices:
            return self.sse(dict(self._chunk({}), choices=[]))
        return self.sse(self._chunk({"content": text}))

    def tool(self, index: int, tool: dict[str, Any]) -> bytes:
        head = {
            "index": index,
            "id": f"call_fake_{index}",
            "type": "function",
            "function": {"name": tool["name"], "arguments": ""},
        }
        out = self.sse(self._chunk({"tool_calls": [head]}))
        for part in cut(tool["arguments"], 8):
            out += self.sse(
                self._chunk({"tool_calls": [{"index": index, "function": {"arguments": part}}]})
            )
        return out

    def end(self, plan: Plan, text: str) -> bytes:
        if plan.usage_only:
            return self._usage_only_end()
        if plan.empty_choices:
            return self.sse("[DONE]")
        out = self.sse(self._chunk({}, plan.finish))
        if self.include_usage and plan.send_usage:
            usage = dict(self._chunk({}), choices=[], usage=self._usage(text))
            out += self.sse(usage)
        return out + self.sse("[DONE]")

    def _usage_only_end(self) -> bytes:
        usage = {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}
        chunks = [
            dict(self._chunk({}), choices=[], usage=usage),
            self._chunk({}),
            self._chunk({"content": None}),
        ]
        return b"".join(self.sse(chunk) for chunk in chunks) + self.sse("[DONE]")

    def _usage(self, text: str) -> dict[str, int]:
        asked = tokens_in("".join(m["content"] for m in self.call.messages))
        return {
            "prompt_tokens": asked,
            "completion_tokens": tokens_in(text),
            "total_tokens": asked + tokens_in(text),
        }

    def garbage(self) -> bytes:
        return b'data: {"id": "broken", "choices": [{"delta": {"content": "cut he\n\n'

    def stream_error(self, plan: Plan) -> bytes:
        return self.sse(self.error(plan)) + self.sse("[DONE]")

    def error(self, plan: Plan) -> dict[str, Any]:
        return {
            "error": {
                "message": plan.error_message,
                "type": plan.error_type,
                "param": None,
                "code": plan.error_code,
            }
        }

    def whole(self, plan: Plan, text: str, reasoning: str) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if reasoning:
            message["reasoning_content"] = reasoning
        if plan.tool_calls:
            message["content"] = None
            message["tool_calls"] = [
                {
                    "id": f"call_fake_{i}",
                    "type": "function",
                    "function": {"name": t["name"], "arguments": t["arguments"]},
                }
                for i, t in enumerate(plan.tool_calls)
            ]
        return {
            "id": self.id,
            "object": "chat.completion",
            "created": int(time.time()),
            "model": self.call.model,
            "choices": [{"index": 0, "message": message, "finish_reason": plan.finish}],
            "usage": self._usage(text),
        }

    def status(self, plan: Plan) -> int:
        return plan.status
