package org.trellis.bench.adapters.direct;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.trellis.backend.Availability;
import org.trellis.bench.direct.DirectFactors;
import org.trellis.bench.direct.DirectPeer;
import org.trellis.sparse.CsrMatrix;

/** SuperLU (sequential) with its default parameters: COLAMD and partial pivoting. */
public final class SuperLuPeer implements DirectPeer {
    private static final String FILE = "libsuperlu.so.5";

    /** Creates the adapter. */
    public SuperLuPeer() {}

    @Override
    public String name() {
        return "superlu";
    }

    @Override
    public Availability probe() {
        return Functions.probe(FILE, "SuperLU", "libsuperlu-dev");
    }

    @Override
    @MustBeClosed
    public DirectFactors open(CsrMatrix matrix) {
        return new SuperLu(matrix);
    }

    private static final class SuperLu implements DirectFactors {
        private static final long BYTES_OF_OPTIONS = 144;
        private static final long BYTES_OF_MATRIX = 32;
        private static final long BYTES_OF_WORK = 256;
        private static final long STORE = 24;
        private static final long OPERATIONS = 16;
        private static final int FACTORISATION = 7;
        private static final int COLAMD = 3;
        private static final int COMPRESSED = 0;
        private static final int PERMUTED = 2;
        private static final int DENSE = 6;
        private static final int DOUBLE = 1;
        private static final int GENERAL = 0;

        private final Functions superlu = Functions.load(FILE);
        private final Arena arena = Arena.ofConfined();
        private final Columns columns;
        private final MemorySegment options = work(BYTES_OF_OPTIONS);
        private final MemorySegment statistics = work(BYTES_OF_WORK);
        private final MemorySegment a = work(BYTES_OF_MATRIX);
        private final MemorySegment permuted = work(BYTES_OF_MATRIX);
        private final MemorySegment lower = work(BYTES_OF_MATRIX);
        private final MemorySegment upper = work(BYTES_OF_MATRIX);
        private final MemorySegment right = work(BYTES_OF_MATRIX);
        private final MemorySegment global = work(BYTES_OF_WORK);
        private final MemorySegment info = work(8);
        private final MemorySegment columnOrder;
        private final MemorySegment rowOrder;
        private final MemorySegment tree;
        private final MemorySegment x;
        private boolean factors;
        private boolean analysed;

        SuperLu(CsrMatrix matrix) {
            columns = Columns.of(matrix, arena);
            int n = columns.n();
            columnOrder = arena.allocate(JAVA_INT, Math.max(1, n));
            rowOrder = arena.allocate(JAVA_INT, Math.max(1, n));
            tree = arena.allocate(JAVA_INT, Math.max(1, n));
            x = arena.allocate(JAVA_DOUBLE, Math.max(1, n));
            superlu.call("set_default_options", "vp", options);
            superlu.call("StatInit", "vp", statistics);
            superlu.call("dCreate_CompCol_Matrix", "vpiiipppiii", a, n, n, columns.nonZeros(), columns.values(),
                    columns.rows(), columns.start(), COMPRESSED, DOUBLE, GENERAL);
            superlu.call("dCreate_Dense_Matrix", "vpiipiiii", right, n, 1, x, n, DENSE, DOUBLE, GENERAL);
        }

        private MemorySegment work(long bytes) {
            return arena.allocate(bytes, 8);
        }

        @Override
        public String solver() {
            return "superlu";
        }

        @Override
        public void analyse() {
            free();
            superlu.call("get_perm_c", "vipp", COLAMD, a, columnOrder);
            superlu.call("sp_preorder", "vppppp", options, a, columnOrder, tree, permuted);
            analysed = true;
        }

        @Override
        public void factorise() {
            freeFactors();
            // The library adds up what all factorisations cost.
            counted().setAtIndex(JAVA_FLOAT, FACTORISATION, 0);
            superlu.call("dgstrf", "vppiippippppppp", options, permuted, superlu.number("sp_ienv", "ii", PERMUTED),
                    superlu.number("sp_ienv", "ii", 1), tree, MemorySegment.NULL, 0, columnOrder, rowOrder, lower,
                    upper, global, statistics, info);
            if (info.get(JAVA_INT, 0) != 0) {
                throw new IllegalStateException("SuperLU ends with info " + info.get(JAVA_INT, 0));
            }
            factors = true;
        }

        @Override
        public void take(CsrMatrix values) {
            columns.take(values);
        }

        @Override
        public boolean refactorise() {
            return false;
        }

        @Override
        public void solve(double[] vector) {
            MemorySegment.copy(vector, 0, x, JAVA_DOUBLE, 0, vector.length);
            superlu.call("dgstrs", "vippppppp", 0, lower, upper, columnOrder, rowOrder, right, statistics, info);
            MemorySegment.copy(x, JAVA_DOUBLE, 0, vector, 0, vector.length);
        }

        @Override
        @SuppressWarnings("restricted") // structures of the library
        public Size size() {
            long nonZeros = (long) lower.get(ADDRESS, STORE).reinterpret(8).get(JAVA_INT, 0)
                    + upper.get(ADDRESS, STORE).reinterpret(8).get(JAVA_INT, 0) - columns.n();
            return new Size("colamd", "none", nonZeros, counted().getAtIndex(JAVA_FLOAT, FACTORISATION));
        }

        @SuppressWarnings("restricted") // structures of the library
        private MemorySegment counted() {
            return statistics.get(ADDRESS, OPERATIONS).reinterpret((long) Float.BYTES * (FACTORISATION + 1));
        }

        private void freeFactors() {
            if (factors) {
                superlu.call("Destroy_SuperNode_Matrix", "vp", lower);
                superlu.call("Destroy_CompCol_Matrix", "vp", upper);
                factors = false;
            }
        }

        private void free() {
            freeFactors();
            if (analysed) {
                superlu.call("Destroy_CompCol_Permuted", "vp", permuted);
                analysed = false;
            }
        }

        @Override
        public void close() {
            free();
            superlu.call("Destroy_SuperMatrix_Store", "vp", a);
            superlu.call("Destroy_SuperMatrix_Store", "vp", right);
            superlu.call("StatFree", "vp", statistics);
            arena.close();
        }
    }
}
