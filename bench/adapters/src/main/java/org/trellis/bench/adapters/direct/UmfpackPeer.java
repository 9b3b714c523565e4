package org.trellis.bench.adapters.direct;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.trellis.backend.Availability;
import org.trellis.bench.direct.DirectFactors;
import org.trellis.bench.direct.DirectPeer;
import org.trellis.sparse.CsrMatrix;

/** UMFPACK with its default parameters, but without refinement. It does not store zeros that cancellation makes. */
public final class UmfpackPeer implements DirectPeer {
    private static final String FILE = "libumfpack.so.5";

    /** Creates the adapter. */
    public UmfpackPeer() {}

    @Override
    public String name() {
        return "umfpack";
    }

    @Override
    public Availability probe() {
        return Functions.probe(FILE, "UMFPACK", "libsuitesparse-dev");
    }

    @Override
    @MustBeClosed
    public DirectFactors open(CsrMatrix matrix) {
        return new Umfpack(matrix);
    }

    private static final class Umfpack implements DirectFactors {
        private static final int CONTROLS = 20;
        private static final int STEPS_OF_REFINEMENT = 7;
        private static final int FACTS = 90;
        private static final int STRATEGY = 18;
        private static final int FLOPS = 42;
        private static final int LOWER = 43;
        private static final int UPPER = 44;

        private final Functions umfpack = Functions.load(FILE);
        private final Arena arena = Arena.ofConfined();
        private final Columns columns;
        private final MemorySegment control = arena.allocate(JAVA_DOUBLE, CONTROLS);
        private final MemorySegment facts = arena.allocate(JAVA_DOUBLE, FACTS);
        private final MemorySegment symbolic = arena.allocate(ADDRESS);
        private final MemorySegment numeric = arena.allocate(ADDRESS);
        private final MemorySegment b;
        private final MemorySegment x;

        Umfpack(CsrMatrix matrix) {
            columns = Columns.of(matrix, arena);
            b = arena.allocate(JAVA_DOUBLE, Math.max(1, columns.n()));
            x = arena.allocate(JAVA_DOUBLE, Math.max(1, columns.n()));
            umfpack.call("umfpack_di_defaults", "vp", control);
            control.setAtIndex(JAVA_DOUBLE, STEPS_OF_REFINEMENT, 0);
        }

        @Override
        public String solver() {
            return "umfpack";
        }

        @Override
        public void analyse() {
            free();
            require(umfpack.number("umfpack_di_symbolic", "iiipppppp", columns.n(), columns.n(), columns.start(),
                    columns.rows(), columns.values(), symbolic, control, facts));
        }

        @Override
        public void factorise() {
            freeNumeric();
            require(umfpack.number("umfpack_di_numeric", "ippppppp", columns.start(), columns.rows(),
                    columns.values(), symbolic.get(ADDRESS, 0), numeric, control, facts));
        }

        private static void require(int status) {
            if (status != 0) {
                throw new IllegalStateException("UMFPACK ends with status " + status);
            }
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
        public void solve(double[] right) {
            MemorySegment.copy(right, 0, b, JAVA_DOUBLE, 0, right.length);
            require(umfpack.number("umfpack_di_solve", "iipppppppp", 0, columns.start(), columns.rows(),
                    columns.values(), x, b, numeric.get(ADDRESS, 0), control, facts));
            MemorySegment.copy(x, JAVA_DOUBLE, 0, right, 0, right.length);
        }

        @Override
        public Size size() {
            long nonZeros = (long) (facts.getAtIndex(JAVA_DOUBLE, LOWER) + facts.getAtIndex(JAVA_DOUBLE, UPPER))
                    - columns.n();
            boolean symmetric = facts.getAtIndex(JAVA_DOUBLE, STRATEGY) > 1;
            return new Size(symmetric ? "amd" : "colamd", "singletons", nonZeros,
                    facts.getAtIndex(JAVA_DOUBLE, FLOPS));
        }

        private void freeNumeric() {
            if (numeric.get(ADDRESS, 0).address() != 0) {
                umfpack.call("umfpack_di_free_numeric", "vp", numeric);
            }
        }

        private void free() {
            freeNumeric();
            if (symbolic.get(ADDRESS, 0).address() != 0) {
                umfpack.call("umfpack_di_free_symbolic", "vp", symbolic);
            }
        }

        @Override
        public void close() {
            free();
            arena.close();
        }
    }
}
