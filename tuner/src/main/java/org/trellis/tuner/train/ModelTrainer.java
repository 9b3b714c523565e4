package org.trellis.tuner.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.model.SpmvModel;
import org.trellis.tuner.model.TreeEnsemble;
import smile.base.cart.CART;
import smile.base.cart.Loss;
import smile.data.DataFrame;
import smile.data.type.DataTypes;
import smile.data.type.StructField;
import smile.math.MathEx;
import smile.regression.RegressionTree;

/**
 * Learns a model: a forest of regression trees that predict the slow-downs of all candidates at once. Each tree is
 * grown by Smile on a sample of the cases (bagging; L. Breiman, Machine Learning 24, 1996) for a random combination of
 * the slow-downs (A. Joly, P. Geurts, L. Wehenkel, ECML PKDD 2014: random projections of the output space), and its
 * leaves then get the mean slow-downs of the cases that fall into them. So one walk through a tree predicts for all
 * candidates, which a forest for each candidate could not do within a few microseconds.
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
        Growth growth = new Growth(DataFrame.of(inputs, names), inputs, outputs, candidates.size());
        SplittableRandom random = new SplittableRandom(settings.seed());
        List<TreeEnsemble> trees = new ArrayList<>();
        for (int t = 0; t < settings.trees(); t++) {
            trees.add(growth.tree(random.split()));
        }
        return new SpmvModel(List.of(names), candidates, TreeEnsemble.join(trees));
    }

    /** Grows trees on one table. */
    private final class Growth {
        private final DataFrame table;
        private final int[][] order;
        private final double[][] inputs;
        private final double[][] outputs;
        private final int candidates;

        Growth(DataFrame table, double[][] inputs, double[][] outputs, int candidates) {
            this.table = table;
            this.order = CART.order(table);
            this.inputs = inputs;
            this.outputs = outputs;
            this.candidates = candidates;
        }

        TreeEnsemble tree(SplittableRandom random) {
            int cases = inputs.length;
            int[] weights = new int[cases];
            for (int i = 0; i < cases; i++) {
                weights[random.nextInt(cases)]++;
            }
            double[] direction = random.doubles(candidates).map(u -> 2 * u - 1).toArray();
            double[] target = new double[cases];
            for (int i = 0; i < cases; i++) {
                for (int k = 0; k < candidates; k++) {
                    target[i] += direction[k] * outputs[i][k];
                }
            }
            MathEx.setSeed(random.nextLong());
            int tried = Math.max(1, inputs[0].length / 2);
            RegressionTree grown = new RegressionTree(table, Loss.ls(target),
                    new StructField("slowdown", DataTypes.DoubleType), settings.depth(), settings.leaves(), 1, tried,
                    weights.clone(), order);
            int[] rows = IntStream.range(0, cases).filter(i -> weights[i] > 0).toArray();
            return new TreeCopy(table, inputs, outputs, weights, leafStep()).copy(grown.root(), rows);
        }
    }

    /** What one step of a leaf's number means: the largest slow-down there is, that of missing sets, is the last. */
    private double leafStep() {
        return Math.max(1e-3, -Math.log(settings.missingShare()) / 255);
    }

    /** The weighted mean of vectors in steps. */
    static byte[] mean(double[][] vectors, int[] weights, double step, int... rows) {
        double[] sum = new double[vectors[0].length];
        double total = 0;
        for (int row : rows) {
            total += weights[row];
            for (int k = 0; k < sum.length; k++) {
                sum[k] += weights[row] * vectors[row][k];
            }
        }
        byte[] mean = new byte[sum.length];
        for (int k = 0; k < mean.length; k++) {
            mean[k] = (byte) Math.min(255, Math.round(sum[k] / total / step));
        }
        return mean;
    }
}
