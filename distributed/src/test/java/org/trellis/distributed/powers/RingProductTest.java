package org.trellis.distributed.powers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.PartitionedCase;

/** Products with any number of ranks and rings against one rank's, bit for bit, and the number of their exchanges. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RingProductTest {
    private static final int STEPS = 7;

    private static double element(long i) {
        return Math.sin(1.7 * i + 0.3);
    }

    /** Runs a computation and brings its vectors together, one after another. */
    private static double[][] run(CsrMatrix matrix, Partition partition, int rings,
            Function<HaloPlan, RingVector[]> work) {
        return runAll(matrix, partition, new int[]{rings}, work)[0];
    }

    private static double[][][] runAll(CsrMatrix matrix, Partition partition, int[] rings,
            Function<HaloPlan, RingVector[]> work) {
        return ThreadRanks.run(partition.parts(), communicator -> {
            PartitionedMatrix part = PartitionedMatrix.scatter(communicator, 0, matrix, partition);
            double[][][] whole = new double[rings.length][][];
            for (int k = 0; k < rings.length; k++) {
                try (HaloPlan plan = HaloPlan.of(part, rings[k])) {
                    RingVector[] results = work.apply(plan);
                    whole[k] = new double[results.length][];
                    for (int v = 0; v < results.length; v++) {
                        whole[k][v] = results[v].gather(0).toDoubleArray();
                    }
                }
            }
            return whole;
        }).getFirst();
    }

    private static Partition alone(CsrMatrix matrix) {
        return new Partition(new int[matrix.rows()], 1);
    }

    private static RingVector[] vectors(HaloPlan plan, int count) {
        RingVector[] vectors = new RingVector[count];
        for (int v = 0; v < count; v++) {
            vectors[v] = plan.vector();
            // What was there before must not matter.
            vectors[v].values().fill(Double.NaN);
        }
        return vectors;
    }

    private static RingVector[] basis(HaloPlan plan, KrylovBasis basis) {
        RingVector[] results = vectors(plan, basis.steps());
        new RingProduct(plan).basis(basis, plan.vector(RingProductTest::element), results);
        long expected = Math.ceilDiv(basis.steps(), plan.rings());
        assertEquals(expected, plan.exchanges(), "exchanges of " + basis.steps() + " steps with " + plan.rings());
        for (int neighbour = 0; neighbour < plan.sends().size(); neighbour++) {
            long one = plan.exchange(1).messages(neighbour);
            assertEquals(expected, one + (plan.exchanges() > one ? plan.exchange(2).messages(neighbour) : 0));
        }
        return results;
    }

    /** Of many ranks, half of the cases: the other half than with one rank more. */
    private static void compare(int ranks, Precision precision, Function<HaloPlan, RingVector[]> work) {
        List<PartitionedCase> cases = PartitionedCase.all(ranks, precision);
        for (int c = ranks > 4 ? ranks % 2 : 0; c < cases.size(); c += ranks > 4 ? 2 : 1) {
            PartitionedCase problem = cases.get(c);
            double[][] expected = run(problem.matrix(), alone(problem.matrix()), 1, work);
            int[] rings = ranks > 5 ? new int[]{2, 5} : new int[]{1, 2, 3, 4, 5};
            double[][][] actual = runAll(problem.matrix(), problem.partition(), rings, work);
            for (int k = 0; k < rings.length; k++) {
                for (int v = 0; v < expected.length; v++) {
                    String what = "vector " + v + " with " + rings[k] + " rings: " + problem;
                    assertArrayEquals(expected[v], actual[k][v], what);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void powersHaveTheBitsOfOneRank(int ranks) {
        compare(ranks, Precision.F64, plan -> basis(plan, KrylovBasis.monomial(STEPS)));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void powersHaveTheBitsOfOneRankInSinglePrecision(int ranks) {
        compare(ranks, Precision.F32, plan -> basis(plan, KrylovBasis.monomial(STEPS)));
    }

    @ParameterizedTest
    @ValueSource(ints = {3})
    void newtonAndChebyshevBasesHaveTheBitsOfOneRank(int ranks) {
        compare(ranks, Precision.F64, plan -> basis(plan, KrylovBasis.newton(1.5, 0.5, 2.5, 1.25, 2, 0.75, 1, 1.5)));
        compare(ranks, Precision.F64, plan -> basis(plan, KrylovBasis.chebyshev(STEPS, 0.2, 2.9)));
    }

    @ParameterizedTest
    @ValueSource(ints = {3})
    void polynomialsHaveTheBitsOfOneRank(int ranks) {
        double[] coefficients = {0.25, -1, 0, 2, 0.5, -0.125};
        compare(ranks, Precision.F64, plan -> {
            RingVector[] spares = vectors(plan, 2);
            RingVector result = new RingProduct(plan).polynomial(coefficients,
                    plan.vector(RingProductTest::element), spares);
            assertEquals(Math.ceilDiv(5, plan.rings()), plan.exchanges());
            return new RingVector[]{result};
        });
    }

    /** With a product of a backend for interior rows results are the same but for rounding. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void interiorRowsMayHaveAProductOfTheirOwn(int ranks) {
        for (Precision precision : Precision.values()) {
            double tolerance = precision == Precision.F64 ? 1e-14 : 1e-5;
            for (PartitionedCase problem : PartitionedCase.all(ranks, precision)) {
                ThreadRanks.run(ranks, communicator -> {
                    PartitionedMatrix part = PartitionedMatrix.scatter(communicator, 0, problem.matrix(),
                            problem.partition());
                    try (HaloPlan plan = HaloPlan.of(part, 2);
                            Backend backend = Backends.open("reference", Configuration.load());
                            SpmvOperator interior =
                                    backend.kernels(SparseKernels.class).prepare(InteriorRows.of(plan))) {
                        RingProduct product = new RingProduct(plan).interiorBy(interior);
                        RingVector x = plan.vector(RingProductTest::element);
                        RingVector[] expected = vectors(plan, 2);
                        RingVector[] actual = vectors(plan, 2);
                        new RingProduct(plan).basis(KrylovBasis.monomial(2), x, expected);
                        product.basis(KrylovBasis.monomial(2), x, actual);
                        for (int v = 0; v < 2; v++) {
                            assertArrayEquals(expected[v].gather(0).toDoubleArray(),
                                    actual[v].gather(0).toDoubleArray(), tolerance, problem.name());
                        }
                        HostVector y = HostVector.of(precision, part.ownedRows(), i -> i);
                        HostVector other = HostVector.of(precision, part.ownedRows(), i -> i);
                        new RingProduct(plan).multiplyOwned(2, x, -1, y);
                        product.multiplyOwned(2, x, -1, other);
                        assertArrayEquals(y.toDoubleArray(), other.toDoubleArray(), tolerance * 200, problem.name());
                    }
                    return null;
                });
            }
        }
    }

    /** The definition, on one rank: powers by the product of the threads backend. */
    @Test
    void powersAreThoseOfTheThreadsBackend() {
        for (Precision precision : Precision.values()) {
            for (PartitionedCase problem : PartitionedCase.all(3, precision)) {
                CsrMatrix matrix = problem.matrix();
                double[][] actual = run(matrix, problem.partition(), 2,
                        plan -> basis(plan, KrylovBasis.monomial(3)));
                try (Backend backend = Backends.open("threads", Configuration.load());
                        SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix)) {
                    HostVector x = HostVector.of(precision, matrix.rows(), RingProductTest::element);
                    for (double[] power : actual) {
                        HostVector y = HostVector.zeros(precision, matrix.rows());
                        product.multiply(x, y);
                        assertArrayEquals(y.toDoubleArray(), power, problem.name());
                        x = y;
                    }
                }
            }
        }
    }

    /** T₂(t) = 2 t² − 1 and p₂ = (A − θ₁)(A − θ₀) / σ² on a diagonal matrix. */
    @Test
    void basesByHand() {
        CsrMatrix matrix = CsrMatrix.of(3, 3, new int[]{0, 1, 2, 3}, new int[]{0, 1, 2}, new double[]{1, 2, 3});
        Partition partition = new Partition(new int[]{0, 1, 0}, 2);
        double[][] chebyshev = run(matrix, partition, 1, plan -> {
            RingVector[] results = vectors(plan, 2);
            new RingProduct(plan).basis(KrylovBasis.chebyshev(2, 1, 3), plan.vector(i -> 1), results);
            return results;
        });
        assertArrayEquals(new double[]{-1, 0, 1}, chebyshev[0]);
        assertArrayEquals(new double[]{1, -1, 1}, chebyshev[1]);
        double[][] newton = run(matrix, partition, 2, plan -> {
            RingVector[] results = vectors(plan, 2);
            new RingProduct(plan).basis(KrylovBasis.newton(2, 1, 3), plan.vector(i -> 1), results);
            return results;
        });
        assertArrayEquals(new double[]{0, 0.5, 1}, newton[0]);
        // (A − 1)² + 4 = (A − (1 + 2i)) (A − (1 − 2i)), divided by 2 a step.
        KrylovBasis pair = KrylovBasis.newton(2, new double[]{1, 1, 3}, new double[]{2, -2, 0});
        assertArrayEquals(new double[]{0, 1, 0}, pair.c());
        assertArrayEquals(new double[]{-0.5, -0.5, -1.5}, pair.b());
        assertThrows(IllegalArgumentException.class,
                () -> KrylovBasis.newton(2, new double[]{1, 1}, new double[]{2, 2}));
        assertThrows(IllegalArgumentException.class, () -> KrylovBasis.newton(2, new double[]{1}, new double[]{2}));
        assertArrayEquals(new double[]{0, -0.25, 0}, newton[1]);
    }

    /** Products that are called for one by one share exchanges too. */
    @Test
    void ringsAreUsedUpAcrossCalls() {
        CsrMatrix matrix = PartitionedCase.all(3, Precision.F64).getFirst().matrix();
        Partition partition = PartitionedCase.all(3, Precision.F64).getFirst().partition();
        run(matrix, partition, 4, plan -> {
            RingProduct product = new RingProduct(plan);
            RingVector[] v = vectors(plan, 2);
            v[0].set(RingProductTest::element);
            for (int step = 0; step < 10; step++) {
                product.multiply(v[step % 2], v[1 - step % 2]);
                assertEquals(1 + step / 4, plan.exchanges());
                assertEquals(3 - step % 4, v[1 - step % 2].validRings());
            }
            v[0].changed();
            product.multiply(v[0], v[1]);
            assertEquals(4, plan.exchanges());
            return new RingVector[0];
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 6})
    void transposedProductsAgreeWithOneRank(int ranks) {
        for (Precision precision : Precision.values()) {
            for (PartitionedCase problem : PartitionedCase.all(ranks, precision)) {
                CsrMatrix matrix = problem.matrix();
                double[] expected = new double[matrix.columns()];
                double[] bound = new double[matrix.columns()];
                matrix.forEachEntry((row, column, value) -> {
                    expected[column] += value * HostVector.of(precision, 1, i -> element(row)).get(0);
                    bound[column] += Math.abs(value * element(row));
                });
                for (int rings = 1; rings <= 3; rings += 2) {
                    double[][] actual = run(matrix, problem.partition(), rings, plan -> {
                        RingVector[] results = vectors(plan, 2);
                        TransposedProduct product = new TransposedProduct(plan);
                        RingVector x = plan.vector(RingProductTest::element);
                        product.multiply(x, results[0]);
                        product.multiply(x, results[1]);
                        return results;
                    });
                    assertArrayEquals(actual[0], actual[1], "the same bits again");
                    double epsilon = precision == Precision.F64 ? 0x1p-52 : 0x1p-23;
                    for (int i = 0; i < expected.length; i++) {
                        assertEquals(expected[i], actual[0][i], 100 * epsilon * bound[i] + 1e-300, problem.name());
                    }
                }
            }
        }
    }

    @Test
    void wrongCallsAreRefused() {
        CsrMatrix matrix = CsrMatrix.identity(5, Precision.F64);
        run(matrix, alone(matrix), 1, plan -> {
            RingProduct product = new RingProduct(plan);
            RingVector x = plan.vector();
            assertThrows(IllegalArgumentException.class, () -> product.multiply(x, x));
            assertThrows(IllegalArgumentException.class, () -> product.combine(1, x, 0, plan.vector(), 0, x));
            RingVector w = plan.vector();
            assertThrows(IllegalArgumentException.class, () -> product.combine(1, x, 0, w, 1, w));
            assertThrows(IllegalArgumentException.class,
                    () -> product.basis(KrylovBasis.monomial(2), x, vectors(plan, 1)));
            assertThrows(IllegalArgumentException.class, () -> product.polynomial(new double[]{1}, x, w, w));
            try (HaloPlan other = HaloPlan.of(plan.matrix(), 1)) {
                assertThrows(IllegalArgumentException.class, () -> product.multiply(x, other.vector()));
                assertThrows(IllegalArgumentException.class,
                        () -> new TransposedProduct(other).multiply(x, other.vector()));
            }
            return new RingVector[0];
        });
        assertThrows(IllegalArgumentException.class, () -> KrylovBasis.newton(0, 1));
        assertThrows(IllegalArgumentException.class, () -> KrylovBasis.chebyshev(3, 2, 1));
        assertThrows(IllegalArgumentException.class,
                () -> new KrylovBasis(new double[1], new double[1], new double[]{2}));
        assertTrue(KrylovBasis.monomial(2).equals(KrylovBasis.newton(1, 0, 0)));
    }
}
