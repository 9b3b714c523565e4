package corpus.trl010;

import org.trellis.kernel.*;

/** Keeps the rule of TRL010. */
final class Good {
    @MeshKernel
    static void kernel(@Read double[] a,
            @Write(2) double[] b,
            @Write double[] c) {
        c[0] = 1.0;
        c[0] += 1.0;
        if (a[0] > 0.0) {
            b[0] = 1.0;
        } else {
            b[0] = a[0];
        }
        b[1] = 1.0;
    }

    private Good() {}
}
