package org.trellis.tuner.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.kernel.LoopStyle;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.testing.TestSeed;
import org.trellis.tuner.contest.AdviceOrigin;
import org.trellis.tuner.contest.TuningSettings;

/** The search with times that are made up: of the space of a loop on two threads, with SIMD. */
class OnlineLoopSearchTest {
    private static final TuningSettings SETTINGS = LoopTuningSettings.DEFAULT.limits();

    private final SplittableRandom random = TestSeed.random("online loop search");
    private final Backend backend = SmallMesh.open("simd");
    private final SmallMesh mesh = new SmallMesh(backend, MeshOptions.of(Configuration.load()), 30_000, 9000,
            Precision.F64, 1);
    private final LoopKernels kernels = backend.kernels(LoopKernels.class);
    private final LoopParameters rule = kernels.rule(mesh.flux().declaration());

    @AfterEach
    void close() {
        mesh.close();
        backend.close();
    }

    private LoopSpace space() {
        return new LoopSpace(kernels, mesh.flux().declaration(), rule, false);
    }

    private OnlineLoopSearch search(LoopAdvice advice) {
        return new OnlineLoopSearch(advice, space(), SETTINGS);
    }

    private LoopAdvice rule() {
        return new LoopAdvice(rule, AdviceOrigin.RULE, List.of(), Set.of());
    }

    /** Runs until the search ends; returns what each run was done with. */
    private static List<LoopParameters> run(OnlineLoopSearch search, ToDoubleFunction<LoopParameters> seconds) {
        List<LoopParameters> runs = new ArrayList<>();
        while (!search.isFinished()) {
            LoopParameters next = search.next();
            if (!search.isFinished()) {
                runs.add(next);
                search.measured(next, seconds.applyAsDouble(next));
            }
            assertTrue(runs.size() <= SETTINGS.products(), "the search does not end");
        }
        return runs;
    }

    /** The scheme decides most, then the style, then the block. */
    private static double seconds(LoopParameters parameters) {
        double scheme = switch (parameters.scheme()) {
            case BLOCK_PERMUTE -> 1;
            case TWO_LEVEL -> 1.2;
            default -> 2;
        };
        double block = Math.abs(Math.log(parameters.blockSize() / 4096.0)) / Math.log(4);
        return scheme * (parameters.style() == LoopStyle.SIMD ? 1.3 : 1) * (parameters.fission() ? 1.5 : 1)
                * (1 + 0.1 * block);
    }

    @Test
    void findsTheBestOfTheSpaceWithinASmallPartOfIt() {
        OnlineLoopSearch search = search(rule());
        List<LoopParameters> runs = run(search, OnlineLoopSearchTest::seconds);
        assertEquals(rule, runs.getFirst());
        LoopParameters best = kernels.parameterSpace(mesh.flux().declaration()).stream()
                .min((a, b) -> Double.compare(seconds(a), seconds(b))).orElseThrow();
        assertEquals(best, search.best());
        int tried = new HashSet<>(runs).size();
        int all = space().all().size();
        assertTrue(tried < 0.7 * all, tried + " of " + all + " sets");
        assertTrue(runs.size() < 5 * tried, runs.size() + " runs for " + tried + " sets");
    }

    @Test
    void noiseAndOutliersDoNotMoveItToSomethingWorse() {
        double reached = 0;
        for (int i = 0; i < 200; i++) {
            SplittableRandom noise = random.split();
            OnlineLoopSearch search = search(rule());
            run(search, parameters -> seconds(parameters)
                    * (1 + 0.02 * noise.nextDouble() + (noise.nextInt(12) == 0 ? noise.nextDouble() : 0)));
            double found = seconds(search.best());
            assertTrue(found <= 1.001 * seconds(rule), search.best() + " in run " + i + " of " + TestSeed.value());
            reached += seconds(best()) / found;
        }
        assertTrue(reached / 200 > 0.93, "share of the best on average " + reached / 200);
    }

    private LoopParameters best() {
        return rule.withScheme(LoopScheme.BLOCK_PERMUTE).withBlockSize(4096).withStyle(LoopStyle.SCALAR);
    }

    @Test
    void equalWaysAreNotExchanged() {
        OnlineLoopSearch search = search(rule());
        run(search, parameters -> 1);
        assertEquals(rule, search.best());
    }

    @Test
    void whatIsKnownComesFirstOrNotAtAll() {
        LoopParameters hint = best();
        Set<LoopParameters> slow = new HashSet<>(space().all());
        slow.remove(rule);
        slow.remove(hint);
        OnlineLoopSearch search = search(new LoopAdvice(rule, AdviceOrigin.PROFILE, List.of(hint), slow));
        List<LoopParameters> runs = run(search, OnlineLoopSearchTest::seconds);
        assertEquals(hint, runs.get(1));
        assertTrue(runs.size() < 50, runs.size() + " runs");
        assertTrue(runs.stream().noneMatch(slow::contains), runs::toString);
        assertEquals(hint, search.best());
    }

    @Test
    void whatCannotBeHadIsLeftOut() {
        OnlineLoopSearch search = search(rule());
        search.measured(search.next(), 1);
        Set<LoopParameters> refused = new HashSet<>();
        while (!search.isFinished()) {
            LoopParameters next = search.next();
            if (!search.isFinished()) {
                assertTrue(refused.add(next), next + " is wanted again");
                search.refused(next);
            }
        }
        assertEquals(rule, search.best());
        assertEquals(1, search.runs());
        assertFalse(refused.contains(rule));
    }

    @Test
    void limitsAreKept() {
        OnlineLoopSearch search =
                new OnlineLoopSearch(rule(), space(), SETTINGS.withTrials(3));
        assertEquals(4, new HashSet<>(run(search, OnlineLoopSearchTest::seconds)).size());
        search = new OnlineLoopSearch(rule(), space(), SETTINGS.withProducts(5));
        assertEquals(5, run(search, OnlineLoopSearchTest::seconds).size());
        assertTrue(new OnlineLoopSearch(rule(), space(), SETTINGS.withTrials(0)).isFinished());
    }
}
