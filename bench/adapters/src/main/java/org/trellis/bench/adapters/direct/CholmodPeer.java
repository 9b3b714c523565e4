package org.trellis.bench.adapters.direct;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.bench.direct.DirectFactors;
import org.trellis.bench.direct.DirectPeer;
import org.trellis.sparse.CsrMatrix;

/** CHOLMOD with its default parameters, for symmetric matrices; its kernels are those of the BLAS that it finds. */
public final class CholmodPeer implements DirectPeer {
    private static final String FILE = "libcholmod.so.3";

    /** Creates the adapter. */
    public CholmodPeer() {}

    @Override
    public String name() {
        return "cholmod";
    }

    @Override
    public Availability probe() {
        return Functions.probe(FILE, "CHOLMOD", "libsuitesparse-dev");
    }

    @Override
    public Optional<String> objection(CsrMatrix matrix, boolean symmetric) {
        return symmetric ? Optional.empty() : Optional.of("the matrix is not symmetric");
    }

    @Override
    @MustBeClosed
    public DirectFactors open(CsrMatrix matrix) {
        return new Cholmod(matrix);
    }

    private static final class Cholmod implements DirectFactors {
        private static final long BYTES_OF_COMMON = 4096;
        private static final long STATUS = 1972;
        private static final long FLOPS = 1976;
        private static final long NON_ZEROS = 1984;
        private static final long PRINT = 144;
        private static final int NOT_DEFINITE = 1;
        private static final long BYTES_OF_SPARSE = 88;
        private static final long BYTES_OF_DENSE = 56;
        private static final long DENSE_VALUES = 32;

        private final Functions cholmod = Functions.load(FILE);
        private final Arena arena = Arena.ofConfined();
        private final Columns columns;
        private final MemorySegment common = arena.allocate(BYTES_OF_COMMON, 8);
        private final MemorySegment sparse = arena.allocate(BYTES_OF_SPARSE, 8);
        private final MemorySegment dense = arena.allocate(BYTES_OF_DENSE, 8);
        private final MemorySegment factor = arena.allocate(ADDRESS);
        private final MemorySegment result = arena.allocate(ADDRESS);
        private final MemorySegment x;

        Cholmod(CsrMatrix matrix) {
            columns = Columns.of(matrix, arena);
            int n = columns.n();
            x = arena.allocate(JAVA_DOUBLE, Math.max(1, n));
            cholmod.number("cholmod_start", "ip", common);
            common.set(JAVA_INT, PRINT, 0);
            sparse.set(JAVA_LONG, 0, n);
            sparse.set(JAVA_LONG, 8, n);
            sparse.set(JAVA_LONG, 16, columns.nonZeros());
            sparse.set(ADDRESS, 24, columns.start());
            sparse.set(ADDRESS, 32, columns.rows());
            sparse.set(ADDRESS, 48, columns.values());
            // The upper triangle of a symmetric matrix of ints and doubles, sorted and packed.
            int[] kinds = {1, 0, 1, 0, 1, 1};
            MemorySegment.copy(kinds, 0, sparse, JAVA_INT, 64, kinds.length);
            dense.set(JAVA_LONG, 0, n);
            dense.set(JAVA_LONG, 8, 1);
            dense.set(JAVA_LONG, 16, n);
            dense.set(JAVA_LONG, 24, n);
            dense.set(ADDRESS, DENSE_VALUES, x);
            dense.set(JAVA_INT, 48, 1);
        }

        @Override
        public String solver() {
            return "cholmod";
        }

        @Override
        public void analyse() {
            free();
            factor.set(ADDRESS, 0, cholmod.pointer("cholmod_analyze", "ppp", sparse, common));
            require();
        }

        @Override
        public void factorise() {
            cholmod.number("cholmod_factorize", "ippp", sparse, factor.get(ADDRESS, 0), common);
            require();
        }

        private void require() {
            int status = common.get(JAVA_INT, STATUS);
            if (status != 0) {
                throw new IllegalStateException("CHOLMOD ends with status " + status
                        + (status == NOT_DEFINITE ? ": the matrix is not positive definite" : ""));
            }
        }

        @Override
        public void take(CsrMatrix values) {
            columns.take(values);
        }

        @Override
        public boolean refactorise() {
            cholmod.number("cholmod_factorize", "ippp", sparse, factor.get(ADDRESS, 0), common);
            return true;
        }

        @Override
        @SuppressWarnings("restricted") // structures of the library
        public void solve(double[] right) {
            MemorySegment.copy(right, 0, x, JAVA_DOUBLE, 0, right.length);
            MemorySegment solved = cholmod.pointer("cholmod_solve", "pippp", 0, factor.get(ADDRESS, 0), dense, common);
            require();
            MemorySegment values = solved.reinterpret(BYTES_OF_DENSE).get(ADDRESS, DENSE_VALUES)
                    .reinterpret((long) right.length * Double.BYTES);
            MemorySegment.copy(values, JAVA_DOUBLE, 0, right, 0, right.length);
            result.set(ADDRESS, 0, solved);
            cholmod.number("cholmod_free_dense", "ipp", result, common);
        }

        @Override
        public Size size() {
            return new Size("amd", "none", (long) common.get(JAVA_DOUBLE, NON_ZEROS), common.get(JAVA_DOUBLE, FLOPS));
        }

        private void free() {
            if (factor.get(ADDRESS, 0).address() != 0) {
                cholmod.number("cholmod_free_factor", "ipp", factor, common);
            }
        }

        @Override
        public void close() {
            free();
            cholmod.number("cholmod_finish", "ip", common);
            arena.close();
        }
    }
}
