package org.trellis.tuner.product.online;

import com.google.errorprone.annotations.MustBeClosed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.DeviceException;
import org.trellis.common.KernelCompilationException;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.MultiVector;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.contest.WorkClock;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.product.advice.Advice;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.TuningResult;

/**
 * An operator that finds out how its matrix is multiplied best, within the products that the program asks for (thesis,
 * section 4.5.2). Each product is done by a kernel that gives the right result; while tuning goes on, successive
 * products are run in different variants and timed. Rounding may differ between two variants, so until {@link
 * #isTuned()} the same operands need not give the same bits.
 *
 * <p>A way that is tried is prepared inside the product that needs it, unless {@link #prepareAhead()} was called
 * before, which costs a conversion of the matrix; the time is counted and limited ({@link
 * TuningSettings#preparationSeconds}), and two variants at most are in memory at a time. On a device that works
 * asynchronously times are taken from marks in its queue. There a product with β = 0 that had a way prepared is
 * repeated until the way is chosen or sent away, for no longer than the preparation took, and goes on with further
 * variants until 0.15 s have passed: a product takes microseconds and a preparation milliseconds, so that ten
 * products compare most of what is worth it. No other product waits. When tuning has ended, a product costs one call
 * more than that of the way found.
 *
 * <p>Only {@code y = α A x + β y} is tuned; transposed and multiple products are run by the best way so far. Products
 * that are fused with something else are not, while tuning goes on, and those of the way found afterwards.
 */
public final class TunedSpmvOperator extends SpmvOperator {
    private static final int OUT_OF_DEVICE_MEMORY = 2;
    /** Repeated products are timed together for about so long. */
    private static final double TIMED_SECONDS = 100e-6;
    private static final int MOST_REPETITIONS = 20;
    /** A product that had a way prepared tries further ones until it has taken this long. */
    private static final long SEARCHED_NANOS = 150_000_000;

    private final Backend backend;
    private final TuningSettings settings;
    private final TuningState state;
    private final WorkClock clock;
    private final Optional<DeviceTiming> device;
    private final Map<SpmvParameters, SpmvOperator> prepared = new HashMap<>();
    private SpmvOperator settled;
    private SpmvParameters pending;
    private int pendingTimes;
    private double lastSeconds = TIMED_SECONDS;
    private SpmvParameters last;
    private int preparations;

    /** What tuning has found, which outlives an operator. */
    static final class TuningState {
        final Advice advice;
        final OnlineSearch search;
        final Map<SpmvParameters, Double> preparation = new HashMap<>();
        double preparationSeconds;

        TuningState(Advice advice, OnlineSearch search) {
            this.advice = advice;
            this.search = search;
        }

        /** A result of the way that is kept, and of each other that was timed at least twice. */
        List<TuningResult> results(Fingerprint matrix, Precision precision) {
            List<TuningResult> results = new ArrayList<>();
            for (OnlineSearch.Sampled sampled : search.history()) {
                double[] seconds = sampled.seconds();
                if (seconds.length > 1 || sampled.parameters().equals(search.best())) {
                    results.add(new TuningResult(matrix, precision, sampled.parameters(), seconds,
                            preparation.getOrDefault(sampled.parameters(), 0.0), Invalidity.CORRECT, Instant.now()));
                }
            }
            return results;
        }
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // all that is prepared is closed with this
    TunedSpmvOperator(Backend backend, SparseMatrix matrix, TuningState state, TuningSettings settings) {
        super(matrix, state.search.best(), backend.device().space());
        this.backend = backend;
        this.settings = settings;
        this.state = state;
        this.device = backend.optionalKernels(DeviceTiming.class);
        this.clock = WorkClock.of(backend);
        backend.kernels(SparseKernels.class).expect(matrix, state.search.promising());
        try {
            SpmvOperator first = prepare(state.search.best());
            this.last = first.parameters();
            if (clock == null) {
                state.search.stop();
            }
            if (state.search.isFinished()) {
                settle(first);
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            close();
            throw e;
        }
    }

    /**
     * Prepares a matrix for tuning.
     *
     * @param backend  an open backend, which outlives the operator
     * @param matrix   the matrix; may be kept, must not change
     * @param advice   what to begin with and what to try
     * @param settings how far to go
     * @return an operator that the caller closes
     */
    @MustBeClosed
    public static TunedSpmvOperator prepare(Backend backend, SparseMatrix matrix, Advice advice,
            TuningSettings settings) {
        KernelNeighbourhood neighbourhood = new KernelNeighbourhood(backend.kernels(SparseKernels.class), matrix);
        return new TunedSpmvOperator(backend, matrix,
                new TuningState(advice, new OnlineSearch(advice, neighbourhood, settings)), settings);
    }

    @Override
    public SpmvParameters parameters() {
        return state.search.best();
    }

    /**
     * Returns how the last product was run while tuning went on, for those who watch. Reads the time of that product if
     * it is there.
     *
     * @return parameters, those of the first way before any product
     */
    public SpmvParameters lastParameters() {
        if (settled == null) {
            collect();
        }
        return last;
    }

    /**
     * Says whether tuning has ended.
     *
     * @return true if every product is run the same way from now on
     */
    public boolean isTuned() {
        return settled != null;
    }

    /** Is the same as {@link #isTuned()}. */
    @Override
    public boolean isSettled() {
        return isTuned();
    }

    /**
     * Returns what tuning began with.
     *
     * @return the first guess and what was known then
     */
    public Advice advice() {
        return state.advice;
    }

    /**
     * Returns the products that were timed.
     *
     * @return at least 0
     */
    public int timedProducts() {
        return state.search.products();
    }

    /**
     * Returns what tuning has cost beside the products.
     *
     * @return seconds of conversion and compilation, those of the first way included
     */
    public double preparationSeconds() {
        return state.preparationSeconds;
    }

    /**
     * Returns what was tried, in order.
     *
     * @return the variants and their times
     */
    public List<OnlineSearch.Sampled> history() {
        return state.search.history();
    }

    /**
     * Returns what was measured, for a profile.
     *
     * @param matrix the structure of the matrix
     * @return a result of the best way, and of each other that was timed at least twice, since one time is not believed
     */
    public List<TuningResult> results(Fingerprint matrix) {
        return state.results(matrix, matrix().precision());
    }

    @Override
    public long preparedBytes() {
        return best().preparedBytes();
    }

    @Override
    public void makeReady() {
        best().makeReady();
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        if (settled != null) {
            runChecked(settled, alpha, x, beta, y);
        } else {
            applyTuning(alpha, x, beta, y);
        }
    }

    private void applyTuning(double alpha, DenseVector x, double beta, DenseVector y) {
        collect();
        boolean timed = settled == null && pending == null && (settings.preparesWithinProducts() || isNextReady());
        int before = preparations;
        long start = System.nanoTime();
        SpmvOperator operator = timed ? next() : best();
        last = operator.parameters();
        if (!timed || settled != null) {
            runChecked(operator, alpha, x, beta, y);
            return;
        }
        boolean repeatable = beta == 0 && settings.preparesWithinProducts() && device.isPresent();
        if (repeatable && preparations > before) {
            runChecked(operator, alpha, x, beta, y);
            repeat(device.get(), start, alpha, x, y);
        } else {
            time(operator, 1, alpha, x, beta, y);
        }
    }

    private void time(SpmvOperator operator, int times, double alpha, DenseVector x, double beta, DenseVector y) {
        clock.begin();
        for (int i = 0; i < times; i++) {
            runChecked(operator, alpha, x, beta, y);
        }
        clock.end();
        pending = operator.parameters();
        pendingTimes = times;
        collect();
    }

    /**
     * Repeats a product, whose result stays right, until it is decided about the way that was prepared for it, and goes
     * on with others as long as it is not late. Several are timed as one: the marks of a clock add a microsecond, and
     * there are products of four. The first few of a way are not counted: they find caches cold, and the host may hand
     * them over more slowly than the device runs them.
     */
    private void repeat(DeviceTiming queue, long start, double alpha, DenseVector x, DenseVector y) {
        long now = System.nanoTime();
        long late = start + SEARCHED_NANOS;
        long end = Math.max(late, 2 * now - start);
        SpmvOperator warm = null;
        queue.synchronize();
        collect();
        while (pending == null && settled == null && now < (state.search.isDeciding() ? end : late)) {
            SpmvOperator operator = next();
            if (settled != null) {
                return;
            }
            last = operator.parameters();
            if (operator != warm) {
                warmUp(operator, alpha, x, y);
                warm = operator;
            }
            queue.synchronize();
            time(operator, repetitions(), alpha, x, 0, y);
            queue.synchronize();
            collect();
            now = System.nanoTime();
        }
    }

    /** Runs a way as often as it is timed, without a look at the clock. */
    private void warmUp(SpmvOperator operator, double alpha, DenseVector x, DenseVector y) {
        clock.begin();
        for (int i = repetitions(); i > 0; i--) {
            runChecked(operator, alpha, x, 0, y);
        }
        clock.end();
    }

    private int repetitions() {
        return (int) Math.max(1, Math.min(MOST_REPETITIONS, Math.ceil(TIMED_SECONDS / lastSeconds)));
    }

    /** Whether the next way to be timed is prepared, or there is none. */
    private boolean isNextReady() {
        SpmvParameters parameters = state.search.next();
        return state.search.isFinished() || prepared.containsKey(parameters);
    }

    /**
     * Prepares the way that the next product is to try, so that the product need not: a call takes as long as a
     * conversion of the matrix, and then no product is longer than a product. Where preparing within products is
     * switched off ({@link TuningSettings#preparesWithinProducts}) tuning makes progress by these calls only. For
     * programs that have time between some products and none between others, such as before each outer iteration.
     * Called by the thread that multiplies.
     *
     * @return true if something was prepared; false if tuning has ended, the way is prepared, or the time of the last
     *         product is still to come from the device, without which the next way is not known
     * @throws IllegalStateException if this operator is closed
     */
    public boolean prepareAhead() {
        requireOpen("prepare ahead");
        collect();
        if (settled != null || pending != null || isNextReady()) {
            return false;
        }
        int before = preparations;
        next();
        return preparations > before;
    }

    /** Reads the last time if it is there. */
    private void collect() {
        if (pending == null) {
            return;
        }
        OptionalDouble seconds = clock.seconds();
        if (seconds.isPresent()) {
            lastSeconds = seconds.getAsDouble() / pendingTimes;
            state.search.measured(pending, lastSeconds);
            pending = null;
            if (state.search.isFinished()) {
                settle(best());
            }
        }
    }

    /** The operator of the next product to be timed; sets that cannot be prepared are reported to the search. */
    private SpmvOperator next() {
        while (true) {
            SpmvParameters parameters = state.search.next();
            if (state.search.isFinished()) {
                settle(best());
                return settled;
            }
            SpmvOperator ready = prepared.get(parameters);
            if (ready != null) {
                return ready;
            }
            dropLosers();
            SpmvOperator challenger = attempt(parameters);
            if (challenger != null) {
                return challenger;
            }
            state.search.refused(parameters);
        }
    }

    /** Prepares a variant that is to be tried, or returns null if it is too costly or not available. */
    private SpmvOperator attempt(SpmvParameters parameters) {
        if (state.preparationSeconds > settings.preparationSeconds()) {
            state.search.stop();
            return null;
        }
        try {
            SpmvOperator operator = prepare(parameters);
            if (operator.preparedBytes() > settings.storedBytes() * best().preparedBytes()) {
                prepared.remove(parameters).close();
                return null;
            }
            return operator;
        } catch (UnsupportedKernelException | KernelCompilationException | OutOfMemoryError e) {
            return null;
        } catch (DeviceException e) {
            if (e.code() == OUT_OF_DEVICE_MEMORY) {
                return null;
            }
            throw e;
        }
    }

    /** Prepares a way of running, which is closed with this at the latest. */
    private SpmvOperator prepare(SpmvParameters parameters) {
        long start = System.nanoTime();
        @SuppressWarnings("MustBeClosed") // kept, or closed here
        SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix(), parameters);
        try {
            operator.makeReady();
            if (device.isEmpty()) {
                Rehearsal.rehearse(backend, matrix().toCsr(), parameters);
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            operator.close();
            throw e;
        }
        prepared.put(parameters, operator);
        preparations++;
        double seconds = (System.nanoTime() - start) * 1e-9;
        state.preparation.merge(parameters, seconds, Double::sum);
        state.preparationSeconds += seconds;
        return operator;
    }

    /** Prepared here, unless another operator of the same structure has found it. */
    private SpmvOperator best() {
        if (settled != null) {
            return settled;
        }
        SpmvOperator known = prepared.get(state.search.best());
        return known != null ? known : prepare(state.search.best());
    }

    private void dropLosers() {
        SpmvOperator best = best();
        prepared.values().removeIf(operator -> {
            if (operator == best) {
                return false;
            }
            operator.close();
            return true;
        });
    }

    private void settle(SpmvOperator best) {
        settled = best;
        dropLosers();
        if (clock != null) {
            clock.close();
        }
    }

    @Override
    protected ElementKernels elements() {
        return elementsOf(best());
    }

    /** Gives all that is prepared the new values; what is prepared later gets them from the matrix. */
    @Override
    protected void replaceValues(DenseVector values) {
        SpmvOperator best = best();
        prepared.values().forEach(operator -> operator.refill(values));
        replaceMatrix(best::matrix);
    }

    /** The way that was found, for what it does in one kernel; null while tuning goes on. */
    private SpmvOperator fused() {
        return settled == null ? null : settled.bindTo(range().numbering(), domain().numbering());
    }

    @Override
    protected void runAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        SpmvOperator found = fused();
        if (found == null) {
            super.runAndDot(alpha, x, beta, y, w, result, at);
        } else {
            found.multiplyAndDot(alpha, x, beta, y, w, result, at);
        }
    }

    @Override
    protected void runResidual(DenseVector b, DenseVector x, DenseVector r) {
        SpmvOperator found = fused();
        if (found == null) {
            super.runResidual(b, x, r);
        } else {
            found.residual(b, x, r);
        }
    }

    @Override
    protected void runJacobi(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b, DenseVector y) {
        SpmvOperator found = fused();
        if (found == null) {
            super.runJacobi(omega, x, inverseDiagonal, b, y);
        } else {
            found.jacobiStep(omega, x, inverseDiagonal, b, y);
        }
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        best().bindTo(range().numbering(), domain().numbering()).multiplyTransposed(alpha, x, beta, y);
    }

    @Override
    protected void runMultiple(double alpha, MultiVector x, double beta, MultiVector y) {
        best().multiply(alpha, x, beta, y);
    }

    @Override
    protected void release() {
        prepared.values().forEach(SpmvOperator::close);
        prepared.clear();
        if (clock != null) {
            clock.close();
        }
    }

    @Override
    public String toString() {
        return "tuned product of " + matrix() + ", " + (isTuned() ? "" : "so far ") + "as " + parameters();
    }
}
