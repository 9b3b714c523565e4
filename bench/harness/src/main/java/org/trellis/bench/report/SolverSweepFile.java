package org.trellis.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.SolverSweep;
import org.trellis.tuner.train.SolverTrainer;

/**
 * Sweeps of solvers that {@link SolverTuningDocument} wrote.
 *
 * @param solves  how many solutions a set-up serves
 * @param systems what was swept
 */
public record SolverSweepFile(int solves, List<Swept> systems) {
    /** Copies the list. */
    public SolverSweepFile {
        systems = List.copyOf(systems);
    }

    /**
     * A system with what came of each choice.
     *
     * @param name     of the system
     * @param features of the system
     * @param outcomes of each choice
     * @param tuned    what the file says of the solver that tuned itself, by name; only what it says
     */
    public record Swept(String name, SystemFeatures features, List<SolverSweep.Outcome> outcomes,
            Map<String, Double> tuned) {
        /** Copies what may change. */
        public Swept {
            outcomes = List.copyOf(outcomes);
            tuned = Map.copyOf(tuned);
        }

        /**
         * Returns what the system has in common with others.
         *
         * @return the letters that its name begins with: the boxes and squares of an equation are one family
         */
        public String family() {
            return familyOf(name);
        }

        /**
         * Returns what a model learns from.
         *
         * @param solves how many solutions a set-up serves
         * @return a case; without times if nothing solved the system
         */
        public SolverTrainer.Case toCase(int solves) {
            Map<SolverChoice, Double> seconds = new LinkedHashMap<>();
            outcomes.stream().filter(SolverSweep.Outcome::isSolved)
                    .forEach(one -> seconds.put(one.choice(), one.total(solves)));
            return new SolverTrainer.Case(name, family(), features, seconds);
        }
    }

    /**
     * Returns the family of a system.
     *
     * @param name of the system
     * @return the letters that its name begins with
     */
    public static String familyOf(String name) {
        String letters = name.replaceAll("[^A-Za-z].*", "");
        return letters.isEmpty() ? name : letters;
    }

    /**
     * Returns what a model learns from: systems that something solved.
     *
     * @return a case for each
     */
    public List<SolverTrainer.Case> cases() {
        return systems.stream().map(one -> one.toCase(solves)).filter(one -> !one.seconds().isEmpty()).toList();
    }

    /**
     * Reads several files as one.
     *
     * @param files JSON of {@code tune --solve --exhaustive}
     * @return all systems; of two of the same name the later one
     * @throws IOException if one cannot be read, is something else, or has another number of solutions
     */
    public static SolverSweepFile read(List<Path> files) throws IOException {
        Map<String, Swept> systems = new LinkedHashMap<>();
        int solves = -1;
        for (Path file : files) {
            JsonNode root = new ObjectMapper().readTree(file.toFile());
            if (!root.path("systems").isArray() || !root.path("solves").isInt()) {
                throw new IOException(file + ": has no 'systems' with 'solves', expected what tune --solve "
                        + "--exhaustive --json writes");
            }
            int number = root.get("solves").intValue();
            if (solves >= 0 && number != solves) {
                throw new IOException(file + ": has " + number + " solutions of each system, expected " + solves
                        + " as in the files before it");
            }
            solves = number;
            for (JsonNode system : root.get("systems")) {
                Swept swept = swept(system);
                systems.put(swept.name(), swept);
            }
        }
        return new SolverSweepFile(solves, new ArrayList<>(systems.values()));
    }

    private static Swept swept(JsonNode system) {
        Map<String, Number> numbers = new LinkedHashMap<>();
        system.path("features").properties()
                .forEach(feature -> numbers.put(feature.getKey(), feature.getValue().numberValue()));
        List<SolverSweep.Outcome> outcomes = new ArrayList<>();
        for (JsonNode one : system.path("sweep")) {
            outcomes.add(new SolverSweep.Outcome(SolverChoice.parse(one.path("choice").asText()),
                    one.path("setupSeconds").asDouble(Double.NaN), one.path("solveSeconds").asDouble(Double.NaN),
                    one.path("iterations").asInt(), one.path("note").asText()));
        }
        Map<String, Double> tuned = new LinkedHashMap<>();
        system.properties().stream().filter(one -> one.getValue().isNumber())
                .forEach(one -> tuned.put(one.getKey(), one.getValue().doubleValue()));
        return new Swept(system.path("system").asText(), SystemFeatures.fromMap(numbers), outcomes, tuned);
    }
}
