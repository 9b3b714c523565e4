package org.trellis.tuner.train;

import java.util.Arrays;
import java.util.List;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.model.SpmvModel;

/**
 * Learns a model: a forest that predicts the slow-downs of all candidates at once, grown by {@link ForestGrower}, so
 * that it is evaluated within a few microseconds.
 */
public final class ModelTrainer {
    private final TrainingSettings settings;

    /**
     * Creates a trainer.
     *
     * @param settings what models are made of
     */
    public ModelTrainer(TrainingSettings settings) {
        this.settings = settings;
    }

    /**
     * Learns from the features that are known of all cases. The same cases and settings make the same model.
     *
     * @param set at least two cases
     * @return the model
     * @throws IllegalArgumentException if there are fewer cases
     */
    public SpmvModel train(TrainingSet set) {
        int cases = set.cases().size();
        if (cases < 2) {
            throw new IllegalArgumentException(cases + " cases to learn from, expected at least 2");
        }
        List<SpmvParameters> candidates = Portfolio.choose(set, settings.candidates());
        String[] names = set.knownNames().toArray(String[]::new);
        int[] places = Arrays.stream(names).mapToInt(MatrixFeatures.vectorNames()::indexOf).toArray();
        double[][] inputs = set.cases().stream().map(one -> one.features().vector(one.precision()))
                .map(all -> Arrays.stream(places).mapToDouble(place -> all[place]).toArray())
                .toArray(double[][]::new);
        double[][] outputs = new double[cases][];
        for (int i = 0; i < cases; i++) {
            TrainingSet.Case one = set.cases().get(i);
            outputs[i] = candidates.stream()
                    .mapToDouble(parameters -> -Math.log(Math.max(settings.missingShare(), one.share(parameters))))
                    .toArray();
        }
        return new SpmvModel(List.of(names), candidates, ForestGrower.grow(names, inputs, outputs, settings));
    }
}
