package org.trellis.solve.smooth;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Checks;
import org.trellis.memory.DenseVector;
import org.trellis.memory.VectorSpace;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * What smoothers have in common: checks, several sweeps in one application, steps that are bound once for operands that
 * come again, and the release of all they own. A subclass adds the steps of one application and of one sweep.
 */
abstract class StepSmoother extends CheckedOperator implements Smoother {
    private static final String SWEEP = "sweep";
    private static final String APPLY = "z = M^-1 r";

    private final SmootherContext input;
    private final VectorSpace space;
    private final SmootherKernels kernels;
    private final ElementKernels elements;
    private final int sweeps;
    private final List<Runnable> owned = new ArrayList<>();
    private long bytes;
    private DenseVector scratch;
    private DenseVector residual;
    private DenseVector correction;
    private Bound applied;
    private final Map<SweepDirection, Bound> swept = new EnumMap<>(SweepDirection.class);

    /** Steps with the operands they are bound to. */
    private record Bound(DenseVector from, DenseVector to, SmootherSteps steps) {
        @SuppressWarnings("ReferenceEquality") // one object is what is asked about
        boolean has(DenseVector one, DenseVector other) {
            return from == one && to == other;
        }
    }

    /**
     * Creates a smoother.
     *
     * @param input  what it is made of; closed with it
     * @param sweeps sweeps in one application, at least 1
     */
    StepSmoother(SmootherContext input, int sweeps) {
        this.input = input;
        this.sweeps = Checks.positive("number of sweeps", sweeps);
        this.space = input.space();
        this.kernels = input.kernels();
        this.elements = input.backend().kernels(ElementKernels.class);
        owned.add(input::close);
    }

    /** Adds the steps of one sweep from zero: {@code z = M⁻¹ r}. */
    abstract void addApplication(DenseVector r, DenseVector z, SmootherSteps steps);

    /** Adds the steps of {@code x = x + M⁻¹ (b − A x)}; unless overridden, as this formula says. */
    void addSweep(DenseVector b, DenseVector x, SweepDirection direction, SmootherSteps steps) {
        addResidual(b, x, steps);
        addApplication(residual(), correction(), steps);
        steps.add(update(1, null, correction(), 1, x));
    }

    /** The direction of the sweeps that follow the first one in an application. */
    SweepDirection ownDirection() {
        return SweepDirection.SYMMETRIC;
    }

    /** A work vector for residuals. */
    final DenseVector residual() {
        if (residual == null) {
            residual = workVector();
        }
        return residual;
    }

    /** A work vector for what sweeps add. */
    final DenseVector correction() {
        if (correction == null) {
            correction = workVector();
        }
        return correction;
    }

    /** Adds the steps that compute the residual into the work vector for it. */
    @SuppressWarnings("MustBeClosed") // closed with the steps
    final void addResidual(DenseVector b, DenseVector x, SmootherSteps steps) {
        steps.add(update(1, null, b, 0, residual()));
        steps.add(input.product().bind(-1, x, 1, residual()));
    }

    /** A step {@code y = α d ∘ x + β y}, for the steps that are closed with this. */
    @SuppressWarnings("MustBeClosed") // closed with the steps
    final PreparedStep update(double alpha, DenseVector d, DenseVector x, double beta, DenseVector y) {
        return elements.bindUpdate(alpha, d, x, beta, y);
    }

    final SmootherContext input() {
        return input;
    }

    final SmootherKernels kernels() {
        return kernels;
    }

    final int sweeps() {
        return sweeps;
    }

    /** Takes over a vector, to be closed with this. */
    final DenseVector own(DenseVector vector) {
        owned.add(vector::close);
        bytes += (long) vector.length() * vector.precision().bytes();
        return vector;
    }

    /** Takes over a product, to be closed with this. */
    final SpmvOperator own(SpmvOperator product) {
        owned.add(product::close);
        bytes += product.preparedBytes();
        return product;
    }

    /** Prepares rows that are closed with this. */
    final SmootherKernels.PreparedRows own(StagedRows rows) {
        SmootherKernels.PreparedRows prepared = kernels.prepare(rows);
        owned.add(prepared::close);
        bytes += rows.bytes();
        return prepared;
    }

    /** Prepares the product of a matrix, closed with this. */
    @SuppressWarnings("MustBeClosed") // closed with this
    final SpmvOperator product(CsrMatrix matrix) {
        return own(input.backend().kernels(SparseKernels.class).prepare(matrix));
    }

    /** Makes a vector of zeros that is closed with this. */
    @SuppressWarnings("MustBeClosed") // closed with this
    final DenseVector workVector() {
        return own(input.backend().vector(space.precision(), space.length()));
    }

    /** Makes something and closes this if that fails. For constructors. */
    final void orClose(Runnable making) {
        try {
            making.run();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    @Override
    public final VectorSpace domain() {
        return space;
    }

    @Override
    public final VectorSpace range() {
        return space;
    }

    @Override
    protected final ElementKernels elements() {
        return elements;
    }

    @Override
    public final long storedBytes() {
        return bytes;
    }

    @Override
    protected final void run(double alpha, DenseVector x, double beta, DenseVector y) {
        if (alpha == 1 && beta == 0) {
            applied(x, y).run();
            return;
        }
        applied(x, scratch()).run();
        elements.update(alpha, null, scratch, beta, y);
    }

    @Override
    protected final void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        if (symmetric()) {
            run(alpha, x, beta, y);
        } else {
            super.runTransposed(alpha, x, beta, y);
        }
    }

    private DenseVector scratch() {
        if (scratch == null) {
            scratch = workVector();
        }
        return scratch;
    }

    private SmootherSteps applied(DenseVector r, DenseVector z) {
        if (applied == null || !applied.has(r, z)) {
            closeBound(applied);
            applied = null;
            applied = new Bound(r, z, application(r, z));
        }
        return applied.steps();
    }

    private SmootherSteps application(DenseVector r, DenseVector z) {
        return bound(steps -> {
            addApplication(r, z, steps);
            for (int sweep = 1; sweep < sweeps; sweep++) {
                addSweep(r, z, ownDirection(), steps);
            }
        }, r, z);
    }

    /** Binds steps that refuse to run once this is closed or a numbering replaced. */
    private SmootherSteps bound(Consumer<SmootherSteps> adding, DenseVector... operands) {
        SmootherSteps steps = new SmootherSteps();
        try {
            adding.accept(steps);
        } catch (RuntimeException | Error e) {
            steps.close();
            throw e;
        }
        return steps.guardedBy(() -> {
            requireOpen("run of a bound smoother");
            for (DenseVector operand : operands) {
                operand.numbering().requireCurrent();
            }
        });
    }

    private void check(String operation, DenseVector from, DenseVector to) {
        space.check(operation, "the right-hand side", from);
        space.check(operation, "the result", to);
        requireOpen(operation);
        if (from.overlaps(to)) {
            throw new IllegalArgumentException(operation + " of " + this
                    + ": right-hand side and result are one vector or overlap, expected two that do not");
        }
    }

    @Override
    public final void sweep(DenseVector b, DenseVector x, SweepDirection direction) {
        check(SWEEP, b, x);
        Bound last = swept.get(direction);
        if (last == null || !last.has(b, x)) {
            closeBound(last);
            swept.remove(direction);
            last = new Bound(b, x, bound(steps -> addSweep(b, x, direction, steps), b, x));
            swept.put(direction, last);
        }
        last.steps().run();
    }

    @Override
    public final List<PreparedStep> bindSweep(DenseVector b, DenseVector x, SweepDirection direction) {
        check(SWEEP, b, x);
        return bound(steps -> addSweep(b, x, direction, steps), b, x).list();
    }

    @Override
    public final List<PreparedStep> bindApplication(DenseVector r, DenseVector z) {
        check(APPLY, r, z);
        return application(r, z).list();
    }

    @Override
    @MustBeClosed
    protected final PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
        return alpha == 1 && beta == 0 ? application(x, y) : super.step(alpha, x, beta, y);
    }

    private static void closeBound(Bound bound) {
        if (bound != null) {
            bound.steps().close();
        }
    }

    @Override
    protected final void release() {
        closeBound(applied);
        for (Bound bound : swept.values()) {
            closeBound(bound);
        }
        owned.reversed().forEach(Runnable::run);
    }

    @Override
    public final String describe(long rows) {
        return describe() + " of " + rows + " " + precision().label();
    }

    @Override
    public final String toString() {
        return describe(rows());
    }
}
