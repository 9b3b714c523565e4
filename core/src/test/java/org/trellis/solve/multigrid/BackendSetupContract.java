package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** A hierarchy that a backend sets up has the bits of the one that the host sets up. */
public abstract class BackendSetupContract {
    private static final CoarseningOptions SMOOTHED =
            CoarseningOptions.of(Coarsening.SMOOTHED_AGGREGATION).parallel(true).limits(10, 25);

    /**
     * Opens the backend under test.
     *
     * @return a backend that the test closes
     */
    @MustBeClosed
    protected abstract Backend openBackend();

    /**
     * Says whether kernels take long, so that a part of the cases has to do.
     *
     * @return false unless overridden
     */
    protected boolean isSlow() {
        return false;
    }

    private static void assertSame(String what, CsrMatrix expected, CsrMatrix found) {
        found.requireValid();
        assertTrue(expected.sameAs(found), () -> what + ", seed " + TestSeed.value() + ": expected\n"
                + expected.toText() + "found\n" + found.toText());
    }

    private static void assertSame(String context, Hierarchy expected, Hierarchy found) {
        assertEquals(expected.strength(), found.strength(), context);
        assertEquals(expected.remarks(), found.remarks(), context);
        for (int l = 0; l < Math.min(expected.size(), found.size()); l++) {
            String level = context + ", level " + l;
            int at = l;
            assertSame(level, expected.level(l).matrix(), found.level(l).matrix());
            expected.aggregates(l).ifPresent(of -> assertArrayEquals(of, found.aggregates(at).orElseThrow(), level));
            assertEquals(expected.radius(l), found.radius(l), level);
            expected.level(l).prolongation().ifPresent(p -> {
                assertSame(level + ", P", p, found.level(at).prolongation().orElseThrow());
                assertSame(level + ", R", expected.level(at).restriction().orElseThrow(),
                        found.level(at).restriction().orElseThrow());
            });
        }
        assertEquals(expected.size(), found.size(), context);
    }

    /** Compares a set-up and a refresh. */
    private void compare(String name, CsrMatrix matrix, NearNullSpace space, CoarseningOptions options) {
        try (Backend backend = openBackend();
                DeviceSetup setup = new DeviceSetup(options, backend, matrix.precision())) {
            Hierarchy host = Hierarchy.of(matrix, space, options);
            Hierarchy there = setup.run(matrix, space);
            assertSame(name, host, there);
            if (isSlow() && !name.startsWith("square")) {
                there.closeLevels();
                return;
            }
            CsrMatrix other = matrix.mapValues((row, column, value) -> row == column ? 1.5 * value : 0.9 * value);
            Hierarchy refreshed = there.refreshed(other);
            assertSame(name + ", refreshed", host.refreshed(other), refreshed);
            refreshed.closeLevels();
            there.closeLevels();
        }
    }

    @Test
    void poisson() {
        for (Precision precision : Precision.values()) {
            if (!isSlow() || precision == Precision.F64) {
                compare("square, " + precision, Grids.square(13).toPrecision(precision), null, SMOOTHED);
            }
        }
        compare("cube", Grids.cube(5), null, SMOOTHED.theta(0.05));
    }

    @Test
    void plainAggregation() {
        compare("plain", Grids.square(12), null,
                CoarseningOptions.of(Coarsening.AGGREGATION).parallel(true).limits(20, 3));
    }

    /** Couplings along one direction only are strong, and one-sided ones where a coefficient jumps. */
    @Test
    void signedStrength() {
        CsrMatrix square = Grids.square(12);
        compare("anisotropic", square.mapValues((row, column, value) -> row == column
                ? 2.002
                : Math.abs(row - column) == 1 ? -0.001 : -1), null, SMOOTHED);
        UnaryOperator<CsrMatrix> jump = a -> a.mapValues((row, column, value) -> {
            double size = Math.max(row % 12, column % 12) < 6 ? 1e6 : 1;
            return row == column ? 4 * (row % 12 < 7 ? 1e6 : 1) : -size;
        });
        compare("jump", jump.apply(square), null, SMOOTHED);
    }

    /** A vector with zeros leaves columns empty, and a pattern that is not symmetric is made so. */
    @Test
    void givenVectorsAndUnsymmetricMatrices() {
        SplittableRandom random = TestSeed.random("givenVectorsAndUnsymmetricMatrices");
        double[] vector = random.doubles(169, 0.5, 2).toArray();
        Arrays.fill(vector, 0, 50, 0);
        compare("vector", Grids.square(13), NearNullSpace.given(1, vector), SMOOTHED);
        CsrMatrix unsymmetric = AwkwardMatrices.random(150, 150, row -> 1 + row % 3, Precision.F64, random)
                .plus(CsrMatrix.identity(150, Precision.F64).scaled(4));
        compare("unsymmetric", unsymmetric, null, SMOOTHED);
    }

    @Test
    void tinyAndRefused() {
        compare("diagonal", CsrMatrix.identity(30, Precision.F64), null, SMOOTHED);
        compare("one row", CsrMatrix.identity(1, Precision.F64), null, SMOOTHED);
        try (Backend backend = openBackend(); DeviceSetup setup = new DeviceSetup(SMOOTHED, backend, Precision.F64)) {
            CsrMatrix infinite = CsrMatrix.identity(3, Precision.F64)
                    .mapValues((row, column, value) -> row == 1 ? Double.NaN : value);
            assertTrue(assertThrows(IllegalArgumentException.class, () -> setup.run(infinite, null)).getMessage()
                    .contains("row 1"));
        }
    }
}
