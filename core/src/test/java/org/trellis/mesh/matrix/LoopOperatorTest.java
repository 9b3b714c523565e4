package org.trellis.mesh.matrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.MeshSet;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.TestSeed;

/** Loops as an operator, against the matrix with the same entries. */
final class LoopOperatorTest {
    private static final int NODES = 203;
    private static final int EDGES = 517;

    /** A random graph with its operator. */
    private static final class Scene implements AutoCloseable {
        final SplittableRandom random = TestSeed.random("loop operator");
        final Backend backend;
        final Mesh mesh;
        final MeshSet nodes;
        final Dat x;
        final Dat y;
        final LoopSequence product;
        final LoopOperator operator;
        final CsrMatrix matrix;

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        Scene(String name, Precision precision) {
            backend = Backends.open(name, Configuration.builder().set(ConfigurationKeys.THREADS, 2).build());
            mesh = Mesh.on(backend);
            nodes = mesh.set("nodes", NODES);
            MeshSet edges = mesh.set("edges", EDGES);
            int[] ends = new int[2 * EDGES];
            double[] weights = new double[EDGES];
            double[] diagonal = new double[NODES];
            double[][] entries = new double[NODES][NODES];
            for (int node = 0; node < NODES; node++) {
                diagonal[node] = (float) random.nextDouble(1, 2);
                entries[node][node] = diagonal[node];
            }
            double[] all = diagonal.clone();
            for (int e = 0; e < EDGES; e++) {
                int a = random.nextInt(NODES);
                int b = (a + 1 + random.nextInt(NODES - 1)) % NODES;
                ends[2 * e] = a;
                ends[2 * e + 1] = b;
                weights[e] = (float) random.nextDouble(0, 1);
                all[a] += weights[e];
                all[b] += weights[e];
                entries[a][a] += weights[e];
                entries[b][b] += weights[e];
                entries[a][b] -= weights[e];
                entries[b][a] -= weights[e];
            }
            matrix = DenseBlocks.fromRows(entries, Precision.F64);
            MeshMap map = mesh.map("ends", edges, nodes, 2, ends);
            Dat d = mesh.dat("d", nodes, 1, precision, diagonal);
            Dat w = mesh.dat("w", edges, 1, precision, weights);
            x = mesh.dat("x", nodes, 1, precision);
            y = mesh.dat("y", nodes, 1, precision);
            product = mesh.sequence("product").run(mesh.loop(ChainKernelsLoops.BEGIN, nodes, d, x, y))
                    .run(mesh.loop(ChainKernelsLoops.CARRY, edges, w, x.at(map, 0), x.at(map, 1), y.at(map, 0),
                            y.at(map, 1)))
                    .build();
            operator = LoopOperator.of(x, y, product).withDiagonal(mesh.dat("diagonal", nodes, 1, precision, all));
        }

        HostVector drawn() {
            return HostVector.of(x.precision(), NODES, i -> random.nextDouble(-1, 1));
        }

        @Override
        public void close() {
            operator.close();
            mesh.close();
            backend.close();
        }
    }

    private static double[] expected(CsrMatrix matrix, double alpha, HostVector x, double beta, HostVector y) {
        double[] product = matrix.multiply(x.toDoubleArray());
        for (int i = 0; i < product.length; i++) {
            product[i] = alpha * product[i] + (beta == 0 ? 0 : beta * y.get(i));
        }
        return product;
    }

    @ParameterizedTest
    @CsvSource({"reference, F64", "reference, F32", "threads, F64", "threads, F32", "simd, F64", "simd, F32",
        "cpu, F64", "cpu, F32"})
    void multipliesAsTheMatrix(String backend, Precision precision) {
        double tolerance = 100 * precision.unitRoundoff();
        try (Scene scene = new Scene(backend, precision)) {
            HostVector x = scene.drawn();
            HostVector y = scene.drawn();
            double[] wanted = expected(scene.matrix, -0.5, x, 2, y);
            scene.operator.apply(-0.5, x, 2, y);
            assertArrayEquals(wanted, y.toDoubleArray(), 10 * tolerance);
            y.fill(Double.NaN);
            scene.operator.apply(x, y);
            assertArrayEquals(expected(scene.matrix, 1, x, 0, y), y.toDoubleArray(), 10 * tolerance);

            HostVector b = scene.drawn();
            HostVector r = HostVector.zeros(precision, NODES);
            scene.operator.residual(b, x, r);
            assertArrayEquals(expected(scene.matrix, -1, x, 1, b), r.toDoubleArray(), 10 * tolerance);
            assertArrayEquals(scene.matrix.diagonal().toDoubleArray(),
                    scene.operator.diagonal().orElseThrow().toDoubleArray(), 10 * tolerance);
        }
    }

    /** The dats' own vectors are operands that are not copied. */
    @Test
    void takesTheVectorsOfItsDats() {
        try (Scene scene = new Scene("threads", Precision.F64)) {
            HostVector x = scene.drawn();
            scene.x.vector().copyFrom(x);
            scene.operator.apply(3, scene.x.vector(), 0, scene.y.vector());
            assertArrayEquals(expected(scene.matrix, 3, x, 0, x), scene.y.toArray(), 1e-12);
            HostVector other = scene.drawn();
            assertThrows(IllegalArgumentException.class,
                    () -> scene.operator.apply(1, scene.x.vector(), 1, scene.y.vector()));
            assertThrows(IllegalArgumentException.class, () -> scene.operator.apply(scene.y.vector(), other));
            assertThrows(IllegalArgumentException.class, () -> scene.operator.apply(other, scene.x.vector()));
        }
    }

    @ParameterizedTest
    @CsvSource({"reference", "threads", "simd", "cpu"})
    void conjugateGradientsTakeIt(String backend) {
        try (Scene scene = new Scene(backend, Precision.F64);
                ConjugateGradient solver = new ConjugateGradient(scene.operator, null, scene.backend)) {
            HostVector known = scene.drawn();
            HostVector b = HostVector.zeros(Precision.F64, NODES);
            scene.operator.apply(known, b);
            HostVector x = HostVector.zeros(Precision.F64, NODES);
            assertTrue(solver.solve(b, x, StoppingCriteria.relative(1e-12, 500)).converged());
            assertArrayEquals(known.toDoubleArray(), x.toDoubleArray(), 1e-10);
        }
    }

    /** After a renumbering, only vectors of the sets fit, and what comes out is right. */
    @Test
    void followsItsSets() {
        try (Scene scene = new Scene("threads", Precision.F64)) {
            HostVector x = scene.drawn();
            Dat other = scene.mesh.dat("other", scene.nodes, 1, Precision.F64, x.toDoubleArray());
            Dat result = scene.mesh.dat("result", scene.nodes, 1, Precision.F64);
            HostVector plain = scene.drawn();
            try (PreparedStep step = scene.operator.bind(1, plain, 0, scene.drawn())) {
                step.run();
                MeshOrder.shuffle(scene.mesh, new SplittableRandom(7));
                assertFalse(scene.nodes.inUserOrder());
                assertThrows(IllegalArgumentException.class, () -> scene.operator.apply(plain, scene.drawn()));
            }
            scene.operator.apply(other.vector(), result.vector());
            assertArrayEquals(expected(scene.matrix, 1, x, 0, x), result.toArray(), 1e-12);
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        try (Scene scene = new Scene("reference", Precision.F64)) {
            Dat single = scene.mesh.dat("single", scene.nodes, 1, Precision.F32);
            Dat pair = scene.mesh.dat("pair", scene.nodes, 2, Precision.F64);
            assertThrows(IllegalArgumentException.class, () -> LoopOperator.of(scene.x, scene.x, scene.product));
            assertThrows(IllegalArgumentException.class, () -> LoopOperator.of(scene.x, single, scene.product));
            assertThrows(IllegalArgumentException.class, () -> scene.operator.withDiagonal(single));
            String message = assertThrows(IllegalArgumentException.class, () -> scene.operator.withDiagonal(pair))
                    .getMessage();
            assertTrue(message.contains("pair"), message);
            HostVector x = scene.drawn();
            HostVector y = scene.drawn();
            assertThrows(UnsupportedOperationException.class, () -> scene.operator.applyTransposed(1, x, 0, y));
            assertTrue(LoopOperator.of(scene.x, scene.y, scene.product).diagonal().isEmpty());
            scene.operator.close();
            assertThrows(IllegalStateException.class, () -> scene.operator.apply(x, y));
        }
    }
}
