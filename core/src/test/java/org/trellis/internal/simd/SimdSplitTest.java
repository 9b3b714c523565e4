package org.trellis.internal.simd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.SplitProduct;
import org.trellis.solve.smooth.SmootherKernels;
import org.trellis.solve.smooth.SplitRows;
import org.trellis.solve.smooth.StagedRows;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.TestSeed;

/** The sweeps of Eisenstat's product by vectors, beside those of the reference. */
class SimdSplitTest {
    /** Stages whose rows are no multiple of a vector, an empty one among them, and one of several units. */
    private static final int[] STAGES = {0, 701, 701, 1002, 3401, 3700};

    /** Triangles whose rows have entries in earlier stages: consecutive from row to row, or the other way round. */
    private static SplitRows rows(Precision precision, int least, int most, SplittableRandom random) {
        int size = STAGES[STAGES.length - 1];
        CsrBuilder builder = new CsrBuilder(size, precision, (long) most * size);
        for (int stage = 0; stage + 1 < STAGES.length; stage++) {
            for (int row = STAGES[stage]; row < STAGES[stage + 1]; row++) {
                TreeSet<Integer> columns = new TreeSet<>();
                int before = STAGES[stage];
                int wanted = before == 0 ? 0 : random.nextInt(least, most + 1);
                for (int k = 0; k < wanted; k++) {
                    int column = (row - before + k) % before;
                    columns.add(stage == 3 ? before - 1 - column : column);
                }
                columns.forEach(column -> builder.add(column, random.nextDouble(-0.2, 0.2)));
                builder.endRow();
            }
        }
        CsrMatrix lower = builder.build();
        HostVector middle = HostVector.of(precision, size, i -> random.nextDouble(-1, 1));
        HostVector weights = HostVector.of(precision, size, i -> random.nextDouble(1, 2));
        return new SplitRows(lower, lower.transpose(), SplitRows.Diagonal.of(middle), SplitRows.Diagonal.of(weights),
                STAGES, StagedRows.Schedule.STAGES);
    }

    /** Directions, product, sums and the residual that begins. */
    private static double[][] run(String name, int threads, SplitRows rows, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Precision precision = rows.lower().precision();
        int size = rows.lower().rows();
        HostVector r = HostVector.of(precision, size, i -> random.nextDouble(-1, 1));
        HostVector hat = HostVector.of(precision, size, i -> random.nextDouble(-1, 1));
        HostVector p = HostVector.zeros(precision, size).fill(Double.NaN);
        HostVector y = HostVector.zeros(precision, size).fill(Double.NaN);
        HostVector scalars = HostVector.of(0.5, 4, 0, 0);
        try (Backend backend = Backends.open(name, Configuration.builder().set(ConfigurationKeys.THREADS, threads)
                .build());
                SmootherKernels.PreparedSplit split =
                        backend.kernels(SmootherKernels.class).prepareSplit(rows).orElseThrow()) {
            HostVector begun = r.copy();
            List<PreparedStep> steps = List.of(split.bindResidual(begun),
                    split.bindDirection(new SplitProduct.Coefficients(scalars, 0, 1), r, hat, p),
                    split.bindProduct(new SplitProduct.Sums(scalars, 2, 3), hat, p, r, y));
            steps.forEach(PreparedStep::run);
            return new double[][]{begun.toDoubleArray(), hat.toDoubleArray(), p.toDoubleArray(), y.toDoubleArray(),
                scalars.toDoubleArray()};
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void sweepsAsTheReferenceDoes(Precision precision) {
        SplittableRandom random = TestSeed.random("simdSplit" + precision);
        SplitRows rows = rows(precision, 5, 5, random);
        assertNotNull(SimdSplit.of(rows));
        long seed = random.nextLong();
        double[][] expected = run("reference", 1, rows, seed);
        double[][] first = run("simd", 1, rows, seed);
        String context = precision + ", seed " + TestSeed.value();
        for (int i = 0; i < expected.length; i++) {
            double largest = Arrays.stream(expected[i]).map(Math::abs).max().orElseThrow();
            assertArrayEquals(expected[i], first[i], 400 * precision.unitRoundoff() * largest, context + ", " + i);
        }
        for (int threads = 2; threads <= 3; threads++) {
            double[][] again = run("simd", threads, rows, seed);
            for (int i = 0; i < expected.length; i++) {
                assertArrayEquals(first[i], again[i], context + ", " + i + " on " + threads + " threads");
            }
        }
    }

    @Test
    void rowsOfVeryDifferentLengthsAreLeftToOtherLoops() {
        SplittableRandom random = TestSeed.random("simdSplitUneven");
        SplitRows rows = rows(Precision.F64, 0, 9, random);
        assertNull(SimdSplit.of(rows));
        long seed = random.nextLong();
        double[][] expected = run("reference", 1, rows, seed);
        double[][] found = run("simd", 2, rows, seed);
        for (int i = 0; i < expected.length; i++) {
            assertArrayEquals(expected[i], found[i], 1e-11 * expected[i].length, "seed " + TestSeed.value());
        }
    }

    @Test
    void consecutiveColumnsAreStoredOnce() {
        int lanes = DoubleLanes.COUNT;
        CsrBuilder builder = new CsrBuilder(4 * lanes, Precision.F64, 8L * lanes);
        for (int row = 0; row < 4 * lanes; row++) {
            if (row >= 2 * lanes) {
                builder.add(row < 3 * lanes ? row - 2 * lanes : 4 * lanes - 1 - row, row);
            }
            builder.endRow();
        }
        DoubleStagedLanes chunks = DoubleStagedLanes.of(builder.build(), 0, 2 * lanes, 4 * lanes);
        assertEquals(List.of(0, 0, 1, 1), List.of(chunks.width(0), chunks.width(1), chunks.width(2), chunks.width(3)));
        assertEquals(1 + lanes, chunks.columns().length);
        assertEquals(lanes - 1, chunks.column(2, 0, lanes - 1));
        assertEquals(0, chunks.column(3, 0, lanes - 1));
        assertEquals(2 * lanes + 1.0, chunks.values()[1]);
    }

    @Test
    void valuesThatComeAgainAreStoredOnce() {
        int lanes = DoubleLanes.COUNT;
        CsrBuilder builder = new CsrBuilder(6 * lanes, Precision.F64, 8L * lanes);
        for (int row = 0; row < 6 * lanes; row++) {
            if (row >= 2 * lanes) {
                builder.add(row - 2 * lanes, row / lanes == 4 ? 0.5 : 0.25);
            }
            builder.endRow();
        }
        DoubleStagedLanes chunks = DoubleStagedLanes.of(builder.build(), 0, 2 * lanes, 4 * lanes, 6 * lanes);
        assertEquals(2 * lanes, chunks.values().length);
        assertEquals(List.of(0, 0, lanes, 0), List.of(chunks.starts()[2], chunks.starts()[3], chunks.starts()[4],
                chunks.starts()[5]));
        assertEquals(List.of(0.25, 0.5), List.of(chunks.values()[lanes - 1], chunks.values()[lanes]));
    }

    /** As at the sides of a grid, by levels: a row without one of the entries that its neighbours have in line. */
    @Test
    void shorterRowsAreKeptInLine() {
        int lanes = DoubleLanes.COUNT;
        int stage = lanes + 2;
        CsrBuilder builder = new CsrBuilder(stage + lanes, Precision.F64, 2L * lanes);
        for (int row = 0; row < stage + lanes; row++) {
            int lane = row - stage;
            if (lane >= 0 && lane != 2) {
                builder.add(lane, 1);
            }
            if (lane >= 0 && lane != lanes - 1) {
                builder.add(lane + 2, 2);
            }
            builder.endRow();
        }
        DoubleStagedLanes chunks = DoubleStagedLanes.of(builder.build(), 0, stage, stage + lanes);
        int chunk = chunks.chunkOf(1, stage);
        assertEquals(List.of(0, 2), List.of(chunks.columns()[0], chunks.columns()[1]));
        assertEquals(2, chunks.columns().length);
        assertEquals(List.of(0.0, 1.0, 2.0, 0.0), List.of(chunks.values()[chunks.starts()[chunk] + 2],
                chunks.values()[chunks.starts()[chunk] + lanes - 1], chunks.values()[chunks.starts()[chunk] + lanes],
                chunks.values()[chunks.starts()[chunk] + 2 * lanes - 1]));
    }
}
