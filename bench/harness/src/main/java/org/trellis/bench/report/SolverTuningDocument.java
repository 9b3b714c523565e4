package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.trellis.bench.tune.SearchedMatrix;
import org.trellis.distributed.multigrid.LevelRings;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.SolverSweep;
import org.trellis.tuner.solver.TunedSolver;

/**
 * How solvers that tune themselves did, and what was measured of products before.
 *
 * @param device   what they ran on
 * @param job      the ranks; empty for one
 * @param searches what was measured of products in the same run; empty if only solvers were tuned
 * @param solves   solutions of each system
 * @param systems  what came of each system
 */
public record SolverTuningDocument(TuningDevice device, Optional<JobFacts> job, List<SearchedMatrix> searches,
        int solves, List<SolvedSystem> systems) {
    /** Copies the lists. */
    public SolverTuningDocument {
        searches = List.copyOf(searches);
        systems = List.copyOf(systems);
    }

    /**
     * A system that was solved several times.
     *
     * @param name       of the matrix
     * @param rows       how many there are
     * @param nonZeros   how many entries there are
     * @param features   what a model sees of it
     * @param firstGuess with what it began, and why
     * @param first      the first choice
     * @param afterTen   the choice after ten solutions, or after the last if there were fewer
     * @param chosen     the choice at the end
     * @param settled    after how many solutions nothing more was worth a trial; empty if that never was so
     * @param steps      what was done in each solution
     * @param seconds    of each solution, set-ups and trials included
     * @param residuals  of each solution, recomputed, as shares of the right-hand side
     * @param sweep      what an exhaustive sweep measured; empty without one
     * @param warm       what the same program takes once its code is compiled; empty if that was not measured
     * @param rings      numbers of rings that were tuned within the solutions; empty on one rank
     */
    public record SolvedSystem(String name, int rows, long nonZeros, SystemFeatures features, String firstGuess,
            SolverChoice first, SolverChoice afterTen, SolverChoice chosen, Optional<Integer> settled,
            List<TunedSolver.Step> steps,
            List<Double> seconds, List<Double> residuals, List<SolverSweep.Outcome> sweep,
            Optional<WarmTimes> warm, List<TunedRings> rings) {
        /** Copies the lists. */
        public SolvedSystem {
            steps = List.copyOf(steps);
            seconds = List.copyOf(seconds);
            residuals = List.copyOf(residuals);
            sweep = List.copyOf(sweep);
            rings = List.copyOf(rings);
        }

        /**
         * Returns the time of all solutions.
         *
         * @return seconds, set-ups and trials included
         */
        public double total() {
            return seconds.stream().mapToDouble(Double::doubleValue).sum();
        }

        /**
         * Returns the best of the sweep.
         *
         * @return empty without a sweep, or if nothing solved the system
         */
        public Optional<SolverSweep.Outcome> best() {
            return SolverSweep.best(sweep, seconds.size());
        }

        /**
         * Returns the share of the best of the sweep that a choice reaches there, set-ups included.
         *
         * @param choice the choice
         * @return from 0 to 1; not a number without a sweep; 0 if it was given up
         */
        public double shareOfBest(SolverChoice choice) {
            int number = seconds.size();
            double best = best().map(one -> one.total(number)).orElse(Double.NaN);
            return sweep.stream().filter(one -> one.choice().equals(choice)).findFirst()
                    .map(one -> best / one.total(number)).orElse(Double.NaN);
        }

        /**
         * Returns the time of all solutions over that of the best of the sweep.
         *
         * @return not a number without a sweep
         */
        public double overBest() {
            return best().map(one -> total() / one.total(seconds.size())).orElse(Double.NaN);
        }

        /**
         * Returns the time of all solutions over what the choice by rules takes for them in the sweep.
         *
         * @return not a number without a sweep
         */
        public double overAuto() {
            return sweep.stream().filter(one -> one.choice().equals(SolverChoice.AUTO)).findFirst()
                    .map(one -> total() / one.total(seconds.size())).orElse(Double.NaN);
        }
    }

    /**
     * How many rings a solver exchanges over ranks.
     *
     * @param solver method and preconditioner
     * @param levels finest first
     */
    public record TunedRings(String solver, List<LevelRings> levels) {
        /** Copies the list. */
        public TunedRings {
            Objects.requireNonNull(solver);
            levels = List.copyOf(levels);
        }
    }

    /**
     * What the program takes when it runs again in the same process, from nothing but with compiled code: medians of
     * the later half of the runs.
     *
     * @param runs         how often it ran again
     * @param seconds      of all solutions
     * @param leastSeconds the least of them
     * @param mostSeconds  the most
     * @param firstSeconds of the first solution, with all that is done before it
     * @param laterSeconds of the other solutions
     * @param trials       other choices that were tried
     * @param chosen       the choice at the end of the last run
     */
    public record WarmTimes(int runs, double seconds, double leastSeconds, double mostSeconds, double firstSeconds,
            double laterSeconds, double trials, SolverChoice chosen) {
        /** Checks that there is a choice. */
        public WarmTimes {
            Objects.requireNonNull(chosen);
        }
    }

    /**
     * Writes the document.
     *
     * @param provenance what it comes from
     * @return JSON
     */
    public String toJson(Provenance provenance) {
        ObjectNode root = JsonReport.start("trellis-solver-tuning", provenance);
        ProductTuningDocument.putDevice(root, device);
        if (!searches.isEmpty()) {
            ProductTuningDocument.putSearches(root, searches);
        }
        job.ifPresent(facts -> facts.put(root));
        root.put("solves", solves);
        ArrayNode list = root.putArray("systems");
        systems.forEach(system -> add(list.addObject(), system));
        return JsonReport.finish(root);
    }

    private static void add(ObjectNode node, SolvedSystem system) {
        node.put("system", system.name()).put("rows", system.rows()).put("nonZeros", system.nonZeros())
                .put("firstGuess", system.first().toString()).put("firstGuessReason", system.firstGuess())
                .put("afterTen", system.afterTen().toString()).put("chosen", system.chosen().toString())
                .put("settled", system.settled().isPresent()).put("settledAfter", system.settled().orElse(null))
                .put("seconds", system.total());
        ObjectNode features = node.putObject("features");
        system.features().toMap().forEach((name, value) -> features.put(name, value.doubleValue()));
        ArrayNode seconds = node.putArray("secondsOfSolutions");
        system.seconds().forEach(seconds::add);
        ArrayNode residuals = node.putArray("relativeResiduals");
        system.residuals().forEach(residuals::add);
        SolveTuning.putSteps(node, system.steps());
        system.best().ifPresent(best -> {
            node.putObject("best").put("choice", best.choice().toString()).put("setupSeconds", best.setupSeconds())
                    .put("solveSeconds", best.seconds()).put("seconds", best.total(system.seconds().size()));
            put(node, "shareOfBest", system.shareOfBest(system.chosen()));
            put(node, "shareOfBestAfterTen", system.shareOfBest(system.afterTen()));
            put(node, "shareOfBestOfFirstGuess", system.shareOfBest(system.first()));
            put(node, "overBest", system.overBest());
            put(node, "overAuto", system.overAuto());
        });
        system.warm().ifPresent(warm -> node.putObject("warm").put("runs", warm.runs()).put("seconds", warm.seconds())
                .put("leastSeconds", warm.leastSeconds()).put("mostSeconds", warm.mostSeconds())
                .put("firstSeconds", warm.firstSeconds()).put("laterSeconds", warm.laterSeconds())
                .put("trials", warm.trials()).put("chosen", warm.chosen().toString()));
        putRings(node, system.rings());
        ArrayNode sweep = node.putArray("sweep");
        for (SolverSweep.Outcome one : system.sweep()) {
            ObjectNode row = sweep.addObject().put("choice", one.choice().toString());
            put(row, "setupSeconds", one.setupSeconds());
            put(row, "solveSeconds", one.seconds());
            row.put("iterations", one.iterations()).put("note", one.note());
        }
    }

    private static void putRings(ObjectNode node, List<TunedRings> rings) {
        if (rings.isEmpty()) {
            return;
        }
        ArrayNode list = node.putArray("rings");
        for (TunedRings one : rings) {
            for (LevelRings level : one.levels()) {
                ArrayNode trials = list.addObject().put("solver", one.solver()).put("level", level.level())
                        .put("rings", level.rings()).putArray("tried");
                level.trials().stream().filter(trial -> !trial.seconds().isEmpty()).forEach(trial -> trials.addObject()
                        .put("rings", trial.rings()).put("leastSeconds", trial.leastSeconds())
                        .put("turns", trial.seconds().size()));
            }
        }
    }

    private static void put(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, value);
        } else {
            node.putNull(name);
        }
    }
}
