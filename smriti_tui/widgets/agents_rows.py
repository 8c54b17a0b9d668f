"""The rows of pane 5: values in, rows out. Ages and what is left are told as of `now`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from smriti_tui.domain.claims import Claim
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.durations import seconds_between, span_words
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.agent_signs import AgentSign
from smriti_tui.domain.render.ages import exact
from smriti_tui.domain.render.paths import with_tilde
from smriti_tui.domain.render.short_times import clock, short_age
from smriti_tui.domain.worktrees import WorktreeLook
from smriti_tui.widgets.row_list import Piece, Row, RowLine, wrapped

GAP = RowLine(())
AGENT_CELLS, INTENT_CELLS, TREE_CELLS = 14, 12, 22
"""Columns of a row on one line."""
IN_THE_PAST_S = 60


@dataclass(frozen=True)
class FeedLine:
    """One event in words."""

    position: int
    who: str
    door: str
    words: str
    at: str
    """UTC text."""


@dataclass(frozen=True)
class AgentsView:
    """All that the four tabs show."""

    me: str = ""
    now: str = ""
    claims: tuple[Claim, ...] = ()
    """Those that nobody ended, the newest first; they hold as long as their time is not up."""
    over: tuple[Claim, ...] = ()
    """Some that hold no more, the last first."""
    worktrees: tuple[WorktreeLook, ...] = ()
    signs: tuple[AgentSign, ...] = ()
    feed: tuple[FeedLine, ...] = ()
    writers: tuple[str, ...] = ()
    last: int = 0
    """Position of the newest event of the log."""
    last_at: str = ""
    home: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    """Of the actions that rows name."""

    @property
    def holding(self) -> tuple[Claim, ...]:
        """The claims that hold now."""
        return tuple(each for each in self.claims if each.holds(self.now))

    @property
    def past(self) -> tuple[Claim, ...]:
        """Those whose time is up, and those that ended lately."""
        held = {each.id for each in self.holding}
        found = {each.id: each for each in (*self.claims, *self.over) if each.id not in held}
        return tuple(found.values())

    def tree(self, claim: Claim) -> WorktreeLook | None:
        """The worktree of a claim, while it is open."""
        return next((each for each in self.worktrees if each.worktree.id == claim.worktree), None)

    def who(self, actor: str) -> str:
        """`you` for the person here."""
        return "you" if actor == self.me else clean_line(actor)


# ---- claims --------------------------------------------------------------------------------------


def claim_rows(view: AgentsView, width: int, *, one: bool) -> tuple[Row, ...]:
    """Claims that hold, signs that matter, those that ended lately, and who wrote."""
    rows = [_claim(view, each, one) for each in view.holding]
    loud = [each for each in view.signs if each.mark == "!"]
    quiet = [each for each in view.signs if each.mark == "~"]
    rows += [_sign(view, each, width, one) for each in loud]
    if quiet:
        rows.append(_heading("signals", "Signals"))
        rows += [_sign(view, each, width, one) for each in quiet]
    if past := view.past:
        rows.append(_heading("past", "Ended lately"))
        rows += [_past(view, each) for each in past]
    if rows and view.last:
        rows.append(Row("writers", tuple(_writers(view)), rests=False))
    return tuple(rows)


def _heading(key: str, words: str) -> Row:
    return Row(f"head:{key}", (RowLine((Piece(f" {words}", "strong"),)),), rests=False)


def _claim(view: AgentsView, claim: Claim, one: bool) -> Row:
    left = span_words(claim.left_s(view.now))
    who, scope = view.who(claim.agent), clean_line(claim.scope)
    tree, task = _tree_words(view, claim), clean_line(claim.task_id or "")
    if one:
        pieces = [
            Piece(f" {who:<{AGENT_CELLS}.{AGENT_CELLS}} ", "strong"),
            Piece(f"{claim.intent:<{INTENT_CELLS}} "),
            Piece(f'"{scope}"'),
            *([Piece(f"   {tree}", "muted")] if tree else []),
            *([Piece(f"   task {task}", "muted")] if task else []),
        ]
        return Row(f"claim:{claim.id}", (RowLine(tuple(pieces), left),))
    lines = [
        RowLine((Piece(f" {who}", "strong"),), f"{claim.intent} {left}"),
        RowLine((Piece(f'   "{scope}"'),)),
    ]
    if tree:
        lines.append(RowLine((Piece(f"   {tree}", "muted"),)))
    if task:
        lines.append(RowLine((Piece(f"   task {task}", "muted"),)))
    return Row(f"claim:{claim.id}", (*lines, GAP))


def _past(view: AgentsView, claim: Claim) -> Row:
    state = claim.state(view.now)
    moment = claim.ended_at or claim.expires_at
    words = f' {view.who(claim.agent)}: "{clean_line(claim.scope)}"'
    line = RowLine((Piece(words, "muted"),), f"{state} {short_age(moment, view.now)}")
    return Row(f"claim:{claim.id}", (line,))


def _tree_words(view: AgentsView, claim: Claim) -> str:
    if claim.worktree is None:
        return ""
    look = view.tree(claim)
    if look is None:
        return "worktree closed"
    return f"{clean_line(look.worktree.branch)}   {drift(look)}"


def drift(look: WorktreeLook) -> str:
    """`+3 ~2`: commits ahead, changed files; `-1` behind; words where git cannot say."""
    probed = look.probed
    if probed is None:
        return "..."
    if probed.fault:
        return f"? {clean_line(probed.fault)}"
    ahead = [f"+{probed.ahead}"] if probed.ahead is not None else []
    behind = [f"-{probed.behind}"] if probed.behind else []
    operation = [clean_line(probed.operation)] if probed.operation else []
    return " ".join([*ahead, *behind, f"~{len(probed.dirty)}", *operation])


def _writers(view: AgentsView) -> Iterator[RowLine]:
    yield GAP
    yield RowLine((Piece(f" Writers seen: {len(view.writers)}", "muted"),))
    last = f"{view.last:,}".replace(",", " ")
    yield RowLine((Piece(f" last event {last}, {ago(view.last_at, view.now)}", "muted"),))


def ago(moment: str, now: str) -> str:
    """How long ago, to the minute; a clock that was turned back makes no age below nothing."""
    if not moment or seconds_between(moment, now) < IN_THE_PAST_S:
        return "just now"
    return f"{short_age(moment, now)} ago"


# ---- signs ---------------------------------------------------------------------------------------


def sign_rows(view: AgentsView, width: int, *, one: bool) -> tuple[Row, ...]:
    """Conflicts and overlaps, then what only differs."""
    return tuple(_sign(view, each, width, one) for each in view.signs)


def _sign(view: AgentsView, sign: AgentSign, width: int, one: bool) -> Row:
    explain = f"{key}: explain" if (key := view.keys.get("conflict.explain", "")) else ""
    tone = "accent" if sign.mark == "!" else "plain"
    if one:
        words = "   ".join((sign.head, *sign.lines))
        line = RowLine((Piece(f" {sign.mark} ", tone), Piece(words)), explain)
        return Row(sign.key, (line,))
    head = wrapped(sign.head, width - 4)
    lines = [RowLine((Piece(f" {sign.mark} ", tone), Piece(head[0], _strong(sign))))]
    lines += [RowLine((Piece(f"   {each}"),)) for each in head[1:]]
    said = [line for each in sign.lines for line in wrapped(each, width - 4)]
    lines += [RowLine((Piece(f"   {each}"),)) for each in said]
    if sign.mark == "!":
        last = lines.pop()
        return Row(sign.key, (*lines, RowLine(last.left, explain), GAP))
    return Row(sign.key, tuple(lines))


def _strong(sign: AgentSign) -> str:
    return "strong" if sign.mark == "!" else "plain"


# ---- worktrees -----------------------------------------------------------------------------------


def worktree_rows(view: AgentsView, *, one: bool) -> tuple[Row, ...]:
    """The open worktrees of the Space."""
    return tuple(_worktree(view, each, one) for each in view.worktrees)


def _worktree(view: AgentsView, look: WorktreeLook, one: bool) -> Row:
    tree = look.worktree
    who, branch = view.who(tree.agent), clean_line(tree.branch)
    path = clean_line(with_tilde(tree.path, view.home))
    other = look.probed is not None and not look.probed.fault and look.probed.branch != tree.branch
    really = f"on {clean_line(look.probed.branch or 'no branch')}" if other and look.probed else ""
    key = f"worktree:{tree.id}"
    if one:
        words = "   ".join(filter(None, (path, really)))
        pieces = (
            Piece(f" {who:<{AGENT_CELLS}.{AGENT_CELLS}} ", "strong"),
            Piece(f"{branch:<{TREE_CELLS}} "),
            Piece(words, "muted"),
        )
        return Row(key, (RowLine(pieces, drift(look)),))
    lines = [
        RowLine((Piece(f" {who}", "strong"),), short_age(tree.opened_at, view.now)),
        RowLine((Piece(f"   {branch}"),)),
        RowLine((Piece(f"   {drift(look)}"),)),
        *([RowLine((Piece(f"   {really}", "accent"),))] if really else []),
        RowLine((Piece(f"   {_end(path)}", "muted"),)),
    ]
    return Row(key, (*lines, GAP))


def _end(path: str) -> str:
    """Of a path its last two parts: the place of all worktrees is the same."""
    return "/".join(path.split("/")[-2:])


# ---- the feed ------------------------------------------------------------------------------------


def feed_rows(view: AgentsView, *, one: bool) -> tuple[Row, ...]:
    """The newest first."""
    return tuple(_event(each, one) for each in view.feed)


def _event(event: FeedLine, one: bool) -> Row:
    key = f"event:{event.position}"
    if one:
        who = Piece(f" {event.who:<{AGENT_CELLS}.{AGENT_CELLS}} ", "strong")
        right = f"{event.door}  {clock(event.at)}"
        return Row(key, (RowLine((who, Piece(event.words)), right),))
    return Row(
        key,
        (
            RowLine((Piece(f" {event.who}", "strong"),), f"{event.door} {clock(event.at)}"),
            RowLine((Piece(f"   {event.words}"),)),
        ),
    )


def tab_words(view: AgentsView) -> str:
    """`3 !1`: claims that hold, and conflicts; empty where there is neither."""
    loud = sum(each.mark == "!" for each in view.signs)
    parts = (str(len(view.holding)) if view.holding else "", f"!{loud}" if loud else "")
    return " ".join(filter(None, parts))


def details(view: AgentsView, claim: Claim, signs: Sequence[AgentSign]) -> list[tuple[str, str]]:
    """A claim in full: headings and texts."""
    state = claim.state(view.now)
    until = {"active": "holds until", "expired": "its time was up"}.get(state, "was to hold until")
    left = f", {span_words(claim.left_s(view.now))} left" if state == "active" else ""
    when = [f"claimed {exact(claim.taken_at)}", f"{until} {exact(claim.expires_at)}{left}"]
    if claim.ended_at:
        by = f" by {clean_line(claim.ended_by)}" if claim.ended_by else ""
        when.append(f"{state} {exact(claim.ended_at)}{by}")
    base = f"at {short(claim.base)}" if claim.base else "without a checkpoint"
    look = view.tree(claim)
    facts = [
        f"claim {claim.id}",
        f"branch {clean_line(claim.branch_name)}, {base}",
        f"task {clean_line(claim.task_id)}" if claim.task_id else "no task",
        f"token {claim.token}: claims on the same task count up, the highest is the latest",
    ]
    if claim.worktree:
        where = with_tilde(look.worktree.path, view.home) if look else "closed by now"
        facts.append(f"worktree {short(claim.worktree)}: {clean_line(where)}")
    mine = [each for each in signs if claim.id in each.ids or claim.worktree in each.ids]
    told = "\n".join(f"{each.mark} {each.head}: {' '.join(each.lines)}" for each in mine)
    return [
        (f"{view.who(claim.agent)} [{claim.intent}] {state}", clean_line(claim.scope)),
        ("When", "\n".join(when)),
        ("What", "\n".join(facts)),
        ("Overlaps and signals", told or "none"),
    ]
