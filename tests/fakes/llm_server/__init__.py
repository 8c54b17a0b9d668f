"""A fake LLM service for tests: OpenAI- and Anthropic-compatible, standard library only.

    python -m tests.fakes.llm_server --port 0
    {"event": "listening", "port": 40123, "openai_base": "http://127.0.0.1:40123/v1", ...}

It speaks two wire formats over the same scenarios, so a provider switch can be tested for real:

    POST /v1/chat/completions   OpenAI chat completions, streaming (SSE) or not
    POST /v1/messages           Anthropic messages, streaming (SSE) or not
    GET  /v1/models             every scenario, as a model list

The *model name* picks the scenario. A provider prefix is ignored, parameters may follow a colon:

    echo                        repeats the last user message
    openai/slow:delay_ms=50,tokens=200
    anthropic/rate-limited:times=2,retry_after=1

`--list` prints every scenario with its parameters. A parameter that no scenario knows
(`id=7`) makes a model name of its own, so that `times` counts from the start.

Tests look at what the model really got, and at what became of each request:

    GET    /requests            every request so far, oldest first (bodies as received, keys masked)
    GET    /requests/last       the newest one;  GET /requests/3  the one with id 3
    GET    /requests?model=echo only those whose scenario is 'echo'
    DELETE /requests            forget them
    POST   /script              queue replies for the next calls, whatever model they name:
                                {"replies": [{"text": "hello"}, {"status": 429, "retry_after": 1}]}
    DELETE /script              drop the queued replies
    GET    /health              {"ok": true}

Each recorded request has `outcome`: 'running', 'complete', 'client-disconnected',
'dropped-by-server' or 'error-reply', with `chunks_sent` and `ms`, so a test can assert that
cancelling in the client closed the connection.

In one process, for a pytest fixture:

    with FakeLLMServer() as server:
        server.openai_base, server.anthropic_base, server.requests(), server.script({"text": "hi"})

Only loopback addresses are accepted for --host. Nothing here talks to anything else.
"""

from __future__ import annotations

from tests.fakes.llm_server.inprocess import FakeLLMServer

__all__ = ["FakeLLMServer"]
