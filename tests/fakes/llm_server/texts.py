"""Fixed texts that scenarios answer with."""

from __future__ import annotations

from typing import Any

MARKDOWN = """# A heading

A paragraph with **bold**, *italic*, `code`, a [link](http://127.0.0.1/x) and a\nsecond line.

## Lists

1. First
   - nested *item*
   - [ ] a task
2. Second

> A quotation
> over two lines.

```python
def answer(question: str) -> int:
    return 42  # [not markup]
```

| key | value |
| --- | ----: |
| a   |     1 |
| b   |    20 |

---

The end. 你好, 世界 — naïve café 🙂
"""


HOSTILE = (
    "plain \x1b[31mred\x1b[0m \x1b[2J\x1b[H cleared? \x1b]0;stolen title\x07 "
    "\x1b]52;c;c3RvbGVu\x07 \x1b]8;;http://127.0.0.1/evil\x1b\\link\x1b]8;;\x1b\\ "
    "\x1b[?1049h alt screen \x1b[?25l \x1bP+q544e\x1b\\ \x9b31mC1 CSI\x9b0m bell\x07 back\x08\x08 "
    "return\rover\tTab\x0bVT\x0cFF\x00NUL\x7fDEL\n"
    "[bold]markup[/bold] [link=http://127.0.0.1/]x[/link] [@click=app.quit]quit[/] [/] "
    "[[double]] \\[escaped] "
    "[not a tag] arr[0] list[int] [red\n"
    "<b>html</b> &amp; <script>alert(1)</script> {{ template }} %(percent)s {format} $HOME `id`\n"
    "bidi \u202egnp.exe\u202c zero\u200bwidth \ufeffbom combi\u0301ning "
    "wide 漢字 family 👨\u200d👩\u200d👧 flag 🇩🇪\n"
    "line\u2028separator para\u2029graph next\x85line lone \ufffd end\n"
)


DRAFT: dict[str, Any] = {
    "title": "SQLite in WAL mode",
    "objective": "Choose where the tool keeps its data.",
    "summary": (
        "The team compared SQLite and PostgreSQL for a single-user tool "
        "and chose SQLite in WAL mode."
    ),
    "decisions": [
        "Use SQLite in WAL mode: there is no server to run.",
        "Keep PostgreSQL as an option for teams.",
    ],
    "assumptions": ["One writer at a time per machine."],
    "tasks": [
        {"text": "Write the migration for the first schema.", "status": "open"},
        {"text": "Refuse a database on a network drive.", "status": "open"},
    ],
    "open_questions": ["How is a network drive recognised?"],
    "entities": ["SQLite", "PostgreSQL", "WAL"],
}
