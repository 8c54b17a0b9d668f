"""An export that is watched tells how far it is; one that is stopped leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from smriti_tui.domain.errors import Declined
from smriti_tui.domain.ids import SessionId
from smriti_tui.services import Services
from smriti_tui.services.export_watch import Watch
from smriti_tui.services.exporting import Format
from tests.support import content, send


class Impatient(Watch):
    """Stops by itself, as a person would."""

    def step(self) -> None:
        super().step()
        if self.count == 5:
            self.stop()


async def told(services: Services) -> SessionId:
    space = services.spaces.create("alpha").id
    session = services.sessions.new(space).id
    for number in range(4):
        await send(services, session, f"question {number}")
    services.checkpoints.create(space, content("S", "D"))
    return session


@pytest.mark.parametrize("form", ["md", "json", "jsonl", "bundle"])
async def test_a_stopped_export_leaves_what_was_there(
    services: Services, tmp_path: Path, form: Format
) -> None:
    await told(services)
    selection = services.exporting.select(space="alpha")
    place = tmp_path / "out" / "export"
    place.parent.mkdir()

    def export(watch: Watch) -> None:
        if form == "bundle":
            services.exporting.to_folder(selection, place, watch=watch)
        else:
            services.exporting.to_file(selection, form, place, watch=watch)

    with pytest.raises(Declined) as caught:
        export(Impatient())
    assert caught.value.code == "stopped"
    assert list(place.parent.iterdir()) == []
    watch = Watch()
    export(watch)
    assert watch.count > 8
    before = _bytes(place)
    with pytest.raises(Declined):
        export(Impatient())
    assert _bytes(place) == before
    assert list(place.parent.iterdir()) == [place]


def _bytes(place: Path) -> dict[str, bytes]:
    files = [place] if place.is_file() else [each for each in place.rglob("*") if each.is_file()]
    return {str(each): each.read_bytes() for each in files}
