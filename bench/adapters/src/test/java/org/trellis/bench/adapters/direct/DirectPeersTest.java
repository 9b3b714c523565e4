package org.trellis.bench.adapters.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.bench.direct.DirectFactors;
import org.trellis.bench.direct.DirectPeer;
import org.trellis.solve.direct.Refinement;
import org.trellis.sparse.CsrMatrix;

/** Each library that is installed factorises, refactorises and solves. */
final class DirectPeersTest {
    private static CsrMatrix tridiagonal(int n) {
        int[] offsets = new int[n + 1];
        int[] columns = new int[3 * n];
        double[] values = new double[3 * n];
        int count = 0;
        for (int i = 0; i < n; i++) {
            for (int j = Math.max(0, i - 1); j <= Math.min(n - 1, i + 1); j++) {
                columns[count] = j;
                values[count++] = i == j ? 4 : -1;
            }
            offsets[i + 1] = count;
        }
        return CsrMatrix.of(n, n, offsets, Arrays.copyOf(columns, count), Arrays.copyOf(values, count));
    }

    @Test
    void allSolve() {
        CsrMatrix matrix = tridiagonal(40);
        CsrMatrix other = matrix.scaled(2);
        assertEquals(List.of("cholmod", "ejml", "ejml-cholesky", "klu", "superlu", "umfpack"),
                DirectPeer.all().stream().map(DirectPeer::name).toList());
        for (DirectPeer peer : DirectPeer.all()) {
            if (!peer.probe().available()) {
                assertTrue(peer.probe().reason().contains("is not installed"), peer.probe()::reason);
                continue;
            }
            try (DirectFactors factors = peer.open(matrix)) {
                factors.analyse();
                factors.factorise();
                factors.analyse();
                factors.factorise();
                solve(factors, matrix);
                DirectFactors.Size size = factors.size();
                assertTrue(size.nonZeros() >= 79 && size.nonZeros() <= 250, peer.name() + ": " + size);
                factors.take(other);
                if (!factors.refactorise()) {
                    factors.factorise();
                }
                solve(factors, other);
            }
        }
    }

    private static void solve(DirectFactors factors, CsrMatrix matrix) {
        double[] b = new double[matrix.rows()];
        Arrays.setAll(b, i -> 1 + i % 3);
        double[] x = b.clone();
        factors.solve(x);
        assertTrue(Refinement.backwardError(matrix, b, x) < 1e-15, factors.solver());
    }

    @Test
    void ejmlSolvesLeastSquares() {
        CsrMatrix tall = tridiagonal(40).submatrix(0, 40, 0, 30);
        double[] x = new double[40];
        tall.forEachEntry((i, j, value) -> x[i] += value);
        try (DirectFactors factors = new EjmlDirectPeer().openLeastSquares(tall).orElseThrow()) {
            factors.analyse();
            factors.factorise();
            factors.solve(x);
            for (int j = 0; j < 30; j++) {
                assertEquals(1, x[j], 1e-13);
            }
            assertTrue(factors.size().nonZeros() >= 59, factors.size().toString());
        }
        assertTrue(new EjmlDirectPeer().openLeastSquares(tall.transpose()).isEmpty());
        assertTrue(new KluPeer().openLeastSquares(tall).isEmpty());
    }

    @Test
    void cholmodNeedsSymmetry() {
        CsrMatrix upper = tridiagonal(3).filter((i, j, value) -> j >= i);
        assertTrue(new CholmodPeer().objection(upper, false).isPresent());
        assertFalse(new KluPeer().objection(upper, false).isPresent());
        assertThrows(IllegalArgumentException.class, () -> DirectPeer.named("pardiso"));
    }
}
