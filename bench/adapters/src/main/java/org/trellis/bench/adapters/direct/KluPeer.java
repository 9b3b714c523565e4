package org.trellis.bench.adapters.direct;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.trellis.backend.Availability;
import org.trellis.bench.direct.DirectFactors;
import org.trellis.bench.direct.DirectPeer;
import org.trellis.sparse.CsrMatrix;

/** KLU with its default parameters. */
public final class KluPeer implements DirectPeer {
    private static final String FILE = "libklu.so.1";

    /** Creates the adapter. */
    public KluPeer() {}

    @Override
    public String name() {
        return "klu";
    }

    @Override
    public Availability probe() {
        return Functions.probe(FILE, "KLU", "libsuitesparse-dev");
    }

    @Override
    @MustBeClosed
    public DirectFactors open(CsrMatrix matrix) {
        return new Klu(matrix);
    }

    private static final class Klu implements DirectFactors {
        private static final long BYTES_OF_COMMON = 256;
        private static final long FLOPS = 104;
        private static final long STATUS = 76;
        private static final long NUMERIC_LOWER = 8;
        private static final long NUMERIC_UPPER = 12;
        private static final long SYMBOLIC_ABOVE = 72;

        private final Functions klu = Functions.load(FILE);
        private final Arena arena = Arena.ofConfined();
        private final Columns columns;
        private final MemorySegment common = arena.allocate(BYTES_OF_COMMON, 8);
        private final MemorySegment symbolic = arena.allocate(ADDRESS);
        private final MemorySegment numeric = arena.allocate(ADDRESS);
        private final MemorySegment x;
        private MemorySegment several;

        Klu(CsrMatrix matrix) {
            columns = Columns.of(matrix, arena);
            x = arena.allocate(JAVA_DOUBLE, Math.max(1, columns.n()));
            klu.number("klu_defaults", "ip", common);
        }

        @Override
        public String solver() {
            return "klu";
        }

        @Override
        public void analyse() {
            free();
            symbolic.set(ADDRESS, 0, klu.pointer("klu_analyze", "pippp", columns.n(), columns.start(), columns.rows(),
                    common));
            require(symbolic);
        }

        @Override
        public void factorise() {
            freeNumeric();
            numeric.set(ADDRESS, 0, klu.pointer("klu_factor", "pppppp", columns.start(), columns.rows(),
                    columns.values(), symbolic.get(ADDRESS, 0), common));
            require(numeric);
        }

        private void require(MemorySegment pointer) {
            if (pointer.get(ADDRESS, 0).address() == 0) {
                throw new IllegalStateException("KLU ends with status " + common.get(JAVA_INT, STATUS));
            }
        }

        @Override
        public void take(CsrMatrix values) {
            columns.take(values);
        }

        @Override
        public boolean refactorise() {
            klu.number("klu_refactor", "ipppppp", columns.start(), columns.rows(), columns.values(),
                    symbolic.get(ADDRESS, 0), numeric.get(ADDRESS, 0), common);
            return true;
        }

        @Override
        public void solve(double[] right) {
            MemorySegment.copy(right, 0, x, JAVA_DOUBLE, 0, right.length);
            klu.number("klu_solve", "ippiipp", symbolic.get(ADDRESS, 0), numeric.get(ADDRESS, 0), columns.n(), 1, x,
                    common);
            MemorySegment.copy(x, JAVA_DOUBLE, 0, right, 0, right.length);
        }

        @Override
        public void solve(double[] right, int count) {
            if (several == null || several.byteSize() < (long) Double.BYTES * right.length) {
                several = arena.allocate(JAVA_DOUBLE, Math.max(1, right.length));
            }
            MemorySegment.copy(right, 0, several, JAVA_DOUBLE, 0, right.length);
            klu.number("klu_solve", "ippiipp", symbolic.get(ADDRESS, 0), numeric.get(ADDRESS, 0), columns.n(), count,
                    several, common);
            MemorySegment.copy(several, JAVA_DOUBLE, 0, right, 0, right.length);
        }

        @Override
        @SuppressWarnings("restricted") // structures of the library
        public Size size() {
            MemorySegment factors = numeric.get(ADDRESS, 0).reinterpret(BYTES_OF_COMMON);
            MemorySegment analysis = symbolic.get(ADDRESS, 0).reinterpret(BYTES_OF_COMMON);
            long nonZeros = (long) factors.get(JAVA_INT, NUMERIC_LOWER) + factors.get(JAVA_INT, NUMERIC_UPPER)
                    - columns.n() + analysis.get(JAVA_INT, SYMBOLIC_ABOVE);
            klu.number("klu_flops", "ippp", symbolic.get(ADDRESS, 0), numeric.get(ADDRESS, 0), common);
            return new Size("amd", "transversal", nonZeros, common.get(JAVA_DOUBLE, FLOPS));
        }

        private void freeNumeric() {
            if (numeric.get(ADDRESS, 0).address() != 0) {
                klu.number("klu_free_numeric", "ipp", numeric, common);
            }
        }

        private void free() {
            freeNumeric();
            if (symbolic.get(ADDRESS, 0).address() != 0) {
                klu.number("klu_free_symbolic", "ipp", symbolic, common);
            }
        }

        @Override
        public void close() {
            free();
            arena.close();
        }
    }
}
