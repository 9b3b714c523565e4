package org.trellis.bench.measurement;

import java.util.List;

/** The measurements that need no application. */
final class HarnessMeasurements implements MeasurementSet {
    @Override
    public List<Measurement> measurements() {
        return List.of(
                new Measurement("vectors", "[BACKEND] [THREADS] [LARGEST]",
                        "vector updates as loops beside the element kernels of operators", VectorTiming::start),
                new Measurement("algebra", "MATRIX ROUNDS [PYTHON]",
                        "operations of matrices, beside those of SciPy where an interpreter is named",
                        AlgebraTiming::start),
                new Measurement("smoothers", "BACKEND SIDE ITERATIONS ROUNDS PRECONDITIONER...",
                        "applications and sweeps of smoothers in products' times, and conjugate gradients with them",
                        SmootherTiming::start),
                new Measurement("multigrid", "BACKEND ROUNDS SYSTEM... [NAME=VALUE...]",
                        "set-up, solution and refresh of multigrid for generated systems", MultigridTiming::start),
                new Measurement("systems", "ROUNDS SECONDS LIBRARY=PYTHON,... MATRIX...",
                        "whole solutions by the automatic choice beside SciPy and PETSc", SystemTiming::start),
                new Measurement("throughput", "MATRIX ROUNDS WARM-UP SECONDS [BEGIN]",
                        "products of two callers at once, in one program and in two", ThroughputTiming::start),
                new Measurement("long-run", "PRODUCTS ROUNDS MATRIX...",
                        "the first products of an operator and those after many, with each backend in turns",
                        LongRunTiming::start),
                new Measurement("iteration-modes", "BACKEND ROUNDS [SYSTEM...]",
                        "conjugate gradients on a GPU in each mode of iterations",
                        IterationModeTiming::start),
                new Measurement("assembly", "DEGREE CELLS SECONDS THREADS",
                        "assembly of finite elements into compressed rows", AssemblyTiming::start),
                new Measurement("form-setup", "SHAPE CELLS DEGREE STORAGE TURNS",
                        "mesh, numbering, structure and assembly before a solution", FormSetupTiming::start),
                new Measurement("form-solution", "DEGREE CELLS TURNS THREADS",
                        "solutions with Jacobi, SSOR and multigrid over degrees", FormSolutionTiming::start),
                new Measurement("form-tables", "SHAPE UNKNOWNS SECONDS [FIRST] [LAST]",
                        "storages, schemes and preconditioners of finite elements on a CPU", FormTables::start),
                new Measurement("degree-multigrid", "BACKEND SHAPE CELLS DEGREE STORAGE ROUNDS [PATHS]",
                        "Poisson's equation from a mesh to a solution with multigrid over degrees, step by step",
                        DegreeMultigridTiming::start),
                new Measurement("device-forms", "SHAPE CELLS DEGREE WAY...", "finite elements on a GPU",
                        DeviceFormTiming::start),
                new Measurement("adaptation", "SHAPE SHORTEST ROUNDS THREADS",
                        "whole adaptations with one and with more threads, by phases", AdaptTiming::start),
                new Measurement("smoothing", "N SWEEPS KIND...", "sweeps that smooth a mesh of triangles",
                        SmoothingTiming::start),
                new Measurement("rank-products", "MATRIX RANKS ROUNDS PRODUCTS [BACKEND]",
                        "a product of ranks beside one of threads", RankProductTiming::start),
                new Measurement("rank-solvers", "MATRIX RANKS ROUNDS ITERATIONS",
                        "set-up of multigrid and iterations on ranks beside threads", RankSolverTiming::start),
                new Measurement("s-step", "MATRIX RANKS MICROSECONDS ITERATIONS",
                        "s-step conjugate gradients with delayed messages", SStepTiming::start),
                new Measurement("rank-multigrid", "MATRIX RANKS MICROSECONDS METHOD SMOOTHER RINGS...",
                        "multigrid with delayed messages, for numbers of rings", RankMultigridTiming::start),
                new Measurement("device-exchange", "RANKS DEVICES", "exchanges and reductions between GPUs",
                        DeviceExchangeTiming::start));
    }
}
