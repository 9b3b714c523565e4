package corpus.trl008;

import org.trellis.kernel.*;

/** Breaks the rule of TRL008. */
final class Bad {
    @MeshKernel
    static void kernel(@Read double[] a, @Increment(2) double[] b, @Sum double[] c) {
        b[0] = a[0]; // TRL008
        b[0] *= 2.0; // TRL008
        b[1] += b[0]; // TRL008
        if (c[0] > 1.0) { // TRL008
            c[0] += 1.0;
        }
    }

    private Bad() {}
}
