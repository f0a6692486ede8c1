"""Breaks real files in every format, for every command: python bench/fuzz.py DATA [--seeds 3000].

Prints each fault with its seed, and figures at the end. `--first N` begins at another seed; `--keep FOLDER`
keeps the inputs. Faults are tracebacks, hangs, half-written files, and losses or scores of 0 without a word.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from hostile import Specimen, copied_specimen, make_specimens, run_seed

CASES = Path(__file__).parents[1] / "tests" / "data"


def specimens_of(data: Path, folder: Path) -> list[Specimen]:
    """Make specimens of a few corpora, and copy some that have a format of their own."""
    made: list[Specimen] = []
    sources = {
        "news": next(iter(sorted((data / "ontogum/dev/conll").glob("GUM_news*")))),
        "zeros": data / "corefud/es_ancora-corefud-dev.conllu.gz",
        "novel": next(iter(sorted((data / "litbank").glob("*.conll")))),
    }
    for name, source in sources.items():
        (folder / name).mkdir()
        made += make_specimens(folder / name, source)
    ecb = sorted((data / "ecbplus/dev").rglob("*.xml"))[0]
    copies = [
        copied_specimen(folder, "mmax2", CASES / "arrau"),
        copied_specimen(folder, "muc", CASES / "muc" / "key.sgm", "key.sgm"),
        copied_specimen(folder, "ecbplus", ecb, ecb.name),
        copied_specimen(folder, "scorer case", data / "conll-scorer-cases/TC-M.key", "TC-M.key"),
    ]
    gap = folder / "gap"
    gap.mkdir()
    lines = (data / "gap/gap-validation.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    (gap / "gap.tsv").write_text("".join(lines[:6]), encoding="utf-8")
    copies.append(copied_specimen(folder, "gap texts", gap / "gap.tsv", "gap.tsv"))
    return [*made, *(copy for copy in copies if copy)]


def main() -> None:
    """Run the seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--seeds", type=int, default=3000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    faults = 0
    codes: Counter[int] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        place = options.keep or Path(folder)
        place.mkdir(exist_ok=True)
        specimens = specimens_of(options.data, place)
        print(f"{len(specimens)} specimens of {len({one.format for one in specimens})} formats")
        for seed in range(options.first, options.first + options.seeds):
            run = run_seed(seed, specimens, place / f"seed{seed}")
            codes[run.code] += 1
            if run.fault:
                faults += 1
                print(f"seed {seed}: {run.format}, {run.way}: {run.fault}", flush=True)
                print(f"  {run.words}", flush=True)
    last = options.first + options.seeds - 1
    print(f"seeds {options.first} to {last}: {faults} faults; exits {dict(codes)}")
    sys.exit(bool(options.check and faults))


if __name__ == "__main__":
    main()
