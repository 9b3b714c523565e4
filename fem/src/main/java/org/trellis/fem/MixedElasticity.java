package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.Quadrature;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.ReferenceMap;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.Stacking;

/**
 * Elasticity of bodies that are hardly compressible or not at all, and Stokes' flow, by displacements (or velocities)
 * of degree 2 and discontinuous pressures of degree 1 on quadrilaterals and hexahedra: Q₂–P₁, which does not lock and
 * is stable for ν up to ½ (F. Brezzi, M. Fortin, "Mixed and Hybrid Finite Element Methods", 1991, sections VI.3
 * and VI.5):
 *
 * <pre>
 * ∫ 2μ ε(u):ε(v) − ∫ p ∇·v         = ∫ f·v
 *      − ∫ q ∇·u   − ∫ p q / λ     = 0
 * </pre>
 *
 * <p>Pressures of a cell are coefficients of functions that are orthonormal there, so that the mass matrix of pressures
 * is the identity. The preconditioner is diagonal in blocks: algebraic multigrid for 2μ ε(u):ε(v), and the mass matrix
 * times 1/(2μ) + 1/λ, to which the Schur complement is equivalent whatever λ and the size of cells (D. Silvester, A.
 * Wathen, SIAM J. Numer. Anal. 31, 1994). The matrix is symmetric and indefinite, so the method is MINRES.
 */
public final class MixedElasticity implements AutoCloseable {
    private static final int DEGREE = 2;
    private static final int CELLS_PER_TASK = 64;
    /** Aggregates of quadratic elements are coarse, and iterations grow as cells become small. */
    private static final Map<String, String> CLASSICAL = Map.of("coarsening", "classical");

    private final FunctionSpace space;
    private final Constraints constraints;
    private final Backend backend;
    private final FormSystem displacements;
    private final double mu;
    private final double lambda;
    private final int perCell;
    /** The orthonormal functions of each cell: coefficients of 1 and of the distances from its centre. */
    private final double[][] functions;
    private final double[][] centres;
    /** What fixed displacements leave for the pressures' equations. */
    private final double[] given;
    private final CsrMatrix matrix;

    /**
     * What came out.
     *
     * @param displacements a vector a node, fixed ones included: component a of node i at {@code i * dimension + a}
     * @param pressures     the mean of each cell; of an enclosed incompressible flow with a mean of 0
     * @param report        how it was solved
     */
    public record Result(double[] displacements, double[] pressures, SolveReport report) {}

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    private MixedElasticity(Constraints constraints, double mu, double lambda, Backend backend) {
        this.space = constraints.space();
        this.constraints = constraints;
        this.backend = backend;
        this.mu = mu;
        this.lambda = lambda;
        int dimension = space.mesh().dimension();
        Checks.length("fields of constraints", constraints.fields(), dimension);
        if (!space.element().shape().isTensor() || space.element().degree() != DEGREE) {
            throw new IllegalArgumentException("mixed elements in " + space
                    + ", expected degree 2 on quadrilaterals or hexahedra");
        }
        this.perCell = dimension + 1;
        int cells = space.mesh().cells();
        this.functions = new double[cells][];
        this.centres = new double[cells][];
        this.given = new double[Checks.arrayLength("pressures", (long) cells * perCell)];
        // Without λ the form of elasticity is 2μ ε(u):ε(v).
        this.displacements = FormSystem.of(BilinearForm.elasticity(dimension, 2 * mu, 0), constraints, List.of(),
                FormOptions.defaults(space.element(), dimension, Precision.F64), backend);
        try {
            displacements.assemble();
            this.matrix = assembled();
        } catch (RuntimeException | Error e) {
            displacements.close();
            throw e;
        }
    }

    /**
     * Assembles elasticity.
     *
     * @param constraints displacements of degree 2 and where they are given
     * @param young       Young's modulus, positive
     * @param poisson     Poisson's ratio, more than 0 and at most ½, which is an incompressible body
     * @param backend     where it is solved
     * @return the system, which the caller closes
     * @throws IllegalArgumentException if a number is out of range, or the space is no such space; says what it is
     */
    @MustBeClosed
    public static MixedElasticity elasticity(Constraints constraints, double young, double poisson, Backend backend) {
        if (!(young > 0) || !(poisson > 0 && poisson <= 0.5)) {
            throw new IllegalArgumentException("Young's modulus is " + young + " and Poisson's ratio " + poisson
                    + ", expected a positive modulus and a ratio above 0 and at most 1/2");
        }
        return new MixedElasticity(constraints, young / (2 * (1 + poisson)),
                young * poisson / ((1 + poisson) * (1 - 2 * poisson)), backend);
    }

    /**
     * Assembles Stokes' flow: −∇·(2η ε(u)) + ∇p = f, ∇·u = 0.
     *
     * @param constraints velocities of degree 2 and where they are given; if that is all of the boundary, as much must
     *                    flow out as in
     * @param viscosity   η, positive
     * @param backend     where it is solved
     * @return the system, which the caller closes
     * @throws IllegalArgumentException if the number is out of range, or the space is no such space; says what it is
     */
    @MustBeClosed
    public static MixedElasticity stokes(Constraints constraints, double viscosity, Backend backend) {
        if (!(viscosity > 0 && viscosity < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("viscosity is " + viscosity + ", expected a positive number");
        }
        return new MixedElasticity(constraints, viscosity, Double.POSITIVE_INFINITY, backend);
    }

    private CsrMatrix assembled() {
        LagrangeElement element = space.element();
        Quadrature rule = Quadrature.product(element.shape(), DEGREE + 1);
        LagrangeElement.Tabulation basis = element.tabulate(rule.points());
        LagrangeElement.Tabulation map = space.mesh().geometry().tabulate(rule.points());
        double[][] rows = new double[given.length][];
        ParallelRanges.run(space.mesh().cells(), CELLS_PER_TASK, () -> new Cell(rule, basis, map), (from, to, cell) -> {
            for (int c = from; c < to; c++) {
                cell.compute(c, rows);
            }
        });
        int free = displacements.size();
        CsrBuilder divergence = new CsrBuilder(free, Precision.F64, (long) given.length * basis.functions());
        for (int row = 0; row < rows.length; row++) {
            addRow(Math.floorDiv(row, perCell), rows[row], divergence);
        }
        CsrMatrix b = divergence.build();
        CsrMatrix a = displacements.matrix().orElseThrow();
        CsrMatrix c = lambda == Double.POSITIVE_INFINITY
                ? null
                : CsrMatrix.identity(given.length, Precision.F64).scaled(-1 / lambda);
        return Stacking.blocks(new CsrMatrix[][]{{a, b.transpose()}, {b, c}});
    }

    /** Adds the entries of a row at free unknowns, in rising order. */
    private void addRow(int cell, double[] row, CsrBuilder builder) {
        int free = displacements.size();
        long[] sorted = new long[row.length];
        int count = 0;
        for (int k = 0; k < row.length; k++) {
            int place = displacements.unknowns().place(unknown(cell, k));
            if (place < free && row[k] != 0) {
                sorted[count++] = ((long) place << Integer.SIZE) | k;
            }
        }
        Arrays.sort(sorted, 0, count);
        for (int k = 0; k < count; k++) {
            builder.add((int) (sorted[k] >> Integer.SIZE), row[(int) sorted[k]]);
        }
        builder.endRow();
    }

    /** The number of a cell's unknown among all: component a of node i is its {@code i * dimension + a}. */
    private int unknown(int cell, int k) {
        int dimension = perCell - 1;
        int nodes = space.element().nodes();
        return space.cellNodes()[cell * nodes + k / dimension] * dimension + k % dimension;
    }

    /** The rows of a cell's pressures under way. */
    private final class Cell {
        private final Quadrature rule;
        private final LagrangeElement.Tabulation basis;
        private final LagrangeElement.Tabulation map;
        private final int dimension = perCell - 1;
        private final double[] points;
        private final double[] jacobian = new double[dimension * dimension];
        private final double[] inverse = new double[dimension * dimension];
        private final double[] weights;
        private final double[][] places;

        Cell(Quadrature rule, LagrangeElement.Tabulation basis, LagrangeElement.Tabulation map) {
            this.rule = rule;
            this.basis = basis;
            this.map = map;
            this.points = new double[map.functions() * dimension];
            this.weights = new double[rule.size()];
            this.places = new double[rule.size()][dimension];
        }

        void compute(int cell, double[][] rows) {
            CellMesh mesh = space.mesh();
            mesh.gather(cell, points);
            double[] centre = new double[dimension];
            double measure = 0;
            for (int q = 0; q < rule.size(); q++) {
                weights[q] = rule.weights()[q] * ReferenceMap.jacobian(map, q, points, jacobian);
                ReferenceMap.point(map, q, points, places[q]);
                measure += weights[q];
                for (int a = 0; a < dimension; a++) {
                    centre[a] += weights[q] * places[q][a];
                }
            }
            for (int a = 0; a < dimension; a++) {
                centre[a] /= measure;
            }
            centres[cell] = centre;
            functions[cell] = orthonormal(centre);
            for (int k = 0; k < perCell; k++) {
                rows[cell * perCell + k] = divergence(cell, k);
                given[cell * perCell + k] = -fixed(cell, rows[cell * perCell + k]);
            }
        }

        /** Makes 1 and the distances from the centre orthonormal, one after the other (Gram and Schmidt). */
        private double[] orthonormal(double... centre) {
            double[] t = new double[perCell * perCell];
            for (int k = 0; k < perCell; k++) {
                t[k * perCell + k] = 1;
                for (int before = 0; before < k; before++) {
                    double product = product(t, k, before, centre);
                    for (int j = 0; j < perCell; j++) {
                        t[k * perCell + j] -= product * t[before * perCell + j];
                    }
                }
                double norm = Math.sqrt(product(t, k, k, centre));
                for (int j = 0; j < perCell; j++) {
                    t[k * perCell + j] /= norm;
                }
            }
            return t;
        }

        private double product(double[] t, int one, int other, double... centre) {
            double sum = 0;
            for (int q = 0; q < weights.length; q++) {
                sum += weights[q] * value(t, one, centre, places[q]) * value(t, other, centre, places[q]);
            }
            return sum;
        }

        /** The integrals −∫ q ∇·v of a pressure with all displacements of the cell. */
        private double[] divergence(int cell, int k) {
            double[] row = new double[basis.functions() * dimension];
            for (int q = 0; q < weights.length; q++) {
                ReferenceMap.jacobian(map, q, points, jacobian);
                ReferenceMap.invert(jacobian, inverse);
                double factor = -weights[q] * value(functions[cell], k, centres[cell], places[q]);
                for (int i = 0; i < basis.functions(); i++) {
                    for (int a = 0; a < dimension; a++) {
                        double slope = 0;
                        for (int d = 0; d < dimension; d++) {
                            slope += basis.gradients()[(q * dimension + d) * basis.functions() + i]
                                    * inverse[d * dimension + a];
                        }
                        row[i * dimension + a] += factor * slope;
                    }
                }
            }
            return row;
        }

        private double fixed(int cell, double... row) {
            double sum = 0;
            for (int k = 0; k < row.length; k++) {
                int unknown = unknown(cell, k);
                sum += constraints.isFixed(unknown) ? row[k] * constraints.value(unknown) : 0;
            }
            return sum;
        }
    }

    /** The value of a function of a cell at a place. */
    private static double value(double[] t, int k, double[] centre, double... x) {
        int perCell = centre.length + 1;
        double value = t[k * perCell];
        for (int a = 0; a < centre.length; a++) {
            value += t[k * perCell + a + 1] * (x[a] - centre[a]);
        }
        return value;
    }

    /**
     * Returns the matrix.
     *
     * @return free displacements first, as {@link FormSystem} orders them, then the pressures cell by cell
     */
    public CsrMatrix matrix() {
        return matrix;
    }

    /**
     * Computes the right-hand side.
     *
     * @param load f, as many numbers as there are directions
     * @return a vector of the system
     * @throws IllegalArgumentException if f is not finite somewhere
     */
    public HostVector rightHandSide(PointFunction load) {
        HostVector b = HostVector.zeros(Precision.F64, matrix.rows());
        HostVector forces = displacements.rightHandSide(load);
        forces.copyRange(0, b, 0, forces.length());
        for (int k = 0; k < given.length; k++) {
            b.set(forces.length() + k, given[k]);
        }
        return b;
    }

    /**
     * Makes the preconditioner.
     *
     * @param options of multigrid for the displacements, see
     *                {@link org.trellis.solve.multigrid.MultigridOptions}
     * @return a symmetric one, which the caller closes before this system
     * @throws IllegalArgumentException if an option is unknown; says what there is
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the preconditioner
    public Preconditioner preconditioner(Map<String, String> options) {
        Preconditioner multigrid = FormPreconditioners.of("amg", options, displacements).orElseThrow();
        return new MixedPreconditioner(multigrid, given.length, 1 / (1 / (2 * mu) + 1 / lambda), backend);
    }

    /**
     * Solves by MINRES with the preconditioner, whose multigrid has the classical coarsening, from zero.
     *
     * @param load     f, as many numbers as there are directions
     * @param criteria when to stop
     * @return displacements and pressures
     * @throws IllegalArgumentException if f is not finite somewhere
     */
    public Result solve(PointFunction load, StoppingCriteria criteria) {
        HostVector x = HostVector.zeros(Precision.F64, matrix.rows());
        try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                Preconditioner preconditioner = preconditioner(CLASSICAL);
                LinearSolver solver = KrylovMethod.MINRES.prepare(product, preconditioner, backend, Map.of())) {
            SolveReport report = solver.solve(rightHandSide(load), x, criteria, IterationObserver.NONE);
            double[] free = Arrays.copyOf(x.toDoubleArray(), displacements.size());
            return new Result(displacements.unknowns().expand(free), means(x), report);
        }
    }

    /** The first function of a cell is a constant. */
    private double[] means(HostVector x) {
        double[] means = new double[functions.length];
        double sum = 0;
        double measure = 0;
        for (int cell = 0; cell < means.length; cell++) {
            double constant = functions[cell][0];
            means[cell] = x.get(displacements.size() + cell * perCell) * constant;
            sum += means[cell] / (constant * constant);
            measure += 1 / (constant * constant);
        }
        if (lambda == Double.POSITIVE_INFINITY && isEnclosed()) {
            double mean = sum / measure;
            Arrays.setAll(means, cell -> means[cell] - mean);
        }
        return means;
    }

    /** Says whether all displacements of the boundary are given, so that pressures have a free constant. */
    private boolean isEnclosed() {
        int dimension = perCell - 1;
        for (int node : space.boundaryNodes()) {
            for (int a = 0; a < dimension; a++) {
                if (!constraints.isFixed(node * dimension + a)) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public void close() {
        displacements.close();
    }

    @Override
    public String toString() {
        return displacements.size() + " displacements and " + given.length + " pressures on " + space.mesh();
    }
}
