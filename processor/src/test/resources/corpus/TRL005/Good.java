package corpus.trl005;

import org.trellis.kernel.*;

/** Keeps the rule of TRL005. */
final class Good {
    @MeshKernel
    static void kernel(
            @Read(2) int[] a,
            @Read(value = 2, entries = 3) double[][] b,
            @Sum double[] c,
            @Constant double d) {
        c[0] += a[0] * b[2][1] * d;
    }

    private Good() {}
}
