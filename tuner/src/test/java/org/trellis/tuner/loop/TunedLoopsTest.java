package org.trellis.tuner.loop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.common.Configuration;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopTuner;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.loop.LoopTuning;
import org.trellis.testing.TestSeed;
import org.trellis.tuner.contest.AdviceOrigin;
import org.trellis.tuner.contest.WorkClock;
import org.trellis.tuner.features.LoopFingerprint;
import org.trellis.tuner.profile.LoopResult;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.TuningDevice;

/** Tuning within runs, on the backends of the host: by their clock, and by one that is made up and may lag. */
class TunedLoopsTest {
    private static final MeshOptions OPTIONS = MeshOptions.of(Configuration.load());
    private static final LoopTuningSettings SETTINGS = LoopTuningSettings.DEFAULT.withWarmUpSeconds(0);

    /** A tuner for whose clock a run takes as long as a function of its parameters says. */
    private static final class Watched implements LoopTuner {
        private final TunedLoops tuner;
        private final ToDoubleFunction<LoopParameters> seconds;
        private final List<LoopParameters> runs = new ArrayList<>();
        private LoopParameters running;
        private boolean lagging;
        private int clocks;

        Watched(Backend backend, List<Profile> profiles, LoopTuningSettings settings, boolean onHost,
                ToDoubleFunction<LoopParameters> seconds) {
            this.seconds = seconds;
            this.tuner = new TunedLoops(backend, profiles, settings, () -> new Clock(), onHost);
        }

        private final class Clock implements WorkClock {
            private LoopParameters timed;
            private boolean closed;

            Clock() {
                clocks++;
            }

            @Override
            public void begin() {
                timed = running;
            }

            @Override
            public void end() {
                assertEquals(timed, running);
            }

            @Override
            public OptionalDouble seconds() {
                return lagging ? OptionalDouble.empty() : OptionalDouble.of(seconds.applyAsDouble(timed));
            }

            @Override
            public void close() {
                clocks -= closed ? 0 : 1;
                closed = true;
            }
        }

        @Override
        @SuppressWarnings("MustBeClosed") // closed by the test
        public LoopTuning begin(LoopDeclaration loop, LoopParameters proposed) {
            LoopTuning tuning = tuner.begin(loop, proposed);
            return new Delegate(tuning);
        }

        private final class Delegate implements LoopTuning {
            private final LoopTuning tuning;
            private LoopParameters next;

            Delegate(LoopTuning tuning) {
                this.tuning = tuning;
            }

            @Override
            public LoopParameters next() {
                next = tuning.next();
                return next;
            }

            @Override
            public LoopParameters best() {
                return tuning.best();
            }

            @Override
            public boolean isFinished() {
                return tuning.isFinished();
            }

            @Override
            public void prepared(LoopParameters parameters, double taken) {
                tuning.prepared(parameters, taken);
            }

            @Override
            public boolean refused(LoopParameters parameters, Throwable failure, double taken) {
                return tuning.refused(parameters, failure, taken);
            }

            @Override
            public void beforeRun() {
                running = next;
                runs.add(next);
                tuning.beforeRun();
            }

            @Override
            public void afterRun() {
                tuning.afterRun();
            }

            @Override
            public void close() {
                tuning.close();
            }
        }
    }

    private static double seconds(LoopParameters parameters) {
        return (parameters.scheme() == LoopScheme.FULL_PERMUTE ? 1 : 2) + Math.log(parameters.blockSize());
    }

    private static int untilTuned(SmallMesh mesh) {
        int iterations = 0;
        while (!mesh.flux().isTuned() || !mesh.step().isTuned()) {
            mesh.iterate();
            iterations++;
            assertTrue(iterations < 1000, "tuning does not end");
        }
        return iterations;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void findsTheBestAndCostsNothingAfterwards(boolean onHost) {
        try (Backend backend = SmallMesh.open("threads")) {
            Watched watched = new Watched(backend, List.of(), SETTINGS, onHost, TunedLoopsTest::seconds);
            try (SmallMesh mesh = new SmallMesh(backend, OPTIONS.withTuner(watched), 9000, 3000, Precision.F64, 1)) {
                assertFalse(mesh.flux().isTuned());
                untilTuned(mesh);
                assertEquals(LoopScheme.FULL_PERMUTE, mesh.flux().parameters().scheme());
                assertEquals(256, mesh.flux().parameters().blockSize());
                assertTrue(watched.tuner.isTuned());
                assertEquals(0, watched.clocks, "clocks that were not closed");
                int runs = watched.runs.size();
                mesh.iterate();
                assertEquals(runs, watched.runs.size(), "the tuner was asked after tuning had ended");
                assertTrue(watched.tuner.preparationSeconds() > 0);
                TunedLoops.LoopState flux = watched.tuner.loops().getFirst();
                assertEquals(AdviceOrigin.RULE, flux.advice().origin());
                assertTrue(flux.tuned() && flux.timedRuns() > flux.history().size());
            }
        }
    }

    /** The first run of what was just prepared does not count where code is still on its way. */
    @Test
    void firstRunsOnADeviceAreNotTimed() {
        try (Backend backend = SmallMesh.open("threads")) {
            Watched watched = new Watched(backend, List.of(), SETTINGS, false, TunedLoopsTest::seconds);
            try (SmallMesh mesh = new SmallMesh(backend, OPTIONS.withTuner(watched), 900, 300, Precision.F64, 1)) {
                mesh.flux().run();
                assertEquals(0, watched.tuner.loops().getFirst().timedRuns());
                mesh.flux().run();
                assertEquals(1, watched.tuner.loops().getFirst().timedRuns());
                mesh.flux().run();
                assertNotEquals(watched.runs.get(1), watched.runs.get(2));
                assertEquals(1, watched.tuner.loops().getFirst().timedRuns());
            }
        }
    }

    @Test
    void doesNotWaitForALaggingDevice() {
        try (Backend backend = SmallMesh.open("threads")) {
            Watched watched = new Watched(backend, List.of(), SETTINGS, false, TunedLoopsTest::seconds);
            watched.lagging = true;
            try (SmallMesh mesh = new SmallMesh(backend, OPTIONS.withTuner(watched), 900, 300, Precision.F64, 1)) {
                for (int i = 0; i < 20; i++) {
                    mesh.flux().run();
                }
                LoopParameters rule = watched.runs.getFirst();
                assertTrue(watched.runs.stream().allMatch(rule::equals), watched.runs::toString);
                for (int i = 0; i < 600 && !mesh.flux().isTuned(); i++) {
                    watched.lagging = i % 3 != 0;
                    mesh.flux().run();
                }
                assertTrue(mesh.flux().isTuned());
                assertEquals(LoopScheme.FULL_PERMUTE, mesh.flux().parameters().scheme());
            }
        }
    }

    @Test
    void preparationIsLimited() {
        try (Backend backend = SmallMesh.open("threads")) {
            LoopTuningSettings none = SETTINGS.withLimits(SETTINGS.limits().withPreparationSeconds(0));
            Watched watched = new Watched(backend, List.of(), none, true, TunedLoopsTest::seconds);
            try (SmallMesh mesh = new SmallMesh(backend, OPTIONS.withTuner(watched), 900, 300, Precision.F64, 1)) {
                untilTuned(mesh);
                LoopParameters rule = watched.runs.getFirst();
                assertEquals(rule, mesh.flux().parameters());
                assertEquals(1, watched.tuner.loops().getFirst().history().size());
            }
        }
    }

    /** By the clock of the host; whatever wins, every run is right. */
    @ParameterizedTest
    @CsvSource({"threads, F64, AOS", "threads, F32, SOA", "simd, F64, SOA", "simd, F32, AOS"})
    void everyRunIsRight(String name, Precision precision, Layout layout) {
        long seed = TestSeed.random("everyRunIsRight").nextLong();
        try (Backend backend = SmallMesh.open(name); Backend reference = SmallMesh.open("reference")) {
            TunedLoops tuner = TunedLoops.of(backend);
            MeshOptions options = OPTIONS.withLayout(layout).withCheckPlans(true);
            try (SmallMesh expected = new SmallMesh(reference, OPTIONS, 700, 211, precision, seed);
                    SmallMesh actual = new SmallMesh(backend, options.withTuner(tuner), 700, 211, precision, seed)) {
                for (int i = 0; i < 150; i++) {
                    expected.iterate();
                    actual.iterate();
                    for (int k = 0; k < 3; k++) {
                        assertArrayEquals(expected.values().get(k), actual.values().get(k),
                                "iteration " + i + " of seed " + TestSeed.value());
                    }
                }
                assertEquals(2, tuner.loops().size());
            }
        }
    }

    @Test
    void emptySetsAreNotTuned() {
        try (Backend backend = SmallMesh.open("threads")) {
            TunedLoops tuner = TunedLoops.of(backend);
            try (SmallMesh mesh = new SmallMesh(backend, OPTIONS.withTuner(tuner), 0, 5, Precision.F64, 1)) {
                mesh.flux().run();
                assertTrue(mesh.flux().isTuned());
            }
        }
    }

    @Test
    void parametersThatSomebodyHasSetStay() {
        try (Backend backend = SmallMesh.open("threads"); Backend other = SmallMesh.open("simd")) {
            TunedLoops tuner = TunedLoops.of(backend);
            try (SmallMesh mesh = new SmallMesh(backend, OPTIONS.withTuner(tuner).withBlockSize(100), 500, 100,
                    Precision.F64, 1)) {
                assertTrue(mesh.flux().isTuned());
                mesh.iterate();
                assertTrue(tuner.loops().isEmpty());
            }
            try (SmallMesh mesh = new SmallMesh(other, OPTIONS.withTuner(tuner), 500, 100, Precision.F64, 1)) {
                assertTrue(assertThrows(IllegalArgumentException.class, mesh::iterate).getMessage()
                        .contains("runs on another backend than its tuner's, simd; expected a mesh on the threads"));
            }
        }
    }

    private static Profile learnt(Backend backend, LoopTuningSettings settings) {
        Watched watched = new Watched(backend, List.of(), settings, true, TunedLoopsTest::seconds);
        try (SmallMesh mesh = new SmallMesh(backend, OPTIONS.withTuner(watched), 9000, 3000, Precision.F64, 1)) {
            untilTuned(mesh);
            return Profile.parse("text", watched.tuner.export(Profile.empty()).toText());
        }
    }

    /** A profile of the same loop is where the next program begins, and it has little left to try. */
    @Test
    void profilesAreGoneOnFrom() {
        try (Backend backend = SmallMesh.open("threads")) {
            Profile profile = learnt(backend, SETTINGS);
            assertEquals(2, profile.loops().size());
            Watched watched = new Watched(backend, List.of(profile), SETTINGS, true, TunedLoopsTest::seconds);
            try (SmallMesh mesh = new SmallMesh(backend, OPTIONS.withTuner(watched), 9000, 3000, Precision.F64, 1)) {
                mesh.flux().run();
                assertEquals(LoopScheme.FULL_PERMUTE, mesh.flux().parameters().scheme());
                assertEquals(AdviceOrigin.PROFILE, watched.tuner.loops().getFirst().advice().origin());
                int iterations = untilTuned(mesh);
                assertTrue(iterations < 60, iterations + " iterations");
            }
            Watched still = new Watched(backend, List.of(profile),
                    SETTINGS.withLimits(SETTINGS.limits().withTrials(0)), true, TunedLoopsTest::seconds);
            try (SmallMesh mesh = new SmallMesh(backend, OPTIONS.withTuner(still), 9000, 3000, Precision.F64, 1)) {
                mesh.flux().run();
                assertTrue(mesh.flux().isTuned());
                assertEquals(LoopScheme.FULL_PERMUTE, mesh.flux().parameters().scheme());
            }
        }
    }

    /** Loops of other sets, precisions, layouts or numberings are other loops: what is known of them is a hint. */
    @Test
    void profilesOfOtherLoopsAreHints() {
        try (Backend backend = SmallMesh.open("threads")) {
            Profile profile = learnt(backend, SETTINGS);
            try (SmallMesh same = new SmallMesh(backend, OPTIONS, 9000, 3000, Precision.F64, 1)) {
                LoopFingerprint fingerprint = LoopFingerprint.of(same.flux().declaration());
                assertTrue(profile.loops().containsKey(fingerprint));
                same.mesh().renumber(same.edges(), Permutation.random(9000, TestSeed.random("hints")));
                assertNotEquals(fingerprint, LoopFingerprint.of(same.flux().declaration()));
            }
            try (SmallMesh sizes = new SmallMesh(backend, OPTIONS, 9001, 3000, Precision.F64, 1);
                    SmallMesh targets = new SmallMesh(backend, OPTIONS, 9000, 3000, Precision.F64, 2);
                    SmallMesh precision = new SmallMesh(backend, OPTIONS, 9000, 3000, Precision.F32, 1);
                    SmallMesh layout = new SmallMesh(backend, OPTIONS.withLayout(Layout.SOA), 9000, 3000,
                            Precision.F64, 1)) {
                for (SmallMesh other : List.of(sizes, targets, precision, layout)) {
                    LoopDeclaration loop = other.flux().declaration();
                    LoopSpace space = new LoopSpace(backend.kernels(org.trellis.mesh.LoopKernels.class), loop,
                            other.flux().parameters(), false);
                    LoopAdvice advice = new LoopAdvisor(TuningDevice.of(backend), List.of(profile), false)
                            .advise(LoopFingerprint.of(loop), space);
                    assertEquals(AdviceOrigin.RULE, advice.origin());
                    assertEquals(other.flux().parameters(), advice.parameters());
                    assertEquals(LoopScheme.FULL_PERMUTE, advice.promising().getFirst().scheme());
                    assertTrue(advice.ruledOut().isEmpty());
                }
            }
        }
    }

    @Test
    void profilesOfOtherDevicesAreHints() {
        try (Backend backend = SmallMesh.open("threads");
                SmallMesh mesh = new SmallMesh(backend, OPTIONS, 9000, 3000, Precision.F64, 1)) {
            Profile profile = learnt(backend, SETTINGS);
            LoopDeclaration loop = mesh.flux().declaration();
            LoopSpace space = new LoopSpace(backend.kernels(org.trellis.mesh.LoopKernels.class), loop,
                    mesh.flux().parameters(), false);
            TuningDevice larger = new TuningDevice("threads", TuningDevice.of(backend).name(), Map.of("threads", "64"));
            LoopAdvice advice =
                    new LoopAdvisor(larger, List.of(profile), false).advise(LoopFingerprint.of(loop), space);
            assertEquals(AdviceOrigin.RULE, advice.origin());
            assertEquals(LoopScheme.FULL_PERMUTE, advice.promising().getFirst().scheme());
            TuningDevice other = new TuningDevice("cuda", "Fake", Map.of());
            assertTrue(new LoopAdvisor(other, List.of(profile), false).advise(LoopFingerprint.of(loop), space)
                    .promising().isEmpty());
            List<LoopResult> results = profile.loopResults(TuningDevice.of(backend), LoopFingerprint.of(loop));
            assertTrue(results.size() > 5, results.size() + " results");
        }
    }

    @Test
    void tunedRunsAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Backend backend = SmallMesh.open("threads")) {
            Watched watched = new Watched(backend, List.of(), SETTINGS, true, TunedLoopsTest::seconds);
            try (SmallMesh mesh = new SmallMesh(backend, OPTIONS.withTuner(watched), 8, 3, Precision.F64, 1)) {
                untilTuned(mesh);
                try (SmallMesh plain = new SmallMesh(backend, OPTIONS, 8, 3, Precision.F64, 1)) {
                    plain.flux().parameters(mesh.flux().parameters());
                    long tuned = allocated(threads, mesh);
                    long untuned = allocated(threads, plain);
                    // The interpreted kernel allocates; the runtime does not.
                    assertTrue(tuned <= untuned + 16 * 200, tuned + " bytes, without a tuner " + untuned);
                }
            }
        }
    }

    private static long allocated(ThreadMXBean threads, SmallMesh mesh) {
        for (int i = 0; i < 500; i++) {
            mesh.flux().run();
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 200; i++) {
            mesh.flux().run();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
