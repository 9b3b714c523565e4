package org.trellis.cuda.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.DeviceException;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.compile.KernelCompiler;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.sparse.CudaSparseKernels;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MultiVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.matrix.SetMatrix;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.JacobiPreconditioner;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.Operators;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Whichever call of the driver fails while something is prepared or used, no memory of it is left behind. */
class PreparedThingsTest {
    private static final int SIZE = 200;

    private static final KernelCompiler COMPILER = new KernelCompiler() {
        @Override
        public String version() {
            return "fake 1";
        }

        @Override
        public byte[] compile(KernelSource source, String architecture) {
            return architecture.getBytes(StandardCharsets.US_ASCII);
        }
    };

    @TempDir
    private Path folder;

    /** Runs something once for each call of the driver that it makes, and lets that call fail. */
    private void failEachCall(Consumer<CudaBackend> work) {
        FakeDriver driver = new FakeDriver();
        Configuration configuration =
                Configuration.builder().set(ConfigurationKeys.CACHE_DIRECTORY, folder.resolve("cache")).build();
        try (CudaBackend backend = CudaBackend.open(driver, COMPILER, configuration)) {
            // What is kept for later, such as kernels and buffers for copies, is made by the first run.
            work.accept(backend);
            SparseKernels kernels = backend.kernels(SparseKernels.class);
            drop(kernels);
            long before = backend.context().memoryStatistics().usedBytes();
            int handles = driver.open();
            int first = driver.calls();
            work.accept(backend);
            int calls = driver.calls() - first;
            assertTrue(calls > 5, calls + " calls");
            int seen = 0;
            for (int call = 1; call <= calls; call++) {
                driver.failAt(call);
                boolean thrown = failed(work, backend);
                driver.failAt(Integer.MAX_VALUE / 2);
                drop(kernels);
                if (!thrown) {
                    // It was a call that gives something back: that is logged, and what could not be freed is lost.
                    before = backend.context().memoryStatistics().usedBytes();
                    handles = driver.open();
                    continue;
                }
                seen++;
                assertEquals(before, backend.context().memoryStatistics().usedBytes(),
                        "bytes in use after call " + call + " of " + calls + " failed");
                assertEquals(handles, driver.open(), "handles after call " + call + " of " + calls + " failed");
            }
            assertTrue(seen > 5, seen + " failures");
        }
    }

    private static boolean failed(Consumer<CudaBackend> work, CudaBackend backend) {
        try {
            work.accept(backend);
            return false;
        } catch (DeviceException e) {
            assertTrue(e.toString().contains("made to fail") || String.valueOf(e.getCause())
                    .contains("made to fail"), e.toString());
            return true;
        }
    }

    private static void drop(SparseKernels kernels) {
        ((CudaSparseKernels) kernels).dropLayout();
    }

    private static CsrMatrix matrix() {
        SplittableRandom random = TestSeed.random("PreparedThings");
        return AwkwardMatrices.random(SIZE, SIZE, row -> 1 + row % 9, Precision.F64, random)
                .mapValues((row, column, value) -> 1 + Math.abs(value));
    }

    private static CsrMatrix diagonal() {
        return CsrMatrix.identity(SIZE, Precision.F64);
    }

    @Test
    void vectorsAndDats() {
        failEachCall(backend -> {
            try (DenseVector vector = backend.vector(Precision.F64, SIZE); Mesh mesh = Mesh.on(backend)) {
                MeshSet set = mesh.set("set", SIZE);
                mesh.dat("x", set, 1, Precision.F64, new double[SIZE]).fill(2);
                mesh.intDat("n", set, 2);
                Dat on = mesh.dat("on", set, 1, vector);
                on.set(3, 0, 1);
            }
        });
    }

    @Test
    void operators() {
        CsrMatrix matrix = matrix();
        List<SpmvParameters> parameters = List.of(
                SpmvParameters.fromMap(Map.of("family", "csr", "blockSize", 128)),
                SpmvParameters.fromMap(Map.of("family", "sell", "blockSize", 128, "cooperatingThreads", 2,
                        "chunkRows", 16, "sortingWindow", 1)));
        for (SpmvParameters each : parameters) {
            failEachCall(backend -> useOperator(backend, matrix, each));
        }
    }

    private static void useOperator(CudaBackend backend, CsrMatrix matrix, SpmvParameters parameters) {
        try (DenseVector x = backend.vector(Precision.F64, SIZE);
                DenseVector y = backend.vector(Precision.F64, SIZE);
                DenseVector result = backend.vector(Precision.F64, 1);
                SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix, parameters);
                PreparedStep step = operator.bindMultiplyAndDot(1, x, 0, y, x, result, 0)) {
            operator.multiply(x, y);
            operator.multiplyTransposed(1, x, 0, y);
            operator.residual(x, x.part(0, SIZE), y);
            operator.multiply(1, new MultiVector(x, SIZE, 1), 0, new MultiVector(y, SIZE, 1));
            operator.refill(HostVector.zeros(Precision.F64, (int) matrix.nonZeros()).fill(2));
            step.run();
        }
    }

    @Test
    void compositionsAndSetMatrices() {
        CsrMatrix matrix = matrix();
        failEachCall(backend -> {
            try (DenseVector x = backend.vector(Precision.F64, SIZE);
                    DenseVector y = backend.vector(Precision.F64, SIZE);
                    Mesh mesh = Mesh.on(backend);
                    SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix);
                    LinearOperator square = Operators.on(backend).product(operator, operator)) {
                square.apply(x, y);
                MeshSet set = mesh.set("set", SIZE);
                try (SetMatrix bound = SetMatrix.of(set, set, matrix)) {
                    bound.apply(x, y);
                    mesh.renumber(set, Permutation.random(SIZE, new SplittableRandom(1)));
                    bound.operator();
                }
            }
        });
    }

    @Test
    void solvers() {
        failEachCall(backend -> {
            try (SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(diagonal());
                    JacobiPreconditioner jacobi = JacobiPreconditioner.of(diagonal(), backend);
                    ConjugateGradient solver = new ConjugateGradient(operator, jacobi, backend)) {
                assertEquals(SIZE, jacobi.rows());
                solver.checkInterval(2);
            }
        });
    }
}
