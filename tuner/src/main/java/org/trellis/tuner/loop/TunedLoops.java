package org.trellis.tuner.loop;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.LoopTuner;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopTuning;
import org.trellis.tuner.contest.Contest;
import org.trellis.tuner.contest.WorkClock;
import org.trellis.tuner.features.LoopFeatures;
import org.trellis.tuner.features.LoopFingerprint;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.TuningDevice;

/**
 * Tunes the parallel loops of meshes within the runs that a program makes anyway.
 *
 * <pre>{@code
 * TunedLoops tuner = TunedLoops.of(backend);
 * try (Mesh mesh = Mesh.on(backend, MeshOptions.of(configuration).withTuner(tuner))) {
 *     ...                                            // declare, run
 *     profile = tuner.export(profile);
 * }
 * }</pre>
 *
 * <p>Each loop begins with the best that a profile knows of the same loop on this device, else with the backend's rule,
 * and tries other parameters one by one ({@link OnlineLoopSearch}). Every run is a whole one with the right result. A
 * way that is tried is prepared within the run that needs it, which makes a plan and perhaps compiles code; that time
 * is counted and limited. Beginning a loop costs a pass over its maps, for the fingerprint; when tuning has ended,
 * a run costs what it costs without a tuner.
 *
 * <p>On a device that works asynchronously times are taken from marks in its queue and read when they are there.
 * Layouts are not tuned here, since several loops share a dat: {@link MeshSearch} measures
 * them on request.
 *
 * <p>Until {@link #isTuned()} two runs need not round alike; afterwards they do, unless atomics were allowed
 * ({@link LoopTuningSettings#allowUnrepeatable}) and won. Not for several threads at once, as a backend is not.
 */
public final class TunedLoops implements LoopTuner {
    private final Backend backend;
    private final LoopAdvisor advisor;
    private final LoopTuningSettings settings;
    private final Supplier<WorkClock> clocks;
    private final boolean onHost;
    private final Map<LoopFingerprint, TunedLoop.State> known = new LinkedHashMap<>();

    /**
     * Starts without any loop.
     *
     * @param backend  an open backend, which outlives this object and its meshes
     * @param profiles what was learnt before, the most trusted first
     * @param settings how far to tune
     */
    @SuppressWarnings("MustBeClosed") // each loop closes the clock that is made for it
    public TunedLoops(Backend backend, List<Profile> profiles, LoopTuningSettings settings) {
        this(backend, profiles, settings, () -> WorkClock.of(backend),
                backend.optionalKernels(DeviceTiming.class).isEmpty());
    }

    TunedLoops(Backend backend, List<Profile> profiles, LoopTuningSettings settings, Supplier<WorkClock> clocks,
            boolean onHost) {
        this.backend = Objects.requireNonNull(backend);
        this.settings = Objects.requireNonNull(settings);
        this.advisor = new LoopAdvisor(TuningDevice.of(backend), profiles, settings.allowUnrepeatable());
        this.clocks = clocks;
        this.onHost = onHost;
    }

    /**
     * Starts without any loop and without profiles, with the usual settings.
     *
     * @param backend an open backend, which outlives this object and its meshes
     * @return a tuner
     */
    public static TunedLoops of(Backend backend) {
        return new TunedLoops(backend, List.of(), LoopTuningSettings.DEFAULT);
    }

    /**
     * A loop that was taken on.
     *
     * @param fingerprint   names it in profiles
     * @param features      its kernel, sets, layouts
     * @param advice        what was known of it
     * @param best          the best so far
     * @param tuned         whether tuning has ended
     * @param timedRuns     runs that were timed
     * @param preparationSeconds what making plans and code has taken, that of the first way included
     * @param history       what was tried, in order, with its times
     */
    public record LoopState(LoopFingerprint fingerprint, LoopFeatures features, LoopAdvice advice, LoopParameters best,
            boolean tuned, int timedRuns, double preparationSeconds, List<Contest.Tried<LoopParameters>> history) {
        /** Copies the list. */
        public LoopState {
            history = List.copyOf(history);
        }
    }

    @Override
    @MustBeClosed
    public LoopTuning begin(LoopDeclaration loop, LoopParameters proposed) {
        if (loop.set().mesh().backend() != backend) {
            throw new IllegalArgumentException(loop + " runs on another backend than its tuner's, "
                    + loop.set().mesh().backend().name() + "; expected a mesh on the " + backend.name()
                    + " that the tuner was made with");
        }
        LoopFingerprint fingerprint = LoopFingerprint.of(loop);
        TunedLoop.State state = known.computeIfAbsent(fingerprint, key -> state(key, loop, proposed));
        WorkClock clock = state.search.isFinished() ? null : clocks.get();
        return new TunedLoop(backend.name(), loop, settings, state, clock, onHost);
    }

    private TunedLoop.State state(LoopFingerprint fingerprint, LoopDeclaration loop, LoopParameters proposed) {
        LoopSpace space =
                new LoopSpace(backend.kernels(LoopKernels.class), loop, proposed, settings.allowUnrepeatable());
        LoopAdvice advice = advisor.advise(fingerprint, space);
        return new TunedLoop.State(fingerprint, LoopFeatures.of(loop), advice,
                new OnlineLoopSearch(advice, space, settings.limits()));
    }

    /**
     * Says whether every loop that was taken on is run the same way from now on.
     *
     * @return true if no tuning goes on; also if no loop has run yet
     */
    public boolean isTuned() {
        return known.values().stream().allMatch(state -> state.search.isFinished());
    }

    /** Ends the tuning of every loop taken on so far: the best so far is kept. */
    public void stop() {
        known.values().forEach(state -> state.search.stop());
    }

    /**
     * Returns what was taken on.
     *
     * @return one entry for each loop, equal ones together, in the order of their first runs
     */
    public List<LoopState> loops() {
        List<LoopState> loops = new ArrayList<>();
        for (TunedLoop.State state : known.values()) {
            loops.add(new LoopState(state.fingerprint, state.features, state.advice, state.search.best(),
                    state.search.isFinished(), state.search.runs(), state.preparationSeconds,
                    state.search.history()));
        }
        return loops;
    }

    /**
     * Returns what tuning has cost beside the runs.
     *
     * @return seconds of planning and compilation, those of the first variants included
     */
    public double preparationSeconds() {
        return known.values().stream().mapToDouble(state -> state.preparationSeconds).sum();
    }

    /**
     * Adds what was measured to a profile.
     *
     * @param profile the profile
     * @return a profile with the results of every loop that was timed
     */
    public Profile export(Profile profile) {
        Profile result = profile;
        for (TunedLoop.State state : known.values()) {
            result = result.with(advisor.device(), state.features, state.results());
        }
        return result;
    }
}
