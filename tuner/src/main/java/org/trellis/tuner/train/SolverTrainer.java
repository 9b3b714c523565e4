package org.trellis.tuner.train;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.SolverModel;

/**
 * Learns which solver suits a system from exhaustive sweeps: a few candidates of which one is good on every system, and
 * a forest that predicts their slow-downs from {@link SystemFeatures}.
 */
public final class SolverTrainer {
    /** Fewer candidates than for products, which have ten times as many cases; slow solvers are slower. */
    public static final TrainingSettings USUAL = new TrainingSettings(24, 60, 8, 60, 0.1, 20261127);

    /** The share of the best that makes a factorisation a good choice. */
    private static final double GOOD_SHARE = 0.75;

    private final TrainingSettings settings;

    /**
     * A system that was swept.
     *
     * @param name     of the system
     * @param family   what it has in common with others, which are left out together when a model is judged
     * @param features of the system
     * @param seconds  of all solutions with each choice that solved it, set-up included
     */
    public record Case(String name, String family, SystemFeatures features, Map<SolverChoice, Double> seconds) {
        /** Copies the map. */
        public Case {
            Objects.requireNonNull(name);
            Objects.requireNonNull(family);
            Objects.requireNonNull(features);
            seconds = Map.copyOf(seconds);
        }

        /**
         * Returns the share of the best speed that a choice reaches.
         *
         * @param choice a choice
         * @return from 0, if it does not solve the system, to 1
         */
        public double share(SolverChoice choice) {
            double best = seconds.values().stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
            return seconds.containsKey(choice) ? best / seconds.get(choice) : 0;
        }
    }

    /**
     * How a first guess did on a system that the model had not seen, nor others of its family.
     *
     * @param system the system
     * @param chosen the first choice
     * @param byModel whether the model chose; else the system was far from what it had seen, and rules chose
     * @param share  of the best speed
     */
    public record Judged(Case system, SolverChoice chosen, boolean byModel, double share) {}

    /**
     * Creates a trainer.
     *
     * @param settings what models are made of
     */
    public SolverTrainer(TrainingSettings settings) {
        this.settings = settings;
    }

    /**
     * Learns a model. The same cases and settings make the same.
     *
     * @param cases at least two
     * @return the model
     * @throws IllegalArgumentException if there are fewer cases
     */
    public SolverModel train(List<Case> cases) {
        if (cases.size() < 2) {
            throw new IllegalArgumentException(cases.size() + " systems to learn from, expected at least 2");
        }
        List<SolverChoice> candidates = portfolio(cases);
        double[][] inputs = cases.stream().map(one -> one.features().vector()).toArray(double[][]::new);
        double[][] outputs = cases.stream().map(one -> candidates.stream()
                .mapToDouble(choice -> -Math.log(Math.max(settings.missingShare(), one.share(choice)))).toArray())
                .toArray(double[][]::new);
        return new SolverModel(candidates, inputs, sparseFill(cases), ForestGrower.grow(
                SystemFeatures.vectorNames().toArray(String[]::new), inputs, outputs, settings));
    }

    /** The fill up to which systems gain most where all of them are factorised. */
    private double sparseFill(List<Case> cases) {
        List<Case> known = cases.stream().filter(one -> one.features().fill() > 0)
                .sorted(Comparator.comparingDouble(one -> one.features().fill())).toList();
        double best = 0;
        double gain = 0;
        double found = 0;
        for (int i = 0; i < known.size(); i++) {
            gain += Math.log(Math.max(settings.missingShare(), known.get(i).share(SolverChoice.DIRECT))
                    / GOOD_SHARE);
            double fill = known.get(i).features().fill();
            double next = i + 1 < known.size() ? known.get(i + 1).features().fill() : fill;
            if (gain > best && next < SystemFeatures.MOST_FILL) {
                best = gain;
                found = Math.sqrt(fill * next);
            }
        }
        return found;
    }

    /** Greedily, each time the one that raises the mean of the best shares most, as for products. */
    private List<SolverChoice> portfolio(List<Case> cases) {
        Set<SolverChoice> all = new LinkedHashSet<>();
        cases.forEach(one -> one.seconds().keySet().stream()
                .sorted((a, b) -> a.toString().compareTo(b.toString())).forEach(all::add));
        List<SolverChoice> chosen = new ArrayList<>();
        double[] reached = new double[cases.size()];
        while (chosen.size() < Math.min(settings.candidates(), all.size())) {
            SolverChoice best = null;
            double most = -1;
            for (SolverChoice choice : all) {
                double gain = 0;
                for (int i = 0; i < reached.length; i++) {
                    gain += Math.max(0, cases.get(i).share(choice) - reached[i]);
                }
                if (gain > most && !chosen.contains(choice)) {
                    most = gain;
                    best = choice;
                }
            }
            chosen.add(best);
            for (int i = 0; i < reached.length; i++) {
                reached[i] = Math.max(reached[i], cases.get(i).share(best));
            }
        }
        return chosen;
    }

    /**
     * Judges first guesses: each family is left out in turn, a model learnt from the others, and asked for its members.
     *
     * @param cases of at least two families
     * @return how the guess did on each system
     * @throws IllegalArgumentException if there are fewer than three cases or one family only
     */
    public List<Judged> leaveOneFamilyOut(List<Case> cases) {
        Set<String> families = new TreeSet<>();
        cases.forEach(one -> families.add(one.family()));
        if (families.size() < 2) {
            throw new IllegalArgumentException("systems of " + families + ", expected at least two families");
        }
        List<Judged> judged = new ArrayList<>();
        for (String family : families) {
            SolverModel model = train(cases.stream().filter(one -> !one.family().equals(family)).toList());
            cases.stream().filter(one -> one.family().equals(family)).forEach(one -> judged.add(judge(model, one)));
        }
        return judged;
    }

    /**
     * Judges the first guess of a model on a system.
     *
     * @param model the model
     * @param one   the system
     * @return how it did
     */
    public static Judged judge(SolverModel model, Case one) {
        SolverChoice chosen = model.choose(one.features());
        boolean byFill = one.features().fill() > 0 && one.features().fill() <= model.sparseFill();
        return new Judged(one, chosen, byFill || !model.isFar(one.features()), one.share(chosen));
    }
}
