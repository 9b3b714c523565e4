package org.trellis.tuner.loop;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.trellis.common.DeviceException;
import org.trellis.common.KernelCompilationException;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.loop.LoopTuning;
import org.trellis.tuner.contest.Contest;
import org.trellis.tuner.contest.WorkClock;
import org.trellis.tuner.features.LoopFeatures;
import org.trellis.tuner.features.LoopFingerprint;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.LoopResult;

/**
 * Tunes one loop of a mesh. The first run of a way that was just prepared is not timed: on a device its code is still
 * on the way there, and on the host the JVM has perhaps not compiled it, for which more runs are waited.
 */
final class TunedLoop implements LoopTuning {
    private static final int OUT_OF_DEVICE_MEMORY = 2;

    private final LoopDeclaration loop;
    private final LoopTuningSettings settings;
    private final State state;
    private final WorkClock clock;
    private final boolean onHost;
    private final String backend;
    private LoopParameters wanted;
    /** Prepared last, and whether it has not run since. */
    private LoopParameters latest;
    private boolean fresh;
    private LoopParameters pending;
    private boolean timing;
    private long start;

    /** What tuning has found, which outlives loops and is shared by those with one fingerprint. */
    static final class State {
        final LoopFingerprint fingerprint;
        final LoopFeatures features;
        final LoopAdvice advice;
        final OnlineLoopSearch search;
        final Map<LoopParameters, Double> preparation = new HashMap<>();
        final Map<LoopScheme, Double> dearest = new HashMap<>();
        final Map<LoopParameters, Invalidity> failed = new HashMap<>();
        double preparationSeconds;

        State(LoopFingerprint fingerprint, LoopFeatures features, LoopAdvice advice, OnlineLoopSearch search) {
            this.fingerprint = fingerprint;
            this.features = features;
            this.advice = advice;
            this.search = search;
        }

        void prepared(LoopParameters parameters, double seconds) {
            preparationSeconds += seconds;
            preparation.merge(parameters, seconds, Double::sum);
            dearest.merge(parameters.scheme(), seconds, Math::max);
        }

        /** A result of each variant that was timed or was not available. */
        List<LoopResult> results() {
            List<LoopResult> results = new ArrayList<>();
            for (Contest.Tried<LoopParameters> tried : search.history()) {
                results.add(new LoopResult(fingerprint, tried.parameters(), tried.seconds(),
                        preparation.getOrDefault(tried.parameters(), 0.0), Invalidity.CORRECT, Instant.now()));
            }
            failed.forEach((parameters, reason) -> results
                    .add(new LoopResult(fingerprint, parameters, new double[0], 0, reason, Instant.now())));
            return results;
        }
    }

    TunedLoop(String backend, LoopDeclaration loop, LoopTuningSettings settings, State state, WorkClock clock,
            boolean onHost) {
        this.backend = backend;
        this.loop = loop;
        this.settings = settings;
        this.state = state;
        this.clock = clock;
        this.onHost = onHost;
        if (clock == null || loop.set().size() == 0) {
            state.search.stop();
        }
    }

    @Override
    public LoopParameters next() {
        collect();
        wanted = null;
        if (state.search.isFinished() || pending != null) {
            return best();
        }
        LoopParameters candidate = state.search.next();
        while (!candidate.equals(best()) && !candidate.equals(latest) && isTooDear(candidate)) {
            state.search.refused(candidate);
            candidate = state.search.next();
        }
        if (!state.search.isFinished()) {
            wanted = candidate;
        }
        return candidate;
    }

    /** What the dearest preparation of the scheme so far took is expected of another one, whose plan is its own. */
    private boolean isTooDear(LoopParameters candidate) {
        return state.preparationSeconds + state.dearest.getOrDefault(candidate.scheme(), 0.0) > settings.limits()
                .preparationSeconds();
    }

    @Override
    public LoopParameters best() {
        return state.search.best();
    }

    @Override
    public boolean isFinished() {
        return state.search.isFinished();
    }

    @Override
    public void prepared(LoopParameters parameters, double seconds) {
        state.prepared(parameters, seconds);
        latest = parameters;
        fresh = true;
    }

    @Override
    public boolean refused(LoopParameters parameters, Throwable failure, double seconds) {
        boolean compile = failure instanceof KernelCompilationException;
        boolean unsupported = failure instanceof UnsupportedKernelException;
        boolean memory = failure instanceof OutOfMemoryError
                || (failure instanceof DeviceException device && device.code() == OUT_OF_DEVICE_MEMORY);
        if (parameters.equals(best()) || !(compile || unsupported || memory)) {
            return false;
        }
        state.prepared(parameters, seconds);
        state.failed.put(parameters, compile
                ? Invalidity.COMPILE
                : unsupported ? Invalidity.CONSTRAINTS : Invalidity.RUNTIME);
        state.search.refused(parameters);
        return true;
    }

    @Override
    public void beforeRun() {
        timing = false;
        if (wanted == null || state.search.isFinished()) {
            return;
        }
        timing = onHost
                ? LoopWarmUp.of(backend, loop, wanted).isOver(settings.warmUpSeconds())
                : !(fresh && wanted.equals(latest));
        if (timing) {
            clock.begin();
        } else {
            start = System.nanoTime();
        }
    }

    @Override
    public void afterRun() {
        if (wanted == null || state.search.isFinished()) {
            return;
        }
        fresh &= !wanted.equals(latest);
        if (timing) {
            clock.end();
            pending = wanted;
            collect();
        } else if (onHost) {
            LoopWarmUp.of(backend, loop, wanted).ran((System.nanoTime() - start) * 1e-9);
        }
    }

    /** Reads the last time if it is there. */
    private void collect() {
        if (pending == null) {
            return;
        }
        OptionalDouble seconds = clock.seconds();
        if (seconds.isPresent()) {
            state.search.measured(pending, Math.max(Double.MIN_NORMAL, seconds.getAsDouble()));
            pending = null;
        }
    }

    @Override
    public void close() {
        if (clock != null) {
            clock.close();
        }
    }
}
