package org.trellis.tuner.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.TestSeed;
import org.trellis.tuner.contest.AdviceOrigin;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.model.SpmvModel;
import org.trellis.tuner.product.advice.Advice;
import org.trellis.tuner.product.online.Neighbourhood;
import org.trellis.tuner.product.online.OnlineSearch;
import org.trellis.tuner.product.online.SpmvDistance;
import org.trellis.tuner.profile.Profile;

/**
 * Learning and run-time tuning on the recorded searches on an H200: every fourth structure is left out in turn, a model
 * is learnt from the rest, and tuning is replayed with the recorded times, disturbed as single products on that device
 * were found to be.
 */
class SweepReplayTest {
    private static final Path SWEEPS = Path.of("../measurements/data/tuning-gpu-h200.json.gz");
    private static final int FOLDS = 4;
    /** The training sweep measured no more sets than this of a matrix; searches of the suite were exhaustive. */
    private static final int EXHAUSTIVE = 42;
    /** What the marks around a product add to its time. */
    private static final double MARKS = 1.1e-6;
    /** Variants that a product tries: preparing one takes about 50 ms of the 150 after which it tries no other. */
    private static final int VARIANTS = 3;
    /** Products above this feel less of what a first one costs. */
    private static final double SHORT_PRODUCT = 5e-6;

    private static final List<TrainingSet> LEFT_OUT = new ArrayList<>();
    private static final List<SpmvModel> MODELS = new ArrayList<>();

    @BeforeAll
    static void learn() throws IOException {
        Profile sweeps = Profile.read(SWEEPS);
        TrainingSet all = TrainingSet.of(sweeps, sweeps.devices().getFirst(), 20);
        assertTrue(all.matrices().size() > 200, all.matrices().size() + " matrices");
        List<Fingerprint> matrices = new ArrayList<>(all.matrices());
        for (int fold = 0; fold < FOLDS; fold++) {
            int left = fold;
            LEFT_OUT.add(all.where(one -> matrices.indexOf(one.matrix()) % FOLDS == left
                    && one.seconds().size() > EXHAUSTIVE));
            MODELS.add(new ModelTrainer(TrainingSettings.DEFAULT)
                    .train(all.where(one -> matrices.indexOf(one.matrix()) % FOLDS != left)));
        }
    }

    @Test
    void modelsChooseWellForMatricesTheyDoNotKnow() {
        double sum = 0;
        double worst = 1;
        int cases = 0;
        for (int fold = 0; fold < FOLDS; fold++) {
            Validation validation = Validation.of(LEFT_OUT.get(fold), MODELS.get(fold));
            sum += validation.meanShare(1) * validation.judged().size();
            worst = Math.min(worst, validation.leastShare(1));
            cases += validation.judged().size();
            assertTrue(validation.meanShare(1) <= validation.meanShare(2) && validation.meanRegret() >= 0);
        }
        System.out.printf(Locale.ROOT, "models: %.1f %% of the best on %d cases, %.0f %% at least%n",
                100 * sum / cases, cases, 100 * worst);
        assertTrue(cases > 80, cases + " cases");
        assertTrue(sum / cases > 0.93, "mean share " + sum / cases);
    }

    @Test
    void tuningWithoutARuleComesNearTheBestOnRecordedTimes() {
        SplittableRandom random = TestSeed.random("replay");
        double[] shares = new double[31];
        double slowest = 0;
        int runs = 0;
        for (int fold = 0; fold < FOLDS; fold++) {
            for (TrainingSet.Case one : LEFT_OUT.get(fold).cases()) {
                slowest = Math.max(slowest, replay(one, MODELS.get(fold), random.split(), shares));
                runs++;
            }
        }
        System.out.printf(Locale.ROOT,
                "tuning: %.1f %% after 5 products, %.1f %% after 10, %.1f %% after 30; slowest way %.2f times "
                        + "the first guess%n",
                100 * shares[5] / runs, 100 * shares[10] / runs, 100 * shares[30] / runs, slowest);
        assertTrue(shares[5] / runs > 0.98, "after 5 products " + shares[5] / runs);
        assertTrue(shares[10] / runs > 0.985, "after 10 products " + shares[10] / runs);
        assertTrue(shares[30] / runs > 0.985, "after 30 products " + shares[30] / runs);
    }

    /** Neither the model nor the recorded rule has seen anything of a family that is left out as a whole. */
    @Test
    @Tag("nightly")
    void tuningReachesUnseenFamilies() throws IOException {
        Profile sweeps = Profile.read(SWEEPS);
        TrainingSet all = TrainingSet.of(sweeps, sweeps.devices().getFirst(), 20);
        Map<String, Set<Fingerprint>> families = new TreeMap<>();
        sweeps.matrices().forEach((print, matrix) -> families
                .computeIfAbsent(matrix.name().split(":", 2)[0], key -> new HashSet<>()).add(print));
        SplittableRandom random = TestSeed.random("families");
        double[] sum = new double[41];
        List<Double> after10 = new ArrayList<>();
        for (Set<Fingerprint> family : families.values()) {
            List<TrainingSet.Case> left = all.where(one -> family.contains(one.matrix())
                    && one.seconds().size() > EXHAUSTIVE).cases();
            SpmvModel model = left.isEmpty()
                    ? null
                    : new ModelTrainer(TrainingSettings.DEFAULT)
                            .train(all.where(one -> !family.contains(one.matrix())));
            for (TrainingSet.Case one : left) {
                double[] shares = new double[sum.length];
                replay(one, model, random.split(), shares);
                Arrays.setAll(sum, i -> sum[i] + shares[i]);
                after10.add(shares[10]);
            }
        }
        int runs = after10.size();
        double least = Collections.min(after10);
        System.out.printf(Locale.ROOT, "families left out: %.1f %% at first, %.1f %% after 5 products, %.1f %% after 10"
                + " (%.0f %% at least), %.1f %% after 40%n", 100 * sum[1] / runs, 100 * sum[5] / runs,
                100 * sum[10] / runs, 100 * least, 100 * sum[40] / runs);
        assertTrue(sum[10] / runs > 0.99 && least > 0.9, "after 10 products " + sum[10] / runs + ", least " + least);
    }

    /** Adds the share after each product; returns the slowest product's time over that of the first guess. */
    private static double replay(TrainingSet.Case one, SpmvModel model, SplittableRandom random, double... shares) {
        List<SpmvModel.Ranked> ranking = model.ranking(one.features(), one.precision());
        SpmvParameters start = ranking.stream().map(SpmvModel.Ranked::parameters)
                .filter(one.seconds()::containsKey).findFirst().orElseThrow();
        OnlineSearch search = new OnlineSearch(
                new Advice(start, AdviceOrigin.MODEL, start, ranking, one.features()), new Recorded(one),
                TuningSettings.DEFAULT);
        double slowest = 0;
        Set<SpmvParameters> warm = new HashSet<>();
        Map<SpmvParameters, Double> bias = new HashMap<>();
        for (int product = 1; product < shares.length; product++) {
            // A product for which a way is prepared is repeated until that way has won or lost, then goes on to others.
            int variants = 0;
            do {
                SpmvParameters used = search.next();
                double seconds = one.seconds().get(used);
                slowest = Math.max(slowest, seconds / one.seconds().get(start));
                // Within a program a way is a little faster or slower than in the search that was recorded.
                double context = bias.computeIfAbsent(used, key -> Math.exp(0.02 * random.nextGaussian()));
                double noise = 0.015 * Math.abs(random.nextGaussian())
                        + (random.nextInt(50) == 0 ? 0.5 * random.nextDouble() : 0);
                double first = warm.add(used) ? firstTime(random) * Math.min(1, SHORT_PRODUCT / seconds) : 0;
                search.measured(used,
                        seconds * context * (1 + noise + first) + MARKS * (1 + 0.1 * random.nextDouble()));
                variants += search.isDeciding() ? 0 : 1;
            } while (!search.isFinished() && (search.isDeciding() || (product > 1 && variants < VARIANTS)));
            shares[product] += one.share(search.best());
        }
        return slowest;
    }

    /** How much longer than the next the first product of a way took on the device, as a share. */
    private static double firstTime(SplittableRandom random) {
        double which = random.nextDouble();
        double share = random.nextDouble();
        return which < 0.5
                ? 0.1 * share
                : which < 0.8 ? 0.1 + 0.3 * share : which < 0.95 ? 0.4 + 0.6 * share : 1 + 2 * share;
    }

    /** Only what was recorded fits. */
    private record Recorded(TrainingSet.Case one) implements Neighbourhood {
        @Override
        public boolean fits(SpmvParameters parameters) {
            return one.seconds().containsKey(parameters);
        }

        private Optional<SpmvParameters> first(SpmvParameters parameters, int chunkRows) {
            return fits(parameters)
                    ? Optional.of(parameters)
                    : Optional.of(parameters.withChunks(chunkRows, parameters.sortingWindow())).filter(this::fits);
        }

        @Override
        public Optional<SpmvParameters> rows(SpmvParameters from, boolean twice) {
            int rows = twice ? from.rowsPerGroup() * 2 : from.rowsPerGroup() / 2;
            return rows < 1
                    ? Optional.empty()
                    : first(from.withRowsPerGroup(rows), twice ? from.chunkRows() * 2 : from.chunkRows() / 2);
        }

        @Override
        public Optional<SpmvParameters> threads(SpmvParameters from, boolean twice) {
            int threads = twice ? from.cooperatingThreads() * 2 : from.cooperatingThreads() / 2;
            return threads < 1 || threads > 32
                    ? Optional.empty()
                    : first(from.withCooperatingThreads(threads), twice ? from.chunkRows() / 2 : from.chunkRows() * 2);
        }

        @Override
        public Optional<SpmvParameters> block(SpmvParameters from, boolean more) {
            return Optional.of(from.withBlockSize(more ? from.blockSize() * 2 : from.blockSize() / 2))
                    .filter(this::fits);
        }

        @Override
        public List<SpmvParameters> others(SpmvParameters from) {
            return SpmvDistance.nearestFirst(one.seconds().keySet().stream()
                    .filter(other -> other.family() == from.family())
                    .sorted((a, b) -> a.toString().compareTo(b.toString())).toList(), from);
        }
    }

    @Test
    void theSameCasesMakeTheSameModel() {
        TrainingSet some = LEFT_OUT.getFirst();
        TrainingSettings few = new TrainingSettings(6, 4, 6, 20, 0.35, 5);
        SpmvModel one = new ModelTrainer(few).train(some);
        SpmvModel two = new ModelTrainer(few).train(some);
        assertEquals(one.candidates(), two.candidates());
        for (TrainingSet.Case each : some.cases()) {
            assertEquals(one.ranking(each.features(), each.precision()),
                    two.ranking(each.features(), each.precision()));
        }
    }

    /** A single tree that may grow as it likes distinguishes the cases that it was grown on. */
    @Test
    void learnsWhatItIsShown() {
        TrainingSet some = LEFT_OUT.getFirst();
        SpmvModel model = new ModelTrainer(new TrainingSettings(12, 60, 20, 500, 0.35, 7)).train(some);
        assertTrue(Validation.of(some, model).meanShare(1) > 0.96,
                "share on what it knows: " + Validation.of(some, model).meanShare(1));
    }
}
