"""Solves systems that another process has written, by SciPy or PETSc as they are by default.

Usage: solve-beside.py scipy|petsc RELATIVE_TOLERANCE

Reads lines from standard input. "load PREFIX" reads PREFIX.offsets, PREFIX.indices (32-bit integers), PREFIX.values and
PREFIX.b (64-bit numbers) and answers "loaded". "solve" solves from zero, writes PREFIX.x and answers
"solved SECONDS PROCESSOR_SECONDS yes|no REMARK": the time of everything from the arrays to the solution, on the wall and
of the processor, and whether the library itself says that it has solved the system. A failure answers "failed REMARK".
"""
import sys
import time
import warnings

import numpy as np


def read(prefix):
    kinds = {"offsets": "<i4", "indices": "<i4", "values": "<f8", "b": "<f8"}
    return {name: np.fromfile(prefix + "." + name, dtype=kind) for name, kind in kinds.items()}


class SciPy:
    """scipy.sparse.linalg.spsolve, which is SuperLU with COLAMD."""

    def solve(self, system):
        from scipy.sparse import csr_matrix
        from scipy.sparse.linalg import spsolve
        n = len(system["b"])
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            a = csr_matrix((system["values"], system["indices"], system["offsets"]), shape=(n, n))
            x = spsolve(a, system["b"])
        singular = any("singular" in str(one.message) for one in said)
        return x, not singular, "singular" if singular else ""


class Petsc:
    """KSP with its defaults on one process: GMRES(30) with ILU(0)."""

    def __init__(self, tolerance):
        import petsc4py
        petsc4py.init([])
        from petsc4py import PETSc
        self.petsc = PETSc
        self.tolerance = tolerance

    def solve(self, system):
        n = len(system["b"])
        a = self.petsc.Mat().createAIJ((n, n), csr=(system["offsets"], system["indices"], system["values"]),
                                       comm=self.petsc.COMM_SELF)
        b = self.petsc.Vec().createWithArray(system["b"], comm=self.petsc.COMM_SELF)
        x = b.duplicate()
        ksp = self.petsc.KSP().create(self.petsc.COMM_SELF)
        ksp.setOperators(a)
        ksp.setTolerances(rtol=self.tolerance)
        ksp.solve(b, x)
        reason = ksp.getConvergedReason()
        result = x.getArray().copy()
        remark = "reason %d after %d iterations" % (reason, ksp.getIterationNumber())
        for one in (ksp, x, b, a):
            one.destroy()
        return result, reason > 0, remark


def main():
    library = SciPy() if sys.argv[1] == "scipy" else Petsc(float(sys.argv[2]))
    system, prefix = None, None
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        try:
            if word == "load":
                system, prefix = read(rest), rest
                print("loaded", flush=True)
            else:
                processor = time.process_time()
                start = time.perf_counter()
                x, solved, remark = library.solve(system)
                seconds = time.perf_counter() - start
                processor = time.process_time() - processor
                np.asarray(x, dtype="<f8").tofile(prefix + ".x")
                print("solved %.9f %.9f %s %s" % (seconds, processor, "yes" if solved else "no", remark), flush=True)
        except Exception as problem:  # whatever a library throws is its answer
            print("failed " + " ".join(str(problem).split()), flush=True)


main()
