package org.trellis.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.trellis.common.Precision;
import org.trellis.mesh.partition.Partition;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

/**
 * A square matrix and the rank of each of its rows, of a kind that is hard on distributed products.
 *
 * @param name      what is hard about it
 * @param matrix    the matrix, with a diagonal that dominates
 * @param partition the ranks
 */
public record PartitionedCase(String name, CsrMatrix matrix, Partition partition) {
    /** How the columns of a row are drawn. */
    private interface Rows {
        void draw(int row, int size, Set<Integer> columns, SplittableRandom random);
    }

    /**
     * Returns all kinds for a number of ranks.
     *
     * @param ranks     the number of parts
     * @param precision the type of the values
     * @return the cases
     */
    public static List<PartitionedCase> all(int ranks, Precision precision) {
        SplittableRandom random = TestSeed.random("partitioned cases " + ranks + precision);
        List<PartitionedCase> cases = new ArrayList<>();
        int[][] parts = {randomParts(97, ranks, random), blocks(101, ranks), manyEmpty(60, ranks),
            blocks(ranks, ranks)};
        String[] partNames = {"random parts", "blocks", "empty ranks", "one row a rank"};
        Rows[] kinds = {PartitionedCase::unsymmetric, PartitionedCase::isolated, PartitionedCase::denseRows,
            PartitionedCase::disconnected, PartitionedCase::stencil};
        String[] kindNames = {"unsymmetric", "isolated rows", "dense rows", "disconnected", "stencil"};
        for (int k = 0; k < kinds.length; k++) {
            for (int p = 0; p < parts.length; p++) {
                cases.add(new PartitionedCase(kindNames[k] + ", " + partNames[p] + ", " + ranks + " ranks, "
                        + precision.label() + ", seed " + TestSeed.value(),
                        matrix(parts[p].length, kinds[k], precision, random), new Partition(parts[p], ranks)));
            }
        }
        return cases;
    }

    private static CsrMatrix matrix(int size, Rows rows, Precision precision, SplittableRandom random) {
        CsrBuilder builder = new CsrBuilder(size, precision, 0);
        for (int row = 0; row < size; row++) {
            TreeSet<Integer> columns = new TreeSet<>();
            rows.draw(row, size, columns, random);
            columns.add(row);
            for (int column : columns) {
                double value = random.nextDouble(-1, 1) / columns.size();
                builder.add(column, column == row ? 1 + random.nextDouble() : value);
            }
            builder.endRow();
        }
        return builder.build();
    }

    private static void unsymmetric(int row, int size, Set<Integer> columns, SplittableRandom random) {
        for (int k = random.nextInt(7); k > 0; k--) {
            columns.add(random.nextInt(size));
        }
    }

    private static void isolated(int row, int size, Set<Integer> columns, SplittableRandom random) {
        if (row % 3 == 0) {
            columns.add((row + 3) % size);
        }
    }

    private static void denseRows(int row, int size, Set<Integer> columns, SplittableRandom random) {
        for (int column = 0; column < size && row % 40 == 7; column++) {
            columns.add(column);
        }
        columns.add(random.nextInt(size));
    }

    /** Even and odd rows have nothing to do with one another. */
    private static void disconnected(int row, int size, Set<Integer> columns, SplittableRandom random) {
        for (int k = 0; k < 3; k++) {
            int column = random.nextInt(size);
            if (column % 2 == row % 2) {
                columns.add(column);
            }
        }
    }

    private static void stencil(int row, int size, Set<Integer> columns, SplittableRandom random) {
        for (int step : new int[]{-10, -1, 1, 10}) {
            if (row + step >= 0 && row + step < size) {
                columns.add(row + step);
            }
        }
    }

    private static int[] randomParts(int size, int ranks, SplittableRandom random) {
        return random.ints(size, 0, ranks).toArray();
    }

    private static int[] blocks(int size, int ranks) {
        int[] parts = new int[size];
        for (int i = 0; i < size; i++) {
            parts[i] = (int) ((long) i * ranks / size);
        }
        return parts;
    }

    /** Every second rank has nothing. */
    private static int[] manyEmpty(int size, int ranks) {
        int[] parts = blocks(size, (ranks + 1) / 2);
        for (int i = 0; i < size; i++) {
            parts[i] *= 2;
        }
        return parts;
    }

    @Override
    public String toString() {
        return name;
    }
}
