package corpus.trl024;

import org.trellis.kernel.*;

/** Breaks the rule of TRL024. */
final class Bad {
    @MeshKernel
    static void kernel(@Read double[] a, @Increment double[] b,
            @Increment(repeats = "x") double[] c, // TRL024
            @Increment(value = 2, repeats = "b") double[] d) // TRL024
     {
        b[0] += a[0];
        c[0] += a[0];
        d[0] += a[0];
    }

    private Bad() {}
}
