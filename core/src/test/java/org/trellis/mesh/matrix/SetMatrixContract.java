package org.trellis.mesh.matrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.order.Orderings;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/**
 * What holds on every backend for vectors, dats and matrices in different numberings: a product that mixes them is
 * refused, and one that does not is right in the user's numbering, whatever was renumbered. A backend's test extends
 * this class and opens the backend.
 */
public abstract class SetMatrixContract {
    private static final int NODES = 60;
    private static final int EDGES = 90;
    private static final double TOLERANCE = 1e-12;

    /**
     * Opens the backend under test.
     *
     * @return a backend that the test closes
     */
    @MustBeClosed
    protected abstract Backend openBackend();

    /** A mesh of nodes and edges with a matrix on the nodes and one from nodes to edges. */
    private static final class Scene implements AutoCloseable {
        final SplittableRandom random = TestSeed.random("SetMatrix");
        final Mesh mesh;
        final MeshSet nodes;
        final MeshSet edges;
        final CsrMatrix square = AwkwardMatrices.random(NODES, NODES, row -> 1 + row % 7, Precision.F64, random);
        final CsrMatrix wide = AwkwardMatrices.random(EDGES, NODES, row -> row % 4, Precision.F64, random);

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        Scene(Backend backend) {
            mesh = Mesh.on(backend);
            nodes = mesh.set("nodes", NODES);
            edges = mesh.set("edges", EDGES);
            int[] ends = new int[2 * EDGES];
            for (int e = 0; e < EDGES; e++) {
                ends[2 * e] = random.nextInt(NODES);
                ends[2 * e + 1] = (ends[2 * e] + 1 + random.nextInt(NODES - 1)) % NODES;
            }
            mesh.map("ends", edges, nodes, 2, ends);
        }

        double[] drawn(int length) {
            return random.doubles(length, -1, 1).toArray();
        }

        @Override
        public void close() {
            mesh.close();
        }
    }

    private static double[] times(CsrMatrix matrix, double[] x) {
        double[] y = new double[matrix.rows()];
        matrix.forEachEntry((row, column, value) -> y[row] += value * x[column]);
        return y;
    }

    private static double[] download(DenseVector vector) {
        HostVector host = HostVector.zeros(vector.precision(), vector.length());
        vector.copyTo(host);
        return host.toDoubleArray();
    }

    private static void refused(String expected, Class<? extends RuntimeException> type, Runnable call) {
        RuntimeException e = assertThrows(type, call::run);
        assertTrue(e.getMessage().contains(expected), e.getMessage());
    }

    /** Multiplies rightly after every renumbering, with values in the user's numbering. */
    @Test
    void followsItsSets() {
        try (Backend backend = openBackend();
                Scene scene = new Scene(backend);
                SetMatrix square = SetMatrix.of(scene.nodes, scene.nodes, scene.square);
                SetMatrix wide = SetMatrix.of(scene.edges, scene.nodes, scene.wide)) {
            double[] values = scene.drawn(NODES);
            Dat x = scene.mesh.dat("x", scene.nodes, 1, Precision.F64, values);
            Dat y = scene.mesh.dat("y", scene.nodes, 1, Precision.F64);
            Dat z = scene.mesh.dat("z", scene.edges, 1, Precision.F64);
            for (int round = 0; round < 4; round++) {
                square.apply(x.vector(), y.vector());
                assertArrayEquals(times(scene.square, values), y.toArray(), TOLERANCE, "round " + round);
                wide.apply(x.vector(), z.vector());
                assertArrayEquals(times(scene.wide, values), z.toArray(), TOLERANCE, "round " + round);
                wide.applyTransposed(1, z.vector(), 0, y.vector());
                assertArrayEquals(times(scene.wide.transpose(), z.toArray()), y.toArray(), TOLERANCE,
                        "round " + round);
                square.refill(HostVector.of(scene.drawn((int) scene.square.nonZeros())));
                square.apply(x.vector(), y.vector());
                assertArrayEquals(times(square.matrix(), values), y.toArray(), TOLERANCE, "refill, round " + round);
                square.refill(scene.square.onlySegment().values());
                switch (round) {
                    case 0 -> MeshOrder.reorder(scene.nodes, Orderings::reverseCuthillMcKee);
                    case 1 -> MeshOrder.shuffle(scene.mesh, TestSeed.random("shuffle"));
                    default -> MeshOrder.restore(scene.mesh);
                }
            }
        }
    }

    /** Refuses what is in different numberings, whichever side was renumbered. */
    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void refusesToMixNumberings() {
        try (Backend backend = openBackend();
                Scene scene = new Scene(backend);
                SetMatrix bound = SetMatrix.of(scene.nodes, scene.nodes, scene.square);
                SpmvOperator unbound = backend.kernels(SparseKernels.class).prepare(scene.square);
                DenseVector plain = backend.vector(Precision.F64, NODES);
                DenseVector other = backend.vector(Precision.F64, NODES)) {
            MeshSet twins = scene.mesh.set("twins", NODES);
            Dat x = scene.mesh.dat("x", scene.nodes, 1, Precision.F64, scene.drawn(NODES));
            Dat y = scene.mesh.dat("y", scene.nodes, 1, Precision.F64);
            Dat twin = scene.mesh.dat("twin", twins, 1, Precision.F64);
            DenseVector before = x.vector();
            // In the user's order everything that is not of another set fits.
            unbound.multiply(before, y.vector());
            unbound.multiply(plain, y.vector());
            bound.apply(plain, y.vector());
            bound.apply(x.vector(), other);
            refused("bound to set 'twins'", IllegalArgumentException.class,
                    () -> bound.apply(twin.vector(), y.vector()));
            PreparedStep step = bound.bind(1, before, 0, other);
            step.run();
            MeshOrder.reorder(scene.nodes, Orderings::reverseCuthillMcKee);
            refused("taken or bound afterwards", IllegalStateException.class,
                    () -> unbound.multiply(before, other));
            refused("taken or bound afterwards", IllegalStateException.class, () -> download(before));
            refused("taken or bound afterwards", IllegalStateException.class, step::run);
            refused("expected a vector bound to no set", IllegalArgumentException.class,
                    () -> unbound.multiply(x.vector(), other));
            refused("expected a vector bound to no set", IllegalArgumentException.class,
                    () -> unbound.multiply(plain, y.vector()));
            refused("bound to no set, expected a vector bound to set 'nodes'", IllegalArgumentException.class,
                    () -> bound.apply(plain, y.vector()));
            refused("bound to no set, expected a vector bound to set 'nodes'", IllegalArgumentException.class,
                    () -> bound.apply(x.vector(), other));
            unbound.multiply(plain, other);
            other.bind(bound.range().numbering());
            bound.apply(x.vector(), other);
            MeshOrder.restore(scene.mesh);
            refused("taken or bound afterwards", IllegalStateException.class, () -> bound.apply(x.vector(), other));
            unbound.multiply(x.vector(), y.vector());
            assertArrayEquals(times(scene.square, x.toArray()), y.toArray(), TOLERANCE);
        }
    }

    /** Keeps several rows of an element side by side, and refuses data that lie otherwise. */
    @Test
    void multipliesComponents() {
        SplittableRandom random = TestSeed.random("components");
        CsrMatrix matrix = AwkwardMatrices.random(2 * NODES, 3 * NODES, row -> row % 9, Precision.F64, random);
        try (Backend backend = openBackend();
                Scene scene = new Scene(backend);
                SetMatrix bound = SetMatrix.of(scene.nodes, scene.nodes, matrix)) {
            double[] values = scene.drawn(3 * NODES);
            Dat x = scene.mesh.dat("x", scene.nodes, 3, Precision.F64, values).layout(Layout.AOS);
            Dat y = scene.mesh.dat("y", scene.nodes, 2, Precision.F64).layout(Layout.AOS);
            scene.mesh.renumber(scene.nodes, Permutation.random(NODES, random));
            bound.apply(x.vector(), y.vector());
            assertArrayEquals(times(matrix, values), y.toArray(), TOLERANCE);
            DenseVector sideBySide = x.vector();
            x.layout(Layout.SOA);
            refused("layout", IllegalStateException.class, () -> download(sideBySide));
            refused("3 components apart", IllegalArgumentException.class,
                    () -> bound.apply(x.vector(), y.vector()));
            assertThrows(IllegalArgumentException.class,
                    () -> SetMatrix.of(scene.edges, scene.nodes, scene.square));
        }
    }

    /** Closes nothing but what it owns. */
    @Test
    void leavesWhatItViewsOpen() {
        try (Backend backend = openBackend(); Scene scene = new Scene(backend)) {
            Dat x = scene.mesh.dat("x", scene.nodes, 1, Precision.F64, scene.drawn(NODES));
            double[] values = x.toArray();
            x.vector().close();
            x.vector().part(3, 4).close();
            assertArrayEquals(values, x.toArray());
            DenseVector view = x.vector();
            x.close();
            assertThrows(IllegalStateException.class, () -> download(view));
        }
    }

    /** Makes a dat of a vector: one memory, in the set's numbering while the dat is open. */
    @Test
    void makesDatsOfVectors() {
        try (Backend backend = openBackend();
                Scene scene = new Scene(backend);
                SpmvOperator unbound = backend.kernels(SparseKernels.class).prepare(scene.square);
                SetMatrix bound = SetMatrix.of(scene.nodes, scene.nodes, scene.square);
                DenseVector vector = backend.vector(Precision.F64, NODES);
                DenseVector pairs = backend.vector(Precision.F64, 2 * NODES);
                DenseVector other = backend.vector(Precision.F64, NODES)) {
            double[] values = scene.drawn(NODES);
            vector.copyFrom(HostVector.of(values));
            DenseVector part = vector.part(0, NODES);
            Dat x = scene.mesh.dat("x", scene.nodes, 1, vector);
            assertArrayEquals(values, x.toArray());
            x.set(7, 0, 5);
            values[7] = 5;
            assertArrayEquals(values, download(vector));
            refused("already", IllegalArgumentException.class,
                    () -> scene.mesh.dat("again", scene.nodes, 1, vector));
            refused("part or a view", IllegalArgumentException.class,
                    () -> scene.mesh.dat("part", scene.nodes, 1, pairs.part(0, NODES)));
            refused("length of the vector", IllegalArgumentException.class,
                    () -> scene.mesh.dat("short", scene.edges, 1, other));
            scene.mesh.renumber(scene.nodes, Permutation.random(NODES, scene.random));
            assertArrayEquals(values, x.toArray());
            refused("user's order", IllegalArgumentException.class,
                    () -> scene.mesh.dat("late", scene.nodes, 1, other));
            refused("expected a vector bound to no set", IllegalArgumentException.class,
                    () -> unbound.multiply(vector, other));
            refused("expected a vector bound to no set", IllegalArgumentException.class,
                    () -> unbound.multiply(part, other));
            Dat y = scene.mesh.dat("y", scene.nodes, 1, Precision.F64);
            bound.apply(vector, y.vector());
            assertArrayEquals(times(scene.square, values), y.toArray(), TOLERANCE);
            assertThrows(IllegalArgumentException.class,
                    () -> scene.mesh.change(edit -> edit.resize(scene.nodes, NODES + 1)));
            x.close();
            assertArrayEquals(values, download(vector));
            unbound.multiply(vector, other);
            assertArrayEquals(times(scene.square, values), download(other), TOLERANCE);
        }
    }

    /** Gives vectors back in the user's order when the mesh is closed, whatever the layout. */
    @Test
    void givesVectorsBackWithTheMesh() {
        SplittableRandom random = TestSeed.random("givesVectorsBack");
        try (Backend backend = openBackend(); DenseVector pairs = backend.vector(Precision.F64, 2 * NODES)) {
            double[] values = random.doubles(2 * NODES, -1, 1).toArray();
            pairs.copyFrom(HostVector.of(values));
            try (Scene scene = new Scene(backend)) {
                Dat x = scene.mesh.dat("x", scene.nodes, 2, pairs);
                scene.mesh.renumber(scene.nodes, Permutation.random(NODES, random));
                x.layout(Layout.SOA);
                assertArrayEquals(values, x.toArray());
            }
            assertArrayEquals(values, download(pairs));
        }
    }

    /** Refuses a matrix whose set has changed its size. */
    @Test
    void refusesChangedSets() {
        try (Backend backend = openBackend(); Mesh mesh = Mesh.on(backend)) {
            MeshSet cells = mesh.set("cells", 3);
            Dat x = mesh.dat("x", cells, 1, Precision.F64);
            try (SetMatrix matrix = SetMatrix.of(cells, cells, CsrMatrix.identity(3, Precision.F64))) {
                DenseVector old = x.vector();
                mesh.change(edit -> edit.resize(cells, 4).fill(x, 1));
                refused("renumbered or changed", IllegalStateException.class, () -> download(old));
                refused("changed its size", IllegalStateException.class,
                        () -> matrix.apply(x.vector(), x.vector()));
            }
            assertEquals(4, x.vector().length());
        }
    }
}
