package org.trellis.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.Scalars;
import org.trellis.testing.TestSeed;

/** The vector updates of solvers do on every backend what they do on the reference. A backend's test extends this. */
public abstract class VectorLoopsContract {
    private static final List<LoopKernel> KERNELS = List.of(VectorsLoops.COPY, VectorsLoops.SCALE, VectorsLoops.AXPY,
            VectorsLoops.XPBY, VectorsLoops.AXPBY, VectorsLoops.MULTIPLY, VectorsLoops.DOT, VectorsLoops.SQUARE,
            VectorsLoops.DOTS2, VectorsLoops.DOTS4, VectorsLoops.COMBINE2, VectorsLoops.COMBINE4,
            VectorsLoops.AXPY_NORM, UpdatesLoops.BEGIN, UpdatesLoops.BEGIN_DIAGONAL, UpdatesLoops.BEGIN_OTHER,
            UpdatesLoops.RESIDUAL, UpdatesLoops.RESIDUAL_DIAGONAL, UpdatesLoops.DIRECTION,
            UpdatesLoops.DIRECTION_DIAGONAL);
    private static final int SCALARS = 8;

    /**
     * Opens the backend under test.
     *
     * @return a backend that the test closes
     */
    @MustBeClosed
    protected abstract Backend openBackend();

    /**
     * Returns the lengths that are tried.
     *
     * @return some that are no multiples of anything
     */
    protected int[] lengths() {
        return new int[]{0, 1, 7, 31, 1000, 4097, 70_001};
    }

    /** A kernel on data of its own. */
    private static final class Run implements AutoCloseable {
        private final Mesh mesh;
        private final Scalars scalars;
        private final List<Dat> dats = new ArrayList<>();

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        Run(Backend backend, LoopKernel kernel, Precision precision, int length, double limit) {
            SplittableRandom random = TestSeed.random(kernel + " " + precision + length + limit);
            mesh = Mesh.on(backend);
            MeshSet rows = mesh.set("rows", length);
            scalars = mesh.scalars("scalars", SCALARS * kernel.signature().arity());
            LoopArgument[] arguments = new LoopArgument[kernel.signature().arity()];
            for (int a = 0; a < arguments.length; a++) {
                ArgumentSignature argument = kernel.signature().arguments().get(a);
                if (argument.kind() == ArgumentSignature.Kind.DAT) {
                    double[] values = random.doubles(length, -1, 1).toArray();
                    dats.add(mesh.dat("d" + a, rows, 1, precision, values));
                    arguments[a] = dats.getLast();
                } else {
                    for (int c = 0; c < argument.components(); c++) {
                        scalars.set(SCALARS * a + c, argument.name().equals("limit") ? limit : random.nextDouble());
                    }
                    arguments[a] = scalars.at(SCALARS * a, argument.components());
                }
            }
            mesh.loop(kernel, rows, arguments).run();
        }

        @Override
        public void close() {
            mesh.close();
        }
    }

    /**
     * Agrees with the reference, where an iteration goes on and where it has met its limit.
     *
     * @param precision the precision of the vectors
     */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void agreesWithReference(Precision precision) {
        try (Backend backend = openBackend(); Backend reference = Backends.open("reference", Configuration.load())) {
            for (LoopKernel kernel : KERNELS) {
                for (int length : lengths()) {
                    for (double limit : new double[]{0, 2}) {
                        try (Run expected = new Run(reference, kernel, precision, length, limit);
                                Run actual = new Run(backend, kernel, precision, length, limit)) {
                            compare(expected, actual, precision, kernel + " of " + length + " " + precision
                                    + ", limit " + limit + ", seed " + TestSeed.value());
                        }
                    }
                }
            }
        }
    }

    private static void compare(Run expected, Run actual, Precision precision, String context) {
        for (int d = 0; d < expected.dats.size(); d++) {
            double[] wanted = expected.dats.get(d).toArray();
            double[] found = actual.dats.get(d).toArray();
            for (int i = 0; i < wanted.length; i++) {
                assertEquals(wanted[i], found[i], 32 * precision.unitRoundoff() * Math.max(1, Math.abs(wanted[i])),
                        context + ", dat " + d + ", element " + i);
            }
        }
        int length = Math.max(1, expected.dats.getFirst().set().size());
        for (int s = 0; s < expected.scalars.count(); s++) {
            double wanted = expected.scalars.get(s);
            // Coefficients are quotients of random numbers, so that the terms of a sum may be large.
            double term = Math.max(1, Math.abs(wanted) / length);
            assertEquals(wanted, actual.scalars.get(s),
                    length * term * (32 * precision.unitRoundoff() + length * 0x1p-53) * 4, context + ", scalar " + s);
        }
    }
}
