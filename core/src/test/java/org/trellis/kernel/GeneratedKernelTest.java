package org.trellis.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.common.Precision;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/** What the processor generates from the sample kernels, against the methods themselves. */
class GeneratedKernelTest {
    /** The first few daily: one vector and a rest, none, and more than fit into one. */
    private static final List<Integer> SIZES = List.of(9, 0, 100, 1, 7, 8);

    static Stream<LoopKernel> kernels() {
        return Stream.of(SampleKernelsLoops.COPY, SampleKernelsLoops.TIME_STEP, SampleKernelsLoops.FLUX,
                SampleKernelsLoops.BOUNDARY, SampleKernelsLoops.UPDATE, SampleKernelsLoops.GRADIENT,
                SampleKernelsLoops.NEIGHBOURS, SampleKernelsLoops.FUNCTIONS, SampleKernelsLoops.ITERATE,
                SampleKernelsLoops.CONTRACTED);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void loopsEqualTheMethod(LoopKernel kernel) {
        SplittableRandom random = TestSeed.random(kernel.signature().name());
        boolean increments = kernel.signature().arguments().stream().anyMatch(a -> a.access() == Access.INCREMENT);
        for (LoopStyle style : LoopStyle.values()) {
            if (kernel.objection(style).isPresent()) {
                continue;
            }
            for (Precision precision : Precision.values()) {
                for (IncrementMode mode : increments
                        ? IncrementMode.values()
                        : new IncrementMode[]{IncrementMode.ADD}) {
                    for (int bits = 0; bits < 8; bits++) {
                        for (int size : SIZES.subList(0, TestLength.cases(3, 6))) {
                            LoopComparison.check(kernel, style, new LoopComparison.Setting(precision, (bits & 1) != 0,
                                    (bits & 2) != 0, (bits & 4) != 0, mode, size), random);
                        }
                    }
                }
            }
        }
    }

    @Test
    void signatureSaysWhatTheSourceSays() {
        KernelSignature flux = SampleKernelsLoops.FLUX.signature();
        assertEquals("SampleKernels.flux", flux.name());
        assertEquals(
                ArgumentSignature.of("q1", ArgumentSignature.Kind.DAT, Access.READ, ArgumentSignature.Type.REAL, 4),
                flux.arguments().get(2));
        assertEquals(new ArgumentSignature("res2", ArgumentSignature.Kind.DAT, Access.INCREMENT,
                ArgumentSignature.Type.REAL, 4, 1, 6, -1), flux.arguments().get(7));
        List<ArgumentSignature> boundary = SampleKernelsLoops.BOUNDARY.signature().arguments();
        assertEquals(ArgumentSignature.of("bound", ArgumentSignature.Kind.DAT, Access.READ, ArgumentSignature.Type.INT,
                1), boundary.get(4));
        assertEquals(ArgumentSignature.of("far", ArgumentSignature.Kind.CONSTANT, Access.READ,
                ArgumentSignature.Type.REAL, 4), boundary.get(5));
        assertEquals(ArgumentSignature.of("scale", ArgumentSignature.Kind.GLOBAL, Access.READ,
                ArgumentSignature.Type.REAL, 2), boundary.get(6));
        assertEquals(ArgumentSignature.VARIABLE,
                SampleKernelsLoops.NEIGHBOURS.signature().arguments().getFirst().entries());
        assertEquals(Access.MAX, SampleKernelsLoops.UPDATE.signature().arguments().get(6).access());
    }

    /** A product and a sum are rounded once where the machine can do that, and only in kernels that allow it. */
    @Test
    void contractsWhereAllowed() {
        SplittableRandom random = TestSeed.random("contractsWhereAllowed");
        int size = 21;
        double[] a = random.doubles(3L * size, 0.5, 2.0).toArray();
        for (LoopStyle style : LoopStyle.values()) {
            double[] b = new double[4 * size];
            double[] sum = new double[size];
            LoopShape shape = LoopShape.of(3).strides(0, 3, 1).strides(1, 4, 1).build();
            SampleKernelsLoops.CONTRACTED.loop(style, Precision.F64, shape).run(
                    new LoopArguments(3).data(0, a).data(1, b).data(2, sum),
                    new LoopRange(SampleKernelsLoops.CONTRACTED.signature()).elements(0, size));
            for (int e = 0; e < size; e++) {
                double x = a[3 * e];
                double y = a[3 * e + 1];
                double z = a[3 * e + 2];
                assertEquals(fused(-y, y, x * x), b[4 * e]);
                assertEquals(fused(x, y, z), b[4 * e + 1]);
                assertEquals(fused(x, y, -z), b[4 * e + 2]);
                // The branches of a conditional expression are left as they are.
                assertEquals(x - 0.5 * y, b[4 * e + 3]);
                assertEquals(fused(z, 0.1, fused(y, 0.1, fused(x, 0.1, 0.0))), sum[e]);
            }
        }
    }

    private static double fused(double a, double b, double c) {
        return GeneratedLoops.fusedMultiplyAdd() ? Math.fma(a, b, c) : a * b + c;
    }

    @Test
    void shapesOfAnotherArityAreRefused() {
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class,
                () -> SampleKernelsLoops.COPY.loop(LoopStyle.SCALAR, Precision.F64, LoopShape.of(3).build()));
        assertTrue(error.getMessage().contains("has 2 parameters, the shape 3"), error.getMessage());
    }

    @Test
    void rowsOfDifferentMapsAreRefused() {
        LoopShape shape = LoopShape.of(5).indirect(0, 0).indirect(1, 1).indirect(4, 4).build();
        RangeLoop loop = SampleKernelsLoops.NEIGHBOURS.loop(LoopStyle.SCALAR, Precision.F64, shape);
        LoopArguments arguments = new LoopArguments(5);
        for (int a = 0; a < 5; a++) {
            arguments.data(a, new double[4]);
        }
        arguments.variableTargets(0, new int[]{0, 1}, new int[1]);
        arguments.variableTargets(1, new int[]{0, 0}, new int[0]);
        arguments.variableTargets(4, new int[]{0, 1}, new int[1]);
        LoopRange range = new LoopRange(SampleKernelsLoops.NEIGHBOURS.signature()).elements(0, 1);
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> loop.run(arguments, range));
        assertTrue(error.getMessage().contains("'x' and 'w' go through different maps"), error.getMessage());
    }
}
