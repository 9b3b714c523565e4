package corpus.trl024;

import org.trellis.kernel.*;

/** Keeps the rule of TRL024. */
final class Good {
    @MeshKernel
    static void kernel(@Read double[] a, @Increment double[] b,
            @Increment(repeats = "b") double[] c) {
        double x = a[0];
        b[0] += x;
        c[0] += x;
    }

    private Good() {}
}
