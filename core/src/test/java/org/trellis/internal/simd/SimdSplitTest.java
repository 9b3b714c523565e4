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

    /** What of the triangles is constant. */
    private enum Constant {
        NOTHING, MIDDLE, ALL
    }

    /** Triangles whose rows have entries in earlier stages: consecutive from row to row, or the other way round. */
    private static SplitRows rows(Precision precision, Constant constant, int least, int most,
            SplittableRandom random) {
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
                columns.forEach(column -> builder.add(column,
                        constant == Constant.ALL ? -0.1 : random.nextDouble(-0.2, 0.2)));
                builder.endRow();
            }
        }
        CsrMatrix lower = builder.build();
        HostVector middle = HostVector.of(precision, size,
                i -> constant == Constant.NOTHING ? random.nextDouble(-1, 1) : -0.75);
        HostVector weights = HostVector.of(precision, size,
                i -> constant == Constant.ALL ? 1.25 : random.nextDouble(1, 2));
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

    /** With as many entries a row as there are loops for, and some more. */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void sweepsAsTheReferenceDoes(Precision precision) {
        SplittableRandom random = TestSeed.random("simdSplit" + precision);
        for (int width : new int[]{1, 2, 3, 4, 5, 6, 9}) {
            for (Constant constant : Constant.values()) {
                sweepsAsTheReferenceDoes(rows(precision, constant, width, width, random), random,
                        width + " entries, constant " + constant);
            }
        }
    }

    private static void sweepsAsTheReferenceDoes(SplitRows rows, SplittableRandom random, String name) {
        Precision precision = rows.lower().precision();
        assertNotNull(SimdSplit.of(rows), name);
        long seed = random.nextLong();
        double[][] expected = run("reference", 1, rows, seed);
        double[][] first = run("simd", 1, rows, seed);
        String context = precision + ", " + name + ", seed " + TestSeed.value();
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
        SplitRows rows = rows(Precision.F64, Constant.NOTHING, 0, 9, random);
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
        DoubleStagedLanes chunks = DoubleStagedLanes.of(builder.build(), new int[]{0, 2 * lanes, 4 * lanes});
        assertEquals(List.of(0, 0, 1, 1), List.of(chunks.width(0), chunks.width(1), chunks.width(2), chunks.width(3)));
        assertEquals(1 + lanes, chunks.columns().length);
        assertEquals(lanes - 1, chunks.column(2, 0, 3 * lanes - 1, lanes - 1));
        assertEquals(0, chunks.column(3, 0, 4 * lanes - 1, lanes - 1));
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
        DoubleStagedLanes chunks = DoubleStagedLanes.of(builder.build(),
                new int[]{0, 2 * lanes, 4 * lanes, 6 * lanes});
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
        DoubleStagedLanes chunks = DoubleStagedLanes.of(builder.build(), new int[]{0, stage, stage + lanes});
        int chunk = chunks.chunkOf(1, stage);
        assertEquals(List.of(-stage, 2 - stage), List.of(chunks.columns()[0], chunks.columns()[1]));
        assertEquals(2, chunks.columns().length);
        assertEquals(List.of(0.0, 1.0, 2.0, 0.0), List.of(chunks.values()[chunks.starts()[chunk] + 2],
                chunks.values()[chunks.starts()[chunk] + lanes - 1], chunks.values()[chunks.starts()[chunk] + lanes],
                chunks.values()[chunks.starts()[chunk] + 2 * lanes - 1]));
    }

    /** As where a line of a grid ends, by colours: entries of some rows are on one side, of the next on the other. */
    @Test
    void linesThatMeetInAChunkStayInLine() {
        int lanes = DoubleLanes.COUNT;
        int stage = 48 * lanes;
        CsrBuilder builder = new CsrBuilder(2 * stage, Precision.F64, 2L * stage);
        for (int row = 0; row < 2 * stage; row++) {
            int place = row - stage;
            if (place >= 0) {
                int side = place < 20 * lanes + 1 ? 0 : 1;
                builder.add(Math.min(place + side, stage - 2), 0.5);
                builder.add(Math.min(place + side, stage - 2) + 1, 0.25);
            }
            builder.endRow();
        }
        DoubleStagedLanes chunks = DoubleStagedLanes.of(builder.build(), new int[]{0, stage, 2 * stage});
        int first = chunks.chunkOf(1, stage);
        assertEquals(List.of(first + 20, first + 21, first + 47),
                List.of(chunks.end(first), chunks.end(first + 20), chunks.end(first + 21)));
        assertEquals(List.of(true, false, true, false), List.of(chunks.isInLine(first), chunks.isInLine(first + 20),
                chunks.isInLine(first + 21), chunks.isInLine(first + 47)));
        assertEquals(List.of(2, 3, 2), List.of(chunks.width(first), chunks.width(first + 20),
                chunks.width(first + 21)));
        assertEquals(List.of(chunks.place(first), -stage, 1 - stage), List.of(chunks.place(first + 19),
                chunks.columns()[chunks.place(first)], chunks.columns()[chunks.place(first + 21)]));
        assertEquals(List.of(0.5, 0.25, 0.0), List.of(chunks.value(first + 20, 0, 0), chunks.value(first + 20, 1, 0),
                chunks.value(first + 20, 2, 0)));
        assertEquals(List.of(0.0, 0.5, 0.25), List.of(chunks.value(first + 20, 0, 1), chunks.value(first + 20, 1, 1),
                chunks.value(first + 20, 2, 1)));
    }

    @Test
    void diagonalsFollowTheEntries() {
        int lanes = DoubleLanes.COUNT;
        CsrBuilder builder = new CsrBuilder(2 * lanes, Precision.F64, lanes);
        double[] diagonal = new double[2 * lanes];
        for (int row = 0; row < 2 * lanes; row++) {
            if (row >= lanes) {
                builder.add(row - lanes, 0.5);
            }
            builder.endRow();
            diagonal[row] = 1 + row;
        }
        DoubleStagedLanes chunks = DoubleStagedLanes.of(builder.build(), new int[]{0, lanes, 2 * lanes}, diagonal);
        assertEquals(List.of(1.0, (double) lanes, 0.5, lanes + 1.0), List.of(chunks.value(0, 0, 0),
                chunks.value(0, 0, lanes - 1), chunks.value(1, 0, 0), chunks.value(1, 1, 0)));
    }
}
