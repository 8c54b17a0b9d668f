"""`smriti chat send --mentions`: the same through the command line, and off by default."""

from __future__ import annotations

from pathlib import Path

from tests.cli.calling import Cli


def test_mentions_are_read_only_when_asked_for(cli: Cli, tmp_path: Path) -> None:
    root = tmp_path / "proj"
    root.mkdir()
    (root / "app.py").write_text("x = 41\n")
    (root / "blob").write_bytes(b"\0")
    cli.ok("space", "create", "Search", "--project-root", str(root))
    session = cli.session()
    asked = ("--session", session, "see @app.py, ada@example.org")
    plain = cli.ok("chat", "send", *asked)
    assert plain["user_turn"]["content"] == asked[2]
    shown = cli.ok("context", "--session", session, "--message", asked[2], "--mentions")
    found = cli.ok("chat", "send", "--mentions", *asked)
    assert found["user_turn"]["text"] == asked[2]
    assert "x = 41" in found["user_turn"]["content"]
    assert found["context_sha256"] == shown["sha256"]
    exported = cli.run("export", "--space", "Search", "--format", "jsonl").text
    assert '"path":"app.py"' in exported
    error = cli.fails(2, "chat", "send", "--mentions", "--session", session, "see @blob")
    assert error["code"] == "mention"
    assert len(cli.ok("session", "turns", session)["turns"]) == 4
