"""Artifacts of a draft: taken from a turn, a code block or a file, written by hand, saved whole."""

from __future__ import annotations

from pathlib import Path

from tests.support import send
from tests.ui.draft_answers import JOB, answer, drafting, opened_draft
from tests.ui.house import House, settle
from tests.ui.screens_host import has_all, is_grid, press

CODE = "Keep this:\n\n```python title=build.py\ndef build():\n    return '[/x]'\n```\n"


async def test_artifacts_come_from_everywhere_and_are_saved_letter_by_letter(
    house: House, tmp_path: Path
) -> None:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "main.py").write_text("import this\n")
    (root / "notes.md").write_text("# Notes\n" * 10_000)
    (root / "photo.bin").write_bytes(b"\x00\x01")
    async with drafting(house, answer(decisions=[JOB])) as (_app, pilot, services, told):
        services.spaces.change(told.space.id, project_root=str(root))
        await send(services, told.session.id, CODE)
        screen, left = await opened_draft(pilot, services, told)
        screen.panes.rows.move_to("none:artifacts")
        text = await press(pilot, "n")
        assert has_all(text, ["1 From a turn", "2 From a code block", "3 From a file"]) == []

        text = await press(pilot, "3")
        assert has_all(text, ["notes.md", "photo.bin", "src/main.py"]) == []
        assert is_grid(pilot)
        text = await press(pilot, *"photo", "enter")
        assert has_all(text, ["! photo.bin cannot be taken: it is binary"]) == []
        text = await press(pilot, "ctrl+u", *"../x", "enter")
        assert has_all(text, ["! There is no file ../x below"]) == []
        text = await press(pilot, "ctrl+u", *"main", "enter")
        assert has_all(text, ["[x] src/main.py", "12 characters"]) == []
        await press(pilot, "n", "3", *"notes", "enter")
        assert has_all(await press(pilot), ["of 80,000 bytes were taken"]) == []

        await press(pilot, "escape", "n", "2", "enter")
        await press(pilot, "n", "1", *"9", "enter")
        await press(pilot, "n", "4", *"By hand", "tab", "tab", *"my words", "ctrl+s")
        kept = {each.artifact.label: each.artifact for each in screen.state.attachments}
        assert kept["build.py"].content.rstrip("\n") == "def build():\n    return '[/x]'"
        assert kept["turn 9, user"].content == CODE
        assert kept["By hand"].content == "my words"

        # Another label for one, and one left out.
        screen.panes.rows.move_to(f"artifact:{kept['By hand'].id}")
        await press(pilot, "e", "end", *"!", "ctrl+s", "space", "w")
        await settle(pilot)
        made = left[0].made if left and left[0] is not None else None
        assert made is not None
        assert [each.label for each in made.body.artifacts] == [
            "bench.csv", "src/main.py", "notes.md", "build.py", "turn 9, user",
        ]  # fmt: skip


async def test_without_a_project_root_a_file_says_where_one_is_set(house: House) -> None:
    async with drafting(house, answer(decisions=[JOB]), size=(80, 24)) as (
        _app, pilot, services, told,
    ):  # fmt: skip
        screen, _ = await opened_draft(pilot, services, told)
        screen.panes.rows.move_to("none:artifacts")
        text = await press(pilot, "n", "3")
        assert has_all(text, ["! This Space has no project root. e on the Space in pane 1"]) == []
        text = await press(pilot, "escape", "n", "2")
        assert has_all(text, ["No turn of this session holds a code block."]) == []
        text = await press(pilot, "n", "1", *"99", "enter")
        assert has_all(text, ["no turn 99"]) == []
