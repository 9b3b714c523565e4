package org.trellis.tuner.train;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.trellis.tuner.model.TreeEnsemble;
import smile.base.cart.CART;
import smile.base.cart.Loss;
import smile.data.DataFrame;
import smile.data.type.DataTypes;
import smile.data.type.StructField;
import smile.math.MathEx;
import smile.regression.RegressionTree;

/**
 * Grows forests of regression trees that predict a vector each. Each tree is grown by Smile on a sample of the cases
 * (bagging; L. Breiman, Machine Learning 24, 1996) for a random combination of the outputs (A. Joly, P. Geurts,
 * L. Wehenkel, ECML PKDD 2014: random projections of the output space), and its leaves then get the mean outputs of the
 * cases that fall into them.
 */
final class ForestGrower {
    private final TrainingSettings settings;
    private final DataFrame table;
    private final int[][] order;
    private final double[][] inputs;
    private final double[][] outputs;

    private ForestGrower(TrainingSettings settings, DataFrame table, double[][] inputs, double[][] outputs) {
        this.settings = settings;
        this.table = table;
        this.order = CART.order(table);
        this.inputs = inputs;
        this.outputs = outputs;
    }

    /**
     * Grows a forest. The same cases and settings make the same.
     *
     * @param names   of the inputs
     * @param inputs  of each case
     * @param outputs of each case: logarithms of slow-downs, from 0 to that of the missing share
     */
    static TreeEnsemble grow(String[] names, double[][] inputs, double[][] outputs, TrainingSettings settings) {
        ForestGrower grower = new ForestGrower(settings, DataFrame.of(inputs, names), inputs, outputs);
        SplittableRandom random = new SplittableRandom(settings.seed());
        List<TreeEnsemble> trees = new ArrayList<>();
        for (int t = 0; t < settings.trees(); t++) {
            trees.add(grower.tree(random.split()));
        }
        return TreeEnsemble.join(trees);
    }

    private TreeEnsemble tree(SplittableRandom random) {
        int cases = inputs.length;
        int[] weights = new int[cases];
        for (int i = 0; i < cases; i++) {
            weights[random.nextInt(cases)]++;
        }
        double[] direction = random.doubles(outputs[0].length).map(u -> 2 * u - 1).toArray();
        double[] target = new double[cases];
        for (int i = 0; i < cases; i++) {
            for (int k = 0; k < outputs[0].length; k++) {
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
