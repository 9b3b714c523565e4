package org.trellis.solve.smooth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** Smoothers that cannot be made, since memory runs out at any point, leave nothing open. */
class SmootherMemoryTest {
    private final List<SpmvOperator> products = new ArrayList<>();
    private int open;
    private int left;

    private void take() {
        if (left-- == 0) {
            throw new IllegalStateException("no memory");
        }
    }

    /** Passes calls on, and lets allocations be counted and fail. */
    @SuppressWarnings("unchecked")
    private <T> T wrapped(Class<T> type, T object) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, (proxy, method, arguments) -> {
            boolean allocates = method.getName().equals("vector") || method.getName().equals("prepare");
            if (allocates) {
                take();
            }
            if (method.getName().equals("close") && !(object instanceof Backend)) {
                open--;
            }
            Object result;
            try {
                result = method.invoke(object, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            if (result instanceof SmootherKernels || result instanceof SparseKernels) {
                return wrapped((Class<Object>) arguments[0], result);
            }
            if (allocates && result instanceof SpmvOperator product) {
                products.add(product);
                return product;
            }
            if (!allocates) {
                return result;
            }
            open++;
            return method.getName().equals("vector")
                    ? wrapped(DenseVector.class, (DenseVector) result)
                    : wrapped(SmootherKernels.PreparedRows.class, (SmootherKernels.PreparedRows) result);
        });
    }

    private int openProducts() {
        HostVector x = HostVector.zeros(Precision.F64, 35);
        HostVector y = HostVector.zeros(Precision.F64, 35);
        int count = 0;
        for (SpmvOperator product : products) {
            try {
                product.multiply(x, y);
                count++;
            } catch (IllegalStateException e) {
                assertTrue(e.getMessage().contains("closed"), e.getMessage());
            }
        }
        return count;
    }

    @Test
    void nothingStaysOpen() {
        CsrMatrix matrix = SmootherContract.grid(7, 5, Precision.F64);
        try (Backend reference = Backends.open("reference", Configuration.load())) {
            Backend counting = wrapped(Backend.class, reference);
            for (String name : Preconditioners.names()) {
                List<Map<String, String>> variants = name.startsWith("i")
                        ? List.of(Map.of(), Map.of("triangular", "iterated"))
                        : List.of(name.equals("direct") ? Map.of("triangular", "levels") : Map.of());
                for (Map<String, String> options : variants) {
                    if (!name.equals("none")) {
                        assertNothingStaysOpen(name, options, matrix, counting);
                    }
                }
            }
        }
    }

    private void assertNothingStaysOpen(String name, Map<String, String> options, CsrMatrix matrix, Backend backend) {
        int most = 0;
        for (int allocations = 0;; allocations++) {
            left = allocations;
            try {
                Preconditioners.smoother(name, matrix, null, backend, options).close();
                most = allocations;
                break;
            } catch (IllegalStateException e) {
                assertEquals("no memory", e.getMessage());
            }
            assertEquals(0, open, name + " after " + allocations);
            assertEquals(0, openProducts(), name + " after " + allocations);
        }
        assertTrue(most > 0, name);
        assertEquals(0, open, name);
        assertEquals(0, openProducts(), name);
        left = 1_000;
        Smoother kept = Preconditioners.smoother(name, matrix, null, backend, options);
        assertTrue(open + openProducts() > 0, name);
        kept.close();
        assertThrows(IllegalStateException.class,
                () -> kept.bind(1, HostVector.zeros(Precision.F64, 35), 0, HostVector.zeros(Precision.F64, 35)));
    }
}
