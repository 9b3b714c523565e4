package org.trellis.cuda.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Precision;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.TestGpu;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Kernels that are launched so often that they become graphs, with arguments that change all the time. */
class RepeatedLaunchTest {
    private static final int LENGTH = 1037;
    private static final int VECTORS = 3;
    private static final int STEPS = 300;
    /** Vectors are kept so small that no sum is rounded. */
    private static final double MOST = 1e12;

    @TempDir
    private static Path folder;

    @Test
    void everyLaunchHasItsArgumentsInEmulation() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (CudaBackend backend = gpu.open(); CudaBackend other = gpu.open()) {
            updateInTurns(backend, other);
            productsOfChangingVectors(backend);
        }
        assertTrue(gpu.graphLaunches() > STEPS, gpu.graphLaunches() + " graphs");
        assertTrue(gpu.updates() > STEPS / 2, gpu.updates() + " changes of arguments");
    }

    @Test
    void everyLaunchHasItsArgumentsOnAGpu() {
        try (CudaBackend backend = TestGpu.open(); CudaBackend other = TestGpu.open()) {
            updateInTurns(backend, other);
            productsOfChangingVectors(backend);
        }
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    private static CudaVector upload(CudaBackend backend, double[] values) {
        CudaVector vector = backend.vector(Precision.F64, LENGTH);
        vector.copyFrom(HostVector.of(values));
        return vector;
    }

    /** Two contexts of a device have their own graphs; nothing waits but the comparison at the end. */
    private static void updateInTurns(CudaBackend... backends) {
        SplittableRandom random = TestSeed.random("updateInTurns");
        Chain[] chains = new Chain[backends.length];
        for (int i = 0; i < chains.length; i++) {
            chains[i] = new Chain(backends[i], random);
        }
        for (int step = 0; step < STEPS; step++) {
            for (Chain chain : chains) {
                chain.step();
            }
        }
        for (Chain chain : chains) {
            chain.check();
        }
    }

    /** Vectors on a device and what they should be: whole numbers, so that all sums are exact. */
    private static final class Chain {
        private final CudaBackend backend;
        private final SplittableRandom random;
        private final ElementKernels elements;
        private final CudaStream second;
        private final CudaVector[] vectors = new CudaVector[VECTORS];
        private final double[][] expected = new double[VECTORS][LENGTH];

        Chain(CudaBackend backend, SplittableRandom random) {
            this.backend = backend;
            this.random = random;
            this.elements = backend.kernels(ElementKernels.class);
            this.second = backend.context().newStream();
            for (int v = 0; v < VECTORS; v++) {
                renew(v);
            }
        }

        @SuppressWarnings("MustBeClosed") // closed in the end, or when it is renewed
        private void renew(int v) {
            for (int i = 0; i < LENGTH; i++) {
                expected[v][i] = random.nextInt(-100, 100);
            }
            if (vectors[v] != null) {
                vectors[v].close();
            }
            vectors[v] = upload(backend, expected[v]);
        }

        void step() {
            int to = random.nextInt(VECTORS);
            int from = (to + random.nextInt(1, VECTORS)) % VECTORS;
            if (random.nextInt(20) == 0) {
                renew(from);
            }
            int alpha = random.nextInt(-3, 4);
            int beta = random.nextInt(2);
            boolean aside = random.nextInt(8) == 0;
            if (aside) {
                second.awaitAll(backend.context().stream());
                backend.context().queueOn(second);
            }
            elements.update(alpha, null, vectors[from], beta, vectors[to]);
            if (aside) {
                backend.context().queueOn(null);
                backend.context().stream().awaitAll(second);
            }
            double most = 0;
            for (int i = 0; i < LENGTH; i++) {
                expected[to][i] = alpha * expected[from][i] + beta * expected[to][i];
                most = Math.max(most, Math.abs(expected[to][i]));
            }
            if (most > MOST) {
                renew(to);
            }
        }

        void check() {
            for (int v = 0; v < VECTORS; v++) {
                HostVector copy = HostVector.zeros(Precision.F64, LENGTH);
                vectors[v].copyTo(copy);
                vectors[v].close();
                assertArrayEquals(expected[v], copy.doubles(), 0.0, "vector " + v);
            }
        }
    }

    /** The bits of a product are those of its first launch, whichever vectors it has. */
    @SuppressWarnings("MustBeClosed") // closed at the end
    private static void productsOfChangingVectors(CudaBackend backend) {
        SplittableRandom random = TestSeed.random("productsOfChangingVectors");
        CudaVector[] x = new CudaVector[VECTORS];
        CudaVector[] y = new CudaVector[VECTORS];
        double[][] first = new double[VECTORS][];
        try (SpmvOperator operator = backend.kernels(SparseKernels.class)
                .prepare(AwkwardMatrices.random(LENGTH, LENGTH, row -> row % 7, Precision.F64, random))) {
            for (int v = 0; v < VECTORS; v++) {
                x[v] = upload(backend, random.doubles(LENGTH, -1, 1).toArray());
                y[v] = upload(backend, new double[LENGTH]);
                operator.multiply(x[v], y[v]);
                first[v] = download(y[v]);
            }
            for (int step = 0; step < STEPS; step++) {
                int v = random.nextInt(VECTORS);
                int to = random.nextInt(VECTORS);
                operator.multiply(x[v], y[to]);
                if (step % 29 == 0) {
                    assertArrayEquals(first[v], download(y[to]), "product " + step);
                }
            }
        }
        for (int v = 0; v < VECTORS; v++) {
            x[v].close();
            y[v].close();
        }
    }

    private static double[] download(CudaVector vector) {
        HostVector copy = HostVector.zeros(Precision.F64, LENGTH);
        vector.copyTo(copy);
        return copy.doubles();
    }
}
