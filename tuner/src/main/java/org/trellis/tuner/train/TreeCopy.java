package org.trellis.tuner.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.tuner.model.TreeEnsemble;
import smile.base.cart.InternalNode;
import smile.base.cart.Node;
import smile.data.DataFrame;

/**
 * Makes plain data of a tree that Smile has grown. Smile does not give the thresholds of its nodes; each is put
 * half-way between the cases that the node sends to its two sides, which divides them in the same way.
 */
final class TreeCopy {
    private final DataFrame table;
    private final double[][] inputs;
    private final double[][] outputs;
    private final int[] weights;
    private final double step;
    private final List<Integer> feature = new ArrayList<>();
    private final List<Double> threshold = new ArrayList<>();
    private final List<Integer> child = new ArrayList<>();
    private final List<byte[]> leaves = new ArrayList<>();

    TreeCopy(DataFrame table, double[][] inputs, double[][] outputs, int[] weights, double step) {
        this.table = table;
        this.inputs = inputs;
        this.outputs = outputs;
        this.weights = weights;
        this.step = step;
    }

    TreeEnsemble copy(Node root, int... rows) {
        addNode();
        fill(0, root, rows);
        int width = outputs[0].length;
        byte[] numbers = new byte[leaves.size() * width];
        for (int i = 0; i < leaves.size(); i++) {
            System.arraycopy(leaves.get(i), 0, numbers, i * width, width);
        }
        return new TreeEnsemble(inputs[0].length, width, new int[]{0},
                feature.stream().mapToInt(Integer::intValue).toArray(),
                threshold.stream().mapToDouble(Double::doubleValue).toArray(),
                child.stream().mapToInt(Integer::intValue).toArray(), numbers, step);
    }

    private int addNode() {
        feature.add(-1);
        threshold.add(0.0);
        child.add(0);
        return feature.size() - 1;
    }

    private void fill(int place, Node node, int... rows) {
        if (node instanceof InternalNode inner) {
            int[] low = Arrays.stream(rows).filter(row -> inner.branch(table.get(row))).toArray();
            int[] high = Arrays.stream(rows).filter(row -> !inner.branch(table.get(row))).toArray();
            if (low.length > 0 && high.length > 0) {
                int asked = inner.feature();
                double below = Arrays.stream(low).mapToDouble(row -> inputs[row][asked]).max().orElseThrow();
                double above = Arrays.stream(high).mapToDouble(row -> inputs[row][asked]).min().orElseThrow();
                feature.set(place, asked);
                threshold.set(place, below + (above - below) / 2);
                int first = addNode();
                addNode();
                child.set(place, first);
                fill(first, inner.trueChild(), low);
                fill(first + 1, inner.falseChild(), high);
                return;
            }
        }
        child.set(place, leaves.size());
        leaves.add(ForestGrower.mean(outputs, weights, step, rows));
    }
}
