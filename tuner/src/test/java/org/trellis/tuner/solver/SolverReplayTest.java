package org.trellis.tuner.solver;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.StoppingCriteria;
import org.trellis.tuner.features.SystemFeatures;

/**
 * Tuning replayed on the recorded sweeps: each choice takes the time that it took there, and so do products. First
 * guesses are by rules, which know none of the systems.
 */
class SolverReplayTest {
    private static final Path SWEEPS = Path.of("../measurements/data/solver-sweeps-2026-11-27.json.gz");
    private static final int SOLVES = 20;
    private static final double SECONDS_OF_ENTRY = 1.2e-9;
    private static final StoppingCriteria CRITERIA = StoppingCriteria.relative(1e-8, 100_000);
    private static final double[] B = {1, 2, 3, 4, 5};

    /** A factor for each iteration that meets the tolerance in the last. */
    private static double factor(int iterations) {
        return Math.pow(10, -8.02 / iterations);
    }

    private static boolean isSolvedByRules(JsonNode system) {
        for (JsonNode one : system.get("sweep")) {
            if (one.get("choice").asText().equals("auto")) {
                return one.get("note").asText().isEmpty();
            }
        }
        return false;
    }

    private static void add(FakeContenders fakes, JsonNode one) {
        String choice = one.get("choice").asText();
        String note = one.get("note").asText();
        int iterations = Math.max(1, one.get("iterations").asInt());
        double setup = one.get("setupSeconds").asDouble();
        double iteration = one.get("solveSeconds").asDouble(1e-3) / iterations;
        if (note.isEmpty()) {
            fakes.with(choice, setup, iteration, factor(iterations));
        } else if (note.contains("time")) {
            fakes.with(choice, setup, iteration, 0.99999);
        } else {
            fakes.with(choice, new FakeContenders.Speed(setup, 1, 1, 1, FakeContenders.Manner.REFUSES));
        }
    }

    private static SystemFeatures features(JsonNode system) {
        Map<String, Number> numbers = new LinkedHashMap<>();
        system.get("features").properties().forEach(one -> numbers.put(one.getKey(), one.getValue().numberValue()));
        return SystemFeatures.fromMap(numbers);
    }

    /** What came of a system: shares of the best's speed, and the time of all solutions over the best's. */
    private record Replayed(double first, double afterTen, double overBest) {}

    private static Optional<Replayed> replay(JsonNode system) {
        Map<SolverChoice, Double> totals = new LinkedHashMap<>();
        SystemFeatures features = features(system);
        SolverSpace space = SolverSpace.of(new SolverSpace.Traits(features.rows(), features.symmetric() == 1,
                features.positiveDiagonal() == 1, (int) features.blockSize(), true, false));
        FirstGuess guess = FirstGuess.byFeatures(Optional.empty(), features, space);
        FakeContenders fakes = new FakeContenders(space)
                .withProduct(SECONDS_OF_ENTRY * features.rows() * features.meanRowLength());
        for (JsonNode one : system.get("sweep")) {
            add(fakes, one);
            if (one.get("note").asText().isEmpty()) {
                totals.put(SolverChoice.parse(one.get("choice").asText()), one.get("setupSeconds").asDouble()
                        + SOLVES * one.get("solveSeconds").asDouble());
            }
        }
        double best = totals.values().stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
        if (Double.isNaN(best)) {
            return Optional.empty();
        }
        try (TunedSolver solver = new TunedSolver(fakes, TunedSolver.Settings.defaults(), () -> guess, fakes::nanoTime,
                CollectiveClock.OWN)) {
            SolverChoice first = solver.choice();
            SolverChoice afterTen = first;
            for (int i = 0; i < SOLVES; i++) {
                solver.solve(B, new double[B.length], CRITERIA);
                afterTen = i < SOLVES / 2 ? solver.choice() : afterTen;
            }
            return Optional.of(new Replayed(best / totals.getOrDefault(first, 50 * best),
                    best / totals.getOrDefault(afterTen, 50 * best), fakes.seconds() / best));
        }
    }

    private static double mean(double... values) {
        return Math.exp(Arrays.stream(values).map(Math::log).average().orElse(Double.NaN));
    }

    @Test
    void fewTrialsSufficeOnRecordedSweeps() throws IOException {
        List<Replayed> all = new ArrayList<>();
        try (InputStream in = new GZIPInputStream(Files.newInputStream(SWEEPS))) {
            for (JsonNode system : new ObjectMapper().readTree(in).get("systems")) {
                if (isSolvedByRules(system)) {
                    replay(system).ifPresent(all::add);
                }
            }
        }
        assertTrue(all.size() >= 60, all.size() + " systems");
        double first = mean(all.stream().mapToDouble(Replayed::first).toArray());
        double afterTen = mean(all.stream().mapToDouble(Replayed::afterTen).toArray());
        double overBest = mean(all.stream().mapToDouble(Replayed::overBest).toArray());
        String found = "first guess " + first + ", after ten " + afterTen + ", over the best " + overBest;
        assertTrue(first > 0.7 && afterTen > 0.8 && overBest < 1.35, found);
    }
}
