package org.trellis.tuner.model;

import java.util.List;

/**
 * Regression trees whose leaves hold a vector each; the prediction is the mean of the leaves that an input falls into.
 * All nodes of all trees lie in three arrays, and a number in a leaf is a byte, so that an evaluation is a walk through
 * a few cache lines.
 *
 * <p>Node {@code n} with {@code feature[n] >= 0} asks whether {@code x[feature[n]] <= threshold[n]}: if so, node
 * {@code child[n]} is next, else {@code child[n] + 1}. With {@code feature[n] = -1} it is leaf number {@code child[n]}.
 */
public final class TreeEnsemble {
    private static final int LEAF = -1;
    private static final int UNSIGNED = 0xff;

    private final int inputs;
    private final int outputs;
    private final int[] roots;
    private final int[] feature;
    private final double[] threshold;
    private final int[] child;
    private final byte[] leaves;
    private final double leafStep;

    /**
     * Makes an ensemble from its arrays, after checking that every walk ends in a leaf.
     *
     * @param inputs    length of an input
     * @param outputs   length of a prediction
     * @param roots     the first node of each tree
     * @param feature   of each node, the element that it asks about, or −1 for a leaf
     * @param threshold of each node, the largest value that goes to the first child
     * @param child     of each node, its first child, larger than its own number; or the number of the leaf
     * @param leaves    the vectors of all leaves, one after another, each number without sign (0 to 255)
     * @param leafStep  what one step of a number in a leaf means
     * @throws IllegalArgumentException if the arrays make no trees; names the node
     */
    public TreeEnsemble(int inputs, int outputs, int[] roots, int[] feature, double[] threshold, int[] child,
            byte[] leaves, double leafStep) {
        this.inputs = inputs;
        this.outputs = outputs;
        this.roots = roots.clone();
        this.feature = feature.clone();
        this.threshold = threshold.clone();
        this.child = child.clone();
        this.leaves = leaves.clone();
        this.leafStep = leafStep;
        check();
    }

    private void check() {
        int nodes = feature.length;
        if (threshold.length != nodes || child.length != nodes) {
            throw new IllegalArgumentException("trees with " + nodes + " features, " + threshold.length
                    + " thresholds and " + child.length + " children, expected as many of each");
        }
        if (!(leafStep > 0) || !Double.isFinite(leafStep)) {
            throw new IllegalArgumentException("a step of " + leafStep + ", expected a positive number");
        }
        if (roots.length == 0 || inputs < 1 || outputs < 1 || leaves.length % outputs != 0) {
            throw new IllegalArgumentException(roots.length + " trees of " + inputs + " inputs and " + outputs
                    + " outputs with " + leaves.length
                    + " numbers in leaves, expected at least one tree and whole leaves");
        }
        for (int root : roots) {
            if (root < 0 || root >= nodes) {
                throw new IllegalArgumentException("root " + root + ", expected a node from 0 to " + (nodes - 1));
            }
        }
        for (int n = 0; n < nodes; n++) {
            boolean leaf = feature[n] == LEAF && child[n] >= 0 && child[n] < leaves.length / outputs;
            boolean inner = feature[n] >= 0 && feature[n] < inputs && child[n] > n && child[n] < nodes - 1
                    && Double.isFinite(threshold[n]);
            if (!leaf && !inner) {
                throw new IllegalArgumentException("node " + n + " asks about element " + feature[n]
                        + " with threshold "
                        + threshold[n] + " and child " + child[n] + ", expected an element from 0 to " + (inputs - 1)
                        + " (or -1 in a leaf) and a later node");
            }
        }
    }

    /**
     * Evaluates all trees.
     *
     * @param x          the input
     * @param prediction overwritten by the mean of the leaves
     * @throws IllegalArgumentException if input or prediction have not the lengths of the model
     */
    public void predict(double[] x, double[] prediction) {
        if (x.length != inputs || prediction.length != outputs) {
            throw new IllegalArgumentException("an input of " + x.length + " and a prediction of " + prediction.length
                    + " numbers, expected " + inputs + " and " + outputs);
        }
        // Whole numbers add up exactly and several at a time.
        int[] sums = new int[outputs];
        for (int root : roots) {
            int n = root;
            while (feature[n] >= 0) {
                n = child[n] + (x[feature[n]] <= threshold[n] ? 0 : 1);
            }
            int first = child[n] * outputs;
            for (int k = 0; k < sums.length; k++) {
                sums[k] += leaves[first + k] & UNSIGNED;
            }
        }
        double scale = leafStep / roots.length;
        for (int k = 0; k < outputs; k++) {
            prediction[k] = sums[k] * scale;
        }
    }

    /**
     * Returns the length of an input.
     *
     * @return at least 1
     */
    public int inputs() {
        return inputs;
    }

    /**
     * Returns the length of a prediction.
     *
     * @return at least 1
     */
    public int outputs() {
        return outputs;
    }

    /**
     * Returns the number of trees.
     *
     * @return at least 1
     */
    public int trees() {
        return roots.length;
    }

    /**
     * Returns the first node of each tree.
     *
     * @return a copy
     */
    public int[] roots() {
        return roots.clone();
    }

    /**
     * Returns the element that each node asks about.
     *
     * @return a copy
     */
    public int[] features() {
        return feature.clone();
    }

    /**
     * Returns the threshold of each node.
     *
     * @return a copy
     */
    public double[] thresholds() {
        return threshold.clone();
    }

    /**
     * Returns the first child of each node, or the number of its leaf.
     *
     * @return a copy
     */
    public int[] children() {
        return child.clone();
    }

    /**
     * Returns the vectors of all leaves.
     *
     * @return a copy, one leaf after another, each number without sign
     */
    public byte[] leaves() {
        return leaves.clone();
    }

    /**
     * Returns what one step of a number in a leaf means.
     *
     * @return a positive number
     */
    public double leafStep() {
        return leafStep;
    }

    /**
     * Joins ensembles of the same inputs, outputs and step, for example trees that were grown one at a time.
     *
     * @param parts at least one
     * @return an ensemble of all trees
     */
    public static TreeEnsemble join(List<TreeEnsemble> parts) {
        TreeEnsemble first = parts.getFirst();
        int nodes = parts.stream().mapToInt(part -> part.feature.length).sum();
        int numbers = parts.stream().mapToInt(part -> part.leaves.length).sum();
        int[] roots = new int[parts.stream().mapToInt(TreeEnsemble::trees).sum()];
        int[] feature = new int[nodes];
        double[] threshold = new double[nodes];
        int[] child = new int[nodes];
        byte[] leaves = new byte[numbers];
        int atRoot = 0;
        int atNode = 0;
        int atLeaf = 0;
        for (TreeEnsemble part : parts) {
            for (int root : part.roots) {
                roots[atRoot++] = root + atNode;
            }
            int count = part.feature.length;
            System.arraycopy(part.feature, 0, feature, atNode, count);
            System.arraycopy(part.threshold, 0, threshold, atNode, count);
            System.arraycopy(part.leaves, 0, leaves, atLeaf, part.leaves.length);
            for (int n = 0; n < count; n++) {
                child[atNode + n] = part.child[n] + (part.feature[n] == LEAF ? atLeaf / first.outputs : atNode);
            }
            atNode += count;
            atLeaf += part.leaves.length;
        }
        return new TreeEnsemble(first.inputs, first.outputs, roots, feature, threshold, child, leaves,
                first.leafStep);
    }
}
