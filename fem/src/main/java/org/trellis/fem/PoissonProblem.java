package org.trellis.fem;

import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;

/**
 * Poisson's equation {@code −∇·(κ ∇u) = f} with {@code u} given on the whole boundary, in one call: Lagrange elements,
 * conjugate gradients with multigrid over degrees, on the host, in double precision. What needs other conditions,
 * forms, precisions or devices is written with {@link FormSystem}.
 *
 * <pre>{@code
 * PoissonProblem.Result u = PoissonProblem.on(mesh).degree(2).source(x -> 1).solve();
 * }</pre>
 */
public final class PoissonProblem {
    private final CellMesh mesh;
    private final int degree;
    private final ToDoubleFunction<double[]> conductivity;
    private final ToDoubleFunction<double[]> source;
    private final ToDoubleFunction<double[]> boundary;
    private final StoppingCriteria criteria;

    /**
     * What came out.
     *
     * @param space  the space of the solution
     * @param nodes  the solution at its nodes, those of the boundary included
     * @param report how it was solved
     */
    public record Result(FunctionSpace space, double[] nodes, SolveReport report) {
        /**
         * Measures the distance from a function.
         *
         * @param exact the function of the coordinates
         * @return {@code ‖u − exact‖} in L₂
         */
        public double error(ToDoubleFunction<double[]> exact) {
            return FunctionErrors.of(space, nodes, 1, (x, u) -> u[0] = exact.applyAsDouble(x), (x, g) -> {}).l2();
        }
    }

    private PoissonProblem(CellMesh mesh, int degree, ToDoubleFunction<double[]> conductivity,
            ToDoubleFunction<double[]> source, ToDoubleFunction<double[]> boundary, StoppingCriteria criteria) {
        this.mesh = Objects.requireNonNull(mesh);
        this.degree = degree;
        this.conductivity = conductivity;
        this.source = Objects.requireNonNull(source);
        this.boundary = Objects.requireNonNull(boundary);
        this.criteria = Objects.requireNonNull(criteria);
    }

    /**
     * Begins with elements of degree 1, κ = 1, f = 0, u = 0 on the boundary, and the default criteria of all solvers.
     *
     * @param mesh the mesh
     * @return the problem
     */
    public static PoissonProblem on(CellMesh mesh) {
        return new PoissonProblem(mesh, 1, null, x -> 0, x -> 0, StoppingCriteria.defaults(Precision.F64));
    }

    /**
     * Sets the degree of the elements.
     *
     * @param p at least 1, at most what {@link FunctionSpace#of(CellMesh, int)} has for the cells
     * @return another problem
     * @throws IllegalArgumentException if it is less than 1
     */
    public PoissonProblem degree(int p) {
        return new PoissonProblem(mesh, Checks.positive("degree", p), conductivity, source, boundary, criteria);
    }

    /**
     * Sets κ.
     *
     * @param kappa a function of the coordinates, positive everywhere; several threads call it at once
     * @return another problem
     */
    public PoissonProblem conductivity(ToDoubleFunction<double[]> kappa) {
        return new PoissonProblem(mesh, degree, Objects.requireNonNull(kappa), source, boundary, criteria);
    }

    /**
     * Sets f.
     *
     * @param f a function of the coordinates; several threads call it at once
     * @return another problem
     */
    public PoissonProblem source(ToDoubleFunction<double[]> f) {
        return new PoissonProblem(mesh, degree, conductivity, f, boundary, criteria);
    }

    /**
     * Sets u on the boundary.
     *
     * @param value a function of the coordinates
     * @return another problem
     */
    public PoissonProblem boundary(ToDoubleFunction<double[]> value) {
        return new PoissonProblem(mesh, degree, conductivity, source, value, criteria);
    }

    /**
     * Sets when to stop.
     *
     * @param stop the criteria
     * @return another problem
     */
    public PoissonProblem criteria(StoppingCriteria stop) {
        return new PoissonProblem(mesh, degree, conductivity, source, boundary, stop);
    }

    /**
     * Assembles and solves.
     *
     * @return the solution
     * @throws IllegalArgumentException if there are no elements of this degree on these cells, or κ or a given value is
     *                                  not what it should be; says where
     * @throws ArithmeticException      if the criteria are not met; says how it ended
     */
    public Result solve() {
        FunctionSpace space = FunctionSpace.of(mesh, degree);
        DegreeMultigrid.Problem problem = new DegreeMultigrid.Problem(
                BilinearForm.diffusion(conductivity == null
                        ? Coefficient.constant(1)
                        : Coefficient.of(1, (x, k) -> k[0] = conductivity.applyAsDouble(x))),
                any -> Constraints.onBoundary(any, boundary), List.of());
        FormOptions options = FormOptions.defaults(space.element(), 1, Precision.F64);
        try (Backend backend = Backends.openHost(Configuration.load());
                FormSystem system = FormSystem.of(problem.form(), problem.constraints().apply(space), List.of(),
                        options, backend)) {
            system.assemble();
            HostVector b = system.rightHandSide((x, f) -> f[0] = source.applyAsDouble(x));
            HostVector u = HostVector.zeros(b.precision(), b.length());
            SolveReport report;
            // Multigrid ends with degree 1, which has no unknowns on a mesh without vertices inside.
            FunctionSpace lowest = FunctionSpace.of(mesh, 1);
            boolean coarsens = GeometricMultigrid.hasFree(problem.constraints().apply(lowest), lowest);
            try (DegreeMultigrid levels =
                    coarsens ? new DegreeMultigrid(problem, space, system, options, backend) : null;
                    ConjugateGradient method = new ConjugateGradient(system.operator(),
                            coarsens ? levels.preconditioner() : null, backend)) {
                report = method.solve(b, u, criteria, IterationObserver.NONE);
            }
            if (!report.converged()) {
                throw new ArithmeticException(this + ": " + report.detail());
            }
            return new Result(space, system.unknowns().expand(u.toDoubleArray()), report);
        }
    }

    @Override
    public String toString() {
        return "Poisson's equation with elements of degree " + degree + " on " + mesh;
    }
}
