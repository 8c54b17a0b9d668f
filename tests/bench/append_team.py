"""Writer processes on one database, their figures, and the proof that nothing was lost."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial

from tests.bench.append_ways import way_named
from tests.bench.programs import ROOT, Failed
from tests.bench.rounds import Plan, interleaved, say


@dataclass(frozen=True)
class Slice:
    """What one writer did in one slice of time. A write that met a lock error is in `locked`."""

    tries: int
    locked: int
    wall_s: float
    worst_s: float
    cpu_s: float


@dataclass(frozen=True)
class Round:
    """What the writers of one way did in one round."""

    slices: tuple[tuple[Slice, ...], ...]
    """For each slice of time, one of each writer."""

    @property
    def done(self) -> int:
        """Writes of all writers."""
        return sum(each.tries - each.locked for slice_ in self.slices for each in slice_)

    @property
    def per_s(self) -> float:
        wall_s = [max(each.wall_s for each in slice_) for slice_ in self.slices]
        return self.done / sum(wall_s)

    @property
    def worst_ms(self) -> float:
        return max(each.worst_s for slice_ in self.slices for each in slice_) * 1e3

    @property
    def fairness(self) -> float:
        """Writes of the slowest writer over those of the fastest."""
        writers: list[tuple[Slice, ...]] = list(zip(*self.slices, strict=True))
        shares = [sum(each.tries - each.locked for each in writer) for writer in writers]
        return min(shares) / max(shares)

    @property
    def locked(self) -> int:
        return sum(each.locked for slice_ in self.slices for each in slice_)

    @property
    def cpu_us(self) -> float:
        """Processor time of one write."""
        return sum(each.cpu_s for slice_ in self.slices for each in slice_) / self.done * 1e6


class Team:
    """`writers` processes that write in one `way` to a database of their own."""

    def __init__(self, plan: Plan, way: str, writers: int) -> None:
        self._way = way
        self._folder = plan.new_folder("append")
        self._database = self._folder / "events.db"
        self._child("setup", 0).communicate()
        self._writers = [self._child("write", number) for number in range(writers)]
        for writer in self._writers:
            if _line(writer) != "ready\n":
                raise Failed(f"a writer of {way} did not start")
        self._slices: list[tuple[Slice, ...]] = []

    def write(self, seconds: float) -> None:
        """All writers write at once for that long."""
        for writer in self._writers:
            assert writer.stdin is not None
            writer.stdin.write(f"{seconds}\n")
            writer.stdin.flush()
        told = [json.loads(_line(writer)) for writer in self._writers]
        self._slices.append(tuple(Slice(**each) for each in told))

    def finish(self) -> Round:
        """Ends the writers.

        Raises:
            Failed: what was acknowledged is not what is stored.
        """
        outputs = [writer.communicate(timeout=120)[0] for writer in self._writers]
        told = sorted(version for output in outputs for version in json.loads(output))
        stored = way_named(self._way)(self._database, -1).stored()
        if told != stored:
            lost = len(set(told) - set(stored))
            twice = len(told) - len(set(told))
            raise Failed(f"{self._way}: {lost} lost, {twice} twice, {len(stored)} stored")
        return Round(tuple(self._slices))

    def close(self) -> None:
        for writer in self._writers:
            if writer.poll() is None:
                writer.kill()
                writer.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _child(self, role: str, number: int) -> subprocess.Popen[str]:
        job = [role, self._way, str(self._database), str(number)]
        return subprocess.Popen(
            [sys.executable, "-m", "tests.bench.append_writer", *job],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )


def _line(writer: subprocess.Popen[str]) -> str:
    assert writer.stdout is not None
    return writer.stdout.readline()


def race(
    plan: Plan, teams: Mapping[str, tuple[str, int]], *, rounds: int, slices: int, seconds: float
) -> dict[str, list[Round]]:
    """Rounds of teams, given as name to (way, writers), each round on new databases.

    Within a round the teams take turns, slice by slice in random order: the disk's mood changes
    within seconds, and so it meets all of them.
    """
    found: dict[str, list[Round]] = {name: [] for name in teams}
    for number in range(plan.rounds(rounds)):
        say(f"  round {number + 1} of {plan.rounds(rounds)}")
        with ExitStack() as stack:
            made = {
                name: stack.enter_context(closing(Team(plan, way, writers)))
                for name, (way, writers) in teams.items()
            }
            turns = {name: partial(team.write, seconds) for name, team in made.items()}
            interleaved(slices, turns, quiet=True)
            for name, team in made.items():
                found[name].append(team.finish())
    return found
