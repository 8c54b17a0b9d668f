"""`smriti search`: everything that was said, saved or named."""

from __future__ import annotations

import click

from smriti_tui.cli import options
from smriti_tui.cli.places import resolve_space
from smriti_tui.cli.run import Run
from smriti_tui.domain.render.search_text import MORE, found_document, found_text
from smriti_tui.domain.search_hit import KINDS

MOST = 1000


@click.command(
    cls=options.Command,
    example='smriti search "exact phrase" --space Search --kind item --since 7d',
)
@click.argument("text")
@click.option("--space", metavar="S", help="Only in this Space (default: in all).")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(list(KINDS)), help="Only these.")
@click.option("--author", metavar="A", help="Only of this person, agent or model.")
@click.option("--since", metavar="DATE", help="From then on: 2026-03-02, 36h, 7d, 2w.")
@click.option("--until", metavar="DATE", help="Up to then.")
@click.option(
    "--limit", type=click.IntRange(1, MOST), default=20, show_default=True, help="Most hits."
)
@click.pass_obj
def search(
    run: Run,
    text: str,
    space: str | None,
    kinds: tuple[str, ...],
    author: str | None,
    since: str | None,
    until: str | None,
    limit: int,
) -> None:
    """Find turns, checkpoints, items, artifacts, notes and names that hold TEXT.

    All words of TEXT must be there, in any order and any case, as they are written: nothing in it
    is syntax, but words between two double quotes stand together. The last word may be the
    beginning of one. An item is found where it was said first.
    """
    with run.services() as services:
        home = resolve_space(run, services, space).id if space is not None else None
        filters = services.searching.filters(
            space=home,
            kinds=[kind for name in kinds for kind in KINDS[name]],
            author=author,
            since=since,
            until=until,
        )
        found = services.searching.search(text, filters, limit)
        now = run.now()
    run.out.result(found_document(text, found), lambda: found_text(found, now))
    if found.more and not run.out.wants_json:
        run.out.note(MORE)
