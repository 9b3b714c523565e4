package corpus.trl025;

import org.trellis.kernel.*;

/** Keeps the rule of TRL025. */
final class Good {
    @MeshKernel
    static void kernel(@Read double[] a, @Increment double[] b,
            @Increment(repeats = "b") double[] c,
            @Increment(repeats = "b", sign = -1) double[] d) {
        double x = a[0];
        b[0] += x;
        c[0] += x;
        d[0] -= x;
        if (x > 1.0) {
            x = 2.0;
        }
    }

    private Good() {}
}
