package org.trellis.solve.krylov;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;

/** Unknowns of a node are seen by the pattern and by couplings, of which the first rows are a sample. */
class NodeBlocksTest {
    private static final int SAMPLE = 500;

    /** A chain of nodes of two unknowns, which are coupled to like ones by 1 up to a node, by -1 from it on. */
    private static CsrMatrix chain(int nodes, int firstNegative) {
        int[] offsets = new int[2 * nodes + 1];
        int[] columns = new int[12 * nodes];
        double[] values = new double[12 * nodes];
        int next = 0;
        for (int row = 0; row < 2 * nodes; row++) {
            int node = row / 2;
            for (int other = Math.max(0, node - 1); other <= Math.min(nodes - 1, node + 1); other++) {
                double like = other == node ? 2.01 : Math.min(node, other) < firstNegative ? 1 : -1;
                for (int unknown = 0; unknown < 2; unknown++) {
                    columns[next] = 2 * other + unknown;
                    values[next++] = unknown == row % 2 ? like : 0.1;
                }
            }
            offsets[row + 1] = next;
        }
        return CsrMatrix.of(2 * nodes, 2 * nodes, offsets, Arrays.copyOf(columns, next), Arrays.copyOf(values, next));
    }

    @Test
    void theFirstRowsDecideWhereTheirCouplingsAreFarFromDiffusion() {
        for (Precision precision : new Precision[]{Precision.F64, Precision.F32}) {
            assertEquals(2, NodeBlocks.sizeOf(chain(20 * SAMPLE, 0).toPrecision(precision)));
            assertEquals(2, NodeBlocks.sizeOf(chain(20 * SAMPLE, SAMPLE / 3).toPrecision(precision)));
            assertEquals(1, NodeBlocks.sizeOf(chain(20 * SAMPLE, SAMPLE / 2).toPrecision(precision)),
                    "one of forty couplings of like unknowns is positive, but each second one of the sample");
            assertEquals(2, NodeBlocks.sizeOf(chain(SAMPLE, SAMPLE / 20).toPrecision(precision)),
                    "no more than a sample");
            assertEquals(1, NodeBlocks.sizeOf(chain(SAMPLE, SAMPLE / 2).toPrecision(precision)));
        }
    }
}
