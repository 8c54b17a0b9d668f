"""Every scenario by name, and the plan of a queued reply."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from tests.fakes.llm_server.drafts import DRAFTS
from tests.fakes.llm_server.faults import FAULTS
from tests.fakes.llm_server.ordinary import ORDINARY
from tests.fakes.llm_server.plan import Call, Plan, Scenario, failure, paced
from tests.fakes.llm_server.request import parse_model

SCENARIOS: dict[str, tuple[Scenario, str]] = {**ORDINARY, **DRAFTS, **FAULTS}


def plan_from_script(reply: dict[str, Any], call: Call) -> Plan:
    """A queued reply: {"text" | "json" | "scenario" | "status", and any field of Plan}."""
    if "scenario" in reply:
        name, params = parse_model(str(reply["scenario"]))
        call = dataclasses.replace(call, scenario=name, params=params)
        plan = plan_of(call)
    elif int(reply.get("status", 200)) >= 400:
        headers = {"retry-after": str(reply["retry_after"])} if "retry_after" in reply else {}
        plan = failure(
            int(reply["status"]),
            str(reply.get("type", "api_error")),
            str(reply.get("message", "as scripted")),
            headers=headers,
        )
    elif "json" in reply:
        plan = paced(call, json.dumps(reply["json"], ensure_ascii=False))
    else:
        plan = paced(call, str(reply.get("text", "")))
    allowed = {f.name for f in dataclasses.fields(Plan)} - {"raw_body"}
    fields = {k: v for k, v in reply.items() if k in allowed}
    if "chunks" in reply:
        fields["pieces"] = [str(c) for c in reply["chunks"]]
    return dataclasses.replace(plan, **fields)


def plan_of(call: Call) -> Plan:
    """The plan of the scenario that the call names; an unknown name is answered with a 404."""
    return SCENARIOS.get(call.scenario, SCENARIOS["not-found"])[0](call)
