"""How far a reader has to go: files and lines of each room, and the modules that a command enters.

For each command the modules are counted in which a function is called, and the calls that change the room,
as distinct pairs of modules; in brackets also those that change only the sub-room.

    python bench/house.py [--rooms] [--commands]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import referee

HOUSE = Path(referee.__file__).parent
SAMPLE = HOUSE / "sample"
COMMANDS = {
    "score": ["score", "key.conll", "alpha.conll"],
    "errors": ["errors", "key.conll", "alpha.conll"],
    "convert": ["convert", "key.conll", "OUT.jsonl"],
    "resolve by camp": ["resolve", "story.txt", "--resolver", "camp"],
    "resolve by neural": ["resolve", "story.txt", "--resolver", "neural"],
    "link": ["link", "story.txt", "other.txt"],
}
WATCH = """
import sys
house, entered, changes = sys.argv.pop(1), set(), set()
def module(frame):
    name = frame.f_code.co_filename
    return name[len(house) + 1 :] if name.startswith(house) else None
def watch(frame, event, _):
    # a function's code has the first flag; the body of a module or class, which runs at import, has not
    if event == "call" and (callee := module(frame)) and frame.f_code.co_flags & 1:
        caller = frame.f_back
        while caller is not None and not module(caller):
            caller = caller.f_back
        if caller is None or not caller.f_code.co_flags & 1:  # called by the import of a module
            return
        entered.add(callee)
        changes.add((module(caller), callee))
import threading
from referee.cli import main
def run():
    try:
        main(sys.argv[1:])
    except SystemExit:
        pass
run.__code__ = run.__code__.replace(co_filename=house + "/start")
threading.setprofile(watch)
sys.setprofile(watch)
run()
sys.setprofile(None)
rooms = sum(one.partition("/")[0] != two.partition("/")[0] for one, two in changes)
near = sum(one.rpartition("/")[0] != two.rpartition("/")[0] for one, two in changes)
print(len(entered), rooms, near, file=sys.__stderr__)
"""


def main() -> None:
    """Print both tables, or the one that is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rooms", action="store_true")
    parser.add_argument("--commands", action="store_true")
    asked = parser.parse_args()
    if asked.rooms or not asked.commands:
        print_rooms()
    if asked.commands or not asked.rooms:
        print_commands()


def print_rooms() -> None:
    """Count the files and lines of each room and sub-room."""
    rooms: dict[str, list[int]] = {}
    for path in sorted(HOUSE.rglob("*.py")):
        room = str(path.relative_to(HOUSE).parent)
        rooms.setdefault(room, []).append(len(path.read_text(encoding="utf-8").splitlines()))
    for room, lines in rooms.items():
        print(f"{room:24}{len(lines):5} files{sum(lines):7} lines, the longest {max(lines)}")
    every = [count for lines in rooms.values() for count in lines]
    short = sum(count <= 80 for count in every)
    print(f"{'all':24}{len(every):5} files{sum(every):7} lines; {short} files have 80 lines or fewer")


def print_commands() -> None:
    """Run each command on the sample, and count what it enters."""
    with tempfile.TemporaryDirectory() as folder:
        for path in SAMPLE.iterdir():
            (Path(folder) / path.name).write_bytes(path.read_bytes())
        (Path(folder) / "other.txt").write_bytes((SAMPLE / "story.txt").read_bytes())
        for name, words in COMMANDS.items():
            run = subprocess.run(
                [sys.executable, "-c", WATCH, str(HOUSE), *words],
                cwd=folder, capture_output=True, text=True, check=True,
            )  # fmt: skip
            entered, rooms, near = run.stderr.split()[-3:]
            print(f"{name:20}{entered:>5} modules entered,{rooms:>5} changes of room ({near})")


if __name__ == "__main__":
    main()
