package org.trellis.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.Device;
import org.trellis.common.Configuration;
import org.trellis.common.DeviceException;
import org.trellis.common.Precision;
import org.trellis.memory.CountedVector;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.PatternKernels;
import org.trellis.sparse.SparseKernels;

/**
 * The {@code reference} backend, with everything counted that has to be closed, and with one allocation that fails: a
 * vector, the memory of a dat, a prepared loop, joined steps, the search for a pattern, a prepared product, a bound
 * step. {@link #failEach} lets each allocation fail that something makes.
 */
public final class FailingBackend implements Backend {
    /** Makes something that is to be closed. */
    @FunctionalInterface
    public interface Making {
        /**
         * Makes and perhaps uses it.
         *
         * @param backend where
         * @return what was made; closed by the caller
         * @throws Exception if it cannot
         */
        @MustBeClosed
        AutoCloseable make(FailingBackend backend) throws Exception;
    }

    private final Backend backend;
    private final Map<Class<?>, Object> kernels = new HashMap<>();
    private final Map<String, Integer> open = new TreeMap<>();
    private int taken;
    private int failing;
    private Throwable failure;

    /** Opens the backend that is counted. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    public FailingBackend() {
        this.backend = Backends.open("reference", Configuration.load());
        kernels.put(LoopKernels.class, new FailingLoops(this, backend.kernels(LoopKernels.class)));
        kernels.put(SparseKernels.class, new FailingProducts(this, backend.kernels(SparseKernels.class)));
        PatternKernels patterns = backend.kernels(PatternKernels.class);
        kernels.put(PatternKernels.class, (PatternKernels) tables -> {
            // Nothing of it has to be closed.
            take("pattern").run();
            return patterns.build(tables);
        });
    }

    /**
     * Makes something as often as it makes allocations, and lets one of them fail each time, with an exception or with
     * an error. What the allocation threw has to arrive as it is, and nothing may stay open.
     *
     * @param making makes it
     */
    public static void failEach(Making making) {
        try (FailingBackend backend = new FailingBackend()) {
            int needed = makeOne(backend, making);
            assertTrue(needed > 0, "nothing was allocated, so nothing can fail");
            for (int n = 1; n <= needed; n++) {
                for (Throwable failure : List.of(new OutOfMemoryError("allocation " + n),
                        new DeviceException("allocation " + n, 2, "out of memory"))) {
                    backend.failAt(n, failure);
                    assertSame(failure, thrown(backend, making), "what allocation " + n + " of " + needed + " threw");
                    assertEquals(Map.of(), backend.open, "open after allocation " + n + " of " + needed + " threw");
                }
            }
            assertEquals(needed, makeOne(backend, making), "allocations at another attempt");
        }
    }

    private static int makeOne(FailingBackend backend, Making making) {
        int before = backend.taken;
        try (AutoCloseable made = making.make(backend)) {
            assertTrue(made != null);
        } catch (Exception e) {
            throw new AssertionError("without a failure", e);
        }
        assertEquals(Map.of(), backend.open, "open after all was closed");
        return backend.taken - before;
    }

    private static Throwable thrown(FailingBackend backend, Making making) {
        try (AutoCloseable made = making.make(backend)) {
            return new AssertionError("made " + made + " although an allocation failed");
        } catch (Exception | OutOfMemoryError e) {
            return e;
        }
    }

    /**
     * Lets an allocation fail.
     *
     * @param n    which, from 1; those before it succeed, and so do those after it
     * @param with what it throws: a {@link RuntimeException} or an {@link Error}
     */
    public void failAt(int n, Throwable with) {
        failing = taken + n;
        failure = with;
    }

    /** Lets no allocation fail. */
    public void failNoMore() {
        failing = 0;
    }

    /**
     * Returns what has been allocated and not been closed.
     *
     * @return how many of each kind, by name; empty if there is nothing
     */
    public Map<String, Integer> open() {
        return Map.copyOf(open);
    }

    /**
     * Counts an allocation.
     *
     * @param what its kind
     * @return to be called once when it is closed
     */
    Runnable take(String what) {
        taken++;
        if (taken == failing) {
            switch (failure) {
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IllegalArgumentException("a failure that is checked", failure);
            }
        }
        if (!what.equals("pattern")) {
            open.merge(what, 1, Integer::sum);
        }
        return () -> open.computeIfPresent(what, (kind, count) -> count == 1 ? null : count - 1);
    }

    @Override
    public String name() {
        return backend.name();
    }

    @Override
    public Device device() {
        return backend.device();
    }

    @Override
    public <K> K kernels(Class<K> kernelInterface) {
        Object counted = kernels.get(kernelInterface);
        return counted == null ? backend.kernels(kernelInterface) : kernelInterface.cast(counted);
    }

    @Override
    @MustBeClosed
    public DenseVector vector(Precision precision, int length) {
        return new CountedVector(precision, length, take("vector"));
    }

    @Override
    public void close() {
        backend.close();
    }

    @Override
    public String toString() {
        return "failing " + backend;
    }
}
