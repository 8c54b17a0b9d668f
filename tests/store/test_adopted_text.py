"""A dead program's unsent text goes to one of the programs that look for it, and to no second."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from smriti_tui.store.database import Store


def test_one_of_many_adopts_a_text(store: Store) -> None:
    store.prepare()
    store.side.save_unsent("prompt/x", "dead", "half a thought")
    heirs = [f"heir {number}" for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda own: store.side.adopt_unsent("prompt/x", "dead", own), heirs))
    assert got.count(True) == 1
    (row,) = store.side.unsent("prompt/x")
    assert (row.process, row.text) == (heirs[got.index(True)], "half a thought")
