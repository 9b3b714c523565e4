package corpus.trl006;

import org.trellis.kernel.*;

/** Keeps the rule of TRL006. */
final class Good {
    @MeshKernel
    static void kernel(
            @Read(1) double[] a,
            @Read(value = 1, entries = ArgumentSignature.VARIABLE) double[][] b,
            @Increment(sign = 1) double[] c) {
        c[0] += a[0];
    }

    private Good() {}
}
