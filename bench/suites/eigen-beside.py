"""Finds eigenvalues and singular values by Trellis, SciPy (ARPACK) and SLEPc, and prints what each one takes.

Usage: eigen-beside.py [--rounds N] [--repeats N] [--processor] [--folder DIR] [--trellis COMMAND] [--slepc PYTHON]
       [--equal-error] [CASE ...]

Without a case it runs all of them; "--list" lists them. In each round all libraries run one after the other, each in a
process of its own, which reads the matrix and then searches some times ("--repeats"): the first search is cold, the
times in the table are medians of the second half of all rounds. Trellis has two threads, SciPy is run with one and with
two threads of OpenBLAS and the faster one counts, SLEPc has one process. SciPy and SLEPc begin with random vectors of a fixed seed. Products are
those with the matrix; with a shift they are solutions with the factors. Trellis multiplies each pair once more for its
residual; with a shift these products are left out, as they are none with the factors. Times include the factorisation.

With "--processor" the times are processor times of the thread that searches, which depend less on what else the machine
does: Trellis and its factorisations have one thread then, OpenBLAS likewise.

Errors are relative: of both to the exact eigenvalues where these are known, else of the values to each other.

With "--equal-error" SciPy gets, of the matrices whose eigenvalues are known, the tolerance that it needs to be as exact as
Trellis: the largest power of ten, from the requested one on, with which the median of its errors is, over three first
vectors.

"--slepc" is a Python that has slepc4py; without it, SLEPc is left out. SLEPc runs EPSKRYLOVSCHUR and SVDTRLANCZOS,
with the factorisation that is the default of PETSc.
"""
import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import time

import numpy as np

SEED = 39
EQUAL_SEEDS = (1, 2, 3)


class Case:
    """A matrix, and what is looked for."""

    def __init__(self, name, matrix, kind, which, count, tolerance, mass=None,
                 exact=None):
        self.name, self.matrix, self.kind, self.which = name, matrix, kind, which
        self.count, self.tolerance, self.mass = count, tolerance, mass
        self.exact = exact

    @property
    def shift(self):
        return float(self.which[len("nearest="):]) if self.which.startswith("nearest=") else None


def random_symmetric(rows, entries):
    import scipy.sparse as sparse
    half = sparse.random(rows, rows, entries / 2 / rows**2, random_state=SEED, data_rvs=np.random.default_rng(1).standard_normal)
    return (half + half.T).tocsr()


def random_matrix(rows, columns, entries):
    import scipy.sparse as sparse
    return sparse.random(rows, columns, entries / rows / columns, random_state=SEED,
                         data_rvs=np.random.default_rng(1).standard_normal).tocsr()


def convection(nx, ny, cx, cy):
    """Central differences: -1 - c and -1 + c beside the diagonal in each direction."""
    import scipy.sparse as sparse

    def line(n, c):
        return sparse.diags([(-1 - c) * np.ones(n - 1), 2 * np.ones(n), (-1 + c) * np.ones(n - 1)], [-1, 0, 1])
    return (sparse.kron(line(ny, cy), sparse.identity(nx)) + sparse.kron(sparse.identity(ny), line(nx, cx))).tocsr()


def convection_values(nx, ny, cx, cy):
    """The exact eigenvalues, in descending order."""
    def line(n, c):
        return 2 - 2 * np.sqrt(1 - c * c) * np.cos(np.arange(1, n + 1) * np.pi / (n + 1))
    return np.sort((line(nx, cx)[:, None] + line(ny, cy)[None, :]).ravel())[::-1]


def mass(nx, ny):
    """Of bilinear elements on a grid of as many points."""
    import scipy.sparse as sparse

    def line(n):
        return sparse.diags([np.ones(n - 1) / 6, 4 * np.ones(n) / 6, np.ones(n - 1) / 6], [-1, 0, 1])
    return sparse.kron(line(ny), line(nx)).tocsr()


def cases(data):
    grid, box = "poisson2d:nx=100,ny=90", "poisson3d:nx=24,ny=22,nz=20"
    random = lambda: random_symmetric(5000, 50000)
    all_cases = [
        Case("grid, largest", grid, "symmetric", "largest", 6, 1e-8),
        Case("box, smallest", box, "symmetric", "smallest", 6, 1e-8),
        Case("large box, largest", "poisson3d:nx=44,ny=42,nz=40", "symmetric", "largest", 6, 1e-6),
        Case("random symmetric, 6", random, "symmetric", "magnitude", 6, 1e-10),
        Case("random symmetric, 10", random, "symmetric", "magnitude", 10, 1e-10),
        Case("box, nearest 0", box, "symmetric", "nearest=0", 6, 1e-10),
        Case("grid, nearest 0", grid, "symmetric", "nearest=0", 6, 1e-10),
        Case("grid, nearest 4.1", grid, "symmetric", "nearest=4.1", 6, 1e-10),
        Case("grid and mass, nearest 0", grid, "symmetric", "nearest=0", 6, 1e-10, lambda: mass(100, 90)),
        Case("convection, c = 0.01", lambda: convection(80, 70, 0.01, 0.01), "unsymmetric", "magnitude", 6, 1e-8,
             exact=convection_values(80, 70, 0.01, 0.01)),
        Case("convection, c = 0.15", lambda: convection(80, 70, 0.15, 0.15), "unsymmetric", "magnitude", 6, 1e-8,
             exact=convection_values(80, 70, 0.15, 0.15)),
        Case("convection, c = 0.15, 1e-10", lambda: convection(80, 70, 0.15, 0.15), "unsymmetric", "magnitude", 6,
             1e-10, exact=convection_values(80, 70, 0.15, 0.15)),
        Case("convection, c = 0.3 and 0", lambda: convection(80, 70, 0.3, 0), "unsymmetric", "magnitude", 6, 1e-8,
             exact=convection_values(80, 70, 0.3, 0)),
        Case("convection, c = 0.15, nearest 0", lambda: convection(80, 70, 0.15, 0.15), "unsymmetric", "nearest=0", 6,
             1e-8, exact=convection_values(80, 70, 0.15, 0.15)[::-1]),
        Case("random, right", lambda: random_matrix(5000, 5000, 50000), "unsymmetric", "largest", 6, 1e-8),
        Case("random, 6000 x 3000", lambda: random_matrix(6000, 3000, 60000), "singular", "largest", 6, 1e-10),
        Case("random, 2000 x 50000", lambda: random_matrix(2000, 50000, 400000), "singular", "largest", 6, 1e-10),
    ]
    for name in ("well1033", "illc1033", "lp_ship04l", "lp_e226"):
        path = os.path.join(data, name + ".mtx")
        if os.path.exists(path):
            all_cases.append(Case(name, path, "singular", "largest", 6, 1e-10))
    return all_cases


class Result:
    def __init__(self, values, residual, products, seconds):
        self.values, self.residual, self.products, self.seconds = values, residual, products, seconds

    def text(self):
        return json.dumps({"real": np.real(self.values).tolist(), "imaginary": np.imag(self.values).tolist(),
                           "residual": self.residual, "products": self.products, "seconds": self.seconds})

    @staticmethod
    def of(text):
        d = json.loads(text)
        return Result(np.array(d["real"]) + 1j * np.array(d["imaginary"]), d["residual"], d["products"], d["seconds"])


# --- In a process of its own -----------------------------------------------------------------------------------------

def load(prefix):
    from scipy.sparse import csr_matrix
    with np.load(prefix + ".npz") as d:
        return csr_matrix((d["values"], d["indices"], d["offsets"]), shape=tuple(d["shape"]))


def save(prefix, a):
    a.sort_indices()
    np.savez(prefix + ".npz", values=a.data.astype("<f8"), indices=a.indices.astype("<i4"),
             offsets=a.indptr.astype("<i4"), shape=np.array(a.shape))


def timed(search, job):
    clock = time.thread_time if job["processor"] else time.perf_counter
    seconds = []
    for _ in range(job["repeats"]):
        start = clock()
        found = search()
        seconds.append(clock() - start)
    return found, seconds


def scipy_peer(prefix, job):
    import scipy.sparse.linalg as linalg
    a = load(prefix)
    b = load(prefix + "-mass") if job["mass"] else None
    first = np.random.default_rng(job.get("seed", SEED)).standard_normal(min(a.shape))
    products = [0]

    def counting(operator):
        def once(f):
            def multiply(x):
                products[0] += 1 if x.ndim == 1 else x.shape[1]
                return f(x)
            return multiply
        return linalg.LinearOperator(operator.shape, matvec=once(operator.matvec), rmatvec=once(operator.rmatvec),
                                     matmat=once(operator.matmat), rmatmat=once(operator.rmatmat), dtype=float)

    common = {"k": job["count"], "tol": job["tolerance"], "v0": first}
    if job["kind"] == "singular":
        found, seconds = timed(lambda: linalg.svds(a, **common), job)
        linalg.svds(counting(linalg.aslinearoperator(a)), **common)
        u, values, vt = found
        residual = max(np.hypot(np.linalg.norm(a @ vt[k] - s * u[:, k]), np.linalg.norm(a.T @ u[:, k] - s * vt[k])) / s
                       for k, s in enumerate(values))
        return Result(values, residual, products[0], seconds)
    symmetric = job["kind"] == "symmetric"
    find = linalg.eigsh if symmetric else linalg.eigs
    if job["shift"] is not None:
        a = a.tocsc()
        find_all = lambda **more: find(a, sigma=job["shift"], M=None if b is None else b.tocsc(), **common, **more)
        found, seconds = timed(find_all, job)
        identity = np.eye(1)
        import scipy.sparse as sparse
        shifted = a - job["shift"] * (sparse.identity(a.shape[0]) if b is None else b)
        factors = linalg.splu(shifted.tocsc())
        find_all(OPinv=counting(linalg.LinearOperator(a.shape, matvec=factors.solve, rmatvec=factors.solve, dtype=float)))
    else:
        names = {"magnitude": "LM", "largest": "LA" if symmetric else "LR", "smallest": "SA" if symmetric else "SR"}
        which = names[job["which"]]
        found, seconds = timed(lambda: find(a, which=which, **common), job)
        find(counting(linalg.aslinearoperator(a)), which=which, **common)
    values, vectors = found
    return Result(values, residual_of(a, b, values, vectors), products[0], seconds)


def residual_of(a, b, values, vectors):
    largest = 0
    for k, value in enumerate(values):
        x = vectors[:, k]
        right = x if b is None else b @ x
        largest = max(largest, np.linalg.norm(a @ x - value * right) / abs(value) / np.linalg.norm(x))
    return float(largest)


def slepc_peer(prefix, job):
    import slepc4py
    slepc4py.init([])
    from petsc4py import PETSc
    from slepc4py import SLEPc

    def matrix(name):
        with np.load(name + ".npz") as d:
            return PETSc.Mat().createAIJ(tuple(int(x) for x in d["shape"]), csr=(d["offsets"], d["indices"], d["values"]))

    a = matrix(prefix)
    b = matrix(prefix + "-mass") if job["mass"] else None
    rows, columns = a.getSize()
    first = np.random.default_rng(SEED).standard_normal(min(rows, columns))
    PETSc.Log.begin()

    def products():
        return sum(PETSc.Log.Event(name).getPerfInfo()["count"] for name in ("MatMult", "MatMultTranspose", "MatSolve"))

    def eigen():
        eps = SLEPc.EPS().create()
        eps.setOperators(a, b)
        symmetric = job["kind"] == "symmetric"
        eps.setProblemType((SLEPc.EPS.ProblemType.HEP if b is None else SLEPc.EPS.ProblemType.GHEP) if symmetric
                           else SLEPc.EPS.ProblemType.NHEP)
        eps.setType(SLEPc.EPS.Type.KRYLOVSCHUR)
        eps.setDimensions(job["count"])
        eps.setTolerances(job["tolerance"], 100000)
        if job["shift"] is not None:
            eps.getST().setType(SLEPc.ST.Type.SINVERT)
            eps.setTarget(job["shift"])
            eps.setWhichEigenpairs(SLEPc.EPS.Which.TARGET_MAGNITUDE)
        else:
            eps.setWhichEigenpairs({"magnitude": SLEPc.EPS.Which.LARGEST_MAGNITUDE,
                                    "largest": SLEPc.EPS.Which.LARGEST_REAL,
                                    "smallest": SLEPc.EPS.Which.SMALLEST_REAL}[job["which"]])
        eps.setInitialSpace([PETSc.Vec().createWithArray(first)])
        eps.solve()
        return eps

    def singular():
        svd = SLEPc.SVD().create()
        svd.setOperator(a)
        svd.setType(SLEPc.SVD.Type.TRLANCZOS)
        svd.setDimensions(job["count"])
        svd.setTolerances(job["tolerance"], 100000)
        svd.solve()
        return svd

    search = singular if job["kind"] == "singular" else eigen
    before = products()
    search()
    counted = products() - before
    if job["shift"] is not None:
        before = PETSc.Log.Event("MatSolve").getPerfInfo()["count"]
        search()
        counted = PETSc.Log.Event("MatSolve").getPerfInfo()["count"] - before
    solver, seconds = timed(search, job)
    if job["kind"] == "singular":
        values = np.array([solver.getValue(k) for k in range(min(job["count"], solver.getConverged()))])
        residual = max(solver.computeError(k, SLEPc.SVD.ErrorType.RELATIVE) for k in range(len(values)))
    else:
        values = np.array([solver.getEigenvalue(k) for k in range(min(job["count"], solver.getConverged()))])
        residual = max(solver.computeError(k, SLEPc.EPS.ErrorType.RELATIVE) for k in range(len(values)))
    return Result(values, float(residual), counted, seconds)


# --- The other processes ---------------------------------------------------------------------------------------------

def run_peer(python, library, prefix, job, threads=1):
    environment = dict(os.environ, OPENBLAS_NUM_THREADS=str(threads), OMP_NUM_THREADS=str(threads))
    done = subprocess.run([*shlex.split(python), os.path.abspath(__file__), "--peer", library, prefix, json.dumps(job)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    if done.returncode != 0:
        print("%s failed: %s" % (library, done.stderr.strip().splitlines()[-1:]), file=sys.stderr)
        return None
    return Result.of(done.stdout.strip().splitlines()[-1])


def run_trellis(command, prefix, case, repeats, processor):
    method = {"symmetric": "lanczos", "unsymmetric": "krylov-schur", "singular": "svd"}[case.kind]
    words = [*shlex.split(command), "eigen", *[prefix + ".mtx"] * repeats, "--method", method, "--which", case.which,
             "--count", str(case.count), "--tolerance", repr(case.tolerance), "--json", prefix + ".json", "--threads", "1" if processor else "2"]
    if case.mass:
        words += ["--mass", prefix + "-mass.mtx"]
    environment = dict(os.environ)
    if processor:
        environment["TRELLIS_OPTS"] = (environment.get("TRELLIS_OPTS", "")
                                       + " -Djava.util.concurrent.ForkJoinPool.common.parallelism=0")
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    if not os.path.exists(prefix + ".json"):
        print("trellis failed: %s" % done.stderr.strip()[-400:], file=sys.stderr)
        return None
    with open(prefix + ".json") as f:
        results = json.load(f)["results"]
    os.remove(prefix + ".json")
    last = results[-1]
    values = np.array([v["real"] + 1j * v["imaginary"] for v in last["values"]])
    residual = max(v["residual"] / abs(complex(v["real"], v["imaginary"])) for v in last["values"])
    checks = len(values) if case.shift is not None else 0
    return Result(values, residual, last["products"] - checks, [r["processorSeconds" if processor else "seconds"] for r in results])


def write(case, prefix, trellis):
    import scipy.io
    matrices = {prefix: case.matrix}
    if case.mass:
        matrices[prefix + "-mass"] = case.mass
    for name, source in matrices.items():
        if callable(source):
            scipy.io.mmwrite(name + ".mtx", source(), precision=17)
        elif ":" in source:
            generator, _, options = source.partition(":")
            subprocess.run([*shlex.split(trellis), "generate", generator, *("--" + o for o in options.split(",")),
                            name + ".mtx"], check=True, stdout=subprocess.DEVNULL)
        else:
            scipy.io.mmwrite(name + ".mtx", scipy.io.mmread(source), precision=17)
        save(name, scipy.io.mmread(name + ".mtx").tocsr())


def distance(values, others, count):
    """The greatest relative distance of the first values to the nearest of others."""
    return float(max(min(abs(x - y) for y in others) / abs(x) for x in values[:count]))


def at_equal_error(case, prefix, job, ours):
    """SciPy with the largest tolerance at which its values are as exact, of several first vectors; or None."""
    wanted = distance(case.exact, ours.values, case.count)
    tolerance = case.tolerance
    while tolerance > np.finfo(float).eps:
        found = [run_peer(sys.executable, "scipy", prefix, dict(job, tolerance=tolerance, seed=seed), 1)
                 for seed in EQUAL_SEEDS]
        found = [r for r in found if r]
        if found and statistics.median(distance(case.exact, r.values, case.count) for r in found) <= wanted:
            return tolerance, found
        tolerance /= 10
    return None


def equal_row(case, ours, equal):
    if equal is None:
        print("| %s | no tolerance |" % case.name, flush=True)
        return
    tolerance, found = equal
    products = statistics.median(r.products for r in found)
    cells = [case.name, "%.0e" % tolerance, "%.0e" % distance(case.exact, ours[0].values, case.count),
             ", ".join("%.0e" % distance(case.exact, r.values, case.count) for r in found), str(ours[0].products),
             ", ".join(str(r.products) for r in found), "%.2f" % (ours[0].products / products),
             "%.3f" % warm(ours), "%.3f" % warm(found), "%.2f" % (warm(ours) / warm(found))]
    print("| " + " | ".join(cells) + " |", flush=True)


def agreement(case, ours, other):
    """How far the values of two libraries are from exact ones, or from each other."""
    if case.exact is not None:
        return "%.0e, %.0e" % (distance(case.exact, ours.values, case.count),
                               distance(case.exact, other.values, case.count))
    return "%.0e" % distance(other.values, ours.values, case.count)


def warm(results):
    return statistics.median(s for r in results for s in r.seconds[len(r.seconds) // 2:])


def job_of(case, options):
    return {"kind": case.kind, "which": case.which, "shift": case.shift, "count": case.count,
            "tolerance": case.tolerance, "mass": case.mass is not None, "repeats": options.repeats,
            "processor": options.processor}


def measure_equal(case, options):
    """Trellis, and SciPy with what tolerance it needs to be as exact."""
    prefix = prefix_of(case, options)
    write(case, prefix, options.trellis)
    ours = run_trellis(options.trellis, prefix, case, options.repeats, options.processor)
    if ours:
        equal_row(case, [ours], at_equal_error(case, prefix, job_of(case, options), ours))


def prefix_of(case, options):
    return os.path.join(options.folder, "".join(c if c.isalnum() else "-" for c in case.name))


def measure(case, options):
    prefix = prefix_of(case, options)
    write(case, prefix, options.trellis)
    job = job_of(case, options)
    contenders = {"Trellis": lambda: run_trellis(options.trellis, prefix, case, options.repeats,
                                                  options.processor),
                  "SciPy": lambda: run_peer(sys.executable, "scipy", prefix, job, 1),
                  "SciPy, 2 threads": lambda: run_peer(sys.executable, "scipy", prefix, job, 2)}
    if options.processor:
        del contenders["SciPy, 2 threads"]
    if options.slepc:
        contenders["SLEPc"] = lambda: run_peer(options.slepc, "slepc", prefix, job)
    results = {name: [] for name in contenders}
    for _ in range(options.rounds):
        for name, run in contenders.items():
            found = run()
            if found:
                results[name].append(found)
    return results


def row(case, results):
    ours, scipy = results["Trellis"], min((results[n] for n in ("SciPy", "SciPy, 2 threads") if n in results), key=warm)
    slepc = results.get("SLEPc", [])
    cells = [case.name, "%d %s, %.0e" % (case.count, case.which, case.tolerance)]
    cells += [str(ours[0].products), str(scipy[0].products), str(slepc[0].products) if slepc else "",
              "%.2f" % (ours[0].products / scipy[0].products)]
    cells += ["%.3f" % warm(ours), "%.3f" % warm(scipy), "%.3f" % warm(slepc) if slepc else "",
              "%.2f" % (warm(ours) / warm(scipy)), "%.2f" % (warm(ours) / warm(slepc)) if slepc else "",
              "%.3f" % statistics.median(r.seconds[0] for r in ours)]
    cells += [agreement(case, ours[0], scipy[0]),
              "%.0e" % ours[0].residual, "%.0e" % scipy[0].residual, "%.0e" % slepc[0].residual if slepc else ""]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=8)
    parser.add_argument("--processor", action="store_true")
    parser.add_argument("--folder", default="/tmp/eigen-beside")
    parser.add_argument("--data", default="")
    parser.add_argument("--trellis", default="./trellis")
    parser.add_argument("--slepc", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--equal-error", action="store_true",
                        help="of matrices whose eigenvalues are known: SciPy with the largest power of ten for a "
                             "tolerance at which its values are as exact as those of Trellis")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    chosen = [c for c in cases(options.data) if not options.cases or c.name in options.cases]
    if options.list:
        print("\n".join(c.name for c in chosen))
        return
    if options.equal_error:
        print("| matrix | SciPy's tolerance | error: Trellis | SciPy | products: Trellis | SciPy | ratio to the median "
              "| s: Trellis | SciPy | ratio |")
        print("|" + " --- |" * 10)
        for case in chosen:
            if case.exact is not None:
                measure_equal(case, options)
        return
    print("| matrix | requested | products: Trellis | SciPy | SLEPc | ratio to SciPy | s: Trellis | SciPy | SLEPc "
          "| ratio to SciPy | to SLEPc | s, first search | error: Trellis, SciPy | residual: Trellis | SciPy | SLEPc |")
    print("|" + " --- |" * 16)
    for case in chosen:
        row(case, measure(case, options))


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--peer":
        peer = scipy_peer if sys.argv[2] == "scipy" else slepc_peer
        print(peer(sys.argv[3], json.loads(sys.argv[4])).text())
    else:
        main()
