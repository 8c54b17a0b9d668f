"""Scenarios of faults: error replies, broken connections, broken streams."""

from __future__ import annotations

from tests.fakes.llm_server.plan import Call, Plan, ScenarioTable, failure, paced, words

FAULTS = ScenarioTable()


@FAULTS.add("unauthorized", "401")
def _unauthorized(call: Call) -> Plan:
    return failure(
        401, "authentication_error", "Incorrect API key provided: sk-t***.", "invalid_api_key"
    )


@FAULTS.add("forbidden", "403")
def _forbidden(call: Call) -> Plan:
    return failure(403, "permission_error", "This key may not use that model.")


@FAULTS.add("not-found", "404: no such model")
def _not_found(call: Call) -> Plan:
    return failure(
        404, "not_found_error", f"The model '{call.model}' does not exist.", "model_not_found"
    )


@FAULTS.add("bad-request", "400")
def _bad_request(call: Call) -> Plan:
    return failure(
        400, "invalid_request_error", "Unsupported value: 'temperature'.", "unsupported_value"
    )


@FAULTS.add("context-too-long", "400 context_length_exceeded [limit=8192]")
def _context(call: Call) -> Plan:
    limit = call.integer("limit", 8192)
    return failure(
        400,
        "invalid_request_error",
        f"This model's maximum context length is {limit} tokens. "
        f"However, your messages resulted in {limit + 1} tokens.",
        "context_length_exceeded",
    )


@FAULTS.add(
    "rate-limited",
    "429 with Retry-After, always, or for the first calls only [times, retry_after=1]",
)
def _rate_limited(call: Call) -> Plan:
    if "times" in call.params and call.nth > call.integer("times", 1):
        return paced(call, "Recovered after the rate limit.")
    wait = call.params.get("retry_after", "1")
    return failure(
        429,
        "rate_limit_error",
        f"Rate limit reached. Try again in {wait}s.",
        "rate_limit_exceeded",
        headers={"retry-after": wait},
    )


@FAULTS.add("quota", "429 insufficient_quota: retrying does not help")
def _quota(call: Call) -> Plan:
    return failure(
        429, "insufficient_quota", "You exceeded your current quota.", "insufficient_quota"
    )


@FAULTS.add("server-error", "500, always, or for the first calls only [times]")
def _server_error(call: Call) -> Plan:
    if "times" in call.params and call.nth > call.integer("times", 1):
        return paced(call, "Recovered after the server error.")
    return failure(500, "server_error", "The server had an error while processing your request.")


@FAULTS.add("overloaded", "503 for OpenAI, 529 for Anthropic")
def _overloaded(call: Call) -> Plan:
    return failure(503, "overloaded_error", "Overloaded")


@FAULTS.add("bad-gateway", "502 with an HTML page")
def _bad_gateway(call: Call) -> Plan:
    return Plan(
        status=502,
        raw_body=b"<html><body><h1>502 Bad Gateway</h1></body></html>",
        raw_type="text/html",
    )


@FAULTS.add("not-json", "200 with a body that is not JSON")
def _not_json(call: Call) -> Plan:
    return Plan(raw_body=b"hello, this is no JSON", raw_type="text/plain")


@FAULTS.add("redirect", "307 to another path of this server")
def _redirect(call: Call) -> Plan:
    return Plan(status=307, raw_body=b"", headers={"location": "/health"})


@FAULTS.add("reset", "closes the connection without a response")
def _reset(call: Call) -> Plan:
    return Plan(reset=True)


@FAULTS.add("hang", "accepts the request and never answers")
def _hang(call: Call) -> Plan:
    return Plan(never_answer=True)


@FAULTS.add("drop-mid-stream", "aborts the connection after some pieces [after=5]")
def _drop(call: Call) -> Plan:
    return paced(call, words(call.integer("after", 5) + 50), drop_after=call.integer("after", 5))


@FAULTS.add("stall", "goes silent after some pieces, the connection stays open [after=5]")
def _stall(call: Call) -> Plan:
    return paced(call, words(call.integer("after", 5) + 50), stall_after=call.integer("after", 5))


@FAULTS.add(
    "no-finish", "ends the body cleanly after some pieces: no finish reason, no [DONE] [after=5]"
)
def _no_finish(call: Call) -> Plan:
    return paced(call, words(call.integer("after", 5) + 50), stop_after=call.integer("after", 5))


@FAULTS.add("bad-json", "a malformed SSE data line after some pieces, then goes on [after=5]")
def _bad_json(call: Call) -> Plan:
    return paced(call, words(call.integer("after", 5) + 5), garbage_after=call.integer("after", 5))


@FAULTS.add("error-in-stream", "an error object inside the stream after some pieces [after=5]")
def _error_in_stream(call: Call) -> Plan:
    return paced(
        call,
        words(call.integer("after", 5) + 5),
        error_after=call.integer("after", 5),
        error_type="server_error",
        error_message="The server had an error in mid-stream.",
    )


@FAULTS.add("no-stream", "answers a streaming request with one JSON body")
def _no_stream(call: Call) -> Plan:
    return paced(call, call.text_of_last("user"), ignore_stream=True)


@FAULTS.add("status", "any HTTP status with an error body [code=418, retry_after]")
def _status(call: Call) -> Plan:
    headers = {"retry-after": call.params["retry_after"]} if "retry_after" in call.params else {}
    return failure(
        call.integer("code", 418),
        "api_error",
        f"Status {call.integer('code', 418)} as asked.",
        headers=headers,
    )


PAGE = (
    b"<!doctype html><html><head><title>Sign in</title></head>"
    b"<body><form>Welcome to the network. Please sign in.</form></body></html>"
)


@FAULTS.add("web-page", "200 with an HTML page, as a captive portal or a wrong base URL gives")
def _web_page(call: Call) -> Plan:
    return Plan(raw_body=PAGE, raw_type="text/html; charset=utf-8")


@FAULTS.add("empty-choices", "a stream whose chunks hold no choice at all [tokens=5]")
def _empty_choices(call: Call) -> Plan:
    return paced(call, words(call.integer("tokens", 5)), empty_choices=True)


@FAULTS.add("drop-then-ok", "'Hello wor' and an abort on the first call, 'Hello world!' after it")
def _drop_then_ok(call: Call) -> Plan:
    if call.nth == 1:
        return paced(call, ["Hello", " wor", "never sent"], drop_after=2)
    return paced(call, ["Hello", " world!"])
