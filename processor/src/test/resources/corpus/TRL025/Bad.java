package corpus.trl025;

import org.trellis.kernel.*;

/** Breaks the rule of TRL025. */
final class Bad {
    @MeshKernel
    static void kernel(@Read double[] a, @Increment double[] b,
            @Increment(repeats = "b") double[] c, // TRL025
            @Increment(repeats = "b", sign = -1) double[] d) // TRL025
     {
        double x = a[0];
        b[0] += x;
        c[0] -= x;
        if (x > 1.0) {
            d[0] -= x;
        }
    }

    private Bad() {}
}
