package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.TunedSolver;

/**
 * What a solver that tunes itself began with, what it tried, and what it uses now.
 *
 * @param firstGuess the first choice and where it comes from, for people
 * @param steps      what was done in each solution
 * @param chosen     the fastest choice so far
 */
public record SolveTuning(String firstGuess, List<TunedSolver.Step> steps, SolverChoice chosen) {
    /** Copies the steps. */
    public SolveTuning {
        Objects.requireNonNull(firstGuess);
        steps = List.copyOf(steps);
        Objects.requireNonNull(chosen);
    }

    /**
     * Asks a solver.
     *
     * @param solver after its solutions; it may be closed
     * @return what it did
     */
    public static SolveTuning of(TunedSolver solver) {
        return new SolveTuning(solver.firstGuess(), solver.history(), solver.choice());
    }

    /**
     * Says it for the console.
     *
     * @return the first guess, a line for each trial, and the choice
     */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(List.of("first guess       " + firstGuess));
        for (TunedSolver.Step step : steps) {
            if (step.trial()) {
                lines.add(String.format(Locale.ROOT, "solution %-8d tried %s: set-up %s, then %s, %s", step.solve() + 1,
                        step.choice(), Numbers.seconds(step.setupSeconds()), Numbers.seconds(step.seconds()),
                        step.note()));
            }
        }
        lines.add("chosen            " + chosen);
        return lines;
    }

    void put(ObjectNode root) {
        ObjectNode node = root.putObject("tuning");
        node.put("firstGuess", firstGuess);
        putSteps(node, steps);
        node.put("chosen", chosen.toString());
    }

    static void putSteps(ObjectNode node, List<TunedSolver.Step> steps) {
        ArrayNode tried = node.putArray("tried");
        for (TunedSolver.Step step : steps) {
            tried.addObject().put("solve", step.solve()).put("choice", step.choice().toString())
                    .put("trial", step.trial()).put("setupSeconds", step.setupSeconds()).put("seconds", step.seconds())
                    .put("iterations", step.iterations()).put("progress", step.progress())
                    .put("relativeResidual", Double.isFinite(step.relativeResidual()) ? step.relativeResidual() : null)
                    .put("note", step.note());
        }
    }
}
