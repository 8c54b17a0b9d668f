"""The program's own log begins with the folder that it lies in, on a first start too."""

from __future__ import annotations

import logging
from pathlib import Path

from smriti_tui.services.crash import LOG_NAME, LogFile


def test_a_log_that_is_there_before_its_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    logger = logging.Logger("a log of its own")
    logger.addHandler(handler := LogFile(home))
    logger.error("nowhere to note this")
    assert not home.exists()
    home.mkdir()
    logger.error("this is noted")
    handler.close()
    assert "this is noted" in (home / LOG_NAME).read_text(encoding="utf-8")
