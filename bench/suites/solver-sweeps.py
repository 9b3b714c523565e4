"""Sweeps the choices of solvers of many systems, several systems at a time, a process for each.

Usage: solver-sweeps.py LIST OUTPUT [--processes N] [--matrices DIRECTORY] [--trellis FILE] [--solves N] [--seconds N]
       [--option TEXT]...

LIST has a system a line, large ones best last; they are begun from the last. Files are found in --matrices. OUTPUT is
a directory: NAME.json of each system is what "trellis tune --solve --exhaustive --json" writes, and those that are
there are not repeated. Times are processor time of the one thread that solves, so processes beside one another and compilers in the background count
little; more processes than cores less two would. After --seconds nothing more is begun, and what runs is ended.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Factorisations share their work among threads of the common pool, whose time would not count.
ALONE = "-Xmx3g -XX:+UseSerialGC -Djava.util.concurrent.ForkJoinPool.common.parallelism=0"


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--processes", type=int, default=max(1, (os.cpu_count() or 1) - 2))
    parser.add_argument("--matrices", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--trellis", type=pathlib.Path, default=ROOT / "trellis", help="the command line")
    parser.add_argument("--solves", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--option", action="append", default=[],
                        help="instead of --exhaustive, such as --leave-out=FILE")
    return parser.parse_args()


def sweep(system, given, end):
    result = given.output.resolve() / (re.sub(r"[^A-Za-z0-9._-]+", "_", system) + ".json")
    left = end - time.monotonic()
    if result.exists() or left <= 0:
        return
    part = result.with_suffix(".part")
    command = [str(given.trellis.resolve()), "tune", "-q", "--solve", "--solves", str(given.solves), "--processor-time",
               "--backend", "threads", "--threads", "1", "--json", str(part), *(given.option or ["--exhaustive"]),
               system]
    start = time.monotonic()
    try:
        ran = subprocess.run(command, env={**os.environ, "TRELLIS_OPTS": ALONE}, cwd=given.matrices,
                             capture_output=True, text=True,
                             timeout=None if left == float("inf") else left)
    except subprocess.TimeoutExpired:
        print("%s: ended after %.0f s" % (system, time.monotonic() - start), flush=True)
        return
    if part.exists():
        part.rename(result)
    else:
        print("%s: %s" % (system, (ran.stderr or ran.stdout).strip()[-400:]), flush=True)
    print("%-60s %5.0f s" % (system, time.monotonic() - start), flush=True)


def main():
    given = arguments()
    given.output.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + given.seconds
    lines = (line.strip() for line in given.list.read_text().splitlines())
    systems = [line for line in lines if line and not line.startswith("#")]
    with ThreadPoolExecutor(given.processes) as pool:
        for done in [pool.submit(sweep, system, given, end) for system in reversed(systems)]:
            done.result()
    print("%d of %d systems" % (len(list(given.output.glob("*.json"))), len(systems)))
    sys.exit(0)


main()
