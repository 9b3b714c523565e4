package org.trellis.solve.smooth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** Preconditioners by name: small ones by hand, and what is refused. */
class PreconditionersTest {
    private static final CsrMatrix CHAIN =
            of(new double[]{2, -1, 0}, new double[]{-1, 2, -1}, new double[]{0, -1, 2});

    private final Backend backend = Backends.open("reference", Configuration.load());

    @AfterEach
    void close() {
        backend.close();
    }

    private static CsrMatrix of(double[]... rows) {
        return DenseBlocks.fromRows(rows, Precision.F64);
    }

    private double[] applied(String name, CsrMatrix matrix, Map<String, String> options, double... r) {
        try (Preconditioner preconditioner = Preconditioners.of(name, matrix, backend, options).orElseThrow()) {
            HostVector z = HostVector.zeros(Precision.F64, r.length);
            preconditioner.apply(HostVector.of(r), z);
            return z.doubles();
        }
    }

    @Test
    void byHand() {
        double[] unit = {1, 0, 0};
        assertArrayEquals(new double[]{21 / 32.0, 5 / 16.0, 1 / 8.0},
                applied("ssor", CHAIN, Map.of("order", "natural"), unit), 1e-15);
        // The first and the last row have one colour.
        assertArrayEquals(new double[]{5 / 8.0, 1 / 4.0, 1 / 8.0}, applied("ssor", CHAIN, Map.of(), unit), 1e-15);
        assertArrayEquals(new double[]{1 / 2.0, 1 / 4.0, 1 / 8.0},
                applied("gauss-seidel", CHAIN, Map.of("order", "natural", "direction", "forward"), unit), 1e-15);
        assertArrayEquals(new double[]{1 / 2.0, 0, 0},
                applied("gauss-seidel", CHAIN, Map.of("order", "natural", "direction", "backward"), unit), 1e-15);
        // A chain has no fill, so that incomplete factors are complete.
        for (String name : List.of("ic0", "ilu0")) {
            assertArrayEquals(new double[]{3 / 4.0, 1 / 2.0, 1 / 4.0}, applied(name, CHAIN, Map.of(), unit), 1e-15);
        }
        assertArrayEquals(new double[]{2 / 3.0, 1 / 3.0, 0},
                applied("block-jacobi", CHAIN, Map.of("block-sizes", "2,1"), unit), 1e-15);
        // The block of rows 0 and 1 gives (2/3, 1/3), the last row then a sixth, and the block a ninth of that back.
        assertArrayEquals(new double[]{13 / 18.0, 4 / 9.0, 1 / 6.0}, applied("block-gauss-seidel", CHAIN,
                Map.of("block-sizes", "2,1", "order", "natural"), unit), 1e-15);
        assertArrayEquals(new double[]{1 / 3.0, 0, 0}, applied("l1-jacobi", CHAIN, Map.of(), unit), 1e-15);
        assertArrayEquals(new double[]{2 / 5.0, 0, 0}, applied("spai0", CHAIN, Map.of(), unit), 1e-15);
        // One step of Jacobi, then another: 1/2, and D⁻¹ (r − A z) = (0, 1/4, 0) on top.
        assertArrayEquals(new double[]{1 / 2.0, 1 / 4.0, 0}, applied("polynomial", CHAIN, Map.of("degree", "1"), unit),
                1e-15);
    }

    @Test
    void noneIsEmpty() {
        assertEquals(Optional.empty(), Preconditioners.of("none", CHAIN, backend, Map.of()));
        assertThrows(IllegalArgumentException.class,
                () -> Preconditioners.of("none", CHAIN, backend, Map.of("omega", "1")));
        assertThrows(IllegalArgumentException.class,
                () -> Preconditioners.smoother("none", CHAIN, null, backend, Map.of()));
    }

    private void refused(String part, String name, CsrMatrix matrix, Map<String, String> options) {
        RuntimeException thrown = assertThrows(RuntimeException.class,
                () -> Preconditioners.of(name, matrix, backend, options), name + options);
        assertTrue(thrown instanceof IllegalArgumentException || thrown instanceof FactorisationException,
                thrown.toString());
        assertTrue(thrown.getMessage().contains(part), thrown.getMessage());
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        refused("expected one of [none, jacobi", "jakobi", CHAIN, Map.of());
        refused("no option 'degree', expected one of [omega, sweeps]", "jacobi", CHAIN, Map.of("degree", "2"));
        refused("option omega is '2'", "ssor", CHAIN, Map.of("omega", "2"));
        refused("option omega is 'NaN'", "ssor", CHAIN, Map.of("omega", "NaN"));
        refused("option omega is 'much'", "ssor", CHAIN, Map.of("omega", "much"));
        refused("option order is 'red-black'", "ssor", CHAIN, Map.of("order", "red-black"));
        refused("option sweeps is '0'", "ssor", CHAIN, Map.of("sweeps", "0"));
        refused("option degree is 'three'", "chebyshev", CHAIN, Map.of("degree", "three"));
        refused("option kind is '2'", "chebyshev", CHAIN, Map.of("kind", "2"));
        refused("add up to the 3 rows", "block-jacobi", CHAIN, Map.of("block-sizes", "2,2"));
        refused("at least 1", "block-jacobi", CHAIN, Map.of("block-sizes", "3,0"));
        refused("option block-size is '0'", "block-gauss-seidel", CHAIN, Map.of("block-size", "0"));
        refused("separated by commas", "block-jacobi", CHAIN, Map.of("block-sizes", "3;0"));
        refused("square", "jacobi", of(new double[]{1, 2}), Map.of());
        for (String name : Preconditioners.names()) {
            assertFalse(Preconditioners.optionsOf(name) == null);
        }
    }

    @Test
    void refusesMatricesThatItCannotUse() {
        CsrMatrix missing = of(new double[]{2, 1, 0}, new double[]{1, 0, 1}, new double[]{0, 1, 2});
        for (String name : List.of("jacobi", "chebyshev", "gauss-seidel", "sor", "ssor", "hybrid-gauss-seidel",
                "polynomial", "spai0")) {
            refused("row 1 is ", name, missing, Map.of("sweeps", "1"));
        }
        for (String name : List.of("ic0", "ilu0")) {
            refused("pivot of row 1", name, missing, Map.of());
        }
        refused("row 1 has the pivot", "fsai", missing, Map.of());
        for (String name : List.of("block-jacobi", "block-gauss-seidel")) {
            refused("the block of rows 1 to 1 is singular", name, missing, Map.of("block-size", "1"));
        }
        CsrMatrix unsymmetric = of(new double[]{2, 1, 0}, new double[]{0, 2, 1}, new double[]{0, 1, 2});
        for (String name : List.of("ic0", "fsai", "chebyshev")) {
            refused("row 0 has an entry that differs from its mirror image", name, unsymmetric, Map.of());
        }
        CsrMatrix infinite = of(new double[]{2, Double.NaN, 0}, new double[]{0, 2, 1}, new double[]{0, 1, 2});
        for (String name : Preconditioners.names()) {
            if (!name.equals("none")) {
                refused("entry (0, 1) is NaN", name, infinite, Map.of());
            }
        }
    }

    @Test
    void breakdownsNameRowAndPivotAndAShiftHelps() {
        CsrMatrix indefinite = of(new double[]{1, 2}, new double[]{2, 1});
        FactorisationException thrown = assertThrows(FactorisationException.class,
                () -> Preconditioners.of("ic0", indefinite, backend, Map.of()));
        assertEquals(1, thrown.row());
        assertEquals(-3, thrown.pivot());
        assertTrue(thrown.getMessage().contains("a greater shift"), thrown.getMessage());
        // (3 2; 2 3) is positive definite: its inverse is (3 -2; -2 3) / 5.
        assertArrayEquals(new double[]{3 / 5.0, -2 / 5.0},
                applied("ic0", indefinite, Map.of("shift", "2"), 1, 0), 1e-15);
        CsrMatrix zero = of(new double[]{1, 2}, new double[]{2, 4});
        assertEquals(0, assertThrows(FactorisationException.class,
                () -> Preconditioners.of("ilu0", zero, backend, Map.of())).pivot());
    }

    @Test
    void boundsOfChebyshevAreEstimated() {
        CsrMatrix grid = SmootherContract.grid(40, 40, Precision.F64);
        try (Smoother smoother = Preconditioners.smoother("chebyshev", grid, null, backend, Map.of())) {
            String text = smoother.describe();
            double largest = Double.parseDouble(text.replaceAll(".*lambda-max=([^,]*),.*", "$1"));
            // D⁻¹A has its largest eigenvalue a little below 2, which the sums of rows bound.
            assertTrue(largest > 1.85 && largest <= 2, text);
        }
    }

    @Test
    void aGivenProductIsUsedAndStaysOpen() {
        try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(CHAIN)) {
            Smoother smoother = Preconditioners.smoother("jacobi", CHAIN, product, backend, Map.of("sweeps", "2"));
            HostVector z = HostVector.zeros(Precision.F64, 3);
            smoother.apply(HostVector.of(1.0, 0, 0), z);
            smoother.close();
            assertArrayEquals(new double[]{1 / 2.0, 1 / 4.0, 0}, z.doubles(), 1e-15);
            product.multiply(HostVector.of(1.0, 0, 0), z);
            assertArrayEquals(new double[]{2, -1, 0}, z.doubles());
        }
    }

    @Test
    void onlyASingleDiagonalSweepIsADiagonal() {
        try (Preconditioner one = Preconditioners.of("jacobi", CHAIN, backend, Map.of()).orElseThrow();
                Preconditioner two =
                        Preconditioners.of("jacobi", CHAIN, backend, Map.of("sweeps", "2")).orElseThrow()) {
            assertTrue(one.inverseDiagonal().isPresent());
            assertTrue(two.inverseDiagonal().isEmpty());
        }
    }

    @Test
    void saysWhichShiftsThereAre() {
        CsrMatrix identity = CsrMatrix.identity(2, Precision.F64);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> Preconditioners.of("ic0", identity, backend, Map.of("shift", "-1")));
        assertTrue(refused.getMessage().contains("expected a number of at least 0.0 and below"), refused.getMessage());
    }
}
