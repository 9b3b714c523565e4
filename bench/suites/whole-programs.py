"""Times whole small programs from their start to their end: Poisson's equation by Trellis and by PETSc.

Usage: whole-programs.py [--rounds N] [--sizes N,N,...] [--libraries DIRECTORY] [--java JAVA] [--json FILE]

Both programs build the same matrix row by row, solve by conjugate gradients with multigrid to 1e-8 and print iterations
and residual (PoissonSystem.java, poisson-petsc.c). In each round all contenders run one after the other, in new
processes each; times are wall times of the process, JVM and MPI included, and medians of all rounds with the least and
the most. Trellis runs compiled classes, without and with an ahead-of-time cache of the JVM (JEP 514), which is made once
and not timed. PETSc runs in one process and in two (mpiexec), with GAMG and, where it has it, with BoomerAMG of hypre.

--libraries is a directory with the jars of Trellis (default: examples/target/lib); PETSc is found by pkg-config.
"""
import argparse
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SUITES = pathlib.Path(__file__).resolve().parent
OPTIONS = ["--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"]
RESULT = re.compile(r"(\d+) iterations?.*?residual (\d[\d.]*e[-+]\d+)", re.S)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sizes", default="100,300,1000", help="points along an edge of the square")
    parser.add_argument("--libraries", type=pathlib.Path, default=SUITES.parents[1] / "examples/target/lib")
    parser.add_argument("--java", default="java", help="of a JDK 25")
    parser.add_argument("--json", type=pathlib.Path)
    return parser.parse_args()


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    return done.stdout


def trellis_programs(java, libraries, folder):
    """Compiles the program and makes a cache, and returns the commands without the size."""
    if not any(libraries.glob("trellis-core*.jar")):
        sys.exit(f"{libraries} has no trellis-core*.jar, expected the jars of Trellis (mvn -Pquick -DskipTests install)")
    compiler = pathlib.Path(shutil.which(java) or java).with_name("javac")
    jars = sorted(str(jar) for jar in libraries.glob("*.jar"))
    run([str(compiler), "-cp", ":".join(jars), "-d", str(folder), str(SUITES / "PoissonSystem.java")])
    run([str(compiler.with_name("jar")), "cf", str(folder / "program.jar"), "-C", str(folder), "PoissonSystem.class"])
    start = [java, *OPTIONS]
    path = ["-cp", ":".join([str(folder / "program.jar"), *jars]), "PoissonSystem"]
    cache = folder / "program.aot"
    run([*start, f"-XX:AOTCacheOutput={cache}", *path, "300"])
    return {"Trellis": [*start, *path], "Trellis, AOT cache": [*start, f"-XX:AOTCache={cache}", *path]}


def petsc_programs(folder):
    """Compiles the program, and returns the commands without the size."""
    package = "petsc" if subprocess.run(["pkg-config", "--exists", "petsc"]).returncode == 0 else "PETSc"
    flags = run(["pkg-config", "--cflags", "--libs", package]).split()
    program = str(folder / "poisson-petsc")
    run(["mpicc", "-O3", "-march=native", "-o", program, str(SUITES / "poisson-petsc.c"), *flags])
    two = ["mpiexec", "--allow-run-as-root", "-n", "2", program]
    boomer = ["-pc_type", "hypre"]
    programs = {"PETSc, GAMG": [program, "-pc_type", "gamg"], "PETSc, GAMG, two processes": [*two, "-pc_type", "gamg"]}
    if subprocess.run([program, "-n", "5", *boomer], capture_output=True).returncode == 0:
        programs |= {"PETSc, BoomerAMG": [program, *boomer], "PETSc, BoomerAMG, two processes": [*two, *boomer]}
    return programs


def measure(programs, size, rounds):
    times, results = {name: [] for name in programs}, {}
    for number in range(rounds):
        for name, command in programs.items():
            sized = [*command, str(size)] if name.startswith("Trellis") else [*command, "-n", str(size)]
            start = time.perf_counter()
            text = run(sized)
            times[name].append(time.perf_counter() - start)
            found = RESULT.search(text)
            if not found or float(found[2]) > 1e-8:
                sys.exit(f"{name}, {size}: expected iterations and a residual of at most 1e-8, got:\n{text}")
            results[name] = {"iterations": int(found[1]), "residual": float(found[2])}
        print(f"{size} x {size}, round {number + 1} of {rounds}", file=sys.stderr)
    return [{"program": name, "points": size, "seconds": times[name], **results[name]} for name in programs]


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        programs = trellis_programs(options.java, options.libraries, folder) | petsc_programs(folder)
        rows = [row for size in options.sizes.split(",") for row in measure(programs, int(size), options.rounds)]
    for row in rows:
        seconds = row["seconds"]
        print(f"{row['points']:5} {row['program']:32} {statistics.median(seconds):7.2f} s "
              f"({min(seconds):.2f} to {max(seconds):.2f}) {row['iterations']:4} iterations, {row['residual']:.1e}")
    if options.json:
        options.json.write_text(json.dumps({"rounds": options.rounds, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
