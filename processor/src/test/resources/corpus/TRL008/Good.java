package corpus.trl008;

import org.trellis.kernel.*;

/** Keeps the rule of TRL008. */
final class Good {
    @MeshKernel
    static void kernel(@Read double[] a, @Increment(2) double[] b, @Sum double[] c) {
        b[0] += a[0];
        b[1] -= 2.0 * a[0];
        b[1]++;
        c[0] += 1.0;
    }

    private Good() {}
}
