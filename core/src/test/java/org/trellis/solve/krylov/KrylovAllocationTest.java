package org.trellis.solve.krylov;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * What methods allocate from one iteration to the next: nothing on {@code threads}, but for those that bind loops to
 * other vectors in each iteration. These, and the reference, allocate a few small objects; none a vector or anything
 * that grows from iteration to iteration.
 */
final class KrylovAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** Plans and code of loops are made in the first iterations, and the history grows after 63. */
    private static final int FIRST = 12;
    private static final int LAST = 58;
    /** A vector has 12,800. */
    private static final long FEW_BYTES = 3_200;

    /** A method on a backend. */
    record Choice(String backend, String method, String preconditioner, Map<String, String> options) {
        /** What it may allocate in an iteration. */
        long bytes() {
            boolean binds = List.of("gmres", "fgmres", "lgmres", "idr").contains(method);
            return binds || backend.equals("reference") ? FEW_BYTES : 0;
        }
    }

    static List<Choice> choices() {
        List<Choice> all = new ArrayList<>();
        for (String backend : List.of("reference", "threads")) {
            for (KrylovMethod method : KrylovMethod.values()) {
                boolean longer = method == KrylovMethod.GMRES || method == KrylovMethod.FGMRES
                        || method == KrylovMethod.LGMRES;
                all.add(new Choice(backend, method.label(),
                        method.matrices() == KrylovMethod.Matrices.ANY ? "none" : "jacobi",
                        longer ? Map.of("restart", "7") : Map.of()));
            }
            for (String preconditioner : List.of("none", "ssor", "ic0", "polynomial", "fsai")) {
                all.add(new Choice(backend, "cg", preconditioner, Map.of()));
            }
            all.add(new Choice(backend, "fcg", "ssor", Map.of()));
            all.add(new Choice(backend, "bicgstab", "ilu0", Map.of()));
        }
        return all;
    }

    /** Keeps what the thread had allocated after each iteration, and allocates nothing itself. */
    private static final class Meter implements IterationObserver {
        private final long[] bytes = new long[LAST + 2];

        @Override
        public void iterated(int iteration, double residualNorm) {
            if (iteration < bytes.length) {
                bytes[iteration] = THREADS.getCurrentThreadAllocatedBytes();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("choices")
    void allocatesNoVectorPerIteration(Choice choice) {
        CsrMatrix matrix = KrylovSystems.laplacian(40, Precision.F64);
        HostVector b = HostVector.of(Precision.F64, matrix.rows(), i -> 1 + i % 11);
        SolverConfig stack = new SolverConfig(choice.method(), choice.options(), choice.preconditioner(), Map.of(),
                StoppingCriteria.relative(1e-30, LAST + 1), false, false);
        // One thread, since what others do is not seen here; it runs the same code.
        try (Backend backend = Backends.open(choice.backend(),
                Configuration.builder().set(ConfigurationKeys.THREADS, 1).build());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                LinearSolver solver = stack.prepare(matrix, product, backend)) {
            long[] each = eachIteration(solver, b, stack);
            // On a busy machine the compiler is late, whose code needs no objects that are thrown away at once.
            for (int again = 0; again < 20 && !isSteady(each, choice.bytes()); again++) {
                each = eachIteration(solver, b, stack);
            }
            assertTrue(isSteady(each, choice.bytes()), choice + ": " + Arrays.toString(each));
        }
    }

    /** What each iteration of a solution allocates, after the first ones. */
    private static long[] eachIteration(LinearSolver solver, HostVector b, SolverConfig stack) {
        Meter meter = new Meter();
        solver.solve(b, HostVector.zeros(Precision.F64, b.length()), stack.criteria(), meter);
        long[] each = new long[LAST - FIRST];
        Arrays.setAll(each, i -> meter.bytes[FIRST + i + 1] - meter.bytes[FIRST + i]);
        return each;
    }

    /** Medians, since now and then the machine loads a class. */
    private static boolean isSteady(long[] each, long bytes) {
        int half = each.length / 2;
        return median(each, 0, each.length) <= bytes
                && median(each, half, each.length) <= 1.5 * median(each, 0, half);
    }

    private static long median(long[] bytes, int from, int to) {
        long[] sorted = Arrays.stream(bytes, from, to).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
