"""The benchmarks by name, in the order of a full run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tests.bench import (
    appending,
    brief,
    commands,
    conversation,
    feel,
    folding,
    importing,
    live,
    mcp_hello,
    merge,
    past,
    postgres,
    quoting,
    reviewing,
    search,
    start,
    streaming,
    tree,
    whole_store,
    worktrees,
)
from tests.bench.figures import Figure
from tests.bench.rounds import Plan

Bench = Callable[[Plan], list[Figure]]

BENCHES: Final[Mapping[str, Bench]] = {
    "version": commands.version,
    "start": start.start,
    "initialize": mcp_hello.initialize,
    "opening": conversation.opening,
    "typing": conversation.typing,
    "streaming": streaming.streaming,
    "screens": feel.screens,
    "palette": feel.palette,
    "idle": feel.idle,
    "memory": feel.memory,
    "reading": commands.reading,
    "append": appending.appending,
    "batches": appending.batches,
    "postgres": postgres.postgres,
    "waiting": appending.waiting,
    "many": appending.many,
    "domain": appending.domain,
    "contexts": whole_store.contexts,
    "log": whole_store.log,
    "folding": folding.folding,
    "exports": whole_store.exports,
    "importing": importing.importing,
    "search": search.search,
    "past": past.past,
    "tree": tree.tree,
    "merge": merge.merge,
    "quoting": quoting.quoting,
    "reviewing": reviewing.reviewing,
    "brief": brief.brief,
    "worktrees": worktrees.worktrees,
    "live": live.live,
}
