package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.VectorSpace;
import org.trellis.mesh.LoopSequence;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/**
 * A cycle as an operator: as a preconditioner one from zero, as a smoother one that improves an iterate. It is written
 * down once for each pair of vectors, as a sequence of steps. Levels may be of lower precision than the vectors, which
 * are converted on the way in and out then.
 */
abstract class CycleOperator extends CheckedOperator implements Smoother {
    private static final int TIMED_CYCLES = 3;

    private final CycleOptions options;
    private final Backend backend;
    private final VectorSpace space;
    private final List<Cycle> bound = new ArrayList<>();
    private DenseVector scratch;
    private CycleLevels levels;
    private Cycle own;

    /**
     * Prepares no cycle yet, see {@link #take}.
     *
     * @param options what a cycle does
     * @param backend where it runs
     * @param space   of the vectors
     */
    CycleOperator(CycleOptions options, Backend backend, VectorSpace space) {
        this.options = options;
        this.backend = backend;
        this.space = space;
    }

    /** Takes levels, which are closed with this or by {@link #drop}. */
    final void take(CycleLevels taken) {
        levels = taken;
        try {
            own = new Cycle(levels.finest().b().vector(), levels.finest().x().vector(), true);
        } catch (RuntimeException | Error e) {
            levels.close();
            throw e;
        }
    }

    /** Closes the levels, so that others can be taken; cycles wait for {@link #bindAgain}. */
    final void drop() {
        own.unbind();
        bound.forEach(Cycle::unbind);
        levels.close();
    }

    /** Binds all cycles to new levels. */
    final void bindAgain() {
        bound.forEach(Cycle::bind);
    }

    final CycleLevels levels() {
        return levels;
    }

    final CycleOptions options() {
        return options;
    }

    /** A cycle that is bound to vectors of the finest level. */
    private final class Cycle implements PreparedStep {
        private final DenseVector b;
        private final DenseVector x;
        private final boolean fromZero;
        private CycleSteps steps;
        private PreparedStep in;
        private PreparedStep out;
        private LoopSequence sequence;
        private boolean closed;

        Cycle(DenseVector b, DenseVector x, boolean fromZero) {
            this.b = b;
            this.x = x;
            this.fromZero = fromZero;
            bind();
        }

        /** Vectors of another precision than that of the levels are converted on the way in and out. */
        private boolean converts() {
            return b.precision() != levels.precision();
        }

        private void bind() {
            if (converts()) {
                bindConverting();
                return;
            }
            steps = levels.bind(options, b, x, fromZero);
            LoopSequence.Builder builder = levels.mesh().sequence("cycle " + options);
            steps.steps().forEach(step -> builder.run(step.step()));
            sequence = builder.build();
        }

        @SuppressWarnings("MustBeClosed") // closed with this
        private void bindConverting() {
            in = elements().bindConvert(b, own.b);
            out = elements().bindConvert(own.x, x);
            LoopSequence.Builder builder = levels.mesh().sequence("cycle " + options + " of " + levels.precision());
            builder.run(CycleSteps.work("to " + own.b.precision(), in, b, own.b));
            own.steps.steps().forEach(step -> builder.run(step.step()));
            sequence = builder.run(CycleSteps.work("to " + x.precision(), out, own.x, x)).build();
        }

        private void unbind() {
            sequence.close();
            if (converts()) {
                in.close();
                out.close();
            } else {
                steps.close();
            }
        }

        @Override
        public void run() {
            if (closed) {
                throw new IllegalStateException("a bound cycle of " + CycleOperator.this + " is closed");
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
                unbind();
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

    /** An iterate has more digits than levels of lower precision hold. */
    private void requireEqualPrecision() {
        if (space.precision() != levels.precision()) {
            throw new UnsupportedOperationException("a cycle of levels in " + levels.precision().label()
                    + " that improves an iterate in " + space.precision().label()
                    + ", expected one from zero, as the preconditioner of a method in " + space.precision().label());
        }
    }

    @Override
    public List<PreparedStep> bindSweep(DenseVector b, DenseVector x, SweepDirection direction) {
        requireEqualPrecision();
        return List.of(bindChecked("cycle", b, x, false));
    }

    @Override
    public List<PreparedStep> bindApplication(DenseVector r, DenseVector z) {
        return List.of(bindChecked("cycle from zero", r, z, true));
    }

    /**
     * Improves an iterate by one cycle, which is bound for once; who does several binds one.
     *
     * @throws IllegalArgumentException      if an operand does not belong to the domain, or they overlap
     * @throws IllegalStateException         if this is closed or the numbering of an operand was replaced
     * @throws UnsupportedOperationException if levels are of lower precision than the iterate
     */
    @Override
    public void sweep(DenseVector b, DenseVector x, SweepDirection direction) {
        requireEqualPrecision();
        try (Cycle cycle = bindChecked("cycle", b, x, false)) {
            cycle.run();
        }
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        ElementKernels kernels = elements();
        if (space.precision() == levels.precision()) {
            kernels.update(1, null, x, 0, own.b);
            own.run();
            kernels.update(alpha, null, own.x, beta, y);
        } else {
            kernels.convert(x, own.b);
            own.run();
            kernels.convert(own.x, scratch());
            kernels.update(alpha, null, scratch, beta, y);
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private DenseVector scratch() {
        if (scratch == null) {
            scratch = backend.vector(space.precision(), space.length());
        }
        return scratch;
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

    /** Returns the levels in the order in which a cycle from zero comes to them. */
    final List<Integer> visits() {
        return own.steps.visits();
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
    protected void release() {
        for (Cycle cycle : List.copyOf(bound)) {
            cycle.close();
        }
        if (scratch != null) {
            scratch.close();
        }
        own.close();
        levels.close();
    }
}
