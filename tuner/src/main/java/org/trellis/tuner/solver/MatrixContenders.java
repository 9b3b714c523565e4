package org.trellis.tuner.solver;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Set;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.krylov.AutomaticSolver;
import org.trellis.solve.krylov.DirectSolver;
import org.trellis.solve.krylov.MatrixProperties;
import org.trellis.solve.krylov.PreconditionedSolver;
import org.trellis.solve.krylov.ScaledSolver;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.krylov.SolverContext;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SpmvOperator;

/** Solvers of a matrix of one rank, with one product for all of them. */
final class MatrixContenders implements Contenders {
    /**
     * Preconditioners that hold no more than an approximate inverse of the values that they were made of. Relaxation
     * and incomplete factors without fill may multiply by the matrix of then for the method (Eisenstat's product), and
     * polynomials are made in no time.
     */
    private static final Set<String> KEPT = Set.of("amg", "ick", "iluk", "ict", "ilut", "fsai", "direct");

    /** What a core does at least; a factorisation that may take longer has a limit of time. */
    private static final double OPERATIONS_A_SECOND = 1e9;
    /** What a core takes for an entry of a matrix. */
    private static final double SECONDS_OF_ENTRY = 1.2e-9;

    /** Entries up to which a second of iterations by one thread takes less than to load those of a team. */
    private static final int MOST_OF_ONE_THREAD = 250_000;

    private final Backend backend;
    private final boolean ownsBackend;
    private final SolverContext parts;
    private final boolean nullSpaceOfConstants;
    private final MatrixProperties properties;
    private final SolverSpace space;
    private final boolean alone;
    private final OneThreadFirst.Visits visits = new OneThreadFirst.Visits();
    private CsrMatrix matrix;
    /** Null until something iterates: a factorisation needs none. */
    private SpmvOperator product;
    private boolean ordinary;
    /** An analysis that nothing was factorised by yet; null if there is none. */
    private DirectSolver analysed;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    MatrixContenders(CsrMatrix matrix, SolverContext parts, boolean ownsBackend, boolean nullSpaceOfConstants) {
        this.matrix = matrix;
        this.parts = parts;
        this.backend = parts.backend();
        this.ownsBackend = ownsBackend;
        this.nullSpaceOfConstants = nullSpaceOfConstants;
        this.ordinary = isOrdinary(matrix, false);
        this.properties = MatrixProperties.quick(matrix, parts);
        this.space = space(matrix, properties, nullSpaceOfConstants);
        this.alone = backend.device().space().equals(MemorySpace.HOST);
    }

    /** Unknowns of a node are recognised in small matrices, too; singular matrices are not factorised. */
    static SolverSpace space(CsrMatrix matrix, MatrixProperties found, boolean singular) {
        boolean definite = found.symmetric() && found.positiveDiagonal();
        return SolverSpace.of(SolverSpace.Traits.of(found, !singular, matrix.precision() == Precision.F32),
                definite && !found.hasNearNullSpace() ? () -> MatrixProperties.blockSizeOf(matrix) : () -> 1);
    }

    private static boolean isOrdinary(CsrMatrix matrix, boolean mixed) {
        double largest = FiniteInput.largestEntry("linear system", matrix);
        return ScaledSolver.matrixExponent(matrix.precision(), mixed, largest) == 0;
    }

    CsrMatrix matrix() {
        return matrix;
    }

    MatrixProperties properties() {
        return properties;
    }

    /** Says whether the matrix is symmetric with a positive diagonal, or not symmetric. */
    boolean isDefiniteOrGeneral() {
        return !properties.symmetric() || properties.positiveDiagonal();
    }

    /**
     * Analyses the matrix and keeps the analysis for a factorisation.
     *
     * @param most the fill from which on the analysis ends
     * @return entries of one factor over those of the matrix; infinite if that is more
     * @throws FactorisationException if there are no factors
     */
    double fill(double most) {
        if (analysed == null) {
            boolean symmetric = properties.symmetric();
            LuOptions usual = options(Double.POSITIVE_INFINITY);
            try {
                analysed = DirectSolver.analysed(matrix, symmetric, usual.with(usual.limits()
                        .ofEntries((symmetric ? 1 : 2) * most * matrix.nonZeros())));
            } catch (FactorisationException e) {
                if (e.reason() == FactorisationException.Reason.MEMORY) {
                    return Double.POSITIVE_INFINITY;
                }
                throw e;
            }
        }
        return analysed.predicted().nonZeros() / (analysed.isSymmetric() ? 1.0 : 2.0) / Math.max(1, matrix.nonZeros());
    }

    private static LuOptions options(double seconds) {
        return LuOptions.defaults().with(FactorLimits.ofHeap().within(seconds))
                .withSmallestPivot(LuOptions.CLEARLY_REGULAR);
    }

    /** Takes other values; solvers that were prepared keep what they have until they are refreshed. */
    void take(CsrMatrix values) {
        if (values.rows() != matrix.rows() || values.columns() != matrix.columns()
                || values.nonZeros() != matrix.nonZeros() || values.precision() != matrix.precision()) {
            throw new IllegalArgumentException("update of a solver for " + matrix + " with " + values
                    + ", expected a matrix of the same structure and precision");
        }
        if (values.segments().size() != 1) {
            throw new IllegalArgumentException("update of a solver with " + values + " in "
                    + values.segments().size() + " segments, expected one: a matrix of this size takes another solver");
        }
        boolean next = isOrdinary(values, false);
        if (product != null) {
            product.refill(values.onlySegment().values());
        }
        matrix = values;
        analysed = null;
        ordinary = next;
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public int rows() {
        return matrix.rows();
    }

    @Override
    public Precision precision() {
        return matrix.precision();
    }

    @Override
    public boolean isAlone() {
        return alone;
    }

    @Override
    public boolean isOnDevice() {
        return !alone;
    }

    @Override
    public double productSeconds() {
        return alone ? SECONDS_OF_ENTRY * matrix.nonZeros() : 0;
    }

    @Override
    public ColdCode code() {
        return ColdCode.ofProcess();
    }

    @Override
    public boolean isPlain(SolverChoice choice) {
        return isSmall() && ordinary && !nullSpaceOfConstants && visits.goesOn()
                && !choice.isDirect() && choice.stack().orElseThrow().runsOnOneThread(matrix);
    }

    @Override
    public LinearOperator operator() {
        return product();
    }

    /** By a plain loop while nothing iterates that needs the product, which takes longer to prepare. */
    @Override
    public void subtractProduct(DenseVector x, DenseVector y) {
        boolean plain = product == null && isSmall() && x instanceof HostVector && y instanceof HostVector;
        if (plain) {
            Vectors.subtractProduct(matrix.onlySegment(), (HostVector) x, (HostVector) y);
        } else {
            operator().apply(-1, x, 1, y);
        }
    }

    /** Says whether one thread computes a product of the matrix about as fast as a team. */
    private boolean isSmall() {
        return alone && matrix.nonZeros() <= MOST_OF_ONE_THREAD && matrix.precision() == Precision.F64
                && matrix.segments().size() == 1;
    }

    private SpmvOperator product() {
        if (product == null) {
            product = parts.products().apply(matrix);
        }
        return product;
    }

    @Override
    public SolverSpace space() {
        return space;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // there is one clock of those who solve alone
    public LinearSolver prepare(SolverChoice choice, double seconds) {
        if (choice.isDirect()) {
            // Factorisations read the time on the wall.
            boolean wall = CollectiveClock.of(backend) == CollectiveClock.OWN;
            return factorised(wall ? seconds : Double.POSITIVE_INFINITY).withoutErrorEstimates();
        }
        SolverConfig stack = choice.stack().orElseThrow();
        SolverConfig whole = new SolverConfig(stack.method(), stack.methodOptions(), stack.preconditioner(),
                stack.preconditionerOptions(), stack.criteria(), stack.mixedPrecision(), nullSpaceOfConstants);
        CsrMatrix now = matrix;
        Supplier<LinearSolver> usual = () -> whole.prepare(now, product(), parts);
        return isPlain(choice)
                ? new OneThreadFirst(whole.prepareOnOneThread(now), usual, visits, now.nonZeros())
                : usual.get();
    }

    /** By the analysis that there is, if there is one: its factors belong to the solver then. */
    private DirectSolver factorised(double seconds) {
        if (analysed == null || analysed.predicted().operations() > seconds * OPERATIONS_A_SECOND) {
            return DirectSolver.of(matrix, properties.symmetric(), options(seconds), Double.POSITIVE_INFINITY);
        }
        DirectSolver found = analysed;
        analysed = null;
        return found.factorised(Double.POSITIVE_INFINITY);
    }

    @Override
    public boolean refresh(SolverChoice choice, LinearSolver solver) {
        if (solver instanceof DirectSolver direct) {
            direct.update(matrix);
            return true;
        }
        if (!ordinary || nullSpaceOfConstants || choice.stack().orElseThrow().mixedPrecision()) {
            return false;
        }
        if (solver instanceof AutomaticSolver automatic) {
            automatic.update(matrix);
            return true;
        }
        if (PreconditionedSolver.of(solver).orElse(null) instanceof Multigrid multigrid) {
            multigrid.refresh(matrix);
            return true;
        }
        return false;
    }

    @Override
    public boolean canKeep(SolverChoice choice) {
        return ordinary && KEPT.contains(choice.family())
                && !choice.stack().map(SolverConfig::mixedPrecision).orElse(true);
    }

    @Override
    public void close() {
        if (product != null) {
            product.close();
        }
        if (ownsBackend) {
            backend.close();
        }
    }

    @Override
    public String toString() {
        return matrix.toString();
    }
}
