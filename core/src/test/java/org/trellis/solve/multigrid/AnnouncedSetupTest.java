package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;

/** What a backend hears of a set-up before it begins. */
class AnnouncedSetupTest {
    private static final int LARGE = 20_000;

    private final List<Precision> announced = new ArrayList<>();

    /** A backend that has nothing but kernels of aggregation, or nothing at all. */
    private Backend backend(boolean aggregates) {
        AggregationKernels kernels = proxy(AggregationKernels.class, (name, arguments) -> {
            assertEquals("expectSetup", name);
            announced.add((Precision) arguments[0]);
            return null;
        });
        return proxy(Backend.class, (name, arguments) -> {
            assertEquals("optionalKernels", name);
            return aggregates && arguments[0] == AggregationKernels.class ? Optional.of(kernels) : Optional.empty();
        });
    }

    private interface Calls {
        Object call(String name, Object... arguments);
    }

    private static <T> T proxy(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                (proxy, method, arguments) -> calls.call(method.getName(), arguments)));
    }

    private static CsrMatrix identity(int rows) {
        return CsrMatrix.identity(rows, Precision.F64);
    }

    private static SolverConfig stack(String preconditioner, Map<String, String> options) {
        return new SolverConfig("cg", Map.of(), preconditioner, options, StoppingCriteria.relative(1e-8, 10), false,
                false);
    }

    @Test
    void aLargeSetupOnABackendIsAnnounced() {
        stack("amg", Map.of()).announce(identity(LARGE), backend(true));
        assertEquals(List.of(Precision.F64), announced);
        stack("amg", Map.of("levels", "f32")).announce(identity(LARGE), backend(true));
        assertEquals(List.of(Precision.F64, Precision.F32), announced);
        stack("amg", Map.of("setup", "backend")).announce(identity(10), backend(true));
        assertEquals(3, announced.size());
    }

    @Test
    void nothingElseIs() {
        stack("amg", Map.of()).announce(identity(LARGE), backend(false));
        stack("amg", Map.of()).announce(identity(LARGE - 1), backend(true));
        stack("amg", Map.of("setup", "host")).announce(identity(LARGE), backend(true));
        stack("amg", Map.of("coarsening", "classical")).announce(identity(LARGE), backend(true));
        stack("jacobi", Map.of()).announce(identity(LARGE), backend(true));
        assertEquals(List.of(), announced);
        assertThrows(IllegalArgumentException.class,
                () -> stack("amg", Map.of("no-such-option", "1")).announce(identity(LARGE), backend(true)));
    }
}
