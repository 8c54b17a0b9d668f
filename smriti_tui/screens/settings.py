"""The settings: every value with where it stands, changed here and kept in `config.toml`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.config.light import styles_dir
from smriti_tui.keys import bindings, named
from smriti_tui.screens.full import LEAVING, MOVES, FullScreen, TitleLine
from smriti_tui.screens.settings_changes import Changed, Changes
from smriti_tui.screens.settings_rows import SECTIONS, Look, Section, SettingRow, rows_of
from smriti_tui.text import literal
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList
from smriti_tui.worker import in_thread

if TYPE_CHECKING:
    from smriti_tui.config.settings import Config
    from smriti_tui.services import Services

LABEL_CELLS = 18
SET_ASIDE = "file.aside"


class SettingsScreen(FullScreen[None]):
    """Sections on the left, their values on the right; a line below says what a value means."""

    CSS_PATH = [str(styles_dir() / "context.tcss"), str(styles_dir() / "settings.tcss")]  # noqa: RUF012
    HELP = (
        "Every setting with its value and where that stands: the environment comes first, then "
        "the env file, then config.toml, then the default. What is changed here is written into "
        "config.toml, and comments in it stay. Keys of providers are never shown or written."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("settings"),
        *named(*MOVES, "nav.open", "nav.left", "nav.right", "nav.fold", "nav.unfold"),
        *named("nav.tab_next", "nav.tab_prev"),
        *LEAVING,
    ]
    PLACES = ("settings", "everywhere")
    FOOTER = ("nav.open", "setting.new", "setting.test", "setting.remove", "nav.tab_next")

    @dataclass
    class Found(Message):
        """What lies ready on this machine: names of models and where they were found."""

        models: tuple[tuple[str, str], ...]

    def __init__(
        self,
        services: Services,
        changed: Callable[[Config], None],
        *,
        section: Section = "models",
    ) -> None:
        """`changed` hears of every change, and makes it count at once where that is possible."""
        super().__init__()
        self.services = services
        self._section: Section = section
        self._changed = changed
        self._found: tuple[tuple[str, str], ...] = ()
        self._rows: tuple[SettingRow, ...] = ()
        self._changes = Changes(self, services)

    def body(self) -> Iterable[Widget]:
        """The two lists, and what the row under the cursor means."""
        with Horizontal(id="settings-body"):
            sections = RowList(id="sections", classes="pane")
            sections.border_title = "Settings"
            yield sections
            yield RowList(id="values", classes="pane", empty=" Reading ...")
        with Vertical(id="setting-about", classes="pane"):
            yield Static(id="setting-words")

    def on_mount(self) -> None:
        """Shows the section; what else lies on this machine comes behind it."""
        super().on_mount()
        names = self.query_one("#sections", RowList)
        names.show_rows(tuple(Row(key, (RowLine((Piece(f" {name}"),)),)) for key, name in SECTIONS))
        names.move_to(self._section)
        self.values.focus()
        self.show()
        self._look_around()

    def _look_around(self) -> None:
        live = self.services.settings

        def work() -> tuple[tuple[str, str], ...]:
            # Loads the provider table and asks the loopback address.
            from smriti_tui.services.local_models import local_models
            from smriti_tui.services.model_list import with_key

            config = live.reload()
            taken = {entry.model for entry in config.models}
            local = [(name, "local server on port 11434") for name in local_models() or ()]
            keyed = [(f"{name}/", f"{variable} is set") for name, variable in with_key(config)]
            return tuple(each for each in (*keyed, *local) if each[0] not in taken)

        in_thread(self, work, self.Found, group="settings.found", what="Looking around")

    @on(Found)
    def _looked(self, message: Found) -> None:
        message.stop()
        self._found = message.models
        self.show()

    # ---- what is shown -------------------------------------------------------------------------

    @property
    def values(self) -> RowList:
        """The rows of the section."""
        return self.query_one("#values", RowList)

    @property
    def row(self) -> SettingRow | None:
        """The row under the cursor."""
        key = self.values.cursor_key
        return next((row for row in self._rows if row.key == key), None)

    def look(self) -> Look:
        """What the rows are made from, as it is now."""
        live = self.services.settings
        return Look(live.now, self.table, live.keys_by_file(), self._found, live.next_start.actor)

    def show(self) -> None:
        """Draws the section anew; the cursor stays on what it was on."""
        look = self.look()
        self._rows = rows_of(self._section, look)
        fault = self.services.settings.fault()
        if fault is not None:
            self._rows = (_aside_row(fault), *self._rows)
        self.values.border_title = dict(SECTIONS)[self._section]
        self.values.show_rows(tuple(map(_drawn, self._rows)))
        title = self.query_one(TitleLine)
        title.left = ("SETTINGS", dict(SECTIONS)[self._section])
        title.right = "DEMO: gone at its end " if self.services.settings.demo else ""
        self._tell_about()

    def _tell_about(self) -> None:
        row = self.row
        words = [] if row is None else [row.help, f"Not changeable here: {row.locked}"]
        if row is not None and not row.locked:
            words[1:] = [f"Now from: {row.origin}."] if row.origin else []
        self.query_one("#setting-words", Static).update(literal("\n".join(words)))

    @on(RowList.Moved)
    def _moved(self, message: RowList.Moved) -> None:
        message.stop()
        if message.rows.id == "values":
            self._tell_about()
            return
        self._go(message.key)

    def _go(self, key: str) -> None:
        self._section = next(name for name, _ in SECTIONS if name == key)
        self.show()
        self.values.action_top()

    # ---- keys ----------------------------------------------------------------------------------

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """The keys of this screen."""
        return {
            "nav.left": self._to_sections,
            "nav.fold": self._to_sections,
            "nav.right": self.values.focus,
            "nav.unfold": self.values.focus,
            "nav.tab_next": lambda: self._step(1),
            "nav.tab_prev": lambda: self._step(-1),
            "setting.change": self.change,
            "setting.new": self._changes.add_model,
            "setting.remove": lambda: self._changes.remove(self.row),
            "setting.test": lambda: self._changes.test(self.row),
        }

    def usable(self) -> set[str]:
        """The ids that this screen runs: what the palette offers."""
        own = {*self.runners(), "nav.back", "app.help", "app.palette", "app.quit", "app.theme"}
        return {action.id for action in self.table.actions} & own

    def _to_sections(self) -> None:
        self.query_one("#sections").focus()

    def _step(self, by: int) -> None:
        names = [name for name, _ in SECTIONS]
        at = (names.index(self._section) + by) % len(names)
        self.query_one("#sections", RowList).move_to(names[at])

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        if message.rows.id == "sections":
            self.values.focus()
        else:
            self.change()

    def change(self) -> None:
        """Changes the value under the cursor, or says why that is not possible here."""
        row = self.row
        if row is None:
            return
        if row.key == SET_ASIDE:
            self._changes.set_aside()
        else:
            self._changes.change(row)

    @on(Changed)
    def _took(self, message: Changed) -> None:
        """Something was written: it counts at once where that is possible."""
        message.stop()
        self._changed(message.config)
        self.show()
        if message.mark is not None:
            self.values.move_to(message.mark)
        if message.words:
            self.notify(message.words, markup=False, timeout=3)


def _aside_row(fault: str) -> SettingRow:
    return SettingRow(
        SET_ASIDE, "! config.toml", f"cannot be used: {fault}", kind="add",
        help="enter puts the file aside under another name, so that a new one can begin. "
        "Nothing in it is lost. Until then nothing can be changed here.",
    )  # fmt: skip


def _drawn(row: SettingRow) -> Row:
    label = f" {row.label:<{LABEL_CELLS}} "
    tone = "muted" if row.locked else "plain"
    right = f"{row.origin}, fixed" if row.locked and row.kind != "fact" else row.origin
    lines = [RowLine((Piece(label, "strong"), Piece(row.value, tone)), right)]
    if row.note:
        lines.append(RowLine((Piece(f"   {row.note}", "muted"),)))
    return Row(row.key, tuple(lines))
