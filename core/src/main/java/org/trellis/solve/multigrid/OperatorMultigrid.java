package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.VectorSpace;
import org.trellis.mesh.LoopSequence;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseMatrix;

/**
 * Multigrid of operators that are given, with smoothers and transfers of one's own: a hierarchy of refined meshes whose
 * operators are loops, for which only the coarsest level needs a matrix. The cycles are those of {@link Multigrid}: as
 * a preconditioner one cycle from zero, as a smoother one that improves an iterate.
 *
 * <p>On a level, a cycle costs the sweeps, a residual, a restriction and a prolongation. It allocates nothing. The
 * coarsest system is solved directly: by its inverse, by factors, or by sweeps of SSOR where neither can be had.
 */
public final class OperatorMultigrid extends CheckedOperator implements Smoother {
    private static final int TIMED_CYCLES = 3;

    private final List<OperatorLevel> given;
    private final Hierarchy below;
    private final CycleOptions options;
    private final Backend backend;
    private final VectorSpace space;
    private final List<Cycle> bound = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final CycleLevels levels;
    private final Cycle own;

    private OperatorMultigrid(List<OperatorLevel> given, Hierarchy below, MultigridParts parts,
            CycleOptions options) {
        this.given = List.copyOf(given);
        this.below = below;
        this.options = options;
        this.backend = parts.backend();
        levels = new CycleLevels(this.given, below, parts, options, new SetupTimes(), remarks);
        this.space = VectorSpace.of(levels.finest().size(), levels.precision(), backend.device().space());
        try {
            own = new Cycle(levels.finest().b().vector(), levels.finest().x().vector(), true);
        } catch (RuntimeException | Error e) {
            levels.close();
            throw e;
        }
    }

    /**
     * Prepares cycles.
     *
     * @param levels   all levels but the coarsest, finest first; none of them is closed with what is returned
     * @param coarsest the matrix of the coarsest level
     * @param options  what a cycle does
     * @param backend  where all of it runs
     * @return the method, which the caller closes before the levels
     * @throws IllegalArgumentException if sizes or precisions of neighbours do not fit, or the coarsest matrix is not
     *         square; names the level
     */
    public static OperatorMultigrid of(List<OperatorLevel> levels, CsrMatrix coarsest, CycleOptions options,
            Backend backend) {
        check(levels, coarsest);
        MultigridParts parts = MultigridParts.of(backend,
                (level, matrix, product) -> Preconditioners.smoother("ssor", matrix, product, backend, Map.of()));
        return new OperatorMultigrid(levels, Hierarchy.given(List.of(HierarchyLevel.coarsest(coarsest))), parts,
                options);
    }

    /**
     * Prepares cycles that go on algebraically below the levels that are given. The hierarchy is set up where the
     * options say: with the backend, if it can, without the matrix going to the host.
     *
     * @param levels  levels above the matrix, finest first; none of them is closed with what is returned
     * @param lowest  the matrix from which coarsening is algebraic; one in the memory of the backend outlives the
     *                method
     * @param space   its near null space, or null for constants
     * @param options coarsening and smoother below, and the cycle of all levels
     * @param backend where all of it runs
     * @return the method, which the caller closes before the levels
     * @throws IllegalArgumentException if sizes or precisions of neighbours do not fit, the matrix is not square, an
     *         element not finite, or levels are to be of another precision; names the level
     */
    public static OperatorMultigrid of(List<OperatorLevel> levels, SparseMatrix lowest, NearNullSpace space,
            MultigridOptions options, Backend backend) {
        check(levels, lowest);
        if (options.levels().isPresent() && options.levels().get() != lowest.precision()) {
            throw new IllegalArgumentException("multigrid of given operators in " + lowest.precision().label()
                    + " with levels=" + options.levels().get().label() + ", expected one precision");
        }
        Hierarchy below = Multigrid.hierarchy(lowest, space, options, backend);
        try {
            KnownLevels known = new KnownLevels().take(below);
            return new OperatorMultigrid(levels, below,
                    MultigridParts.of(backend, options.smoother().on(backend, known)), options.cycle());
        } catch (RuntimeException | Error e) {
            below.close();
            throw e;
        }
    }

    private static void check(List<OperatorLevel> levels, SparseMatrix coarsest) {
        if (coarsest.rows() != coarsest.columns()) {
            throw new IllegalArgumentException("coarsest level with " + coarsest + ", expected a square matrix");
        }
        for (int l = 0; l < levels.size(); l++) {
            boolean last = l == levels.size() - 1;
            int next = last ? coarsest.rows() : levels.get(l + 1).operator().rows();
            OperatorLevel level = levels.get(l);
            if (level.prolongation().columns() != next || level.operator().precision() != coarsest.precision()) {
                throw new IllegalArgumentException(
                        "level " + l + " of " + (levels.size() + 1) + " has a prolongation of "
                                + level.prolongation().columns() + " columns in " + level.operator().precision().label()
                                + ", expected the " + next + " rows of the next level and "
                                + coarsest.precision().label());
            }
        }
    }

    /** A cycle that is bound to vectors of the finest level. */
    private final class Cycle implements PreparedStep {
        private final DenseVector b;
        private final DenseVector x;
        private final CycleSteps steps;
        private final LoopSequence sequence;
        private boolean closed;

        Cycle(DenseVector b, DenseVector x, boolean fromZero) {
            this.b = b;
            this.x = x;
            steps = levels.bind(options, b, x, fromZero);
            LoopSequence.Builder builder = levels.mesh().sequence("cycle " + options);
            steps.steps().forEach(step -> builder.run(step.step()));
            sequence = builder.build();
        }

        @Override
        public void run() {
            if (closed) {
                throw new IllegalStateException("a bound cycle of " + OperatorMultigrid.this + " is closed");
            }
            requireOpen("run of a bound cycle");
            b.numbering().requireCurrent();
            x.numbering().requireCurrent();
            sequence.run();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                bound.remove(this);
                sequence.close();
                steps.close();
            }
        }
    }

    private Cycle bindChecked(String operation, DenseVector b, DenseVector x, boolean fromZero) {
        space.check(operation, "b", b);
        space.check(operation, "x", x);
        requireOpen(operation);
        if (b.overlaps(x)) {
            throw new IllegalArgumentException(operation + " of " + this
                    + ": b and x are one vector or overlap, expected two that do not");
        }
        Cycle cycle = new Cycle(b, x, fromZero);
        bound.add(cycle);
        return cycle;
    }

    @Override
    public List<PreparedStep> bindSweep(DenseVector b, DenseVector x, SweepDirection direction) {
        return List.of(bindChecked("cycle", b, x, false));
    }

    @Override
    public List<PreparedStep> bindApplication(DenseVector r, DenseVector z) {
        return List.of(bindChecked("cycle from zero", r, z, true));
    }

    /**
     * Improves an iterate by one cycle, which is bound for once; who does several binds one.
     *
     * @throws IllegalArgumentException if an operand does not belong to the domain, or they overlap
     * @throws IllegalStateException    if this is closed or the numbering of an operand was replaced
     */
    @Override
    public void sweep(DenseVector b, DenseVector x, SweepDirection direction) {
        try (Cycle cycle = bindChecked("cycle", b, x, false)) {
            cycle.run();
        }
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        ElementKernels kernels = elements();
        kernels.update(1, null, x, 0, own.b);
        own.run();
        kernels.update(alpha, null, own.x, beta, y);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // returned
    protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
        return alpha == 1 && beta == 0 ? bindChecked("cycle from zero", x, y, true) : super.step(alpha, x, beta, y);
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        if (symmetric()) {
            run(alpha, x, beta, y);
        } else {
            super.runTransposed(alpha, x, beta, y);
        }
    }

    /**
     * Returns how many rows the levels have.
     *
     * @return the rows, finest first
     */
    public List<Integer> rowsOfLevels() {
        return levels.levels().stream().map(CycleLevel::size).toList();
    }

    /**
     * Returns what is done on the levels.
     *
     * @return a smoother in words for each level, finest first, and how the coarsest is solved
     */
    public List<String> smoothersOfLevels() {
        return levels.levels().stream()
                .map(level -> level.isCoarsest() ? level.coarse().toString() : level.smoother().describe()).toList();
    }

    /**
     * Times the levels. Runs a few cycles, step by step.
     *
     * @return the seconds of each level in a cycle, finest first
     * @throws IllegalStateException if this is closed
     */
    public double[] secondsOfLevels() {
        requireOpen("times of levels");
        double[] seconds = new double[levels.levels().size()];
        Arrays.fill(seconds, Double.POSITIVE_INFINITY);
        for (int cycle = 0; cycle < TIMED_CYCLES; cycle++) {
            double[] one = levels.time(own.steps);
            Arrays.setAll(seconds, l -> Math.min(seconds[l], one[l]));
        }
        return seconds;
    }

    /**
     * Returns what was noticed, such as a coarsest matrix that is singular.
     *
     * @return sentences that say what would help
     */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    @Override
    public VectorSpace domain() {
        return space;
    }

    @Override
    public VectorSpace range() {
        return space;
    }

    @Override
    protected ElementKernels elements() {
        return backend.kernels(ElementKernels.class);
    }

    /**
     * Returns whether a cycle is symmetric: one that goes down as it comes up, on levels that are.
     */
    @Override
    public boolean symmetric() {
        return levels.symmetric(options) && given.stream().allMatch(OperatorLevel::symmetric);
    }

    /** Returns true for K-cycles. */
    @Override
    public boolean variable() {
        return options.shape() == CycleShape.K && levels.levels().size() > 2;
    }

    @Override
    public long storedBytes() {
        return levels.levels().stream().mapToLong(CycleLevel::bytes).sum();
    }

    @Override
    public String describe() {
        return "multigrid of given operators, cycle=" + options + ", levels=" + levels.levels().size();
    }

    @Override
    protected void release() {
        for (Cycle cycle : List.copyOf(bound)) {
            cycle.close();
        }
        own.close();
        levels.close();
        below.close();
    }

    @Override
    public String toString() {
        return describe() + " of " + rows() + " rows, coarsest "
                + levels.levels().getLast().matrix();
    }
}
