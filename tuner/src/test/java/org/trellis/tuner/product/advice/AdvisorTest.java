package org.trellis.tuner.product.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;
import org.trellis.tuner.FakeBackend;
import org.trellis.tuner.contest.AdviceOrigin;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.model.SpmvModel;
import org.trellis.tuner.model.TreeEnsemble;
import org.trellis.tuner.profile.DefaultProfiles;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.profile.TuningResult;

/** Where a first guess comes from. */
class AdvisorTest {
    private static final SpmvParameters MEASURED = FakeBackend.RULE.withCooperatingThreads(2);
    private static final SpmvParameters EXPECTED = FakeBackend.RULE.withCooperatingThreads(8);
    private static final SpmvParameters IMPOSSIBLE = SpmvParameters.of(SpmvFamily.SELL).withChunks(8, 1);

    private final SplittableRandom random = TestSeed.random("advice");
    private final FakeBackend backend = new FakeBackend(parameters -> 1);
    private final TuningDevice here = TuningDevice.of(backend);
    private final TuningDevice elsewhere = new TuningDevice("fake", "Another", Map.of());
    private final CsrMatrix matrix = AwkwardMatrices.all(Precision.F64, random).get("uneven rows");

    private Profile measured(TuningDevice device, SpmvParameters... fastestFirst) {
        List<TuningResult> results = new ArrayList<>();
        for (int i = 0; i < fastestFirst.length; i++) {
            results.add(new TuningResult(Fingerprint.of(matrix), Precision.F64, fastestFirst[i], new double[]{1 + i}, 0,
                    Invalidity.CORRECT, Instant.EPOCH));
        }
        return Profile.empty().with(device, "uneven", MatrixFeatures.of(matrix), results);
    }

    private Profile learnt(TuningDevice device, SpmvParameters... bestFirst) {
        return learnt(device, 0.01, bestFirst);
    }

    /** A model that expects each set to take longer than the one before, by ten steps on a logarithmic scale. */
    private Profile learnt(TuningDevice device, double step, SpmvParameters... bestFirst) {
        byte[] slowdowns = new byte[bestFirst.length];
        for (int i = 0; i < slowdowns.length; i++) {
            slowdowns[i] = (byte) (10 * i);
        }
        int inputs = MatrixFeatures.vectorNames().size();
        return Profile.empty().with(device, new SpmvModel(MatrixFeatures.vectorNames(), List.of(bestFirst),
                new TreeEnsemble(inputs, slowdowns.length, new int[]{0}, new int[]{-1}, new double[1], new int[1],
                        slowdowns, step)),
                Map.of());
    }

    private Advice advise(Profile... profiles) {
        return new Advisor(backend, List.of(profiles)).advise(matrix);
    }

    private static void expect(AdviceOrigin origin, SpmvParameters parameters, Advice advice) {
        assertEquals(origin, advice.origin());
        assertEquals(parameters, advice.parameters());
        assertEquals(FakeBackend.RULE, advice.rule());
    }

    @Test
    void measuredBeforeModelBeforeRule() {
        expect(AdviceOrigin.RULE, FakeBackend.RULE, advise());
        expect(AdviceOrigin.MODEL, EXPECTED, advise(learnt(here, EXPECTED, FakeBackend.RULE)));
        expect(AdviceOrigin.PROFILE, MEASURED, advise(learnt(here, EXPECTED), measured(here, MEASURED, EXPECTED)));
    }

    @Test
    void aRuleThatIsExpectedToBeNearlyAsFastIsFollowed() {
        expect(AdviceOrigin.MODEL, FakeBackend.RULE, advise(learnt(here, 0.008, EXPECTED, FakeBackend.RULE)));
        expect(AdviceOrigin.MODEL, EXPECTED, advise(learnt(here, 0.008, EXPECTED, MEASURED, FakeBackend.RULE)));
        expect(AdviceOrigin.MODEL, FakeBackend.RULE, advise(learnt(here, 0.008, IMPOSSIBLE, EXPECTED,
                FakeBackend.RULE)));
    }

    @Test
    void anotherDeviceIsOnlyAHint() {
        Advice advice = advise(learnt(elsewhere, EXPECTED), measured(elsewhere, MEASURED));
        expect(AdviceOrigin.RULE, FakeBackend.RULE, advice);
        assertEquals(EXPECTED, advice.ranking().getFirst().parameters());
        assertTrue(advise(learnt(new TuningDevice("cuda", "A GPU", Map.of()), EXPECTED)).ranking().isEmpty());
    }

    @Test
    void whatDoesNotFitIsPassedOver() {
        expect(AdviceOrigin.PROFILE, MEASURED, advise(measured(here, IMPOSSIBLE, MEASURED)));
        expect(AdviceOrigin.MODEL, EXPECTED, advise(learnt(here, IMPOSSIBLE, EXPECTED), measured(here, IMPOSSIBLE)));
        expect(AdviceOrigin.RULE, FakeBackend.RULE, advise(learnt(here, IMPOSSIBLE)));
    }

    @Test
    void aStructureOrPrecisionThatWasNotMeasuredIsNotMixedUp() {
        Advisor advisor = new Advisor(backend, List.of(measured(here, MEASURED)));
        assertEquals(AdviceOrigin.PROFILE, advisor.advise(matrix.mapValues((i, j, a) -> 1)).origin());
        assertEquals(AdviceOrigin.RULE, advisor.advise(matrix.toPrecision(Precision.F32)).origin());
        assertEquals(AdviceOrigin.RULE, advisor.advise(matrix.transpose()).origin());
    }

    /** On every backend of this machine, for every awkward matrix, with the library's own profiles. */
    @Test
    void guessesFit() {
        for (String name : new String[]{"reference", "threads", "simd", "cpu"}) {
            try (Backend opened = Backends.open(name, Configuration.load())) {
                Advisor advisor = Advisor.withDefaults(opened);
                for (Precision precision : Precision.values()) {
                    AwkwardMatrices.all(precision, random).forEach((label, one) -> {
                        SpmvParameters guess = advisor.advise(one).parameters();
                        assertTrue(opened.kernels(SparseKernels.class).constraint(one, guess).isEmpty(),
                                name + ", " + label + ": " + guess);
                    });
                }
            }
        }
    }

    @Test
    void theLibrarysProfilesHaveModels() {
        for (Profile profile : DefaultProfiles.all()) {
            assertEquals(1, profile.devices().size());
            assertTrue(profile.model(profile.devices().getFirst()).isPresent());
            assertTrue(profile.results(profile.devices().getFirst()).size() > 50);
        }
    }
}
