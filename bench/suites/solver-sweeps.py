"""Sweeps the choices of solvers of many systems, several systems at a time, a process for each; or runs programs that
tune themselves beside programs that know the best choice from such sweeps.

Usage: solver-sweeps.py LIST OUTPUT [--processes N] [--matrices DIRECTORY] [--trellis FILE] [--solves N] [--seconds N]
       [--backend NAME] [--option TEXT]...
       solver-sweeps.py LIST OUTPUT --beside SWEEPS [--rounds N] [--warm SECONDS] [--candidates N] ...

LIST has a system a line, large ones best last; they are begun from the last. Files are found in --matrices. OUTPUT is
a directory: NAME.json of each system is what "trellis tune --solve --exhaustive --json" writes, and those that are
there are not repeated. Times are processor time of the one thread that solves, so processes beside one another and
compilers in the background count little; more processes than cores less two would. With --backend cuda it is the time
on the wall of one process at a time, which waits for the device. After --seconds nothing more is begun, and what runs
is ended.

With --beside nothing is swept. SWEEPS is a directory of such files, or one file with all systems, perhaps compressed by
gzip. For each system a new process solves by a tuned solver that has learnt nothing, and then another new process by
the best choice of the sweep alone ("tune --solve --fixed"), --rounds times in turns. That is the time of a program from
its start, when the JVM has compiled nothing. Then each process runs its program again and again, from nothing, for
--warm seconds: the median of the later half is the time once code is compiled. The sweep measured compiled code, so its
best need not be the best for a new process: with --candidates its best few run, each in processes of its own, and the
one that is fastest then counts as the best, for new processes and for compiled code each. OUTPUT has
NAME.ROUND.tuned.json and NAME.ROUND.fixed0.json and so on, and beside.json with the table that is printed.
"""
import argparse
import gzip
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
SMALL = "-Xmx3g -XX:+UseSerialGC"
# Factorisations share their work among threads of the common pool, whose time would not count.
ALONE = SMALL + " -Djava.util.concurrent.ForkJoinPool.common.parallelism=0"
FILE_ENDING = re.compile(r"\.(mtx|rua|rsa|mat)(\.gz)?$")


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--processes", type=int, help="at a time; cores less two by default, one on a device")
    parser.add_argument("--backend", default="threads", help="cuda, or threads, of which there is one")
    parser.add_argument("--matrices", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--trellis", type=pathlib.Path, default=ROOT / "trellis", help="the command line")
    parser.add_argument("--solves", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--option", action="append", default=[],
                        help="instead of --exhaustive, such as --leave-out=FILE; with --beside, for the tuned program")
    parser.add_argument("--beside", type=pathlib.Path, help="sweeps that say which choice is best")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--warm", type=float, default=5)
    parser.add_argument("--candidates", type=int, default=1, help="how many of the sweep's best are run")
    given = parser.parse_args()
    if given.processes is None:
        given.processes = max(1, (os.cpu_count() or 1) - 2) if given.backend == "threads" else 1
    return given


def file_name(system):
    return re.sub(r"[^A-Za-z0-9._-]+", "_", system)


def run(system, result, options, given, end):
    """Writes the result unless it is there; says whether it is there now."""
    left = end - time.monotonic()
    if result.exists() or left <= 0:
        return result.exists()
    part = result.with_suffix(".part")
    where = ["--processor-time", "--threads", "1"] if given.backend == "threads" else []
    command = [str(given.trellis.resolve()), "tune", "-q", "--solve", "--solves", str(given.solves),
               "--backend", given.backend, *where, "--json", str(part), *options, system]
    alone = ALONE if given.backend == "threads" else SMALL
    start = time.monotonic()
    try:
        ran = subprocess.run(command, env={**os.environ, "TRELLIS_OPTS": alone}, cwd=given.matrices,
                             capture_output=True, text=True,
                             timeout=None if left == float("inf") else left)
    except subprocess.TimeoutExpired:
        print("%s: ended after %.0f s" % (system, time.monotonic() - start), flush=True)
        return False
    if part.exists():
        part.rename(result)
    else:
        print("%s: %s" % (system, (ran.stderr or ran.stdout).strip()[-400:]), flush=True)
    print("%-60s %5.0f s" % (result.name, time.monotonic() - start), flush=True)
    return result.exists()


def sweep(system, given, end):
    run(system, given.output.resolve() / (file_name(system) + ".json"), given.option or ["--exhaustive"], given, end)


def swept(path):
    """The systems of sweeps by name."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    found = {}
    for file in files:
        text = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        for system in json.loads(text).get("systems", []):
            found[system["system"]] = system
    return found


def total(outcome, solves):
    return outcome["setupSeconds"] + solves * outcome["solveSeconds"]


def solved(system):
    return [one for one in system["sweep"] if not one["note"]]


def share_of_best(system, choice, solves):
    """Of the speed of the sweep's best; 0 for what did not solve, None for what was not measured there."""
    if not any(one["choice"] == choice for one in system["sweep"]):
        return None
    best = min(total(one, solves) for one in solved(system))
    return max([best / total(one, solves) for one in solved(system) if one["choice"] == choice], default=0)


def beside(system, known, given, end):
    """Runs both programs of a system in turns; None where a sweep is missing or a process failed."""
    name = FILE_ENDING.sub("", system)
    if name not in known or not solved(known[name]):
        print("%s: no sweep of it solved it" % system, flush=True)
        return None
    order = sorted(solved(known[name]), key=lambda one: total(one, given.solves))
    choices = [one["choice"] for one in order[:given.candidates]]
    programs = {"tuned": given.option, **{"fixed%d" % i: ["--fixed", one] for i, one in enumerate(choices)}}
    warm = ["--repeat", "%gs" % given.warm] if given.warm > 0 else []
    runs = {kind: [] for kind in programs}
    for number in range(given.rounds):
        for kind, options in programs.items():
            result = given.output.resolve() / ("%s.%d.%s.json" % (file_name(system), number, kind))
            if not run(system, result, [*warm, *options], given, end):
                return None
            runs[kind].append(json.loads(result.read_text())["systems"][0])
    row = {"system": name, "chosen": [one["chosen"] for one in runs["tuned"]],
           "shareOfBestOfFirstGuess": share_of_best(known[name], runs["tuned"][0]["firstGuess"], given.solves),
           "shareOfBestAfterTen": [share_of_best(known[name], one["afterTen"], given.solves) for one in runs["tuned"]],
           "tuned": times(runs["tuned"]), "fixed": {choice: times(runs["fixed%d" % i]) for i, choice in enumerate(choices)}}
    for when in ("cold", "warm") if warm else ("cold",):
        best = min(choices, key=lambda one: median(row["fixed"][one][when + "Seconds"]))
        row[when + "Best"] = best
        row[when + "Ratio"] = median(row["tuned"][when + "Seconds"]) / median(row["fixed"][best][when + "Seconds"])
    return row


def times(runs):
    """What the processes of one program took."""
    found = {"coldSeconds": [one["seconds"] for one in runs],
             "coldFirstSeconds": [one["secondsOfSolutions"][0] for one in runs]}
    for field in ("seconds", "firstSeconds", "laterSeconds", "trials") if "warm" in runs[0] else ():
        found["warm" + field[0].upper() + field[1:]] = [one["warm"][field] for one in runs]
    return found


def median(values):
    return statistics.median(values)


def mean(values):
    return math.exp(sum(math.log(one) for one in values) / len(values))


def milliseconds(values):
    return "%.1f (%.1f-%.1f)" % (1e3 * median(values), 1e3 * min(values), 1e3 * max(values))


def report(rows, given):
    whens = ["cold", "warm"] if given.warm > 0 else ["cold"]
    for when in whens:
        print("\n%-44s %24s %24s %6s  chosen | best" % ("ms of %d solutions, %s" % (given.solves, when), "tuned",
                                                        "best fixed", "ratio"))
        for row in rows:
            print("%-44s %24s %24s %6.2f  %s | %s" % (
                row["system"][:44], milliseconds(row["tuned"][when + "Seconds"]),
                milliseconds(row["fixed"][row[when + "Best"]][when + "Seconds"]), row[when + "Ratio"],
                row["chosen"][0], row[when + "Best"]))
    print("\n%d systems, medians of %d rounds" % (len(rows), given.rounds))
    for when in whens:
        ratios = [row[when + "Ratio"] for row in rows]
        worst = max(rows, key=lambda row: row[when + "Ratio"])
        print("20 solutions over the best fixed choice's, %s: %.2f in the geometric mean, median %.2f, worst %.2f (%s)"
              .replace("20", str(given.solves), 1)
              % (when, mean(ratios), median(ratios), max(ratios), worst["system"]))
    for name, field in (("first guess", "shareOfBestOfFirstGuess"), ("choice after ten", "shareOfBestAfterTen")):
        shares = []
        for row in rows:
            values = [one for one in (row[field] if isinstance(row[field], list) else [row[field]]) if one]
            if values:
                shares.append((median(values), row["system"]))
        if shares:
            print("%s, share of the sweep's best: %.0f %% in the geometric mean, worst %.0f %% (%s); %d systems"
                  % (name, 100 * mean([one for one, _ in shares]), 100 * min(shares)[0], min(shares)[1], len(shares)))


def main():
    given = arguments()
    given.output.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + given.seconds
    lines = (line.strip() for line in given.list.read_text().splitlines())
    systems = [line for line in lines if line and not line.startswith("#")]
    known = swept(given.beside) if given.beside else None
    with ThreadPoolExecutor(given.processes) as pool:
        if known is None:
            done = [pool.submit(sweep, system, given, end) for system in reversed(systems)]
        else:
            done = [pool.submit(beside, system, known, given, end) for system in reversed(systems)]
        rows = [one.result() for one in done]
    if known is None:
        print("%d of %d systems" % (len(list(given.output.glob("*.json"))), len(systems)))
        sys.exit(0)
    rows = [row for row in reversed(rows) if row]
    (given.output / "beside.json").write_text(json.dumps({"solves": given.solves, "rounds": given.rounds,
                                                          "systems": rows}, indent=1))
    if rows:
        report(rows, given)
    sys.exit(0 if len(rows) == len(systems) else 1)


if __name__ == "__main__":
    main()
