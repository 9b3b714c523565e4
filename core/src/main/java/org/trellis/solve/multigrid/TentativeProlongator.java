package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;

/**
 * The prolongator that is constant on aggregates, or in general reproduces the near null space: its block for an
 * aggregate is the orthogonal factor of the near null space there, whose triangular factor is the near null space of
 * the next level (P. Vaněk, M. Brezina, J. Mandel, Numer. Math. 88, 2001, algorithm 2.1).
 *
 * @param matrix T, with a row for each unknown and a column for each vector and aggregate
 * @param coarse the near null space of the next level
 */
record TentativeProlongator(CsrMatrix matrix, NearNullSpace coarse) {
    /** A vector that is left with less than this share of its length depends on those before it. */
    private static final double DEPENDENT = 1e-10;
    private static final int AGGREGATES_PER_TASK = 64;
    private static final int NODES_PER_TASK = 1 << 13;

    /**
     * Orthogonalises the near null space aggregate by aggregate, on several threads. Exact zeros are no entries: a
     * vector that depends on others within an aggregate leaves an empty column.
     *
     * @param aggregates the aggregates of the nodes
     * @param fine       the near null space, of as many nodes
     * @param precision  the type of the values
     * @return the prolongator and the near null space of the next level
     */
    static TentativeProlongator of(Aggregates aggregates, NearNullSpace fine, Precision precision) {
        int count = fine.count();
        int block = fine.blockSize();
        if (count == 1 && block == 1) {
            return ofOneVector(aggregates, fine, precision);
        }
        double[] q = new double[Math.multiplyExact(fine.rows(), count)];
        double[][] coarse = new double[count][Math.multiplyExact(aggregates.count(), count)];
        Aggregates.Members members = aggregates.members();
        ParallelRanges.run(aggregates.count(), AGGREGATES_PER_TASK, (from, to) -> {
            for (int aggregate = from; aggregate < to; aggregate++) {
                int[] rows = rows(members, aggregate, block);
                for (int row : rows) {
                    for (int v = 0; v < count; v++) {
                        q[row * count + v] = fine.get(v, row);
                    }
                }
                orthogonalise(q, rows, count, coarse, aggregate * count);
            }
        });
        return new TentativeProlongator(matrix(aggregates, q, count, block, precision),
                new NearNullSpace(aggregates.count() * count, count, coarse));
    }

    /** The same for one vector and nodes of one unknown: each aggregate's part of it, divided by its length. */
    private static TentativeProlongator ofOneVector(Aggregates aggregates, NearNullSpace fine, Precision precision) {
        double[] lengths = new double[aggregates.count()];
        for (int node = 0; node < aggregates.nodes(); node++) {
            if (aggregates.of(node) != Aggregates.NONE) {
                lengths[aggregates.of(node)] += fine.get(0, node) * fine.get(0, node);
            }
        }
        for (int aggregate = 0; aggregate < lengths.length; aggregate++) {
            double length = Math.sqrt(lengths[aggregate]);
            // One that is not finite would be no factor of anything.
            lengths[aggregate] = Double.isFinite(length) ? length : 0;
        }
        int[] rowLengths = new int[aggregates.nodes()];
        ParallelRanges.run(rowLengths.length, NODES_PER_TASK, (from, to) -> {
            for (int node = from; node < to; node++) {
                rowLengths[node] = share(aggregates, fine, lengths, node) == 0 ? 0 : 1;
            }
        });
        CsrMatrix matrix = CsrFill.fill(aggregates.count(), precision, rowLengths,
                () -> (node, columns, values, at) -> {
                    columns[at] = aggregates.of(node);
                    values.set(at, share(aggregates, fine, lengths, node));
                });
        return new TentativeProlongator(matrix, new NearNullSpace(lengths.length, 1, new double[][]{lengths}));
    }

    private static double share(Aggregates aggregates, NearNullSpace fine, double[] lengths, int node) {
        int aggregate = aggregates.of(node);
        return aggregate == Aggregates.NONE || lengths[aggregate] == 0 ? 0 : fine.get(0, node) / lengths[aggregate];
    }

    private static int[] rows(Aggregates.Members members, int aggregate, int block) {
        int first = members.offsets()[aggregate];
        int[] rows = new int[(members.offsets()[aggregate + 1] - first) * block];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = members.nodes()[first + i / block] * block + i % block;
        }
        return rows;
    }

    /** Modified Gram-Schmidt on the given rows; the triangular factor goes into the next level's vectors. */
    private static void orthogonalise(double[] q, int[] rows, int count, double[][] coarse, int base) {
        for (int v = 0; v < count; v++) {
            double before = dot(q, rows, count, v, v);
            for (int u = 0; u < v; u++) {
                double along = dot(q, rows, count, u, v);
                for (int row : rows) {
                    q[row * count + v] -= along * q[row * count + u];
                }
                coarse[v][base + u] = along;
            }
            double left = Math.sqrt(dot(q, rows, count, v, v));
            boolean independent = left > DEPENDENT * Math.sqrt(before);
            for (int row : rows) {
                q[row * count + v] = independent ? q[row * count + v] / left : 0;
            }
            coarse[v][base + v] = independent ? left : 0;
        }
    }

    private static double dot(double[] q, int[] rows, int count, int u, int v) {
        double sum = 0;
        for (int row : rows) {
            sum += q[row * count + u] * q[row * count + v];
        }
        return sum;
    }

    private static CsrMatrix matrix(Aggregates aggregates, double[] q, int count, int block, Precision precision) {
        int[] lengths = new int[aggregates.nodes() * block];
        Arrays.setAll(lengths, row -> {
            int length = 0;
            for (int v = 0; v < count && aggregates.of(row / block) != Aggregates.NONE; v++) {
                length += q[row * count + v] == 0 ? 0 : 1;
            }
            return length;
        });
        return CsrFill.fill(aggregates.count() * count, precision, lengths, () -> (row, columns, values, at) -> {
            int to = at;
            for (int v = 0; v < count; v++) {
                if (q[row * count + v] != 0) {
                    columns[to] = aggregates.of(row / block) * count + v;
                    values.set(to++, q[row * count + v]);
                }
            }
        });
    }
}
