package org.trellis.tuner.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.model.SpmvModel;

/**
 * Judges models by what their choices cost: each matrix is left out, in all precisions, a model is learnt from the
 * others and chooses for it.
 */
public final class Validation {
    private final List<Judged> judged;

    /**
     * A choice for a matrix that the model did not know.
     *
     * @param name          the matrix's name and precision
     * @param chosen        what the model chose, of what works for the matrix
     * @param share         the best time over that of the choice
     * @param regretSeconds time of the choice less the best time
     * @param shares        the best share among the first one, two, ... of the model's ranking
     */
    public record Judged(String name, SpmvParameters chosen, double share, double regretSeconds, double[] shares) {
        /** Copies the array. */
        public Judged {
            Objects.requireNonNull(name);
            Objects.requireNonNull(chosen);
            shares = shares.clone();
        }

        /**
         * Returns the shares that the first choices reach.
         *
         * @return a copy
         */
        @Override
        public double[] shares() {
            return shares.clone();
        }
    }

    private Validation(List<Judged> judged) {
        this.judged = List.copyOf(judged);
    }

    /**
     * Validates.
     *
     * @param set        cases of at least three matrices
     * @param settings   what models are made of
     * @param judgedOnly names of the matrices that are left out in turn, all if it is empty
     * @param progress   receives each matrix
     * @return a choice for each case
     */
    public static Validation leaveOneMatrixOut(TrainingSet set, TrainingSettings settings, List<String> judgedOnly,
            ProgressListener progress) {
        List<Judged> judged = new ArrayList<>();
        List<Fingerprint> matrices = new ArrayList<>(set.matrices());
        ModelTrainer trainer = new ModelTrainer(settings);
        for (int i = 0; i < matrices.size(); i++) {
            Fingerprint left = matrices.get(i);
            progress.progress("leave one out", i, matrices.size());
            List<TrainingSet.Case> cases = set.where(one -> one.matrix().equals(left)).cases();
            if (judgedOnly.isEmpty() || judgedOnly.contains(cases.getFirst().name())) {
                SpmvModel model = trainer.train(set.where(one -> !one.matrix().equals(left)));
                cases.forEach(one -> judged.add(judge(one, model)));
            }
        }
        progress.progress("leave one out", matrices.size(), matrices.size());
        return new Validation(judged);
    }

    /**
     * Judges one model on cases that it was not learnt from.
     *
     * @param set   the cases
     * @param model the model
     * @return a choice for each case
     */
    public static Validation of(TrainingSet set, SpmvModel model) {
        return new Validation(set.cases().stream().map(one -> judge(one, model)).toList());
    }

    private static Judged judge(TrainingSet.Case one, SpmvModel model) {
        List<SpmvParameters> usable = model.ranking(one.features(), one.precision()).stream()
                .map(SpmvModel.Ranked::parameters).filter(one.seconds()::containsKey).toList();
        if (usable.isEmpty()) {
            throw new IllegalArgumentException(one.name() + ": none of the model's candidates was measured");
        }
        double[] shares = new double[usable.size()];
        double best = 0;
        for (int k = 0; k < shares.length; k++) {
            best = Math.max(best, one.share(usable.get(k)));
            shares[k] = best;
        }
        SpmvParameters chosen = usable.getFirst();
        return new Judged(one.name() + ' ' + one.precision().label(), chosen, one.share(chosen),
                one.seconds().get(chosen) - one.best(), shares);
    }

    /**
     * Returns every choice.
     *
     * @return the choices
     */
    public List<Judged> judged() {
        return judged;
    }

    /**
     * Returns the mean share of the best.
     *
     * @param choices how many of the model's first choices may be tried, at least 1
     * @return the mean over all cases of the best share among them
     */
    public double meanShare(int choices) {
        return Arrays.stream(sharesAfter(choices)).average().orElse(Double.NaN);
    }

    /**
     * Returns the least share of the best.
     *
     * @param choices how many of the model's first choices may be tried, at least 1
     * @return the least over all cases of the best share among them
     */
    public double leastShare(int choices) {
        return Arrays.stream(sharesAfter(choices)).min().orElse(Double.NaN);
    }

    private double[] sharesAfter(int choices) {
        return judged.stream().mapToDouble(one -> one.shares[Math.min(choices, one.shares.length) - 1]).toArray();
    }

    /**
     * Returns what the choices lose.
     *
     * @return the mean of the time of the choice over the best time, less 1
     */
    public double meanRegret() {
        return judged.stream().mapToDouble(one -> 1 / one.share - 1).average().orElse(Double.NaN);
    }
}
