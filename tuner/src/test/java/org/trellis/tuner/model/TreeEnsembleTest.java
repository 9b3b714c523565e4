package org.trellis.tuner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Trees by hand. */
class TreeEnsembleTest {
    private static final TreeEnsemble STUMP = new TreeEnsemble(2, 2, new int[]{0}, new int[]{1, -1, -1},
            new double[]{0.5, 0, 0}, new int[]{1, 0, 1}, new byte[]{10, 20, (byte) 250, 0}, 0.1);

    private static double[] predict(TreeEnsemble trees, double... x) {
        double[] prediction = new double[trees.outputs()];
        trees.predict(x, prediction);
        return prediction;
    }

    @Test
    void walksLeftAtTheThresholdAndRightAboveIt() {
        assertArrayEquals(new double[]{1, 2}, predict(STUMP, 9, 0.5), 1e-12);
        assertArrayEquals(new double[]{25, 0}, predict(STUMP, 9, 0.51), 1e-12);
        assertArrayEquals(new double[]{25, 0}, predict(STUMP, 9, Double.NaN), 1e-12);
    }

    @Test
    void joinedTreesPredictTheMean() {
        TreeEnsemble leaf = new TreeEnsemble(2, 2, new int[]{0}, new int[]{-1}, new double[1], new int[1],
                new byte[]{30, 40}, 0.1);
        TreeEnsemble both = TreeEnsemble.join(List.of(leaf, STUMP, leaf));
        assertEquals(3, both.trees());
        assertArrayEquals(new double[]{7 / 3.0, 10 / 3.0}, predict(both, 0, 0), 1e-12);
        assertArrayEquals(new double[]{31 / 3.0, 8 / 3.0}, predict(both, 0, 1), 1e-12);
    }

    private static void refused(String part, int[] roots, int[] feature, double[] threshold, int... child) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> new TreeEnsemble(2, 1, roots, feature, threshold, child, new byte[]{1, 2}, 0.1));
        assertTrue(e.getMessage().contains(part), e.getMessage());
    }

    @Test
    void refusesWhatIsNoTree() {
        refused("expected as many of each", new int[]{0}, new int[]{-1, -1}, new double[1], 0);
        refused("root 3", new int[]{3}, new int[]{-1}, new double[1], 0);
        refused("node 0", new int[]{0}, new int[]{0, -1, -1}, new double[3], 0, 0, 1);
        refused("node 0", new int[]{0}, new int[]{2, -1, -1}, new double[3], 1, 0, 1);
        refused("node 0", new int[]{0}, new int[]{0, -1, -1}, new double[3], 2, 0, 1);
        refused("node 2", new int[]{0}, new int[]{0, -1, -1}, new double[3], 1, 0, 2);
        refused("node 0", new int[]{0}, new int[]{0, -1, -1}, new double[]{Double.NaN, 0, 0}, 1, 0, 1);
        refused("at least one tree", new int[0], new int[]{-1}, new double[1], 0);
    }
}
